"""Removes a note or an empty topic: what refers to it, and where its address leads then."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from paper_notes.corpus.load import BASE, SITE_FILE, TOPIC_FILE
from paper_notes.corpus.model import Note, NoteId, TopicId
from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.features.moving.edits import FileEdit
from paper_notes.features.moving.move import Move, place_of_note, relocated, with_address
from paper_notes.features.moving.references import (
    CollectionFiles,
    ReferenceRewriter,
    Relocation,
    in_readme,
    in_settings,
    written_references,
)
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml_edit import without_name
from paper_notes.values import replace

_GONE = "-"
"""An id that nothing has."""


def remove_note(
    files: CollectionFiles,
    note: Note,
    heir: NoteId | TopicId | None,
) -> Move:
    """Remove a note. All that refers to it, and its address, lead to its `heir`; to a topic only the address.

    Raises UserError with the places that refer to it where they could not lead on.
    """
    if heir and "/" in heir:
        relocation, address = Relocation({note.id: NoteId(heir)}, {}), None
    else:
        _refuse_references(files, note)
        relocation = Relocation({}, {})
        address = _address(TopicId(heir), note, files.sources) if heir else None
    return relocated(files, relocation, (), (place_of_note(note),), (address,) if address else ())


def _address(topic: TopicId, note: Note, sources: Iterable[Source]) -> FileEdit | None:
    """What lets the page of the topic have the address of the note. Raises UserError."""
    path = BASE / topic / TOPIC_FILE
    source = next(source for source in sources if source.path == path)
    return with_address(source, f"{note.topic}/notes/{note.name}.html", topic)


def _refuse_references(files: CollectionFiles, note: Note) -> None:
    corpus, sources, readmes, *_ = files
    meaning, place = ReferenceRewriter(corpus, Relocation({}, {})), place_of_note(note)
    named = [
        reference.location
        for reference in written_references(corpus, sources)
        if not reference.location.path.is_relative_to(place) and meaning.target(reference) == note.id
    ]
    gone = Relocation({note.id: NoteId(f"{note.topic}/{_GONE}")}, {})
    named += [edit.location for readme in readmes for edit in in_readme(readme, gone)]
    _refuse(named, note.reference, "--redirect lets them lead to another note; or change them first")


def _refuse(named: Iterable[Location], what: str, hint: str) -> None:
    findings = tuple(
        Diagnostic(location, "dangling-reference", f"this refers to {what}") for location in sorted(set(named))
    )
    if findings:
        raise UserError(f"{what} is still referred to", hint, findings)


def remove_topic(files: CollectionFiles, topic: TopicId) -> Move:
    """Remove a topic without notes. Raises UserError with the places that name it."""
    corpus, sources, readmes, *_ = files
    if notes := [note.reference for note in (*corpus.notes_of(topic), *corpus.drafts) if note.topic == topic]:
        hint = f"first move or remove them: {', '.join(notes[:8])}{', ...' if len(notes) > 8 else ''}"
        raise UserError(f"the topic {topic} has notes: {len(notes)}", hint)
    if len(corpus.site.topics) == 1:
        raise UserError(f"{topic} is the only topic", "make another one first: paper-notes topic new")
    gone = Relocation({}, {topic: TopicId(_GONE)})
    settings = next(source for source in sources if source.path == SITE_FILE)
    named = [edit.location for edit in in_settings(settings, gone)][1:]  # the first is its line in `topics:`
    named += [edit.location for readme in readmes for edit in in_readme(readme, gone)]
    _refuse(named, topic, "take it out there first")
    place = BASE / topic
    data = without_name(SITE_FILE, settings.data, "topics", topic)
    result = relocated(files, Relocation({}, {}), (), ())
    return replace(
        result,
        sources=(Source(SITE_FILE, data),),
        before={SITE_FILE: settings.sha256},
        removed=(PurePosixPath(place),),
    )
