"""What a build knows of a PDF, as values."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Literal

from paper_notes.diagnostics import UserError
from paper_notes.identifiers import ArxivId
from paper_notes.values import Struct

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in points (1/72 inch) from the top left of the page."""


def united(boxes: Iterable[Box]) -> Box:
    """The smallest box around all boxes, of which there is at least one."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


class PdfProblem(UserError):
    """The PDF cannot be used. Also returned as a value, for an unreadable PDF or a picture that cannot be drawn."""


class PdfFigure(Struct, frozen=True):
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


class PdfIdentity(Struct, frozen=True):
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


class PdfFigures(Struct, frozen=True):
    """The figures and tables of a PDF that have a caption, and how many pages there are."""

    pages: int
    figures: tuple[PdfFigure, ...]
