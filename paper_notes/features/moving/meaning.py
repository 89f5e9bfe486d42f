"""What references mean before and after a move, and how they are written then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from paper_notes.corpus.model import Corpus, NoteId, TopicId
from paper_notes.corpus.references import Dangling, NoteIndex, NoteName, name_of
from paper_notes.diagnostics import UserError
from paper_notes.features.moving.edits import FileEdit
from paper_notes.features.moving.references import WrittenReference


@dataclass(frozen=True, slots=True)
class Relocation:
    """The notes and topics that get other ids, with these. A note may have its new one already: renamed by hand."""

    notes: Mapping[NoteId, NoteId]
    topics: Mapping[TopicId, TopicId]

    def topic(self, topic: TopicId) -> TopicId:
        """A topic after the move."""
        return self.topics.get(topic, topic)


class ReferenceRewriter:
    """Finds the note of each reference, and the new form of those that need one."""

    def __init__(self, corpus: Corpus, relocation: Relocation) -> None:
        self._moved = relocation
        known = {note.id for note in corpus.notes}
        former = [name_of(was) for was in relocation.notes if was not in known]
        self._by_hand = {relocation.notes[name.id]: name for name in former}
        names = [name_of(note.id) for note in corpus.notes]
        numbers = Counter((name.topic, name.number) for name in names)
        self._shared = {number for number, count in numbers.items() if count > 1}
        topics = {*corpus.site.topics, *(name.topic for name in former)}
        self._before = NoteIndex([*names, *former], topics)
        after = [name_of(relocation.notes.get(name.id, name.id)) for name in names]
        self._after = NoteIndex(after, {relocation.topic(topic) for topic in topics})

    def target(self, reference: WrittenReference) -> NoteId | None:
        """The note that a reference means, by its new id; None if it leads nowhere."""
        topic = reference.topic
        if was := self._by_hand.get(reference.owner) if reference.owner else None:
            here = self._after.find(reference.name, topic)
            if not isinstance(here, Dangling):  # corrected by hand already
                return here
            topic = was.topic
        meant = self._before.find(reference.name, topic)
        return None if isinstance(meant, Dangling) else self._moved.notes.get(meant, meant)

    def is_ambiguous(self, reference: WrittenReference) -> bool:
        """Whether a reference is by a number that two notes have: it is taken for that of the first."""
        meant = self._before.find(reference.name, reference.topic)
        if isinstance(meant, Dangling):
            return False
        name = name_of(meant)
        return (name.topic, name.number) in self._shared and not reference.name.endswith(name.name)

    def edit(self, reference: WrittenReference) -> FileEdit | None:
        """The new form of a reference, if it needs one. Raises UserError if its place is not clear."""
        moved = self._moved.notes.get(reference.owner) if reference.owner else None
        topic = name_of(moved).topic if moved else self._moved.topic(reference.topic)
        target = self.target(reference)
        if target is None or self._after.find(reference.name, topic) == target:
            return None
        if not reference.exact:
            message = f'{reference.location}: the place of the reference "{reference.name}" is not clear'
            raise UserError(message, "write it in a line of its own, in YAML in single quotes")
        return FileEdit(reference.location, reference.name, _in_form(reference.name, name_of(target), topic))


def _in_form(written: str, note: NoteName, in_topic: str) -> str:
    """The name of a note in the form of another reference: by number or name, with or without the topic."""
    _, slash, rest = written.rpartition("/")
    mark = "#" if rest.startswith("#") else ""
    digits = rest.removeprefix("#")
    width = len(digits) if digits.startswith("0") else 1
    named = f"{mark}{note.number:0{width}}" if digits.isdigit() else note.name
    return f"{note.topic}/{named}" if slash or note.topic != in_topic else named
