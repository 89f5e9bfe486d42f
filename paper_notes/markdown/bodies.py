"""The bodies of all notes: each is rendered once, here or in other processes, and remembered by all it is made of."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from paper_notes.cache import Cache, Table
from paper_notes.codec import digest_of, pack, unpack
from paper_notes.corpus.model import Note, NoteId, Term
from paper_notes.diagnostics import NOWHERE, Diagnostic
from paper_notes.languages.language import BUILT_IN_WORDS, Words
from paper_notes.markdown.body import Body, Outline
from paper_notes.sources.tree import Source
from paper_notes.workers import Workers

_STOPPED = "stopped-diagram"
"""The rule of what may be the fault of the machine: it is not remembered."""


@dataclass(frozen=True, slots=True)
class BodySummary:
    """What others want to know of a body."""

    outline: Outline
    mentions: bytes
    """What tells the outline from others, but for what changes with every word."""
    diagnostics: tuple[Diagnostic, ...]


class Bodies(Mapping[NoteId, Body]):
    """The bodies of notes. Their outlines are at hand; a body itself is fetched from the cache when it is wanted."""

    def __init__(self, notes: Iterable[Note], terms: tuple[Term, ...], words: Words, cache: Cache) -> None:
        self._notes = {note.id: note for note in notes}
        self._shared: _Shared = (terms, words)
        self._cache = cache
        self._here: dict[NoteId, bytes] = {}
        own = [language.digest for language in words.languages]
        glossary = digest_of([replace(term, location=NOWHERE) for term in terms], own)
        self.made_of = {note.id: digest_of(glossary, _made_of(note)) for note in self._notes.values()}
        """What tells each body from one made of other files."""
        self.outlines: dict[NoteId, Outline] = {}
        self.mentions: dict[NoteId, bytes] = {}
        """What tells each outline from others, but for what changes with every word."""

    def packed(self, note_id: NoteId) -> bytes:
        """A body as `unpacked` takes it."""
        kept = self._here.get(note_id) or self._cache.get(_name(self.made_of[note_id]))
        return kept if kept is not None else _rendered(self._shared, self._notes[note_id])[1]

    def rendered(self, note: Note) -> tuple[BodySummary, bytes]:
        """The body of a note as it may be now, packed, and what others want to know of it. It is not remembered."""
        return _rendered(self._shared, note)

    def keep(self, note_id: NoteId, packed: bytes, *, beyond_this_run: bool = True) -> None:
        """Remember a body for `packed`."""
        if beyond_this_run:
            self._cache.put(_name(self.made_of[note_id]), packed)
        if not (beyond_this_run and self._cache.works):
            self._here[note_id] = packed

    def __getitem__(self, note_id: NoteId) -> Body:
        return unpacked(self.packed(note_id))

    def __iter__(self) -> Iterator[NoteId]:
        return iter(self._notes)

    def __len__(self) -> int:
        return len(self._notes)


def render_bodies(
    notes: Iterable[Note],
    terms: tuple[Term, ...] = (),
    cache: Cache | None = None,
    workers: Workers | None = None,
    words: Words = BUILT_IN_WORDS,
) -> tuple[Bodies, tuple[Diagnostic, ...]]:
    """The bodies of all notes, and all that is wrong in their texts."""
    notes, cache = tuple(notes), cache or Cache()
    bodies = Bodies(notes, terms, words, cache)
    table = Table(cache, "outlines")
    told = {note.id: table.get(note.id, bodies.made_of[note.id], BodySummary) for note in notes}
    changed = [note for note in notes if told[note.id] is None]
    made = (workers or Workers(1)).map(_rendered, (terms, words), map(_to_send, changed))
    for note, (found, packed) in zip(changed, made, strict=True):
        told[note.id] = found
        stopped = any(problem.rule == _STOPPED for problem in found.diagnostics)
        bodies.keep(note.id, packed, beyond_this_run=not stopped)
        if not stopped:
            table.put(note.id, bodies.made_of[note.id], found)
    table.save()
    known = {note: found for note, found in told.items() if found}
    bodies.outlines.update((note, found.outline) for note, found in known.items())
    bodies.mentions.update((note, found.mentions) for note, found in known.items())
    return bodies, tuple(problem for found in known.values() for problem in found.diagnostics)


def unpacked(packed: bytes) -> Body:
    """What `Bodies.packed` gave."""
    body = unpack(Body, zlib.decompress(packed))
    assert body is not None, "a body of this very version"
    return body


_Shared = tuple[tuple[Term, ...], Words]


def _rendered(shared: _Shared, note: Note) -> tuple[BodySummary, bytes]:
    """A pure function, for any process."""
    from paper_notes.markdown.render import render_body

    body = render_body(note, *shared)
    outline = body.outline
    return BodySummary(outline, digest_of(outline.bare), body.diagnostics), zlib.compress(pack(body), 1)


def _name(key: bytes) -> bytes:
    return b"body " + key


def _figures(note: Note) -> dict[str, Source]:
    """The files beside the note that its text may show: its PDFs are shown in another way."""
    return {name: source for name, source in note.files.items() if not name.lower().endswith(".pdf")}


def _made_of(note: Note) -> tuple[object, ...]:
    """All that a body depends on, but for the glossary."""
    texts = [(text.lang, text.path, text.first_line, text.start, _digest(text.content)) for text in note.texts]
    files = sorted((name, source.sha256) for name, source in _figures(note).items())
    return note.id, note.topic, texts, files, note.translated


def _digest(content: str | Source) -> str:
    return content if isinstance(content, str) else content.sha256


def _to_send(note: Note) -> Note:
    """The note with its texts and figures, for a process that may not have its files."""
    texts = tuple(replace(text, content=text.text, start=0) for text in note.texts)
    files = {name: Source(source.path, source.data) for name, source in _figures(note).items()}
    return replace(note, texts=texts, files=files)
