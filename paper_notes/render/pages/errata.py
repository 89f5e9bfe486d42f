"""What was corrected where: the open corrections first."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from paper_notes.corpus.model import Correction, Note
from paper_notes.languages.text import zh_en
from paper_notes.render.labels import counted
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.parts import ListName, PageContext, bi
from paper_notes.render.views import Bi, Chrome, NoteLink


@dataclass(frozen=True, slots=True)
class ErratumEntry:
    """A correction between two notes."""

    open: bool
    """The corrected note was not changed since."""
    note: NoteLink
    by: NoteLink
    claim: Bi
    correction: Bi
    date: str


@dataclass(frozen=True, slots=True)
class ErrataPage:
    """`errata.html`."""

    chrome: Chrome
    count: Bi
    errata: tuple[ErratumEntry, ...]
    """The open ones first, then the latest first."""


def errata_page(material: CollectionContext, context: PageContext, title: Bi) -> ErrataPage:
    """The view of `errata.html`."""
    corpus = material.corpus
    entries = [
        ErratumEntry(
            open=is_open(corpus.note(item.note), by, item),
            note=context.note_link(item.note),
            by=context.note_link(by.id),
            claim=bi(item.claim),
            correction=bi(item.correction),
            date=str(_date(by, item) or ""),
        )
        for by in corpus.notes
        for item in by.corrects
    ]
    entries.sort(key=lambda entry: entry.date, reverse=True)
    entries.sort(key=lambda entry: not entry.open)
    still = sum(entry.open for entry in entries)
    number = counted(len(entries), "处更正", "correction")
    count = zh_en(f"{number.zh}，{still} 处原笔记尚未修订", f"{number.en}, {still} open")
    about = zh_en("哪篇笔记的哪个说法被后来的笔记更正了。", "Which claims were corrected by later notes.")
    return ErrataPage(context.chrome(title, about, None), count, tuple(entries))


def is_open(note: Note, by: Note, item: Correction) -> bool:
    """True until the corrected note says that it was updated on the day of the correction or later.

    A correction without a date counts from the day its note was last changed; without any date it stays open.
    """
    date = _date(by, item)
    return date is None or note.updated is None or note.updated < date


def _date(by: Note, item: Correction) -> datetime.date | None:
    return item.date or by.updated or by.created


PAGE = CollectionPage(
    ListName("errata", zh_en("勘误", "Errata")), lambda material: bool(material.relations.corrected_by), errata_page
)
