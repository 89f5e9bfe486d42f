"""The columns of a table, from where its words stand, and the phrases of a line, each in the columns that it covers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from paper_notes.features.verify.paper import PassageRow, Word
from paper_notes.patterns import regex
from paper_notes.sources.pdf.model import Box
from paper_notes.values import Struct, replace

_SPACE = 0.42
"""The widest space between words of a phrase, by the size of letters; cells of a row stand farther apart."""
_BETWEEN_NUMBERS = 0.22
"""The same between two numbers, which are two cells wherever they stand apart in all rows."""
_PLAIN = regex(r"[-−–]?\d[\d.,]*\s?[%×xX]?")
_THOUSANDS = regex(r"\d{3}")
_SIGNS = r"[\[(<>≤≥~∼≈±+\-−–↑↓△∆×$€£]*\s?"
_NUMBER = regex(rf"{_SIGNS}(?:\d|\.\d)")
_MARK = regex(r"\s*[⋆★†‡§¶∗]+$")
_NAME = regex(r"[A-Za-z]{3,}")
NOTHING = regex(r"[-−–—]{1,3}|n/?[ar]\.?|nan|oom|[√✓✗✔✘×]", re.IGNORECASE)
"""What stands in a cell that has no value."""


class Phrase(Struct, frozen=True):
    """Words that belong together, and the columns from `first` to `last` that they stand in."""

    text: str
    left: float
    right: float
    first: int
    last: int
    bold: bool

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    @property
    def is_number(self) -> bool:
        return is_number(self.text)


class Line(Struct, frozen=True):
    """The phrases at one height."""

    phrases: tuple[Phrase, ...]
    page: int
    base: float
    size: float

    @property
    def columns(self) -> frozenset[int]:
        """Those that it has phrases in."""
        return frozenset(n for phrase in self.phrases for n in range(phrase.first, phrase.last + 1))

    def at(self, column: int) -> Phrase | None:
        """The phrase in a column."""
        return next((phrase for phrase in self.phrases if phrase.first <= column <= phrase.last), None)

    def part(self, start: int, end: int) -> Line:
        """What begins in some of the columns, counted from the first of them."""
        own = (phrase for phrase in self.phrases if start <= phrase.first < end)
        counted = (replace(own, first=own.first - start, last=min(own.last, end - 1) - start) for own in own)
        return replace(self, phrases=tuple(counted))


Columns = tuple[tuple[float, float], ...]
"""Left and right edge of what stands in each, in points."""


def is_number(text: str) -> bool:
    """Whether a cell is a number, with its unit: `14.1ms/Token`, `3 × 10^−4`, and not a name as `7B Base`."""
    return bool(_NUMBER.match(text)) and len(_NAME.findall(text)) <= 1


def columns_of(rows: Sequence[PassageRow]) -> Columns:
    """The columns of a table: between them no row of numbers has a word, or no full row if there are none."""
    numbers = [sum(is_number(word.text) for word in row.words) for row in rows]
    most = max(numbers, default=0)
    full = [row for row, count in zip(rows, numbers, strict=True) if count >= max(1, most / 2)]
    if most < 1 or len(full) < 2:
        counts = [len(_pieces(row, 2 * _SPACE)) for row in rows]
        full = [row for row, count in zip(rows, counts, strict=True) if count >= max(2, 0.85 * max(counts))]
    columns = _united(piece for row in full for piece in _pieces(row, _SPACE))
    spare = [piece for row in rows for piece in _pieces(row, _SPACE) if not _covered(*piece, columns)]
    for left, right in _united(spare):  # columns of cells that are merged over rows
        times = sum(left <= piece[0] <= right for piece in spare)
        if columns and not _covered(left, right, columns) and (times > 1 or right < columns[0][0]):
            columns = tuple(sorted((*columns, (left, right))))
    return columns


def _united(pieces: Iterable[tuple[float, float]]) -> Columns:
    columns: list[tuple[float, float]] = []
    for left, right in sorted(pieces):
        if columns and left <= columns[-1][1]:
            columns[-1] = columns[-1][0], max(columns[-1][1], right)
        else:
            columns.append((left, right))
    return tuple(columns)


def _pieces(row: PassageRow, space: float) -> list[tuple[float, float]]:
    """Where words of a row stand without a space between them that is wider than one of a phrase."""
    return [(words[0].left, words[-1].right) for words in _groups(row, space)]


def _groups(row: PassageRow, space: float) -> list[list[Word]]:
    groups: list[list[Word]] = []
    for word in row.words:
        before = groups[-1][-1] if groups else None
        if before and word.left - before.right <= _widest(before.text, word.text, space) * row.size:
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


def _widest(before: str, text: str, space: float) -> float:
    """The widest space between two words of a phrase, which is less between numbers, and more after a full stop."""
    if _PLAIN.fullmatch(before) and _PLAIN.fullmatch(text) and not (_THOUSANDS.fullmatch(text) and before.isdecimal()):
        return min(space, _BETWEEN_NUMBERS)
    return 1.4 * space if before.endswith((".", ":")) else space


def _covered(left: float, right: float, columns: Columns) -> list[int]:
    """The columns that something stands in."""
    return [at for at, edges in enumerate(columns) if min(right, edges[1]) - max(left, edges[0]) > 1]


def line_of(row: PassageRow, columns: Columns) -> Line:
    """The phrases of a row: a word begins one if it is in another column, and not just a space apart."""
    phrases: list[Phrase] = []
    for words in _groups(row, _SPACE):
        phrase = _phrase(words, columns)
        before = phrases[-1] if phrases else None
        same = before and before.first == before.last == phrase.first == phrase.last
        if before and same and phrase.left - before.right < row.size:
            phrases[-1] = replace(before, text=f"{before.text} {phrase.text}", right=phrase.right)
        elif phrase.text:
            phrases.append(phrase)
    return Line(tuple(phrases), row.page, row.base, row.size)


def _phrase(words: Sequence[Word], columns: Columns) -> Phrase:
    left, right = words[0].left, words[-1].right
    nearest = max(range(len(columns)), key=lambda at: min(right, columns[at][1]) - max(left, columns[at][0]))
    covered = _covered(left, right, columns) or [nearest]
    text = _MARK.sub("", " ".join(word.text for word in words))
    return Phrase(text, left, right, covered[0], covered[-1], all(word.bold for word in words))


def widened(columns: Columns, lines: Iterable[Line]) -> Columns:
    """The columns with the phrases of lines that stand in one each."""
    edges = list(columns)
    for line in lines:
        for phrase in line.phrases:
            if phrase.first == phrase.last:
                left, right = edges[phrase.first]
                edges[phrase.first] = min(left, phrase.left), max(right, phrase.right)
    return tuple(edges)


def spread(line: Line, columns: Columns, rules: Sequence[Box], under: Sequence[Line]) -> Line:
    """A line of headings, each over all of its columns; `under` are the lines of headings below it, spread.

    That is what a rule under it alone spans, else the columns that it is in the middle of, of those that have a heading
    beside the one right below it.
    """
    bounds: list[tuple[int, int] | None] = []
    below: list[frozenset[int]] = []
    for phrase in line.phrases:
        own = [rule for rule in rules if _is_under(rule, phrase, line, under)]
        rule = min(own, key=lambda rule: rule[2] - rule[0], default=(0.0, 0.0, 0.0, 0.0))
        inside = [n for n, (left, right) in enumerate(columns) if rule[0] - 2 <= (left + right) / 2 <= rule[2] + 2]
        bounds.append((min(inside), max(inside)) if inside else None)
        mine = set(range(phrase.first, phrase.last + 1))
        below.append(next((other for lower in under if mine & (other := lower.columns)), frozenset()))
    runs = _runs(line, columns, bounds, below)
    placed = (replace(phrase, first=run[0], last=run[1]) for phrase, run in zip(line.phrases, runs, strict=True))
    return replace(line, phrases=tuple(placed))


def _is_under(rule: Box, phrase: Phrase, line: Line, under: Sequence[Line]) -> bool:
    """Whether a rule is under a heading, and neither under another of its line, nor under headings below it."""

    def over(other: Line) -> list[Phrase]:
        return [each for each in other.phrases if rule[0] <= each.middle <= rule[2]]

    next_base = next((lower.base for lower in under if over(lower)), line.base)
    return over(line) == [phrase] and line.base < rule[1] < next_base - 0.4 * line.size


def _runs(
    line: Line, columns: Columns, bounds: Sequence[tuple[int, int] | None], below: Sequence[frozenset[int]]
) -> Sequence[tuple[int, int]]:
    """For each phrase its columns, so that all together are over as many as possible, and each is in their middle."""
    best: dict[int, tuple[float, tuple[tuple[int, int], ...]]] = {-1: (0.0, ())}
    headed = frozenset[int]().union(*below)
    for phrase, bound, mine in zip(line.phrases, bounds, below, strict=True):
        after: dict[int, tuple[float, tuple[tuple[int, int], ...]]] = {}
        options = _options(phrase, columns, bound, mine)
        off = min(abs(columns[first][0] - phrase.left) for _, first, _ in options)
        is_left = phrase.first > 0 and off < 0.3 * line.size < 0.4 * min(cost for cost, _, _ in options)
        for cost, first, last in options:
            if is_left:
                cost = abs(columns[first][0] - phrase.left)
            for end, (so_far, runs) in best.items():
                if end < first:
                    bare = sum(column in headed for column in range(end + 1, first))
                    total = so_far + cost + 0.6 * line.size * bare
                    if last not in after or total < after[last][0]:
                        after[last] = total, (*runs, (first, last))
        if not after:
            return [(phrase.first, phrase.last) for phrase in line.phrases]
        best = after
    bare_ends = {end: sum(column in headed for column in range(end + 1, len(columns))) for end in best}
    return min((cost + 0.6 * line.size * bare_ends[end], runs) for end, (cost, runs) in best.items())[1]


def _options(
    phrase: Phrase, columns: Columns, bound: tuple[int, int] | None, below: frozenset[int]
) -> list[tuple[float, int, int]]:
    if bound:
        return [(0.0, *bound)]
    if not any(column in below for column in range(phrase.first, phrase.last + 1)):
        return [(0.0, phrase.first, phrase.last)]  # the last head of its columns, whatever is beside it
    options = []
    for first in range(phrase.last + 1):
        for last in range(max(first, phrase.first), len(columns)):
            added = (column for column in range(first, last + 1) if not phrase.first <= column <= phrase.last)
            if (first <= phrase.first or last >= phrase.last) and all(column in below for column in added):
                covers = columns[first][0] <= phrase.right and columns[last][1] >= phrase.left
                if covers and first <= phrase.first and last >= phrase.last:
                    middle = (columns[first][0] + columns[last][1]) / 2
                    options.append((abs(middle - phrase.middle), first, last))
    return options or [(0.0, phrase.first, phrase.last)]
