"""Records that the texts of a note are translations of each other, in the block `translated:` of its `note.yaml`."""

from __future__ import annotations

from collections.abc import Iterable

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Note, NoteId
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.markdown.body import Body
from paper_notes.markdown.translations import digests
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml_edit import with_block
from paper_notes.values import Struct


class Record(Struct, frozen=True):
    """The new `note.yaml`, and the ids of sections that were recorded, left out and dropped."""

    note: NoteId
    artifact: Artifact
    recorded: tuple[str, ...]
    alone: tuple[str, ...]
    """Sections in one language only; empty if the caller named sections."""
    dropped: tuple[str, ...]
    """Sections that were recorded and are no longer in the note."""


def record(note: Note, body: Body, sources: Iterable[Source], wanted: tuple[str, ...] = ()) -> Record:
    """Record the `wanted` sections, or all, as translated in their present state. Raises UserError."""
    if len(note.texts) < 2:
        message = f"{note.id} is in one language, so there is no translation to record"
        raise UserError(message, "a note in two languages is a folder with note.yaml and a file <language>.md for each")
    now = digests(body)
    for section in wanted:
        if section not in now:
            raise UserError(f'{note.id} has no section "{section}"', did_you_mean(section, now))
        if len(now[section]) < 2:
            lacking = next(lang for lang in note.languages if lang not in now[section])
            message = f'the section "{section}" has no counterpart in {lacking}.md'
            raise UserError(message, "write it there too, or give both the same id: ## Title {#my-id}")
    recorded = tuple(section for section in now if len(now[section]) == 2 and (not wanted or section in wanted))
    if not recorded:
        raise UserError(f"the two texts of {note.id} have no section in common", "give both the same section ids")
    before = {section: translated.digests for section, translated in note.translated.items()}
    kept = {section: now[section] if section in recorded else before.get(section, {}) for section in now}
    entries = {section: {lang: digest[lang] for lang in note.languages} for section, digest in kept.items() if digest}
    source = next(source for source in sources if source.path == note.location.path)
    return Record(
        note=note.id,
        artifact=Artifact(source.path, with_block(source.path, source.data, "translated", entries)),
        recorded=recorded,
        alone=() if wanted else tuple(section for section in now if len(now[section]) < 2),
        dropped=tuple(section for section in note.translated if section not in now),
    )
