"""`paper-notes new` on a paper that a list has."""

from __future__ import annotations

import datetime
from contextlib import closing
from pathlib import Path

from paper_notes.commands.naming import find_note
from paper_notes.commands.terminal import all_or_nothing, say_waiting
from paper_notes.corpus.model import Corpus, Fact, Note
from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import Cache, open_cache
from paper_notes.features.lists.promote import Promoted, find_entry, promote
from paper_notes.features.papers import bibtex
from paper_notes.features.papers.commands.services import open_services
from paper_notes.features.papers.commands.start import NewNotes
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import PaperReference
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan
from paper_notes.patterns import regex

_ENTRY = regex(r"[^\s#]+(?:#\d+)?#[^\s#]+")


def is_entry(text: str) -> bool:
    """Whether a text names a paper of a list, as `daily/3#2601.05110`: not an address or file with a # in it."""
    return bool(_ENTRY.fullmatch(text)) and "://" not in text and not Path(text).is_file()


def start_from_list(wanted: NewNotes) -> tuple[Plan, tuple[Fact, ...], int]:
    """Make a note on a paper of a list: what was written, what is not known, and how many sections moved there."""
    (entry,) = wanted.papers
    if wanted.title or wanted.kind or wanted.key or wanted.each or wanted.with_pdf is not None or wanted.draft:
        hint = "leave out --title, --kind, --key, --all, --pdf and --draft"
        raise UserError(f'"{entry}" is a paper of a list, whose sections become a note', hint)
    with all_or_nothing(), closing(open_cache(wanted.root)) as cache:
        draft = _draft(wanted, entry, cache)
        with locked(wanted.root, say_waiting):  # read again: much may have changed during the network requests
            promoted_note, plan = _plan(wanted, entry, draft, cache)
            if not wanted.only_check:
                apply_whole(wanted.root, plan)
    return plan, promoted_note.missing, promoted_note.sections


def _parts(reference: str, corpus: Corpus) -> tuple[Note, str]:
    """The note and the name of the paper in `daily/3#2601.05110`. Raises UserError."""
    note, _, paper = reference.rpartition("#")
    if not note or not paper:
        raise UserError(
            f'"{reference}" names no paper of a list', "write <note>#<arXiv id>, such as daily/3#2601.05110"
        )
    return find_note(corpus, note), paper


def _draft(wanted: NewNotes, reference: str, cache: Cache) -> Draft:
    """The facts of the paper, with an abstract from arXiv if its entry has none."""
    corpus = wanted.load(cache).corpus
    entry = find_entry(*_parts(reference, corpus), corpus)
    with open_services(wanted.root, corpus.papers, offline=wanted.offline) as services:
        return bibtex.KEY.fetch(PaperReference(entry.paper), services).draft


def _plan(wanted: NewNotes, reference: str, draft: Draft, cache: Cache) -> tuple[Promoted, Plan]:
    collection = wanted.load(cache)
    corpus = collection.corpus
    note, paper = _parts(reference, corpus)
    entry = find_entry(note, paper, corpus)
    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
    topic = wanted.topic_in(corpus)
    promoted_note = promote(note, entry, draft, corpus, collection.sources, topic=topic, name=wanted.name, today=today)
    return promoted_note, compare(wanted.root, [*collection.topics, *promoted_note.artifacts], read=collection.before)
