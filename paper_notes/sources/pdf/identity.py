"""Which paper a PDF is: its stamp, DOI and title."""

from __future__ import annotations

import datetime
import re

from paper_notes.identifiers import DOI_START, ArxivId, arxiv_in_stamp, folded_title
from paper_notes.patterns import regex
from paper_notes.sources.pdf.document import PdfDocument, PdfLine, PdfPage, opened
from paper_notes.sources.pdf.model import PdfIdentity
from paper_notes.sources.pdf.text import cleaned, title_text

_MONTHS = {name: i for i, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_STAMP_DATE = regex(r"\b(\d{1,2})\s+([A-Z][a-z]{2})[a-z]*\s+(\d{4})\b")
_DOI = regex(rf"\b{DOI_START}[!-~]*[A-Za-z0-9]")
_NO_TITLE = regex(
    r"^(?:arxiv\b|preprint\b|published\b|under review|accepted\b|proceedings\b|technical report\W*$|https?:|www\.|\d+$"
    r"|to appear|in submission|draft\b|manuscript\b|journal of|transactions on|ieee (?:trans|journal)|vol\w*\W)",
    re.IGNORECASE,
)
NO_METADATA = regex(r"untitled|^microsoft word|\.(?:dvi|tex|pdf|docx?|indd)$|^title$|^arxiv\b|^\W*$", re.IGNORECASE)
ABSTRACT = regex(r"^(?:abstract|summary|摘\s*要)\s*(?:[:：.\u2014\u2013-]+\s*(?=\S)|$)", re.IGNORECASE)


def identify(data: bytes) -> PdfIdentity:
    """Which paper a PDF is, from its first page. Raises PdfProblem."""
    with opened(data) as document:
        return identity(document, document.page(1))


def identity(document: PdfDocument, first: PdfPage) -> PdfIdentity:
    """Which paper the PDF is, from its first page."""
    arxiv, version, date = _stamp(first)
    return PdfIdentity(
        pages=document.pages,
        arxiv=arxiv,
        version=version,
        date=date,
        doi=_doi(document, first),
        title=title(document, first),
        repaired=document.repaired,
        has_text=bool(first.lines),
    )


def _stamp(first: PdfPage) -> tuple[ArxivId | None, int | None, datetime.date | None]:
    """Id, version and date in arXiv's stamp: it runs up the left margin of page 1, in very old papers along the top."""
    texts = [line.text for line in first.lines if not line.upright]
    texts += [line.text for line in first.lines if line.upright and line.text.lower().startswith("arxiv:")]
    for text in texts:
        if paper := arxiv_in_stamp(text):
            day = _STAMP_DATE.search(text)
            return *paper, _date(day) if day else None
    return None, None, None


def _date(match: re.Match[str]) -> datetime.date | None:
    try:
        return datetime.date(int(match[3]), _MONTHS[match[2].lower()], int(match[1]))
    except (KeyError, ValueError):
        return None


def _doi(document: PdfDocument, first: PdfPage) -> str | None:
    """The paper's own DOI: in the metadata, or on page 1 in a line that says `doi`."""
    texts = [document.metadata.get("subject", ""), document.metadata.get("keywords", "")]
    texts += [line.text for line in first.lines if re.search(r"\bdoi\b|doi\.org", line.text, re.IGNORECASE)]
    for text in texts:
        if match := _DOI.search(text):
            doi = match[0]
            return doi if not doi.lower().startswith("10.48550/arxiv.") else None
    return None


def title(document: PdfDocument, first: PdfPage) -> str:
    """The title in the metadata if the first page has it too, else its largest lines. May be empty."""
    known = cleaned(document.metadata.get("title", ""))
    shown = title_text(title_lines(first))
    if not known or NO_METADATA.search(known) or len(folded_title(known)) < 4:
        return shown
    on_page = folded_title("".join(line.text for line in first.lines if line.upright))
    return known if folded_title(known) in on_page or not shown else shown


def title_lines(first: PdfPage) -> list[PdfLine]:
    """The largest lines of the first page that read as a title. May be empty."""
    lines = [line for line in first.lines if line.upright and line.box[1] < 0.6 * first.height]
    end = next((i for i, line in enumerate(lines) if ABSTRACT.match(line.text)), len(lines))
    wanted = [
        line
        for line in lines[: end or None]
        if sum(map(str.isalpha, line.text)) >= 4 and not _NO_TITLE.match(line.text) and not _in_header(line, first)
    ]
    if not wanted:
        return []
    largest = max(line.largest for line in wanted)
    start = next(i for i, line in enumerate(wanted) if line.largest > largest - 0.6)
    title = [wanted[start]]
    for line in wanted[start + 1 :]:
        gap = line.box[1] - title[-1].box[3]
        same_size = line.largest > largest - 0.8 or abs(line.size - title[0].size) < 0.8
        if not same_size or gap > 1.2 * largest or _is_bold(line) != _is_bold(title[0]):
            break
        title.append(line)
    return title


def _is_bold(line: PdfLine) -> bool:
    """True if most of its letters are: the name of a package is often set in another font."""
    return 2 * sum(len(span.text) for span in line.spans if span.bold) > sum(len(span.text) for span in line.spans)


def _in_header(line: PdfLine, page: PdfPage) -> bool:
    """True for a running head: at the very top, and not larger than text."""
    return line.box[3] < 0.06 * page.height and line.largest < 12.5
