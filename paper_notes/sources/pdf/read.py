"""Facts and pictures from a PDF. Call these functions in a process with limits, as `reader` does."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from paper_notes.sources.pdf import facts
from paper_notes.sources.pdf.captions import style_of
from paper_notes.sources.pdf.document import Document, opened
from paper_notes.sources.pdf.figures import find_figures
from paper_notes.sources.pdf.model import Box, PdfFacts, PdfFigure, PdfIdentity, PdfProblem
from paper_notes.sources.pdf.picture import Picture

_PAPER = 3.0
"""Points of white around the ink of a figure."""


def identify(data: bytes) -> PdfIdentity:
    """Which paper the PDF is, from its first page. Raises PdfProblem."""
    with opened(data) as document:
        return facts.identity(document, document.page(1))


def read_pdf(data: bytes) -> PdfFacts:
    """All facts and figures of the PDF. Raises PdfProblem."""
    with opened(data) as document:
        pages = [document.page(number) for number in range(1, document.pages + 1)]
        known = facts.identity(document, pages[0])
        return PdfFacts(
            pages=known.pages,
            arxiv=known.arxiv,
            version=known.version,
            date=known.date,
            doi=known.doi,
            title=known.title,
            authors=facts.authors(document),
            abstract=facts.abstract(pages),
            outline=facts.outline(document, pages, style_of(pages).size),
            figures=tuple(_trimmed(document, figure) for figure in find_figures(pages)),
        )


def draw(data: bytes, page: int, box: Box | None, width: int, height: int, limit: int) -> Picture:
    """A part of a page, or the whole page; see `Document.picture`. Raises PdfProblem."""
    with opened(data) as document:
        area = box or (0.0, 0.0, *document.size(page))
        return document.picture(page, area, width=width, height=height, limit=limit)


def _trimmed(document: Document, figure: PdfFigure) -> PdfFigure:
    """The figure without the white space around it."""
    left, top, right, bottom = figure.box
    with suppress(PdfProblem):
        ink = document.ink(figure.page, figure.box)
        left, top = max(left, ink[0] - _PAPER), max(top, ink[1] - _PAPER)
        right, bottom = min(right, ink[2] + _PAPER), min(bottom, ink[3] + _PAPER)
    return replace(figure, box=(round(left, 1), round(top, 1), round(right, 1), round(bottom, 1)))
