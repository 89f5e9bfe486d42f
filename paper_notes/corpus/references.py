"""How a note is named by another one: `#15`, `models/#19`, `models/19_RL_Frameworks`, `19_RL_Frameworks`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from paper_notes.corpus.model import NoteId, TopicId
from paper_notes.diagnostics import closest, did_you_mean

_NUMBER = re.compile(r"#?(\d{1,6})")


@dataclass(frozen=True, slots=True)
class NoteName:
    """What it takes to find a note: its id, topic, number and file name."""

    id: NoteId
    topic: TopicId
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Dangling:
    """A reference that leads nowhere, and what to do about it."""

    message: str
    hint: str


class NoteIndex:
    """Finds notes by the ways people write them. Built once from all notes, then only read."""

    def __init__(self, names: Iterable[NoteName], topics: Iterable[TopicId]) -> None:
        self._topics = frozenset(topics)
        self._by_number: dict[tuple[str, int], NoteName] = {}
        self._by_name: dict[tuple[str, str], NoteName] = {}
        for name in names:
            self._by_number.setdefault((name.topic, name.number), name)
            self._by_name.setdefault((name.topic, name.name), name)

    def find(self, reference: str, topic: TopicId) -> NoteId | Dangling:
        """The note that `reference` means in a text of `topic`, or why there is none."""
        wanted = reference.strip()
        folder, slash, rest = wanted.rpartition("/")
        place = folder if slash else topic
        if place not in self._topics:
            return Dangling(f'no topic "{folder}" for the reference "{wanted}"', did_you_mean(folder, self._topics))
        number = _NUMBER.fullmatch(rest)
        found = self._by_number.get((place, int(number[1]))) if number else self._by_name.get((place, rest))
        if found:
            return found.id
        return Dangling(f'no note "{wanted}" in topic "{place}"', self._hint(rest, place, bool(number)))

    def _hint(self, wanted: str, place: str, by_number: bool) -> str:
        inside = sorted((name for (topic, _), name in self._by_name.items() if topic == place), key=lambda n: n.number)
        if not by_number and (close := closest(wanted, [name.name for name in inside])):
            return f'did you mean "{close}"?'
        value = int(wanted.lstrip("#")) if by_number else -1
        elsewhere = sorted(
            f"{topic}/#{name.number}"
            for (topic, _), name in self._by_name.items()
            if topic != place and (name.number == value or name.name == wanted)
        )
        if elsewhere:
            return f'did you mean "{elsewhere[0]}"?'
        if not inside:
            return "the topic has no notes yet"
        numbers = sorted({name.number for name in inside})
        listed = (
            ", ".join(f"#{number}" for number in numbers) if len(numbers) <= 12 else f"#{numbers[0]} to #{numbers[-1]}"
        )
        return f"it has {listed}"
