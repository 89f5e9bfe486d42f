"""Where in a PDF the evidence of a claim stands: a picture of it, and the lines or the cell to be marked in that."""

from __future__ import annotations

from paper_notes.features.drafting.claims import SourceWords
from paper_notes.features.verify.bindings import cells_of
from paper_notes.features.verify.paper import folded_letters, passages_of
from paper_notes.features.verify.tables import table_of
from paper_notes.sources.pdf.document import PdfWord, opened
from paper_notes.sources.pdf.model import Box, PdfProblem, united
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import Source
from paper_notes.values import Struct

_AROUND, _SIDES = 36.0, 14.0
"""Points above and below of what is shown, and at its sides."""
_NARROWEST = 260.0
_WIDTH, _HEIGHT, _LIMIT = 1200, 1400, 200_000


class PagePart(Struct, frozen=True):
    """A part of a page."""

    picture: Picture
    box: Box
    """Which part, in points."""
    marked: tuple[Box, ...]


class LineBoxes(Struct, frozen=True):
    """The boxes of some words of a page, one for each line; and the page's width and height."""

    boxes: tuple[Box, ...]
    size: tuple[float, float]


def place_of(item: SourceWords, pdf: Source, pdfs: PdfReader) -> PagePart | None:
    """What is to be shown of a piece of evidence; None if the PDF does not have it, or cannot be drawn."""
    box, marked = _cell(item, pdf, pdfs) if item.table else _words(item, pdf, pdfs)
    if not marked:
        return None
    picture = pdfs.picture(pdf, item.page, box, width=_WIDTH, height=_HEIGHT, limit=_LIMIT)
    return None if isinstance(picture, PdfProblem) else PagePart(picture, box, marked)


def _cell(item: SourceWords, pdf: Source, pdfs: PdfReader) -> tuple[Box, tuple[Box, ...]]:
    """All of the table, and the cell."""
    passages = passages_of(pdf, pdfs)
    tables = (
        table_of(part)
        for part in (() if isinstance(passages, PdfProblem) else passages.parts)
        if part.kind == "table" and part.number.upper() == item.table.upper()
    )
    grids = [table for table in tables if table]
    cells = [cell for cell in cells_of(item.labels, grids) if cell.text == item.words]
    if not cells:
        return (0.0, 0.0, 0.0, 0.0), ()
    figures = pdfs.figures(pdf)
    boxes = [
        figure.box
        for figure in (() if isinstance(figures, PdfProblem) else figures.figures)
        if figure.kind == "table" and figure.number.upper() == item.table.upper() and figure.page == item.page
    ]
    whole = boxes[0] if boxes else united(cell.box for cell in grids[0].cells)
    return _wider(whole, (10_000.0, 10_000.0), 6.0), (cells[0].box,)


def _words(item: SourceWords, pdf: Source, pdfs: PdfReader) -> tuple[Box, tuple[Box, ...]]:
    """The lines around a quotation, and its own."""
    wanted = folded_letters(item.words)
    lines = pdfs.read(pdf, f"lines 1 {item.page} {wanted}", LineBoxes, lines_of, item.page, wanted)
    if isinstance(lines, PdfProblem) or not lines.boxes:
        return (0.0, 0.0, 0.0, 0.0), ()
    return _wider(united(lines.boxes), lines.size, _AROUND), lines.boxes


def _wider(box: Box, size: tuple[float, float], around: float) -> Box:
    left, top, right, bottom = box
    short = max(0.0, _NARROWEST - (right - left)) / 2  # a symbol alone would be as large as a hand
    left, right = left - short, right + short
    return (
        max(0.0, left - _SIDES), max(0.0, top - around), min(size[0], right + _SIDES), min(size[1], bottom + around)
    )  # fmt: skip


def lines_of(data: bytes, page: int, wanted: str) -> LineBoxes:
    """Where words of these letters stand on a page, as far as they are on it. Raises PdfProblem."""
    with opened(data) as document:
        words = document.words(page)
        size = document.size(page)
    letters, owners = "", list[int]()
    for number, word in enumerate(words):
        folded = folded_letters(word.text)
        letters += folded
        owners += [number] * len(folded)
    start = letters.find(wanted)
    if start < 0:  # its end is on the next page
        starts = range(max(0, len(letters) - len(wanted)), len(letters))
        start = next((offset for offset in starts if wanted.startswith(letters[offset:])), len(letters))
    lines: list[list[PdfWord]] = []
    for number in sorted({*owners[start : start + len(wanted)]}):
        word = words[number]
        if lines and abs(lines[-1][-1].base - word.base) < 1:
            lines[-1].append(word)
        else:
            lines.append([word])
    return LineBoxes(tuple(united(word.box for word in line) for line in lines), size)
