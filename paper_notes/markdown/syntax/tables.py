"""Tables: verdicts, `✓ yes`, `✗ no`, `◐ partly`, columns of numbers, merged cells, marked rows, bars in formulas.

A table that is too wide for a phone shows its rows there as cards, where each cell repeats the head of its column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from markdown_it.rules_block.table import escapedSplit
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import escape

from paper_notes.markdown.context import Context, context_of
from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.patterns import regex
from paper_notes.typography import CJK, is_cjk

_BAR = "\ufdd5"
"""Replaces such a bar while blocks are found; sources cannot contain this noncharacter."""
TABLE_RULE = regex(r"\|?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*+\|?")
_BEFORE = regex(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?[ \t>]*")
"""Marks of quotations and lists before a row."""
_HOLDS_BARS = regex(
    r"(?<![\\$])(?P<sign>\$\$?)(?![\s$])(?:\\.|[^$\\`])+?(?<!\s)(?P=sign)(?!\d)"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?:(?!(?P=ticks)).){1,500}(?P=ticks)(?!`)|\\\((?:(?!\\\)).){1,500}\\\)|\[\[[^\[\]]+\]\]"
)


def hide_bars(state: StateCore) -> None:
    """Replace bars that end no cell, before blocks are found."""
    if "|" not in state.src or not _HOLDS_BARS.search(state.src):
        return
    lines = state.src.split("\n")
    columns = 0
    for number, line in enumerate(lines):
        if columns and "|" in line:
            lines[number] = with_hidden(line, columns)
            continue
        columns = 0
        if number and "|" in lines[number - 1] and "-" in line:
            columns = _rule_columns(line)
            if columns:
                lines[number - 1] = with_hidden(lines[number - 1], columns)
    state.src = "\n".join(lines)


def show_bars(state: StateCore) -> None:
    """Put the bars back when blocks are known."""
    for token in state.tokens:
        if _BAR in token.content or _BAR in token.info:
            token.content, token.info = token.content.replace(_BAR, "|"), token.info.replace(_BAR, "|")


def with_hidden(row: str, columns: int) -> str:
    """The row with the bars in formulas, code and references hidden, if it has more cells than columns otherwise."""
    if columns_of(row) <= columns:
        return row
    return _HOLDS_BARS.sub(lambda match: re.sub(r"(?<!\\)\|", _BAR, match[0]), row)


def columns_of(row: str) -> int:
    """How many cells a row has."""
    return len(_cells_of(row))


def _cells_of(row: str) -> list[str]:
    cells = escapedSplit(_BEFORE.sub("", row, count=1).rstrip())
    ends_open = len(cells) == 1 or bool(cells[-1].strip())
    return cells[not cells[0].strip() : len(cells) if ends_open else -1]


def too_wide(tokens: Iterable[Token], lines: Sequence[str]) -> Iterator[tuple[Token, int, list[str]]]:
    """The rows with cells beyond the last column of the table, which nobody sees: the columns, and these cells."""
    columns = 0
    for token in tokens:
        if token.type == "table_open":
            columns = 0
        elif token.type == "th_open":
            columns += 1
        elif token.type == "tr_open" and columns and token.map:
            cells = _cells_of(with_hidden(lines[token.map[0]].lstrip(" \t>").rstrip(), columns))
            if len(cells) > columns:
                yield token, columns, [cell.replace(_BAR, "|").strip() for cell in cells[columns:]]


def _rule_columns(line: str) -> int:
    """How many columns the line below a table's head says that there are; 0 for other lines."""
    rule = line.lstrip(" \t>").rstrip()
    return columns_of(rule) if TABLE_RULE.fullmatch(rule) else 0


ABOVE, LEFT = "^^", "<<"
ROW_MARKS = ("best", "own", "baseline")
_ROW_MARK = regex(rf"(?:^|(?<!\s)\s*)\{{\.({'|'.join(ROW_MARKS)})\}}$")
_Place = tuple[int, int]


def row_marks(state: StateCore) -> None:
    """Move a mark at the end of a row's first cell to the row."""
    row: Token | None = None
    for token in state.tokens:
        if token.type == "tr_open":
            row = token
        elif token.type == "inline" and row:
            if match := _ROW_MARK.search(token.content):
                token.content = token.content[: match.start()]
                row.attrJoin("class", f"row-{match[1]}")
                row.meta["mark"] = match[1]
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
    replaced = (Token("merged_cell", "", 0) if at in dropped else token for at, token in enumerate(tokens))
    return [token for at, token in enumerate(replaced) if at not in inside]


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
    message = f'"{inline.content}" has no cell to go with: merged cells form a rectangle, and stay below the head'
    hint = f"^^ goes with the cell above it, << with the one on its left; write \\{inline.content} for the sign"
    context.report(where, "table-cells", message, hint, "warning")


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


Cell = tuple[Token, Token]
"""The opening token of a cell, and its content."""
_MARK = regex(r"(?:(?P<good>[✓✔✅])|(?P<bad>[✗✘❌])|(?P<partial>◐|△$))\ufe0f?\s*")
"""Signs that can mean nothing else: `+ LoRA` is a name, `- 3` a number. A triangle with words is a difference."""
_SHOWN = {"good": "✓", "bad": "✗", "partial": "◐"}
_LETTER = r"[A-Za-z\u00c0-\u024f\u0400-\u04ff]"
_UNIT = rf"[%‰％×°+]|(?:{_LETTER}|[µμ]){{1,6}}(?:/{_LETTER}{{1,6}})?|[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]{{1,2}}"
_ONE = rf"[~≈≤≥<>±约約]?[+\-−–]?[$¥€]?\.?\d[\d,.]*(?:[eE][+-]?\d+)?(?:{_UNIT})?"
_NUMBER = regex(rf"{_ONE}(?:[±–—−~～〜/→=至到-]{_ONE})*(?:[(（]{_ONE}[)）])?")
"""One number, a range or a pair, without the spaces."""
_TAG = regex(r"<[^>]*>")
_NOTHING = frozenset({"", "-", "–", "—", "−", "/", "N/A", "n/a", ABOVE, LEFT})
_NO_NUMBER = "?"
PHONE = 21.5
"""The width that fits on a phone beside the page's margins, in em of a table's text."""
HALF_PAGE = 38.0
"""The width that fits in one of two columns on a desktop, in em."""
MAX_LABEL = 14.0
"""The first cell of a row is kept on one line up to this width, in em."""
NARROWEST, NARROWEST_NUMBERS, PADDING = 4.6, 3.4, 1.6
"""Minimum widths of columns and padding of cells in the style sheet, in em."""
MAX_KEY = 32
"""Words of code up to so many characters are not broken in a cell; longer ones break after `_ / . : , = -`."""
_RUN = regex(rf"[^\s{CJK}/-]+[/-]?|[{CJK}]")
"""A run of text without a place for a line break."""
_CODE_WORD = regex(r"\S*+\s+|\S+")
_KEY_PART = regex(r"[^_/.:,=-]*+[_/.:,=-]+|[^_/.:,=-]+")
_AROUND_BEST = frozenset({"text", "span_open", "span_close", "footnote_ref"})


def table_marks(state: StateCore) -> None:
    """Give tables and cells the classes for their content."""
    context = context_of(state.env)
    rows: list[list[Cell]] = []
    table = None
    for place, token in enumerate(state.tokens):
        if token.type == "table_open":
            table, rows = token, []
        elif token.type == "tr_open":
            rows.append([])
            mark = token.meta.get("mark")
        elif token.type in ("td_open", "th_open"):
            rows[-1].append((token, state.tokens[place + 1]))
            for child in state.tokens[place + 1].children or []:
                child.meta["in_table"] = True
            if mark and len(rows[-1]) == 1:
                said = context.keep(f'<span class="vh"> ({context.word(f"text.row-{mark}")})</span>')
                state.tokens[place + 1].children = [
                    *(state.tokens[place + 1].children or []),
                    Token("slot", "", 0, content=said),
                ]
            if token.type == "th_open":
                _name_head(context, token, state.tokens[place + 1], state.tokens[place + 2])
        elif token.type == "table_close" and table:
            _finish(context, table, rows)


def _finish(context: Context, table: Token, rows: list[list[Cell]]) -> None:
    """Set the classes of a table and its cells when all of its cells are known."""
    for row in rows[1:]:
        for cell in row:
            _mark(context, cell)
    _number_columns(rows)
    widths = list(map(_column_width, zip(*rows, strict=True)))
    merged = any(is_merged(inline) for row in rows for _, inline in row)
    if len(rows) > 1 and sum(widths) > PHONE and not merged:
        _stack(table, rows)
    words = max(_cell_width(row[0]) for row in rows)
    label = max(_cell_width(row[0], whole=True) for row in rows)
    if words < label <= MAX_LABEL and PADDING + label + sum(widths[1:]) <= HALF_PAGE:
        table.attrJoin("class", "labels")


def _name_head(context: Context, opening: Token, inline: Token, closing: Token) -> None:
    """Make an empty head a plain cell; give one that is only a formula its characters as text for screen readers."""
    children = [child for child in inline.children or [] if child.content]
    if not children:
        opening.tag = closing.tag = "td"
    elif all(child.type == "math_inline" for child in children):
        words = " ".join(_spoken(child.content) for child in children)
        start = context.keep(f'<span class="vh">{words}</span><span aria-hidden="true">')
        end = context.keep("</span>")
        inline.children = [Token("slot", "", 0, content=start), *children, Token("slot", "", 0, content=end)]


def _spoken(tex: str) -> str:
    """The characters of a formula, as HTML."""
    try:
        return _TAG.sub("", mathml(tex, display=False))
    except TexProblem:
        return str(escape(tex))


def _mark(context: Context, cell: Cell) -> None:
    """Colour a cell by the mark it starts with."""
    opening, inline = cell
    children = inline.children or []
    match = _MARK.match(children[0].content) if children and children[0].type == "text" else None
    if not match or not match.lastgroup:
        return
    verdict = match.lastgroup
    sign = _SHOWN[verdict]
    opening.attrJoin("class", verdict)
    children[0].content = children[0].content[match.end() :]
    alone = not children[0].content and len(children) == 1
    after = f'<span class="vh">{context.word(f"text.cell-{verdict}")}</span>' if alone else "\u00a0"
    mark = context.keep(f'<span class="mark" aria-hidden="true">{sign}</span>{after}')
    shown = sign if alone else f"{sign} "
    inline.children = [Token("slot", "", 0, content=mark, meta={"shown": (shown,)}), *children]


def _number_columns(rows: list[list[Cell]]) -> None:
    """Mark columns whose cells are all numbers (or empty); a bold one is the best of its column.

    The first column is skipped: it names the rows, sometimes by numbers such as `7B`, `2024`.
    """
    for head, *cells in list(zip(*rows, strict=True))[1:]:
        words = [words for _, inline in cells if (words := _words(inline)) not in _NOTHING]
        if not words or not all(map(_NUMBER.fullmatch, words)):
            continue
        for opening, _ in (head, *cells):
            if "style" not in opening.attrs:
                opening.attrJoin("class", "num")
        for opening, inline in cells:
            kinds = [child.type for child in inline.children or [] if child.content or child.type not in _AROUND_BEST]
            if kinds[:1] == ["strong_open"] and kinds[-1:] == ["strong_close"]:
                opening.attrJoin("class", "best")


def _stack(table: Token, rows: list[list[Cell]]) -> None:
    """Let phones show the rows as cards, where each cell shows the head of its column.

    The first cell names the card, and needs no head unless it is a number.
    """
    table.attrJoin("class", "stack")
    first = 0 if all(_NUMBER.fullmatch(_words(row[0][1])) for row in rows[1:]) else 1
    for row in rows[1:]:
        for (opening, inline), (_, head) in zip(row[first:], rows[0][first:], strict=True):
            if inline.children:
                opening.meta["head"] = head


def _column_width(column: Sequence[Cell]) -> float:
    """The approximate minimum width of a column, in em."""
    least = NARROWEST_NUMBERS if _is_number(column[-1][0]) else NARROWEST
    return max(least, PADDING + max(map(_cell_width, column)))


def _is_number(opening: Token) -> bool:
    return "num" in str(opening.attrs.get("class", ""))


def _cell_width(cell: Cell, *, whole: bool = False) -> float:
    """The approximate minimum width of a cell in em; with `whole` on one line, as numbers (not their heads) always."""
    opening, inline = cell
    whole = whole or (opening.tag == "td" and _is_number(opening))
    widest = line = 0.0
    for child in inline.children or []:
        for width in _unbroken(child, whole):
            line = width + (line if whole else 0)
            widest = max(widest, line)
    return widest


def _unbroken(token: Token, whole: bool) -> list[float]:
    """The approximate widths of the unbreakable parts of a token, in em."""
    if token.type == "math_inline":
        return [0.54 * len(_spoken(token.content))]
    if token.type == "code_inline":
        return [0.7 + 0.53 * len(part) for part in ([token.content] if whole else key_parts(token.content))]
    if not token.type.startswith("text"):
        return [MAX_LABEL + 1] if whole and token.type in _ANY_WIDTH else []
    runs = [token.content] if whole else _RUN.findall(token.content)
    return [sum(1.0 if is_cjk(letter) else 0.54 for letter in run) for run in runs]


_ANY_WIDTH = frozenset({"slot", "image", "html_inline", "softbreak", "hardbreak"})
"""Tokens whose width is unknown."""


def key_parts(code: str) -> list[str]:
    """Code in the cell of a table, cut where its line may break."""
    words = _CODE_WORD.findall(code)
    return [part for word in words for part in ([word] if len(word) <= MAX_KEY else _KEY_PART.findall(word))]


def _words(inline: Token) -> str:
    """The cell's text without spaces, or `?` if it has more than text and emphasis (a formula, a link, a mark)."""
    parts = []
    for child in inline.children or []:
        if child.type in ("text", "text_special"):
            parts.append(child.content)
        elif child.type != "footnote_ref" and (not child.nesting or child.type.startswith("link")):
            return _NO_NUMBER
    return "".join("".join(parts).split())
