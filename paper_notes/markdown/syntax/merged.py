"""Tables: cells that are one with the cell above, `^^`, or on the left, `<<`; and rows with a mark, `{.best}`."""

from __future__ import annotations

import re
from collections import Counter

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.markdown.context import Context, context_of

ABOVE, LEFT = "^^", "<<"
ROW_MARKS = ("best", "own", "baseline")
_ROW_MARK = re.compile(rf"\s*\{{\.({'|'.join(ROW_MARKS)})\}}$")
_Place = tuple[int, int]


def row_marks(state: StateCore) -> None:
    """Move a mark at the end of a row's first cell to the row."""
    row: Token | None = None
    for token in state.tokens:
        if token.type == "tr_open":
            row = token
        elif token.type == "inline" and row:
            if (found := _ROW_MARK.search(token.content)) and token.content[: found.start()].strip():
                token.content = token.content[: found.start()]
                row.attrJoin("class", f"row-{found[1]}")
                row.meta["mark"] = found[1]
            row = None


def merged_cells(state: StateCore) -> None:
    """Merge cells when all else about their tables is known."""
    tokens: list[Token] = []
    start = -1
    for token in state.tokens:
        tokens.append(token)
        if token.type == "table_open":
            start = len(tokens) - 1
        elif token.type == "table_close" and start >= 0:
            tokens[start:] = _merged(context_of(state.env), tokens[start:])
            start = -1
    state.tokens = tokens


def is_merged(inline: Token) -> bool:
    """Whether a cell belongs to another one."""
    return inline.content in (ABOVE, LEFT)


def _merged(context: Context, tokens: list[Token]) -> list[Token]:
    """The tokens of a table, where cells that belong to others are empty tokens, and these have their size."""
    cells, body = _cells(tokens)
    inlines = {place: tokens[at + 1] for place, at in cells.items()}
    if not any(map(is_merged, inlines.values())):
        return tokens
    origins: dict[_Place, _Place] = {}
    for place, inline in inlines.items():
        origins[place] = _origin(inline, place, origins, body)
    sizes = _rectangles(origins)
    dropped: set[int] = set()
    for place, origin in origins.items():
        if not is_merged(inlines[place]):
            continue
        if origin == place or origin not in sizes:
            _report(context, inlines[place])
            continue
        dropped.add(cells[place])
        for name, size in zip(("rowspan", "colspan"), sizes[origin], strict=True):
            if size > 1:
                tokens[cells[origin]].attrs[name] = str(size)
    if dropped:
        tokens[0].attrJoin("class", "merged")
    inside = {at + step for at in dropped for step in (1, 2)}
    made = (Token("merged_cell", "", 0) if at in dropped else token for at, token in enumerate(tokens))
    return [token for at, token in enumerate(made) if at not in inside]


def _cells(tokens: list[Token]) -> tuple[dict[_Place, int], int]:
    """The index of each cell by row and column, and the first row of the body."""
    cells: dict[_Place, int] = {}
    row, column, body = -1, 0, 0
    for at, token in enumerate(tokens):
        if token.type == "tbody_open":
            body = row + 1
        elif token.type == "tr_open":
            row, column = row + 1, 0
        elif token.type in ("td_open", "th_open"):
            cells[row, column] = at
            column += 1
    return cells, body


def _report(context: Context, inline: Token) -> None:
    where = context.locate((inline.map or [0])[0], inline.content)
    what = "merged cells form a rectangle, and stay below the head"
    hint = (
        f"{ABOVE} goes with the cell above it, {LEFT} with the one on its left; write \\{inline.content} for the sign"
    )
    context.report(where, "table-cells", f'"{inline.content}" has no cell to go with: {what}', hint, "warning")


def _origin(inline: Token, place: _Place, origins: dict[_Place, _Place], body: int) -> _Place:
    """The cell that a cell belongs to; itself if there is none."""
    row, column = place
    if inline.content == ABOVE and row > 0 and row != body:
        return origins[row - 1, column]
    if inline.content == LEFT and column > 0:
        return origins[row, column - 1]
    return place


def _rectangles(origins: dict[_Place, _Place]) -> dict[_Place, tuple[int, int]]:
    """Rows and columns of each cell whose parts fill a rectangle."""
    counts = Counter(origins.values())
    sizes: dict[_Place, tuple[int, int]] = {}
    for origin in counts:
        parts = [place for place, of in origins.items() if of == origin] if counts[origin] > 1 else [origin]
        rows, columns = (max(place[axis] for place in parts) - origin[axis] + 1 for axis in (0, 1))
        if rows * columns == counts[origin]:
            sizes[origin] = (rows, columns)
    return sizes
