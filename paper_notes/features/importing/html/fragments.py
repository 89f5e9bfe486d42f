"""Pieces of HTML within another text, such as Markdown, as nodes of its tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from paper_notes.document.nodes import Block, Node
from paper_notes.features.importing.html import inlines
from paper_notes.features.importing.html.blocks import BlockReader
from paper_notes.features.importing.html.headings import Numbering
from paper_notes.features.importing.html.mathml import set_formulas
from paper_notes.features.importing.html.page import Inlines, Page
from paper_notes.features.importing.html.preparing import prepare
from paper_notes.features.importing.html.tree import HtmlElement, parse


def read_fragment(html: str, page: Page | None = None, holes: Sequence[Sequence[Node]] = ()) -> tuple[Block, ...]:
    """The blocks of a piece of HTML, which never raises. `write_markdown(Document(blocks))` writes them.

    What its text around it has to say comes with `page`: `Page(report=..., words=..., link=..., picture=...)`, see
    there; lines and columns of reports count from 1 in `html`. Where the piece has content that is not HTML, put
    `<pn-block number=0>` (between blocks) or `<pn-inline number=1>` (within words) for the nodes of `holes`:

        read_fragment("<details><summary>A <pn-inline number=0></summary><pn-block number=1></details>",
                      holes=[parse_inline("*b*"), parse("- c").blocks])

    Headings keep their level and lose no number; ids of elements are not read, and a link to `#id` is `page.link`'s.
    """
    page, root = _parsed(html, page, holes)
    return tuple(BlockReader(page, Numbering()).blocks(root.children))


def read_inline_fragment(html: str, page: Page | None = None, holes: Sequence[Sequence[Node]] = ()) -> Inlines:
    """The same for HTML within a line of words: blocks in it are words, too."""
    page, root = _parsed(html, page, holes)
    return inlines.inlines(page, root.children)


def _parsed(html: str, page: Page | None, holes: Sequence[Sequence[Node]]) -> tuple[Page, HtmlElement]:
    page = replace(page or Page(), holes=holes, is_fragment=True)
    prepared = prepare(html, page.report)
    root = parse(prepared, page.report)
    set_formulas(root, page.report)
    for element in root.elements():
        if element.tag == "drawing":
            element.attributes["source"] = prepared.drawings[int(element.attributes["number"])].source
    return page, root
