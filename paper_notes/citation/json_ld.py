"""A note and its papers as JSON-LD of schema.org in the head of its page, for search engines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from paper_notes.citation.fields import Genre, authors_of, container_of, genre_of, known_values, pages_of
from paper_notes.corpus.model import Corpus, Note
from paper_notes.corpus.paper import Paper, PersonName

_TYPES: Mapping[Genre, str] = {
    "book": "Book",
    "thesis": "Thesis",
    "report": "Report",
    "dataset": "Dataset",
    "software": "SoftwareSourceCode",
    "webpage": "WebPage",
}
_CONTAINERS: Mapping[Genre, str] = {"article": "Periodical", "conference": "Book", "chapter": "Book"}
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Escapes for characters that could end the script element, or start another one."""


def json_ld(note: Note, cited: tuple[Paper, ...], corpus: Corpus, address: str) -> Markup:
    """The note in schema.org's terms, safe for a `<script type="application/ld+json">`.

    A note that reads papers is a Review of them, one that lists papers has them as its parts, any other is an Article.
    `cited` are the papers that it only cites; `address` is the page's address on the web, or empty.
    """
    site, read = corpus.site, [_scholarly(corpus.papers[key]) for key in note.papers]
    listed = [_scholarly(corpus.papers[entry.paper]) for entry in note.entries]
    first, *others = (note.title[lang] for lang in dict.fromkeys((site.default_language, *note.languages)))
    found: dict[str, Any] = {
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
        "citation": [_mentioned(paper) for paper in cited],
    }
    return Markup(json.dumps(known_values(found), ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES))


def _scholarly(paper: Paper) -> dict[str, Any]:
    first, last = pages_of(paper)
    ids = {"arXiv": paper.arxiv, "DOI": paper.doi}
    return {
        **_mentioned(paper),
        "author": [_agent(name, group=not paper.authors) for name in authors_of(paper)],
        "datePublished": paper.date_label,
        "isPartOf": _thing(_CONTAINERS.get(genre_of(paper), "CreativeWork"), container_of(paper)),
        "publisher": _thing("Organization", paper.imprint.publisher),
        "pageStart": first,
        "pageEnd": last,
        "identifier": [
            {"@type": "PropertyValue", "propertyID": name, "value": value} for name, value in ids.items() if value
        ],
        "abstract": paper.abstract,
    }


def _mentioned(paper: Paper) -> dict[str, Any]:
    places = [link.url for link in paper.links if link.label in ("arXiv", "DOI", "Link")]
    kind = _TYPES.get(genre_of(paper), "ScholarlyArticle")
    return {"@type": kind, "name": paper.title, "sameAs": places[0] if len(places) == 1 else places}


def _agent(name: PersonName, *, group: bool) -> dict[str, str]:
    if not name.first:
        return _thing("Organization" if group or " " in name.last else "Person", name.full)
    return {"@type": "Person", "name": name.full, "givenName": name.first, "familyName": name.surname}


def _thing(kind: str, name: str) -> dict[str, str]:
    return {"@type": kind, "name": name} if name else {}
