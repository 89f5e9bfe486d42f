"""The ACL Anthology: its ids in all spellings, and the BibTeX entry that it gives of each paper.

https://aclanthology.org/info/ids/ describes the ids.
"""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import PurePosixPath

from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Diagnostic, UserError
from paper_notes.features.papers.bibtex import draft_from
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.request import NoResponse, Request, Response, Service
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source
from paper_notes.values import replace

ACL = Service("the ACL Anthology", "https://aclanthology.org", "PAPER_NOTES_ACL_URL", interval=0.5)
_ID = r"(?P<id>[12][0-9]{3}\.[a-z0-9_]+-[a-z0-9_]+\.[0-9]+|[A-Z][0-9]{2}-[0-9]{4,5})"
_PAPER = regex(
    r"(?:acl:\s*|(?:https?://)?(?:www\.)?(?:aclanthology\.org|aclweb\.org/anthology)/(?:papers/(?:\w/\w+/)?)?)?"
    + _ID
    + r"(?:v[0-9])?(?:/|\.pdf|\.bib)?(?:[?#]\S*)?",
    re.ASCII,
)


def recognise(text: str, keys: Container[BibKey]) -> PaperReference[str] | None:
    """A paper by its id or address."""
    match = _PAPER.fullmatch(text)
    if match is None:
        return None
    return PaperReference(match["id"], Draft("id", fields={"url": f"https://aclanthology.org/{match['id']}"}))


def fetch(reference: PaperReference[str], services: Services) -> Fetched:
    """The Anthology's own entry of the paper."""
    if services.web is None:
        return Fetched(reference.draft)
    services.say(f"Asking the ACL Anthology for {reference.id} ...")
    request = Request(ACL, f"/{reference.id}.bib", accept="application/x-bibtex, text/plain")
    return Fetched(*services.web.ask(request, lambda response: entry_of(response, reference.id)))


def entry_of(response: Response, paper: str) -> tuple[Draft, tuple[Diagnostic, ...]]:
    """The paper in an answer, and the diagnostics of its entry. Raises UserError."""
    service = response.request.service
    missing = UserError(f"the ACL Anthology has no paper {paper}", f"check it at https://aclanthology.org/{paper}")
    response.check("a BibTeX entry", missing)
    try:
        response.body.decode()
    except UnicodeDecodeError as error:
        raise NoResponse("the ACL Anthology's answer is not UTF-8 text", service.hint("try again")) from error
    draft, problems = draft_from(Source(PurePosixPath(f"{paper}.bib"), response.body), "")
    return replace(draft, source="acl"), problems


IMPORTER = Importer(
    recognise,
    fetch,
    form="an ACL Anthology id (2020.acl-main.747)",
    help=(("2020.acl-main.747, P18-1001", "an id of the ACL Anthology, or its address there"),),
)
