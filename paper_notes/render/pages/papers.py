"""The timeline of papers, the latest first. Papers that notes only cite have one line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from paper_notes.corpus.model import NoteId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.languages.text import Text
from paper_notes.render.links import PAPERS
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.view_factory import LinkView, NoteLink, PageContext, PageFrame, PaperView, newest_first

_GAP = 12
"""Years without papers that the axis has at most: an old classic must not make it long."""


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """A paper on the timeline. `paper.notes` read it; `cited` are other notes that cite it."""

    paper: PaperView
    month: Text
    """`10 月`, `Oct`; empty if only the year is known."""
    by: str
    """`Leviathan et al.`"""
    cited: tuple[NoteLink, ...]


@dataclass(frozen=True, slots=True)
class YearBlock:
    """Papers of a year; `year` is empty for those without a date."""

    id: str
    year: str
    read: int
    """Number of papers that notes read."""
    shares: tuple[int, int]
    """Papers that notes read, and others, in per cent of the papers of the fullest year: the heights of two columns."""
    papers: tuple[PaperEntry, ...]
    """The latest first."""


@dataclass(frozen=True, slots=True)
class PapersPage:
    """`papers.html`."""

    chrome: PageFrame
    count: Text
    total: int
    read: int
    years: tuple[YearBlock, ...]
    """The latest first."""
    axis: tuple[YearBlock, ...]
    """The same from the earliest on, with the years between that have no paper."""
    exports: tuple[LinkView, ...]


def papers_page(collection: CollectionContext, context: PageContext) -> PapersPage:
    """The view of `papers.html`. Papers without a year come last, and in a year those without a month."""
    cited, readers, words = context.resolver.cited, context.resolver.readers, context.words
    citing: dict[BibKey, list[NoteId]] = {}
    for note in collection.corpus.notes:
        for key in cited[note.id]:
            citing.setdefault(key, []).append(note.id)
    papers = newest_first(collection.corpus.own_papers.values())
    grouped = [(year, list(group)) for year, group in groupby(papers, key=lambda paper: paper.year)]
    most = max((len(inside) for _, inside in grouped), default=1)

    def entry(paper: Paper) -> PaperEntry:
        others = (note for note in citing.get(paper.key, ()) if note not in readers.get(paper.key, ()))
        month = words(f"label.month-{paper.month}") if paper.month else Text()
        return PaperEntry(context.paper(paper), month, paper.short_authors, tuple(map(context.note_link, others)))

    def block(year: int | None, inside: list[Paper]) -> YearBlock:
        read = sum(paper.key in readers for paper in inside)
        shares = (round(100 * read / most), round(100 * (len(inside) - read) / most))
        return YearBlock(f"y{year}" if year else "undated", str(year or ""), read, shares, tuple(map(entry, inside)))

    years = tuple(block(year, inside) for year, inside in grouped)
    return PapersPage(
        chrome=context.list_frame("papers"),
        count=words("count.papers", count=len(papers)),
        total=len(papers),
        read=sum(paper.key in readers for paper in papers),
        years=years,
        axis=tuple(_axis(years)),
        exports=context.exports(PAPERS, bool(papers)),
    )


def _axis(years: Sequence[YearBlock]) -> Iterator[YearBlock]:
    before = None
    for block in reversed(years):
        year = int(block.year or 0)
        if before and year - before <= _GAP:
            yield from (YearBlock("", str(empty), 0, (0, 0), ()) for empty in range(before + 1, year))
        yield block
        before = year or None


PAGE = CollectionPage("papers", lambda collection: bool(collection.corpus.own_papers), papers_page)
