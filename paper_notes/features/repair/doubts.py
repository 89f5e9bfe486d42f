"""Doubtful characters of repaired files, in `doubts.tsv` beside them; and putting in what a person chose there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.features.repair.garbling import garbled_alike
from paper_notes.features.repair.text import Guess, Repaired, repair_text
from paper_notes.sources.doubts import COLUMNS, NAME, Doubt, place_of, quotation, read_doubts, written
from paper_notes.sources.tree import Source, with_plain_ends
from paper_notes.values import Struct, replace

_AROUND = 12
"""Characters that are quoted on each side."""
_SHOWN = 5
"""Alternatives that are listed at most."""


def doubts_of(file: str, text: str, guesses: Iterable[Guess]) -> Iterator[Doubt]:
    """The doubts about a repaired text."""
    for guess in guesses:
        start = max(text.rfind("\n", 0, guess.offset) + 1, guess.offset - _AROUND)
        end = text.find("\n", guess.offset)
        end = min(len(text) if end < 0 else end, guess.offset + 1 + _AROUND)
        others = ", ".join(f"{sign} {share:.0%}" for sign, share in guess.ranked[1 : 1 + _SHOWN] if share >= 0.005)
        yield Doubt(
            file,
            str(text.count("\n", 0, guess.offset) + 1),
            quotation(text[start : guess.offset], guess.choice, text[guess.offset + 1 : end]),
            guess.choice,
            f"{guess.probability:.2f}",
            others,
            guess.damaged,
        )


def settled(doubts: Iterable[Doubt], text: str, path: PurePosixPath) -> tuple[str, set[int], tuple[Diagnostic, ...]]:
    """The text with what was chosen, the places of these characters, and what cannot be done.

    `path` is that of `doubts.tsv`.
    """
    signs = list(text)
    places: dict[int, Doubt] = {}
    problems: list[Diagnostic] = []
    column = COLUMNS.index("choose") + 1
    for doubt in doubts:
        if not doubt.chosen:
            continue
        where, place = Location(path, doubt.row, column), place_of(doubt, text)
        if not _is_possible(doubt):
            message = f"{doubt.damaged} is not what is left of {doubt.chosen}, so it cannot have been there"
            hint = f"write one of {' '.join((doubt.choice, *_listed(doubt)))}; or leave it empty, and edit {doubt.file}"
            problems.append(Diagnostic(where, "doubtful-text", message, hint))
        elif place is None:
            message = f"{doubt.quotation} is not in {doubt.file} any more, so {doubt.chosen} cannot be put in"
            problems.append(
                Diagnostic(where, "doubtful-text", message, "if the text there was changed, delete this line")
            )
        elif (other := places.setdefault(place, doubt)).chosen != doubt.chosen:
            message = f"this line chooses {doubt.chosen} for what line {other.row} chooses {other.chosen} for"
            problems.append(Diagnostic(where, "doubtful-text", message, "delete one of the two lines"))
        else:
            signs[place] = doubt.chosen
    return "".join(signs), set(places), tuple(problems)


def _is_possible(doubt: Doubt) -> bool:
    if doubt.chosen in (doubt.choice, *_listed(doubt)):
        return True
    return len(doubt.chosen) == 1 and garbled_alike(doubt.choice, doubt.chosen, doubt.damaged)


def _listed(doubt: Doubt) -> tuple[str, ...]:
    return tuple(entry.split(" ")[0] for entry in doubt.alternatives.split(", ") if entry)


class RepairedFile(Struct, frozen=True):
    """What is known after a file was repaired."""

    repaired: Repaired
    text: str
    """With what a person chose."""
    doubts: tuple[Doubt, ...]
    """Those that nobody has settled."""
    chosen: int
    """How many characters a person chose."""
    listing: str | None
    """The new `doubts.tsv` of the folder; None if there is nothing to write in one."""
    problems: tuple[Diagnostic, ...]
    """Why what a person chose cannot be put in."""


def repair_file(name: str, text: str, listing: Source | None, others: Iterable[str]) -> RepairedFile:
    """Repair the text of the file `name`; `listing` is the `doubts.tsv` beside it, if there is one."""
    known, problems = read_doubts(listing) if listing else ((), ())
    mine = [doubt for doubt in known if doubt.file == name]
    repaired = repair_text(text, others)
    done, places, refused = settled(mine, repaired.text, listing.path) if listing else (repaired.text, set[int](), ())
    doubts = list(doubts_of(name, done, (guess for guess in repaired.doubts if guess.offset not in places)))
    if not repaired.characters:  # it was repaired before: what was doubtful is, where nobody has changed it
        doubts = [doubt for doubt in mine if not doubt.chosen and place_of(doubt, done) is not None]
    rows = [_at_its_line(doubt, done) for doubt in (*doubts, *(doubt for doubt in mine if doubt.chosen))]
    rows = [*(doubt for doubt in known if doubt.file != name), *sorted(rows, key=attrgetter("number"))]
    lines = written(rows) if rows or listing else None
    return RepairedFile(repaired, done, tuple(doubts), len(places), lines, (*problems, *refused))


def _at_its_line(doubt: Doubt, text: str) -> Doubt:
    place = place_of(doubt, text)
    return doubt if place is None else replace(doubt, line=str(text.count("\n", 0, place) + 1))


_LEARNED = 2 * 1024 * 1024
"""Bytes of the collection that are learned from at most: half a second for each million."""


class DecodedText(Struct, frozen=True):
    """The text of a file that is taken in."""

    text: str
    """Without its damage, if it was garbled."""
    repaired: Repaired
    """What was done to it."""
    doubts: tuple[Doubt, ...] = ()
    """Characters that a person should look at, in order."""


def decode_text(path: PurePosixPath, data: bytes, learned: Iterable[str]) -> DecodedText:
    """The text of a file. What is garbled is repaired, learning from other texts; the rest is as it is.

    Raises UserError if it is not text in UTF-8.
    """
    try:
        text = with_plain_ends(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text", "save it as UTF-8") from error
    repaired = repair_text(text, learned)
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

    A character that came into two of the files is listed for the first: nobody chooses twice.
    """
    rows: dict[PurePosixPath, list[Doubt]] = {}
    left = [*meant.doubts]
    for file in files:
        text = file.data.decode()
        taken: set[int] = set()
        last = 0
        for doubt in [*left]:
            place = _place(doubt, text, last, taken)
            if place is None:
                continue
            left.remove(doubt)
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
        quoted = f"(?<={re.escape(before[-length:])})(?={re.escape(doubt.choice + after[:length])})"
        if free := {match.start() for match in re.finditer(quoted, text)} - taken:
            return min(free, key=lambda offset: (offset <= last, offset))
    offset = place_of(doubt, text)
    return None if offset in taken else offset
