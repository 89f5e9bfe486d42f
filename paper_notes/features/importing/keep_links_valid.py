"""Merged notes with which the collection builds: no link without its section, and nothing that would stop a build."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE, index_of, load
from paper_notes.corpus.model import Corpus, Note, TopicId
from paper_notes.corpus.references import NO_TOPIC, Dangling, split_section
from paper_notes.diagnostics import Diagnostic
from paper_notes.document.nodes import Inline, Reference
from paper_notes.document.parse import parse, parse_inline
from paper_notes.features.importing.make_valid import ValidText
from paper_notes.features.importing.merging import Gone, MergedNote
from paper_notes.features.importing.placement import NoteTexts, PlacedNote
from paper_notes.features.papers.scaffold import sources_with
from paper_notes.markdown.render import render_body
from paper_notes.sources.tree import Source, text_position

NOTHING: Mapping[PurePosixPath, ValidText] = MappingProxyType({})
Merge = Callable[[NoteTexts, Mapping[PurePosixPath, Sequence[Gone]], str], MergedNote]
"""Merges a note: with the sections that its texts lead to and that are not there, and why it is held back, if it is."""


def keep_links_valid(
    groups: Sequence[NoteTexts],
    valid: Mapping[PurePosixPath, ValidText],
    merge: Merge,
    sources: tuple[Source, ...],
    frame: Sequence[Artifact],
    fresh: Corpus,
) -> dict[PurePosixPath, MergedNote]:
    """What each note changes, by its folder. `sources` are those of before; `frame` is written besides the notes.

    `fresh` is the collection with all notes as if they were new: if they are, nothing is loaded again.

    First, links to sections that a person has deleted lead to the notes. Then, notes with which the build would stop
    are held back; and last, links to sections that only those would have had lead to the notes.
    """
    gone: dict[PurePosixPath, tuple[Gone, ...]] = dict.fromkeys(valid, ())
    held: dict[PurePosixPath, str] = {}
    merged = {group[0].folder: merge(group, gone, "") for group in groups}
    single = {note.folder: valid[texts[0].outline.path] for note, texts in groups if len(texts) == 1}

    def collection() -> _Collection:
        files = [*frame, *(file for note in merged.values() for file in note.artifacts)]
        return _loaded(sources_with(sources, files)[0], single)

    def merge_again(folders: Iterable[PurePosixPath]) -> None:
        for group in groups:
            if (folder := group[0].folder) in folders:
                merged[folder] = merge(group, gone, held.get(folder, ""))

    def without_links_to_nothing(after: _Collection) -> bool:
        affected = set()
        for note, texts in groups:
            for path in (text.outline.path for text in texts):
                if new := set(after.gone(note, valid[path])) - {*gone[path]}:
                    gone[path] = (*gone[path], *sorted(new))
                    affected.add(note.folder)
        merge_again(affected)
        return bool(affected)

    is_fresh = all(note.state == "new" for note in merged.values())
    after = _Collection((), fresh, (), single) if is_fresh else collection()
    is_changed = without_links_to_nothing(after)
    changed = {folder for folder, note in merged.items() if note.state == "changed"}
    held |= dict(_would_stop(changed, _loaded(sources), collection() if is_changed else after)) if changed else {}
    if held:
        merge_again(held.keys())
        without_links_to_nothing(collection())
    return merged


def _loaded(sources: tuple[Source, ...], valid: Mapping[PurePosixPath, ValidText] = NOTHING) -> _Collection:
    return _Collection(sources, *load(sources), valid)


def _would_stop(
    changed: set[PurePosixPath], before: _Collection, after: _Collection
) -> Iterator[tuple[PurePosixPath, str]]:
    """The folders of changed notes with which the build would stop, and why."""
    for mistake in after.mistakes:
        if mistake.location.path.parent in changed:
            yield mistake.location.path.parent, f"{mistake.location}: {mistake.message}"
    for folder in sorted(changed):
        known = {error.message for error in before.errors(folder)}
        if new := [error for error in after.errors(folder) if error.message not in known]:
            yield folder, f"{new[0].location}: {new[0].message}"
    for source, line, target, folder in after.references():
        section = split_section(target)[1]
        if folder in changed and section not in after.names(folder) and section in before.names(folder):
            yield folder, f'"[[{target}]]" in {source}:{line} would lead to no section: change it there'


class _Collection:
    """A collection as it is, or would be. Notes are rendered when they are asked for."""

    def __init__(
        self,
        sources: tuple[Source, ...],
        corpus: Corpus | None,
        mistakes: Sequence[Diagnostic],
        valid: Mapping[PurePosixPath, ValidText],
    ) -> None:
        """`valid` are texts that were rendered already, by the folders of their notes."""
        self.mistakes = [mistake for mistake in mistakes if mistake.severity == "error"]
        self._sources, self._corpus = sources, corpus
        written = (*corpus.written, *corpus.drafts) if corpus else ()
        self._notes: dict[PurePosixPath, Note] = {BASE / note.id: note for note in written}
        self._index = index_of(written, corpus.site.topics if corpus else ())
        self._valid = valid
        self._rendered = dict[PurePosixPath, tuple[frozenset[str], Sequence[Diagnostic]]]()

    def _of(self, folder: PurePosixPath) -> tuple[frozenset[str], Sequence[Diagnostic]]:
        """The names of a note's sections and blocks, and the mistakes in its texts."""
        note, known = self._notes.get(folder), self._valid.get(folder)
        if note is None or self._corpus is None:
            return frozenset(), ()
        if known and len(note.texts) == 1 and note.texts[0].text == known.body:
            return frozenset(known.sections), ()
        if folder not in self._rendered:
            body = render_body(note, words=self._corpus.site.words)
            errors = [problem for problem in body.diagnostics if problem.severity == "error"]
            anchors = body.outline.anchors
            names = (*anchors.sections, *anchors.blocks, *(f"^{block}" for block in anchors.blocks))
            self._rendered[folder] = (frozenset(names), errors)
        return self._rendered[folder]

    def names(self, folder: PurePosixPath) -> frozenset[str]:
        """The names of the sections and blocks of the note in a folder."""
        return self._of(folder)[0]

    def errors(self, folder: PurePosixPath) -> Sequence[Diagnostic]:
        """The mistakes in the texts of a note."""
        return self._of(folder)[1]

    def gone(self, note: PlacedNote, text: ValidText) -> Iterator[Gone]:
        """The sections that a text leads to and that are not there."""
        for reference, section in text.references:
            folder = self._folder(reference, TopicId(note.topic)) if reference else note.folder
            was_there = section in text.sections if not reference else bool(section)
            if was_there and folder in self._notes and section not in self.names(folder):
                yield reference, section

    def _folder(self, reference: str, topic: TopicId) -> PurePosixPath | None:
        """The folder of the note that a reference means."""
        note = self._index.find(reference, topic)
        return None if isinstance(note, Dangling) else BASE / note

    def references(self) -> Iterator[tuple[PurePosixPath, int, str, PurePosixPath]]:
        """Where each reference to a section is written, the reference, and the folder of its note."""
        for source in self._sources:
            if source.path.suffix not in (".md", ".yaml") or b"[[" not in source.data:
                continue
            known = self._valid.get(source.path.parent)
            topic = TopicId(source.path.parts[1]) if len(source.path.parts) > 2 else NO_TOPIC
            for line, target in _references(source) if not known or known.body != source.text else ():
                name, section = split_section(target)
                folder = self._folder(name, topic) if section else None
                if folder:
                    yield source.path, line, target, folder


def _references(source: Source) -> Iterator[tuple[int, str]]:
    """The lines and targets of the references in a text, or in the values of a YAML file."""
    if source.path.suffix == ".md":
        for node in parse(source.text).walk():
            if isinstance(node, Reference):
                yield text_position(source.text, node.span.start)[0], node.target
        return
    for number, line in enumerate(source.text.split("\n"), 1):
        inlines: Sequence[Inline] = parse_inline(line) if "[[" in line else ()
        yield from (
            (number, node.target) for inline in inlines for node in inline.walk() if isinstance(node, Reference)
        )
