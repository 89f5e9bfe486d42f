"""The views of the statistics: plots, bars, the calendar of weeks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paper_notes.render.views import Bi, Chrome

Room = Literal["always", "wide", "never"]
"""Where a word beside others has room: everywhere, in wide plots, or nowhere."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a plot."""

    tick: str
    """Below it."""
    tick_room: Room
    value: str
    """Above it; empty for 0."""
    value_room: Room
    heights: tuple[float, ...]
    """Of each series, in per cent of the highest column."""
    tip: Bi
    """All that it says, for who points at it."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Columns over time, and the same numbers as a table."""

    id: str
    title: Bi
    about: Bi
    """The plot in a sentence, for those who cannot see it."""
    wide: bool
    key: tuple[tuple[Bi, str], ...]
    """The series and how many there are of each; empty where there is one only."""
    columns: tuple[Column, ...]
    head: tuple[Bi, ...]
    rows: tuple[tuple[Bi, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar."""

    series: int
    value: str
    width: float
    """In per cent."""
    name: Bi
    """Of the series."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a plot with names."""

    name: Bi
    segments: tuple[Segment, ...]
    total: str


@dataclass(frozen=True, slots=True)
class BarPlot:
    """Bars with their names and values: a table, with bars if it has enough rows."""

    id: str
    title: Bi
    key: tuple[tuple[Bi, str], ...]
    """As for a `Plot`."""
    drawn: bool
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Week:
    """A cell of the calendar."""

    level: int
    """0 for nothing, to 4 for the most."""
    tip: str
    """Its days and number; empty for nothing."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """When notes were written, week by week."""

    about: Bi
    months: tuple[tuple[int, Bi], ...]
    """The week each begins in, and its name."""
    years: tuple[tuple[str, tuple[Week, ...]], ...]


@dataclass(frozen=True, slots=True)
class StatsPage:
    """`stats.html`."""

    chrome: Chrome
    numbers: tuple[tuple[Bi, Bi], ...]
    """The number, and what it counts."""
    translated: Bi | None
    """In words, where there is nothing to translate."""
    calendar: Calendar | None
    plots: tuple[Plot, ...]
    bars: tuple[BarPlot, ...]
