"""Tables of a note against tables and figures of a paper: each number in the row and column of its neighbours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paper_notes.evidence.paper import Occurrence, Searched, words_of
from paper_notes.markdown.statements import Number

_NEAR = 15.0
"""Numbers whose middles are this close, in points, are in one column."""
_STRICT = 0.6
"""Where this part of the numbers fits, the others have to fit as well."""
_RARE = 0.15
_SHARE = 0.5
"""The part of its neighbours that must be in the same row or column as a number."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number in a table of a note."""

    row: int
    column: int
    part: int
    """The how many-th number of its cell."""
    number: Number
    label: str
    """The words of its row."""
    head: str
    """The words at the head of its column."""
    passages: tuple[Searched, ...]
    """Where it may be."""


@dataclass(frozen=True, slots=True)
class _Found:
    passage: Searched
    at: Occurrence


def fitting(cells: Sequence[Cell]) -> Mapping[int, Searched]:
    """The passages in which numbers are where their neighbours are, by the place among the cells."""
    found = {place: _all(cell) for place, cell in enumerate(cells)}
    rows, columns = _groups(cells, 0), _groups(cells, 1)
    labels = _Labels(cells)
    upright = _fits(cells, found, rows, columns, labels, turned=False)
    turned = _fits(cells, found, rows, columns, labels, turned=True)
    fits = upright if len(upright) >= len(turned) else turned
    return fits | _loose(cells, found, fits, labels)


def _loose(
    cells: Sequence[Cell],
    found: Mapping[int, tuple[_Found, ...]],
    fits: Mapping[int, Searched],
    labels: _Labels,
) -> dict[int, Searched]:
    """The rest of passages whose layout is not that of the table, as are most figures: rare numbers are enough."""
    there: dict[int, list[int]] = defaultdict(list)
    passages: dict[int, Searched] = {}
    for place in found:
        for passage in {id(one.passage): one.passage for one in found[place]}.values():
            there[id(passage)].append(place)
            passages[id(passage)] = passage
    loose: dict[int, Searched] = {}
    for key, places in there.items():
        fit = sum(fits.get(place) is passages[key] for place in places)
        if fit < _STRICT * len(places):
            for place in places:
                cell = cells[place]
                rare = passages[key].chance(cell.number.figures) <= _RARE
                here = [one for one in found[place] if one.passage is passages[key]]
                if place not in fits and rare and any(labels.allow(cell, one) for one in here):
                    loose.setdefault(place, passages[key])
    return loose


def _groups(cells: Sequence[Cell], axis: int) -> Mapping[object, list[int]]:
    groups: dict[object, list[int]] = defaultdict(list)
    for place, cell in enumerate(cells):
        groups[cell.row if axis == 0 else (cell.column, cell.part)].append(place)
    return groups


def _all(cell: Cell) -> tuple[_Found, ...]:
    return tuple(_Found(passage, one) for passage in cell.passages for one in passage.find(cell.number.figures))


def _fits(
    cells: Sequence[Cell],
    found: Mapping[int, tuple[_Found, ...]],
    rows: Mapping[object, list[int]],
    columns: Mapping[object, list[int]],
    labels: _Labels,
    *,
    turned: bool,
) -> dict[int, Searched]:
    fits: dict[int, Searched] = {}
    for place, cell in enumerate(cells):
        beside = [other for other in rows[cell.row] if cells[other].column != cell.column or other != place]
        above = [other for other in columns[cell.column, cell.part] if other != place]
        for one in found[place]:
            row = _support(one, beside, found, in_row=not turned)
            alike = [other for other in beside if cells[other].part == cell.part]
            row = max(row, _support(one, alike, found, in_row=not turned), key=lambda pair: pair[0] / max(pair[1], 1))
            column = _support(one, above, found, in_row=turned)
            labelled = labels.speak(cell, one, turned=turned)
            if _holds(cell, one, row, column, labelled):
                fits[place] = one.passage
                break
    return fits


def _support(
    one: _Found, others: Sequence[int], found: Mapping[int, tuple[_Found, ...]], *, in_row: bool
) -> tuple[int, int]:
    """How many of the others are in the same row (or column) of the passage, and how many could be."""
    same = possible = 0
    for other in others:
        there = [item for item in found[other] if item.passage is one.passage]
        possible += bool(there)
        if in_row:
            same += any(abs(item.at.row - one.at.row) <= 0 and item.at != one.at for item in there)
        else:
            same += any(abs(item.at.middle - one.at.middle) <= _NEAR and item.at != one.at for item in there)
    return same, possible


def _holds(cell: Cell, one: _Found, row: tuple[int, int], column: tuple[int, int], labelled: bool | None) -> bool:
    in_row = row[0] >= max(1, _SHARE * row[1]) if row[1] else labelled is not False
    in_column = column[0] >= max(1, _SHARE * column[1]) if column[1] else True
    if row[1] and column[1]:
        return in_column if labelled else in_row and in_column
    if row[1]:
        return in_row
    if column[1]:
        return in_column and in_row
    return labelled is True or one.passage.chance(cell.number.figures) < 0.1


class _Labels:
    """The rows of passages that have the labels of a table's rows, or the heads of its columns."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._rows = {cell.row: words_of(cell.label) for cell in cells}
        self._columns = {cell.column: words_of(cell.head) for cell in cells}
        self._anchors: dict[tuple[int, bool], Mapping[int, frozenset[int]]] = {}

    def speak(self, cell: Cell, one: _Found, *, turned: bool) -> bool | None:
        """Whether the row of a passage is the one of the cell's label; None if the passage has no such label.

        A label may stand beside several rows: a row belongs to the nearest.
        """
        words = one.passage.words
        head = self._columns[cell.column]
        if not turned and any(_is_telling(word, words) for word in head & words[one.at.row]):
            return True
        anchors = self._of(one.passage, turned=turned)
        own = cell.column if turned else cell.row
        if not any(own in rows for rows in anchors.values()):
            return None
        nearest = min(abs(row - one.at.row) for row in anchors)
        return any(own in rows for row, rows in anchors.items() if abs(row - one.at.row) == nearest)

    def allow(self, cell: Cell, one: _Found) -> bool:
        """Whether no label speaks against a number in a table, whichever way it lies; figures have no rows."""
        if one.passage.passage.kind != "table":
            return True
        return all(self.speak(cell, one, turned=turned) is not False for turned in (False, True))

    def _of(self, passage: Searched, *, turned: bool) -> Mapping[int, frozenset[int]]:
        """For rows of the passage, the rows (or columns) of the table whose labels they have most words of."""
        key = id(passage), turned
        if key not in self._anchors:
            anchors: dict[int, set[int]] = defaultdict(set)
            for own, label in (self._columns if turned else self._rows).items():
                alike = [len(label & row) for row in passage.words[:-1]]
                for row, count in enumerate(alike):
                    if count and count == max(alike):
                        anchors[row].add(own)
            self._anchors[key] = {row: frozenset(found) for row, found in anchors.items()}
        return self._anchors[key]


def _is_telling(word: str, rows: Sequence[frozenset[str]]) -> bool:
    return 2 * sum(word in row for row in rows) <= len(rows)
