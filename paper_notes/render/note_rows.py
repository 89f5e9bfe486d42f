"""Notes in lists: a row each, or a few links for those that list the papers of a day."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Literal

from paper_notes.citation.page_metadata import context_object
from paper_notes.corpus.model import DEFAULT_KIND, Lang, Note, NoteId, Text
from paper_notes.languages.language import Words
from paper_notes.languages.text import in_each
from paper_notes.markdown.body import Outline
from paper_notes.markdown.short_texts import is_long
from paper_notes.render.labels import drafted_labels, joined, language_name, minutes_to_read
from paper_notes.render.view_factory import NoteLink, PageContext
from paper_notes.values import Struct

Minutes = Mapping[Lang, int]
"""Minutes to read a note, by language of the site; a language that it lacks has the time of the one that it has."""
Mark = Literal["new", "updated"]
RECENT = datetime.timedelta(days=14)
"""A note is new up to this long before the newest date of the collection, as builds do not use the clock."""
_MOST_MARKED = 3
"""If more than one note in so many is recent, none is marked."""


class NoteRowView(Struct, frozen=True):
    """A note in a list; facts that most notes share are None."""

    link: NoteLink
    summary: Text | None
    long: bool
    """The summary is folded at first."""
    kind_id: str
    kind: Text | None
    """None for `paper`, and if all notes of the list are of one kind."""
    status: Text | None
    """None for `read`."""
    only: Text | None
    """`Chinese only`, in a collection of two languages."""
    mark: Text | None
    """`New` or `Updated`, compared with the rest of the collection."""
    authors: str
    """Authors of the main paper: `Leviathan et al.`; empty if there is none."""
    month: str
    """Month of the main paper: `2022-11`, as precise as is known."""
    minutes: Text
    """Reading time: `12 min`."""
    coins: str
    """COinS of the main paper; empty if there is none, or an earlier note has it."""
    rating: int | None
    own: bool
    draft: Text | None
    """`Draft`, where drafts are shown at all."""
    drafted: Mapping[Lang, str]
    """`drafted by ..., not reviewed`, in the languages in which it is."""


def minutes_of(outline: Outline, words: Words) -> Minutes:
    """The reading times of a note. `words` are those of the site."""
    times = {lang: minutes_to_read(*counts, words[lang]) for lang, counts in outline.counts.items()}
    only = next(iter(times.values()), 1)
    return {lang: times.get(lang, only) for lang in words.tags}


def recent_notes(notes: tuple[Note, ...]) -> Mapping[NoteId, Mark]:
    """The notes that are new or updated compared with the others; none if too many are (see `_MOST_MARKED`)."""
    dates = {note.id: date for note in notes if (date := note.updated or note.created)}
    newest = max(dates.values(), default=datetime.date.min)
    recent = [note for note in notes if note.id in dates and newest - dates[note.id] <= RECENT]
    if len(recent) * _MOST_MARKED > len(notes):
        return {}
    return {note.id: "new" if note.created and newest - note.created <= RECENT else "updated" for note in recent}


def newest(notes: Iterable[Note]) -> tuple[Note, ...]:
    """These notes, the latest first; those without a date come last."""
    return tuple(sorted(notes, key=lambda note: str(note.updated or note.created or ""), reverse=True))


def note_rows(
    notes: tuple[Note, ...], minutes: Mapping[NoteId, Minutes], context: PageContext
) -> tuple[NoteRowView, ...]:
    """Rows of these notes, all of one topic."""
    marks, alike = recent_notes(context.corpus.without_days.notes), len({note.kind for note in notes}) < 2
    return tuple(_row(note, minutes[note.id], marks.get(note.id), alike, context) for note in notes)


def _row(note: Note, minutes: Minutes, mark: Mark | None, alike: bool, context: PageContext) -> NoteRowView:
    main = context.corpus.papers[note.papers[0]] if note.papers else None
    first = main is not None and context.resolver.readers[main.key][0] == note.id
    words = context.words
    lacks = len(note.languages) == 1 < len(words.tags)
    return NoteRowView(
        link=context.note_link(note.id),
        summary=context.of_topic(note.topic).snippet(note.summary, note.summary_location, inline=True),
        long=note.summary is not None and is_long(note.summary),
        kind_id=note.kind,
        kind=None if alike or note.kind == DEFAULT_KIND else context.corpus.site.kind_name(note.kind),
        status=None if note.status == "read" else words(f"status.{note.status}"),
        only=words("label.only", language=language_name(note.languages[0], words)) if lacks else None,
        mark=words(f"label.{mark}") if mark else None,
        authors=main.short_authors if main and (main.authors or main.team) else "",
        month=main.date_label[:7] if main else "",
        minutes=in_each(words.tags, lambda lang: words[lang]("count.minutes", count=minutes[lang])),
        coins=context_object(main) if main and first else "",
        rating=note.rating,
        own=note.own,
        draft=words("label.draft") if note.draft else None,
        drafted=drafted_labels(note.drafted, words),
    )


LATEST = 7
"""Days with a link of their own."""


class DayLink(Struct, frozen=True):
    """A day."""

    href: str
    label: str
    """`2026-01-13`, behind it what was asked for: `2026-01-13 cs.CL`."""
    papers: Text
    """`25 papers`."""


class DaysView(Struct, frozen=True):
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
