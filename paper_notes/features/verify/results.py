"""What is found out about a number of a note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.statements import Number, Statement

Verdict = Literal["place", "elsewhere", "missing", "declared", "no-pdf", "unchecked"]
"""At the place named; elsewhere in the paper; not found; declared by the note; no PDF to look in; too small to say."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a paper."""

    key: BibKey
    kind: str
    """`table`, `figure`, `section` or `front`."""
    number: str
    """May be empty; then `title` says which section it is."""
    page: int
    title: str = ""

    @property
    def name(self) -> str:
        """`Table 2, p. 5`"""
        words = {"table": "Table ", "figure": "Fig. ", "section": "§", "front": ""}
        number = self.number or (self.title[:40] if self.kind == "section" else "")
        return f"{words[self.kind]}{number}, p. {self.page}" if number else f"p. {self.page}"


@dataclass(frozen=True, slots=True)
class Result:
    """A number, and where the paper has it."""

    number: Number
    statement: Statement
    verdict: Verdict
    spot: Spot | None = None
    """Where it was found."""
    named: tuple[str, ...] = ()
    """The places that the note names, if it is not there."""
    origin: str = ""
    """What is declared: `own`, `derived 1/(1-0.86)`, `figure 10`, `other @key`."""
    chance: float = 0.0
    """From 0 to 1: how likely any other number of its shape would have been found as well."""
    line: int = 0
    """The line of the note where the same number has a place, if it has none of its own here."""
