"""Papers as CSL-JSON 1.0.2: what Zotero, pandoc and all citation processors read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from paper_notes.corpus.paper import Paper, PersonName
from paper_notes.corpus.published import Genre, container_of, genre_of, pages_of, url_of

_TYPES: Mapping[Genre, str] = {
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

Value = str | list[dict[str, str]] | dict[str, list[list[int]]]


def csl_json(papers: Iterable[Paper]) -> str:
    """The papers as a JSON array in the given order."""
    return json.dumps([csl_item(paper) for paper in papers], ensure_ascii=False, indent=1) + "\n"


def csl_item(paper: Paper) -> dict[str, Value]:
    """One paper. What is unknown is left out."""
    genre, imprint = genre_of(paper), paper.imprint
    preprint = genre == "preprint"
    found: dict[str, Value] = {
        "id": paper.key,
        "type": _TYPES[genre],
        "title": paper.title,
        "author": _people(paper.authors, paper.more_authors) or ([{"literal": paper.team}] if paper.team else []),
        "editor": _people(imprint.editors, False),
        "issued": _date(paper),
        "container-title": container_of(paper),
        "collection-title": imprint.series,
        "volume": imprint.volume,
        "issue": imprint.number if genre == "article" else "",
        "number": f"arXiv:{paper.arxiv}" if preprint else "" if genre == "article" else imprint.number,
        "page": "-".join(page for page in pages_of(paper) if page),
        "edition": imprint.edition,
        "genre": imprint.kind
        or {"mastersthesis": "Master's thesis", "phdthesis": "PhD thesis"}.get(paper.entry_type, ""),
        "publisher": imprint.publisher or ("arXiv" if preprint else ""),
        "publisher-place": imprint.place,
        "archive": "arXiv" if paper.arxiv else "",
        "archive_location": paper.arxiv or "",
        "DOI": paper.doi or "",
        "URL": url_of(paper),
        "ISBN": imprint.isbn,
        "ISSN": imprint.issn,
        "language": imprint.language,
        "note": imprint.note,
        "abstract": paper.abstract,
    }
    return {name: value for name, value in found.items() if value}


def _people(names: tuple[PersonName, ...], more: bool) -> list[dict[str, str]]:
    """Names in CSL's parts. `and others` is a literal name, as pandoc writes it, and reads it as et al."""
    return [_person(name) for name in names] + ([{"literal": "others"}] if more else [])


def _person(name: PersonName) -> dict[str, str]:
    if not name.first:
        return {"literal": name.full}
    parts = {"family": name.last, "given": name.first, "non-dropping-particle": name.von, "suffix": name.jr}
    return {part: text for part, text in parts.items() if text}


def _date(paper: Paper) -> dict[str, list[list[int]]]:
    parts = [number for number in (paper.year, paper.month, paper.day) if number]
    return {"date-parts": [parts]} if paper.year else {}
