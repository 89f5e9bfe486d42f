"""arXiv: its ids in all spellings, and its Atom API for the facts of one paper or many.

The API's behaviour is described in https://info.arxiv.org/help/api/user-manual.html.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from xml.etree import ElementTree
from xml.parsers import expat

from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import UserError
from paper_notes.features.papers import datacite
from paper_notes.features.papers.draft import Draft, person_name
from paper_notes.features.papers.importer import Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.records import day_of
from paper_notes.features.papers.request import NoResponse, Request, Response, Service
from paper_notes.features.papers.web import DAY, Web
from paper_notes.identifiers import parse_arxiv
from paper_notes.sources.characters import one_line
from paper_notes.values import Struct

ARXIV = Service("arXiv", "https://export.arxiv.org/api/query", "PAPER_NOTES_ARXIV_URL", interval=3.0)
BATCH = 100
"""The most papers in one request, so that its URL is short enough for every proxy."""

MOST = 2_000
"""Papers of a day at most: no category has a quarter of that."""

_MAX_DEPTH = 50
_ATOM = {
    "a": "http://www.w3.org/2005/Atom",
    "arxiv": "http://arxiv.org/schemas/atom",
    "opensearch": "http://a9.com/-/spec/opensearch/1.1/",
}


class ArxivReference(Struct, frozen=True):
    """A paper on arXiv, or one of its versions."""

    id: ArxivId
    version: int | None = None

    def __str__(self) -> str:
        return f"{self.id}v{self.version}" if self.version else self.id


def parse_arxiv_id(text: str) -> ArxivReference | None:
    """The reference that the whole text denotes, or None."""
    parts = parse_arxiv(text)
    return ArxivReference(*parts) if parts else None


def offline_draft(reference: ArxivReference) -> Draft:
    """The facts in the id itself: year and month."""
    digits = reference.id.rpartition("/")[2]
    year = int(digits[:2])
    year += 1900 if year > 90 else 2000
    return Draft("id", reference.id, reference.version, year, int(digits[2:4]))


def recognise(text: str, keys: Container[BibKey]) -> PaperReference[ArxivReference] | None:
    """A paper by its id, an address or arXiv's own DOI."""
    paper = parse_arxiv_id(text)
    return PaperReference(paper, offline_draft(paper)) if paper else None


def fetch(reference: PaperReference[ArxivReference], services: Services) -> Fetched:
    """The facts of a paper; see `look_up`."""
    return Fetched(look_up(reference.id, services))


def look_up(paper: ArxivReference, services: Services) -> Draft:
    """The facts of the paper from arXiv, or from DataCite while arXiv does not answer; offline from the id.

    Raises UserError.
    """
    known = offline_draft(paper)
    if services.web is None:
        return known
    services.say(f"Asking arXiv for {paper} ...")
    try:
        return ask(services.web, paper)
    except NoResponse as problem:
        services.say(f"{problem.message}. Asking DataCite instead ...")
        try:
            return datacite.ask(services.web, known)
        except UserError as other:
            raise UserError(f"{problem.message}; {other.message}", problem.hint) from other


def ask(web: Web, reference: ArxivReference, service: Service = ARXIV) -> Draft:
    """Ask arXiv for one paper. Raises UserError."""
    request = _request(service, [reference])

    def read(response: Response) -> Draft:
        return _draft(_checked(_feed(response).find("a:entry", _ATOM), reference, service), reference)

    return web.ask(request, read)


def ask_many(web: Web, ids: Iterable[ArxivId], *, fresh: float = DAY) -> dict[ArxivId, Draft | UserError]:
    """Ask arXiv for the newest versions of up to BATCH papers at once: for each its Draft, or the reason why not.

    Raises UserError if the whole answer cannot be used.
    """
    references = [ArxivReference(arxiv) for arxiv in ids]

    def read(response: Response) -> dict[ArxivId, Draft | UserError]:
        answers: dict[ArxivId, Draft | UserError] = {}
        service = response.request.service
        by_id = {own.id: entry for own, entry in _entries(_feed(response), service)}
        for reference in references:
            try:
                entry = _checked(by_id.get(reference.id), reference, service)
                answers[reference.id] = _draft(entry, reference)
            except UserError as problem:
                answers[reference.id] = problem
        return answers

    return web.ask(_request(ARXIV, references), read, fresh=fresh)


def search(web: Web, words: Sequence[str], most: int) -> list[Draft]:
    """The papers with all these words in their titles, up to so many. Raises UserError."""
    query = {"search_query": " AND ".join(f"ti:{word}" for word in words), "max_results": f"{most}"}

    def read(response: Response) -> list[Draft]:
        entries = _entries(_feed(response), response.request.service)
        return [_draft(entry, own) for own, entry in entries if _text(entry, "a:title")][:most]

    return web.ask(Request(ARXIV, query=query, accept="application/atom+xml"), read)


def ask_day(
    web: Web, category: str, day: datetime.date, service: Service = ARXIV, *, fresh: float = DAY
) -> tuple[Draft, ...]:
    """Ask arXiv for the papers of a category that were submitted on a day (UTC), in the order of submission.

    Raises UserError, also if arXiv gives fewer papers than it says that there are.
    """
    known_drafts: dict[ArxivId, Draft] = {}

    def read(response: Response) -> tuple[int, dict[ArxivId, Draft]]:
        feed = _feed(response)
        drafts = {own.id: _draft(_checked(entry, own, service), own) for own, entry in _entries(feed, service)}
        written = _text(feed, "opensearch:totalResults")
        total = int(written) if re.fullmatch("[0-9]{1,9}", written) else 0
        if len(known_drafts) < total and drafts.keys() <= known_drafts.keys():  # then this answer is not kept
            message = f"arXiv says that there are {total} papers of {category}, and gave {len(known_drafts)}"
            raise NoResponse(message, service.hint("try again in some minutes"))
        return total, drafts

    while True:
        query = {
            "search_query": f"cat:{category} AND submittedDate:[{day:%Y%m%d}0000 TO {day:%Y%m%d}2359]",
            "start": f"{len(known_drafts)}",
            "max_results": f"{BATCH}",
            "sortBy": "submittedDate",
            "sortOrder": "ascending",
        }
        request = Request(service, query=query, accept="application/atom+xml")
        total, drafts = web.ask(request, read, fresh=fresh)
        known_drafts |= drafts
        if len(known_drafts) >= min(total, MOST):
            return tuple(known_drafts.values())


def _request(service: Service, references: Iterable[ArxivReference]) -> Request:
    ids = [str(reference) for reference in references]
    query = {"id_list": ",".join(ids), "max_results": f"{len(ids)}"}
    return Request(service, query=query, accept="application/atom+xml")


class _FeedBuilder(ElementTree.TreeBuilder):
    """Builds the elements of a feed. Raises ValueError for deep nesting and document types."""

    depth = 0

    def start(self, tag: str, attrs: dict[str, str]) -> ElementTree.Element:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise ValueError("its elements nest too deep")
        return super().start(tag, attrs)

    def end(self, tag: str) -> ElementTree.Element:
        self.depth -= 1
        return super().end(tag)

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        """Called before any entity can be declared: entities can make a small file huge."""
        raise ValueError(f"it declares a document type ({name})")


def _feed(response: Response) -> ElementTree.Element:
    service = response.request.service
    if response.status != 200 and b"<entry" not in response.body:
        raise response.refused()
    if response.looks_like_html:
        raise response.web_page("a feed")
    parser = ElementTree.XMLParser(target=_FeedBuilder())  # noqa: S314 -- no document type, so no entities; size capped
    try:
        parser.feed(response.body)
        root = parser.close()
    except ElementTree.ParseError as error:
        message = f"arXiv's answer is not a whole feed: {expat.ErrorString(error.code)} in line {error.position[0]}"
        raise NoResponse(message, service.hint("try again")) from error
    except (ValueError, LookupError) as error:
        raise NoResponse(f"arXiv's answer is not a feed: {error}", service.hint()) from error
    name = root.tag.rpartition("}")[2]
    if name == "html":
        raise response.web_page("a feed")
    if root.tag != f"{{{_ATOM['a']}}}feed":
        raise NoResponse(f"arXiv's answer is not a feed but <{name}>", service.hint())
    return root


def _entries(feed: ElementTree.Element, service: Service) -> Iterator[tuple[ArxivReference, ElementTree.Element]]:
    """The papers of a feed, and which they are. Raises NoResponse if arXiv says that something is wrong."""
    for entry in feed.findall("a:entry", _ATOM):
        if _text(entry, "a:title") == "Error":
            raise NoResponse(f"arXiv says: {_text(entry, 'a:summary') or 'Error'}", service.hint())
        if own := parse_arxiv_id(_text(entry, "a:id")):
            yield own, entry


def _checked(entry: ElementTree.Element | None, reference: ArxivReference, service: Service) -> ElementTree.Element:
    """The entry, if it is that of the paper that was asked for. Raises UserError."""
    leave = ", or leave the version out" if reference.version else ""
    hint = f"check the id at https://arxiv.org/abs/{reference.id}{leave}"
    if entry is None:
        raise UserError(f"arXiv has no paper {reference}", hint)
    title, summary = _text(entry, "a:title"), _text(entry, "a:summary")
    if title == "Error":
        raise UserError(f"arXiv has no paper {reference}: it says {summary or title}", hint)
    answered = parse_arxiv_id(_text(entry, "a:id"))
    if answered is None or answered.id != reference.id or (reference.version or answered.version) != answered.version:
        other = answered or _text(entry, "a:id") or "an entry without an id"
        message = f"arXiv was asked for {reference} and answered with {other}"
        raise NoResponse(message, service.hint("try again"))
    if not title:
        raise NoResponse(f"arXiv's entry for {reference} has no title", service.hint())
    return entry


def _draft(entry: ElementTree.Element, reference: ArxivReference) -> Draft:
    known = offline_draft(reference)
    answered = parse_arxiv_id(_text(entry, "a:id"))
    published = day_of(_text(entry, "a:published"))
    category = entry.find("arxiv:primary_category", _ATOM)
    return Draft(
        source="arxiv",
        arxiv=known.arxiv,
        version=answered.version if answered else known.version,
        year=published.year if published else known.year,
        month=published.month if published else known.month,
        title=_text(entry, "a:title"),
        authors=tuple(filter(None, map(person_name, _all(entry, "a:author/a:name")))),
        updated=day_of(_text(entry, "a:updated")),
        abstract=_text(entry, "a:summary"),
        primary_class=one_line(category.get("term", "")) if category is not None else "",
        doi=_text(entry, "arxiv:doi") or None,
        journal_ref=_text(entry, "arxiv:journal_ref") or None,
        comment=_text(entry, "arxiv:comment") or None,
    )


def _all(entry: ElementTree.Element, path: str) -> list[str]:
    return ["".join(element.itertext()) for element in entry.findall(path, _ATOM)]


def _text(entry: ElementTree.Element, path: str) -> str:
    return one_line(next(iter(_all(entry, path)), ""))


IMPORTER = Importer(
    recognise,
    fetch,
    form="an arXiv id (2510.26475) or address",
    help=(
        ("2510.26475, arXiv:2510.26475v2", "an arXiv id, or an address at arxiv.org"),
        ("https://huggingface.co/papers/…", "a paper at Hugging Face"),
    ),
)
