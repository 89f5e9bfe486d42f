"""HTML within Markdown, read as pages of it are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from paper_notes.document import nodes
from paper_notes.document.nodes import Inline
from paper_notes.document.parse import parse_inline
from paper_notes.document.write import write_inlines, write_markdown
from paper_notes.features.importing.html.format import read_fragment
from paper_notes.features.importing.html.links import pixels
from paper_notes.features.importing.html.page import GROUPS, Inlines, Page
from paper_notes.features.importing.html.tree import HtmlNode
from paper_notes.features.importing.markdown.grammar import ForeignBlock
from paper_notes.features.importing.markdown.inline import image, link, remark
from paper_notes.features.importing.markdown.rewriting import Rewriting
from paper_notes.patterns import regex


def raw_block(rewriting: Rewriting, node: nodes.RawBlock) -> None:
    """A block of HTML, as a reader of pages reads it."""
    html, content = node.html.strip(), rewriting.content(node.span)
    if html.startswith("<!--"):
        return
    if program := re.match(r"<(script|style)\b", html, re.IGNORECASE | re.ASCII):
        name = program[1].lower()
        rewriting.report("unmapped", name, f"<{name}> is kept as a comment")
        rewriting.edit(content, remark(html))
        return
    section = rewriting.conversion.structure.sections.get(node.span.start)
    if section:
        rewriting.edit(content, f"{'#' * section.level} {rewriting.phrase(section.text)}")
    else:
        rewriting.edit(content, written_html(rewriting, html))


def element(rewriting: Rewriting, node: ForeignBlock) -> str:
    """An element that blank lines do not end, and a figure that may hold a picture in Markdown."""
    return written_html(rewriting, PICTURE.sub(_as_html, rewriting.source(node.opening)))


_OF_PIECES = frozenset({"unmapped-class", "stray-end", "unclosed-element"})
"""In Markdown classes are only about looks, and the end of an element stands in another piece than its beginning."""
PICTURE = regex(r"!\[([^\[\]]*)\]\(([^()\s]*)(?:\s\"[^\"]*\")?\)(?:\{[^{}]*\})?")


def _as_html(picture: re.Match[str]) -> str:
    return f'<img alt="{escape(picture[1])}" src="{escape(picture[2])}">'


def written_html(rewriting: Rewriting, html: str) -> str:
    """The Markdown of a piece of HTML."""
    line = rewriting.conversion.line

    def report(kind: str, message: str, row: int, column: int) -> None:
        if kind not in _OF_PIECES:
            rewriting.report(GROUPS[kind], kind, message, line + row - 1)

    def linked(element: HtmlNode, inside: Inlines) -> Inlines:
        href = element.attributes.get("href", "")
        return parse_inline(link(rewriting, write_inlines(inside), href, "")) if href and inside else inside

    def picture(element: HtmlNode, beside: str) -> Iterable[Inline]:
        alt, title = element.attributes.get("alt") or beside, element.attributes.get("title", "")
        if element.tag == "drawing":
            path = rewriting.conversion.added("drawing.svg", element.attributes["source"].encode())
            return (nodes.Image(path, (nodes.Text(alt or "drawing"),)),) if path else ()
        source = element.attributes.get("src", "") or element.attributes.get("data-src", "")
        return parse_inline(image(rewriting, alt, source, title, pixels(element.attributes.get("width", ""))))

    page = Page(
        report=report, link=linked, picture=picture, has_tex=True, lang=rewriting.conversion.outline.lang or "en"
    )
    blocks = (  # a heading that is none of the text's own sections is no section of the page
        nodes.Paragraph((nodes.Strong(block.inlines),)) if isinstance(block, nodes.Heading) else block
        for block in read_fragment(html, page)
    )
    return write_markdown(nodes.Document(tuple(blocks))).rstrip("\n")
