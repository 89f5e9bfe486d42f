"""Fields that all formats of citations share: genre, authors, container, pages and addresses of a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal

from paper_notes.corpus.paper import Paper, PersonName

Genre = Literal[
    "article",
    "preprint",
    "conference",
    "chapter",
    "book",
    "thesis",
    "report",
    "dataset",
    "software",
    "webpage",
    "other",
]

_GENRES: dict[str, Genre] = {
    **dict.fromkeys(("article", "suppperiodical", "review"), "article"),
    **dict.fromkeys(("inproceedings", "conference"), "conference"),
    **dict.fromkeys(("inbook", "incollection", "bookinbook", "suppbook", "suppcollection", "inreference"), "chapter"),
    **dict.fromkeys(("book", "booklet", "proceedings", "collection", "reference", "periodical"), "book"),
    **dict.fromkeys(("mvbook", "mvcollection", "mvproceedings", "mvreference"), "book"),
    **dict.fromkeys(("phdthesis", "mastersthesis", "thesis"), "thesis"),
    **dict.fromkeys(("techreport", "report", "manual", "standard"), "report"),
    **dict.fromkeys(("online", "electronic", "www"), "webpage"),
    "dataset": "dataset",
    "software": "software",
}


def genre_of(paper: Paper) -> Genre:
    """The genre of a paper. On arXiv, articles without a journal, web pages and `misc` are preprints."""
    genre = _GENRES.get(paper.entry_type, "other")
    bare = genre in ("other", "webpage") or (genre == "article" and not paper.imprint.journal)
    return "preprint" if bare and paper.arxiv else genre


def authors_of(paper: Paper, *, others: bool = False) -> tuple[PersonName, ...]:
    """The authors, or else the team as a group.

    With `others`, an entry's `and others` becomes a last author called `others`, which pandoc reads as et al.
    """
    authors = paper.authors or ((PersonName(last=paper.team),) if paper.team else ())
    return (*authors, PersonName(last="others")) if others and paper.more_authors else authors


def inverted(name: PersonName) -> str:
    """A name with the family name first: `de la Cruz, Ana`, `King, Martin Luther, Jr.`; a group's name as it is."""
    return ", ".join(part for part in (name.surname, name.first, name.jr) if part)


def container_of(paper: Paper) -> str:
    """The journal, or the book or proceedings, that contains it; may be empty."""
    return paper.imprint.book if genre_of(paper) in ("conference", "chapter") else paper.imprint.journal


def issue_of(paper: Paper) -> str:
    """The issue of the journal that contains an article. The `number` of anything else is not an issue."""
    return paper.imprint.number if genre_of(paper) == "article" else ""


def publisher_of(paper: Paper) -> str:
    """The publisher, or `arXiv` for a preprint without one."""
    return paper.imprint.publisher or ("arXiv" if genre_of(paper) == "preprint" else "")


def pages_of(paper: Paper) -> tuple[str, str]:
    """The first and the last page; either may be empty."""
    first, _, last = re.sub(r"\s*[-–—]+\s*", "-", paper.imprint.pages).partition("-")
    return first, last


def url_of(paper: Paper) -> str:
    """The address of the paper's page: the entry's `url`, else that of the DOI, of arXiv, or any; may be empty."""
    urls = {link.label: link.url for link in reversed(paper.links)}
    return next((urls[label] for label in ("Link", "DOI", "arXiv", *urls) if label in urls), "")


def pdf_of(paper: Paper) -> str:
    """The address of the paper's PDF; may be empty."""
    own = next((link.url for link in paper.links if link.label == "PDF"), "")
    return own or (f"https://arxiv.org/pdf/{paper.arxiv}" if paper.arxiv else "")


def known_lines(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The pairs that have a value, each value on one line."""
    return tuple((name, line) for name, value in pairs if (line := " ".join(value.split())))


def known_values(value: Any) -> Any:
    """A JSON value without the properties that are empty, at any depth."""
    if isinstance(value, dict):
        return {name: known_values(inner) for name, inner in value.items() if inner not in ("", [], {}, None)}
    return [known_values(inner) for inner in value] if isinstance(value, list) else value
