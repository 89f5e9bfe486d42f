"""DataCite, which has a record of every arXiv paper: who to ask while arXiv cannot be reached.

Its records are described in https://support.datacite.org/docs/api-get-doi; they lack comments and journal references.
"""

from __future__ import annotations

import datetime
import re

from paper_notes.corpus.paper import PersonName
from paper_notes.diagnostics import UserError
from paper_notes.draft import Draft, person_name
from paper_notes.importers.arxiv import ArxivReference, offline_draft
from paper_notes.importers.markup import without_markup
from paper_notes.importers.records import json_of, mapping, mappings, text
from paper_notes.importers.web import Answer, Question, Service, Web
from paper_notes.sources.characters import one_line

DATACITE = Service(
    name="DataCite",
    home="datacite.org",
    url="https://api.datacite.org/dois",
    variable="PAPER_NOTES_DATACITE_URL",
    instead="with --offline the note is made without it, to be filled in later",
)


def fetch(web: Web, reference: ArxivReference, service: Service = DATACITE) -> Draft:
    """What DataCite knows of a paper on arXiv. Raises UserError."""
    question = Question(service, f"/10.48550/arxiv.{reference.id}", accept="application/vnd.api+json, application/json")
    return web.ask(question, lambda answer: _draft(_record(answer, reference), reference))


def _record(answer: Answer, reference: ArxivReference) -> dict[str, object]:
    service = answer.question.service
    if answer.status == 404:
        raise UserError(f"DataCite does not know arXiv:{reference.id}", service.hint("check the id"))
    if answer.status != 200:
        raise answer.refused()
    record = mapping(mapping(json_of(answer).get("data")).get("attributes"))
    doi = f"{record.get('doi')}".lower()
    if doi != f"10.48550/arxiv.{reference.id}".lower():
        other = f"with {one_line(doi)}" if record.get("doi") else "without a DOI"
        raise UserError(f"DataCite was asked for arXiv:{reference.id} and answered {other}", service.hint())
    if not _title(record):
        raise UserError(f"DataCite's record of arXiv:{reference.id} has no title", service.hint())
    return record


def _title(record: dict[str, object]) -> str:
    return next((without_markup(text(title.get("title"))) for title in mappings(record.get("titles"))), "")


def _draft(record: dict[str, object], reference: ArxivReference) -> Draft:
    known = offline_draft(reference)
    dates = [
        (text(date.get("dateType")), text(date.get("dateInformation")), day)
        for date in mappings(record.get("dates"))
        if (day := _date(text(date.get("date"))))
    ]
    published = next((day for kind, _, day in dates if kind == "Submitted"), None)
    newest = re.fullmatch(r"v?([1-9][0-9]?)", text(record.get("version")))
    version = reference.version or (int(newest[1]) if newest else None)
    subjects = "; ".join(text(subject.get("subject")) for subject in mappings(record.get("subjects")))
    primary = re.search(r"\(([a-z-]+(?:\.[A-Za-z-]+)?)\)", subjects)
    names = (_name(creator) for creator in mappings(record.get("creators")))
    return Draft(
        source="datacite",
        arxiv=known.arxiv,
        version=version,
        year=published.year if published else known.year,
        month=published.month if published else known.month,
        title=_title(record),
        authors=tuple(name for name in names if name),
        published=published,
        updated=next((day for _, words, day in dates if words == f"v{version}"), None),
        abstract=next(filter(None, map(_abstract, mappings(record.get("descriptions")))), ""),
        primary_class=primary[1] if primary else "",
    )


def _abstract(description: dict[str, object]) -> str:
    return one_line(text(description.get("description"))) if description.get("descriptionType") == "Abstract" else ""


def _name(creator: dict[str, object]) -> PersonName | None:
    family, given = (without_markup(text(creator.get(part))) for part in ("familyName", "givenName"))
    name = without_markup(text(creator.get("name")))
    if creator.get("nameType") == "Organizational":
        return PersonName(last=name) if name else None
    if family and given:
        return person_name(f"{given} {family}") if " " in family else PersonName(given, "", family)
    last, _, first = name.partition(", ")
    return person_name(f"{first} {last}".strip())


def _date(value: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(value[:10])
    except ValueError:
        return None
