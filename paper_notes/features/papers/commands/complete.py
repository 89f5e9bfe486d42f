"""`paper-notes lookup` with a note: what was unknown offline is filled in."""

from __future__ import annotations

import datetime
import shlex
from pathlib import Path, PurePosixPath

import click

from paper_notes.commands.collection import load_collection
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import (
    all_or_nothing,
    end_check,
    print_json,
    say,
    say_waiting,
)
from paper_notes.corpus.model import Corpus, Note, NoteId
from paper_notes.diagnostics import UserError
from paper_notes.features.moving.move import Move, move, relocated
from paper_notes.features.moving.references import CollectionFiles, Relocation
from paper_notes.features.papers.commands.services import open_services
from paper_notes.features.papers.completion import Completion, reference_of, unfinished
from paper_notes.features.papers.completion import complete as completed
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.resolve import recognise, resolve
from paper_notes.features.papers.zotero import IN_ZOTERO, name_of
from paper_notes.output.lock import locked
from paper_notes.output.renaming import carry_out, finish
from paper_notes.sources.tree import Source, read_readmes


def fill_in(note: str, given: str | None, root: Path, *, only_check: bool, as_json: bool, brought: int = 0) -> None:
    """Fill in what is unknown of the paper of a note, of which marks were `brought` already. Raises UserError."""
    with all_or_nothing():
        corpus, sources = load_collection(root)
        draft = _asked(root, corpus, sources, the_note(corpus, root, note), given)
        with locked(root, say_waiting):  # read again: much may have changed during the network requests
            if not only_check and (done := finish(root)):
                say(f"Finished what was interrupted: paper-notes {done.command}")
            corpus, sources = load_collection(root)
            completion, moved = _worked_out(root, corpus, sources, the_note(corpus, root, note), draft)
            if not only_check and not moved.empty:
                carry_out(root, moved.renaming(f"lookup {note}"))
    renamed = moved.renamed[0] if moved.renamed else None
    if as_json:
        names = [str(path) for path in renamed] if renamed else None
        print_json(
            filled=dict(completion.filled),
            moved=names,
            missing=completion.missing,
            marks=brought,
            written=not only_check,
        )
    else:
        _say(completion, renamed, written=not only_check)
    if only_check:
        end_check(changes=bool(not moved.empty or brought))


def _asked(root: Path, corpus: Corpus, sources: tuple[Source, ...], note: Note, given: str | None) -> Draft | None:
    """The facts of the paper; None if none are unknown. Raises UserError."""
    unfinished_note = unfinished(corpus, sources, note)
    if not unfinished_note.unknown and not given:
        return None
    if given == IN_ZOTERO:
        given = name_of(unfinished_note.paper)
    importer, reference = (
        recognise(given, (), lambda text: Path(text).is_file()) if given else reference_of(unfinished_note)
    )
    others = {key: paper for key, paper in corpus.papers.items() if key != unfinished_note.paper.key}
    instead = "until then the note stays as it is; --from says what to ask for"

    def command(other: str) -> str:
        return f"paper-notes lookup {note.id} --from {shlex.quote(other)}"

    with open_services(root, others, command, named=given is not None, instead=instead) as services:
        draft = resolve(importer, reference, services).draft
    if draft.key:
        hint = f"name that in `papers:` of {note.id}, and delete the other entry"
        raise UserError(f'the collection has this paper as "{draft.key}", too', hint)
    return draft


def _worked_out(
    root: Path, corpus: Corpus, sources: tuple[Source, ...], note: Note, draft: Draft | None
) -> tuple[Completion, Move]:
    """What is filled in, and the change of all files; the note's folder may get another name. Raises UserError."""
    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
    completion = completed(corpus, sources, note, draft, today)
    readmes, _ = read_readmes(root, [target.file for target in corpus.site.readme])
    files = CollectionFiles(corpus, sources, readmes)
    if completion.name == note.name:
        return completion, relocated(files, Relocation({}, {}), (), more=completion.edits)
    now = NoteId(f"{note.topic}/{completion.name}")
    return completion, move(files, {note.id: now}, completion.edits)


def _say(completion: Completion, renamed: tuple[PurePosixPath, PurePosixPath] | None, *, written: bool) -> None:
    """What was filled in, or would be."""
    for name, value in completion.filled:
        say(f"{'filled' if written else 'would fill'} {name}: {value}")
    if renamed:
        old, new = map(click.format_filename, renamed)
        say(f"{'moved' if written else 'would move'} {old} to {new}")
    if not completion.filled and not renamed:
        say("Nothing that can be filled in." if completion.missing else "Nothing is missing.")
    if completion.missing:
        say(f"Still missing: {', '.join(completion.missing)}; write it into the .bib.")
    elif written and (completion.filled or renamed):
        say("Nothing is missing any more; `paper-notes build` makes the page.")
