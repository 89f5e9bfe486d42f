"""OpenReview: papers by the address of their forum or PDF, from its API of either version, or else from the page.

https://docs.openreview.net/reference/api-v2 describes the API: in version 2 each field of a note's content is an
object with a `value`; papers before 2023 are often in version 1 only, where it is the value itself.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Container, Mapping
from pathlib import PurePosixPath

from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.paper import BibKey, PersonName
from paper_notes.diagnostics import UserError
from paper_notes.features.papers import page
from paper_notes.features.papers.draft import Draft, person_name
from paper_notes.features.papers.importer import Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.records import json_of, mapping, mappings, plain, text, without_markup
from paper_notes.features.papers.request import Request, Response, Service
from paper_notes.features.papers.web import Web
from paper_notes.patterns import regex
from paper_notes.sources.bibtex import parse_bibtex
from paper_notes.sources.tree import Source

V2 = Service("OpenReview", "https://api2.openreview.net/notes", "PAPER_NOTES_OPENREVIEW_URL", interval=0.5)
V1 = Service(
    "OpenReview's older API", "https://api.openreview.net/notes", "PAPER_NOTES_OPENREVIEW_V1_URL", interval=0.5
)
_FORUM = regex(
    r"(?:(?:https?://)?(?:www\.)?openreview\.net/(?:forum|pdf|attachment|references/pdf|revisions)\?(?:[^\s#]*&)?id="
    r"|openreview:\s*)(?P<id>[\w-]{5,40})(?:[&#]\S*)?",
    re.ASCII | re.IGNORECASE,
)


def recognise(text: str, keys: Container[BibKey]) -> PaperReference[str] | None:
    """A paper by the address of its forum or its PDF."""
    match = _FORUM.fullmatch(text)
    return PaperReference(match["id"], Draft("id", fields={"url": _address(match["id"])})) if match else None


def _address(forum: str) -> str:
    return f"https://openreview.net/forum?id={forum}"


def fetch(reference: PaperReference[str], services: Services) -> Fetched:
    """The facts from the newer API; from the older one, or from the page, if the paper is not to be had there."""
    if services.web is None:
        return Fetched(reference.draft)
    services.say(f"Asking OpenReview for {reference.id} ...")
    first: UserError | None = None
    for service in (V2, V1):
        try:
            return Fetched(ask(services.web, reference.id, service))
        except UserError as problem:
            services.say(f"{problem.message}. Asking elsewhere ...")
            first = first or problem
    try:
        return Fetched(page.look_up(_address(reference.id), services))
    except UserError as problem:
        raise first or problem from problem


def ask(web: Web, forum: str, service: Service) -> Draft:
    """Ask one version of the API. Raises UserError."""
    request = Request(service, query={"id": forum}, accept="application/json")
    return web.ask(request, lambda response: paper_of(response, forum))


def paper_of(response: Response, forum: str) -> Draft:
    """The paper in an answer. Raises UserError."""
    missing = UserError(f"{response.request.service.name} has no paper {forum}", f"check it at {_address(forum)}")
    notes = mappings(json_of(response, missing).get("notes")) if response.status != 400 else []
    note = next((note for note in notes if note.get("id") == forum), None)
    if note is None:
        raise missing
    content = {name: _value(value) for name, value in mapping(note.get("content")).items()}
    title = plain(content, "title")
    if not title or note.get("forum", forum) != forum:
        hint = "give the address of the paper's own forum"
        raise UserError(f"{forum} at OpenReview is a review or a comment, not a paper", hint)
    venue, year = _published(text(content.get("_bibtex")))
    shown_venue = plain(content, "venue")
    return Draft(
        source="openreview",
        year=year or _year(note, shown_venue),
        title=title,
        authors=_authors(content.get("authors")),
        abstract=plain(content, "abstract"),
        entry_type="inproceedings" if venue else "misc",
        fields={
            "url": _address(forum),
            **({"booktitle": venue} if venue else {"howpublished": shown_venue} if shown_venue else {}),
        },
    )


def _value(value: object) -> object:
    return value.get("value") if isinstance(value, dict) else value


def _authors(value: object) -> tuple[PersonName, ...]:
    names = [name for name in value if isinstance(name, str)] if isinstance(value, list) else []
    return tuple(name for name in map(person_name, map(without_markup, names)) if name and name.last != "Anonymous")


def _published(entry: str) -> tuple[str, int | None]:
    """The proceedings and the year in the entry that OpenReview proposes."""
    entries, _ = parse_bibtex(Source(PurePosixPath("openreview.bib"), entry.encode("utf-8", "replace")))
    return next(((paper.imprint.book, paper.year) for paper in papers_from(entries)[0].values()), ("", None))


def _year(note: Mapping[str, object], venue: str) -> int | None:
    """The year of the venue, or that in which the paper was published or sent in."""
    if said := re.search(r"\b(?:19|20)\d\d\b", venue):
        return int(said[0])
    for name in ("pdate", "odate", "cdate", "tcdate"):
        moment = note.get(name)
        if type(moment) is int and 0 < moment < 10**13:
            return datetime.datetime.fromtimestamp(moment / 1000, datetime.UTC).year
    return None


IMPORTER = Importer(
    recognise,
    fetch,
    form="an address at OpenReview",
    help=(("https://openreview.net/forum?id=…", "a paper at OpenReview, by its forum or its PDF"),),
)
