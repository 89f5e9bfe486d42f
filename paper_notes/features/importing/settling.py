"""Merged notes with which the collection builds: no link without its section, and nothing taken that would stop it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath
from types import MappingProxyType

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE, index_of, load
from paper_notes.corpus.model import Note, TopicId
from paper_notes.corpus.references import NO_TOPIC, Dangling, split_section
from paper_notes.diagnostics import Diagnostic
from paper_notes.features.importing.make_valid import Arrived
from paper_notes.features.importing.merging import Gone, MergedNote
from paper_notes.features.importing.placing import Placed
from paper_notes.features.importing.values import Foreign
from paper_notes.features.papers.scaffold import sources_with
from paper_notes.markdown.render import render_body
from paper_notes.sources.tree import Source, text_position

_ROUNDS = 6
"""How often notes are merged again at most, for what the last time has changed."""
_REFERENCE = re.compile(r"\[\[([^\]|\n\\]+)")
_IN_PAGE = re.compile(r"\]\(#([^)\s]+)\)")
NOTHING: Mapping[PurePosixPath, Arrived] = MappingProxyType({})
Group = tuple[Placed, Sequence[Foreign]]
Merge = Callable[[Group, Mapping[PurePosixPath, Sequence[Gone]], str], MergedNote]
"""Merges a note: with the sections that its texts lead to and that are not there, and why it is held back, if it is."""


def settled(
    groups: Sequence[Group],
    arrived: Mapping[PurePosixPath, Arrived],
    merge: Merge,
    sources: tuple[Source, ...],
    frame: Sequence[Artifact],
) -> dict[PurePosixPath, MergedNote]:
    """What each note changes, by its folder. `sources` are those of before; `frame` is written besides the notes."""
    gone: dict[PurePosixPath, tuple[Gone, ...]] = dict.fromkeys(arrived, ())
    held: dict[PurePosixPath, str] = {}
    made = {group[0].folder: merge(group, gone, "") for group in groups}
    one_text = {note.folder: arrived[texts[0].outline.path] for note, texts in groups if len(texts) == 1}
    before = cache(lambda: _Collection(sources))
    for _ in range(_ROUNDS):
        files = [*frame, *(file for one in made.values() for file in one.artifacts)]
        after = _Collection(sources_with(sources, files)[0], one_text)
        again = set()
        for note, texts in groups:
            for path in (one.outline.path for one in texts):
                found = tuple(dict.fromkeys([*gone[path], *after.gone(note, arrived[path])]))
                if found != gone[path]:
                    gone[path] = found
                    again.add(note.folder)
        if not again:
            changed = {folder for folder, one in made.items() if one.state == "changed" and folder not in held}
            held |= dict(_would_stop(changed, before(), after)) if changed else {}
            again = changed & held.keys()
        if not again:
            break
        for group in groups:
            if (folder := group[0].folder) in again:
                made[folder] = merge(group, gone, held.get(folder, ""))
    return made


def _would_stop(
    changed: set[PurePosixPath], before: _Collection, after: _Collection
) -> Iterator[tuple[PurePosixPath, str]]:
    """The folders of changed notes with which the build would stop, and why."""
    for found in after.mistakes:
        if found.location.path.parent in changed:
            yield found.location.path.parent, f"{found.location}: {found.message}"
    for folder in sorted(changed):
        if new := [found for found in after.errors(folder) if found.message not in before.messages(folder)]:
            yield folder, f"{new[0].location}: {new[0].message}"
    for source, line, target, folder in after.references() if changed else ():
        section = split_section(target)[1]
        if folder in changed and section not in after.names(folder) and section in before.names(folder):
            yield folder, f'"[[{target}]]" in {source}:{line} would lead to no section: change it there'


class _Collection:
    """A collection as it is, or would be. Notes are rendered when they are asked for."""

    def __init__(self, sources: tuple[Source, ...], arrived: Mapping[PurePosixPath, Arrived] = NOTHING) -> None:
        """`arrived` are texts that were rendered already, by the folders of their notes."""
        corpus, mistakes = load(sources)
        self.mistakes = [one for one in mistakes if one.severity == "error"]
        self._sources, self._corpus = sources, corpus
        written = (*corpus.written, *corpus.drafts) if corpus else ()
        self._notes: dict[PurePosixPath, Note] = {BASE / note.id: note for note in written}
        self._index = index_of(written, corpus.site.topics if corpus else ())
        self._arrived = arrived
        self._rendered = dict[PurePosixPath, tuple[frozenset[str], Sequence[Diagnostic]]]()

    def _of(self, folder: PurePosixPath) -> tuple[frozenset[str], Sequence[Diagnostic]]:
        """The names of a note's sections and blocks, and the mistakes in its texts."""
        note, known = self._notes.get(folder), self._arrived.get(folder)
        if note is None or self._corpus is None:
            return frozenset(), ()
        if known and len(note.texts) == 1 and note.texts[0].text == known.body:
            return frozenset(known.sections), ()
        if folder not in self._rendered:
            body = render_body(note, words=self._corpus.site.words)
            errors = [found for found in body.diagnostics if found.severity == "error"]
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

    def messages(self, folder: PurePosixPath) -> set[str]:
        """What those mistakes are."""
        return {found.message for found in self._of(folder)[1]}

    def gone(self, note: Placed, one: Arrived) -> Iterator[Gone]:
        """The sections that a text leads to and that are not there."""
        for reference, section in one.references:
            folder = self._found(reference, TopicId(note.topic)) if section else None
            if folder and section not in self.names(folder):
                yield reference, section
        for section in _IN_PAGE.findall(one.body) if note.folder in self._notes else ():
            if section in one.sections and section not in self.names(note.folder):
                yield "", section

    def _found(self, reference: str, topic: TopicId) -> PurePosixPath | None:
        """The folder of the note that a reference means."""
        found = self._index.find(reference, topic)
        return None if isinstance(found, Dangling) else BASE / found

    def references(self) -> Iterator[tuple[PurePosixPath, int, str, PurePosixPath]]:
        """Where each reference to a section is written, the reference, and the folder of its note."""
        for source in self._sources:
            if source.path.suffix not in (".md", ".yaml") or b"[[" not in source.data:
                continue
            known = self._arrived.get(source.path.parent)
            topic = TopicId(source.path.parts[1]) if len(source.path.parts) > 2 else NO_TOPIC
            for found in _REFERENCE.finditer(source.text) if not known or known.body != source.text else ():
                name, section = split_section(found[1].strip())
                folder = self._found(name, topic) if section else None
                if folder:
                    yield source.path, text_position(source.text, found.start())[0], found[1], folder
