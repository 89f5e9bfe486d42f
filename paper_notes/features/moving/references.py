"""Every reference to a note as it is written in the sources, and how it is written after a move."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import PurePosixPath
from typing import NamedTuple

from paper_notes.corpus.load import BASE, GLOSSARY_FILE, SITE_FILE, TOPIC_FILE
from paper_notes.corpus.model import Corpus, Note, NoteId, NoteText, TopicId
from paper_notes.corpus.notes import FRONT_MATTER
from paper_notes.corpus.references import NO_TOPIC, Dangling, NoteIndex, NoteName, name_of, split_section
from paper_notes.diagnostics import Location, UserError
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Reference, Span
from paper_notes.document.parse import parse
from paper_notes.engine.cache import Cache
from paper_notes.features.moving.edits import FileEdit
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source, text_position
from paper_notes.sources.yaml import Path, YamlDocument, parse_yaml
from paper_notes.values import Struct, replace


class CollectionFiles(NamedTuple):
    """A collection, and the files that may refer to its notes."""

    corpus: Corpus
    sources: tuple[Source, ...]
    readmes: tuple[Source, ...] = ()
    cache: Cache | None = None
    """What is known of files that stay as they are."""


class WrittenReference(Struct, frozen=True):
    """A reference in a text of `topic`. `name` is the part that names the note, at `location`: without `#section`."""

    location: Location
    name: str
    topic: TopicId
    owner: NoteId | None
    """The note whose file it is in."""
    exact: bool = True
    """False if only the line, or the beginning of the value, is known."""


def written_references(corpus: Corpus, sources: Iterable[Source]) -> Iterator[WrittenReference]:
    """All references in notes, pages, topics, the glossary and `site.yaml`; none in code, formulas and comments.

    `sources` may be some of the files: then only the references in these.
    """
    by_path = {source.path: source for source in sources}
    for note in corpus.written:
        for text in note.texts:
            if text.path in by_path:
                yield from _in_text(note, text)
        if source := by_path.get(note.location.path):
            yield from _in_yaml(source.path, facts_of(source), note.topic, note.id)
    for topic in corpus.topics:
        if source := by_path.get(BASE / topic.id / TOPIC_FILE):
            yield from _in_yaml(source.path, (source.text, 1), topic.id, None)
    if source := by_path.get(SITE_FILE):
        yield from _in_yaml(source.path, (source.text, 1), NO_TOPIC, None)
    if (source := by_path.get(GLOSSARY_FILE)) and corpus.topics:
        yield from _in_yaml(source.path, (source.text, 1), corpus.topic_of_glossary, None)


def facts_of(source: Source) -> tuple[str, int]:
    """The YAML of a note's own file, which may be its front matter, and the line on which it starts."""
    if source.path.suffix != ".md":
        return source.text, 1
    front = FRONT_MATTER.match(source.text)
    return (front[1], 2) if front else ("", 1)


def _in_text(note: Note, text: NoteText) -> Iterator[WrittenReference]:
    for offset, name in _in_markdown(text.text):
        line, column = text_position(text.text, offset)
        yield WrittenReference(Location(text.path, line + text.first_line - 1, column), name, note.topic, note.id)


def _in_markdown(text: str) -> Iterator[tuple[int, str]]:
    """Offset and name of each reference to another note in a Markdown text."""
    for node in parse(text).walk() if "[[" in text else ():
        if isinstance(node, Reference) and not node.target.startswith(("§", "#^")):
            yield text.index(node.target, node.span.start), split_section(node.target)[0].rstrip()


def with_topic(text: str, topic: TopicId, pages: Container[str]) -> str:
    """A text of `topic` as one of another topic: what names a note without its topic names it with it.

    `pages` are the names of the user's own pages, which belong to no topic.
    """
    names = [(offset, name) for offset, name in _in_markdown(text) if name and "/" not in name and name not in pages]
    return apply(text, [Edit(Span(offset, offset), f"{topic}/") for offset, _ in names])


def _in_yaml(
    path: PurePosixPath, part: tuple[str, int], topic: TopicId, owner: NoteId | None
) -> Iterator[WrittenReference]:
    """`part` is a YAML text and the line of the file on which it starts."""
    document = parse_yaml(path, *part)
    if not isinstance(document, YamlDocument):
        return
    text, first = part
    scalars = _Scalars(document, text, first)
    for at, value in values_of(document.value, ()):
        keys = tuple(key for key in at if isinstance(key, str))
        if keys in _REFERENCES:
            name = split_section(value)[0].strip() if keys[:1] == ("navigation",) else value.strip()
            where, exact = scalars.location(at, re.compile(f"(){re.escape(name)}"), 0)
            yield WrittenReference(where, name, topic, owner, exact)
        elif keys[:2] in _TEXTS or keys[:1] in _TEXTS:
            for offset, name in _in_markdown(value):
                pattern = re.compile(rf"(\[\[\s*){re.escape(name)}")
                before = sum(match.end(1) < offset for match in pattern.finditer(value))
                where, exact = scalars.location(at, pattern, before)
                yield WrittenReference(where, name, topic, owner, exact)


_REFERENCES = frozenset(
    {
        ("corrects", "note"),
        ("reading_paths", "steps"),
        ("reading_paths", "steps", "note"),
        ("order",),
        ("navigation",),
        ("navigation", "link"),
    }
)
_TEXTS = frozenset(
    {
        ("summary",),
        ("intro",),
        ("footer",),
        ("description",),
        ("entries", "headline"),
        ("reading_paths", "guide"),
        ("terms", "definition"),
        ("definition",),
    }
)


def values_of(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """All texts of a YAML file, with their paths."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from values_of(item, (*path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from values_of(item, (*path, number))


class _Scalars:
    """Finds parts of values in the text of a YAML file, where they may be quoted or folded."""

    def __init__(self, document: YamlDocument, text: str, first_line: int) -> None:
        self._document, self._text, self._first_line = document, text, first_line
        self._lines = [0, *(end.end() for end in re.finditer("\n", text))]
        positions = (*document.positions.values(), *document.key_positions.values())
        self._starts = sorted({self._offset(position) for position in positions})

    def _offset(self, position: tuple[int, int]) -> int:
        return self._lines[position[0] - self._first_line] + position[1] - 1

    def location(self, at: Path, pattern: re.Pattern[str], number: int) -> tuple[Location, bool]:
        """Where the first group of the pattern ends in the value at a path, for an occurrence counted from 0.

        Without one, the beginning of the value and False.
        """
        start = self._offset(self._document.positions[at])
        later = bisect_right(self._starts, start)
        end = self._starts[later] if later < len(self._starts) else len(self._text)
        match = next(islice(pattern.finditer(self._text, start, end), number, None), None)
        line, column = text_position(self._text, match.end(1) if match else start)
        return Location(self._document.path, line + self._first_line - 1, column), match is not None


class Relocation(Struct, frozen=True):
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


_REGION = regex(
    r"(^ {0,3}<!--[ \t]*paper-notes:begin[^\n]*?-->)(.*?)(?=^ {0,3}<!--[ \t]*paper-notes:end)", re.DOTALL | re.MULTILINE
)
_MARKER = regex(r"<!--[ \t]*paper-notes:begin[^\n]*?[ \t]topic=([^\s>]+)")


def in_settings(source: Source, moved: Relocation) -> Iterator[FileEdit]:
    """The topics and folders that `site.yaml` names. Raises UserError if the place of one is not clear."""
    document = parse_yaml(source.path, source.text)
    if not isinstance(document, YamlDocument) or not isinstance(document.value, dict):
        return
    named: list[tuple[Path, object]] = [
        (("topics", number), topic) for number, topic in enumerate(_list(document, "topics"))
    ]
    for number, item in enumerate(_list(document, "readme")):
        named += [(("readme", number, "topic"), item.get("topic"))] if isinstance(item, dict) else []
    for number, item in enumerate(_list(document, "navigation")):
        at: Path = ("navigation", number, "link") if isinstance(item, dict) else ("navigation", number)
        named.append((at, item.get("link") if isinstance(item, dict) else item))
    for at, topic in named:
        if topic in moved.topics:
            yield edit_of(source, document, at, str(topic), moved.topics[TopicId(str(topic))])
    rules = document.value.get("rules")
    for key in rules if isinstance(rules, dict) else ():
        for was, now in _folders(moved):
            if key.rstrip("/") == was or key.startswith(f"{was}/"):
                yield edit_of(source, document, ("rules", key), was, now, key=True)
                break


def _list(document: YamlDocument, key: str) -> list[object]:
    value = document.value.get(key) if isinstance(document.value, dict) else None
    return value if isinstance(value, list) else []


def edit_of(source: Source, document: YamlDocument, at: Path, old: str, new: str, *, key: bool = False) -> FileEdit:
    """The edit of a value, or of the key at that path. Raises UserError if its place is not clear."""
    where = document.location(at, key=key)
    column = source.text.split("\n")[where.line - 1].find(old, where.column - 1) + 1
    if not column:
        raise UserError(f'{where}: the place of "{old}" is not clear', "write it without anchors and escapes")
    return FileEdit(replace(where, column=column), old, new)


def _folders(moved: Relocation) -> tuple[tuple[str, str], ...]:
    """Folders below notes_src before and after, those of notes first."""
    return (*moved.notes.items(), *moved.topics.items())


def in_readme(source: Source, moved: Relocation) -> Iterator[FileEdit]:
    """The paths of moved notes in a README, and the topics in its markers. What is between markers is built."""
    text = _REGION.sub(lambda match: match[1] + re.sub(r"[^\n]", " ", match[2]), source.text)
    for match in _MARKER.finditer(text):
        if now := dict(_folders(moved)).get(match[1]):
            yield edit_at(source, match.start(1), match[1], now)
    places = {f"{BASE}/{was}": f"{BASE}/{now}" for was, now in _folders(moved)}
    pages = ((was.replace("/", "/notes/"), now.replace("/", "/notes/")) for was, now in _folders(moved))
    places |= {f"site/{was}": f"site/{now}" for was, now in pages}
    names = "|".join(map(re.escape, sorted(places, key=len, reverse=True))) or "(?!)"
    for match in re.finditer(rf"(?<![\w.+-])(?:{names})(?![\w+-]|\.(?!md\b|html\b|bib\b)\w)", text):
        yield edit_at(source, match.start(), match[0], places[match[0]])


def edit_at(source: Source, offset: int, old: str, new: str) -> FileEdit:
    """The edit at an offset of the file's text."""
    return FileEdit(Location(source.path, *text_position(source.text, offset)), old, new)
