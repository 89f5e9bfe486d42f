"""Tables of a page: cells as a grid, merged ones flattened, verdicts kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paper_notes.features.importing.html.elements import BLOCKS, CELLS, ROWS
from paper_notes.features.importing.html.inline import Break, Inline, Marked, Words, plain
from paper_notes.features.importing.html.our_syntax import has_merged_cells, has_row_marks
from paper_notes.features.importing.html.page import Page
from paper_notes.features.importing.html.read_back import read_back
from paper_notes.features.importing.html.tree import Element, Node, Text
from paper_notes.features.importing.html.words_of import inline
from paper_notes.features.importing.html.writing import cell as written

_SIGN = re.compile(r"\s*[✓✔✅✗✘❌◐△]")
MAX_SPAN = 100


@dataclass(frozen=True, slots=True)
class _Cell:
    parts: tuple[Inline, ...] = ()
    head: bool = False
    align: str = ""
    merged: str = ""
    """`^^` if it is one with the cell above it, `<<` with the one on its left."""
    wide: int = 1
    high: int = 1


@dataclass(frozen=True, slots=True)
class _Row:
    cells: tuple[_Cell, ...]
    mark: str = ""
    """What the page says of the whole row: `best`, `own`, `baseline`."""


def table(page: Page, element: Element) -> str:
    """The Markdown of a table without its caption. What stands between its cells by mistake is a row."""
    rows = _grid([_row(page, row) for row in _rows(element)])
    if not rows:
        return ""
    for row in rows:
        for one in row.cells:
            page.write(one.parts)
    if any(one.merged for row in rows for one in row.cells):
        made = _written(rows, page.lang, merged=True) if has_merged_cells() else ""
        if made and not read_back(made, page.lang, inline=False).problems:
            return made
        page.tell("merged-cells", "merged cells are flattened: their words stand in the first", element)
    return _written(rows, page.lang, merged=False)


def _written(rows: Sequence[_Row], lang: str, *, merged: bool) -> str:
    width = max(len(row.cells) for row in rows)
    has_head = all(one.head for one in rows[0].cells)
    head, body = (rows[0], rows[1:]) if has_head else (_Row(()), rows)
    lines = [_line(head, width, lang, merged=merged), _rule(body or rows, width)]
    return "\n".join([*lines, *(_line(row, width, lang, merged=merged) for row in body)])


def _rows(element: Element) -> Iterator[Element]:
    """The rows of a table, not those of tables in its cells; loose cells and words are rows."""
    loose: list[Node] = []
    for child in element.children:
        is_row = isinstance(child, Element) and child.tag in ("tr", *ROWS, "caption", "colgroup", "col")
        if not is_row:
            blank = isinstance(child, Text) and not child.words.strip()
            loose += [] if blank else [child if isinstance(child, Element) and child.tag in CELLS else _as_cell(child)]
            continue
        if loose:
            yield Element("tr", {}, loose[0].line, loose[0].column, loose)
            loose = []
        assert isinstance(child, Element)
        if child.tag == "tr":
            yield child
        elif child.tag in ROWS:
            yield from _rows(child)
    if loose:
        yield Element("tr", {}, loose[0].line, loose[0].column, loose)


def _as_cell(node: Node) -> Element:
    return Element("td", {}, node.line, node.column, [node])


def _row(page: Page, row: Element) -> _Row:
    meaning = page.meaning(row)
    cells = []
    for child in row.children:
        if isinstance(child, Text) or child.tag not in CELLS:
            if isinstance(child, Element) or child.words.strip():
                cells.append(_Cell(_content(page, _as_cell(child))))
            continue
        style = child.attributes.get("style", "") + child.attributes.get("align", "")
        align = next((name for name in ("center", "right") if re.search(rf"(?:text-align:\s*|^){name}", style)), "")
        wide, high = (_span(child.attributes.get(name, "")) for name in ("colspan", "rowspan"))
        cells.append(_Cell(_content(page, child), child.tag == "th", align, "", wide, high))
    return _Row(tuple(cells), meaning.name if meaning.role == "row" else "")


def _span(written: str) -> int:
    return min(int(written), MAX_SPAN) if written.isdecimal() and int(written[:6]) else 1


def _content(page: Page, cell: Element) -> tuple[Inline, ...]:
    """What is in a cell, blocks one below the other; a verdict marks all of it."""
    meaning = page.meaning(cell) if cell.tag in CELLS else None
    parts = tuple(lines(page, cell.children))
    if meaning and meaning.role in ("cell", "mark") and meaning.name and plain(parts):
        already = _SIGN.match(plain(parts)) or any(
            isinstance(one, Marked) and one.mark == meaning.name for one in parts
        )
        return parts if already else (Marked(meaning.name, parts),)
    return parts


def lines(page: Page, nodes: Sequence[Node]) -> Iterator[Inline]:
    """Blocks as lines of one cell."""
    found: list[tuple[Inline, ...]] = []
    run: list[Node] = []

    def flush() -> None:
        if made := inline(page, run):
            found.append(made)
        run.clear()

    for node in nodes:
        if isinstance(node, Element) and node.tag in BLOCKS:
            flush()
            if node.tag == "pre":
                found.extend((Marked("code", (Words(row),)),) for row in _text(node).split("\n") if row.strip())
            elif any(isinstance(child, Element) and child.tag in BLOCKS for child in node.children):
                page.meaning(node)
                found.append(tuple(lines(page, node.children)))
            elif made := inline(page, [node]):
                found.append(made)
        else:
            run.append(node)
    flush()
    for number, parts in enumerate(part for part in found if part):
        if number:
            yield Break()
        yield from parts


def _text(node: Node) -> str:
    return node.words if isinstance(node, Text) else "".join(map(_text, node.children))


def _grid(rows: Sequence[_Row]) -> list[_Row]:
    """All rows with their cells in place. A merged cell stands in the first of its places."""
    grid: list[_Row] = []
    above: dict[int, tuple[int, str]] = {}
    """For each column, how many more rows a cell from above takes, and how that is written."""
    for row in rows:
        line: list[_Cell] = []
        for one in row.cells:
            _fill(line, above, is_first=not grid)
            for number in range(one.wide):
                simple = one.high == 1 or (one.wide == 1 and grid)  # a head ends above the body
                if one.high > 1:
                    above[len(line)] = one.high - 1, "^^" if simple else ""
                line.append(one if number == 0 else _Cell((), one.head, "", "<<" if simple else ""))
        _fill(line, above, is_first=not grid)
        if any(cell.parts or cell.merged for cell in line):
            grid.append(_Row(tuple(line), row.mark))
    return grid


def _fill(line: list[_Cell], above: dict[int, tuple[int, str]], *, is_first: bool) -> None:
    """Add the cells that those above take."""
    while (found := above.get(len(line))) and found[0]:
        above[len(line)] = found[0] - 1, found[1]
        line.append(_Cell((), is_first, "", found[1]))


def _line(row: _Row, width: int, lang: str, *, merged: bool) -> str:
    cells = [*row.cells, *[_Cell()] * (width - len(row.cells))]
    made = [one.merged if one.merged and merged else written(one.parts, lang) for one in cells]
    if row.mark and made[0] and has_row_marks():
        made[0] += f" {{.{row.mark}}}"
    return "| " + " | ".join(made) + " |"


def _rule(rows: Sequence[_Row], width: int) -> str:
    marks = []
    for place in range(width):
        column = [row.cells[place] for row in rows if place < len(row.cells)]
        aligned = {one.align for one in column if one.parts}
        marks.append({"center": ":---:", "right": "---:"}.get(aligned.pop() if len(aligned) == 1 else "", "---"))
    return "|" + "|".join(marks) + "|"
