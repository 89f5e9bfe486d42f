"""Tables of a note against tables and figures of a paper: each number in the row and column of its neighbours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paper_notes.features.verify.index import Occurrence, Searched, words_of
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
    matches = {index: _all(cell) for index, cell in enumerate(cells)}
    rows, columns = _groups(cells, 0), _groups(cells, 1)
    labels = _Labels(cells)
    upright = _fits(cells, matches, rows, columns, labels, turned=False)
    turned = _fits(cells, matches, rows, columns, labels, turned=True)
    fits = upright if len(upright) >= len(turned) else turned
    return fits | _loose(cells, matches, fits, labels)


def _loose(
    cells: Sequence[TableNumber],
    matches: Mapping[int, tuple[_Match, ...]],
    fits: Mapping[int, Searched],
    labels: _Labels,
) -> dict[int, Searched]:
    """The rest of passages whose layout is not that of the table, as are most figures: rare numbers are enough."""
    indexes: dict[int, list[int]] = defaultdict(list)
    passages: dict[int, Searched] = {}
    for index in matches:
        for passage in {id(match.passage): match.passage for match in matches[index]}.values():
            indexes[id(passage)].append(index)
            passages[id(passage)] = passage
    loose: dict[int, Searched] = {}
    for key, in_passage in indexes.items():
        fit = sum(fits.get(index) is passages[key] for index in in_passage)
        if fit < _STRICT * len(in_passage):
            for index in in_passage:
                cell = cells[index]
                rare = cell.near and passages[key].chance(cell.number.figures) <= _RARE
                here = [match for match in matches[index] if match.passage is passages[key]]
                if index not in fits and rare and any(labels.allow(cell, match) for match in here):
                    loose.setdefault(index, passages[key])
    return loose


def _groups(cells: Sequence[TableNumber], axis: int) -> Mapping[object, list[int]]:
    groups: dict[object, list[int]] = defaultdict(list)
    for index, cell in enumerate(cells):
        groups[cell.row if axis == 0 else (cell.column, cell.part)].append(index)
    return groups


def _all(cell: TableNumber) -> tuple[_Match, ...]:
    matches = [_Match(passage, match) for passage in cell.passages for match in passage.find(cell.number.figures)]
    in_grids = [match for match in matches if match.passage.passage.kind in ("table", "figure")]
    return tuple(in_grids or matches)  # lines of text have no columns


def _fits(
    cells: Sequence[TableNumber],
    matches: Mapping[int, tuple[_Match, ...]],
    rows: Mapping[object, list[int]],
    columns: Mapping[object, list[int]],
    labels: _Labels,
    *,
    turned: bool,
) -> dict[int, Searched]:
    fits: dict[int, Searched] = {}
    for index, cell in enumerate(cells):
        beside = [other for other in rows[cell.row] if cells[other].column != cell.column or other != index]
        above = [other for other in columns[cell.column, cell.part] if other != index]
        for match in matches[index]:
            row, column = (
                _support(match, beside, matches, in_row=not turned),
                _support(match, above, matches, in_row=turned),
            )
            alike = [other for other in beside if cells[other].part == cell.part]
            row = max(row, _support(match, alike, matches, in_row=not turned), key=lambda seen: seen.share)
            seen = (column, row) if turned else (row, column)
            said = labels.speak(cell, match, turned=turned), labels.head(cell, match, turned=turned)
            if _holds(cell, match, *seen, *said, labels.is_own(cell, turned=turned)):
                fits[index] = match.passage
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


def _support(
    match: _Match, others: Sequence[int], matches: Mapping[int, tuple[_Match, ...]], *, in_row: bool
) -> _Support:
    same = possible = 0
    together: dict[int, int] = defaultdict(int)
    for other in others:
        occurrences = [item.at for item in matches[other] if item.passage is match.passage and item.at != match.at]
        possible += bool(occurrences)
        if in_row:
            same += any(at.row == match.at.row for at in occurrences)
            keys = {at.row for at in occurrences}
        else:
            same += any(abs(at.middle - match.at.middle) <= _NEAR for at in occurrences)
            keys = {round(at.middle / _NEAR) for at in occurrences}
        for key in keys:
            together[key] += 1
    here = match.at.row if in_row else round(match.at.middle / _NEAR)
    elsewhere = max((count for key, count in together.items() if abs(key - here) > (not in_row)), default=0)
    return _Support(same, possible, max(together.values(), default=0), elsewhere >= same)


def _holds(
    cell: TableNumber,
    match: _Match,
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
    return labelled is True or match.passage.chance(cell.number.figures) < _LONE


class _Labels:
    """The rows of passages that have the labels of a table's rows, or the heads of its columns."""

    def __init__(self, cells: Sequence[TableNumber]) -> None:
        self._rows = {cell.row: words_of(cell.label) for cell in cells}
        self._columns = {cell.column: words_of(cell.head) for cell in cells}
        self._widths: dict[tuple[int, bool], Mapping[int, tuple[float, ...]]] = {}
        self._anchors: dict[tuple[int, bool], Mapping[int, frozenset[int]]] = {}

    def speak(self, cell: TableNumber, match: _Match, *, turned: bool) -> bool | None:
        """Whether the row of a passage is the one of the cell's label; None if the passage has no such label.

        A label may stand beside several rows: a row belongs to the nearest.
        """
        words = match.passage.words
        head = self._columns[cell.column]
        if not turned and any(_is_telling(word, words) for word in head & words[match.at.row]):
            return True
        anchors = self._of(match.passage, turned=turned)
        own = cell.column if turned else cell.row
        if not any(own in rows for rows in anchors.values()):
            return None
        nearest = min(abs(row - match.at.row) for row in anchors)
        near = [rows for row, rows in anchors.items() if abs(row - match.at.row) == nearest]
        if not any(own in rows for rows in near):
            return False
        return True if any(rows == {own} for rows in near) else None

    def head(self, cell: TableNumber, match: _Match, *, turned: bool) -> bool | None:
        """Whether the words above or below a number are those of the cell's column; None if they are nowhere."""
        own = cell.row if turned else cell.column
        by_column = self._across(match.passage, turned=turned)
        if not by_column.get(own) or len(by_column) < 2:
            return None
        nearest = {
            key: min(abs(middle - match.at.middle) for middle in middles)
            for key, middles in by_column.items()
            if middles
        }
        others = min(distance for key, distance in nearest.items() if key != own)
        return None if abs(others - nearest[own]) < _NEAR else nearest[own] < others

    def _across(self, passage: Searched, *, turned: bool) -> Mapping[int, tuple[float, ...]]:
        """For columns of the table (or its rows), where the passage has words that no other of them has."""
        key = id(passage), turned
        if key not in self._widths:
            labels = self._rows if turned else self._columns
            by_column: dict[int, list[float]] = defaultdict(list)
            for row in passage.passage.rows if passage.passage.kind == "table" else ():
                for word in row.words:
                    own = [number for number, label in labels.items() if label & words_of(word.text)]
                    if len(own) == 1:
                        by_column[own[0]].append((word.left + word.right) / 2)
            self._widths[key] = {number: tuple(middles) for number, middles in by_column.items()}
        return self._widths[key]

    def is_own(self, cell: TableNumber, *, turned: bool) -> bool:
        """Whether no other row (or column) of the table has the same label."""
        labels = self._columns if turned else self._rows
        own = labels[cell.column if turned else cell.row]
        return list(labels.values()).count(own) == 1

    def allow(self, cell: TableNumber, match: _Match) -> bool:
        """Whether no label speaks against a number, whichever way the table lies."""
        return all(self.speak(cell, match, turned=turned) is not False for turned in (False, True))

    def _of(self, passage: Searched, *, turned: bool) -> Mapping[int, frozenset[int]]:
        """For rows of the passage, the rows (or columns) of the table whose labels they have most words of."""
        key = id(passage), turned
        if key not in self._anchors:
            anchors: dict[int, set[int]] = defaultdict(set)
            numbered = {occurrence.row for occurrence in passage.occurrences}
            legend = passage.passage.kind == "figure"  # its words are beside no number
            for own, label in (self._columns if turned else self._rows).items():
                alike = [len(label & row) for row in passage.words[:-1]]
                for row, count in enumerate(alike):
                    if count and count == max(alike) and (row in numbered or not legend):
                        anchors[row].add(own)
            self._anchors[key] = {row: frozenset(owners) for row, owners in anchors.items()}
        return self._anchors[key]


def _is_telling(word: str, rows: Sequence[frozenset[str]]) -> bool:
    return 2 * sum(word in row for row in rows) <= len(rows)
