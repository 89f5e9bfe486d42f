"""`paper-notes promote`."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from paper_notes.commands.naming import find_note
from paper_notes.commands.terminal import (
    all_or_nothing,
    json_option,
    print_json,
    root_option,
    say,
    say_difference,
    say_waiting,
)
from paper_notes.corpus.model import Corpus, Note
from paper_notes.diagnostics import UserError
from paper_notes.features.lists.promote import Promoted, find_entry
from paper_notes.features.lists.promote import promote as promoted
from paper_notes.features.papers import bibtex
from paper_notes.features.papers.commands.editable import load_editable
from paper_notes.features.papers.commands.services import open_services
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import PaperReference
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan


@click.command()
@click.argument("entry", metavar="NOTE#PAPER")
@click.option("--topic", required=True, help="The topic's folder below notes_src/.")
@click.option("--name", help="A short name for the folder and the page, such as ReSpec.")
@click.option("--offline", is_flag=True, help="Ask nobody for an abstract that is missing.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; say what would be written.")
@root_option
@json_option
def promote(
    entry: str, topic: str, name: str | None, offline: bool, only_check: bool, root: Path, as_json: bool
) -> None:
    """Make a note on a paper that a list has, with what is written about it there.

    NOTE#PAPER is like daily/3#2601.05110: a note that lists papers, and an arXiv id or BibTeX key. The sections of the
    paper move into the new note; in the list a reference to it takes their place, and the entry stays.
    """
    with all_or_nothing():
        draft = _draft(root, entry, offline=offline)
        with locked(root, say_waiting):  # read again: much may have changed during the network requests
            promoted_note, plan = _plan(root, entry, draft, topic, name)
            if not only_check:
                apply_whole(root, plan)
    created, updated = ([str(artifact.path) for artifact in part] for part in (plan.create, plan.update))
    if as_json:
        print_json(folder=str(promoted_note.folder), created=created, updated=updated, sections=promoted_note.sections)
        return
    if only_check:
        say_difference(plan)
    else:
        for word, paths in (("created", created), ("updated", updated)):
            for path in paths:
                say(f"{word} {click.format_filename(root / path)}")
    say(f"Sections moved: {promoted_note.sections}.")
    if promoted_note.missing:
        say(f"Still missing: {', '.join(promoted_note.missing)}; the note says where to put what you find out.")


def _parts(reference: str, corpus: Corpus) -> tuple[Note, str]:
    """The note and the name of the paper in `daily/3#2601.05110`. Raises UserError."""
    note, _, paper = reference.rpartition("#")
    if not note or not paper:
        raise UserError(
            f'"{reference}" names no paper of a list', "write <note>#<arXiv id>, such as daily/3#2601.05110"
        )
    return find_note(corpus, note), paper


def _draft(root: Path, reference: str, *, offline: bool) -> Draft:
    """The facts of the paper, with an abstract from arXiv if its entry has none."""
    corpus = load_editable(root).corpus
    entry = find_entry(*_parts(reference, corpus), corpus)
    with open_services(root, corpus.papers, offline=offline) as services:
        return bibtex.KEY.fetch(PaperReference(entry.paper), services).draft


def _plan(root: Path, reference: str, draft: Draft, topic: str, name: str | None) -> tuple[Promoted, Plan]:
    collection = load_editable(root)
    corpus = collection.corpus
    note, paper = _parts(reference, corpus)
    entry = find_entry(note, paper, corpus)
    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
    promoted_note = promoted(note, entry, draft, corpus, collection.sources, topic=topic, name=name, today=today)
    return promoted_note, compare(root, [*collection.topics, *promoted_note.artifacts], read=collection.before)
