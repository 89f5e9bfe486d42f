"""What `topic.yaml` lists: the order of its notes, and papers that it has no note of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from paper_notes.corpus.model import Note, NoteId, Topic, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.references import Dangling, NoteIndex
from paper_notes.corpus.schema import TopicFile
from paper_notes.diagnostics import Diagnostic, Suggestions
from paper_notes.sources.yaml import YamlDocument

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
    found: list[BibKey] = []
    for place, written in enumerate(file.papers):
        where = document.location(("papers", place))
        key = BibKey(written.removeprefix("@"))
        if key not in known:
            hint = suggestions.did_you_mean(key, known) or "add it to library.bib"
            message = f'no entry "{key}" in the .bib files'
            problems.append(Diagnostic(where, "unknown-bibkey", message, hint, about=f"paper {key}"))
        elif _is_first(key, found, where_of=document, place=place, name="papers", problems=problems):
            found.append(key)
    return replace(topic, papers=tuple(found))


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
    found: list[NoteId] = []
    for place, written in enumerate(file.order):
        where = document.location(("order", place))
        note = index.find(written, topic.id)
        if isinstance(note, Dangling):
            problems.append(note.at(where))
        elif not note.startswith(f"{topic.id}/"):
            message = f'"{written}" is no note of this topic, so it has no place in its order'
            hint = "delete it; name notes of this topic, as in [15, 2, 4]"
            problems.append(Diagnostic(where, "bad-value", message, hint, "warning"))  # as after a note has moved
        elif _is_first(note, found, where_of=document, place=place, name="order", problems=problems):
            found.append(note)
    return tuple(found)


def in_order(notes: Iterable[Note], orders: Orders) -> tuple[Note, ...]:
    """The notes of each topic in its order, then the others as they come; topics stay where they are."""
    topics: dict[TopicId, list[Note]] = {}
    for note in notes:
        topics.setdefault(note.topic, []).append(note)
    made: list[Note] = []
    for topic, inside in topics.items():
        places = {note: place for place, note in enumerate(orders.get(topic, ()))}
        made += sorted(inside, key=lambda note, places=places: places.get(note.id, len(places)))  # type: ignore[misc]
    return tuple(made)


def _is_first(
    item: Item, found: list[Item], *, where_of: YamlDocument, place: int, name: str, problems: list[Diagnostic]
) -> bool:
    """Whether an item is in its list once so far; else that is reported."""
    if item not in found:
        return True
    message = f'"{item}" is in this list already'
    problems.append(Diagnostic(where_of.location((name, place)), "bad-value", message, "delete one of the two"))
    return False
