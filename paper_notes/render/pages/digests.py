"""The page of all notes that list papers: a calendar of those of a day, and the others."""

from __future__ import annotations

import calendar
import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from paper_notes.corpus.model import Note, Text
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.view_factory import NoteLink, PageContext, PageFrame

FEW = 3
"""So many days of a month are a list."""


@dataclass(frozen=True, slots=True)
class ListedNote:
    """A note that lists papers."""

    note: NoteLink
    papers: Text
    """`25 papers`."""


@dataclass(frozen=True, slots=True)
class DayView:
    """A day of a month."""

    day: int
    date: str
    notes: tuple[ListedNote, ...]


@dataclass(frozen=True, slots=True)
class MonthView:
    """A month in weeks that begin on Monday; None for days of other months."""

    id: str
    """`2026-01`."""
    papers: Text
    weeks: tuple[tuple[DayView | None, ...], ...]
    """Empty if a few days are better told than shown."""
    days: tuple[DayView, ...]
    """Those with papers, the latest first."""


@dataclass(frozen=True, slots=True)
class DigestsPage:
    """`digests.html`."""

    chrome: PageFrame
    count: Text
    weekdays: tuple[Text, ...]
    """From Monday on."""
    months: tuple[MonthView, ...]
    """The latest first."""
    lists: tuple[ListedNote, ...]
    """Those of no day."""


def digests_page(collection: CollectionContext, context: PageContext) -> DigestsPage:
    """The view of `digests.html`."""
    words = context.words
    listing = [note for note in collection.corpus.notes if note.entries]
    days: dict[datetime.date, list[Note]] = {}
    for note in listing:
        if note.source and note.source.date:
            days.setdefault(note.source.date, []).append(note)
    months = sorted({(day.year, day.month) for day in days}, reverse=True)
    names = words("page.digests.weekdays")
    shown = {id(note) for notes in days.values() for note in notes}
    return DigestsPage(
        chrome=context.list_frame("digests"),
        count=words("count.papers", count=sum(len(note.entries) for note in listing)),
        weekdays=tuple(names.map(lambda days, at=at: days.split()[at]) for at in range(7)),  # type: ignore[misc]
        months=tuple(_month(year, month, days, context) for year, month in months),
        lists=tuple(_listed(note, context) for note in listing if id(note) not in shown),
    )


def _month(year: int, month: int, days: dict[datetime.date, list[Note]], context: PageContext) -> MonthView:
    def view(day: datetime.date) -> DayView | None:
        if day.month != month:
            return None
        return DayView(day.day, day.isoformat(), tuple(_listed(note, context) for note in days.get(day, ())))

    full = sorted((day for day in days if (day.year, day.month) == (year, month)), reverse=True)
    weeks = calendar.Calendar().monthdatescalendar(year, month) if len(full) > FEW else []
    return MonthView(
        f"{year}-{month:02}",
        _papers((note for day in full for note in days[day]), context),
        tuple(tuple(map(view, week)) for week in weeks),
        tuple(filter(None, map(view, full))),
    )


def _papers(notes: Iterable[Note], context: PageContext) -> Text:
    return context.words("count.papers", count=sum(len(note.entries) for note in notes))


def _listed(note: Note, context: PageContext) -> ListedNote:
    return ListedNote(context.note_link(note.id), _papers([note], context))


PAGE = CollectionPage("digests", lambda collection: any(note.entries for note in collection.corpus.notes), digests_page)
