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
    upright = _fits(cells, found, rows, columns, turned=False)
    turned = _fits(cells, found, rows, columns, turned=True)
    fits = upright if len(upright) >= len(turned) else turned
    return fits | _loose(cells, found, fits)


def _loose(
    cells: Sequence[Cell], found: Mapping[int, tuple[_Found, ...]], fits: Mapping[int, Searched]
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
                if place not in fits and rare and any(_may_be(cell, one) for one in here):
                    loose.setdefault(place, passages[key])
    return loose


def _may_be(cell: Cell, one: _Found) -> bool:
    """Whether no label speaks against a number in a table, whichever way it lies; figures have no rows."""
    if one.passage.passage.kind != "table":
        return True
    return any(_labelled(one, *words) is not False for words in ((cell.label, cell.head), (cell.head, cell.label)))


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
            labelled = _labelled(one, *((cell.head, cell.label) if turned else (cell.label, cell.head)))
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


def _labelled(one: _Found, label_words: str, head_words: str) -> bool | None:
    """Whether the row of the passage has words of the label; None if the passage has none of them anywhere."""
    label, head = words_of(label_words), words_of(head_words)
    words = one.passage.words
    telling = (word for word in head & words[one.at.row] if sum(word in row for row in words) <= len(words) / 2)
    if any(telling):
        return True
    alike = [len(label & row) for row in words[:-1]]
    most = max(alike, default=0)
    if not most:
        return None
    rows = {row for row, count in enumerate(alike) if count == most}
    if rows & {other.row for other in one.passage.occurrences}:
        return one.at.row in rows
    return bool(rows & {one.at.row - 1, one.at.row + 1})  # a label may stand beside several rows
