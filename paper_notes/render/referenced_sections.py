"""The sections and blocks of notes that texts of YAML files refer to: these texts depend on their existence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from paper_notes.corpus.model import Corpus, NoteId, Text
from paper_notes.markdown.body import Anchors

_SECTION = re.compile(r"(?:#([^#§\[\]|]+)|§\s*([^#§\[\]|]+))(?:\|[^\[\]]*)?\]\]")


def referenced_sections(corpus: Corpus, anchors: Mapping[NoteId, Anchors]) -> Mapping[NoteId, Anchors]:
    """What some reference names in each note.

    All that could be named if a reference names what no note has: then its hint chooses among them.
    """
    wanted = {name for text in _texts(corpus) for _, part in text.parts for name in _names(part)}
    named = {note: known.only(wanted) for note, known in anchors.items()} if wanted else {}
    named = {note: known for note, known in named.items() if known.names or known.sections}
    existing = {name for known in named.values() for name in (*known.sections, *known.blocks)}
    return named if all(name in existing or name.removeprefix("^") in existing for name in wanted) else anchors


def _names(text: str) -> list[str]:
    names = _SECTION.findall(text) if "[[" in text else []
    return [section or f"§{number.strip()}" for section, number in names]


def _texts(corpus: Corpus) -> Iterator[Text]:
    for topic in corpus.topics:
        yield from (text for text in (topic.intro, *(path.guide for path in topic.reading_paths)) if text)
    yield from (note.summary for note in corpus.notes if note.summary)
    yield from (term.definition for term in corpus.terms if term.definition)
