"""Reads `topic.yaml`: the topic, its former addresses, reading paths, the order of its notes, papers without a note."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TypeVar

from paper_notes.corpus.model import Alias, Lang, Note, NoteId, ReadingPath, Text, Topic, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.references import Dangling, NoteIndex
from paper_notes.corpus.schema import TopicFile
from paper_notes.corpus.validate import validate
from paper_notes.diagnostics import NOWHERE, Diagnostic, Location, Suggestions
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml

BASE = PurePosixPath(SOURCE_FOLDER)
TOPIC_FILE = "topic.yaml"
ReadTopic = tuple[Topic, YamlDocument | None, TopicFile | None]
"""A topic, and its file as read, if it could be."""


def read_topic(
    topic_id: TopicId, by_path: Mapping[PurePosixPath, Source], languages: tuple[Lang, ...], problems: list[Diagnostic]
) -> ReadTopic:
    """The topic of a folder, without its reading paths; a bare one if its file is missing or wrong."""
    path = BASE / topic_id / TOPIC_FILE
    bare = Topic(topic_id, Text.of({languages[0]: topic_id}), "", None, (), Location(path))
    source = by_path.get(path)
    if source is None:
        hint = f"write `title: {{{', '.join(f'{lang}: ...' for lang in languages)}}}` into it"
        problems.append(Diagnostic(Location(path), "missing-topic-file", f"there is no {path}", hint))
        return bare, None, None
    document = parse_yaml(path, source.text)
    if isinstance(document, Diagnostic):
        problems.append(document)
        return bare, None, None
    file, mistakes = validate(TopicFile, document, languages)
    problems += mistakes
    if file is None:
        return bare, document, None
    intro = file.intro.text() if file.intro else None
    where = document.location(("intro",)) if intro else NOWHERE
    return Topic(topic_id, file.title.plain(), file.emoji, intro, (), Location(path), where), document, file


def topic_aliases(topics: Iterable[ReadTopic]) -> Iterator[Alias]:
    """The former addresses of topics."""
    for topic, document, file in topics:
        for place, address in enumerate(file.aliases if document and file else ()):
            if document:
                yield Alias(topic.id, None, address, document.location(("aliases", place)))


def with_paths(
    topic: Topic,
    document: YamlDocument | None,
    file: TopicFile | None,
    index: NoteIndex,
    problems: list[Diagnostic],
) -> Topic:
    """The topic with its reading paths, whose steps are found in the index."""
    if document is None or file is None:
        return topic
    paths = []
    lines: dict[str, int] = {}
    for number, value in enumerate(file.reading_paths):
        where = document.location(("reading_paths", number, "id"))
        if lines.setdefault(value.id, where.line) != where.line:
            message = f'the id "{value.id}" is already taken on line {lines[value.id]}'
            problems.append(Diagnostic(where, "duplicate-id", message, "choose another one"))
        steps, words = [], []
        for place, step in enumerate(value.steps):
            note = index.find(step.note, topic.id)
            if isinstance(note, Dangling):
                where = document.location(("reading_paths", number, "steps", place))
                problems.append(note.at(where))
            else:
                steps.append(note)
                words.append(step.words.plain() if step.words else None)
        guide = value.guide.text() if value.guide else None
        where = document.location(("reading_paths", number))
        if steps:  # of those that only drafts are in, nothing is left
            paths.append(ReadingPath(value.id, value.title.plain(), tuple(steps), guide, where, tuple(words)))
    return replace(topic, reading_paths=tuple(paths))


Item = TypeVar("Item", NoteId, BibKey)
Orders = Mapping[TopicId, tuple[NoteId, ...]]
"""The notes that come first in each topic."""


def with_papers(
    topic: Topic,
    document: YamlDocument | None,
    file: TopicFile | None,
    known: Collection[str],
    suggestions: Suggestions,
    problems: list[Diagnostic],
) -> Topic:
    """The topic with its papers; those that no .bib file has are reported."""
    if document is None or file is None or not file.papers:
        return topic
    papers: list[BibKey] = []
    for place, written in enumerate(file.papers):
        where = document.location(("papers", place))
        key = BibKey(written.removeprefix("@"))
        if key not in known:
            hint = suggestions.did_you_mean(key, known) or "add it to library.bib"
            message = f'no entry "{key}" in the .bib files'
            problems.append(Diagnostic(where, "unknown-bibkey", message, hint, about=f"paper {key}"))
        elif _is_first(key, papers, where_of=document, place=place, name="papers", problems=problems):
            papers.append(key)
    return replace(topic, papers=tuple(papers))


def read_order(
    topic: Topic,
    document: YamlDocument | None,
    file: TopicFile | None,
    index: NoteIndex,
    problems: list[Diagnostic],
) -> tuple[NoteId, ...]:
    """The notes that come first in the topic."""
    if document is None or file is None:
        return ()
    notes: list[NoteId] = []
    for place, written in enumerate(file.order):
        where = document.location(("order", place))
        note = index.find(written, topic.id)
        if isinstance(note, Dangling):
            problems.append(note.at(where))
        elif not note.startswith(f"{topic.id}/"):
            message = f'"{written}" is no note of this topic, so it has no place in its order'
            hint = "delete it; name notes of this topic, as in [15, 2, 4]"
            problems.append(Diagnostic(where, "bad-value", message, hint, "warning"))  # as after a note has moved
        elif _is_first(note, notes, where_of=document, place=place, name="order", problems=problems):
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


def _is_first(
    item: Item, items: list[Item], *, where_of: YamlDocument, place: int, name: str, problems: list[Diagnostic]
) -> bool:
    """Whether an item is in its list once so far; else that is reported."""
    if item not in items:
        return True
    message = f'"{item}" is in this list already'
    problems.append(Diagnostic(where_of.location((name, place)), "bad-value", message, "delete one of the two"))
    return False
