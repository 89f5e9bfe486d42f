"""The pages of all notes: each is made, here or in other processes, only if something that it shows changed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from paper_notes.artifacts import Artifact
from paper_notes.build_context import BuildContext
from paper_notes.cache import Table
from paper_notes.codec import digest_of, pack
from paper_notes.corpus.model import Corpus, Note, NoteId
from paper_notes.corpus.references import Dangling
from paper_notes.diagnostics import Diagnostic, Location, has_errors
from paper_notes.markdown.bodies import Bodies
from paper_notes.render.links import SITE, LinkResolver, note_path
from paper_notes.render.note_files import NotePageFile, NoteWork, note_file
from paper_notes.render.page_inputs import InputCollector, PageInputs, SiteContext
from paper_notes.sources.tree import Source


@dataclass(frozen=True, slots=True)
class _Known:
    """What is remembered of a page that was made."""

    sha256: str
    size: int
    text_size: int
    diagnostics: tuple[Diagnostic, ...]


class NotePages:
    """The pages of the notes, and their words to search in."""

    def __init__(
        self,
        notes: tuple[Note, ...],
        bodies: Bodies,
        common: SiteContext,
        neighbours: InputCollector,
        context: BuildContext,
    ) -> None:
        self._bodies, self._neighbours, self._context = bodies, neighbours, context
        self._common = pack(common)
        self._notes = {note.id: note for note in notes}
        self._texts: dict[NoteId, bytes] = {}
        self.artifacts: dict[NoteId, Artifact] = {}
        self.keys: dict[NoteId, bytes] = {}
        """What tells each page, and its words, from what they were before."""
        self.text_sizes: dict[NoteId, int] = {}
        """Bytes of the words of each note."""
        self.links: dict[str, tuple[str, ...]] = {}
        """Where the pages lead that were made just now."""
        self.diagnostics: list[Diagnostic] = []
        self._make(digest_of(self._common), notes)

    @property
    def sizes(self) -> Mapping[NoteId, int]:
        """Bytes of each page."""
        return {note: artifact.size for note, artifact in self.artifacts.items()}

    def text(self, note_id: NoteId) -> str:
        """The words of a note, as a line of a file that the home page searches in."""
        kept = self._texts.get(note_id) or self._context.cache.get(_name(self.keys[note_id]))
        return zlib.decompress(kept).decode() if kept else self._again(note_id).text

    def rewritten(self, source: Source) -> Artifact | None:
        """The page of the note that has `source` as one of its texts now, if this is all that it changes in pages.

        None if others may have changed too, or something is wrong with it: then only a whole build can tell.
        """
        found = (note for note in self._notes.values() if any(text.path == source.path for text in note.texts))
        note = next(found, None)
        if note is None or any(text.start for text in note.texts) or not source.text.strip():
            return None
        texts = tuple(replace(text, content=source) if text.path == source.path else text for text in note.texts)
        told, packed = self._bodies.rendered(replace(note, texts=texts))
        if told.mentions != self._bodies.mentions[note.id] or has_errors(told.diagnostics):
            return None
        file = note_file(self._common, NoteWork(self._neighbours.of(note), packed))
        sound = not file.loads and not has_errors(file.diagnostics)
        return Artifact(SITE / file.path, file.page) if sound else None

    def _make(self, shared: bytes, notes: tuple[Note, ...]) -> None:
        table = Table(self._context.cache, "pages")
        wanted: dict[NoteId, PageInputs] = {}
        for note in notes:
            around = self._neighbours.of(note)
            self.keys[note.id] = digest_of(shared, self._bodies.made_of[note.id], self._neighbours.key(around))
            known = table.get(note.id, self.keys[note.id], _Known)
            artifact = self._context.existing(SITE / note_path(note), known.sha256) if known else None
            if known and artifact:
                self._tell(note.id, known, artifact)
            else:
                wanted[note.id] = around
        works = (NoteWork(around, self._bodies.packed(note_id)) for note_id, around in wanted.items())
        made = self._context.workers.map(note_file, self._common, works)
        for note_id, file in zip(wanted, made, strict=True):
            known, artifact = self._keep(note_id, file)
            table.put(note_id, self.keys[note_id], known)
            self._tell(note_id, known, artifact)
        table.save()
        self.artifacts = {note.id: self.artifacts[note.id] for note in notes}

    def _again(self, note_id: NoteId) -> NotePageFile:
        around = self._neighbours.of(self._notes[note_id])
        return note_file(self._common, NoteWork(around, self._bodies.packed(note_id)))

    def _tell(self, note_id: NoteId, known: _Known, artifact: Artifact) -> None:
        self.artifacts[note_id] = artifact
        self.text_sizes[note_id] = known.text_size
        self.diagnostics += known.diagnostics

    def _keep(self, note_id: NoteId, file: NotePageFile) -> tuple[_Known, Artifact]:
        artifact = self._context.spill(Artifact(SITE / file.path, file.page))
        text = file.text.encode()
        packed = zlib.compress(text, 1)
        self._context.cache.put(_name(self.keys[note_id]), packed)
        if not self._context.cache.works:
            self._texts[note_id] = packed
        self.links[str(artifact.path)] = file.links
        found = [*file.diagnostics]
        if file.loads:
            found.append(loading(artifact, file.loads))
        return _Known(artifact.sha256, artifact.size, len(text), tuple(found)), artifact


def loading(artifact: Artifact, address: str) -> Diagnostic:
    """A page that would ask for another file."""
    message = f'the page needs another file: "{address[:80]}"'
    return Diagnostic(Location(artifact.path), "page-loads-file", message, "inline it in the template")


def wrong_references(corpus: Corpus, bodies: Bodies, resolver: LinkResolver) -> Iterator[Diagnostic]:
    """What is wrong with what texts refer to. A body is only looked at where its outline says that something is."""
    for note in corpus.notes:
        if any(_is_wrong(kind, target, note, resolver) for kind, target in bodies.outlines[note.id].mentions):
            for half in bodies[note.id].halves.values():
                yield from resolver.check(half.slots, note.topic, note.id)


def _is_wrong(kind: str, target: str, note: Note, resolver: LinkResolver) -> bool:
    if kind == "note":
        return not isinstance(resolver.find(target, note.topic), tuple)
    if kind in ("crop", "source"):
        return resolver.crops.find(target) is None
    if kind == "plain":
        found = resolver.index.find(target, note.topic)
        return not isinstance(found, Dangling) and found != note.id
    return target not in resolver.corpus.papers


def _name(key: bytes) -> bytes:
    return b"words " + key
