"""DataCite, which has a record of every arXiv paper: used while arXiv cannot be reached.

Its records are described in https://support.datacite.org/docs/api-get-doi; they lack comments and journal references.
"""

from __future__ import annotations

import re

from paper_notes.corpus.paper import PersonName
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.draft import Draft, person_name
from paper_notes.features.papers.records import day_of, json_of, mapping, mappings, plain, text
from paper_notes.features.papers.request import Request, Response, Service
from paper_notes.features.papers.web import Web
from paper_notes.sources.characters import one_line

DATACITE = Service("DataCite", "https://api.datacite.org/dois", "PAPER_NOTES_DATACITE_URL")


def ask(web: Web, known: Draft, service: Service = DATACITE) -> Draft:
    """The facts of a paper on arXiv from DataCite; `known` is its offline draft. Raises UserError."""
    request = Request(service, f"/10.48550/arxiv.{known.arxiv}", accept="application/vnd.api+json, application/json")
    return web.ask(request, lambda response: _draft(_record(response, known), known))


def _record(response: Response, known: Draft) -> dict[str, object]:
    service = response.request.service
    missing = UserError(f"DataCite does not know arXiv:{known.arxiv}", service.hint("check the id"))
    record = mapping(mapping(json_of(response, missing).get("data")).get("attributes"))
    doi = f"{record.get('doi')}".lower()
    if doi != f"10.48550/arxiv.{known.arxiv}".lower():
        other = f"with {one_line(doi)}" if record.get("doi") else "without a DOI"
        raise UserError(f"DataCite was asked for arXiv:{known.arxiv} and answered {other}", service.hint())
    if not _title(record):
        raise UserError(f"DataCite's record of arXiv:{known.arxiv} has no title", service.hint())
    return record


def _title(record: dict[str, object]) -> str:
    return next((plain(title, "title") for title in mappings(record.get("titles"))), "")


def _draft(record: dict[str, object], known: Draft) -> Draft:
    dates = [
        (text(date.get("dateType")), text(date.get("dateInformation")), day)
        for date in mappings(record.get("dates"))
        if (day := day_of(text(date.get("date"))))
    ]
    published = next((day for kind, _, day in dates if kind == "Submitted"), None)
    newest = re.fullmatch(r"v?([1-9][0-9]?)", text(record.get("version")))
    version = known.version or (int(newest[1]) if newest else None)
    subjects = "; ".join(text(subject.get("subject")) for subject in mappings(record.get("subjects")))
    primary = re.search(r"\(([a-z-]+(?:\.[A-Za-z-]+)?)\)", subjects)
    return Draft(
        source="datacite",
        arxiv=known.arxiv,
        version=version,
        year=published.year if published else known.year,
        month=published.month if published else known.month,
        title=_title(record),
        authors=tuple(filter(None, map(_name, mappings(record.get("creators"))))),
        updated=next((day for _, words, day in dates if words == f"v{version}"), None),
        abstract=next(filter(None, map(_abstract, mappings(record.get("descriptions")))), ""),
        primary_class=primary[1] if primary else "",
    )


def _abstract(description: dict[str, object]) -> str:
    return one_line(text(description.get("description"))) if description.get("descriptionType") == "Abstract" else ""


def _name(creator: dict[str, object]) -> PersonName | None:
    family, given = (plain(creator, part) for part in ("familyName", "givenName"))
    name = plain(creator, "name")
    if creator.get("nameType") == "Organizational":
        return PersonName(last=name) if name else None
    if family and given:
        return person_name(f"{given} {family}") if " " in family else PersonName(given, "", family)
    last, _, first = name.partition(", ")
    return person_name(f"{first} {last}".strip())
