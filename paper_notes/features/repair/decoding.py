"""Decodes files for importers, repairs what is garbled, and lists doubtful characters beside the note."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import UserError
from paper_notes.features.repair.doubts import doubts_of
from paper_notes.features.repair.text import Repaired, repair_text
from paper_notes.sources.doubts import NAME, Doubt, place_of, read_doubts, written
from paper_notes.sources.tree import Source, with_plain_ends

_LEARNED = 2 * 1024 * 1024
"""Bytes of the collection that are learned from at most: half a second for each million."""


@dataclass(frozen=True)
class DecodedText:
    """The text of a file that is taken in."""

    text: str
    """Without its damage, if it was garbled."""
    repaired: Repaired
    """What was done to it."""
    doubts: tuple[Doubt, ...] = ()
    """Characters that a person should look at, in order."""


def decode_text(path: PurePosixPath, data: bytes, sources: Iterable[Source]) -> DecodedText:
    """The text of a file. What is garbled is repaired, learning from the collection's texts; the rest is as it is.

    Raises UserError if it is not text in UTF-8.
    """
    try:
        text = with_plain_ends(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text", "save it as UTF-8") from error
    repaired = repair_text(text, learned_from(sources))
    return DecodedText(repaired.text, repaired, tuple(doubts_of(path.name, repaired.text, repaired.doubts)))


def learned_from(sources: Iterable[Source]) -> Iterator[str]:
    """The texts of notes, as many as are learned from; none with a guess that nobody has settled."""
    files = {source.path: source for source in sources}
    unsure = {
        path.parent / doubt.file
        for path, source in files.items()
        if path.name == NAME
        for doubt in read_doubts(source)[0]
        if not doubt.chosen
    }
    size = 0
    for path, source in files.items():
        if path.suffix == ".md" and path not in unsure and size < _LEARNED:
            yield source.text
            size += source.size


def with_doubts(files: Sequence[Artifact], meant: DecodedText, sources: Iterable[Source]) -> tuple[Artifact, ...]:
    """The files that were made of a text, with a `doubts.tsv` in each folder where one has a doubtful character.

    A character that came into two of the files is listed for each.
    """
    rows: dict[PurePosixPath, list[Doubt]] = {}
    for file in files:
        text = file.data.decode()
        taken: set[int] = set()
        last = 0
        for doubt in meant.doubts:
            place = _place(doubt, text, last, taken)
            if place is None:
                continue
            taken.add(place)
            last = place
            line = str(text.count("\n", 0, place) + 1)
            rows.setdefault(file.path.parent / NAME, []).append(replace(doubt, file=file.path.name, line=line))
    by_path = {source.path: source for source in sources}
    listings = []
    for path, doubts in rows.items():
        before = read_doubts(by_path[path])[0] if path in by_path else ()
        listings.append(
            Artifact.text(path, written((*before, *sorted(doubts, key=lambda row: (row.file, row.number)))))
        )
    return (*files, *listings)


def _place(doubt: Doubt, text: str, last: int, taken: set[int]) -> int | None:
    """Where the character of the original is now: with the same words around it, and if that is twice, after `last`."""
    before, after = doubt.around
    for length in (12, 6):
        quoted = before[-length:] + doubt.choice + after[:length]
        offsets = []
        start = text.find(quoted)
        while start >= 0:
            offsets.append(start + len(before[-length:]))
            start = text.find(quoted, start + 1)
        free = [offset for offset in offsets if offset not in taken]
        if free:
            return min(free, key=lambda offset: (offset <= last, offset))
    offset = place_of(doubt, text)
    return None if offset in taken else offset
