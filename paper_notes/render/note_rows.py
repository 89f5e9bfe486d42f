"""Rows of notes, as the home page and the pages of topics show them: they say only what differs between notes."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from paper_notes.citation.coins import context_object
from paper_notes.corpus.model import Note, NoteId
from paper_notes.languages.text import zh_en
from paper_notes.markdown.body import Outline
from paper_notes.render.labels import KINDS, STATUSES, minutes_to_read
from paper_notes.render.parts import PageContext, bi
from paper_notes.render.views import Bi, NoteLink

Minutes = tuple[int, int]
"""To read a note in Chinese and in English; where it has one language, twice the same."""
Mark = Literal["new", "updated"]
RECENT = datetime.timedelta(days=14)
"""How far before the newest date of the collection a note counts as new: there is no clock."""
_MOST_MARKED = 3
"""Where more than one note in so many is recent, that says nothing about any of them."""
_MARKS: Mapping[Mark, Bi] = {"new": zh_en("新", "New"), "updated": zh_en("有更新", "Updated")}
_ONLY: Mapping[str, Bi] = {"zh": zh_en("仅中文", "Chinese only"), "en": zh_en("仅英文", "English only")}


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note in a list: what most of the notes have in common is None."""

    link: NoteLink
    number: int
    summary: Bi | None
    kind_id: str
    kind: Bi | None
    """Where it is not a paper's, and not that of all notes of the list."""
    status: Bi | None
    """Where it has not just been read."""
    only: Bi | None
    """`Chinese only`, in a collection of two languages."""
    mark: Bi | None
    """`New` or `Updated`, next to the rest of the collection."""
    authors: str
    """Of the main paper: `Leviathan et al.`; empty if there is none."""
    month: str
    """Of the main paper: `2022-11`, as far as it is known."""
    minutes: Bi
    """To read it: `12 min`."""
    coins: str
    """Of its main paper, for a COinS span; empty if it has none, or another note has the same."""
    rating: int | None
    own: bool


@dataclass(frozen=True, slots=True)
class PlainRow:
    """A note in a long list: plain texts only. The script of the home page reads it too."""

    number: int
    href: str
    title: Bi
    summary: Bi | None


def minutes_of(outline: Outline) -> Minutes:
    """How long a note takes to read."""
    times = {lang: minutes_to_read(words, characters) for lang, (words, characters) in outline.counts.items()}
    only = next(iter(times.values()), 1)
    return times.get("zh", only), times.get("en", only)


def recent_notes(notes: tuple[Note, ...]) -> Mapping[NoteId, Mark]:
    """The notes of a collection that are new or updated next to the others; none if that is true of most."""
    dates = {note.id: date for note in notes if (date := note.updated or note.created)}
    newest = max(dates.values(), default=datetime.date.min)
    recent = [note for note in notes if note.id in dates and newest - dates[note.id] <= RECENT]
    if len(recent) * _MOST_MARKED > len(notes):
        return {}
    return {note.id: "new" if note.created and newest - note.created <= RECENT else "updated" for note in recent}


def one_kind(notes: Iterable[Note]) -> bool:
    """Whether these notes are all of a kind, so that no row needs to name it."""
    return len({note.kind for note in notes}) < 2


def note_rows(
    notes: tuple[Note, ...], minutes: Mapping[NoteId, Minutes], context: PageContext, most: int | None = None
) -> tuple[NoteRow, ...]:
    """The first `most` of these notes, all of one topic."""
    marks, alike = recent_notes(context.corpus.notes), one_kind(notes)
    return tuple(_row(note, minutes[note.id], marks.get(note.id), alike, context) for note in notes[:most])


def _row(note: Note, minutes: Minutes, mark: Mark | None, alike: bool, context: PageContext) -> NoteRow:
    main = context.corpus.papers[note.papers[0]] if note.papers else None
    first = main is not None and context.resolver.readers[main.key][0] == note.id
    lacks = len(note.languages) == 1 < len(context.corpus.site.languages)
    return NoteRow(
        link=context.note_link(note.id),
        number=note.number,
        summary=context.snippet(note.summary, note.location, inline=True),
        kind_id=note.kind,
        kind=None if alike or note.kind == "paper" else bi(KINDS[note.kind]),
        status=None if note.status == "read" else bi(STATUSES[note.status]),
        only=_ONLY[note.languages[0]] if lacks and note.languages else None,
        mark=_MARKS[mark] if mark else None,
        authors=main.short_authors if main and (main.authors or main.team) else "",
        month=main.date_label[:7] if main else "",
        minutes=zh_en(f"{minutes[0]} 分钟", f"{minutes[1]} min"),
        coins=context_object(main) if main and first else "",
        rating=note.rating,
        own=note.own,
    )


def plain_row(note: Note, context: PageContext) -> PlainRow:
    """The row of a note in a long list."""
    title = zh_en(*(" ".join(note.title[lang].split()) for lang in ("zh", "en")))
    summary = bi(context.resolver.plain_summary(note)) if note.summary else None
    return PlainRow(note.number, context.note_link(note.id).href, title, summary)
