"""Rewrites the key of a paper wherever notes refer to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from paper_notes.corpus.model import Corpus, Note, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Location
from paper_notes.languages.language import Words
from paper_notes.markdown.context import Context
from paper_notes.markdown.parser import parser
from paper_notes.markdown.syntax.definitions import Links
from paper_notes.moving.edits import Edit
from paper_notes.sources.tree import Source, text_position
from paper_notes.sources.yaml import YamlDocument, parse_yaml


def rekeyed(corpus: Corpus, sources: Iterable[Source], old: BibKey, new: BibKey) -> Iterator[Edit]:
    """The edits of all notes, topics and the glossary; none in code, formulas and comments."""
    token = re.compile(rf"(?<![\w:.+/-]){re.escape(old)}(?![:.+/-]*\w)")
    for note in corpus.notes:
        for text in note.texts:
            if old in text.text:
                yield from _in_text(note, text, token, old, new, corpus.site.words)
    for source in sources:
        if source.path.suffix == ".yaml" and old.encode() in source.data:
            yield from _in_yaml(source, token, old, new)


def _in_text(
    note: Note, text: NoteText, token: re.Pattern[str], old: BibKey, new: BibKey, words: Words
) -> Iterator[Edit]:
    """In citations, cards and figures of the paper: of the keys on such a line those that are nearest."""
    context = Context(NoteText(text.lang, text.path, text.text), dict(note.files), text.text.split("\n"), words)
    env: dict[str, Any] = {"context": context, "references": Links()}
    parser().parse(text.text, env)
    lines = text.text.split("\n")
    taken: set[tuple[int, int]] = set()
    for slot in context.slots:
        number, column = slot.location.line, slot.location.column
        if not token.match(slot.target):
            continue
        places = {(number, found.start() + 1) for found in token.finditer(lines[number - 1])} - taken
        if place := min(places, key=lambda place: abs(place[1] - column), default=None):
            taken.add(place)
            yield Edit(Location(text.path, number + text.first_line - 1, place[1]), old, new)


def _in_yaml(source: Source, token: re.Pattern[str], old: BibKey, new: BibKey) -> Iterator[Edit]:
    """Items of `papers:`, and citations in texts."""
    document = parse_yaml(source.path, source.text)
    if not isinstance(document, YamlDocument):
        return
    papers = {
        place
        for path, place in document.positions.items()
        if path[:1] == ("papers",) and _value(document.value, path) == old
    }
    for found in token.finditer(source.text):
        line, column = text_position(source.text, found.start())
        cited = source.text.startswith("@", found.start() - 1)
        if cited or {(line, column), (line, column - 1)} & papers:  # one more for a quotation mark
            yield Edit(Location(source.path, line, column), found[0], new)


def _value(value: object, path: tuple[str | int, ...]) -> object:
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
    return value
