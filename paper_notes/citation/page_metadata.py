"""A paper in the source of a page: what Zotero, Google Scholar and search engines read there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from paper_notes.citation import fields
from paper_notes.corpus.model import Corpus, Note
from paper_notes.corpus.paper import Paper, PersonName
from paper_notes.identifiers import arxiv_url

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


@lru_cache(maxsize=20_000)
def context_object(paper: Paper) -> str:
    """A paper as an OpenURL ContextObject (COinS), for the `title` of an empty `<span class="Z3988">` on a list page.

    Keys and percent-encoded values, joined by `&`, not yet escaped for HTML. Zotero prefers these to the metadata in a
    page's head, so a note's page has them only if the note has no papers. Keys are those of the formats journal, book
    and dissertation; all else is `dc`, with Zotero's name of the type. Cached: several lists show each paper, and
    `serve` makes them again and again.
    """
    return "&".join(f"{key}={quote(text, safe='')}" for key, text in fields.known_lines(_coins_fields(paper)))


def _coins_fields(paper: Paper) -> Iterator[tuple[str, str]]:
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


def highwire(paper: Paper, keywords: Iterable[str] = ()) -> tuple[tuple[str, str], ...]:
    """Name and content of the `citation_*` metadata in the head of a note's page. Unknown ones are left out.

    The Highwire names are those that Google Scholar's guidelines and Zotero's "Embedded Metadata" translator know.
    """
    every = (*_highwire_fields(paper), *(("keywords", word) for word in keywords))
    return tuple((f"citation_{name}", text) for name, text in fields.known_lines(every))


def _highwire_fields(paper: Paper) -> Iterator[tuple[str, str]]:
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


_TYPES: Mapping[fields.Genre, str] = {
    "book": "Book",
    "thesis": "Thesis",
    "report": "Report",
    "dataset": "Dataset",
    "software": "SoftwareSourceCode",
    "webpage": "WebPage",
}
_CONTAINERS: Mapping[fields.Genre, str] = {"article": "Periodical", "conference": "Book", "chapter": "Book"}
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Escapes for characters that could end the script element, or start another one."""


def json_ld(note: Note, cited: tuple[Paper, ...], corpus: Corpus, address: str) -> Markup:
    """The note as JSON-LD of schema.org, for search engines, safe for a `<script type="application/ld+json">`.

    A note that reads papers is a Review of them, one that lists papers has them as its parts, any other is an Article.
    `cited` are the papers that it only cites; `address` is the page's address on the web, or empty.
    """
    site, read = corpus.site, [_scholarly(corpus.papers[key]) for key in note.papers]
    listed = [_scholarly(corpus.papers[entry.paper]) for entry in note.entries]
    first, *others = (note.title[lang] for lang in dict.fromkeys((site.default_language, *note.languages)))
    properties: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Review" if read else "CollectionPage" if listed else "Article",
        "headline": first,
        "alternativeHeadline": [title for title in others if title != first],
        "inLanguage": [site.words[lang].html for lang in note.languages],
        "description": note.summary[site.default_language] if note.summary else "",
        "keywords": list(dict.fromkeys((*note.tags, *note.keywords))),
        "dateCreated": note.created.isoformat() if note.created else "",
        "dateModified": note.updated.isoformat() if note.updated else "",
        "url": address,
        "isPartOf": {"@type": "WebSite", "name": site.title[site.default_language], "url": site.base_url or ""},
        "itemReviewed": read[0] if len(read) == 1 else read,
        "reviewRating": {"@type": "Rating", "ratingValue": note.rating, "bestRating": 5} if note.rating else "",
        "hasPart": listed,
        "citation": [next(_addresses(paper), paper.title) for paper in cited],
    }
    return Markup(
        json.dumps(fields.known_values(properties), ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)
    )


def _scholarly(paper: Paper) -> dict[str, Any]:
    first, last = fields.pages_of(paper)
    ids = {"arXiv": paper.arxiv, "DOI": paper.doi}
    places = list(_addresses(paper))
    return {
        "@type": _TYPES.get(fields.genre_of(paper), "ScholarlyArticle"),
        "name": paper.title,
        "sameAs": places[0] if len(places) == 1 else places,
        "author": [_agent(name, group=not paper.authors) for name in fields.authors_of(paper)],
        "datePublished": paper.date_label,
        "isPartOf": _thing(_CONTAINERS.get(fields.genre_of(paper), "CreativeWork"), fields.container_of(paper)),
        "publisher": _thing("Organization", paper.imprint.publisher),
        "pageStart": first,
        "pageEnd": last,
        "identifier": [
            {"@type": "PropertyValue", "propertyID": name, "value": value} for name, value in ids.items() if value
        ],
        "abstract": paper.abstract,
    }


def _addresses(paper: Paper) -> Iterator[str]:
    return (link.url for link in paper.links if link.label in ("arXiv", "DOI", "Link"))


def _agent(name: PersonName, *, group: bool) -> dict[str, str]:
    person = name.first or not (group or " " in name.last)
    return _thing("Person" if person else "Organization", name.full)


def _thing(kind: str, name: str) -> dict[str, str]:
    return {"@type": kind, "name": name} if name else {}
