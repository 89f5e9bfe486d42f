"""Which note an address in a README leads to, and the topic that each part of the README is about."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from paper_notes.corpus.model import Corpus
from paper_notes.features.importing.placement import PlacedNote, safe_name
from paper_notes.features.importing.readme.blocks import path_of
from paper_notes.features.importing.readme.values import HandKeptReadme, ReadmeNote, ReadmeSection
from paper_notes.features.importing.readme.wording import NoteNames
from paper_notes.features.papers.draft import ascii_words
from paper_notes.identifiers import folded_title

_PLAIN_FOLDERS = frozenset({"notes", "note", "html", "docs", "doc", "pages", "papers", "posts", "src", "content", "md"})
"""Folders that are no topics."""
_PAGE = re.compile(r"\.(?:html?|md|markdown)$|/0*\d+[_-][^/]*/?$", re.IGNORECASE)
"""What addresses of notes end with."""
_INDEX = frozenset({"index", "readme", "_index"})


def parts_of(address: str) -> tuple[str, ...]:
    """The folders and the name, without a suffix, that an address or a path has: `('rl', 'notes', '04_respec')`."""
    path = path_of(address)[1]
    parts = [part.casefold() for part in path.parts if part not in ("/", ".", "..")]
    if parts and path.suffix.lower() in (".html", ".htm", ".md", ".markdown"):
        parts[-1] = parts[-1].removesuffix(path.suffix.lower())
    if parts and parts[-1] in _INDEX:
        parts.pop()
    return tuple(parts)


@dataclass(frozen=True)
class Addresses:
    """Finds what is at an address, by as much of its end as several names share."""

    by_name: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]

    def find(self, address: str) -> str | None:
        """What is there; None if there is nothing, or if it could be several things."""
        wanted = parts_of(address)
        candidates = self.by_name.get(wanted[-1], ()) if wanted else ()
        scores = [(_shared(wanted, parts), what) for parts, what in candidates]
        scheme, path = path_of(address)
        if scheme and not _PAGE.search(str(path)):
            scores = [(score, what) for score, what in scores if score > 1]  # any place on the web may have the name
        best = {what for score, what in scores if score == max(scores)[0]}
        return best.pop() if len(best) == 1 else None


def addresses(pairs: Iterable[tuple[str, str]]) -> Addresses:
    """The addresses of things: pairs of an address, or a path, and what is there."""
    by_name: dict[str, dict[tuple[tuple[str, ...], str], None]] = defaultdict(dict)
    for address, what in pairs:
        if parts := parts_of(address):
            by_name[parts[-1]][parts, what] = None
    return Addresses({name: tuple(items) for name, items in by_name.items()})


def _shared(parts: Sequence[str], other: Sequence[str]) -> int:
    """How many parts both end with."""
    count = 0
    for left, right in zip(reversed(parts), reversed(other), strict=False):
        if left != right:
            break
        count += 1
    return count


def topics_of(readme: HandKeptReadme, corpus: Corpus, only: str | None) -> dict[int, str]:
    """The topic of each section, by its line. All are `only` if that is given.

    It is the folder in the heading or in the addresses of the rows; for papers a topic of the same title.
    """
    topics: dict[int, str] = {}
    titles: dict[str, str] = {folded_title(part): topic.id for topic in corpus.topics for _, part in topic.title.parts}
    for section in readme.sections:
        folder = safe_name(section.folder) or _folder(section)
        if folder:
            topics[section.line] = folder
            titles.setdefault(folded_title(section.title), folder)
    for section in readme.sections:
        name = titles.get(folded_title(section.title)) or topics.get(section.line)
        topics[section.line] = only or name or _named(section, readme)
    return topics


def _folder(section: ReadmeSection) -> str:
    """The folder that the notes of a section are in."""
    counts: Counter[str] = Counter()
    for table in section.tables:
        for row in table.notes:
            path = path_of(row.address)[1]
            inside = [part for part in path.parts[:-1] if part not in ("/", ".", "..") and part not in _PLAIN_FOLDERS]
            counts[inside[-1] if inside else ""] += 1
    return safe_name(counts.most_common(1)[0][0]) if counts else ""


def _named(section: ReadmeSection, readme: HandKeptReadme) -> str:
    words = "-".join(ascii_words(re.sub(r"[^\w\s]", " ", section.title))).lower()
    return safe_name(words) or safe_name(section.title) or safe_name(readme.path.stem.lower()) or "papers"


@dataclass(frozen=True)
class Notes:
    """The notes that a README may mean: those that are taken in with it, and those that the collection has."""

    at: Addresses
    by_number: Mapping[tuple[str, int], str]
    """Ids by topic and number."""
    ids: frozenset[str]

    def find(self, row: ReadmeNote, topic: str, taken: frozenset[str] = frozenset()) -> str | None:
        """The id of a row's note: by its address, else by its number in the topic unless a row names that one."""
        note = self.at.find(row.address)
        if note is None and row.number is not None:
            numbered = self.by_number.get((topic, row.number))
            return numbered if numbered not in taken else None
        return note

    def reference(self, address: str) -> str | None:
        """How texts refer to the note at an address."""
        note = self.at.find(address)
        return reference_to(note) if note else None

    def names(self, topic: str) -> NoteNames:
        """What texts of a topic may mean."""
        return NoteNames(self.reference, self._numbers.get(topic, {}))

    @cached_property
    def _numbers(self) -> Mapping[str, Mapping[int, str]]:
        by_topic: dict[str, dict[int, str]] = defaultdict(dict)
        for (topic, number), note in self.by_number.items():
            by_topic[topic][number] = reference_to(note)
        return by_topic


def reference_to(note: str) -> str:
    """`agents/#4` for `agents/04_Memory`."""
    topic, _, name = note.partition("/")
    return f"{topic}/#{int(re.split('[_-]', name, maxsplit=1)[0])}"


def notes_of(placed: Sequence[PlacedNote], corpus: Corpus) -> Notes:
    """All notes by the addresses of their originals, their names and their former addresses."""
    pairs: list[tuple[str, str]] = []
    numbers: dict[tuple[str, int], str] = {}
    for note in placed:
        name = f"{note.topic}/{note.folder.name}"
        pairs += [(str(outline.path), name) for outline in note.outlines]
        pairs += [(alias, name) for outline in note.outlines for alias in outline.aliases if "/" in alias]
        pairs.append((name, name))
        numbers[note.topic, int(re.split("[_-]", note.folder.name, maxsplit=1)[0])] = name
    for known in (*corpus.notes, *corpus.drafts):
        pairs.append((known.id, known.id))
        numbers.setdefault((known.topic, known.number), known.id)
    pairs += [(alias.address, alias.note) for alias in corpus.aliases if alias.note]
    return Notes(addresses(pairs), numbers, frozenset(what for _, what in pairs))


def arranged(
    readme: HandKeptReadme, topics: Mapping[int, str], paths: Iterable[PurePosixPath]
) -> Iterator[tuple[PurePosixPath, str, int | None]]:
    """The topic and number that the README gives to files."""
    files = addresses((str(path), str(path)) for path in paths)
    for section in readme.sections:
        for row in (row for table in section.tables for row in table.notes):
            if file := files.find(row.address):
                yield PurePosixPath(file), topics[section.line], row.number
