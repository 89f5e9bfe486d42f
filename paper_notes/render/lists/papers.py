"""The timeline of papers: years, months, and the notes that read or cite each paper."""

from __future__ import annotations

from itertools import groupby

from paper_notes.corpus.paper import Paper
from paper_notes.render.list_pages import by_date
from paper_notes.render.list_views import MonthBlock, PaperEntry, PapersPage, YearBlock
from paper_notes.render.lists.material import Material
from paper_notes.render.parts import Maker, bi
from paper_notes.render.views import Bi
from paper_notes.render.words import counted, month_name


def papers_page(material: Material, maker: Maker, title: Bi) -> PapersPage:
    """The view of `papers.html`. Papers without a year come last, and in a year those without a month."""
    citing = material.citing()
    papers = material.corpus.papers
    about = Bi("合集中的全部论文，按发表时间排列。", "All papers of the collection by their dates.")

    def entry(paper: Paper) -> PaperEntry:
        readers = maker.linker.readers.get(paper.key, ())
        others = tuple(note for note in citing.get(paper.key, ()) if note not in readers)
        return PaperEntry(maker.paper(paper), tuple(map(maker.note_link, others)))

    def months(inside: list[Paper]) -> tuple[MonthBlock, ...]:
        inside.sort(key=lambda paper: paper.month or 13)
        return tuple(
            MonthBlock(bi(month_name(month)) if month else Bi("", ""), tuple(map(entry, group)))
            for month, group in groupby(inside, key=lambda paper: paper.month)
        )

    grouped = [(year, list(group)) for year, group in groupby(by_date(papers.values()), key=lambda paper: paper.year)]
    most = max((len(inside) for _, inside in grouped), default=0)
    years = tuple(
        YearBlock(
            f"y{year}" if year else "undated",
            str(year or ""),
            len(inside),
            round(100 * len(inside) / most),
            months(inside),
        )
        for year, inside in grouped
    )
    return PapersPage(maker.chrome(title, about, None), bi(counted(len(papers), "篇论文", "paper")), years)
