"""The page of corrections, the open ones first."""

from __future__ import annotations

import datetime

from paper_notes.corpus.model import CorrectedClaim, Note, Text
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.view_factory import NoteLink, PageContext, PageFrame
from paper_notes.values import Struct


class ErratumEntry(Struct, frozen=True):
    """A correction between two notes."""

    open: bool
    """True if the corrected note was not updated since."""
    note: NoteLink
    by: NoteLink
    claim: Text
    correction: Text
    date: str


class ErrataPage(Struct, frozen=True):
    """`errata.html`."""

    chrome: PageFrame
    count: Text
    errata: tuple[ErratumEntry, ...]
    """The open ones first, then the latest first."""


def errata_page(collection: CollectionContext, context: PageContext) -> ErrataPage:
    """The view of `errata.html`."""
    corpus = collection.corpus
    entries = [
        ErratumEntry(
            open=is_open(corpus.note(item.note), by, item),
            note=context.note_link(item.note),
            by=context.note_link(by.id),
            claim=item.claim,
            correction=item.correction,
            date=str(_date(by, item) or ""),
        )
        for by in corpus.notes
        for item in by.corrects
    ]
    entries.sort(key=lambda entry: entry.date, reverse=True)
    entries.sort(key=lambda entry: not entry.open)
    still = sum(entry.open for entry in entries)
    words = context.words
    count = words("label.corrections-open", corrections=words("count.corrections", count=len(entries)), open=still)
    return ErrataPage(context.list_frame("errata"), count, tuple(entries))


def is_open(note: Note, by: Note, item: CorrectedClaim) -> bool:
    """True until the corrected note has an `updated` on the day of the correction or later.

    A correction without a date counts from the day its note was last changed; without any date it stays open.
    """
    date = _date(by, item)
    return date is None or note.updated is None or note.updated < date


def _date(by: Note, item: CorrectedClaim) -> datetime.date | None:
    return item.date or by.updated or by.created


PAGE = CollectionPage("errata", lambda collection: bool(collection.relations.corrected_by), errata_page)
