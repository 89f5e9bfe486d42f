"""A paper as `citation_*` metadata in the head of a note's page.

The Highwire names are those that Google Scholar's guidelines and Zotero's "Embedded Metadata" translator know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paper_notes.citation import fields
from paper_notes.corpus.paper import Paper, PersonName
from paper_notes.identifiers import arxiv_url


def highwire(paper: Paper, keywords: Iterable[str] = ()) -> tuple[tuple[str, str], ...]:
    """Name and content of the `meta` elements of a paper. Unknown ones are left out."""
    every = (*_fields(paper), *(("keywords", word) for word in keywords))
    return tuple((f"citation_{name}", text) for name, text in fields.known_lines(every))


def _fields(paper: Paper) -> Iterator[tuple[str, str]]:
    genre, imprint = fields.genre_of(paper), paper.imprint
    yield "title", paper.title
    for name in fields.authors_of(paper):
        yield "author", _unmistakable(name)
    yield "publication_date", paper.date_label.replace("-", "/")
    where = {"article": "journal_title", "conference": "conference_title", "chapter": "book_title"}.get(genre)
    yield where or "journal_title", fields.container_of(paper) if where else ""
    institution = {"thesis": "dissertation_institution", "report": "technical_report_institution"}.get(genre)
    yield institution or "publisher", imprint.publisher
    yield "technical_report_number", imprint.number if genre == "report" else ""
    yield "series_title", imprint.series
    yield "volume", imprint.volume
    yield "issue", fields.issue_of(paper)
    first, last = fields.pages_of(paper)
    yield "firstpage", first
    yield "lastpage", last
    yield "issn", imprint.issn
    yield "isbn", imprint.isbn
    yield "doi", paper.doi or ""
    yield "arxiv_id", paper.arxiv or ""
    yield "language", imprint.language
    yield "public_url", fields.url_of(paper)
    yield "abstract_html_url", arxiv_url(paper.arxiv) if paper.arxiv else ""
    yield "pdf_url", fields.pdf_of(paper)
    yield "abstract", paper.abstract


def _unmistakable(name: PersonName) -> str:
    """`Last, First`, but `First Last` if both have a space: Zotero would read that comma as one between people."""
    return name.full if " " in name.surname and " " in name.first else fields.inverted(name)
