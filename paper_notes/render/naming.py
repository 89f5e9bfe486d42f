"""What notes and papers are called in texts and lists."""

from __future__ import annotations

import re

from paper_notes.corpus.model import Lang, Note, Text, TopicId
from paper_notes.corpus.paper import Paper
from paper_notes.corpus.references import split_section

_AFTER_COLON = re.compile(r"\s*[:：].*", re.DOTALL)


def short_title(title: str) -> str:
    """A title up to its colon, as references in running text show it."""
    return _AFTER_COLON.sub("", title).strip() or title


def name_of(note: Note) -> Text:
    """The name of a note in texts: its `short`, or its title up to the colon."""
    return note.short or note.title.map(short_title)


def reference(note: Note, lang: Lang, topic: TopicId) -> str:
    """The name of a note in texts of a topic: `#4 ReSpec`, or `models/#1 MTP` for a note of another topic.

    That of a page of the user's own is its title.
    """
    if not note.topic:
        return note.title[lang]
    return f"{number(note, topic)} {name_of(note)[lang]}"


def section_reference(note: Note, lang: Lang, topic: TopicId, target: str) -> str:
    """The name of what a reference names: `#4 ReSpec`, `#4 ReSpec §3.2`."""
    section = split_section(target)[1]
    return reference(note, lang, topic) + (f" {section}" if section.startswith("§") else "")


def number(note: Note, topic: TopicId) -> str:
    """The number of a note in texts of a topic: `#4`, or `models/#1` for a note of another topic."""
    return f"#{note.number}" if note.topic == topic else f"{note.topic}/#{note.number}"


def cite_label(paper: Paper, *, bare: bool = False) -> str:
    """The text of a citation: `Leviathan et al., 2022`, or `2022` alone."""
    if bare and paper.year:
        return str(paper.year)
    return f"{paper.short_authors}, {paper.year}" if paper.year else paper.short_authors
