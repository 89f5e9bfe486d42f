"""Tables of a page: cells as a grid, merged ones where ours can say it, verdicts kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Inline
from paper_notes.features.importing.html.inlines import inlines, marked, plain
from paper_notes.features.importing.html.page import Inlines, Page
from paper_notes.features.importing.html.tree import BLOCKS, CELLS, ROWS, HtmlNode

_VERDICT = re.compile(r"\s*[✓✔✅✗✘❌◐△]")
_ALIGNED = re.compile(r"(?:text-align:\s*|^)(center|right)")
_ALIGNMENTS: Mapping[str, nodes.Alignment] = {"center": "center", "right": "right"}
_BAR = re.compile(r"\\\||(?<!\\)\|")
_PARTS = frozenset({"tr", "caption", "colgroup", "col", *ROWS})
MAX_SPAN = 100


@dataclass(frozen=True, slots=True)
class _Cell:
    inlines: Inlines = ()
    is_head: bool = False
    align: nodes.Alignment = ""
    merged: Literal["", "above", "left"] = ""
    wide: int = 1
    high: int = 1


@dataclass(frozen=True, slots=True)
class _Row:
    cells: tuple[_Cell, ...]
    mark: str = ""
    """What the page says of the whole row: `best`, `own`, `baseline`."""


def table(page: Page, element: HtmlNode) -> list[Block]:
    """A table without its caption. What stands between its cells by mistake is a row."""
    cells = [row for row in (_row(page, row) for row in _rows(element)) if row.cells]
    has_head = bool(cells) and all(cell.is_head for cell in cells[0].cells)
    rows = _grid(cells, has_head=has_head)
    if not rows:
        return []
    width = max(len(row.cells) for row in rows)
    body = rows[1:] if has_head else rows
    written = [_written(row, width) for row in (rows if has_head else [_Row(()), *rows])]
    return [nodes.Table(tuple(_alignment(body or rows, column) for column in range(width)), tuple(written))]


def _rows(element: HtmlNode) -> Iterator[HtmlNode]:
    """The rows of a table, not those of tables in its cells; loose cells and words are rows."""
    for is_loose, group in groupby(element.content, lambda child: child.tag not in _PARTS):
        children = [*group]
        if is_loose:
            cells = [child if child.tag in CELLS else _as_cell(child) for child in children]
            yield HtmlNode("tr", {}, cells[0].line, cells[0].column, cells)
            continue
        for child in children:
            yield from [child] if child.tag == "tr" else _rows(child) if child.tag in ROWS else ()


def _as_cell(node: HtmlNode) -> HtmlNode:
    return HtmlNode("td", {}, node.line, node.column, [node])


def _row(page: Page, row: HtmlNode) -> _Row:
    meaning = page.meaning(row)
    cells = []
    for child in row.content:
        if child.tag not in CELLS:
            cells.append(_Cell(_content(page, _as_cell(child))))
            continue
        style = child.attributes.get("style", "") + child.attributes.get("align", "")
        aligned = _ALIGNED.search(style)
        wide, high = (_span(child.attributes.get(name, "")) for name in ("colspan", "rowspan"))
        align = _ALIGNMENTS[aligned[1]] if aligned else ""
        cells.append(_Cell(_content(page, child), child.tag == "th", align, "", wide, high))
    return _Row(tuple(cells), meaning.name if meaning.role == "row" else "")


def _span(written: str) -> int:
    return min(int(written), MAX_SPAN) if written.isdecimal() and int(written[:6]) else 1


def _content(page: Page, cell: HtmlNode) -> Inlines:
    """What is in a cell, blocks one below the other; a verdict marks all of it."""
    meaning = page.meaning(cell) if cell.tag in CELLS else None
    parts = tuple(nodes.with_inlines(nodes.Paragraph(tuple(_lines(page, cell.children))), _without_bars).inlines)
    if meaning and meaning.role in ("cell", "mark") and meaning.name and plain(parts):
        already = any(isinstance(part, nodes.Marked) and meaning.name in part.classes for part in parts)
        if not already and not _VERDICT.match(plain(parts)):
            return (marked(meaning.name, parts),)
    return parts


def _without_bars(part: Inline) -> tuple[Inline, ...]:
    """Formulas in which no bar looks like the end of the cell."""
    if isinstance(part, nodes.Formula):
        tex = _BAR.sub(lambda bar: "\\Vert " if len(bar[0]) > 1 else "\\vert ", part.tex)
        return (nodes.Formula(tex.strip(), part.display),)
    return (part,)


def _lines(page: Page, content: Sequence[HtmlNode]) -> Iterator[Inline]:
    """Blocks as lines of one cell."""
    lines: list[Inlines] = []
    run: list[HtmlNode] = []
    for node in content:
        if node.tag not in BLOCKS:
            run.append(node)
            continue
        lines.append(inlines(page, run))
        run = []
        if node.tag == "pre":
            lines += [(nodes.Code(row.strip()),) for row in node.text().split("\n") if row.strip()]
        elif any(child.tag in BLOCKS for child in node.children):
            page.meaning(node)
            lines.append(tuple(_lines(page, node.children)))
        else:
            lines.append(inlines(page, [node]))
    lines.append(inlines(page, run))
    for number, parts in enumerate(filter(None, lines)):
        yield from (*([nodes.HardBreak()] if number else []), *parts)


def _grid(rows: Sequence[_Row], *, has_head: bool) -> list[_Row]:
    """All rows with their cells in place. A merged cell stands in the first of its places."""
    grid: list[_Row] = []
    above: dict[int, tuple[int, bool]] = {}
    """For each column, how many more rows a cell from above takes, and whether ours can say so."""
    for row in rows:
        line: list[_Cell] = []
        for cell in row.cells:
            _fill(line, above, is_first=not grid)
            for number in range(cell.wide):
                is_simple = cell.high == 1 or (
                    cell.wide == 1 and (bool(grid) or not has_head)
                )  # a head ends above the body
                if cell.high > 1:
                    above[len(line)] = cell.high - 1, is_simple
                line.append(cell if number == 0 else _Cell(is_head=cell.is_head, merged="left" if is_simple else ""))
        _fill(line, above, is_first=not grid)
        if any(cell.inlines or cell.merged or cell.high > 1 for cell in line):
            grid.append(_Row(tuple(line), row.mark))
    return grid


def _fill(line: list[_Cell], above: dict[int, tuple[int, bool]], *, is_first: bool) -> None:
    """Add the cells that those above take."""
    while (taken := above.get(len(line))) and taken[0]:
        above[len(line)] = taken[0] - 1, taken[1]
        line.append(_Cell(is_head=is_first, merged="above" if taken[1] else ""))


def _written(row: _Row, width: int) -> nodes.Row:
    cells = [nodes.Cell(() if cell.merged else cell.inlines, merged=cell.merged) for cell in row.cells]
    cells += [nodes.Cell(())] * (width - len(cells))
    return nodes.Row(tuple(cells), row.mark if cells[0].inlines else "")


def _alignment(rows: Sequence[_Row], column: int) -> nodes.Alignment:
    aligned = {row.cells[column].align for row in rows if column < len(row.cells) and row.cells[column].inlines}
    return aligned.pop() if len(aligned) == 1 else ""
