"""Other numbers for notes: one is put before another, two are swapped, gaps are closed. And other places for topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from paper_notes.corpus.load import SITE_FILE
from paper_notes.corpus.model import NoteId, TopicId
from paper_notes.corpus.references import NoteName
from paper_notes.diagnostics import UserError
from paper_notes.features.moving.move import Move
from paper_notes.features.moving.references import CollectionFiles
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml_edit import with_names, without_name

_NUMBER = regex(r"\d+")
Places = Mapping[NoteId, NoteId]
"""The notes that get other ids, with these."""


def placed_before(names: Sequence[NoteName], note: NoteName, other: NoteName) -> Places:
    """`note` gets the number of `other`, and those between the two, or up to the next gap, one more or less."""
    in_topic = sorted((name for name in names if name.topic == other.topic), key=lambda name: (name.number, name.name))
    if note.topic == other.topic:
        without = [name for name in in_topic if name.id != note.id]
        at = without.index(other)
        return _numbered([*without[:at], note, *without[at:]], (name.number for name in in_topic))
    places, number = {note.id: _with_number(note, other.number, other.topic)}, other.number
    for name in in_topic:
        if name.number == number and name.number >= other.number:
            number += 1
            places[name.id] = _with_number(name, number)
    return places


def swapped(note: NoteName, other: NoteName) -> Places:
    """Each gets the topic and number of the other one."""
    return {
        note.id: _with_number(note, other.number, other.topic),
        other.id: _with_number(other, note.number, note.topic),
    }


def renumbered(names: Iterable[NoteName], topic: TopicId) -> Places:
    """The notes of a topic get the numbers from 1 on, in their order."""
    in_topic = sorted((name for name in names if name.topic == topic), key=lambda name: (name.number, name.name))
    return _numbered(in_topic, range(1, len(in_topic) + 1))


def reordered(files: CollectionFiles, topic: TopicId, before: TopicId) -> Move:
    """The topic before another one in `site.yaml`. Raises UserError."""
    settings = next(source for source in files.sources if source.path == SITE_FILE)
    others = [known for known in files.corpus.site.topics if known != topic]
    if topic == before or [*files.corpus.site.topics].index(topic) == others.index(before):
        raise UserError(f"{topic} is there already", "name another topic")
    without = without_name(SITE_FILE, settings.data, "topics", topic)
    data = with_names(SITE_FILE, without, "topics", [topic], others.index(before))
    return Move({}, (), (), (Source(SITE_FILE, data),), {SITE_FILE: settings.sha256}, ())


def _numbered(names: Sequence[NoteName], numbers: Iterable[int]) -> Places:
    return {name.id: _with_number(name, number) for name, number in zip(names, numbers, strict=True)}


def _with_number(name: NoteName, number: int, topic: TopicId | None = None) -> NoteId:
    """The id with another number, of as many digits as before if they are enough."""
    digits = _NUMBER.match(name.name)
    width = len(digits[0]) if digits else 2
    return NoteId(f"{topic or name.topic}/{number:0{width}}{name.name[width:]}")
