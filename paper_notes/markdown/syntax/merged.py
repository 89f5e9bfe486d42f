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
    places: list[_Place] = []
    cells: dict[_Place, int] = {}
    row, body = -1, 0
    for at, token in enumerate(tokens):
        if token.type == "tbody_open":
            body = row + 1
        elif token.type == "tr_open":
            row, column = row + 1, 0
        elif token.type in ("td_open", "th_open"):
            cells[row, column] = at
            places.append((row, column))
            column += 1
    if not any(is_merged(tokens[at + 1]) for at in cells.values()):
        return tokens
    origins: dict[_Place, _Place] = {}
    for place in places:
        origins[place] = _origin(tokens[cells[place] + 1], place, origins, body)
    sizes = _rectangles(origins)
    dropped: set[int] = set()
    for place, origin in origins.items():
        inline = tokens[cells[place] + 1]
        if not is_merged(inline):
            continue
        if origin == place or origin not in sizes:
            where = context.locate((inline.map or [0])[0], inline.content)
            message = f'"{inline.content}" has no cell to go with: merged cells form a rectangle, and stay below the head'
            hint = f"{ABOVE} goes with the cell above it, {LEFT} with the one on its left; write \\{inline.content} for the sign"
            context.report(where, "table-cells", message, hint, "warning")
            continue
        dropped.add(cells[place])
        for name, size in zip(("rowspan", "colspan"), sizes[origin], strict=True):
            if size > 1:
                tokens[cells[origin]].attrs[name] = str(size)
    if dropped:
        tokens[0].attrJoin("class", "merged")
    made: list[Token] = []
    for at, token in enumerate(tokens):
        if at in dropped:
            made.append(Token("merged_cell", "", 0))
        elif at - 1 not in dropped and at - 2 not in dropped:
            made.append(token)
    return made


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
