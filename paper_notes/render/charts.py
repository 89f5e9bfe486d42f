"""The values of plots: heights of columns, lengths of bars, and which of their labels have room."""

from __future__ import annotations

import datetime
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from paper_notes.languages.language import Words
from paper_notes.languages.text import Text
from paper_notes.render.labels import joined
from paper_notes.values import Struct

FEWEST = 3
"""Points of a plot at least: with fewer, it says no more than its numbers and is not drawn."""
YEARS = 5
"""Rows of the calendar at most."""
LEVELS = 4
_PHONE, _WIDE = 350, 700
"""Least width of a plot in pixels: on a phone, and of a wide plot by the style sheet."""
_SIGN = 7
"""Width of a digit in pixels, rounded up."""


Room = Literal["always", "wide", "never"]
"""Where labels of neighbouring columns have room: everywhere, in wide plots, or nowhere."""


class Column(Struct, frozen=True):
    """A column of a plot."""

    tick: str
    """Label below the column."""
    tick_room: Room
    value: str
    """Label above the column; empty for 0."""
    value_room: Room
    heights: tuple[float, ...]
    """Height of each series in per cent of the highest column."""
    tip: Text
    """Tooltip with all values."""


class Segment(Struct, frozen=True):
    """A part of a bar."""

    series: int
    value: str
    width: float
    """Width in per cent."""
    name: Text
    """Name of the series."""


class Bar(Struct, frozen=True):
    """A row of a bar plot."""

    name: Text
    segments: tuple[Segment, ...]
    total: str


Week = tuple[int, str]
"""A cell of the calendar: its level, 0 for nothing to 4 for the most, and dates and number of notes, if any."""


class Calendar(Struct, frozen=True):
    """Numbers of notes by week."""

    about: Text
    months: tuple[tuple[int, Text], ...]
    """The week in which each month begins, and its name."""
    years: tuple[tuple[str, tuple[Week, ...]], ...]


class Datum(Struct, frozen=True):
    """A point of a plot: its name, the value of each series, and the label below its column."""

    name: Text
    values: tuple[int, ...]
    tick: str = ""
    major: bool = True
    """Its label has priority if there is no room for all."""


def enough(data: Sequence[Datum]) -> bool:
    """Whether there are enough points for a drawing."""
    return sum(any(datum.values) for datum in data) >= FEWEST


def columns(data: Sequence[Datum], series: Sequence[Text], words: Words) -> tuple[Column, ...]:
    """Columns from left to right, with stacked series. Tooltips show numbers that have no room."""
    totals = [sum(datum.values) for datum in data]
    top = max(totals)
    values = room([short(total) for total in totals if total], len(data))
    ticks = room([datum.tick for datum in data], len(data))
    major = [datum for datum in data if datum.major]
    while room([datum.tick for datum in major], len(major)) != "always":
        major = major[::-2][::-1]
    return tuple(
        Column(
            tick=datum.tick,
            tick_room="always" if datum in major else ticks,
            value=short(total) if total else "",
            value_room="always" if index == totals.index(top) else values,
            heights=tuple(round(100 * value / top, 1) for value in datum.values),
            tip=_tip(datum, series, words),
        )
        for index, (datum, total) in enumerate(zip(data, totals, strict=True))
    )


def room(words: Sequence[str], places: int) -> Room:
    """Where labels of so many columns have room, with a gap between neighbours."""
    beside = itertools.pairwise(map(len, words)) if len(words) > 1 else [(len(word),) * 2 for word in words]
    needed = places * (max((sum(pair) / 2 for pair in beside), default=0) * _SIGN + 4)
    return "always" if needed <= _PHONE else "wide" if needed <= _WIDE else "never"


def bars(data: Sequence[Datum], series: Sequence[Text], *, shares: bool = False) -> tuple[Bar, ...]:
    """A bar for each point: as long as its value, or with `shares` all of equal length."""
    longest = max((sum(datum.values) for datum in data), default=0)
    return tuple(
        Bar(
            name=datum.name,
            segments=tuple(
                Segment(index, f"{value:,}", round(100 * value / (sum(datum.values) if shares else longest), 1), name)
                for index, (value, name) in enumerate(zip(datum.values, series, strict=True))
                if value
            ),
            total=f"{sum(datum.values):,}",
        )
        for datum in data
    )


def calendar(days: Iterable[datetime.date], words: Words) -> Calendar | None:
    """The weeks of the last years up to the newest day, a row for each year; None if too few weeks have notes."""
    weeks = Counter(day.isocalendar()[:2] for day in days)
    if len(weeks) < FEWEST:
        return None
    newest = max(weeks)
    years = range(max(min(weeks)[0], newest[0] - YEARS + 1), newest[0] + 1)
    weeks = Counter({week: number for week, number in weeks.items() if week[0] in years})
    most = max(weeks.values())
    rows = tuple(
        (
            str(year),
            tuple(
                _week(year, week, weeks[year, week], most)
                for week in range(1, datetime.date(year, 12, 28).isocalendar().week + 1)
                if (year, week) <= newest
            ),
        )
        for year in years
    )
    busiest = min(week for week, number in weeks.items() if number == most)
    monday = datetime.date.fromisocalendar(*busiest, 1).isoformat()
    total, first, last = sum(weeks.values()), str(years[0]), str(years[-1])
    about = words("label.calendar", first=first, last=last, total=total, monday=monday, most=most)
    months = tuple(  # `10月` without a space: four columns of the calendar have no room for it
        (
            datetime.date(years[-1], month, 4).isocalendar().week,
            words(f"label.month-{month}").map(lambda name: name.replace(" ", "")),
        )
        for month in range(1, 13)
    )
    return Calendar(about, months, rows)


def _week(year: int, week: int, count: int, most: int) -> Week:
    monday, sunday = (datetime.date.fromisocalendar(year, week, day) for day in (1, 7))
    tip = f"{monday.isoformat()} – {sunday.isoformat()[5:]}: {count:,}" if count else ""
    return math.ceil(LEVELS * count / most), tip


def short(value: int) -> str:
    """A number in short form: `950`, `1.2k`, `40k`, `3M`."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:.1f}".removesuffix(".0") + unit
    return str(value)


def _tip(datum: Datum, series: Sequence[Text], words: Words) -> Text:
    if len(datum.values) == 1:
        [value] = datum.values
        return datum.name.map(lambda name: f"{name}: {value:,}")
    pairs = [(value, name) for value, name in zip(datum.values, series, strict=True) if value]
    parts = [words("label.column-part", number=value, name=name) for value, name in pairs]
    return words("label.column", name=datum.name, parts=joined(words, *parts) if parts else "0")
