"""`figure-7.csv` beside a note: what its writer read off a figure of the paper; and arithmetic with such readings.

point,value,how_read
step 1,0.71,printed above the bar
step 2,0.64,"between two lines, at a quarter"
"""

from __future__ import annotations

import csv
import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType

from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.verify.arithmetic import MAX_LENGTH
from paper_notes.features.verify.bindings import NUMBER, CellBinding, FigureBinding, folded_label, parse_binding
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source, checked_text
from paper_notes.values import Struct

_NAME = regex(rf"figure-({NUMBER})\.csv")
_VALUE = regex(r"[-+−]?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})")
_COLUMNS = ("point", "value", "how_read")
_HINT = f"begin it with the line {','.join(_COLUMNS)}; each line below is a point, its number, and how it was read"
_OF_ALL: Mapping[str, Callable[[Sequence[float]], float]] = MappingProxyType(
    {"product": math.prod, "sum": math.fsum, "mean": statistics.fmean, "min": min, "max": max}
)
"""What can be computed of all readings of a figure."""
REFERENCE = regex(
    rf"\b(?P<function>{'|'.join(_OF_ALL)})\(F(?P<figure>{NUMBER})\)|(?:@[^\s,]+,?\s+)?\b[FT](?:{NUMBER})\s*\[[^\]]+\]"
)
"""A cell, a reading, or all readings of a figure, in an expression."""


class FigureReading(Struct, frozen=True):
    """What was read of a point of a figure."""

    point: str
    value: Decimal
    how_read: str
    line: int
    """In the file, from 1."""


class FigureReadings(Struct, frozen=True):
    """The readings of a figure, in their order."""

    figure: str
    readings: tuple[FigureReading, ...]

    def at(self, point: str) -> FigureReading | None:
        """The reading of a point, however its name is spelled."""
        wanted = folded_label(point)
        return next((reading for reading in self.readings if folded_label(reading.point) == wanted), None)


Readings = Mapping[str, FigureReadings]
"""By the number of the figure."""


def readings_of(files: Mapping[str, Source]) -> tuple[Readings, tuple[Diagnostic, ...]]:
    """The readings beside a note, and what is wrong with their files."""
    readings: dict[str, FigureReadings] = {}
    problems: list[Diagnostic] = []
    for name, source in files.items():
        if match := _NAME.fullmatch(name):
            rows, wrong = _read(source)
            readings[match[1]] = FigureReadings(match[1], rows)
            problems += wrong
    return readings, tuple(problems)


def _read(source: Source) -> tuple[tuple[FigureReading, ...], list[Diagnostic]]:
    readings: dict[str, FigureReading] = {}
    problems: list[Diagnostic] = []
    checked = checked_text(source)
    if isinstance(checked, Diagnostic):
        return (), [checked]
    lines = enumerate(source.text.splitlines(), 1)
    rows = [(line, text) for line, text in lines if text.strip(" ,\t") and not text.startswith("#")]
    head, head_text = rows[0] if rows else (1, "")
    if tuple(_cells(head_text)) != _COLUMNS:
        message = f"this is not a table of readings: it begins with {head_text.strip()[:60] or 'nothing'}"
        return (), [Diagnostic(Location(source.path, head, 1), "bad-value", message, _HINT)]
    for line, text in rows[1:]:
        cells = _cells(text)
        if problem := _problem(cells, readings):
            column = 1
            for cell in cells[: problem[0]]:
                column = text.index(",", column + len(cell) - 1) + 2
            problems.append(Diagnostic(Location(source.path, line, column), "bad-value", *problem[1:]))
        else:
            readings[folded_label(cells[0])] = FigureReading(
                cells[0], Decimal(cells[1].replace("−", "-")), cells[2], line
            )
    return tuple(readings.values()), problems


def _cells(line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line]), [])]
    except csv.Error:  # a cell of more characters than the library reads
        return []


def _problem(cells: Sequence[str], readings: Mapping[str, FigureReading]) -> tuple[int, str, str] | None:
    """What is wrong with a row: the column, the message, the hint."""
    if len(cells) != len(_COLUMNS):
        return 0, f"{len(cells)} columns instead of {len(_COLUMNS)}", "put a text with a comma in quotation marks"
    if not cells[0]:
        return 0, "the point has no name", _HINT
    if not _VALUE.fullmatch(cells[1]):
        return 1, f'"{cells[1]}" is not a number', "write it as 0.71, without a unit"
    if before := readings.get(folded_label(cells[0])):
        return 0, f'"{cells[0]}" is in line {before.line}, too', "give each point a name of its own"
    return None if cells[2] else (2, "the row does not say how it was read", "such as: printed; bar against its axis")


class NoReading(LookupError):
    """An expression names what has no number: the message, and the hint."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def bindings_in(expression: str) -> tuple[CellBinding | FigureBinding, ...]:
    """The cells and readings that an expression names."""
    written = (parse_binding(match[0]) for match in REFERENCE.finditer(expression[:MAX_LENGTH]))
    return tuple(binding for binding in written if isinstance(binding, CellBinding | FigureBinding))


def is_bound(expression: str) -> bool:
    """Whether it names cells or readings."""
    return bool(REFERENCE.search(expression[:MAX_LENGTH]))


def without_bindings(expression: str) -> str:
    """The expression without the cells and readings that it names."""
    return REFERENCE.sub(" ", expression[:MAX_LENGTH])


def with_numbers(
    expression: str, readings: Readings, cell: Callable[[CellBinding], Decimal | None] = lambda _binding: None
) -> str:
    """The expression with numbers for `F7[step 3]`, `product(F7)` and `T1[Green tea, Score]`. Raises NoReading."""

    def number(match: re.Match[str]) -> str:
        binding, value = parse_binding(match[0]), None
        if isinstance(binding, CellBinding):
            value = cell(binding)
        elif figure := binding.figure if isinstance(binding, FigureBinding) else match["figure"]:
            known = readings.get(figure)
            if known is None or not known.readings:
                raise NoReading(f"no readings of figure {figure} are beside the note", f"write figure-{figure}.csv")
            if isinstance(binding, FigureBinding):
                reading = known.at(binding.point)
                value = reading.value if reading else None
            else:
                every = [float(reading.value) for reading in known.readings]
                value = Decimal(repr(_OF_ALL[match["function"]](every)))
        if value is None:
            raise NoReading(
                f"{match[0]} has no number", "name a point of the figure, or the row and the column of a cell"
            )
        return f"({value:f})" if value < 0 else f"{value:f}"

    return REFERENCE.sub(number, expression) if len(expression) <= MAX_LENGTH else expression
