"""The timeline of papers, the latest first: those that notes read in full, those that they only cite in a line each."""

from __future__ import annotations

from itertools import groupby

from paper_notes.corpus.paper import Paper
from paper_notes.render.links import site_export
from paper_notes.render.list_pages import newest_first
from paper_notes.render.list_views import PaperEntry, PapersPage, YearBlock
from paper_notes.render.lists.material import Material
from paper_notes.render.parts import Maker, bi
from paper_notes.render.views import Bi
from paper_notes.render.words import counted, month_name


def papers_page(material: Material, maker: Maker, title: Bi) -> PapersPage:
    """The view of `papers.html`. Papers without a year come last, and in a year those without a month."""
    citing, readers = material.citing(), maker.linker.readers
    papers = newest_first(material.corpus.papers.values())
    grouped = [(year, list(group)) for year, group in groupby(papers, key=lambda paper: paper.year)]
    most = max((len(inside) for _, inside in grouped), default=1)

    def entry(paper: Paper) -> PaperEntry:
        cited = (note for note in citing.get(paper.key, ()) if note not in readers.get(paper.key, ()))
        month = _month(paper.month) if paper.month else Bi("", "")
        return PaperEntry(maker.paper(paper), month, paper.short_authors, tuple(map(maker.note_link, cited)))

    def block(year: int | None, inside: list[Paper]) -> YearBlock:
        read = sum(paper.key in readers for paper in inside)
        shares = (round(100 * read / most), round(100 * (len(inside) - read) / most))
        return YearBlock(f"y{year}" if year else "undated", str(year or ""), read, shares, tuple(map(entry, inside)))

    return PapersPage(
        chrome=maker.chrome(title, Bi("合集里的论文，新的在前。", "The papers of the collection, newest first."), None),
        count=bi(counted(len(papers), "篇论文", "paper")),
        total=len(papers),
        read=sum(paper.key in readers for paper in papers),
        years=tuple(block(year, inside) for year, inside in grouped),
        exports=maker.exports(site_export, bool(papers)),
    )


def _month(month: int) -> Bi:
    name = bi(month_name(month))
    return Bi(name.zh, name.en[:3])
