"""The pages of the whole collection: what each is called, when there is something to show on it, and who makes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from paper_notes.corpus.model import Text
from paper_notes.render.list_views import MissingPage
from paper_notes.render.lists.errata import errata_page
from paper_notes.render.lists.glossary import glossary_page
from paper_notes.render.lists.map import map_page, references
from paper_notes.render.lists.material import Material
from paper_notes.render.lists.papers import papers_page
from paper_notes.render.lists.people import people_page
from paper_notes.render.lists.stats import stats_page
from paper_notes.render.lists.tags import tags_page
from paper_notes.render.parts import ListName, Maker, bi, note_papers_in
from paper_notes.render.views import Bi

View = Callable[[Material, Maker, Bi], object]


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page made of the whole collection. Its template has the name of the page."""

    name: ListName
    wanted: Callable[[Material], bool]
    """False where it would be empty: then it is not made, and nothing leads to it."""
    view: View
    counts: bool = False
    """Whether it tells how much is written: then it changes with every word."""

    def make(self, material: Material, maker: Maker) -> object:
        return self.view(material, maker, bi(self.name.title))


def _has_people(material: Material) -> bool:
    papers = material.corpus.papers
    return any(papers[key].authors or papers[key].team for key in note_papers_in(material.corpus.notes))


LISTS = (
    ListPage(ListName("papers", Text("论文", "Papers")), lambda m: bool(m.corpus.papers), papers_page),
    ListPage(ListName("tags", Text("标签", "Tags")), lambda m: any(n.tags for n in m.corpus.notes), tags_page),
    ListPage(ListName("glossary", Text("术语", "Glossary")), lambda m: bool(m.corpus.terms), glossary_page),
    ListPage(ListName("errata", Text("勘误", "Errata")), lambda m: bool(m.relations.corrected_by), errata_page),
    ListPage(ListName("people", Text("人物", "People")), _has_people, people_page),
    ListPage(ListName("map", Text("地图", "Map")), lambda m: bool(references(m)), map_page),
    ListPage(ListName("stats", Text("统计", "Statistics")), lambda m: bool(m.corpus.notes), stats_page, counts=True),
)
MISSING = ListName("404", Text("没有这一页", "No such page"))
"""What a server shows for addresses that lead nowhere; only where the site's address is known."""


def list_pages(material: Material) -> tuple[ListPage, ...]:
    """Those that have something to show."""
    return tuple(page for page in LISTS if page.wanted(material))


def missing_page(maker: Maker) -> MissingPage:
    """The view of `404.html`."""
    title = bi(MISSING.title)
    return MissingPage(maker.chrome(title, title, None))
