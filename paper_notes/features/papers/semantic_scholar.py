"""Semantic Scholar: its ids and addresses. What arXiv or a DOI's agency know of the paper is preferred.

https://api.semanticscholar.org/api-docs/graph describes the API.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.doi import parse_doi, registered
from paper_notes.features.papers.draft import Draft, person_name
from paper_notes.features.papers.importer import Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.records import json_of, mapping, mappings, plain, text, without_markup, year_and_month
from paper_notes.features.papers.request import Request, Response, Service
from paper_notes.identifiers import parse_arxiv
from paper_notes.patterns import regex

SEMANTIC_SCHOLAR = Service(
    "Semantic Scholar",
    "https://api.semanticscholar.org/graph/v1/paper",
    "PAPER_NOTES_SEMANTIC_SCHOLAR_URL",
    interval=1.0,
)
_FIELDS = "title,authors,year,venue,publicationDate,publicationTypes,externalIds,abstract,journal"
_HASH = r"(?P<hash>[0-9a-f]{40})"
_CORPUS = r"(?P<corpus>[0-9]{1,15})"
_PAPER = regex(
    rf"(?:(?:https?://)?(?:www\.)?semanticscholar\.org/paper/(?:[^\s/?#]+/)?|s2:\s*)?{_HASH}(?:[/?#]\S*)?"
    rf"|(?:(?:https?://)?(?:api|www)\.semanticscholar\.org/)?CorpusID:\s*{_CORPUS}(?:[?#]\S*)?",
    re.ASCII | re.IGNORECASE,
)


def recognise(text: str, keys: Container[BibKey]) -> PaperReference[str] | None:
    """A paper by its address, its hash of 40 digits, or its number, as in `CorpusID:13756489`."""
    match = _PAPER.fullmatch(text)
    if match is None:
        return None
    if number := match["corpus"]:
        address = f"https://api.semanticscholar.org/CorpusID:{number}"
        return PaperReference(f"CorpusId:{number}", Draft("id", fields={"url": address}))
    paper = match["hash"].lower()
    return PaperReference(paper, Draft("id", fields={"url": f"https://www.semanticscholar.org/paper/{paper}"}))


def fetch(reference: PaperReference[str], services: Services) -> Fetched:
    """The facts from where Semantic Scholar knows the paper to be registered, or else its own."""
    if services.web is None:
        return Fetched(reference.draft)
    services.say(f"Asking Semantic Scholar for {reference.id} ...")
    request = Request(SEMANTIC_SCHOLAR, f"/{reference.id}", query={"fields": _FIELDS}, accept="application/json")
    address = reference.draft.fields["url"]
    own = services.web.ask(request, lambda response: paper_of(response, reference.id, address))
    return Fetched(registered(own, services, "Semantic Scholar"))


def paper_of(response: Response, paper: str, address: str) -> Draft:
    """The paper in an answer. Raises UserError."""
    record = json_of(response, UserError(f"Semantic Scholar has no paper {paper}", f"check it at {address}"))
    title = plain(record, "title")
    if not title:
        raise UserError(f"Semantic Scholar's record of {paper} has no title", response.request.service.hint())
    ids = mapping(record.get("externalIds"))
    arxiv, _ = parse_arxiv(text(ids.get("ArXiv"))) or (None, None)
    year, (published, month) = record.get("year"), year_and_month(text(record.get("publicationDate")))
    kind, fields = _venue(record)
    authors = (person_name(plain(author, "name")) for author in mappings(record.get("authors")))
    return Draft(
        source="semanticscholar",
        arxiv=arxiv,
        year=year if isinstance(year, int) else None,
        month=month if published == year else None,
        title=title,
        authors=tuple(filter(None, authors)),
        abstract=plain(record, "abstract"),
        doi=parse_doi(text(ids.get("DOI"))),
        entry_type=kind,
        fields={**fields, "url": address},
    )


def _venue(record: Mapping[str, object]) -> tuple[str, dict[str, str]]:
    """BibTeX's entry type, and its fields about the venue."""
    journal = mapping(record.get("journal"))
    venue = without_markup(text(record.get("venue")) or text(journal.get("name")))
    kinds = record.get("publicationTypes")
    if not venue or venue.lower() in ("arxiv.org", "corr"):
        return "misc", {}
    if isinstance(kinds, list) and "Conference" in kinds:
        return "inproceedings", {"booktitle": venue}
    volume, pages = (plain(journal, name) for name in ("volume", "pages"))
    return "article", {"journal": venue, "volume": volume, "pages": re.sub(r"\s*[-–]+\s*", "--", pages)}


IMPORTER = Importer(
    recognise,
    fetch,
    form="an address at Semantic Scholar or CorpusID:13756489",
    help=(("CorpusID:13756489", "a paper at Semantic Scholar, or its address there"),),
)
