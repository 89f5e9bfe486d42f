"""A paper's table as a grid: each cell with the labels of its row and column, read from where the words stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby, pairwise
from statistics import median

from paper_notes.features.verify.columns import (
    NOTHING,
    Columns,
    Line,
    Phrase,
    columns_of,
    is_number,
    line_of,
    spread,
    widened,
)
from paper_notes.features.verify.paper import PAGE, Passage, PassageRow
from paper_notes.patterns import regex
from paper_notes.sources.pdf.model import Box
from paper_notes.values import Struct, replace

_WIDE = 0.92
"""A rule is across the whole table if it is as wide as this part of the widest."""
_MOST_LABELS = 2
"""Of numbers, after those that are words: as many columns as tell rows apart that have the same words."""
_MAX_ROWS, _MAX_WORDS = 400, 8_000
"""Of a table; larger ones are not read."""
_GAP = 2.0
"""Points that are left free before the first column of values."""
_MEASURED = regex(r"[%×xX]$|±")
"""How numbers end that are results, and no settings by which rows are told apart."""
_DECIMAL = regex(r"\d\.\d|%")
_FEW_WORDS = 2
_IN_BRACKETS = regex(r"[(\[].*[)\]]\W*")
_GOES_ON = regex(r"[a-z(\[]")
_OPEN_END = regex(r"(?:[-–/+,&]|\b(?:with|and|of|the|for|on|in|w/))$")
_STARS = regex(r"(?<=[\d%)])\s?(?:\*{1,3}|[†‡§⋆★]+|\.)$|^[.*]{1,3}$")


class TableCell(Struct, frozen=True):
    """A cell of the body. Labels are read whole: a heading that spans columns or rows is a label of each of them."""

    row: int
    """Of the grid, from 0."""
    column: int
    text: str
    """As printed: `6.49×`, `71.2 ± 0.3`, `−1.4%`, `-`, `4.03 k`; without marks of footnotes."""
    row_path: tuple[str, ...]
    """The labels of its row, the outermost first: `Qwen3-8B`, `DFlash (16)`."""
    column_path: tuple[str, ...]
    """The labels of its column, the outermost first, with units: `GSM8K`, `Speedup`."""
    page: int
    box: Box
    """In points."""
    body: tuple[float, float] = (0.0, 0.0)
    """How far labels of rows reach from the left and heads from the top, in points; 0 if that is unknown."""


class PaperTable(Struct, frozen=True):
    """A table of a paper."""

    number: str
    """`2`, `A.1`"""
    caption: str
    page: int
    corner: tuple[str, ...]
    """What stands above the labels of the rows: `Model`, `Method`."""
    cells: tuple[TableCell, ...]
    """Of the body, by rows; empty ones are left out."""


def table_of(passage: Passage) -> PaperTable | None:
    """The grid of a table, or of a figure that is one; None if its words do not stand in columns."""
    rows = [row for row in passage.rows if row.words]
    if passage.kind not in ("table", "figure") or not 1 < len(rows) <= _MAX_ROWS:
        return None
    if sum(len(row.words) for row in rows) > _MAX_WORDS:
        return None
    flat = sorted((box for box in passage.rules if box[2] - box[0] > box[3] - box[1]), key=lambda box: box[1])
    if passage.kind == "figure" and len(flat) < 2:
        return None
    cells: list[TableCell] = []
    corner: tuple[str, ...] = ()
    across = 0
    for beside, rules in _side_by_side(rows, flat):
        before = max((cell.row for cell in cells), default=-1) + 1 if not across else 0
        for part in _stacked(beside, rules):
            for grid in _grids(part, rules):
                corner = corner or grid.corner
                cells += (replace(cell, row=cell.row + before, column=cell.column + across) for cell in grid.cells())
                before = max((cell.row for cell in cells), default=-1) + 1
        across = max((cell.column for cell in cells), default=-1) + 1
    if passage.kind == "figure" and not _is_table(cells):
        return None
    return PaperTable(passage.number, passage.title, passage.page, corner, tuple(cells)) if cells else None


def _is_table(cells: Sequence[TableCell]) -> bool:
    """Whether cells have labels of their own, as the numbers at the axes of a chart have not."""
    paths = {(cell.row_path, cell.column_path) for cell in cells}
    return len(paths) == len(cells) and all(row and column for row, column in paths)


_Part = Sequence[PassageRow]


def _side_by_side(rows: _Part, rules: Sequence[Box]) -> Iterator[tuple[_Part, Sequence[Box]]]:
    """The tables of one caption that stand beside each other: their rules do, and no word is between them."""
    spans: list[tuple[float, float]] = []
    for left, right in sorted((box[0], box[2]) for box in rules):
        if spans and left <= spans[-1][1] + 3:
            spans[-1] = spans[-1][0], max(spans[-1][1], right)
        else:
            spans.append((left, right))
    inside = [[word for row in rows for word in row.words if left - 3 <= word.left <= right] for left, right in spans]
    if len(spans) < 2 or sum(map(len, inside)) < sum(len(row.words) for row in rows) or not all(inside):
        yield rows, rules
        return
    for left, right in spans:
        own = [replace(row, words=tuple(word for word in row.words if left - 3 <= word.left <= right)) for row in rows]
        yield [row for row in own if row.words], [box for box in rules if left <= box[0] and box[2] <= right + 3]


def _stacked(rows: _Part, rules: Sequence[Box]) -> Iterator[_Part]:
    """The tables of one caption below each other: each begins with a head between rules, as the first does."""
    start = 0
    for at in range(1, len(rows) - 1):
        before, row = rows[at - 1], rows[at]
        ruled = at > start + 1 and _ruled(rules, before.base, row.base - 0.4 * row.size)
        again = row.page != before.page and row.text == rows[start].text
        if again or (ruled and _is_head(row) and not _is_head(before)):
            yield rows[start:at]
            start = at
    yield rows[start:]


def _is_head(row: PassageRow) -> bool:
    texts = [word.text for word in row.words]
    return len(texts) > 2 and not any(map(is_number, texts)) and not any(map(NOTHING.fullmatch, texts))


def _ruled(rules: Sequence[Box], above: float, below: float, share: float = _WIDE) -> bool:
    """Whether a rule as wide as the table is between two heights."""
    widest = max((box[2] - box[0] for box in rules), default=0.0)
    return any(above < (box[1] + box[3]) / 2 < below and box[2] - box[0] > share * widest for box in rules)


class _Grid(Struct, frozen=True):
    """The lines of a table that are its body, with the labels of its columns."""

    columns: Columns
    labels: int
    """How many columns, from the left, are labels of rows."""
    paths: Sequence[tuple[str, ...]]
    """The labels of each column."""
    start: Line
    """The first one of the body."""
    lines: Sequence[Line]
    """Those with values."""
    sections: Sequence[tuple[str, ...]]
    """For each line, the headings that stand alone on a row before it."""
    names: Sequence[Mapping[int, str]]
    """For each line, its labels by column."""

    @property
    def corner(self) -> tuple[str, ...]:
        return tuple(" ".join(path) for path in self.paths[: self.labels] if path)

    def cells(self) -> Iterator[TableCell]:
        """The values; and the labels that are numbers: they may be spoken of, too."""
        told: set[tuple[int, str, str]] = set()
        for row, line in enumerate(self.lines):
            path = (*self.sections[row], *(self.names[row][column] for column in sorted(self.names[row])))
            for column, text in self.names[row].items():
                phrase, kind = line.at(column), (column, text, path[0])
                if any(map(str.isdigit, text)) and (phrase or kind not in told):
                    told.add(kind)
                    box = phrase or line.phrases[0]
                    yield self._cell(row, column, column, text, path, (box.left, box.right))
            for phrase in line.phrases:
                if phrase.first >= self.labels:
                    text = _value(phrase.text)
                    if text:
                        yield self._cell(row, phrase.first, phrase.last, text, path, (phrase.left, phrase.right))

    def _cell(
        self, row: int, first: int, last: int, text: str, path: tuple[str, ...], across: tuple[float, float]
    ) -> TableCell:
        line = self.lines[row]
        labels = tuple(dict.fromkeys(label for column in range(first, last + 1) for label in self.paths[column]))
        base = line.base % PAGE
        box = (across[0], round(base - 0.8 * line.size, 1), across[1], round(base + 0.25 * line.size, 1))
        top = self.start.base - self.start.size if self.start.page == line.page else 0.0
        beside = self.columns[self.labels][0] - _GAP if self.labels < len(self.columns) else 0.0
        return TableCell(row, first, text, path, labels, line.page, box, (round(beside, 1), round(top % PAGE, 1)))


def _value(text: str) -> str:
    """A cell without stars of significance and marks of footnotes."""
    while (shorter := _STARS.sub("", text).strip()) != text:
        text = shorter
    return text


def _grids(rows: _Part, rules: Sequence[Box]) -> Iterator[_Grid]:
    """The grid of a table; several if its columns begin again with the same heads, as long tables do that are wide."""
    columns = columns_of(rows)
    if len(columns) < 2:
        return
    lines = [line for row in rows if (line := line_of(row, columns)).phrases]
    head = _head(lines, rules) if lines else 0
    if head >= len(lines):
        return
    columns = widened(columns, lines)
    paths = _paths(lines[:head], columns, rules)
    half = next((size for size in range(2, len(columns) // 2 + 1) if _repeats(paths, size)), len(columns))
    for start in range(0, len(columns), half):
        own = [line.part(start, start + half) for line in lines[head:]]
        grid = _body([line for line in own if line.phrases], columns[start : start + half], paths[:half], rules)
        if grid is not None:
            yield grid


def _repeats(paths: Sequence[tuple[str, ...]], size: int) -> bool:
    return (
        len(paths) % size == 0 and any(paths[:size]) and all(a == b for a, b in zip(paths, paths[size:], strict=False))
    )


def _head(lines: Sequence[Line], rules: Sequence[Box]) -> int:
    """How many lines are the head: those above the first rule across, or the first line of numbers."""
    data = next((at for at, line in enumerate(lines) if _is_data(line)), len(lines))
    ruled = _first_rule(lines, rules, _WIDE) or _first_rule(lines, rules, 0.5)
    if ruled is None:
        return min(data, len(lines) - 1) if data < len(lines) else 1
    if ruled > data + 1 or (ruled == data + 1 and data and lines[data].at(0) and lines[data - 1].at(0)):
        return data  # the rule is between rows of the body
    if data == len(lines):  # a table of words
        return ruled
    while ruled < data and _is_head_line(lines[ruled]):
        ruled += 1
    return ruled


def _first_rule(lines: Sequence[Line], rules: Sequence[Box], share: float) -> int | None:
    """How many lines are above the first rule of that part of the widest."""
    for at, (before, line) in enumerate(pairwise(lines), 1):
        if _ruled(rules, before.base, line.base - 0.4 * line.size, share):
            return at
    return None


def _is_data(line: Line) -> bool:
    values = [phrase for phrase in line.phrases if phrase.first > 0]
    return bool(values) and 2 * sum(phrase.is_number for phrase in values) >= len(values)


def _is_head_line(line: Line) -> bool:
    has_values = any(phrase.is_number and _DECIMAL.search(phrase.text) for phrase in line.phrases)
    return not has_values and sum(phrase.first > 0 and not phrase.is_number for phrase in line.phrases) > 1


def _paths(lines: Sequence[Line], columns: Columns, rules: Sequence[Box]) -> Sequence[tuple[str, ...]]:
    """The labels of each column, from the top; one that wraps is joined."""
    spreads: list[Line] = []
    for line in reversed(lines):
        spreads.insert(0, spread(line, columns, rules, spreads))
    repeated = [Counter(phrase.text for phrase in line.phrases) for line in spreads]
    paths: list[tuple[str, ...]] = []
    for column in range(len(columns)):
        path: list[str] = []
        before: tuple[Line, Phrase] | None = None
        for line, counts in zip(spreads, repeated, strict=True):
            phrase = line.at(column)
            if phrase is None:
                continue
            wraps = (
                before is not None
                and (before[1].first, before[1].last) == (phrase.first, phrase.last)
                and line.base - before[0].base < 1.5 * line.size
                and counts[phrase.text] == 1
                and not any(before[0].base < box[1] < line.base and box[0] <= phrase.middle <= box[2] for box in rules)
            )
            path[-1:] = [_wrapped(path[-1], phrase.text)] if wraps else [*path[-1:], phrase.text]
            before = line, phrase
        paths.append(tuple(path))
    return _told_apart(paths)


def _told_apart(paths: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
    """The labels of columns; those that come again, as of differences beside each base, with (that of the base)."""
    times = Counter(paths)
    longer: list[tuple[str, ...]] = []
    base: tuple[str, ...] = ()
    for path in paths:
        base = path if times[path] == 1 else base
        longer.append(path if times[path] == 1 else (*path, *(f"({label})" for label in base)))
    return longer if len(set(longer)) == len(longer) else paths


def _wrapped(first: str, second: str) -> str:
    if not re.search(r"[a-z]-$", first):
        return f"{first} {second}"
    return first[:-1] + second if second[:1].islower() else first + second


def _body(
    lines: Sequence[Line], columns: Columns, paths: Sequence[tuple[str, ...]], rules: Sequence[Box]
) -> _Grid | None:
    labels = _labels(lines, columns, paths)
    comes_again = any(_is_head_again(line, labels, paths) for line in lines)
    lines = [replace(ln, phrases=ln.phrases[:1]) if _is_head_again(ln, labels, paths) else ln for ln in lines]
    values = [line for line in lines if any(phrase.last >= labels and _is_value(phrase) for phrase in line.phrases)]
    if not values:
        return None
    pitch = min((b.base - a.base for a, b in pairwise(values) if b.base > a.base), default=values[0].size * 1.2)
    data: list[Line] = []
    sections: list[tuple[str, ...]] = []
    strays: list[Line] = []
    headings = _Headings(columns)
    at_value = set(map(id, values))
    for at, line in enumerate(lines):
        before = lines[at - 1] if at else None
        after = lines[at + 1] if at + 1 < len(lines) else None
        if id(line) in at_value and data and before and _wraps(line, data[-1], before, labels, rules):
            data[-1] = _joined(data[-1], line)
        elif id(line) in at_value:
            data.append(line)
            sections.append(headings.path)
            headings.closed = True
        elif _is_stray(line, before, after, labels, pitch, rules):
            strays.append(line)
        elif data and before and _continues(line, before, after, labels, rules):
            data[-1] = _joined(data[-1], line)
        else:
            headings.add(line, between=_is_between_rules(line, before, after, rules))
    sections = [section or (paths[0][-1],) for section in sections] if comes_again else sections
    names = _names(data, strays, labels, columns, rules, sections)
    for more in range(labels, min(labels + _MOST_LABELS, len(columns) - 1) if _are_ambiguous(sections, names) else 0):
        if any((phrase := line.at(more)) and _MEASURED.search(phrase.text) for line in data):
            break
        wider = _names(data, strays, more + 1, columns, rules, sections)
        if not _are_ambiguous(sections, wider):
            labels, names = more + 1, wider
            break
    return _Grid(columns, labels, paths, lines[0], data, sections, names)


def _is_head_again(line: Line, labels: int, paths: Sequence[tuple[str, ...]]) -> bool:
    """Whether the last line of the head comes again, for other rows: `T = 1 | Speedup | τ` after `T = 0`."""
    values = [phrase for phrase in line.phrases if phrase.first >= labels]
    is_headed = len(values) > 1 and line.phrases[0].first < labels and bool(paths[0])
    return is_headed and all(paths[phrase.first][-1:] == (phrase.text,) for phrase in values)


def _key(section: tuple[str, ...], names: Mapping[int, str]) -> tuple[object, ...]:
    return section, tuple(sorted(names.items()))


def _are_ambiguous(sections: Sequence[tuple[str, ...]], names: Sequence[Mapping[int, str]]) -> bool:
    return len(set(map(_key, sections, names))) < len(names)


def _is_value(phrase: Phrase) -> bool:
    """Whether a phrase beside the labels is not a heading that runs over them."""
    return phrase.is_number or bool(NOTHING.fullmatch(phrase.text)) or phrase.first == phrase.last


def _labels(lines: Sequence[Line], columns: Columns, paths: Sequence[tuple[str, ...]]) -> int:
    """How many columns are labels: the first, and those after it that are mostly words, or merged over rows."""
    labels = 1
    while labels + 1 < len(columns):
        phrases = [phrase for line in lines if (phrase := line.at(labels)) and phrase.first == phrase.last == labels]
        told = [phrase for phrase in phrases if not NOTHING.fullmatch(phrase.text)]
        later = [line for line in lines if any(phrase.first > labels and phrase.is_number for phrase in line.phrases)]
        is_merged = 2 * len(phrases) <= len(later)
        if paths[labels] and paths[labels] == paths[0]:  # under one head
            labels += 1
            continue
        if not told or not later or (2 * sum(phrase.is_number for phrase in told) >= len(told) and not is_merged):
            break
        labels += 1
    return labels


class _Headings:
    """The headings that stand alone on a row, the outer ones first."""

    def __init__(self, columns: Columns) -> None:
        self._middle = (columns[0][0] + columns[-1][1]) / 2
        self._open: list[tuple[object, str]] = []
        self.closed = False
        """Whether a row with values came since the last one."""

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._open)

    def add(self, line: Line, *, between: bool) -> None:
        """A heading closes those that look the same, and the inner ones."""
        phrase, text = line.phrases[0], " ".join(phrase.text for phrase in line.phrases)
        centred = abs(phrase.middle - self._middle) < 3 * line.size and line.phrases[0].first > 0
        look = (centred, phrase.bold, between, None if centred else round(phrase.left / 4))
        looks = [other for other, _ in self._open]
        if look in looks:
            del self._open[looks.index(look) :]
        elif self.closed:
            del self._open[-1:]
        self._open.append((look, text))
        self.closed = False


def _is_between_rules(line: Line, before: Line | None, after: Line | None, rules: Sequence[Box]) -> bool:
    above = before.base if before else line.base - 2 * line.size
    below = after.base - 0.4 * after.size if after else line.base + line.size
    return any(above < box[1] < line.base - 0.4 * line.size for box in rules) and any(
        line.base < box[1] < below for box in rules
    )


def _is_stray(
    line: Line, before: Line | None, after: Line | None, labels: int, pitch: float, rules: Sequence[Box]
) -> bool:
    """Whether labels stand between rows that have none: those of cells that are merged over rows.

    They stand at half the height between two rows, or between rules with rows above and below.
    """
    if any(phrase.last >= labels for phrase in line.phrases):
        return False
    bare = [other for other in (before, after) if other and not other.at(line.phrases[0].first)]
    bare = [other for other in bare if not _rule_between(line, other, rules, line.phrases[0])]
    return any(abs(other.base - line.base) < 0.8 * pitch for other in bare) or (len(bare) > 1 and bool(rules))


def _rule_between(line: Line, other: Line, rules: Sequence[Box], phrase: Phrase) -> bool:
    low, high = sorted((line.base, other.base))
    return any(low < box[1] < high - 0.3 * line.size and box[0] <= phrase.middle <= box[2] for box in rules)


def _continues(line: Line, before: Line, after: Line | None, labels: int, rules: Sequence[Box]) -> bool:
    """Whether words without values go on with the row before."""
    first = line.phrases[0]
    if _rule_between(line, before, rules, first) or line.base - before.base > 2 * line.size:
        return False
    if first.first < labels <= first.last and not first.is_number:  # a remark, or a heading
        return False
    above = before.at(first.first)
    if above is None:
        return False
    if first.first > 0 or len(line.phrases) > 1:
        return True
    if after is None or _rule_between(line, after, rules, first):
        return True
    closer = line.base - before.base < after.base - line.base - 1.5
    return bool(_GOES_ON.match(first.text) or _OPEN_END.search(above.text) or closer)


def _wraps(line: Line, row: Line, before: Line, labels: int, rules: Sequence[Box]) -> bool:
    """Whether a line of words beside no label goes on with those above it, which are many."""
    own = [phrase for phrase in line.phrases if not phrase.is_number]
    if line.at(0) or len(own) < len(line.phrases) or line.base - before.base > 1.6 * line.size:
        return False
    above = [other for phrase in own if (other := row.at(phrase.first)) and other.text.count(" ") > _FEW_WORDS]
    return len(above) == len(own) and not any(_rule_between(line, before, rules, phrase) for phrase in own)


def _joined(line: Line, more: Line) -> Line:
    """A row with what goes on below it."""
    phrases = list(line.phrases)
    for phrase in more.phrases:
        for at, other in enumerate(phrases):
            if other.first <= phrase.first <= other.last:
                phrases[at] = replace(other, text=_wrapped(other.text, phrase.text))
                break
        else:
            phrases.append(phrase)
    return replace(line, phrases=tuple(sorted(phrases, key=lambda phrase: phrase.left)))


def _names(
    data: Sequence[Line],
    strays: Sequence[Line],
    labels: int,
    columns: Columns,
    rules: Sequence[Box],
    sections: Sequence[tuple[str, ...]],
) -> list[dict[int, str]]:
    """For each row its labels by column, with those of merged cells."""
    names: list[dict[int, str]] = [{} for _ in data]
    for column in range(labels):
        middle = sum(columns[column]) / 2
        for block in _blocks(data, middle, rules, sections):
            lines = [data[at] for at in block]
            top = data[block[0] - 1].base if block[0] else 0.0
            bottom = data[block[-1] + 1].base if block[-1] + 1 < len(data) else float("inf")
            heights = [rule[1] for rule in rules if rule[0] <= middle <= rule[2]]
            top = max((y for y in heights if y < lines[0].base - 0.3 * lines[0].size), default=top)
            bottom = min((y for y in heights if y > lines[-1].base), default=bottom)
            spoken = [(line.base, phrase.text) for line in (*lines, *strays)
                      if top < line.base < bottom and (phrase := line.at(column)) and phrase.last < labels]  # fmt: skip
            bases = [line.base for line in lines]
            merged = _merged(sorted(spoken), bases, lines[0].size, inner=column == labels - 1 > 0)
            if any(map(_is_error, lines)):
                merged = _above(lines, column, labels)
            for at, text in zip(block, merged, strict=True):
                if text:
                    names[at][column] = text
    return names


def _is_error(line: Line) -> bool:
    """Whether all of a row is in brackets, as the standard errors below estimates are."""
    return bool(line.phrases) and not line.at(0) and all(_IN_BRACKETS.fullmatch(each.text) for each in line.phrases)


def _above(lines: Sequence[Line], column: int, labels: int) -> Sequence[str]:
    """The label of each row, or that of the row above."""
    texts: list[str] = []
    for line in lines:
        phrase = line.at(column)
        texts.append(phrase.text if phrase and phrase.last < labels else texts[-1] if texts else "")
    return texts


def _blocks(
    data: Sequence[Line], middle: float, rules: Sequence[Box], sections: Sequence[tuple[str, ...]]
) -> Iterator[list[int]]:
    """Rows without a rule between them in a column, or a heading."""
    block: list[int] = []
    for at, line in enumerate(data):
        if block:
            above = data[at - 1].base
            ruled = any(
                above < rule[1] < line.base - 0.3 * line.size and rule[0] <= middle <= rule[2] for rule in rules
            )
            if ruled or sections[at] != sections[at - 1] or line.page != data[at - 1].page:
                yield block
                block = []
        block.append(at)
    yield block


def _merged(spoken: Sequence[tuple[float, str]], rows: Sequence[float], size: float, *, inner: bool) -> Sequence[str]:
    """The label of each row of a block, of labels and rows by their heights; `size` is that of letters.

    One label for several rows stands in their middle, or at the first of them.
    """
    if not spoken:
        return [""] * len(rows)
    pitch = median([b - a for a, b in pairwise(rows)] or [12.0])
    few = 2 * len(spoken) <= len(rows) + 1
    aside = not inner and len(spoken) > 1 and all(text.startswith("(") for _, text in spoken[1:])
    inner = inner or (not few and all(is_number(text) for _, text in spoken))
    whole = (rows[0] + rows[-1]) / 2
    steps = [b - a for (a, _), (b, _) in pairwise(spoken)]
    centre = (spoken[0][0] + spoken[-1][0]) / 2
    apart = spoken[0][0] > rows[0] + 0.3 * pitch or (bool(steps) and max(steps) < 0.93 * pitch)
    lines = all(step < 1.3 * max(pitch, size) for step in steps)
    if (aside or (few and apart)) and lines and abs(centre - whole) < 0.6 * pitch:
        return [reduce(_wrapped, (text for _, text in spoken))] * len(rows)
    if len(spoken) >= len(rows):
        texts = [""] * len(rows)
        for y, text in spoken:
            nearest = min(range(len(rows)), key=lambda at: abs(rows[at] - y))
            texts[nearest] = _wrapped(texts[nearest], text) if texts[nearest] else text
        return texts
    centred, from_top = _centred(spoken, rows, pitch), _from_top(spoken, rows, pitch, inner=inner)
    return centred if centred and (_are_even(centred) or not _are_even(from_top)) else from_top


def _are_even(texts: Sequence[str]) -> bool:
    """Whether all labels have as many rows."""
    return len({len([*rows]) for _, rows in groupby(texts)}) == 1


def _centred(spoken: Sequence[tuple[float, str]], rows: Sequence[float], pitch: float) -> Sequence[str]:
    """Labels of groups of rows, each in the middle of its group; nothing if they are not."""
    texts: list[str] = []
    for y, text in spoken:
        start = len(texts)
        ends = range(start, len(rows))
        end = min(ends, key=lambda last: abs((rows[start] + rows[last]) / 2 - y), default=None)
        if end is None or abs((rows[start] + rows[end]) / 2 - y) > 0.3 * pitch:
            return []
        texts += [text] * (end + 1 - start)
    return texts if len(texts) == len(rows) else []


def _from_top(
    spoken: Sequence[tuple[float, str]], rows: Sequence[float], pitch: float, *, inner: bool
) -> Sequence[str]:
    """Labels of groups of rows, each at the first row of its group; those of innermost labels are their row's only."""
    texts: list[str] = []
    for base in rows:
        near = [text for y, text in spoken if (abs(y - base) < 0.4 * pitch if inner else y < base + 0.6 * pitch)]
        texts.append(near[-1] if near else "")
    return texts
