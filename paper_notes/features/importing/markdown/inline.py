"""What stands within lines in our syntax, each kind of node and each foreign sign by a function of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from paper_notes.document import nodes
from paper_notes.document.nodes import Inline, Span
from paper_notes.features.importing.markdown import html
from paper_notes.features.importing.markdown.grammar import Sign
from paper_notes.features.importing.markdown.links import image, link, wiki, wiki_embed
from paper_notes.features.importing.markdown.rewriting import Rewriting
from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.markdown.syntax.suspicious_syntax import lost_signs

_MONEY = re.compile(r"\d[\d.,]*+\s?(?:[KMBTkmbt]\b|[A-Za-z\u4e00-\u9fff]{2,}|[-–—~/,.，。、；;:：]|\s)")
_NO_MONEY = re.compile(r"[\\_^={}]")
_NUMBER = re.compile(r"(?<![\w&/\\#])#(?=\d{1,5}(?![\w.]))")
_EXPRESSION = re.compile(r"(?<!\\)\{(?![\s{}%<#:./])[^{}\n]*\}?")
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")


def _text(rewriting: Rewriting, node: nodes.Text, inlines: Sequence[Inline], place: int) -> int:
    """Words: signs that our pages would take for something, or warn of, are escaped."""
    if node.span.start < 0:
        return 1
    source = rewriting.source(node.span)
    starts_line = node.span.start in (
        rewriting.content(node.span).start,
        rewriting.starts[rewriting.row(node.span.start)],
    )
    words = ("\n" if starts_line else "") + _ESCAPED.sub("\0\0", source)
    signs = {offset - starts_line for offset in lost_signs(words)}
    signs |= {match.start() - starts_line for match in _NUMBER.finditer(words)}
    for offset in sorted(signs):
        if 0 <= offset < len(source) and not source[offset].isalnum():
            rewriting.escape(node.span.start + offset)
    if rewriting.conversion.mdx:
        for match in _EXPRESSION.finditer(source):
            rewriting.at(Span(node.span.start + match.start(), node.span.end))
            rewriting.conversion.report("unmapped", "expression", f'"{match[0][:60]}" is kept as it is written')
    return 1


def _formula(rewriting: Rewriting, node: nodes.Formula, inlines: Sequence[Inline], place: int) -> int:
    """A formula between dollars; a sum of money is words, and what we cannot show is code."""
    source = rewriting.source(node.span)
    if source.startswith("$") and not node.display and _MONEY.match(node.tex) and not _NO_MONEY.search(node.tex):
        rewriting.escape(node.span.start)
        return 1
    written = _tex(rewriting, node.tex, "$$" if node.display else "$")
    try:
        mathml(written.strip("$"), display=node.display)
    except TexProblem:
        rewriting.edit(node.span, f"`{source}`" if "`" not in source else rf"\{source}")
        return 1
    if not source.startswith("$") or source.startswith("$`"):
        rewriting.edit(node.span, written)
    return 1


def _tex(rewriting: Rewriting, tex: str, dollars: str) -> str:
    tex = re.sub(r"\n[ \t]*>?[ \t]*", " " if dollars == "$" else "\n", tex.strip())
    if rewriting.in_table:
        tex = re.sub(r"(?<!\\)\|", r"\\vert ", tex).replace("\n", " ")
    return f"{dollars}{tex}{dollars}"


def _link(rewriting: Rewriting, node: nodes.Link, inlines: Sequence[Inline], place: int) -> int:
    source = rewriting.source(node.span)
    if node.is_bare:
        if source.startswith("<") and not re.match(r"<(?:https?|mailto):|<[^:]*@", source):
            rewriting.edit(node.span, f"`{source[1:-1]}`")
        return 1
    words = rewriting.converted(node.inlines, in_link=True)
    rewriting.edit(node.span, words if rewriting.in_link else link(rewriting, words, node.href, node.title))
    return 1


def _image(rewriting: Rewriting, node: nodes.Image, inlines: Sequence[Inline], place: int) -> int:
    words = [part.span for part in node.inlines if part.span.start >= 0]
    alt = rewriting.source(Span(words[0].start, words[-1].end)) if words else ""
    rewriting.edit(node.span, image(rewriting, alt, node.src, node.title))
    return 1


def _reference(rewriting: Rewriting, node: nodes.Reference, inlines: Sequence[Inline], place: int) -> int:
    rewriting.edit(node.span, wiki(rewriting, rewriting.source(node.span)[2:-2]))
    return 1


def _equation(rewriting: Rewriting, node: nodes.EquationReference, inlines: Sequence[Inline], place: int) -> int:
    """A reference to a formula; one to none is words."""
    if node.label not in rewriting.equations:
        rewriting.escape(node.span.start)
    return 1


def _citation(rewriting: Rewriting, node: nodes.Citation, inlines: Sequence[Inline], place: int) -> int:
    source = rewriting.source(node.span)
    rewriting.conversion.report("unmapped", "citation", f'"{source[:60]}" cites no paper of this collection yet')
    rewriting.escape(node.span.start)
    for match in re.finditer(r"(?<![\w\\])@(?=[A-Za-z])", source):
        rewriting.escape(node.span.start + match.start())
    return 1


def _strikethrough(rewriting: Rewriting, node: nodes.Strikethrough, inlines: Sequence[Inline], place: int) -> int:
    """`<strike>`, which is gone from HTML."""
    start, end = node.span
    if rewriting.text[start : start + 8].lower() == "<strike>":
        rewriting.edit(Span(start, start + 8), "<del>")
        rewriting.edit(Span(end - 9, end), "</del>")
    rewriting.words(node.inlines)
    return 1


def _marked(rewriting: Rewriting, node: nodes.Marked, inlines: Sequence[Inline], place: int) -> int:
    """Words with attributes that mean nothing here."""
    if not node.inlines:
        rewriting.edit(node.span, "")
        return 1
    rewriting.edit(Span(node.span.start, node.inlines[0].span.start), "")
    rewriting.edit(Span(node.inlines[-1].span.end, node.span.end), "")
    rewriting.words(node.inlines)
    return 1


def _comment(rewriting: Rewriting, node: nodes.Comment, inlines: Sequence[Inline], place: int) -> int:
    rewriting.edit(node.span, html.remark(node.text))
    return 1


def _sign(rewriting: Rewriting, node: Sign, inlines: Sequence[Inline], place: int) -> int:
    written = _SIGNS[node.kind](rewriting, node)
    if written is not None:
        start = node.span.start
        while node.kind == "name" and not written and rewriting.text[start - 1 : start] in (" ", "\t"):
            start -= 1
        rewriting.edit(Span(start, node.span.end), written)
    return 1


def _element(name: str) -> Callable[[Rewriting, Sign], str]:
    return lambda rewriting, node: f"<{name}>{rewriting.phrase(node.fields['words'])}</{name}>"


def _script(rewriting: Rewriting, node: Sign) -> str:
    name = "sub" if "sub" in node.fields else "sup"
    return f"<{name}>{node.fields[name]}</{name}>"


def _icon(rewriting: Rewriting, node: Sign) -> str:
    rewriting.conversion.report("unmapped", "icon", f'the icon ":{node.fields["icon"]}:" is left out')
    return ""


def _shortcode(rewriting: Rewriting, node: Sign) -> str:
    message = f'the shortcode "{node.fields["name"]}" is kept as it is written'
    rewriting.conversion.report("unmapped", "shortcode", message)
    return f"`{rewriting.source(node.span)}`"


def _liquid(rewriting: Rewriting, node: Sign) -> str:
    if node.fields["name"] in ("raw", "comment", "capture"):
        return ""
    source = rewriting.source(node.span)
    rewriting.conversion.report("unmapped", "liquid", f'"{source[:60]}" is kept as it is written')
    return f"`{source}`"


def _name(rewriting: Rewriting, node: Sign) -> str | None:
    is_name = node.fields["block"].casefold() in dict(rewriting.conversion.outline.blocks)
    return rewriting.named(node.fields["block"]) if is_name and not (rewriting.in_table or rewriting.in_link) else None


def _spaced_link(rewriting: Rewriting, node: Sign) -> str:
    words = rewriting.phrase(node.fields["words"], in_link=True)
    return link(rewriting, words, node.fields["address"], node.fields["title"] or node.fields["quoted"])


_SIGNS: dict[str, Callable[[Rewriting, Sign], str | None]] = {
    "comment": lambda rewriting, node: html.remark(node.fields["words"]),
    "jsx_comment": lambda rewriting, node: html.remark(node.fields["words"]),
    "ins": _element("ins"),
    "del": _element("del"),
    "mark": _element("mark"),
    "script": _script,
    "keys": lambda rewriting, node: "+".join(f"<kbd>{key}</kbd>" for key in node.fields["keys"].split("+")),
    "icon": _icon,
    "shortcode": _shortcode,
    "liquid": _liquid,
    "attributes": lambda rewriting, node: "",
    "name": _name,
    "formula": lambda rewriting, node: _tex(rewriting, node.fields["tex"], "$"),
    "embed": lambda rewriting, node: wiki_embed(rewriting, node.fields["target"]),
    "image": lambda rewriting, node: image(
        rewriting, node.fields["words"], node.fields["address"], node.fields["title"] or node.fields["quoted"]
    ),
    "link": _spaced_link,
}
"""What stands for a sign; None if it stays."""

INLINES: Mapping[type[Inline], Callable[[Rewriting, Any, Sequence[Inline], int], int]] = {
    nodes.Text: _text,
    nodes.Strikethrough: _strikethrough,
    nodes.Formula: _formula,
    nodes.Link: _link,
    nodes.Image: _image,
    nodes.Reference: _reference,
    nodes.EquationReference: _equation,
    nodes.Citation: _citation,
    nodes.Marked: _marked,
    nodes.Comment: _comment,
    nodes.RawInline: html.raw_inline,
    Sign: _sign,
}
