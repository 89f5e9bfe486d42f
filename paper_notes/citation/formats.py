"""The formats of the bibliographies that a site offers. To add one, write its function and its row in FORMATS."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from paper_notes.citation import fields
from paper_notes.corpus.paper import Paper, PersonName
from paper_notes.languages.text import Text
from paper_notes.values import Struct


def bibtex(papers: Iterable[Paper]) -> str:
    """The entries in the given order, each with its inherited fields."""
    return "\n\n".join(paper.bibtex.strip() for paper in papers) + "\n"


_TYPES: Mapping[fields.Genre, tuple[str, str]] = {
    "article": ("article-journal", "JOUR"),
    "preprint": ("article", "UNPB"),
    "conference": ("paper-conference", "CONF"),
    "chapter": ("chapter", "CHAP"),
    "book": ("book", "BOOK"),
    "thesis": ("thesis", "THES"),
    "report": ("report", "RPRT"),
    "dataset": ("dataset", "DATA"),
    "software": ("software", "COMP"),
    "webpage": ("webpage", "ELEC"),
    "other": ("document", "GEN"),
}
"""The type of each genre in CSL and, by Zotero's mapping, in RIS."""


def csl_json(papers: Iterable[Paper]) -> str:
    """The papers as CSL-JSON 1.0.2, which Zotero, pandoc and all citation processors read, in the given order."""
    return json.dumps([csl_item(paper) for paper in papers], ensure_ascii=False, indent=1) + "\n"


def csl_item(paper: Paper) -> dict[str, Any]:
    """One paper as a CSL item. Unknown fields are left out."""
    genre, imprint = fields.genre_of(paper), paper.imprint
    preprint = genre == "preprint"
    date = [number for number in (paper.year, paper.month, paper.day) if number]
    values: dict[str, Any] = fields.known_values(
        {
            "id": paper.key,
            "type": _TYPES[genre][0],
            "title": paper.title,
            "title-short": paper.short,
            "author": [_person(name) for name in fields.authors_of(paper, others=True)],
            "editor": [_person(name) for name in imprint.editors],
            "issued": {"date-parts": [date]} if paper.year else {},
            "container-title": fields.container_of(paper),
            "collection-title": imprint.series,
            "volume": imprint.volume,
            "issue": fields.issue_of(paper),
            "number": f"arXiv:{paper.arxiv}" if preprint else "" if genre == "article" else imprint.number,
            "page": "-".join(page for page in fields.pages_of(paper) if page),
            "edition": imprint.edition,
            "genre": imprint.kind
            or {"mastersthesis": "Master's thesis", "phdthesis": "PhD thesis"}.get(paper.entry_type, ""),
            "publisher": fields.publisher_of(paper),
            "publisher-place": imprint.place,
            "archive": "arXiv" if paper.arxiv else "",
            "archive_location": paper.arxiv,
            "DOI": paper.doi,
            "URL": fields.url_of(paper),
            "ISBN": imprint.isbn,
            "ISSN": imprint.issn,
            "language": imprint.language,
            "note": imprint.note,
            "abstract": paper.abstract,
        }
    )
    return values


def _person(name: PersonName) -> dict[str, str]:
    if not name.first:
        return {"literal": name.full}
    return {"family": name.last, "given": name.first, "non-dropping-particle": name.von, "suffix": name.jr}


def ris(papers: Iterable[Paper]) -> str:
    """The papers as RIS, which Zotero, EndNote, Mendeley and library catalogues read, separated by empty lines."""
    records = ((*fields.known_lines(_fields(paper)), ("ER", "")) for paper in papers)
    return "\n".join("".join(f"{tag}  - {text}\n" for tag, text in record) for record in records)


def _fields(paper: Paper) -> Iterator[tuple[str, str]]:
    genre, imprint = fields.genre_of(paper), paper.imprint
    yield "TY", _TYPES[genre][1]
    yield "ID", paper.key
    for name in fields.authors_of(paper, others=True):
        yield "AU", fields.inverted(name)
    for name in imprint.editors:
        yield "A3" if genre == "book" else "A2", fields.inverted(name)
    yield "TI", paper.title
    yield "ST", paper.short
    yield "T2", imprint.series if genre == "book" else fields.container_of(paper)
    yield "T3", "" if genre == "book" else imprint.series
    yield "PY", str(paper.year or "")
    yield "DA", f"{paper.date_label.replace('-', '/')}{'/' * (2 if not paper.day else 1)}" if paper.month else ""
    yield "VL", imprint.volume
    yield "IS", imprint.number
    first, last = fields.pages_of(paper)
    yield "SP", first
    yield "EP", last
    yield "ET", imprint.edition
    yield "PB", fields.publisher_of(paper)
    yield "C1" if genre == "conference" else "CY", imprint.place
    yield "M3", imprint.kind
    yield "SN", imprint.issn or imprint.isbn
    yield "DO", paper.doi or ""
    yield "DB", "arXiv" if paper.arxiv else ""
    yield "AN", f"arXiv:{paper.arxiv}" if paper.arxiv else ""
    yield "UR", fields.url_of(paper)
    yield "L1", fields.pdf_of(paper)
    yield "LA", imprint.language
    yield "N1", imprint.note
    yield "AB", paper.abstract


class Format(Struct, frozen=True):
    """A format of bibliographies, with a file for the site, each topic and each note, linked on their pages."""

    suffix: str
    """The suffix of its files, without the leading dot."""
    name: str
    """The text of the links to its files."""
    write: Callable[[Iterable[Paper]], str]
    """Gives the whole file, with the papers in the given order."""
    readers: Text
    """The programs that read it, for the guide."""


FORMATS = (
    Format(
        "bib",
        "BibTeX",
        bibtex,
        Text.of(
            zh="LaTeX、JabRef 和一切 BibTeX 程序：就是你写的条目，只留公开的字段，`@string`、`#`、`crossref` 已经展开，"
            "每个条目都能单独用",
            en="LaTeX, JabRef, any BibTeX program: the entries as you wrote them, without fields that are not"
            " published, with strings, `#` and `crossref` resolved, so that each needs no other",
        ),
    ),
    Format(
        "csl.json",
        "CSL-JSON",
        csl_json,
        Text.of(zh="pandoc、Zotero 和各种引文处理程序", en="pandoc, Zotero, citation processors"),
    ),
    Format(
        "ris",
        "RIS",
        ris,
        Text.of(zh="Zotero、EndNote、Mendeley、图书馆系统", en="Zotero, EndNote, Mendeley, libraries"),
    ),
)
"""All formats, in the order of the links on pages."""
