"""The timeline of papers, the latest first: those that notes read in full, those that they only cite in a line each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from paper_notes.corpus.paper import Paper
from paper_notes.languages.text import zh_en
from paper_notes.render.labels import counted, month_name
from paper_notes.render.links import site_export
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.parts import ListName, PageContext, bi, newest_first
from paper_notes.render.views import Bi, Chrome, LinkView, NoteLink, PaperView


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """A paper on the timeline. `paper.notes` read it; `cited` are other notes that cite it."""

    paper: PaperView
    month: Bi
    """`10 月`, `Oct`; empty where only the year is known."""
    by: str
    """`Leviathan et al.`"""
    cited: tuple[NoteLink, ...]


@dataclass(frozen=True, slots=True)
class YearBlock:
    """Papers of a year; `year` is empty for those without a date."""

    id: str
    year: str
    read: int
    """How many of its papers notes read; they come to `shares[0]` per cent of the fullest year, the others to
    `shares[1]`: the heights of its columns in the strip of years."""
    shares: tuple[int, int]
    papers: tuple[PaperEntry, ...]
    """The latest first."""


@dataclass(frozen=True, slots=True)
class PapersPage:
    """`papers.html`."""

    chrome: Chrome
    count: Bi
    total: int
    read: int
    years: tuple[YearBlock, ...]
    """The latest first."""
    exports: tuple[LinkView, ...]


def papers_page(material: CollectionContext, context: PageContext, title: Bi) -> PapersPage:
    """The view of `papers.html`. Papers without a year come last, and in a year those without a month."""
    citing, readers = material.citing(), context.resolver.readers
    papers = newest_first(material.corpus.papers.values())
    grouped = [(year, list(group)) for year, group in groupby(papers, key=lambda paper: paper.year)]
    most = max((len(inside) for _, inside in grouped), default=1)

    def entry(paper: Paper) -> PaperEntry:
        cited = (note for note in citing.get(paper.key, ()) if note not in readers.get(paper.key, ()))
        month = _month(paper.month) if paper.month else zh_en("", "")
        return PaperEntry(context.paper(paper), month, paper.short_authors, tuple(map(context.note_link, cited)))

    def block(year: int | None, inside: list[Paper]) -> YearBlock:
        read = sum(paper.key in readers for paper in inside)
        shares = (round(100 * read / most), round(100 * (len(inside) - read) / most))
        return YearBlock(f"y{year}" if year else "undated", str(year or ""), read, shares, tuple(map(entry, inside)))

    return PapersPage(
        chrome=context.chrome(
            title, zh_en("合集里的论文，新的在前。", "The papers of the collection, newest first."), None
        ),
        count=bi(counted(len(papers), "篇论文", "paper")),
        total=len(papers),
        read=sum(paper.key in readers for paper in papers),
        years=tuple(block(year, inside) for year, inside in grouped),
        exports=context.exports(site_export, bool(papers)),
    )


def _month(month: int) -> Bi:
    name = bi(month_name(month))
    return zh_en(name.zh, name.en[:3])


PAGE = CollectionPage(
    ListName("papers", zh_en("论文", "Papers")), lambda material: bool(material.corpus.papers), papers_page
)
