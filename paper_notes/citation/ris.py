"""Papers as RIS, which Zotero, EndNote, Mendeley and library catalogues read. Tags follow Zotero's mapping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from paper_notes.citation import fields
from paper_notes.corpus.paper import Paper

_TYPES: Mapping[fields.Genre, str] = {
    "article": "JOUR",
    "preprint": "UNPB",
    "conference": "CONF",
    "chapter": "CHAP",
    "book": "BOOK",
    "thesis": "THES",
    "report": "RPRT",
    "dataset": "DATA",
    "software": "COMP",
    "webpage": "ELEC",
    "other": "GEN",
}


def ris(papers: Iterable[Paper]) -> str:
    """The papers in the given order, separated by empty lines."""
    return "\n".join(_record(paper) for paper in papers)


def _record(paper: Paper) -> str:
    return "".join(f"{tag}  - {text}\n" for tag, text in (*fields.known_lines(_fields(paper)), ("ER", "")))


def _fields(paper: Paper) -> Iterator[tuple[str, str]]:
    genre, imprint = fields.genre_of(paper), paper.imprint
    yield "TY", _TYPES[genre]
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
