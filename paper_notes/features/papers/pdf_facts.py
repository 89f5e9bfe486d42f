"""What a PDF says of its paper besides which one it is: authors, abstract, outline."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence

from paper_notes.features.papers.pdf_authors import authors
from paper_notes.identifiers import ArxivId
from paper_notes.patterns import regex
from paper_notes.sources.pdf.captions import style_of
from paper_notes.sources.pdf.document import PdfDocument, PdfLine, PdfPage, opened
from paper_notes.sources.pdf.figures import trimmed_figures
from paper_notes.sources.pdf.identity import ABSTRACT, identity
from paper_notes.sources.pdf.model import PdfFigure
from paper_notes.sources.pdf.text import cleaned, joined, title_text, without_marks, words_of
from paper_notes.values import Struct

_AFTER_ABSTRACT = regex(
    r"^(?:(?:\d{1,2}|[IVX]{1,4})?[.:]?\s*(?:introduction|引\s*言|前\s*言)\b|(?:index terms|key\s?words?|关键词"
    r"|ccs concepts|acm reference|general terms|contents\s*$|links?:|code:|project page|github:|date:|correspondence:"
    r"|figure 1\b))",
    re.IGNORECASE,
)
_INTRODUCTION = regex(r"^(?:(?:1|I)[.:]?\s*)?(?:introduction|引\s*言)\s*$", re.IGNORECASE)
_NUMBERED = regex(r"^(\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){1,3}|[A-Z])\.?\s+(?=[^\W\d_])(.{2,120})$")
_UNNUMBERED = regex(r"^(?:references|bibliography|acknowledge?ments?|conclusions?|appendix)\W*$", re.IGNORECASE)


class OutlineItem(Struct, frozen=True):
    """A heading of the paper."""

    level: int
    """From 1."""
    title: str
    """With its number, if the paper has numbers."""
    page: int
    """From 1."""


class PdfFacts(Struct, frozen=True):
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


def facts_of(data: bytes) -> PdfFacts:
    """All facts and figures of a PDF, read within limits. Raises PdfProblem."""
    from paper_notes.sources.pdf.reader import within_limits  # what starts processes is slow to import

    return within_limits(read_facts, data)


def read_facts(data: bytes) -> PdfFacts:
    """All facts and figures of a PDF. Raises PdfProblem."""
    with opened(data) as document:
        pages = document.every_page()
        known = identity(document, pages[0])
        return PdfFacts(
            pages=known.pages,
            arxiv=known.arxiv,
            version=known.version,
            date=known.date,
            doi=known.doi,
            title=known.title,
            authors=authors(document, pages),
            abstract=abstract(pages),
            outline=outline(document, pages, style_of(pages).size),
            figures=trimmed_figures(document, pages),
        )


def abstract(pages: Sequence[PdfPage]) -> str:
    """The text after the word Abstract; without that word, the paragraph above the introduction."""
    words = words_of(line for page in pages for line in page.lines)
    for page in pages[:2]:
        lines = [line for line in page.lines if line.upright]
        for index, line in enumerate(lines):
            heading = ABSTRACT.match(line.text) or ABSTRACT.match(title_text([line]))
            if heading and len(line.text) - heading.end() < 200:
                rest = line.text[heading.end() :]
                below = list(_paragraph(lines, index, page, skip=not rest))
                if below or rest:
                    return joined([rest, *map(without_marks, below)], words)
    return joined((without_marks(line) for line in _above_introduction(pages[0])), words) if pages else ""


def _paragraph(lines: Sequence[PdfLine], index: int, page: PdfPage, *, skip: bool) -> Iterator[PdfLine]:
    """The lines below a heading, in its column, until the look changes or another heading comes."""
    heading = lines[index]
    below = [
        line
        for line in lines
        if line is not heading
        and line.box[1] > heading.box[1] + 0.4 * heading.size
        and (line.box[0] < heading.box[2] + 200 and line.box[2] > heading.box[0] - 200)
    ]
    below.sort(key=lambda line: (line.box[1], line.box[0]))
    middle = (heading.box[0] + heading.box[2]) / 2
    start = next((line for line in below if line.box[0] - 5 < middle < line.box[2] + 5 or not skip), None)
    if start is None:
        return
    left, right = start.box[0], start.box[2]
    last = heading.box[3] if not skip else start.box[1]
    for line in below:
        if line.box[1] < start.box[1] - 3 and line is not start:
            continue
        inside = (
            line.box[2] > left - 8 and line.box[0] < right + 8 and line.box[0] > left - 24 and line.box[2] < right + 24
        )
        if not inside:
            continue
        text = line.text
        heads = line.bold and line.largest > start.size + 0.8
        if _AFTER_ABSTRACT.match(text) or _AFTER_ABSTRACT.match(title_text([line])) or heads:
            return
        if line.box[1] - last > 2.3 * start.size or (abs(line.size - start.size) > 0.7 and len(text) > 3):
            return
        last = max(last, line.box[3])
        if len(text) > 1 or text.isalnum():
            yield line


def _above_introduction(page: PdfPage) -> list[PdfLine]:
    lines = [line for line in page.lines if line.upright]
    heading = next((line for line in lines if _INTRODUCTION.match(title_text([line]))), None)
    if heading is None:
        return []
    above = [line for line in lines if line.box[3] <= heading.box[1] + 1]
    long = [line for line in above if len(line.text) > 60]
    if not long:
        return []
    size = long[-1].size
    abstract: list[PdfLine] = []
    bottom = heading.box[1]
    for line in sorted(above, key=lambda line: -line.box[3]):
        gap = bottom - line.box[3]
        if abs(line.size - size) > 0.4 or line.bold != long[-1].bold or gap > (12 if not abstract else 1.6) * size:
            if abstract:
                break
            continue
        abstract.append(line)
        bottom = line.box[1]
    return abstract[::-1] if sum(len(line.text) for line in abstract) > 200 else []


def outline(document: PdfDocument, pages: Sequence[PdfPage], body: float) -> tuple[OutlineItem, ...]:
    """The PDF's own outline, or else its numbered headings."""
    own = [OutlineItem(max(level, 1), cleaned(text), max(page, 1)) for level, text, page in document.outline]
    own = [item for item in own if item.title]
    return tuple(own) if len(own) > 2 else tuple(_headings(pages, body))


def _headings(pages: Sequence[PdfPage], body: float) -> Iterator[OutlineItem]:
    """Headings: lines in bold or larger letters that start with the next number."""
    last: tuple[str, ...] = ()
    for page in pages:
        lines = [line for line in page.lines if line.upright]
        for index, line in enumerate(lines):
            text = title_text([line])
            match = _NUMBERED.match(text)
            stands_out = line.bold or line.largest > body + 0.8
            if not (stands_out and line.largest >= body - 0.6):
                continue
            if match and not text.endswith((",", ";")):
                number = tuple(match[1].split("."))
                if _follows(last, number):
                    last = number
                    whole = joined([text[match.start(2) :], *_rest_of_heading(lines, index)])
                    yield OutlineItem(len(number), f"{match[1]} {whole.rstrip('.')}", page.number)
            elif _UNNUMBERED.match(text):
                yield OutlineItem(1, cleaned(text).rstrip("."), page.number)


def _rest_of_heading(lines: Sequence[PdfLine], index: int) -> Iterator[str]:
    """The second line of a long heading."""
    line = lines[index]
    for other in lines[index + 1 : index + 2]:
        near = 0 <= other.box[1] - line.box[3] + 3 < 0.8 * line.size and other.box[0] < line.box[0] + 40
        alike = abs(other.largest - line.largest) < 0.3 and other.bold == line.bold and other.font == line.font
        if near and alike and not _NUMBERED.match(other.text):
            yield title_text([other])


def _follows(last: tuple[str, ...], number: tuple[str, ...]) -> bool:
    """True if a heading of this number may follow the last: 2 after 1.3, 1.1 after 1, A after 7."""
    head, final = number[:-1], number[-1]
    if head and head != last[: len(head)]:
        return False
    before = last[len(head)] if len(last) > len(head) else ""
    if not before or (final == "A" and before.isdigit()):
        return final in ("1", "A") and (final == "1" or bool(last))
    if before.isdigit() and final.isdigit():
        return int(final) == int(before) + 1
    return len(final) == len(before) == 1 and ord(final) == ord(before) + 1
