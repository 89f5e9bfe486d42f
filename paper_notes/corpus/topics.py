"""What `site.yaml`, `topic.yaml` and `glossary.yaml` say, as read; and topics with their references resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TypeVar

from paper_notes.corpus.bibliography.library import is_known
from paper_notes.corpus.model import Alias, GlossaryTerm, Note, NoteId, ReadingPath, Site, Topic, TopicId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.corpus.references import Dangling, NoteIndex
from paper_notes.diagnostics import Diagnostic, Location, Suggestions
from paper_notes.macros import Macros
from paper_notes.sources.tree import SOURCE_FOLDER
from paper_notes.sources.yaml import Written
from paper_notes.values import Struct, field, replace

BASE = PurePosixPath(SOURCE_FOLDER)
TOPIC_FILE = "topic.yaml"
Item = TypeVar("Item", NoteId, BibKey)
Orders = Mapping[TopicId, tuple[NoteId, ...]]
"""The notes that come first in each topic."""
ReadSite = tuple[Site | None, dict[TopicId, Location], tuple[Diagnostic, ...]]
"""The site, or None if its file is too wrong for one; where it names each topic; what is wrong."""
ReadGlossary = tuple[tuple[GlossaryTerm, ...], tuple[Diagnostic, ...]]
"""The terms in the order of the file, and what is wrong in it."""


class WrittenPath(Struct, frozen=True):
    """A reading path whose steps are not resolved yet."""

    path: ReadingPath
    steps: tuple[Location, ...]
    id: Location


class ReadTopic(Struct, frozen=True):
    """A topic without what its file says of notes and papers, and that as written."""

    topic: Topic
    aliases: tuple[Alias, ...] = ()
    """The former addresses of the topic."""
    macros: Macros = field(default_factory=dict)
    paths: tuple[WrittenPath, ...] = ()
    listed: Written = ()
    """Keys of papers."""
    first: Written = ()
    """References to notes."""
    diagnostics: tuple[Diagnostic, ...] = ()

    def reading_paths(self, index: NoteIndex, problems: list[Diagnostic]) -> Iterator[ReadingPath]:
        """The reading paths, whose steps are found in the index."""
        lines: dict[str, int] = {}
        for read in self.paths:
            path, where = read.path, read.id
            if lines.setdefault(path.id, where.line) != where.line:
                message = f'the id "{path.id}" is already taken on line {lines[path.id]}'
                problems.append(Diagnostic(where, "duplicate-id", message, "choose another one"))
            steps, words = [], []
            for (written, named), place in zip(path.named_steps, read.steps, strict=True):
                note = index.find(written, self.topic.id)
                if isinstance(note, Dangling):
                    problems.append(note.at(place))
                else:
                    steps.append(note)
                    words.append(named)
            if steps:  # of those that only drafts are in, nothing is left
                yield replace(path, steps=tuple(steps), words=tuple(words))

    def papers(
        self, known: Mapping[BibKey, Paper], suggestions: Suggestions, problems: list[Diagnostic]
    ) -> tuple[BibKey, ...]:
        """The papers that belong to it; those that no .bib file has are reported."""
        papers: list[BibKey] = []
        for written, where in self.listed:
            key = BibKey(written.removeprefix("@"))
            if is_known(key, known, where, suggestions, problems) and _is_first(key, papers, where, problems):
                papers.append(key)
        return tuple(papers)

    def order(self, index: NoteIndex, problems: list[Diagnostic]) -> tuple[NoteId, ...]:
        """The notes that come first in the topic."""
        notes: list[NoteId] = []
        for written, where in self.first:
            note = index.find(written, self.topic.id)
            if isinstance(note, Dangling):
                problems.append(note.at(where))
            elif not note.startswith(f"{self.topic.id}/"):
                message = f'"{written}" is no note of this topic, so it has no place in its order'
                hint = "delete it; name notes of this topic, as in [15, 2, 4]"
                problems.append(Diagnostic(where, "bad-value", message, hint, "warning"))  # as after a note has moved
            elif _is_first(note, notes, where, problems):
                notes.append(note)
        return tuple(notes)


def in_order(notes: Iterable[Note], orders: Orders) -> tuple[Note, ...]:
    """The notes of each topic in its order, then the others as they come; topics stay where they are."""
    topics: dict[TopicId, list[Note]] = {}
    for note in notes:
        topics.setdefault(note.topic, []).append(note)
    ordered: list[Note] = []
    for topic, inside in topics.items():
        places = {note: place for place, note in enumerate(orders.get(topic, ()))}
        ordered += sorted(inside, key=lambda note, places=places: places.get(note.id, len(places)))  # type: ignore[misc]
    return tuple(ordered)


def _is_first(item: Item, items: list[Item], where: Location, problems: list[Diagnostic]) -> bool:
    """Whether an item is in its list once so far; else that is reported."""
    if item in items:
        message = f'"{item}" is in this list already'
        problems.append(Diagnostic(where, "bad-value", message, "delete one of the two"))
    return item not in items
