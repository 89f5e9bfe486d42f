"""Which sections of notes the texts of YAML files name: what refers to one depends on whether it is there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from paper_notes.corpus.model import Corpus, NoteId, Text

_SECTION = re.compile(r"#([^#\[\]|]+)(?:\|[^\[\]]*)?\]\]")


def referenced_sections(corpus: Corpus, sections: Mapping[NoteId, tuple[str, ...]]) -> Mapping[NoteId, tuple[str, ...]]:
    """The sections of each note that have the name of one that is meant somewhere.

    All sections if one is meant that no note has: then the hint chooses among them.
    """
    wanted = {name for text in _texts(corpus) for _, part in text.parts for name in _names(part)}
    if not wanted.issubset(name for names in sections.values() for name in names):
        return sections
    found = {note: tuple(name for name in names if name in wanted) for note, names in sections.items()}
    return {note: names for note, names in found.items() if names}


def _names(text: str) -> list[str]:
    return _SECTION.findall(text) if "[[" in text else []


def _texts(corpus: Corpus) -> Iterator[Text]:
    for topic in corpus.topics:
        yield from (text for text in (topic.intro, *(path.guide for path in topic.reading_paths)) if text)
    yield from (note.summary for note in corpus.notes if note.summary)
    yield from (term.definition for term in corpus.terms if term.definition)
