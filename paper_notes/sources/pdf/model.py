"""Facts of PDFs as values, and their JSON for the cache."""

from __future__ import annotations

import datetime
import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from paper_notes.diagnostics import UserError
from paper_notes.identifiers import ArxivId

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in points (1/72 inch) from the top left of the page."""


class PdfProblem(UserError):
    """The PDF cannot be used. Also returned as a value, for an unreadable PDF or a picture that cannot be drawn."""


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A heading of the paper."""

    level: int
    """From 1."""
    title: str
    """With its number, if the paper has numbers."""
    page: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class PdfFigure:
    """A figure or table with a caption. `box` is its part of the page, without the caption."""

    kind: Literal["figure", "table"]
    number: str
    """`3`, `A.1`, `S2`"""
    page: int
    """From 1."""
    box: Box
    caption: str
    """The text of the caption without `Figure 3:`."""

    @property
    def anchor(self) -> str:
        """Its name in notes, after the `#`: `figure-3`, `table-A.1`."""
        return f"{self.kind}-{self.number}"


@dataclass(frozen=True, slots=True)
class PdfIdentity:
    """Which paper a PDF is, from its first page only, which is fast."""

    pages: int
    arxiv: ArxivId | None
    version: int | None
    date: datetime.date | None
    """Of arXiv's stamp on page 1."""
    doi: str | None
    title: str
    repaired: bool
    """The file was damaged, and could still be read."""
    has_text: bool


@dataclass(frozen=True, slots=True)
class PdfFacts:
    """All facts from a PDF. Unknown ones are None or empty."""

    pages: int
    arxiv: ArxivId | None
    version: int | None
    date: datetime.date | None
    """Of arXiv's stamp on page 1."""
    doi: str | None
    title: str
    authors: tuple[str, ...]
    abstract: str
    outline: tuple[OutlineItem, ...]
    figures: tuple[PdfFigure, ...]


def identity_as_json(identity: PdfIdentity) -> bytes:
    """For the cache."""
    return _dump(asdict(identity))


def identity_from_json(data: bytes) -> PdfIdentity:
    """From the cache. Raises ValueError, TypeError or KeyError if it is not such a value."""
    values = json.loads(data)
    return PdfIdentity(**{**values, "date": _date(values["date"])})


def facts_as_json(facts: PdfFacts) -> bytes:
    """For the cache."""
    return _dump(asdict(facts))


def facts_from_json(data: bytes) -> PdfFacts:
    """From the cache. Raises ValueError, TypeError or KeyError if it is not such a value."""
    values = json.loads(data)
    values |= {
        "date": _date(values["date"]),
        "authors": tuple(values["authors"]),
        "outline": tuple(OutlineItem(**item) for item in values["outline"]),
        "figures": tuple(PdfFigure(**{**item, "box": tuple(item["box"])}) for item in values["figures"]),
    }
    return PdfFacts(**values)


def problem_as_json(problem: PdfProblem) -> bytes:
    """For the cache."""
    return _dump({"message": problem.message, "hint": problem.hint})


def problem_from_json(data: bytes) -> PdfProblem:
    """From the cache. Raises ValueError, TypeError or KeyError if it is not such a value."""
    return PdfProblem(**json.loads(data))


def _dump(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, default=str).encode()


def _date(text: str | None) -> datetime.date | None:
    return datetime.date.fromisoformat(text) if text else None
