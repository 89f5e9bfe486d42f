"""What a note's page tells programs: Highwire `citation_*` elements of its paper, and JSON-LD about note and papers.

The Highwire names are those that Google Scholar's guidelines and Zotero's "Embedded Metadata" translator know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from paper_notes.corpus.model import Corpus, Lang, Note
from paper_notes.corpus.paper import Paper, PersonName
from paper_notes.corpus.published import container_of, genre_of, inverted, pages_of, pdf_of, url_of

TAGS: dict[Lang, str] = {"zh": "zh-CN", "en": "en"}
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""JSON without what could end its element, or start another one."""


def highwire(paper: Paper) -> tuple[tuple[str, str], ...]:
    """Name and content of the `meta` elements of a paper. What is unknown is left out."""
    return tuple((f"citation_{name}", " ".join(text.split())) for name, text in _highwire(paper) if text.strip())


def _highwire(paper: Paper) -> Iterator[tuple[str, str]]:
    genre, imprint = genre_of(paper), paper.imprint
    yield "title", paper.title
    for name in paper.authors:
        yield "author", _unmistakable(name)
    yield "author", "" if paper.authors else paper.team
    yield "publication_date", paper.date_label.replace("-", "/")
    where = {"article": "journal_title", "conference": "conference_title", "chapter": "book_title"}.get(genre)
    yield where or "journal_title", container_of(paper) if where else ""
    institution = {"thesis": "dissertation_institution", "report": "technical_report_institution"}.get(genre)
    yield institution or "publisher", imprint.publisher
    yield "technical_report_number", imprint.number if genre == "report" else ""
    yield "series_title", imprint.series
    yield "volume", imprint.volume
    yield "issue", imprint.number if genre == "article" else ""
    first, last = pages_of(paper)
    yield "firstpage", first
    yield "lastpage", last
    yield "issn", imprint.issn
    yield "isbn", imprint.isbn
    yield "doi", paper.doi or ""
    yield "arxiv_id", paper.arxiv or ""
    yield "language", imprint.language
    yield "public_url", url_of(paper)
    yield "abstract_html_url", f"https://arxiv.org/abs/{paper.arxiv}" if paper.arxiv else ""
    yield "pdf_url", pdf_of(paper)
    yield "abstract", paper.abstract


def _unmistakable(name: PersonName) -> str:
    """`Last, First`, but `First Last` where both have a space: Zotero would take that comma for one between people."""
    family = f"{name.von} {name.last}".strip()
    return name.full if " " in family and " " in name.first else inverted(name)


def json_ld(note: Note, cited: tuple[Paper, ...], corpus: Corpus, address: str) -> Markup:
    """The note as schema.org has it, ready to stand in a `<script type="application/ld+json">`.

    A note that reads papers is a Review of them, any other an Article. `cited` are the papers that it only cites;
    `address` is the page's address on the web, or empty.
    """
    site, read = corpus.site, [_scholarly(corpus.papers[key]) for key in note.papers]
    first, *others = (note.title[lang] for lang in dict.fromkeys((site.default_language, *note.languages)))
    found: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Review" if read else "Article",
        "headline": first,
        "alternativeHeadline": [title for title in others if title != first],
        "inLanguage": [TAGS[lang] for lang in note.languages],
        "description": note.summary[site.default_language] if note.summary else "",
        "keywords": list(note.tags),
        "dateCreated": note.created.isoformat() if note.created else "",
        "dateModified": note.updated.isoformat() if note.updated else "",
        "url": address,
        "isPartOf": {"@type": "WebSite", "name": site.title[site.default_language], "url": site.base_url or ""},
        "itemReviewed": read[0] if len(read) == 1 else read,
        "reviewRating": {"@type": "Rating", "ratingValue": note.rating, "bestRating": 5} if note.rating else "",
        "citation": [_mentioned(paper) for paper in cited],
    }
    return Markup(json.dumps(_known(found), ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES))


def _scholarly(paper: Paper) -> dict[str, Any]:
    first, last = pages_of(paper)
    container = container_of(paper)
    kind = {"article": "Periodical", "conference": "Book", "chapter": "Book"}.get(genre_of(paper), "CreativeWork")
    ids = {"arXiv": paper.arxiv or "", "DOI": paper.doi or ""}
    return {
        **_mentioned(paper),
        "author": [_agent(name) for name in paper.authors]
        or ([{"@type": "Organization", "name": paper.team}] if paper.team else []),
        "datePublished": paper.date_label,
        "isPartOf": {"@type": kind, "name": container} if container else "",
        "publisher": {"@type": "Organization", "name": paper.imprint.publisher} if paper.imprint.publisher else "",
        "pageStart": first,
        "pageEnd": last,
        "identifier": [
            {"@type": "PropertyValue", "propertyID": name, "value": value} for name, value in ids.items() if value
        ],
        "abstract": paper.abstract,
    }


_TYPES = {"book": "Book", "thesis": "Thesis", "report": "Report", "dataset": "Dataset", "webpage": "WebPage"} | {
    "software": "SoftwareSourceCode"
}


def _mentioned(paper: Paper) -> dict[str, Any]:
    places = [link.url for link in paper.links if link.label in ("arXiv", "DOI", "Link")]
    kind = _TYPES.get(genre_of(paper), "ScholarlyArticle")
    return {"@type": kind, "name": paper.title, "sameAs": places[0] if len(places) == 1 else places}


def _agent(name: PersonName) -> dict[str, Any]:
    if not name.first:
        return {"@type": "Organization" if " " in name.last else "Person", "name": name.full}
    family = f"{name.von} {name.last}".strip()
    return {"@type": "Person", "name": name.full, "givenName": name.first, "familyName": family}


def _known(value: Any) -> Any:
    """Without what is empty, at any depth."""
    if isinstance(value, dict):
        return {name: _known(inner) for name, inner in value.items() if inner not in ("", [], None)}
    return [_known(inner) for inner in value] if isinstance(value, list) else value
