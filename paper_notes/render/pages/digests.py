"""The page of all notes that list papers: a calendar of those of a day, and the others."""

from __future__ import annotations

import calendar
import datetime
import math
from collections.abc import Mapping
from functools import partial

from paper_notes.corpus.model import Note, Text
from paper_notes.render.charts import LEVELS
from paper_notes.render.links import list_path
from paper_notes.render.pages.collection import CollectionContext, CollectionPage, ListPart
from paper_notes.render.view_factory import NoteLink, PageContext, PageFrame
from paper_notes.values import Struct

FEW = 7
"""So many days are a list."""
LARGE = 800
"""With more days each year has a page of its own, and the first one shows the latest year."""


class ListedNote(Struct, frozen=True):
    """A note that lists papers."""

    note: NoteLink
    papers: Text
    """`25 papers`."""
    level: int
    """1 to 4, for the most papers of a day."""


class DayView(Struct, frozen=True):
    """A day of a month."""

    date: datetime.date
    notes: tuple[ListedNote, ...]


class MonthView(Struct, frozen=True):
    """A month in weeks that begin on Monday; None for days of other months."""

    id: str
    """`2026-01`."""
    name: Text
    weeks: tuple[tuple[DayView | None, ...], ...]


class YearView(Struct, frozen=True):
    """A year: the months that have papers, the latest first; none if they are on a page of their own."""

    year: int
    papers: Text
    months: tuple[MonthView, ...]
    href: str


class DigestsPage(Struct, frozen=True):
    """`digests.html`."""

    chrome: PageFrame
    count: Text
    weekdays: tuple[Text, ...]
    """From Monday on."""
    few: tuple[DayView, ...]
    """Days that are better told than shown, the latest first."""
    years: tuple[YearView, ...]
    """The latest first."""
    lists: tuple[ListedNote, ...]
    """Those of no day."""


def digests_page(
    collection: CollectionContext, context: PageContext, large: int = LARGE, only: int | None = None
) -> DigestsPage:
    """The view of `digests.html`. `only` is the year of `digests-2026.html`."""
    words = context.words
    listing = [note for note in collection.corpus.notes if note.entries]
    days = _days(collection)
    years = sorted({day.year for day in days}, reverse=True)
    names = words("page.digests.weekdays")
    most = max((len(note.entries) for notes in days.values() for note in notes), default=1)

    def listed(note: Note) -> ListedNote:
        papers = words("count.papers", count=len(note.entries))
        return ListedNote(context.note_link(note.id), papers, math.ceil(LEVELS * len(note.entries) / most))

    def day(date: datetime.date) -> DayView:
        return DayView(date, tuple(map(listed, days.get(date, ()))))

    def month(year: int, number: int) -> MonthView:
        weeks = calendar.Calendar().monthdatescalendar(year, number)
        shown = (tuple(day(date) if date.month == number else None for date in week) for week in weeks)
        return MonthView(f"{year}-{number:02}", words(f"label.month-{number}"), tuple(shown))

    def view(year: int) -> YearView:
        own = [date for date in days if date.year == year]
        papers = words("count.papers", count=sum(len(note.entries) for date in own for note in days[date]))
        here = len(days) <= large or year == (only or years[0])
        months = sorted({date.month for date in own}, reverse=True) if here else ()
        href = f"#y{year}" if here else context.href(list_path("digests", str(year)))
        return YearView(year, papers, tuple(month(year, number) for number in months), href)

    return DigestsPage(
        chrome=context.list_frame("digests", words.alike(str(only)) if only else None),
        count=words("count.papers", count=sum(len(note.entries) for note in listing)),
        weekdays=tuple(names.map(lambda days, at=at: days.split()[at]) for at in range(7)),  # type: ignore[misc]
        few=tuple(map(day, sorted(days, reverse=True))) if len(days) <= FEW else (),
        years=tuple(map(view, years)) if len(days) > FEW else (),
        lists=tuple(listed(note) for note in listing if not (note.source and note.source.date)) if not only else (),
    )


def digests_parts(collection: CollectionContext, large: int = LARGE) -> Mapping[str, ListPart]:
    """A page for each year of very many days. It counts the papers of all days."""
    days = _days(collection)
    notes = tuple(note.id for note in collection.corpus.notes if note.entries)
    years = {day.year for day in days} if len(days) > large else ()
    return {str(year): ListPart(partial(digests_page, large=large, only=year), notes) for year in years}


def _days(collection: CollectionContext) -> Mapping[datetime.date, list[Note]]:
    days: dict[datetime.date, list[Note]] = {}
    for note in collection.corpus.notes:
        if note.entries and note.source and note.source.date:
            days.setdefault(note.source.date, []).append(note)
    return days


PAGE = CollectionPage(
    "digests",
    lambda collection: any(note.entries for note in collection.corpus.notes),
    digests_page,
    parts=digests_parts,
)
