"""Notes that list the papers of a day, as a few links instead of a row each: the page of digests has all."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from paper_notes.corpus.model import Note, Text
from paper_notes.languages.language import Words
from paper_notes.render.labels import joined
from paper_notes.render.view_factory import PageContext

LATEST = 7
"""Days with a link of their own."""


@dataclass(frozen=True, slots=True)
class DayLink:
    """A day."""

    href: str
    label: str
    """`2026-01-13`, behind it what was asked for: `2026-01-13 cs.CL`."""
    papers: Text
    """`25 papers`."""


@dataclass(frozen=True, slots=True)
class DaysView:
    """The days of a topic."""

    latest: tuple[DayLink, ...]
    """The latest first."""
    every: str
    """Where all are."""
    count: int


def day_of(note: Note) -> datetime.date | None:
    """The day whose papers a note lists."""
    return (note.source.date if note.source else None) or note.created


def day_label(note: Note) -> str:
    """What tells the days of a topic apart."""
    terms = note.source.terms if note.source else ()
    return " ".join((str(day_of(note) or note.label), *terms))


def latest_first(notes: Iterable[Note]) -> list[Note]:
    """Notes that list papers."""
    return sorted(notes, key=lambda note: (day_of(note) or datetime.date.min, note.number), reverse=True)


def days_view(notes: Iterable[Note], every: str, context: PageContext) -> DaysView | None:
    """The days among these notes; None if there are none."""
    days = latest_first(note for note in notes if note.of_day)
    links = tuple(
        DayLink(
            context.note_link(note.id).href, day_label(note), context.words("count.papers", count=len(note.entries))
        )
        for note in days[:LATEST]
    )
    return DaysView(links, every, len(days)) if days else None


def counted(notes: tuple[Note, ...], words: Words) -> Text:
    """`8 notes`, with days `8 notes, 365 days`."""
    days = sum(note.of_day for note in notes)
    if not days:
        return words("count.notes", count=len(notes))
    parts = [words("count.notes-named", count=len(notes) - days)] if days < len(notes) else []
    return joined(words, *parts, words("count.days", count=days))
