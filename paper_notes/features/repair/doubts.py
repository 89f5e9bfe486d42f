"""Doubtful characters of a repaired file as lines of `doubts.tsv`; and putting in what a person chose there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import PurePosixPath

from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.repair.garbling import garbled_alike
from paper_notes.features.repair.text import Guess, Repaired, repair_text
from paper_notes.sources.doubts import COLUMNS, Doubt, place_of, quotation, read_doubts, written
from paper_notes.sources.tree import Source

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


@dataclass(frozen=True)
class RepairedFile:
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
    if not repaired.garbling:  # it was repaired before: what was doubtful is, where nobody has changed it
        doubts = [doubt for doubt in mine if not doubt.chosen and place_of(doubt, done) is not None]
    rows = [_at_its_line(doubt, done) for doubt in (*doubts, *(doubt for doubt in mine if doubt.chosen))]
    rows = [*(doubt for doubt in known if doubt.file != name), *sorted(rows, key=attrgetter("number"))]
    lines = written(rows) if rows or listing else None
    return RepairedFile(repaired, done, tuple(doubts), len(places), lines, (*problems, *refused))


def _at_its_line(doubt: Doubt, text: str) -> Doubt:
    place = place_of(doubt, text)
    return doubt if place is None else replace(doubt, line=str(text.count("\n", 0, place) + 1))
