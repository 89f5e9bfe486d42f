"""What a build needs of a PDF. Call these functions in a process with limits, as `reader` does."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from paper_notes.sources.pdf import figures
from paper_notes.sources.pdf.document import PdfDocument, PdfPage, opened
from paper_notes.sources.pdf.identity import identity
from paper_notes.sources.pdf.model import Box, PdfFigure, PdfFigures, PdfIdentity, PdfProblem
from paper_notes.sources.pdf.picture import Picture

_PAPER = 3.0
"""Points of white around the ink of a figure."""


def identify(data: bytes) -> PdfIdentity:
    """Which paper the PDF is, from its first page. Raises PdfProblem."""
    with opened(data) as document:
        return identity(document, document.page(1))


def find_figures(data: bytes) -> PdfFigures:
    """All figures and tables of the PDF. Raises PdfProblem."""
    with opened(data) as document:
        pages = document.every_page()
        return PdfFigures(len(pages), trimmed_figures(document, pages))


def trimmed_figures(document: PdfDocument, pages: Sequence[PdfPage]) -> tuple[PdfFigure, ...]:
    """The figures and tables with a caption, each without the white space around it."""
    return tuple(_trimmed(document, figure) for figure in figures.find_figures(pages))


def draw(data: bytes, page: int, box: Box | None, width: int, height: int, limit: int) -> Picture:
    """A part of a page, or the whole page; see `PdfDocument.picture`. Raises PdfProblem."""
    with opened(data) as document:
        area = box or (0.0, 0.0, *document.size(page))
        return document.picture(page, area, width=width, height=height, limit=limit)


def _trimmed(document: PdfDocument, figure: PdfFigure) -> PdfFigure:
    """The figure without the white space around it."""
    left, top, right, bottom = figure.box
    with suppress(PdfProblem):
        ink = document.ink(figure.page, figure.box)
        left, top = max(left, ink[0] - _PAPER), max(top, ink[1] - _PAPER)
        right, bottom = min(right, ink[2] + _PAPER), min(bottom, ink[3] + _PAPER)
    return replace(figure, box=(round(left, 1), round(top, 1), round(right, 1), round(bottom, 1)))
