"""The bodies of all notes: each is rendered in this or a worker process, and cached by a digest of its inputs."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType

from paper_notes.corpus.model import GlossaryTerm, Note, NoteId
from paper_notes.diagnostics import NOWHERE, Diagnostic, naming
from paper_notes.engine.cache import Cache, digest_of, pack, unpack
from paper_notes.engine.workers import Workers
from paper_notes.languages.language import BUILT_IN_WORDS, Words
from paper_notes.markdown.body import Body, Outline
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, replace


class BodySummary(Struct, frozen=True):
    """What later stages need to know of a body without loading it."""

    outline: Outline
    mentions: bytes
    """Digest of `outline.bare`: of all in the outline but what changes with every word."""
    diagnostics: tuple[Diagnostic, ...]


RenderedBody = tuple[BodySummary, bytes]
"""A summary, and the packed body."""


@dataclass(frozen=True)
class Bodies(Mapping[NoteId, Body]):
    """The bodies of notes. Their outlines are in memory; a body itself is fetched from the cache when it is needed."""

    digests: Mapping[NoteId, bytes]
    """For each note a digest of all its body depends on."""
    summaries: Mapping[NoteId, BodySummary]
    packed: Callable[[NoteId], bytes]
    """A note's packed body, for `unpacked`."""
    rendered: Callable[[Note, tuple[Diagnostic, ...]], tuple[BodySummary, bytes]]
    """Renders a note as it is now, with marks at these mistakes: summary and packed body. The result is not cached."""

    @cached_property
    def outlines(self) -> Mapping[NoteId, Outline]:
        return {note: summary.outline for note, summary in self.summaries.items()}

    def marked(self, notes: Iterable[Note], mistakes: Callable[[NoteId], tuple[Diagnostic, ...]]) -> Bodies:
        """These bodies with marks where the texts of `notes` have mistakes; rendered when they are asked for."""
        wrong = {note.id: (note, errors) for note in notes if (errors := mistakes(note.id))}
        if not wrong:
            return self

        def packed(note_id: NoteId) -> bytes:
            return self.rendered(*wrong[note_id])[1] if note_id in wrong else self.packed(note_id)

        digests = {note_id: digest_of(self.digests[note_id], errors) for note_id, (_, errors) in wrong.items()}
        return replace(self, digests={**self.digests, **digests}, packed=packed)

    @property
    def prompts(self) -> Mapping[NoteId, int]:
        """How many prompts of `paper-notes new` are left in the texts of each note that has any."""
        return {note: outline.prompts for note, outline in self.outlines.items() if outline.prompts}

    def __getitem__(self, note_id: NoteId) -> Body:
        return unpacked(self.packed(note_id))

    def __iter__(self) -> Iterator[NoteId]:
        return iter(self.digests)

    def __len__(self) -> int:
        return len(self.digests)


def render_bodies(
    notes: Iterable[Note],
    terms: tuple[GlossaryTerm, ...] = (),
    cache: Cache | None = None,
    workers: Workers | None = None,
    words: Words = BUILT_IN_WORDS,
    drafts: Iterable[Note] = (),
    rendered: Mapping[NoteId, RenderedBody] = MappingProxyType({}),
) -> tuple[Bodies, tuple[Diagnostic, ...]]:
    """Render the bodies of all notes that are not cached. Gives all bodies, and the diagnostics of all texts.

    What is cached of `drafts` stays so; otherwise nothing is said of them. Those that were `rendered` already, of these
    very notes, are cached as well.
    """
    by_id, cache, shared = {note.id: note for note in notes}, cache or Cache(), (terms, words)
    given, by_id = tuple(by_id), {**by_id, **{note.id: note for note in drafts}}
    glossary = [replace(term, location=NOWHERE) for term in terms], [language.digest for language in words.languages]
    common = digest_of(glossary, words.macros)
    digests = {note.id: digest_of(common, _inputs(note)) for note in by_id.values()}
    uncached: dict[NoteId, bytes] = {}

    def make(missing: Sequence[NoteId]) -> Iterator[BodySummary]:
        changed = [by_id[name] for name in missing]
        others = (note for note in changed if note.id not in rendered)
        results = (workers or Workers(1)).map(_rendered, shared, map(_to_send, others), "Reading notes", len(changed))
        for note in changed:
            summary, packed = rendered[note.id] if note.id in rendered else next(results)
            if cache.works and not _stopped(summary):
                cache.put(_name(digests[note.id]), packed)
            else:
                uncached[note.id] = packed
            yield summary

    def packed(note_id: NoteId) -> bytes:
        kept = uncached.get(note_id) or cache.get(_name(digests[note_id]))
        return kept if kept is not None else _rendered(shared, by_id[note_id])[1]

    with cache.table("outlines") as table:
        by_note = table.memo_all(digests, BodySummary, make, valid=lambda _, summary: not _stopped(summary))
    summaries = {name: by_note[name] for name in given}
    bodies = Bodies({name: digests[name] for name in given}, summaries, packed, partial(_rendered, shared))
    return bodies, tuple(problem for summary in summaries.values() for problem in summary.diagnostics)


def _stopped(summary: BodySummary) -> bool:
    """True if something was stopped by a limit. It may be the fault of the machine, so the body is not cached."""
    return any(problem.rule in ("stopped-diagram", "stopped-code") for problem in summary.diagnostics)


def unpacked(packed: bytes) -> Body:
    """The body from what `Bodies.packed` gave."""
    body = unpack(Body, zlib.decompress(packed))
    assert body is not None, "a body of this very version"
    return body


_Shared = tuple[tuple[GlossaryTerm, ...], Words]


def _rendered(shared: _Shared, note: Note, mistakes: tuple[Diagnostic, ...] = ()) -> RenderedBody:
    """Render a note and pack its body. A pure function, which any process can call."""
    from paper_notes.markdown.render import render_body  # the parser, which those from the cache need not

    with naming(note.texts[0].path.parent if note.texts else note.id):
        body = render_body(note, *shared, mistakes)
    return summarised(body)


def summarised(body: Body) -> RenderedBody:
    """A body as it is kept: its summary, and itself packed."""
    outline = body.outline
    return BodySummary(outline, digest_of(outline.bare), body.diagnostics), zlib.compress(pack(body), 1)


def _name(key: bytes) -> bytes:
    return b"body " + key


def _figures(note: Note) -> dict[str, Source]:
    """The files of the note that its text may show as images. PDFs are shown by crops instead."""
    return {name: source for name, source in note.files.items() if not name.lower().endswith(".pdf")}


def _inputs(note: Note) -> tuple[object, ...]:
    """All that a body depends on except the glossary and the words of the languages."""
    contents = [text.content if isinstance(text.content, str) else text.content.sha256 for text in note.texts]
    texts = [(text.lang, text.path, text.first_line, text.start, text.macros) for text in note.texts], contents
    files = sorted((name, source.sha256) for name, source in _figures(note).items())
    return note.id, note.topic, note.papers, texts, files, note.translated, note.drafted, note.reviewed


def _to_send(note: Note) -> Note:
    """The note with the content of its texts and figures, for a process that does not read files."""
    texts = tuple(replace(text, content=text.text, start=0) for text in note.texts)
    files = {name: Source(source.path, source.data) for name, source in _figures(note).items()}
    return replace(note, texts=texts, files=files)
