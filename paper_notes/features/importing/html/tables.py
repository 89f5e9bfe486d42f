"""Tables of a page: cells as a grid, merged ones where ours can say it, verdicts kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Inline
from paper_notes.features.diagrams.colours import HUES, PAPER, nearest, variable
from paper_notes.features.importing.html.inlines import inlines, marked, plain
from paper_notes.features.importing.html.page import Inlines, Page
from paper_notes.features.importing.html.tree import BLOCKS, CELLS, ROWS, HtmlNode
from paper_notes.markdown.syntax.blocks import MAX_BLOCKS
from paper_notes.patterns import regex

_VERDICT = regex(r"\s*[✓✔✅✗✘❌◐△]")
_ALIGNED = regex(r"(?:text-align\s*:\s*|^(?:[\w-]*[_-])?)(center|right)(?![\w-])")
_ALIGNMENTS: Mapping[str, nodes.Alignment] = {"center": "center", "right": "right"}
_BAR = regex(r"\\\||(?<!\\)\|")
_PARTS = frozenset({"tr", "caption", "colgroup", "col", *ROWS})
_BACKGROUND = regex(r"background(?:-color)?\s*:\s*([^;!]+?)\s*(?:[;!]|$)")
_BOLD = regex(r"font-weight\s*:\s*(?:bold|[6-9]00)")
_VERDICTS: Mapping[str, str] = {"green": "good", "red": "bad"}
_HEAVY = nodes.Strong | nodes.Marked | nodes.Image | nodes.HardBreak
_OURS = regex(r"\b(?:ours?|proposed)\b|本文|我们", re.IGNORECASE)
MAX_SPAN = 100
_Place = tuple[nodes.Cell, nodes.Alignment]
_EMPTY: _Place = (nodes.Cell(()), "")


def table(page: Page, element: HtmlNode) -> list[Block] | None:
    """A table without its caption; None if it is too large. What stands between its cells by mistake is a row."""
    source = [row for row in _rows(element) if row.content]
    has_head = bool(source) and all(cell.tag == "th" for cell in source[0].content)
    marks, grid = _grid(page, source, has_head=has_head)
    if grid is None:
        return None
    if not grid:
        return []
    width = max(map(len, grid))
    lines = [[*line, *[_EMPTY] * (width - len(line))] for line in grid]
    columns = zip(*(lines[has_head:] or lines), strict=True)
    rows = [nodes.Row(tuple(cell for cell, _ in line), mark) for line, mark in zip(lines, marks, strict=True)]
    head = [] if has_head else [nodes.Row((nodes.Cell(()),) * width)]
    return [nodes.Table(tuple(map(_alignment, columns)), (*head, *rows))]


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


def _grid(page: Page, rows: Sequence[HtmlNode], *, has_head: bool) -> tuple[list[str], list[list[_Place]] | None]:
    """What the page says of each whole row (`best`, `own`, `baseline`), and all cells in place; None if too many.

    A merged cell stands in the first of its places.
    """
    marks: list[str] = []
    body = rows[has_head:]
    highlights = {id(row): mark for row in body if (mark := _highlight(row))}
    highlights = highlights if len(highlights) * 2 < max(len(body), 3) else {}  # stripes
    grid: list[list[_Place]] = []
    width = 0
    above: dict[int, tuple[int, bool]] = {}
    """For each column, how many more rows a cell from above takes, and whether ours can say so."""
    for row in rows:
        meaning = page.meaning(row)
        line: list[_Place] = []
        is_high = False
        for child in row.content:
            _fill(line, above)
            cell = child if child.tag in CELLS else _as_cell(child)
            wide, high = (_span(cell.attributes.get(name, "")) for name in ("colspan", "rowspan"))
            is_high |= high > 1
            # a head ends above the body
            is_simple = high == 1 or (wide == 1 and (bool(grid) or not has_head))
            said = (*cell.classes, cell.attributes.get("align", ""), cell.attributes.get("style", ""))
            aligned = next(filter(None, map(_ALIGNED.search, said)), None)
            ground = "" if id(row) in highlights else _ground(cell)
            line.append(
                (
                    nodes.Cell(_content(page, cell, ground, is_body=bool(grid))),
                    _ALIGNMENTS[aligned[1]] if aligned else "",
                )
            )
            line += [(nodes.Cell((), merged="left" if is_simple else ""), "")] * (wide - 1)
            if high > 1:
                above |= dict.fromkeys(range(len(line) - wide, len(line)), (high - 1, is_simple))
        _fill(line, above)
        width = max(width, len(line))
        if width * len(rows) > MAX_BLOCKS:
            return [], None
        if is_high or any(cell.inlines or cell.merged for cell, _ in line):
            marks.append(meaning.name if meaning.role == "row" else highlights.get(id(row), ""))
            grid.append(line)
    return marks, grid


def _highlight(row: HtmlNode) -> str:
    """The mark of a row with a colour of its own, or with one in all its cells."""
    cells = row.elements_of(*CELLS)
    if _is_coloured(row) or (len(cells) > 1 and all(map(_is_coloured, cells))):
        return "own" if _OURS.search(cells[0].text() if cells else "") else "best"
    return ""


def _is_coloured(element: HtmlNode) -> bool:
    colour = _colour(element)
    return bool(colour) and nearest(colour) not in ("none", variable(PAPER))


def _colour(element: HtmlNode) -> str:
    """The ground of a row or cell, as it is written."""
    ground = _BACKGROUND.search(element.attributes.get("style", ""))
    return element.attributes.get("bgcolor", "") or (ground[1] if ground else "")


def _fill(line: list[_Place], above: dict[int, tuple[int, bool]]) -> None:
    """Add the cells that those above take."""
    while (taken := above.get(len(line))) and taken[0]:
        above[len(line)] = taken[0] - 1, taken[1]
        line.append((nodes.Cell((), merged="above" if taken[1] else ""), ""))


def _span(written: str) -> int:
    return min(int(written[:6]), MAX_SPAN) or 1 if written.isdecimal() else 1


def _alignment(column: Sequence[_Place]) -> nodes.Alignment:
    aligned = {align for cell, align in column if cell.inlines}
    return aligned.pop() if len(aligned) == 1 else ""


def _content(page: Page, cell: HtmlNode, ground: str, *, is_body: bool) -> Inlines:
    """What is in a cell, blocks one below the other; a verdict, or the head of a row, marks all of it."""
    meaning = page.meaning(cell)
    parts = tuple(nodes.with_inlines(nodes.Paragraph(tuple(_lines(page, cell.children))), _without_bars).inlines)
    name = meaning.name if meaning.role in ("cell", "mark") else ground
    if name and plain(parts):
        already = any(isinstance(part, nodes.Marked) and name in part.classes for part in parts)
        return parts if already or _VERDICT.match(plain(parts)) else (marked(name, parts),)
    is_bold = (
        (cell.tag == "th" and is_body and page.is_by_hand)
        or meaning.role == "strong"
        or _BOLD.search(cell.attributes.get("style", ""))
    )
    if is_bold and plain(parts) and not any(isinstance(part, _HEAVY) for part in parts):
        return (marked("strong", parts),)
    return parts


def _ground(cell: HtmlNode) -> str:
    """What the colour behind a single cell says of it."""
    colour = _colour(cell)
    return next((name for hue, name in _VERDICTS.items() if nearest(colour) == variable(HUES[hue][1])), "")


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
        elif node.tag == "tr":
            cells = [tuple(_lines(page, child.children if child.tag in CELLS else [child])) for child in node.content]
            filled = [(nodes.Text(" · "), *cell) for cell in cells if plain(cell)]
            lines.append(tuple(part for cell in filled for part in cell)[1:])
        elif node.tag == "ol":
            page.meaning(node)
            for child, number in node.items():
                item = tuple(_lines(page, child.children if child.tag == "li" else [child]))
                lines.append((nodes.Text(f"{number}. "), *item) if child.tag == "li" and plain(item) else item)
        elif any(child.tag in BLOCKS for child in node.children):
            page.meaning(node)
            lines.append(tuple(_lines(page, node.children)))
        else:
            lines.append(inlines(page, [node]))
    lines.append(inlines(page, run))
    for number, parts in enumerate(filter(None, lines)):
        yield from (*([nodes.HardBreak()] if number else []), *parts)
