"""COinS: a paper as an OpenURL ContextObject, for the `title` of an empty `<span class="Z3988">` on a list page.

Zotero prefers these to the metadata in a page's head, so they are on pages that list papers, and on a note's page
only if the note has no papers. Keys are those of the formats journal, book and dissertation; all else is `dc`, with
Zotero's name of the type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from paper_notes.citation import fields
from paper_notes.corpus.paper import Paper

_FORMATS: Mapping[fields.Genre, tuple[str, str]] = {
    "article": ("journal", "article"),
    "conference": ("book", "proceeding"),
    "chapter": ("book", "bookitem"),
    "book": ("book", "book"),
    "report": ("book", "report"),
    "thesis": ("dissertation", ""),
}
_ZOTERO: Mapping[fields.Genre, str] = {
    "preprint": "preprint",
    "dataset": "dataset",
    "software": "computerProgram",
    "webpage": "webpage",
}


def context_object(paper: Paper) -> str:
    """Keys and percent-encoded values, joined by `&`, not yet escaped for HTML."""
    return "&".join(f"{key}={quote(text, safe='')}" for key, text in fields.known_lines(_fields(paper)))


def _fields(paper: Paper) -> Iterator[tuple[str, str]]:
    genre, imprint = fields.genre_of(paper), paper.imprint
    form, kind = _FORMATS.get(genre, ("dc", ""))
    yield "ctx_ver", "Z39.88-2004"
    yield "rft_val_fmt", f"info:ofi/fmt:kev:mtx:{form}"
    yield "rft.genre", kind
    yield "rft.type", _ZOTERO.get(genre, "document") if form == "dc" else ""
    inside = genre in ("article", "conference", "chapter")
    yield "rft.atitle" if inside else "rft.btitle" if form == "book" else "rft.title", paper.title
    yield "rft.jtitle" if form == "journal" else "rft.btitle", fields.container_of(paper) if inside else ""
    for name in fields.authors_of(paper):
        yield "rft.creator" if form == "dc" else "rft.au" if name.first else "rft.aucorp", fields.inverted(name)
    yield "rft.date", paper.date_label
    yield "rft.inst" if form == "dissertation" else "rft.pub", imprint.publisher
    yield "rft.place", imprint.place
    yield "rft.series", imprint.series
    yield "rft.edition", imprint.edition
    yield "rft.volume", imprint.volume
    yield "rft.issue", fields.issue_of(paper)
    first, last = fields.pages_of(paper)
    yield "rft.spage", first
    yield "rft.epage", last
    yield "rft.issn", imprint.issn
    yield "rft.isbn", imprint.isbn
    yield "rft.language", imprint.language if form == "dc" else ""
    yield "rft_id", f"info:doi/{paper.doi}" if paper.doi else ""
    yield "rft_id", fields.url_of(paper)
