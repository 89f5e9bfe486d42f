"""Tables of a note against tables and figures of a paper: each number in the row and column of its neighbours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paper_notes.features.verify.paper import Occurrence, Searched, words_of
from paper_notes.features.verify.statements import Number

_NEAR = 15.0
"""Numbers whose middles are this close, in points, are in one column."""
_STRICT = 0.6
"""Where this part of the numbers fits, the others have to fit as well."""
_RARE, _LONE = 0.15, 0.1
_SHARE = 0.5
"""The part of its neighbours that must be in the same row or column as a number."""


@dataclass(frozen=True, slots=True)
class TableNumber:
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
    near: bool
    """Whether that is named nearby, and not just anywhere in the section."""


@dataclass(frozen=True, slots=True)
class _Match:
    passage: Searched
    at: Occurrence


def fitting(cells: Sequence[TableNumber]) -> Mapping[int, Searched]:
    """The passages in which numbers are where their neighbours are, by the place among the cells."""
    found = {place: _all(cell) for place, cell in enumerate(cells)}
    rows, columns = _groups(cells, 0), _groups(cells, 1)
    labels = _Labels(cells)
    upright = _fits(cells, found, rows, columns, labels, turned=False)
    turned = _fits(cells, found, rows, columns, labels, turned=True)
    fits = upright if len(upright) >= len(turned) else turned
    return fits | _loose(cells, found, fits, labels)


def _loose(
    cells: Sequence[TableNumber],
    found: Mapping[int, tuple[_Match, ...]],
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
                rare = cell.near and passages[key].chance(cell.number.figures) <= _RARE
                here = [one for one in found[place] if one.passage is passages[key]]
                if place not in fits and rare and any(labels.allow(cell, one) for one in here):
                    loose.setdefault(place, passages[key])
    return loose


def _groups(cells: Sequence[TableNumber], axis: int) -> Mapping[object, list[int]]:
    groups: dict[object, list[int]] = defaultdict(list)
    for place, cell in enumerate(cells):
        groups[cell.row if axis == 0 else (cell.column, cell.part)].append(place)
    return groups


def _all(cell: TableNumber) -> tuple[_Match, ...]:
    found = [_Match(passage, one) for passage in cell.passages for one in passage.find(cell.number.figures)]
    in_grids = [one for one in found if one.passage.passage.kind in ("table", "figure")]
    return tuple(in_grids or found)  # lines of text have no columns


def _fits(
    cells: Sequence[TableNumber],
    found: Mapping[int, tuple[_Match, ...]],
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
            row, column = _support(one, beside, found, in_row=not turned), _support(one, above, found, in_row=turned)
            alike = [other for other in beside if cells[other].part == cell.part]
            row = max(row, _support(one, alike, found, in_row=not turned), key=lambda seen: seen.share)
            seen = (column, row) if turned else (row, column)
            said = labels.speak(cell, one, turned=turned), labels.head(cell, one, turned=turned)
            if _holds(cell, one, *seen, *said, labels.is_own(cell, turned=turned)):
                fits[place] = one.passage
                break
    return fits


@dataclass(frozen=True, slots=True)
class _Support:
    """How many neighbours of a number are in the same row or column of the passage as it is."""

    same: int
    possible: int
    """How many are in the passage at all."""
    best: int
    """How many of them are together in a row or column, whichever it is."""

    ambiguous: bool
    """Whether as many are together somewhere else."""

    @property
    def share(self) -> float:
        return self.same / max(self.possible, 1)

    @property
    def holds(self) -> bool:
        return self.same >= max(1, _SHARE * self.possible)

    @property
    def is_clear(self) -> bool:
        """Whether the neighbours agree on where they are."""
        return self.possible > 1 and self.best >= max(2, _SHARE * self.possible)


def _support(one: _Match, others: Sequence[int], found: Mapping[int, tuple[_Match, ...]], *, in_row: bool) -> _Support:
    same = possible = 0
    together: dict[int, int] = defaultdict(int)
    for other in others:
        there = [item.at for item in found[other] if item.passage is one.passage and item.at != one.at]
        possible += bool(there)
        if in_row:
            same += any(at.row == one.at.row for at in there)
            keys = {at.row for at in there}
        else:
            same += any(abs(at.middle - one.at.middle) <= _NEAR for at in there)
            keys = {round(at.middle / _NEAR) for at in there}
        for key in keys:
            together[key] += 1
    here = one.at.row if in_row else round(one.at.middle / _NEAR)
    elsewhere = max((count for key, count in together.items() if abs(key - here) > (not in_row)), default=0)
    return _Support(same, possible, max(together.values(), default=0), elsewhere >= same)


def _holds(
    cell: TableNumber,
    one: _Match,
    row: _Support,
    column: _Support,
    labelled: bool | None,
    headed: bool | None,
    own_label: bool,
) -> bool:
    """Whether a number is in its row, by its neighbours or its label, and in its column."""
    if labelled is False and not (row.holds and row.is_clear and not row.ambiguous):
        return False
    in_row = row.holds or (labelled is True and (own_label or not row.is_clear))
    if not row.possible:
        in_row = labelled is True or (labelled is None and column.holds)
    in_column = column.holds or headed is True if column.possible else headed is not False
    if row.possible or column.possible:
        return in_row and in_column
    return labelled is True or one.passage.chance(cell.number.figures) < _LONE


class _Labels:
    """The rows of passages that have the labels of a table's rows, or the heads of its columns."""

    def __init__(self, cells: Sequence[TableNumber]) -> None:
        self._rows = {cell.row: words_of(cell.label) for cell in cells}
        self._columns = {cell.column: words_of(cell.head) for cell in cells}
        self._widths: dict[tuple[int, bool], Mapping[int, tuple[float, ...]]] = {}
        self._anchors: dict[tuple[int, bool], Mapping[int, frozenset[int]]] = {}

    def speak(self, cell: TableNumber, one: _Match, *, turned: bool) -> bool | None:
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
        near = [rows for row, rows in anchors.items() if abs(row - one.at.row) == nearest]
        if not any(own in rows for rows in near):
            return False
        return True if any(rows == {own} for rows in near) else None

    def head(self, cell: TableNumber, one: _Match, *, turned: bool) -> bool | None:
        """Whether the words above or below a number are those of the cell's column; None if they are nowhere."""
        own = cell.row if turned else cell.column
        places = self._across(one.passage, turned=turned)
        if not places.get(own) or len(places) < 2:
            return None
        nearest = {key: min(abs(place - one.at.middle) for place in found) for key, found in places.items() if found}
        others = min(distance for key, distance in nearest.items() if key != own)
        return None if abs(others - nearest[own]) < _NEAR else nearest[own] < others

    def _across(self, passage: Searched, *, turned: bool) -> Mapping[int, tuple[float, ...]]:
        """For columns of the table (or its rows), where the passage has words that no other of them has."""
        key = id(passage), turned
        if key not in self._widths:
            labels = self._rows if turned else self._columns
            found: dict[int, list[float]] = defaultdict(list)
            for row in passage.passage.rows if passage.passage.kind == "table" else ():
                for word in row.words:
                    own = [number for number, label in labels.items() if label & words_of(word.text)]
                    if len(own) == 1:
                        found[own[0]].append((word.left + word.right) / 2)
            self._widths[key] = {number: tuple(places) for number, places in found.items()}
        return self._widths[key]

    def is_own(self, cell: TableNumber, *, turned: bool) -> bool:
        """Whether no other row (or column) of the table has the same label."""
        labels = self._columns if turned else self._rows
        own = labels[cell.column if turned else cell.row]
        return list(labels.values()).count(own) == 1

    def allow(self, cell: TableNumber, one: _Match) -> bool:
        """Whether no label speaks against a number, whichever way the table lies."""
        return all(self.speak(cell, one, turned=turned) is not False for turned in (False, True))

    def _of(self, passage: Searched, *, turned: bool) -> Mapping[int, frozenset[int]]:
        """For rows of the passage, the rows (or columns) of the table whose labels they have most words of."""
        key = id(passage), turned
        if key not in self._anchors:
            anchors: dict[int, set[int]] = defaultdict(set)
            numbered = {one.row for one in passage.occurrences}
            legend = passage.passage.kind == "figure"  # its words are beside no number
            for own, label in (self._columns if turned else self._rows).items():
                alike = [len(label & row) for row in passage.words[:-1]]
                for row, count in enumerate(alike):
                    if count and count == max(alike) and (row in numbered or not legend):
                        anchors[row].add(own)
            self._anchors[key] = {row: frozenset(found) for row, found in anchors.items()}
        return self._anchors[key]


def _is_telling(word: str, rows: Sequence[frozenset[str]]) -> bool:
    return 2 * sum(word in row for row in rows) <= len(rows)
