"""Blocks of a foreign text in our syntax, each kind by a function of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from paper_notes.document import nodes
from paper_notes.document.edit import Edit
from paper_notes.document.nodes import Block, Span
from paper_notes.features.importing.markdown import directives, raw_html, shortcodes
from paper_notes.features.importing.markdown.boxes import MAX_DEPTH, is_fence_end
from paper_notes.features.importing.markdown.dialects import tables
from paper_notes.features.importing.markdown.directives import braced, component, pictured
from paper_notes.features.importing.markdown.grammar import EQUATION_LABEL, ForeignBlock, ending_of
from paper_notes.features.importing.markdown.inline import display_formula, is_shown, remark
from paper_notes.features.importing.markdown.rewriting import Rewriting
from paper_notes.markdown.syntax.code import fences, known_languages
from paper_notes.markdown.syntax.tables import columns_of, with_hidden
from paper_notes.patterns import regex
from paper_notes.values import replace

_COMMENT_SIGNS = regex(
    r"\A(?:%%|<!--|\{%-?\s*comment\s*-?%\}|\{::comment\})|(?:%%|\{%-?\s*endcomment\s*-?%\}|\{:/[^{}]*\})[ \t]*\Z"
)
_BRACES = regex(r"[ \t]*\{:?[ \t]*[.#][^{}]*\}$")
_NAME = regex(r"\^[A-Za-z0-9-]+")


def _foreign(rewriting: Rewriting, node: ForeignBlock) -> None:
    if node.kind in _KINDS:
        _box(rewriting, node)
    elif (written := _LEAVES[node.kind](rewriting, node)) is not None:
        rewriting.edit(node.opening, written)


def _heading(rewriting: Rewriting, node: nodes.Heading) -> None:
    """A section as `headings` has it; the title is gone, and a heading in a box is none of the text."""
    content = rewriting.content(node.span)
    section = rewriting.conversion.structure.sections.get(node.span.start)
    inlines = [inline.span for inline in node.inlines]
    if section:
        words, level = section.words, section.level
        options = [*([f"#{section.id}"] if section.id else ()), *([f"n={section.own}"] if section.own else ())]
    else:
        words = Span(inlines[0].start, inlines[-1].end) if inlines else Span(content.end, content.end)
        level, options = max(node.level, 3), []
        if braces := _BRACES.search(rewriting.source(words)):
            words = Span(words.start, words.start + braces.start())
    if words.start >= words.end:
        rewriting.edit(content, "")
        return
    if node.span.start == rewriting.conversion.structure.subtitle:
        rewriting.edit(content, f"**{rewriting.phrase(rewriting.source(words))}**")
        return
    rewriting.edit(Span(min(content.start, words.start), words.start), f"{'#' * level} ")
    rewriting.edit(Span(words.end, node.span.end), f" {{{' '.join(options)}}}" if options else "")
    rewriting.words(node.inlines)


def _code(rewriting: Rewriting, node: nodes.CodeBlock) -> None:
    """Code is never touched, but for the name of the language; a title that it has becomes a line above it."""
    start = rewriting.content(node.span).start
    line = rewriting.text[start : rewriting.end(start)]
    fence = re.match(r"(`{3,}|~{3,})[ \t]*", line)
    is_shown = not node.info and node.code.partition("\n")[0].endswith(line)  # in indented code
    if not fence or is_shown:
        return
    language, title = _language(rewriting, node.info)
    if title and not node.code.strip():  # a directive that nobody knows, such as `{youtube} https://...`
        rewriting.edit(Span(start, node.span.end), rewriting.phrase(title))
        return
    if title:
        prefix = rewriting.prefix(start)
        words = rewriting.phrase(title.replace("<", "\\<"))
        above = f"**{words}**\n{prefix.rstrip()}\n{prefix}"
        rewriting.edits.append(Edit(Span(start, start), above))  # the fence stays at its column
    snippet = SNIPPET.fullmatch(node.code.strip())
    if snippet and rewriting.conversion.picture(snippet[1]):
        rewriting.edit(Span(start, node.span.end), directives.included(rewriting, snippet[1], language))
        return
    for sign in CODE_MARKS.finditer(rewriting.text, start, node.span.end):
        rewriting.edits.append(Edit(Span(*sign.span()), f"({sign[1]})" if sign[1] else ""))
    mark = fence.end() if language else fence.end(1)
    rewriting.edit(Span(start + mark, start + len(line)), language)
    first, last = rewriting.row(start), rewriting.row(node.span.end)
    line = rewriting.text[rewriting.starts[last] : node.span.end]
    words = line.lstrip(" \t>")
    is_inside = len(line) - len(words) < start - rewriting.starts[first] + 4
    if first == last or not (is_inside and is_fence_end(words, fence[1], strict=True)):
        rewriting.report("mended", "unclosed-fence", "a block of code does not end")
        is_end = first < last and is_fence_end(line, fence[1])
        end = Span(rewriting.starts[last] if is_end else node.span.end, node.span.end)
        rewriting.edits.append(Edit(end, f"{'' if is_end else chr(10)}{rewriting.prefix(start)}{fence[1]}"))


SNIPPET = regex(r"--8<--[ \t]+[\"']([^\"'\n]+)[\"']")
"""A file in the place of code."""
CODE_MARKS = regex(
    r"[ \t]*(?:\n[ \t]*)?(?://|\#|<!--|/\*)[ \t]*(?:\[!code (?:focus|highlight|hl|warning|error)[^\]\n]*\]"
    r"|highlight-(?:next-line|start|end)\b)[ \t]*(?:-->|\*/)?(?=\n)|(?<=[#/*-] )\((\d{1,2})\)!"
)
"""What says in code only how it is shown, and the number of an annotation."""


_NAMED = regex(r"(?:title|filename|name|caption|lst-cap)=(?:\"([^\"]*)\"|'([^']*)')|(?<=\s)\[([^\]]+)\]")
_ARGUMENT_OF = regex(r"\{[\w:.-]+\}[ \t]+(?P<argument>\S.*)")
_LANGUAGE = regex(r"(?:\{[^{}]*?(?<![^\s{])\.|\{?)((?!\w+=)[\w+#.-]*)")


def _language(rewriting: Rewriting, info: str) -> tuple[str, str]:
    """The language of a block of code as we know it, and its title."""
    named = _ARGUMENT_OF.fullmatch(info.strip()) or _NAMED.search(info)
    title = next(filter(None, named.groups()), "") if named else ""
    match = _LANGUAGE.match(info)
    language = match[1].lower().strip(".,:") if match else ""
    if language in fences() or language == "math" or not info:
        return language, title
    alias = tables().languages.get(language, language)
    if not alias or alias in known_languages():
        return alias, title
    dotted = language.rpartition(".")[2]
    if dotted != language and dotted in known_languages():
        return dotted, title or language
    rewriting.report("changed", "code-language", f'there are no colours for "{language}"')
    return "text", title


def _formula(rewriting: Rewriting, node: nodes.FormulaBlock) -> None:
    """A formula on lines of its own, without blank lines inside; one that we cannot show is code."""
    source = rewriting.source(rewriting.content(node.span))
    if source.startswith(("```", "~~~")):
        if not is_shown(node.tex):
            start = rewriting.content(node.span).start + len(source) - len(source.lstrip("`~"))
            rewriting.edit(Span(start, rewriting.end(start)), "text")
    else:
        _write_formula(rewriting, node.span, node.tex, "")


def _foreign_formula(rewriting: Rewriting, node: ForeignBlock) -> None:
    """An environment without dollars, and a formula with something behind its last mark."""
    source = rewriting.source(node.opening)
    mark = node.fields["mark"]
    tex, ending, after = source[len(mark) :].rpartition(ending_of(mark))
    if mark.startswith("\\begin"):
        tex = f"{mark}{tex}{ending}"
    _write_formula(rewriting, node.span, "\n".join(line.lstrip(" \t>") for line in tex.split("\n")), after)


def _write_formula(rewriting: Rewriting, span: Span, tex: str, after: str) -> None:
    content, label = rewriting.content(span), EQUATION_LABEL.fullmatch(after)
    lines = [line.strip() for line in tex.strip().split("\n")]
    if not all(lines):
        rewriting.report("mended", "blank-in-formula", "a formula holds a blank line")
    named = label and (label["braces"] or ("role" in rewriting.conversion.dialect.signs and label["myst"]))
    name = _NAME.search(after)
    after = after.strip() if not named else ""
    if not (written := display_formula(rewriting, tex, named or "")):
        rewriting.as_code(content)
        if name:
            rewriting.insert(span.end, f"\n\n{rewriting.named(name[0][1:])}")
        return
    if name and name[0] == after:
        after = rewriting.named(after[1:])
    is_ours = rewriting.source(content).startswith("$$") and not after and all(lines)
    if not is_ours or written != "\n".join(["$$", *lines, "$$"]):
        rewriting.edit(content, "\n\n".join(filter(None, (written, after))))


def _table(rewriting: Rewriting, node: nodes.Table) -> None:
    """A table; bars beyond its last column are signs."""
    rewriting.in_table = True
    for row in node.rows:
        rewriting.inside(row)
        start = rewriting.content(row.span).start
        line = rewriting.text[start : rewriting.end(start)].rstrip()
        hidden = with_hidden(line, len(row.cells))
        count = columns_of(hidden)
        if count > len(row.cells):
            rewriting.at(row.span)
            rewriting.report("mended", "table-row", f"a row of a table has {count} cells, not {len(row.cells)}")
            bars = [match.start() for match in re.finditer(r"(?<!\\)\|", hidden)]
            bars = bars[1:] if line.startswith("|") else bars
            bars = bars[:-1] if line.endswith("|") else bars
            for bar in bars[len(row.cells) - 1 :]:
                rewriting.escape(start + bar)
    rewriting.in_table = False


def _footnote(rewriting: Rewriting, node: nodes.FootnoteDefinition) -> None:
    """A footnote; one that nothing refers to, and a second one of a name, is a paragraph."""
    if node.label not in rewriting.footnotes:
        start = rewriting.content(node.span).start
        rewriting.edit(Span(start, rewriting.text.index("]:", start) + 2), rf"\[{node.label}]")
        lines = rewriting.starts[rewriting.row(node.span.start) + 1 : rewriting.row(node.span.end) + 1]
        rewriting.dedent(Span(line, line + 4) for line in lines if rewriting.text.startswith("    ", line))
    rewriting.footnotes.discard(node.label)
    rewriting.inside(node)


def _alert(rewriting: Rewriting, node: nodes.Alert) -> None:
    """A callout of Obsidian: its kind may have options behind a bar."""
    head = re.compile(r"\[![^\[\]|\n]+(\|[^\[\]\n]*)\]").search(
        rewriting.text, node.span.start, rewriting.end(node.span.start)
    )
    if head:
        rewriting.edit(Span(*head.span(1)), "")
    rewriting.inside(node)


_PROMPT = regex(r"\.prompt-(tip|info|warning|danger)\b")
"""The class of a quotation that a theme of Jekyll shows as a callout."""


def _attributes(rewriting: Rewriting, node: ForeignBlock) -> None:
    """Attributes of the block above, with their line: a blank one would set the items of a list apart."""
    row = rewriting.row(node.opening.start)
    start = rewriting.starts[row]
    if prompt := _PROMPT.search(rewriting.source(node.opening)):
        while row and rewriting.text[rewriting.starts[row - 1]] == ">":
            row -= 1
        if rewriting.starts[row] < start:
            kind = tables().callouts.get(prompt[1], prompt[1])
            rewriting.insert(rewriting.starts[row], f"> [!{kind}]\n")
    rewriting.edit(Span(max(start - 1, 0), node.opening.end), "")


def _abbreviation(rewriting: Rewriting, node: ForeignBlock) -> str:
    """What an abbreviation means, which stands where it is used first."""
    is_used = node.fields["short"] not in rewriting.abbreviations
    return "" if is_used else remark(f" {rewriting.source(node.opening)} ")


def _program(rewriting: Rewriting, node: ForeignBlock) -> str:
    rewriting.report("unmapped", "import", "lines of a program are left out")
    return remark(rewriting.source(node.opening))


def _verbatim(rewriting: Rewriting, node: ForeignBlock) -> str | None:
    source = rewriting.source(node.opening)
    if node.opening.start == 0 and source.startswith(("---", "+++")):  # front matter that cannot be read
        return "\n".join(["```text", *source.split("\n")[1:-1], "```"])
    message = "this block is shown as it was written: too much in it is within something else, or never closed"
    rewriting.report("unmapped", "as-text", message)
    rewriting.as_code(node.opening)
    return None


def _definition(rewriting: Rewriting, node: ForeignBlock) -> None:
    """The address of links, which have it themselves; one that no link has is a comment."""
    source = rewriting.source(rewriting.content(node.span))
    if node.fields["label"] in ("//", "comment"):
        source = source.partition(":")[2].strip(" #\t").strip("()\"'")
    is_used = " ".join(node.fields["label"].split()).casefold() in rewriting.labels
    rewriting.edit(rewriting.content(node.span), "" if is_used else remark(f" {source} "))


# Boxes: admonitions, tabs, directives, callouts, folds, shortcodes around text


def _box(rewriting: Rewriting, node: ForeignBlock) -> None:
    """A box as a component, a callout, or what is in it."""
    if node.fields.get("too deep"):
        message = f"this block is shown as it was written: more than {MAX_DEPTH} boxes are within each other"
        rewriting.report("unmapped", "as-text", message)
        rewriting.as_code(Span(node.opening.start, node.span.end))
        return
    kind, title = _KINDS[node.kind](rewriting, node)
    if (node.fields.get("form"), node.fields.get("name")) == ("liquid", "raw") and not rewriting.is_literal:
        rewriting.is_literal = True
        _box(rewriting, node)
        rewriting.is_literal = False
        return
    if kind.startswith("```"):
        inside = rewriting.text[node.opening.end : node.closing.start]
        mark = max((*re.findall("`{3,}", inside), "``"), key=len) + "`"
        _write(rewriting, node, f"{mark}{kind[3:]}", mark)
        return
    is_headed = node.fields.get("headed") and kind and not title
    if is_headed and node.blocks and isinstance(first := node.blocks[0], nodes.Heading):
        rewriting.edit(rewriting.content(first.span), "")  # Quarto's title of a box
        spans = [inline.span for inline in first.inlines]
        title = rewriting.source(Span(spans[0].start, spans[-1].end)) if spans else ""
        node = replace(node, blocks=node.blocks[1:])
    title = title if kind == shortcodes.HEAD else rewriting.phrase(" ".join(title.split()))
    label = node.fields.get("block", "")
    named = rewriting.named(label) if label else ""
    rewriting.dedent(node.dedents)
    if kind == "list-table" and directives.is_list_table(node):
        whole = Span(node.opening.start, max(node.closing.end, node.span.end))
        rewriting.edit(whole, "\n\n".join(filter(None, (directives.list_table(rewriting, node), named))))
        return
    if kind == "figure" and (picture := _pictured(rewriting, node)):
        _write(rewriting, node, f"{component('figure', braced(named))}\n{picture}\n", ":::")
        return
    name = tables().callouts.get(kind.lower(), "")
    name = "note" if name == "figure" else name
    if not kind or kind in (shortcodes.HEAD, "figure", "list-table"):
        title = title if kind == shortcodes.HEAD or not title else f"**{title}**"
        _write(rewriting, node, f"{title}\n" if title else "", f"\n{named}" if named else "")
    elif not name:
        _quote(rewriting, node, f"> [!{kind.removeprefix('prf:')}] {title}".rstrip())
    elif title and not node.blocks:
        _write(rewriting, node, f"{component(name, braced(named))}\n{title}", ":::")
    else:
        _write(rewriting, node, component(name, f"{title} {braced(named)}".strip()), ":::")


def _pictured(rewriting: Rewriting, node: ForeignBlock) -> str:
    """The picture of a figure whose caption is in it; empty if that is all that there is."""
    picture = pictured(rewriting, node)
    if node.blocks and picture.startswith("!["):
        return picture
    rewriting.insert(node.opening.start, f"{picture}\n\n")
    return ""


def _write(rewriting: Rewriting, node: ForeignBlock, head: str, tail: str) -> None:
    """The first and the last line of a box, and what is between them."""
    opening, closing = node.opening, node.closing
    apart = "\n" if head.startswith(":::") else "\n\n"
    same_line = rewriting.text[opening.end : rewriting.end(opening.end)].strip() and closing.start != opening.end
    rewriting.edit(opening, head + (apart if same_line else ""))
    if not tail.startswith("```"):  # what is inside is no code
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
            line = rewriting.text[start:end]
            if start + column <= end and line.strip():  # a line may go on with words before the column
                rewriting.insert(start + min(column, len(line) - len(line.lstrip(" \t>"))), "> ")
            else:
                rewriting.insert(end, " " * (column - (end - start)) + ">")
    _trim(rewriting, node)
    rewriting.blocks(node.blocks)
    rewriting.quoted = before
    if node.closing.start >= 0:
        rewriting.edit(node.closing, "")


def _indented(rewriting: Rewriting, node: ForeignBlock) -> shortcodes.Meaning:
    if node.fields["tab"]:
        rewriting.report("changed", "tab", "tabs follow one another")
        return "", node.fields["tab_title"]
    kinds = [kind for kind in node.fields["kinds"].split() if kind not in ("inline", "end", "annotate")]
    kind, title = kinds[0] if kinds else "note", node.fields["title"]
    if node.fields["sign"] == "???" and not node.fields["open"]:
        is_fold = tables().callouts.get(kind) == "details"
        return "details", title or ("" if is_fold else kind.capitalize())
    return kind, title


def _directive(rewriting: Rewriting, node: ForeignBlock) -> shortcodes.Meaning:
    fields = node.fields
    kind = fields["kind"] or fields["ad"]
    title = "" if kind == "html" else fields["title"]  # a name of an element
    classes = fields.get(":class", "").replace(",", " ").split()
    callouts = tables().callouts
    if any(callouts.get(name) == "details" for name in classes):
        kind, title = "details", title or kind.capitalize()
    elif kind == "admonition":
        kind = next((name for name in classes if name in callouts), kind)
    return "" if kind in tables().unwrapped else kind, title


_KINDS = {"indented": _indented, "directive": _directive, "element": shortcodes.around}

_LEAVES: Mapping[str, Callable[[Rewriting, ForeignBlock], str | None]] = {
    **directives.BLOCKS,
    "html": raw_html.element,
    "attributes": _attributes,
    "nothing": lambda rewriting, node: "",
    "abbreviation": _abbreviation,
    "program": _program,
    "comment": lambda rewriting, node: remark(_COMMENT_SIGNS.sub("", rewriting.source(node.opening))),
    "formula": _foreign_formula,
    "shortcode": shortcodes.alone,
    "liquid": shortcodes.alone,
    "component": shortcodes.component,
    "name": lambda rewriting, node: rewriting.named(node.fields["block"]),
    "verbatim": _verbatim,
    "stray": lambda rewriting, node: rf"\{rewriting.source(node.opening)}",
    "definition": _definition,
}
"""What stands for a block; None if it has made its edits itself."""

BLOCKS: Mapping[type[Block], Callable[[Rewriting, Any], None]] = {
    ForeignBlock: _foreign,
    nodes.Heading: _heading,
    nodes.Contents: lambda rewriting, node: rewriting.edit(rewriting.content(node.span), ""),
    nodes.CodeBlock: _code,
    nodes.FormulaBlock: _formula,
    nodes.RawBlock: raw_html.raw_block,
    nodes.Table: _table,
    nodes.FootnoteDefinition: _footnote,
    nodes.Alert: _alert,
}
