"""The authors and teams of the papers that notes read."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count, groupby

from paper_notes.corpus.paper import Paper
from paper_notes.render.list_pages import by_date
from paper_notes.render.list_views import PeoplePage, PersonEntry, PersonPaper
from paper_notes.render.lists.material import Material
from paper_notes.render.parts import Maker, note_papers_in
from paper_notes.render.views import Bi, LinkView
from paper_notes.render.words import counted, initial, initial_order

_AND = re.compile(r"\s*;\s*|\s+and\s+")


def people_page(material: Material, maker: Maker, title: Bi) -> PeoplePage:
    """The view of `people.html`."""
    papers = by_date(material.corpus.papers[key] for key in note_papers_in(material.corpus.notes))
    shown = {paper.key: _paper(paper, maker) for paper in papers}
    sort_names = {name.full: name.family for paper in papers for name in paper.authors}
    authors = _merged((name.full, paper) for paper in papers for name in paper.authors)
    teams = _merged((team, paper) for paper in papers for team in teams_of(paper))
    ids = (f"person-{number}" for number in count(1))

    def entry(name: str, own: Iterable[Paper]) -> PersonEntry:
        return PersonEntry(next(ids), name, tuple(shown[paper.key] for paper in own))

    busy = sorted((item for item in authors.items() if len(item[1]) > 1), key=lambda item: (-len(item[1]), item[0]))
    once = [item for item in authors.items() if len(item[1]) == 1]
    once.sort(key=lambda item: (initial_order(sort_names[item[0]]), item[0]))
    letters = groupby(once, key=lambda item: initial(sort_names[item[0]]))
    people, groups = counted(len(authors), "位作者", "author"), counted(len(teams), "个团队", "team")
    return PeoplePage(
        chrome=maker.chrome(title, Bi("读过的论文是谁写的。", "Who wrote the papers that were read."), None),
        count=Bi(f"{people.zh}，{groups.zh}", f"{people.en}, {groups.en}"),
        several=tuple(entry(name, own) for name, own in busy),
        others=tuple((letter, tuple(entry(name, own) for name, own in group)) for letter, group in letters),
        teams=tuple(
            entry(name, own) for name, own in sorted(teams.items(), key=lambda i: (-len(i[1]), i[0].casefold()))
        ),
    )


def teams_of(paper: Paper) -> tuple[str, ...]:
    """The organizations of a paper: `A; B` and `A and B` are two, `University of X, City` is one."""
    return tuple(team for team in map(str.strip, _AND.split(paper.team)) if team)


def folded(name: str) -> str:
    """What spellings of one name have in common: width, case, spaces and full stops are no differences."""
    return re.sub(r"[\s.·•]+", " ", unicodedata.normalize("NFKC", name).casefold()).strip()


def _merged(named: Iterable[tuple[str, Paper]]) -> Mapping[str, tuple[Paper, ...]]:
    """The papers by name, each name in its most frequent spelling; capitals throughout are the last resort."""
    spellings: dict[str, Counter[str]] = {}
    papers: dict[str, dict[str, Paper]] = {}
    for name, paper in named:
        spellings.setdefault(folded(name), Counter())[name] += 1
        papers.setdefault(folded(name), {})[paper.key] = paper
    best = {key: min(counted, key=lambda name: (name.isupper(), -counted[name])) for key, counted in spellings.items()}
    return {best[key]: tuple(own.values()) for key, own in papers.items()}


def _paper(paper: Paper, maker: Maker) -> PersonPaper:
    link = next((LinkView(link.label, link.url) for link in paper.links), None)
    notes = tuple(map(maker.note_link, maker.linker.readers.get(paper.key, ())))
    return PersonPaper(paper.title, paper.date_label, link, notes)
