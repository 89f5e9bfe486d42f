"""The timeline of papers, the latest first. Papers that notes only cite have one line each."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, groupby, islice

from paper_notes.corpus.model import NoteId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.languages.text import Text
from paper_notes.render.labels import cite_label, short_title
from paper_notes.render.links import PAPERS, list_path
from paper_notes.render.pages.collection import CollectionContext, CollectionPage, ListPart
from paper_notes.render.view_factory import LinkView, NoteLink, PageContext, PageFrame, PaperView, newest_first
from paper_notes.values import Struct

LARGE = 1000
"""A library with more papers has a page for each year; this one has the latest years that fit, or the latest papers."""
FEW = 300
"""Latest papers shown if even their year does not fit."""
UNDATED = "undated"
MOST_AUTHORS = 40
"""Authors of several papers named at most."""
LONGEST_NAME = 24
"""The text before the colon of a title is a name if it has at most so many characters."""
_GAP = 12
"""Years without papers that the axis has at most: an old classic must not make it long."""


class PaperEntry(Struct, frozen=True):
    """A paper on the timeline. `paper.notes` read it; `cited` are other notes that cite it."""

    paper: PaperView
    month: Text
    """`10 月`, `Oct`; empty if only the year is known."""
    by: str
    """`Leviathan et al.`"""
    cited: tuple[NoteLink, ...]


class YearBlock(Struct, frozen=True):
    """Papers of a year; `year` is empty for those without a date."""

    id: str
    year: str
    read: int
    """Number of papers that notes read."""
    shares: tuple[int, int]
    """Papers that notes read, and others, in per cent of the papers of the fullest year: the heights of two columns."""
    href: str
    papers: tuple[PaperEntry, ...]
    """The latest first; none if they are on a page of their own."""


class AuthorView(Struct, frozen=True):
    """An author of several papers that notes read."""

    name: str
    """In its most frequent spelling; one in capitals only if there is no other."""
    papers: tuple[LinkView, ...]
    """The latest first."""


class PapersPage(Struct, frozen=True):
    """`papers.html`."""

    chrome: PageFrame
    count: Text
    total: int
    read: int
    years: tuple[YearBlock, ...]
    """The latest first."""
    axis: tuple[YearBlock, ...]
    """The same from the earliest on, with the years between that have no paper."""
    authors: tuple[AuthorView, ...]
    """By number of papers, the most first; none on the page of a year."""
    exports: tuple[LinkView, ...]


def papers_page(
    collection: CollectionContext, context: PageContext, large: int = LARGE, only: str | None = None
) -> PapersPage:
    """The view of `papers.html`. Papers without a year come last, and in a year those without a month.

    `only` is the year of `papers-2026.html`.
    """
    readers, words = context.resolver.readers, context.words
    citing = _citing(collection)
    papers = newest_first(collection.corpus.own_papers.values())
    grouped = _by_year(papers)
    most = max(map(len, grouped.values()), default=1)
    shown = _shown(grouped, large) if only is None else {only: grouped[only]}

    def entry(paper: Paper) -> PaperEntry:
        others = (note for note in citing.get(paper.key, ()) if note not in readers.get(paper.key, ()))
        month = words(f"label.month-{paper.month}") if paper.month else Text()
        return PaperEntry(context.paper(paper), month, paper.short_authors, tuple(map(context.note_link, others)))

    def block(year: str, inside: list[Paper]) -> YearBlock:
        read = sum(paper.key in readers for paper in inside)
        shares = (round(100 * read / most), round(100 * (len(inside) - read) / most))
        here = year in shown and (only is not None or len(shown[year]) == len(inside))
        href = f"#{_id(year)}" if here else context.href(list_path("papers", year or UNDATED))
        return YearBlock(_id(year), year, read, shares, href, tuple(map(entry, shown.get(year, ()))))

    years = tuple(block(year, inside) for year, inside in grouped.items())
    here = papers if only is None else shown[only]
    return PapersPage(
        chrome=context.list_frame("papers", words.alike(only or "—") if only is not None else None),
        count=words("count.papers", count=len(here)),
        total=len(here),
        read=sum(paper.key in readers for paper in here),
        years=years,
        axis=tuple(_axis(years)),
        authors=tuple(_authors(papers, context, large)) if only is None else (),
        exports=context.exports(PAPERS, bool(papers)),
    )


def papers_parts(collection: CollectionContext, large: int = LARGE) -> Mapping[str, ListPart]:
    """A page for each year of a library that is too large for one page."""
    papers = collection.corpus.own_papers.values()
    years = _by_year(newest_first(papers)) if len(papers) > large else {}
    citing, read = _citing(collection), {key for note in collection.corpus.notes for key in note.papers}
    counts = [(year, len(inside), sum(paper.key in read for paper in inside)) for year, inside in years.items()]

    def part(year: str) -> ListPart:
        keys = tuple(paper.key for paper in years[year])
        notes = {key: citing.get(key, ()) for key in keys}
        of_all = tuple(dict.fromkeys(note for citing in notes.values() for note in citing))
        return ListPart(partial(papers_page, large=large, only=year), of_all, keys, (counts, notes))

    return {year or UNDATED: part(year) for year in years}


def _citing(collection: CollectionContext) -> Mapping[BibKey, tuple[NoteId, ...]]:
    """The notes that cite each paper."""
    citing: dict[BibKey, list[NoteId]] = {}
    for note in collection.corpus.notes:
        for key in collection.outlines[note.id].cited:
            citing.setdefault(key, []).append(note.id)
    return {key: tuple(notes) for key, notes in citing.items()}


def paper_href(key: BibKey, context: PageContext, large: int = LARGE) -> str:
    """The link to a paper on its page."""
    papers = context.corpus.own_papers
    path = list_path("papers", str(papers[key].year or UNDATED)) if len(papers) > large and key in papers else PAPERS
    return f"{context.href(path)}#paper-{key}"


def folded(name: str) -> str:
    """The key of a name, equal for spellings that differ in width, case, spaces and full stops."""
    return re.sub(r"[\s.·•]+", " ", unicodedata.normalize("NFKC", name).casefold()).strip()


def _authors(papers: Iterable[Paper], context: PageContext, large: int) -> Iterator[AuthorView]:
    spellings: dict[str, Counter[str]] = {}
    read: dict[str, dict[BibKey, Paper]] = {}
    for paper in papers:
        for author in paper.authors if paper.key in context.resolver.readers else ():
            spellings.setdefault(folded(author.full), Counter())[author.full] += 1
            read.setdefault(folded(author.full), {})[paper.key] = paper
    several = sorted((name for name, own in read.items() if len(own) > 1), key=lambda name: (-len(read[name]), name))
    for name in several[:MOST_AUTHORS]:
        spelling = min(spellings[name], key=lambda spelling: (spelling.isupper(), -spellings[name][spelling]))
        hrefs = (paper_href(key, context, large).removeprefix(context.page.name) for key in read[name])
        yield AuthorView(spelling, tuple(map(LinkView, map(_short, read[name].values()), hrefs)))


def _short(paper: Paper) -> str:
    """`EAGLE-3` if its title begins with a name, else its authors and year."""
    name = paper.short or short_title(paper.title)
    return name if name != paper.title and len(name) <= LONGEST_NAME else cite_label(paper)


def _by_year(papers: Iterable[Paper]) -> dict[str, list[Paper]]:
    return {year: list(group) for year, group in groupby(papers, key=lambda paper: str(paper.year or ""))}


def _shown(grouped: Mapping[str, list[Paper]], large: int) -> Mapping[str, list[Paper]]:
    """The papers on the first page by year: the latest years that have no more than `large` together."""
    if sum(map(len, grouped.values())) <= large:
        return grouped
    totals = accumulate(map(len, grouped.values()))
    latest = {year: inside for (year, inside), total in zip(grouped.items(), totals, strict=True) if total <= large}
    return latest or {year: inside[:FEW] for year, inside in islice(grouped.items(), 1)}


def _id(year: str) -> str:
    return f"y{year}" if year else UNDATED


def _axis(years: Sequence[YearBlock]) -> Iterator[YearBlock]:
    before = 0
    for block in reversed(years):
        year = int(block.year or 0)
        if before and year - before <= _GAP:
            yield from (YearBlock("", str(empty), 0, (0, 0), "", ()) for empty in range(before + 1, year))
        yield block
        before = year


PAGE = CollectionPage("papers", lambda collection: bool(collection.corpus.own_papers), papers_page, parts=papers_parts)
