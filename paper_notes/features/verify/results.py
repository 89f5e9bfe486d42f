"""What is found out about a number: where the paper has it, or why it cannot be right where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.bindings import Binding
from paper_notes.features.verify.cells import GridCell, Judged
from paper_notes.features.verify.evidence import Spot
from paper_notes.features.verify.index import Searched
from paper_notes.features.verify.quantities import Quantity
from paper_notes.features.verify.statements import StatedNumber, Statement
from paper_notes.values import Struct

Verdict = Literal["bound", "ambiguous", "contradicted", "elsewhere", "missing", "declared", "no-pdf", "unchecked"]
"""Bound to one cell, sentence, sum or reading; to one of several; found only where the words speak against it;
elsewhere than named; not found; declared by the note; no PDF to look in; too small to be wrong."""
MismatchKind = Literal[
    "label", "value", "rounding", "sign", "unit", "scale", "points", "direction", "declared", "sum", "operand", "place"
]


_NEAR = 30


class Mismatch(Struct, frozen=True):
    """Why a number cannot be right where it stands."""

    kind: MismatchKind
    binding: Binding | None
    """The cell that has the number, or the one that the words point to."""
    printed: str
    """What is printed there."""
    spoken: tuple[str, ...] = ()
    """The labels of the paper that the sentence speaks of, against those of that cell."""
    line: int = 0
    """Where these are, if that is another line than that of the number."""


class Hit(Struct, frozen=True):
    """A cell or a sentence that has the number."""

    key: BibKey
    passage: Searched
    binding: Binding | None
    score: int
    cell: GridCell | None = None
    judged: Judged | None = None
    is_crowded: bool = False
    """Whether many other numbers are in the sentence."""


@dataclass(frozen=True, slots=True)
class Result:
    """A number, and where the paper has it."""

    number: StatedNumber
    statement: Statement
    verdict: Verdict
    spot: Spot | None = None
    remark: str = ""
    """As that of a `KeptNumber`."""
    chance: float = 0.0
    binding: Binding | None = None
    candidates: tuple[Binding, ...] = ()
    """When it is ambiguous, the best first."""
    mismatch: Mismatch | None = None
    hits: tuple[Hit, ...] = field(default=(), compare=False)
    """What it may be, of which the best are chosen."""


def words_near(result: Result) -> str:
    """The words of its sentence right beside a number, which say what it is."""
    statement, figures = result.statement, result.number.figures
    start, end = statement.sentence(figures.start)
    return statement.text[max(start, figures.start - _NEAR) : min(end, figures.end + _NEAR)]


def bindings_of(hits: Iterable[Hit]) -> tuple[Binding, ...]:
    """What a number may be bound to, each once."""
    return tuple(dict.fromkeys(hit.binding for hit in hits if hit.binding))


def outcome(top: Sequence[Hit]) -> dict[str, Any]:
    """What a result says if these fit equally well."""
    first, bindings = top[0], bindings_of(top)
    several = len(bindings) > 1
    return {
        "verdict": "ambiguous" if several else "bound",
        "spot": spot_of(first.key, first.passage),
        "binding": None if several else first.binding,
        "candidates": bindings if several else (),
    }


def spot_of(key: BibKey, passage: Searched) -> Spot:
    """Where a passage is."""
    part = passage.passage
    return Spot(part.kind, part.name, part.page, key)


def of_words(
    statement: Statement, start: int, text: str, spot: Spot | None, mismatch: Mismatch | None, value: str = "0"
) -> Result:
    """A finding about words of a statement that are no number."""
    figures = Quantity(start, start + len(text), text, value, in_words=True)
    return Result(
        StatedNumber(figures, statement.line, 1, 0, 0, None), statement, "contradicted", spot, mismatch=mismatch
    )
