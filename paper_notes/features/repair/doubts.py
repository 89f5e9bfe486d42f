"""What is doubtful in a repaired text, as lines of `doubts.tsv`; and putting in what a person chose there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.repair.garbling import garbled_alike
from paper_notes.features.repair.text import Guess
from paper_notes.sources.doubts import COLUMNS, Doubt, place_of, quotation

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
