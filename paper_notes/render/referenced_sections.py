"""The sections of notes that texts of YAML files refer to: these texts depend on their existence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from paper_notes.corpus.model import Corpus, NoteId, Text

Names = Mapping[str, str]
_SECTION = re.compile(r"(?:#([^#§\[\]|]+)|§\s*([^#§\[\]|]+))(?:\|[^\[\]]*)?\]\]")


def referenced_sections(corpus: Corpus, sections: Mapping[NoteId, Names]) -> Mapping[NoteId, Names]:
    """The sections of each note whose id or number some reference names.

    All sections if a reference names one that no note has: then its hint chooses among them.
    """
    wanted = {name for text in _texts(corpus) for _, part in text.parts for name in _names(part)}
    if not wanted.issubset(name for names in sections.values() for name in names):
        return sections
    found = {note: {name: names[name] for name in names if name in wanted} for note, names in sections.items()}
    return {note: names for note, names in found.items() if names}


def _names(text: str) -> list[str]:
    found = _SECTION.findall(text) if "[[" in text else []
    return [section or f"§{number.strip()}" for section, number in found]


def _texts(corpus: Corpus) -> Iterator[Text]:
    for topic in corpus.topics:
        yield from (text for text in (topic.intro, *(path.guide for path in topic.reading_paths)) if text)
    yield from (note.summary for note in corpus.notes if note.summary)
    yield from (term.definition for term in corpus.terms if term.definition)
