"""Gives each note that is taken in its topic, number and name, before any of them is read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from unicodedata import normalize

from paper_notes.corpus.load import BASE
from paper_notes.features.importing.types import ImportedText, NoteHeader, NotePlace, NotePlaces
from paper_notes.features.papers.scaffold import MAX_NAME
from paper_notes.patterns import regex
from paper_notes.sources.filenames import unusable
from paper_notes.values import Struct

_UNSAFE = regex(r"[^\w.+-]+")
_NUMBERED = regex(r"(\d{1,6})[_-](.+)")
_MOST = 999_999
"""The highest number of a note."""


class PlacedNote(Struct, frozen=True):
    """A note that is taken in: its originals, one for each language, and its folder."""

    outlines: tuple[NoteHeader, ...]
    folder: PurePosixPath

    @property
    def topic(self) -> str:
        return self.folder.parts[1]

    @property
    def id(self) -> str:
        """`agents/04_Memory`."""
        return f"{self.topic}/{self.folder.name}"


NoteTexts = tuple[PlacedNote, Sequence[ImportedText]]
"""A note that is taken in, and its text in each language."""


def safe_name(text: str) -> str:
    """A name that every disk and every address takes, as near to the text as that goes; it may be empty."""
    name = _UNSAFE.sub("-", normalize("NFC", text).strip()).strip("-._+ ")
    name = re.sub(r"-{2,}", "-", name)[:MAX_NAME].strip("-._+ ")
    while name and (len(name.encode()) > 3 * MAX_NAME or unusable(name)):
        name = name[:-1].strip("-._+ ")
    return name


def placed(
    outlines: Iterable[NoteHeader],
    taken: Mapping[str, Iterable[str]],
    known: Mapping[PurePosixPath, PurePosixPath],
    *,
    topic: str | None,
    rest: str,
) -> tuple[PlacedNote, ...]:
    """The folder of each note. `taken` has the names in each topic's folder; `known` the folders of an earlier import.

    All go into `topic` if there is one; else into that of their folder, and those beside all folders into `rest`.
    """
    groups: dict[str, list[NoteHeader]] = defaultdict(list)
    for outline in outlines:
        group = groups[outline.same or f"/{outline.path}"]
        if any(other.lang == outline.lang for other in group):
            group = groups[f"/{outline.path}"]  # two texts in one language are two notes
        group.append(outline)
    names = {name: set(folders) for name, folders in taken.items()}
    numbers = {name: {_number(folder) for folder in folders} for name, folders in names.items()}
    spelled = {name.casefold(): name for name in names}
    result: dict[int, PlacedNote] = {}
    later: list[tuple[int, str, tuple[NoteHeader, ...]]] = []
    for place, group in enumerate(groups.values()):
        headers = tuple(group)
        where = next((known[outline.path] for outline in headers if outline.path in known), None)
        if where:
            result[place] = PlacedNote(headers, where)
            continue
        into = topic or safe_name(headers[0].topic) or rest
        into = spelled.setdefault(into.casefold(), into)
        numbers.setdefault(into, set())
        wanted = headers[0].number
        if wanted is not None and 0 < wanted <= _MOST and wanted not in numbers[into]:
            numbers[into].add(wanted)
            result[place] = PlacedNote(headers, BASE / into / _name(wanted, headers[0]))
        else:
            later.append((place, into, headers))
    for place, into, headers in later:
        number = max((number for number in numbers[into] if number is not None), default=0) + 1
        numbers[into].add(number)
        result[place] = PlacedNote(headers, BASE / into / _name(number, headers[0]))
    return tuple(result[place] for place in sorted(result))


def _number(name: str) -> int | None:
    match = _NUMBERED.match(name)
    return int(match[1]) if match else None


def _name(number: int, outline: NoteHeader) -> str:
    name = safe_name(outline.name) or safe_name(outline.title) or "note"
    return f"{number:02}_{name}"


def places_of(notes: Sequence[PlacedNote]) -> NotePlaces:
    """What links between the notes may name."""
    by_path: dict[PurePosixPath, NotePlace] = {}
    by_name: dict[str, dict[str, NotePlace]] = defaultdict(dict)
    by_number: dict[int, dict[str, NotePlace]] = defaultdict(dict)
    for note in notes:
        number = int(note.folder.name.partition("_")[0])
        reference = f"{note.topic}/#{number}"
        for outline in note.outlines:
            place = NotePlace(outline, reference)
            by_path[outline.path] = place
            stem = outline.path.parent.name if outline.path.stem in ("index", "README", "_index") else outline.path.stem
            for name in (stem, outline.name, outline.title, *outline.aliases):
                if name:
                    by_name[name.strip().casefold()].setdefault(reference, place)
            if outline.number is not None:
                by_number[outline.number].setdefault(reference, place)
    return NotePlaces(
        by_path,
        {name: tuple(places.values()) for name, places in by_name.items()},
        {number: tuple(places.values()) for number, places in by_number.items()},
    )
