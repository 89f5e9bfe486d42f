"""Repair one file: its new text, what stays doubtful, and what a person chose in `doubts.tsv`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import attrgetter

from paper_notes.diagnostics import Diagnostic
from paper_notes.features.repair.doubts import doubts_of, settled
from paper_notes.features.repair.text import Repaired, repair_text
from paper_notes.sources.doubts import Doubt, place_of, read_doubts, written
from paper_notes.sources.tree import Source


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
