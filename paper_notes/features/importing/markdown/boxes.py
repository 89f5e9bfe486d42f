"""Boxes of other tools as our components: admonitions, tabs, directives, callouts, folds, shortcodes around text."""

from __future__ import annotations

import re

from paper_notes.document.edit import Edit
from paper_notes.document.nodes import Span
from paper_notes.features.importing.markdown.block_rules import MAX_DEPTH
from paper_notes.features.importing.markdown.grammar import ForeignBlock
from paper_notes.features.importing.markdown.html import attributes
from paper_notes.features.importing.markdown.rewriting import Rewriting

_BOXES = frozenset("admonition notice hint callout alert note tip warning info danger caution important".split())
_TYPED = frozenset("admonition notice hint callout alert".split())
"""Shortcodes whose first value is the kind of box."""
_FOLDS = frozenset("details expand spoiler collapse accordion".split())
_TABS = frozenset("tab tabitem codetab".split())
CODE = {"mermaid": "mermaid", "math": "math", "katex": "math", "highlight": "", "code": ""}
_ARGUMENT = re.compile(r"""(?:([\w:.-]+)=)?(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"'`]\S*))""")
_BRACES = re.compile(r"[ \t]*\{[^{}]*\}[ \t]*$")
_TAGS = re.compile(r"</?(?:b|strong|h[1-6]|p|div|span|i|em)\b[^>]*>")


def box(rewriting: Rewriting, node: ForeignBlock) -> None:
    """A box as a component, a callout, or what is in it."""
    if node.fields.get("too deep"):
        message = f"this block is shown as it was written: more than {MAX_DEPTH} boxes are within each other"
        rewriting.conversion.report("unmapped", "as-text", message)
        rewriting.as_code(Span(node.opening.start, node.span.end))
        return
    kind, title = _KINDS[node.kind](rewriting, node)
    if kind.startswith("```"):
        _write(rewriting, node, f"```{kind[3:]}", "```")
        return
    title = rewriting.phrase(" ".join(title.split()))
    name = rewriting.conversion.tables.callouts.get(kind.lower(), "")
    name = "note" if name == "figure" else name
    rewriting.dedent(node.dedents)
    if not kind:
        _write(rewriting, node, f"**{title}**" if title else "", "")
    elif not name:
        _quote(rewriting, node, f"> [!{kind}] {title}".rstrip())
    elif title and not node.blocks:
        _write(rewriting, node, f":::{name}\n{title}", ":::")
    else:
        _write(rewriting, node, f":::{name} {title}".rstrip(), ":::")


def _write(rewriting: Rewriting, node: ForeignBlock, head: str, tail: str) -> None:
    """The first and the last line of a box, and what is between them."""
    opening, closing = node.opening, node.closing
    apart = "\n" if head.startswith(":::") else "\n\n"
    same_line = rewriting.text[opening.end : rewriting.end(opening.end)].strip() and closing.start != opening.end
    rewriting.edit(opening, head + (apart if same_line else ""))
    if head.startswith("```"):
        pass  # what is inside is code
    else:
        if head.startswith(":::"):
            _trim(rewriting, node)
        rewriting.blocks(node.blocks)
    if closing.start < 0:
        if tail:
            rewriting.edit(Span(*[rewriting.end(node.span.end)] * 2), f"\n{tail}", opening.start)
        return
    row = rewriting.starts[rewriting.row(closing.start)]
    before = rewriting.text[max(row, opening.end) : closing.start].strip(" \t>\n")
    after = rewriting.text[closing.end : rewriting.end(closing.end)].strip()
    written = f"\n{tail}" if before and tail else tail
    rewriting.edit(closing, written + ("\n\n" if after else ""), opening.start)


def _trim(rewriting: Rewriting, node: ForeignBlock) -> None:
    """No blank lines between a box and what is in it."""
    if not node.blocks:
        return
    top, first = rewriting.end(node.opening.end), rewriting.starts[rewriting.row(node.blocks[0].span.start)]
    if first - 1 > top and not rewriting.text[top:first].strip(" \t>\n"):
        rewriting.edits.append(Edit(Span(top, first), "\n"))
    if node.closing.start >= 0:
        last, row = rewriting.end(node.blocks[-1].span.end), rewriting.starts[rewriting.row(node.closing.start)]
        if row - 1 > last and not rewriting.text[last:row].strip(" \t>\n"):
            rewriting.edits.append(Edit(Span(last, row), "\n"))


def _quote(rewriting: Rewriting, node: ForeignBlock, head: str) -> None:
    """A box whose kind is no component, as a quotation that is a box; its name is its title."""
    column = node.opening.start - rewriting.starts[rewriting.row(node.opening.start)]
    before = rewriting.quoted
    rewriting.edit(node.opening, head)
    rewriting.quoted += "> "
    if node.blocks:
        first, last = rewriting.row(node.blocks[0].span.start), rewriting.row(node.blocks[-1].span.end)
        for row in range(max(first, rewriting.row(node.opening.end) + 1), last + 1):
            start, end = rewriting.starts[row], rewriting.starts[row + 1] - 1
            if start + column <= end and rewriting.text[start:end].strip():
                rewriting.insert(start + column, "> ")
            else:
                rewriting.insert(end, " " * (column - (end - start)) + ">")
    _trim(rewriting, node)
    rewriting.blocks(node.blocks)
    rewriting.quoted = before
    if node.closing.start >= 0:
        rewriting.edit(node.closing, "")


Meaning = tuple[str, str]
"""The kind and the title of a box; one without a kind is only what is in it."""


def _indented(rewriting: Rewriting, node: ForeignBlock) -> Meaning:
    if node.fields["tab"]:
        rewriting.conversion.report("changed", "tab", "tabs follow one another")
        return "", node.fields["tab_title"]
    kinds = [kind for kind in node.fields["kinds"].split() if kind not in ("inline", "end", "annotate")]
    kind, title = kinds[0] if kinds else "note", node.fields["title"]
    if node.fields["sign"] == "???" and not node.fields["open"]:
        is_fold = rewriting.conversion.tables.callouts.get(kind) == "details"
        return "details", title or ("" if is_fold else kind.capitalize())
    return kind, title


def _directive(rewriting: Rewriting, node: ForeignBlock) -> Meaning:
    braces = node.fields["braces"]
    kind = node.fields["kind"] or next((name[1:] for name in braces.split() if name[0] == "."), braces.strip())
    kind = re.sub("^callout-?|^admonition-?", "", kind) or "note"
    options = attributes(f"{braces} {node.fields['options']}")
    title = node.fields["bracket"][1:-1] or options.get("title", "") or _BRACES.sub("", node.fields["title"]).strip()
    return "" if kind in rewriting.conversion.tables.unwrapped else kind, title


def _fenced(rewriting: Rewriting, node: ForeignBlock) -> Meaning:
    kind = node.fields["ad"] or node.fields["kind"]
    return "note" if kind == "admonition" else kind, node.fields["title"]


def _tag(rewriting: Rewriting, node: ForeignBlock) -> Meaning:
    name, options = node.fields["tag"], attributes(node.fields["attributes"])
    if name == "details":
        return name, _TAGS.sub("", node.fields["title"])
    kind = "note" if name.lower() in ("admonition", "callout", "aside") else name
    return options.get("type", "") or kind, options.get("title", "")


def _shortcode(rewriting: Rewriting, node: ForeignBlock) -> Meaning:
    name = node.fields["short"].lower()
    named, values = arguments(node.fields["arguments"])
    if name in CODE:
        return f"```{CODE[name] or (values[0] if values else 'text')}", ""
    title = named.get("title") or named.get("summary") or ""
    if name in _FOLDS:
        return "details", title or (values[0] if values else "")
    if name in _BOXES:
        kind = named.get("type") or (values[0] if values and name in _TYPED else name)
        values = values[1:] if values and values[0] == kind else values
        title = title or " ".join(value for value in values if value.lower() not in ("true", "false"))
        return "note" if kind in _TYPED else kind, title
    if name not in _TABS and name not in rewriting.conversion.tables.unwrapped:
        message = f'the shortcode "{name}" is left out, what is in it stays'
        rewriting.conversion.report("unmapped", "shortcode", message)
    return "", title or named.get("name") or (values[0] if name in _TABS and values else "")


def _liquid(rewriting: Rewriting, node: ForeignBlock) -> Meaning:
    name, values = node.fields["liquid"], node.fields["values"].split()
    if name == "highlight":
        return f"```{values[0] if values else 'text'}", ""
    if name in _BOXES:
        return name, node.fields["values"].strip(" \"'")
    if name not in ("raw", "comment"):
        rewriting.conversion.report("unmapped", "liquid", f'"{name}" is left out, what is in it stays')
    return "", ""


_KINDS = {
    "indented": _indented,
    "directive": _directive,
    "fenced": _fenced,
    "tag": _tag,
    "shortcode": _shortcode,
    "liquid": _liquid,
}


def arguments(written: str) -> tuple[dict[str, str], list[str]]:
    """The arguments of a shortcode with and without a name."""
    named: dict[str, str] = {}
    values: list[str] = []
    for name, *forms in _ARGUMENT.findall(written):
        value = next(filter(None, forms), "")
        if name:
            named[name.lower()] = value
        else:
            values.append(value)
    return named, values
