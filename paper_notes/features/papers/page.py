"""Papers by the address of a page about them: at a publisher, in proceedings, in a repository of preprints."""

from __future__ import annotations

import re
from collections.abc import Container
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import UserError
from paper_notes.features.papers import doi
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Found, Importer, PaperReference, Services
from paper_notes.features.papers.page_facts import facts_of
from paper_notes.features.papers.registered import registered
from paper_notes.features.papers.web import Request, Response, Service

MAX_ADDRESS = 1_000
"""The most characters of an address."""
ELSEWHERE = "give its DOI, its arXiv id or its title; or save its PDF and name the file"
_PAGES_OF_PDFS = (
    (r"(//proceedings\.mlr\.press/v\d+/)([\w.-]+)/\2(?:-supp)?\.pdf$", r"\1\2.html"),
    (r"(//openaccess\.thecvf\.com/\S+)/papers/([\w.-]+)_paper\.pdf$", r"\1/html/\2_paper.html"),
    (
        r"(//(?:papers\.|proceedings\.)?(?:nips|neurips)\.cc/paper\S*)/file/(\w+)-(?:Paper|Supplemental)(\S*)\.pdf$",
        r"\1/hash/\2-Abstract\3.html",
    ),
)
"""How the address of a page follows from that of the PDF, at sites whose pages describe papers."""
_DOI_IN_PATH = re.compile(r"/(10\.[0-9]{4,9}/[^?#]+)")
_AFTER_DOI = re.compile(
    r"(?:/(?:full|pdf|epdf|abstract|fulltext|meta|html|summary|references))+/?$|\.(?:pdf|html?|full(?:[.-](?:pdf|text))?)$|/$"
)
_VERSION_AFTER_DOI = re.compile(r"(?<=^10\.1101/)(.+?)v\d+(?:\.\S*)?$")
"""What bioRxiv and medRxiv add."""


def recognise(text: str, keys: Container[BibKey]) -> PaperReference[str] | None:
    """Any address on the web."""
    address = _address(text)
    if address is None:
        return None
    return PaperReference(address, Draft("id", doi=_doi_in(address), fields={"url": address}))


def _address(text: str) -> str | None:
    """The address of the page, without what only counts visits; None if the text is none."""
    if not re.match(r"https?://[^\s/?#@]", text, re.IGNORECASE) or not text.isprintable() or len(text) > MAX_ADDRESS:
        return None
    try:
        parts = urlsplit(text)
        if parts.username is not None or not parts.hostname or " " in text:
            return None
    except ValueError:
        return None
    query = urlencode([pair for pair in parse_qsl(parts.query) if not pair[0].startswith("utm_")])
    address = quote(parts._replace(query="", fragment="").geturl(), safe="/:;,?@&=+$!*'()~._-%[]")
    for pdf, page in _PAGES_OF_PDFS:
        address = re.sub(pdf, page, address)
    return f"{address}?{query}" if query else address


def _doi_in(address: str) -> str | None:
    """The DOI that publishers put into their addresses."""
    match = _DOI_IN_PATH.search(unquote(address))
    if match is None:
        return None
    name = _AFTER_DOI.sub("", match[1])
    return doi.parse_doi(_VERSION_AFTER_DOI.sub(r"\1", name))


def fetch(reference: PaperReference[str], services: Services) -> Found:
    """What the agency of the DOI in the address says; or else the page, and the registries that it names."""
    if services.web is None:
        return Found(reference.draft)
    if reference.draft.doi:
        try:
            return Found(doi.look_up(reference.draft.doi, services))
        except UserError as problem:
            services.say(f"{problem.message}. Reading the page instead ...")
    return Found(look_up(reference.id, services))


def look_up(address: str, services: Services) -> Draft:
    """The facts that a page gives of its paper, or those that the registries have. Raises UserError."""
    if services.web is None:
        return Draft("id", fields={"url": address})
    parts = urlsplit(address)
    host = parts.hostname or ""
    services.say(f"Asking {host} ...")
    service = Service(host, f"{parts.scheme}://{parts.netloc}", instead=ELSEWHERE)
    path = parts._replace(scheme="", netloc="").geturl() or "/"
    accept = "text/html, application/xhtml+xml;q=0.9"
    too_large = "which is too large for a page about a paper"
    request = Request(service, path, accept=accept, too_large=too_large, public=not services.named)
    return registered(services.web.ask(request, lambda response: page_of(response, address)), services, "the page")


def page_of(response: Response, address: str) -> Draft:
    """The paper that a page is about. Raises UserError."""
    service = response.request.service
    if response.status in (404, 410):
        raise UserError(f"{service.name} has no page {address}", service.hint("check the address"))
    if response.status != 200:
        raise response.refused()
    if response.body[:1024].lstrip().startswith(b"%PDF-"):
        raise UserError(f"{address} is a PDF", "save it and name the file: paper-notes new paper.pdf")
    draft = facts_of(response.body, address)
    if draft is None:
        raise UserError(f"the page {address} does not say which paper it is about", service.hint())
    return draft


IMPORTER = Importer(
    recognise,
    fetch,
    form="the address of a page about it",
    help=(("https://…", "a page at a publisher, PMLR, NeurIPS, CVF …"),),
    sites=("any page that describes its paper",),
)
