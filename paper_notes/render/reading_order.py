"""Which notes are before and after each note: on its reading paths, and in its topic."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from paper_notes.corpus.model import Corpus, NoteId, ReadingPath, Text, TopicId
from paper_notes.document.nodes import List, Paragraph, Strong
from paper_notes.document.parse import parse
from paper_notes.render.links import LinkResolver
from paper_notes.values import Struct, field


class PathPosition(Struct, frozen=True):
    """The position of a note in a reading path. It has no other steps, as a path may be as long as the collection."""

    title: Text
    """Title of the path; or of the topic, whose notes are read by their numbers."""
    position: int
    """From 1; 0 in a topic, so that a new note changes the pages of its neighbours only."""
    length: int
    previous: NoteId | None
    next: NoteId | None
    why: Text = field(default_factory=Text)
    """What the guide of the path says about the next note, without markup; empty if it does not say."""


def positions(corpus: Corpus, resolver: LinkResolver) -> Mapping[NoteId, tuple[PathPosition, ...]]:
    """The positions of all notes: on the reading paths, in their order, then in the topic."""
    known: dict[NoteId, list[PathPosition]] = {}
    for topic in corpus.topics:
        for path in topic.reading_paths:
            steps, why = path.steps, reasons(path, topic.id, resolver)
            triples = zip((None, *steps[:-1]), steps, (*steps[1:], None), (*why[1:], Text()), strict=True)
            for position, (previous, step, following, reason) in enumerate(triples, 1):
                at = PathPosition(path.title, position, len(steps), previous, following, reason)
                known.setdefault(step, []).append(at)
    for topic in corpus.topics:
        notes = sorted(corpus.notes_of(topic.id), key=lambda note: note.of_day)
        for _, alike in groupby(notes, key=lambda note: note.of_day):
            ids = [note.id for note in alike]
            for previous, note, following in zip((None, *ids[:-1]), ids, (*ids[1:], None), strict=True):
                known.setdefault(note, []).append(PathPosition(topic.title, 0, 0, previous, following))
    return {note: tuple(places) for note, places in known.items()}


def reasons(path: ReadingPath, topic: TopicId, resolver: LinkResolver) -> tuple[Text, ...]:
    """What the guide of a path says about each of its steps: a list of it that has one item for each."""
    count, said = len(path.steps), [dict[str, str]() for _ in path.steps]
    for lang, guide in path.guide.parts if path.guide else ():
        for step, item in zip(said, _items(guide, count), strict=False):
            step[lang] = item
    return tuple(resolver.plain(Text.of(step), path.location, topic) if any(step.values()) else Text() for step in said)


def _items(guide: str, count: int) -> list[str]:
    """The items of the first list with so many, each without the name in bold that it begins with."""
    lists = (block for block in parse(guide).blocks if isinstance(block, List) and len(block.items) == count)
    first = next(lists, None)
    paragraphs = [item.blocks[0] if item.blocks else None for item in first.items] if first else []
    return [_after_name(block, guide) if isinstance(block, Paragraph) else "" for block in paragraphs]


def _after_name(paragraph: Paragraph, guide: str) -> str:
    name = paragraph.inlines[0] if len(paragraph.inlines) > 1 else paragraph
    start = name.span.end if isinstance(name, Strong) else paragraph.span.start
    text = guide[start : paragraph.span.end].lstrip(" :：—–-").rstrip()
    return text[:1].upper() + text[1:]
