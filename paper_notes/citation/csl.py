"""Papers as CSL-JSON 1.0.2, which Zotero, pandoc and all citation processors read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from paper_notes.citation import fields
from paper_notes.corpus.paper import Paper, PersonName

_TYPES: Mapping[fields.Genre, str] = {
    "article": "article-journal",
    "preprint": "article",
    "conference": "paper-conference",
    "chapter": "chapter",
    "book": "book",
    "thesis": "thesis",
    "report": "report",
    "dataset": "dataset",
    "software": "software",
    "webpage": "webpage",
    "other": "document",
}


def csl_json(papers: Iterable[Paper]) -> str:
    """The papers as a JSON array in the given order."""
    return json.dumps([csl_item(paper) for paper in papers], ensure_ascii=False, indent=1) + "\n"


def csl_item(paper: Paper) -> dict[str, Any]:
    """One paper as a CSL item. Unknown fields are left out."""
    genre, imprint = fields.genre_of(paper), paper.imprint
    preprint = genre == "preprint"
    date = [number for number in (paper.year, paper.month, paper.day) if number]
    item: dict[str, Any] = fields.known_values(
        {
            "id": paper.key,
            "type": _TYPES[genre],
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
    return item


def _person(name: PersonName) -> dict[str, str]:
    if not name.first:
        return {"literal": name.full}
    return {"family": name.last, "given": name.first, "non-dropping-particle": name.von, "suffix": name.jr}
