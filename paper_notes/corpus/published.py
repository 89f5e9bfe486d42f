"""How a paper was published, in the terms that all formats of citations share: what it is, in what, and where."""

from __future__ import annotations

import re
from typing import Literal

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
    """What it is. An article without a journal, or anything less, that is on arXiv is a preprint."""
    genre = _GENRES.get(paper.entry_type, "other")
    bare = genre in ("other", "webpage") or (genre == "article" and not paper.imprint.journal)
    return "preprint" if bare and paper.arxiv else genre


def container_of(paper: Paper) -> str:
    """The journal, or the book or proceedings, that it stands in; may be empty."""
    return paper.imprint.book if genre_of(paper) in ("conference", "chapter") else paper.imprint.journal


def url_of(paper: Paper) -> str:
    """Where its own page is: the entry's `url`, else that of the DOI, of arXiv, or any; may be empty."""
    urls = {link.label: link.url for link in reversed(paper.links)}
    return next((urls[label] for label in ("Link", "DOI", "arXiv", *urls) if label in urls), "")


def pdf_of(paper: Paper) -> str:
    """Where its PDF is, if that is known."""
    given = next((link.url for link in paper.links if link.label == "PDF"), "")
    return given or (f"https://arxiv.org/pdf/{paper.arxiv}" if paper.arxiv else "")


def pages_of(paper: Paper) -> tuple[str, str]:
    """The first and the last page; either may be empty."""
    first, _, last = re.sub(r"\s*[-–—]+\s*", "-", paper.imprint.pages).partition("-")
    return first, last


def inverted(name: PersonName) -> str:
    """The family name first: `de la Cruz, Ana`, `King, Martin Luther, Jr.`; a group's name as it is."""
    family = f"{name.von} {name.last}".strip()
    return ", ".join(part for part in (family, name.first, name.jr) if part)
