"""A paper as it is searched: a PDF cut into passages that people name, with the numbers and words of each row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from paper_notes.features.papers.pdf_facts import OutlineItem, outline
from paper_notes.identifiers import folded_title
from paper_notes.sources.pdf.captions import style_of
from paper_notes.sources.pdf.document import PdfLine, PdfPage, opened
from paper_notes.sources.pdf.figures import figures_on
from paper_notes.sources.pdf.model import Box, PdfFigure, PdfProblem
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.pdf.text import cleaned, joined, title_text
from paper_notes.sources.tree import Source

PassageKind = Literal["front", "section", "table", "figure"]
_HEADING_NUMBER = re.compile(
    r"^(?:appendix\s+)?(\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){0,3}|[IVX]{1,4})[.:]?\s+(?=\S)", re.IGNORECASE
)
_REFERENCES = re.compile(r"^(?:[\dIVX]+\.?\s+)?(?:references|bibliography|参考文献)\W*$", re.IGNORECASE)
_SAME_ROW = 0.55
"""Words whose middles are closer than this part of their height are on one row."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its left and right edge in points."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class PassageRow:
    """Words on one line, from left to right in tables and as they are read in sections."""

    page: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a paper that has a name. What comes before the first section is the `front`."""

    kind: PassageKind
    number: str
    """`2`, `A.1`; may be empty."""
    title: str
    """Heading or caption."""
    page: int
    rows: tuple[PassageRow, ...]


@dataclass(frozen=True, slots=True)
class Passages:
    """All of a paper but its list of references, in the order of sections, then of tables and figures."""

    parts: tuple[Passage, ...]
    pages: int
    first: str
    """The text of page 1."""


def passages_of(source: Source, reader: PdfReader) -> Passages | PdfProblem:
    """The text of a PDF of the collection, cut into the passages that people name."""
    return reader.read(source, "passages", Passages, read_passages)


def read_passages(data: bytes) -> Passages:
    """The passages of a PDF. Raises PdfProblem."""
    with opened(data) as document:
        pages = document.every_page()
        figures = figures_on(pages)
        headings = outline(document, pages, style_of(pages).size)
        words = {page.number: document.words(page.number) for page in pages}
    beside = [_beside(figure, words[figure.page]) for figure in figures]
    boxes = {page.number: [figure.box for figure in figures if figure.page == page.number] for page in pages}
    first = joined(line.text for line in pages[0].lines if line.upright) if pages else ""
    return Passages((*_sections(pages, boxes, headings), *beside), len(pages), first)


def _beside(figure: PdfFigure, words: Sequence[tuple[str, Box]]) -> Passage:
    """A figure or table with its words in rows."""
    inside = [(text, box) for text, box in words if _inside(box, figure.box)]
    rows = tuple(PassageRow(figure.page, row) for row in _rows(inside))
    return Passage(figure.kind, figure.number, figure.caption, figure.page, rows)


def _rows(words: Sequence[tuple[str, Box]]) -> Iterator[tuple[Word, ...]]:
    """The words as they stand side by side, from the top; raised and lowered signs go with their row."""
    ordered = sorted(words, key=lambda word: (word[1][1] + word[1][3]) / 2)
    row: list[tuple[str, Box]] = []
    middle = height = 0.0
    for text, box in ordered:
        here, size = (box[1] + box[3]) / 2, box[3] - box[1]
        if row and here - middle > _SAME_ROW * min(height, size or height):
            yield _in_line(row)
            row = []
        if not row:
            middle, height = here, size
        row.append((text, box))
    if row:
        yield _in_line(row)


def _in_line(row: Sequence[tuple[str, Box]]) -> tuple[Word, ...]:
    return tuple(
        Word(cleaned(text), round(box[0], 1), round(box[2], 1))
        for text, box in sorted(row, key=lambda word: word[1][0])
        if cleaned(text)
    )


def _sections(
    pages: Sequence[PdfPage], boxes: dict[int, list[Box]], outline: Sequence[OutlineItem]
) -> Iterator[Passage]:
    """The running text, cut at headings; without the list of references."""
    wanted: dict[int, list[str]] = {}
    for item in outline:
        wanted.setdefault(item.page, []).append(item.title)
    kind: PassageKind = "front"
    number = title = ""
    page_of, rows, listing = 1, list[PassageRow](), False
    for page in pages:
        for line in page.lines:
            if not line.upright or any(_inside(line.box, box) for box in boxes[page.number]):
                continue
            heading = _heading(line, wanted, page.number)
            if heading is not None:
                if rows and not listing:
                    yield Passage(kind, number, title, page_of, tuple(rows))
                kind, (number, title) = "section", heading
                page_of, rows, listing = page.number, [], bool(_REFERENCES.match(title))
            text = cleaned(line.text)
            rows.append(PassageRow(page.number, (Word(text, round(line.box[0], 1), round(line.box[2], 1)),)))
    if rows and not listing:
        yield Passage(kind, number, title, page_of, tuple(rows))


def _heading(line: PdfLine, wanted: dict[int, list[str]], page: int) -> tuple[str, str] | None:
    """Number and title if the line begins a heading of the outline, which may be named on the page before or after."""
    text = title_text([line])
    if len(text) > 150:
        return None
    match = _HEADING_NUMBER.match(text)
    bare = folded_title(text[match.end() :] if match else text)
    if len(bare) < 3:
        return None
    if _REFERENCES.match(text):
        return "", text
    for near in (page, page - 1, page + 1):
        for title in wanted.get(near, ()):
            said = _HEADING_NUMBER.match(title)
            whole = folded_title(title[said.end() :] if said else title)
            same_number = not (said and match) or said[1].lower() == match[1].lower()
            if same_number and (whole == bare or (len(bare) > 12 and whole.startswith(bare))):
                wanted[near].remove(title)
                return (match or said)[1] if (match or said) else "", title  # type: ignore[index] # one of them is there
    return None


def _inside(box: Box, frame: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return frame[0] <= x <= frame[2] and frame[1] - 1 <= y <= frame[3] + 1
