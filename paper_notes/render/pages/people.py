"""Authors and teams of the papers that notes read: by paper, and as an index."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count, groupby

from paper_notes.corpus.paper import Paper
from paper_notes.languages.text import Text
from paper_notes.render.labels import cite_label, initial, initial_order, joined, short_title
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.view_factory import LinkView, NoteLink, PageContext, PageFrame, newest_first, note_papers_in

LONGEST_NAME = 24
"""The text before the colon of a title is a name if it has at most so many characters."""


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """A person or team; `papers` are links to their papers further up on the page, the latest first."""

    id: str
    name: str
    papers: tuple[LinkView, ...]


@dataclass(frozen=True, slots=True)
class PaperPeople:
    """A paper with its authors and teams."""

    id: str
    title: str
    date: str
    link: LinkView | None
    authors: tuple[tuple[str, str], ...]
    """Name and id of each author; the id is empty for authors of one paper only."""
    more_authors: bool
    teams: tuple[str, ...]
    notes: tuple[NoteLink, ...]


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """`people.html`."""

    chrome: PageFrame
    count: Text
    several: tuple[PersonEntry, ...]
    """Authors of more than one paper, by number of papers, the most first."""
    papers: tuple[PaperPeople, ...]
    """The latest first."""
    teams: tuple[PersonEntry, ...]
    """Teams by number of papers, the most first."""
    authors: tuple[tuple[str, tuple[PersonEntry, ...]], ...]
    """All authors by initial."""


def people_page(collection: CollectionContext, context: PageContext) -> PeoplePage:
    """The view of `people.html`."""
    papers = newest_first(collection.corpus.papers[key] for key in note_papers_in(collection.corpus.notes))
    sort_names = {name.full: name.family for paper in papers for name in paper.authors}
    authors = _merged((name.full, paper) for paper in papers for name in paper.authors)
    teams = _merged((team, paper) for paper in papers for team in paper.teams)
    ids = (f"person-{number}" for number in count(1))

    def entry(name: str, own: Iterable[Paper]) -> PersonEntry:
        return PersonEntry(next(ids), name, tuple(LinkView(_name(paper), f"#{_id(paper)}") for paper in own))

    busy = sorted((item for item in authors.items() if len(item[1]) > 1), key=lambda item: (-len(item[1]), item[0]))
    several = tuple(entry(name, own) for name, own in busy)
    known = {folded(person.name): person.id for person in several}
    ordered = sorted(authors.items(), key=lambda item: (initial_order(sort_names[item[0]]), item[0]))
    letters = groupby(ordered, key=lambda item: initial(sort_names[item[0]]))
    words = context.words
    return PeoplePage(
        chrome=context.list_frame("people"),
        count=joined(words, words("count.authors", count=len(authors)), words("count.teams", count=len(teams))),
        several=several,
        papers=tuple(_paper(paper, known, context) for paper in papers),
        teams=tuple(
            entry(name, own) for name, own in sorted(teams.items(), key=lambda i: (-len(i[1]), i[0].casefold()))
        ),
        authors=tuple((letter, tuple(entry(name, own) for name, own in group)) for letter, group in letters),
    )


def folded(name: str) -> str:
    """The key of a name, equal for spellings that differ in width, case, spaces and full stops."""
    return re.sub(r"[\s.·•]+", " ", unicodedata.normalize("NFKC", name).casefold()).strip()


def _merged(pairs: Iterable[tuple[str, Paper]]) -> Mapping[str, tuple[Paper, ...]]:
    """The papers by name, each name in its most frequent spelling; one in capitals only if there is no other."""
    spellings: dict[str, Counter[str]] = {}
    papers: dict[str, dict[str, Paper]] = {}
    for name, paper in pairs:
        spellings.setdefault(folded(name), Counter())[name] += 1
        papers.setdefault(folded(name), {})[paper.key] = paper
    best = {key: min(counted, key=lambda name: (name.isupper(), -counted[name])) for key, counted in spellings.items()}
    return {best[key]: tuple(own.values()) for key, own in papers.items()}


def _id(paper: Paper) -> str:
    return f"by-{paper.key}"


def _name(paper: Paper) -> str:
    """A short name of a paper: `EAGLE-3` if its title begins with a name, else its authors and year."""
    name = paper.short or short_title(paper.title)
    return name if name != paper.title and len(name) <= LONGEST_NAME else cite_label(paper)


def _paper(paper: Paper, known: Mapping[str, str], context: PageContext) -> PaperPeople:
    return PaperPeople(
        id=_id(paper),
        title=paper.title,
        date=paper.date_label,
        link=next((LinkView(link.label, link.url) for link in paper.links), None),
        authors=tuple((name.full, known.get(folded(name.full), "")) for name in paper.authors),
        more_authors=paper.more_authors,
        teams=paper.teams,
        notes=tuple(map(context.note_link, context.resolver.readers.get(paper.key, ()))),
    )


def _has_people(collection: CollectionContext) -> bool:
    papers = collection.corpus.papers
    return any(papers[key].authors or papers[key].team for key in note_papers_in(collection.corpus.notes))


PAGE = CollectionPage("people", _has_people, people_page)
