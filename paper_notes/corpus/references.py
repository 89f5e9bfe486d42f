"""References to notes: `#15`, `models/#19`, `models/19_RL_Frameworks`, `19_RL_Frameworks`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from paper_notes.corpus.model import NoteId, TopicId
from paper_notes.diagnostics import Diagnostic, Location, Suggestions
from paper_notes.identifiers import ARXIV
from paper_notes.patterns import regex
from paper_notes.values import Struct

NO_NOTES: Mapping[NoteId, NoteId] = MappingProxyType({})
_NUMBER = regex(r"#?(\d{1,6})")
NO_TOPIC = TopicId("")
"""That of pages of the user's own, which any text names without a topic."""
_NUMBER_OR_ID = regex(rf"^#?\d+_|_{ARXIV}$")


class NoteName(Struct, frozen=True):
    """The ways to name a note: its id, topic, number and file name."""

    id: NoteId
    topic: TopicId
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Dangling:
    """A reference that leads nowhere, and what to do about it."""

    message: str
    hint: str
    about: str = field(default="", compare=False)
    """As in `Diagnostic`."""
    draft: bool = False
    """The note is there, but not to be published yet."""

    def at(self, location: Location) -> Diagnostic:
        """As a finding."""
        if self.draft:
            return Diagnostic(location, "draft-reference", self.message, self.hint, "warning")
        return Diagnostic(location, "dangling-reference", self.message, self.hint, about=self.about)


def name_of(note: NoteId) -> NoteName:
    """The parts of a note's id. A page of the user's own has no topic, and the number 0."""
    topic, _, name = note.rpartition("/")
    return NoteName(note, TopicId(topic), int("0" + re.sub(r"(?s)\D.*", "", name)), name)


def split_section(target: str) -> tuple[str, str]:
    """`models/#19#method` into reference and section; a `#` right before a number belongs to the reference.

    A section may be named by its number: `§3.2` of `#19§3.2`.
    """
    match = re.fullmatch(r"((?:[^#§]*/)?#?[^#§]*)(?:#(.+)|§\s*(.+))?", target)
    if not match:
        return target, ""
    return match[1].rstrip() if match[3] else match[1], f"§{match[3].strip()}" if match[3] else match[2] or ""


def _stem(name: str) -> str:
    """The name of a note without its number and arXiv id: notes with equal numbers are not alike."""
    return _NUMBER_OR_ID.sub("", name)


class NoteIndex:
    """Finds notes by references. Built once from all notes, then only read."""

    def __init__(
        self,
        names: Iterable[NoteName],
        topics: Iterable[TopicId],
        former: Mapping[NoteId, NoteId] = NO_NOTES,
        drafts: Iterable[NoteName] = (),
    ) -> None:
        """`former` has notes by ids that they had before, for hints. `drafts` are found as reasons only."""
        self._topics = frozenset(topics)
        self._drafts = {(name.topic, called) for name in drafts for called in (name.number, name.name)}
        self._former: dict[str, NoteId] = {}
        for old, note in former.items():
            self._former.setdefault(f"{name_of(old).topic}/{name_of(old).number}", note)
            self._former.setdefault(old, note)
        self._by_number: dict[tuple[str, int], NoteName] = {}
        self._by_name: dict[tuple[str, str], NoteName] = {}
        self._suggestions = Suggestions()
        for name in names:
            if name.topic:
                self._by_number.setdefault((name.topic, name.number), name)
            self._by_name.setdefault((name.topic, name.name), name)

    def find(self, reference: str, topic: TopicId) -> NoteId | Dangling:
        """The note that `reference` means in a text of `topic`, or why it does not exist."""
        wanted = reference.strip()
        if page := self._by_name.get((NO_TOPIC, wanted)):
            return page.id
        folder, slash, rest = wanted.rpartition("/")
        place = folder if slash else topic
        number = _NUMBER.fullmatch(rest)
        about = f"note {place}/{f'#{int(number[1])}' if number else rest}"
        if not place and not slash:
            close = self._suggestions.closest(wanted, self._pages) if not number else ""
            example = next((f"{name.topic}/#{name.number}" for name in self._by_number.values()), "rl/#4")
            hint = f'did you mean "{close}"?' if close else f"name a note with its topic, as in {example}"
            return Dangling(f'there is no page "{wanted}"', hint)
        name = self._by_number.get((place, int(number[1]))) if number else self._by_name.get((place, rest))
        if name:
            return name.id
        if (place, int(number[1]) if number else rest) in self._drafts:
            message = f'"{wanted}" is a draft, so there is no page to lead to'
            return Dangling(message, "publish that note: delete `draft: true` in it", draft=True)
        if moved := self._former.get(f"{place}/{int(number[1]) if number else rest}"):
            now = name_of(moved)
            written = f"#{now.number}" if now.topic == topic else f"{now.topic}/#{now.number}"
            return Dangling(f'the note "{wanted}" is now {moved}', f'did you mean "{written}"?', about)
        if place not in self._topics:
            hint = self._suggestions.did_you_mean(folder, self._topics)
            return Dangling(f'no topic "{folder}" for the reference "{wanted}"', hint, about)
        return Dangling(
            f'no note "{wanted}" in topic "{place}"', self._hint(rest, place, number, folder + slash), about
        )

    def numbered(self, number: int, topic: TopicId) -> NoteId | None:
        """The note of a topic that has this number."""
        name = self._by_number.get((topic, number))
        return name.id if name else None

    def _hint(self, wanted: str, place: str, number: re.Match[str] | None, prefix: str) -> str:
        """`prefix` is the topic with its slash, where the reference names it."""
        inside = self._numbers.get(place, {})
        stems = self._stems.get(place, {})
        if not number and (close := self._suggestions.closest(_stem(wanted), stems)):
            return f'did you mean "{prefix}{stems[close]}"?'
        if not number and (elsewhere := self._first.get(wanted)):  # in another topic: this one has no such note
            return f'did you mean "{elsewhere}"?'
        if not number and not prefix and (page := self._suggestions.closest(wanted, self._pages)):
            return f'did you mean "{page}"?'
        if not inside:
            return "the topic has no notes yet"
        if len(inside) <= 12:
            return f"it has {', '.join(f'#{number}' for number in dict.fromkeys(inside.values()))}"
        return f"it has #{next(iter(inside.values()))} to #{next(reversed(inside.values()))}"

    @cached_property
    def _pages(self) -> list[str]:
        return [name for topic, name in self._by_name if topic == NO_TOPIC]

    @cached_property
    def _first(self) -> Mapping[str, str]:
        """The first note of each name, as `topic/#number`."""
        first: dict[str, str] = {}
        for name in sorted(self._by_name.values(), key=lambda name: f"{name.topic}/#{name.number}"):
            first.setdefault(name.name, f"{name.topic}/#{name.number}")
        return first

    @cached_property
    def _stems(self) -> Mapping[str, Mapping[str, str]]:
        """For each topic the names of its notes by their stems; of equal ones the first."""
        return {topic: {_stem(name): name for name in reversed(numbers)} for topic, numbers in self._numbers.items()}

    @cached_property
    def _numbers(self) -> Mapping[str, dict[str, int]]:
        """For each topic the names of its notes with their numbers, in the order of the numbers."""
        numbers: dict[str, dict[str, int]] = {}
        for name in sorted(self._by_name.values(), key=lambda name: (name.number, name.name)):
            numbers.setdefault(name.topic, {})[name.name] = name.number
        return numbers
