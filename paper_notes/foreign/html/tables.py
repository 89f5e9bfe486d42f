"""Tables of a page: cells as a grid, merged ones flattened, verdicts kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paper_notes.foreign.html.elements import BLOCKS, CELLS, ROWS
from paper_notes.foreign.html.inline import Break, Inline, Marked, Words, plain
from paper_notes.foreign.html.page import Page
from paper_notes.foreign.html.tree import Element, Node, Text
from paper_notes.foreign.html.words_of import inline
from paper_notes.foreign.html.writing import cell as written

_SIGN = re.compile(r"\s*[✓✔✅✗✘❌◐△]")
MAX_SPAN = 100


@dataclass(frozen=True, slots=True)
class _Cell:
    parts: tuple[Inline, ...] = ()
    head: bool = False
    align: str = ""


def table(page: Page, element: Element) -> str:
    """The Markdown of a table without its caption. What stands between its cells by mistake is a row."""
    grid = _grid(page, element, [_row(page, row) for row in _rows(element)])
    if not grid:
        return ""
    width = max(map(len, grid))
    head = grid.pop(0) if all(one.head for one in grid[0]) else [_Cell()] * width
    lines = [_line(page, head, width), _rule(grid or [head], width), *(_line(page, row, width) for row in grid)]
    return "\n".join(lines)


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


def _row(page: Page, row: Element) -> list[tuple[_Cell, int, int, Element]]:
    page.meaning(row)
    cells = []
    for child in row.children:
        if isinstance(child, Text) or child.tag not in CELLS:
            if isinstance(child, Element) or child.words.strip():
                cells.append((_Cell(_content(page, _as_cell(child))), 1, 1, row))
            continue
        parts = _content(page, child)
        style = child.attributes.get("style", "") + child.attributes.get("align", "")
        align = next((name for name in ("center", "right") if re.search(rf"(?:text-align:\s*|^){name}", style)), "")
        spans = [child.attributes.get(name, "1") for name in ("colspan", "rowspan")]
        wide, high = (min(int(span), MAX_SPAN) if span.isdecimal() and int(span) else 1 for span in spans)
        cells.append((_Cell(parts, child.tag == "th", align), wide, high, child))
    return cells


def _content(page: Page, cell: Element) -> tuple[Inline, ...]:
    """What is in a cell, blocks one below the other; a verdict marks all of it."""
    meaning = page.meaning(cell, "row") if cell.tag in CELLS else None
    parts = tuple(lines(page, cell.children))
    if meaning and meaning.role in ("cell", "mark") and meaning.name and plain(parts):
        already = _SIGN.match(plain(parts)) or any(isinstance(one, Marked) and one.mark == meaning.name for one in parts)
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


def _grid(page: Page, element: Element, rows: Sequence[list[tuple[_Cell, int, int, Element]]]) -> list[list[_Cell]]:
    """All rows with their cells in place. A merged cell stands in the first of its places."""
    grid: list[list[_Cell]] = []
    taken: dict[int, int] = {}
    """For each column, how many more rows a cell from above takes."""
    told = False
    for row in rows:
        line: list[_Cell] = []

        def fill(line: list[_Cell]) -> None:
            while taken.get(len(line), 0):
                taken[len(line)] -= 1
                line.append(_Cell(head=not grid))

        fill(line)
        for one, wide, high, _ in row:
            if (wide > 1 or high > 1) and not told:
                told = True
                page.tell("merged-cells", "merged cells are flattened: their words stand in the first", element)
            for number in range(wide):
                place = len(line)
                line.append(one if number == 0 else _Cell(head=one.head))
                if high > 1:
                    taken[place] = high - 1
            fill(line)
        if any(cell.parts for cell in line):
            grid.append(line)
    return grid


def _line(page: Page, row: Sequence[_Cell], width: int) -> str:
    made = []
    for one in [*row, *[_Cell()] * (width - len(row))]:
        page.write(one.parts)
        made.append(written(one.parts, page.lang))
    return "| " + " | ".join(made) + " |"


def _rule(grid: Sequence[Sequence[_Cell]], width: int) -> str:
    marks = []
    for place in range(width):
        aligned = {row[place].align for row in grid if place < len(row) and row[place].parts}
        marks.append({"center": ":---:", "right": "---:"}.get(aligned.pop() if len(aligned) == 1 else "", "---"))
    return "|" + "|".join(marks) + "|"
