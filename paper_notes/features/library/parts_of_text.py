"""Parts of a text by its sections: the blocks of one, and the numbers in tables with the labels of rows and columns."""

from __future__ import annotations

from collections.abc import Iterator

from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Document, Node
from paper_notes.features.library.values import Number
from paper_notes.features.verify.quantities import quantities_in

_SIGNS = {"−": -1, "-": -1, "–": -1}


def numbers_of(document: Document, note: str, lang: str, sections: dict[str, str]) -> Iterator[Number]:
    """The numbers of a text. `sections` are the ids of its sections by the words of their headings."""
    section, count = "lead", 0
    for node in document.walk():
        if isinstance(node, nodes.Heading):
            words = visible_words(node)
            section = node.id or sections.get(words, section)
        elif isinstance(node, nodes.Table):
            count += 1
            heads = [visible_words(cell) for cell in node.rows[0].cells]
            for row in node.rows[1:]:
                label = visible_words(row.cells[0])
                for head, cell in zip(heads[1:], row.cells[1:], strict=True):
                    text = visible_words(cell)
                    for value, unit in _value(text):
                        yield Number(note, lang, section, count, label, head, text, value, unit)


def section_of(document: Document, section: str, sections: dict[str, str]) -> tuple[Block, ...]:
    """The blocks of the section with this id, its heading first; `sections` as in `numbers_of`."""
    inside: list[Block] = []
    level = 7 if section == "lead" else 0
    for block in document.blocks:
        if isinstance(block, nodes.Heading):
            known = block.id or sections.get(visible_words(block), "")
            level = block.level if known == section else 0 if block.level <= level else level
        inside += [block] if level else []
    return tuple(inside)


def visible_words(node: Node) -> str:
    """What a reader sees of a node, in one line; formulas as TeX."""
    parts: list[str] = []
    for inside in node.walk():
        match inside:
            case nodes.Text(text=words) | nodes.Code(code=words) | nodes.Formula(tex=words):
                parts.append(words)
            case nodes.SoftBreak() | nodes.HardBreak():
                parts.append(" ")
    return " ".join("".join(parts).split())


def _value(text: str) -> Iterator[tuple[float, str]]:
    """The number that a cell is about: the first, if the cell begins with it."""
    first = next(quantities_in(text), None)
    if first is None or any(sign.isalnum() for sign in text[: first.start]):
        return
    before = text[: first.start].strip()
    sign = _SIGNS.get(before[-1:], 1)
    yield float(first.value.scaleb(first.scale)) * sign, first.unit
