"""Rewrites the key of a paper wherever notes refer to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from paper_notes.corpus.model import Corpus, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Location
from paper_notes.document.nodes import Citation, Component, Image
from paper_notes.document.parse import parse
from paper_notes.features.moving.edits import FileEdit
from paper_notes.sources.tree import Source, text_position
from paper_notes.sources.yaml import YamlDocument, parse_yaml


def rekeyed(corpus: Corpus, sources: Iterable[Source], old: BibKey, new: BibKey) -> Iterator[FileEdit]:
    """The edits of all notes, topics and the glossary; none in code, formulas and comments."""
    token = re.compile(rf"(?<![\w:.+/-]){re.escape(old)}(?![:.+/-]*\w)")
    for note in corpus.notes:
        for text in note.texts:
            if old in text.text:
                yield from _in_text(text, token, old, new)
    for source in sources:
        if source.path.suffix == ".yaml" and old.encode() in source.data:
            yield from _in_yaml(source, token, old, new)


def _in_text(text: NoteText, token: re.Pattern[str], old: BibKey, new: BibKey) -> Iterator[FileEdit]:
    """In citations, cards and figures of the paper, and where a number is said to be from it."""
    places: set[int] = set()
    for node in parse(text.text).walk():
        start, end = node.span
        if isinstance(node, Component):
            end = start + len(text.text[start:].partition("\n")[0]) if node.name == "paper" else start
        if isinstance(node, Citation | Image | Component):
            places |= {match.start() for match in token.finditer(text.text, start, end)}
        origin = getattr(node, "origin", None)
        if origin and origin.value.startswith("@"):
            sources = re.compile(rf"from=[\"“]?@(?={token.pattern})")
            places |= {match.end() for match in sources.finditer(text.text, start, end)}
    for place in sorted(places):
        line, column = text_position(text.text, place)
        yield FileEdit(Location(text.path, line + text.first_line - 1, column), old, new)


def _in_yaml(source: Source, token: re.Pattern[str], old: BibKey, new: BibKey) -> Iterator[FileEdit]:
    """Items of `papers:`, and citations in texts."""
    document = parse_yaml(source.path, source.text)
    if not isinstance(document, YamlDocument):
        return
    papers = {
        place
        for path, place in document.positions.items()
        if path[:1] == ("papers",) and _value(document.value, path) == old
    }
    for match in token.finditer(source.text):
        line, column = text_position(source.text, match.start())
        cited = source.text.startswith("@", match.start() - 1)
        if cited or {(line, column), (line, column - 1)} & papers:  # one more for a quotation mark
            yield FileEdit(Location(source.path, line, column), match[0], new)


def _value(value: object, path: tuple[str | int, ...]) -> object:
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
    return value
