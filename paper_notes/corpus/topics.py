"""Reads `topic.yaml`: the topic, its former addresses, reading paths, the order of its notes, papers without a note."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar

from paper_notes.corpus.bibliography.library import is_known
from paper_notes.corpus.model import Alias, Lang, Note, NoteId, ReadingPath, Text, Topic, TopicId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.corpus.references import Dangling, NoteIndex
from paper_notes.corpus.schema import TopicFile
from paper_notes.corpus.validate import validate
from paper_notes.diagnostics import NOWHERE, Diagnostic, Location, Suggestions
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml

BASE = PurePosixPath(SOURCE_FOLDER)
TOPIC_FILE = "topic.yaml"
Item = TypeVar("Item", NoteId, BibKey)
Orders = Mapping[TopicId, tuple[NoteId, ...]]
"""The notes that come first in each topic."""


@dataclass(frozen=True, slots=True)
class ReadTopic:
    """A topic without what its file says of notes and papers, and that file; an empty one if it is missing or wrong."""

    topic: Topic
    document: YamlDocument
    file: TopicFile

    @property
    def aliases(self) -> Iterator[Alias]:
        """The former addresses of the topic."""
        for place, address in enumerate(self.file.aliases):
            yield Alias(self.topic.id, None, address, self.document.location(("aliases", place)))

    def reading_paths(self, index: NoteIndex, problems: list[Diagnostic]) -> Iterator[ReadingPath]:
        """The reading paths, whose steps are found in the index."""
        lines: dict[str, int] = {}
        for number, value in enumerate(self.file.reading_paths):
            where = self.document.location(("reading_paths", number, "id"))
            if lines.setdefault(value.id, where.line) != where.line:
                message = f'the id "{value.id}" is already taken on line {lines[value.id]}'
                problems.append(Diagnostic(where, "duplicate-id", message, "choose another one"))
            steps, words = [], []
            for place, step in enumerate(value.steps):
                note = index.find(step.note, self.topic.id)
                if isinstance(note, Dangling):
                    problems.append(note.at(self.document.location(("reading_paths", number, "steps", place))))
                else:
                    steps.append(note)
                    words.append(step.words.plain() if step.words else None)
            guide = value.guide.text() if value.guide else None
            where = self.document.location(("reading_paths", number))
            if steps:  # of those that only drafts are in, nothing is left
                yield ReadingPath(value.id, value.title.plain(), tuple(steps), guide, where, tuple(words))

    def papers(
        self, known: Mapping[BibKey, Paper], suggestions: Suggestions, problems: list[Diagnostic]
    ) -> tuple[BibKey, ...]:
        """The papers that belong to it; those that no .bib file has are reported."""
        papers: list[BibKey] = []
        for place, written in enumerate(self.file.papers):
            key, where = BibKey(written.removeprefix("@")), self.document.location(("papers", place))
            if is_known(key, known, where, suggestions, problems) and _is_first(key, papers, where, problems):
                papers.append(key)
        return tuple(papers)

    def order(self, index: NoteIndex, problems: list[Diagnostic]) -> tuple[NoteId, ...]:
        """The notes that come first in the topic."""
        notes: list[NoteId] = []
        for place, written in enumerate(self.file.order):
            where = self.document.location(("order", place))
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


def read_topic(
    topic_id: TopicId, by_path: Mapping[PurePosixPath, Source], languages: tuple[Lang, ...], problems: list[Diagnostic]
) -> ReadTopic:
    """The topic of a folder; a bare one if its file is missing or wrong."""
    path = BASE / topic_id / TOPIC_FILE
    bare = Topic(topic_id, Text.of({languages[0]: topic_id}), "", None, (), Location(path))
    empty = TopicFile.model_validate({"title": topic_id}, context={"languages": languages})
    source = by_path.get(path)
    if source is None:
        hint = f"write `title: {{{', '.join(f'{lang}: ...' for lang in languages)}}}` into it"
        problems.append(Diagnostic(Location(path), "missing-topic-file", f"there is no {path}", hint))
        return ReadTopic(bare, YamlDocument(path, {}, {}, {}), empty)
    document = parse_yaml(path, source.text)
    if isinstance(document, Diagnostic):
        problems.append(document)
        return ReadTopic(bare, YamlDocument(path, {}, {}, {}), empty)
    file, mistakes = validate(TopicFile, document, languages)
    problems += mistakes
    if file is None:
        return ReadTopic(bare, document, empty)
    intro = file.intro.text() if file.intro else None
    where = document.location(("intro",)) if intro else NOWHERE
    topic = Topic(topic_id, file.title.plain(), file.emoji, intro, (), Location(path), where)
    return ReadTopic(topic, document, file)


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
