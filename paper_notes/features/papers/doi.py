"""DOIs, and the facts that their registration agencies give by content negotiation: one item of CSL-JSON.

https://citation.doi.org describes the negotiation, https://docs.citationstyles.org the format. Crossref's answers
differ in places (lists where the format has texts, its own names of types), and are read as well.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from urllib.parse import quote, unquote

from paper_notes.corpus.paper import BibKey, PersonName
from paper_notes.diagnostics import UserError
from paper_notes.features.papers import arxiv
from paper_notes.features.papers.arxiv import ArxivReference
from paper_notes.features.papers.draft import MAX_DOI, Draft, person_name
from paper_notes.features.papers.importer import Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.records import json_of, mappings, plain, text, without_markup, year_and_month
from paper_notes.features.papers.request import Request, Response, Service
from paper_notes.features.papers.web import Web
from paper_notes.identifiers import DOI_SITE, DOI_START, folded_title
from paper_notes.patterns import regex
from paper_notes.values import replace

DOI = Service("doi.org", "https://doi.org", "PAPER_NOTES_DOI_URL", interval=0.5)
_CSL = "application/vnd.citationstyles.csl+json"

_DOI = regex(rf"{DOI_SITE}({DOI_START}[^\s{{}}\\,]+?)[.;]?", re.IGNORECASE)
_ENTRY_TYPES: Mapping[str, tuple[str, str, str]] = {
    **dict.fromkeys(("article-journal", "journal-article", "article-magazine"), ("article", "journal", "publisher")),
    **dict.fromkeys(("paper-conference", "proceedings-article"), ("inproceedings", "booktitle", "publisher")),
    **dict.fromkeys(("chapter", "book-chapter"), ("incollection", "booktitle", "publisher")),
    **dict.fromkeys(("book", "monograph", "edited-book"), ("book", "series", "publisher")),
    **dict.fromkeys(("thesis", "dissertation"), ("phdthesis", "series", "school")),
    "report": ("techreport", "series", "publisher"),
    "dataset": ("misc", "howpublished", "publisher"),
}
"""For each type of CSL or Crossref: BibTeX's entry type, its field for the container, and that for the publisher."""


def parse_doi(argument: str) -> str | None:
    """Read `10.1145/3442188.3445922`, `doi:10...` and `https://doi.org/10...`; None if it is not a DOI."""
    argument = argument.strip()
    match = _DOI.fullmatch(unquote(argument) if "://" in argument else argument)
    return match[1] if match and match[1].isprintable() and len(match[1]) <= MAX_DOI else None


def recognise(text: str, keys: Container[BibKey]) -> PaperReference[str] | None:
    """A paper by its DOI, or an address at doi.org."""
    doi = parse_doi(text)
    return PaperReference(doi, Draft("id", doi=doi)) if doi else None


def fetch(reference: PaperReference[str], services: Services) -> Fetched:
    """The facts of a paper; see `look_up`."""
    return Fetched(look_up(reference.id, services))


def look_up(doi: str, services: Services) -> Draft:
    """The facts of the paper from the agency that registered the DOI; offline none. Raises UserError."""
    if services.web is None:
        return Draft("id", doi=doi)
    services.say(f"Asking doi.org for {doi} ...")
    return ask(services.web, doi)


def ask(web: Web, doi: str, service: Service = DOI) -> Draft:
    """Ask the DOI's registration agency about the paper. Raises UserError."""
    request = Request(service, "/" + quote(doi, safe="/:;()._-~!$'*+,=@"), accept=_CSL)
    return web.ask(request, lambda response: record_of(response, doi))


def record_of(response: Response, doi: str) -> Draft:
    """The paper in an answer. Raises UserError."""
    return _draft(_item(response, doi), doi)


def _item(response: Response, doi: str) -> dict[str, object]:
    service = response.request.service
    if response.status == 404:
        raise UserError(f"there is no DOI {doi}", f"check it at https://doi.org/{doi}")
    other = response.status == 200 and response.kind in ("application/pdf", "text/html")
    if other or response.status in (204, 406, 415):
        if response.looks_like_html and re.search(rb"log.?in|sign.?in|wi-?fi", response.body[:5000], re.IGNORECASE):
            raise response.web_page("a record of the paper")
        message = f"the agency that registered {doi} does not give the paper's facts"
        raise UserError(message, service.hint("write its BibTeX entry into library.bib and use its key"))
    item = json_of(response)
    answered = text(item.get("DOI"))
    if answered and answered.lower() != doi.lower():
        raise UserError(f"doi.org was asked for {doi} and answered with {answered[:80]}", service.hint("try again"))
    if not (answered or item.get("title")):
        raise UserError("doi.org's answer is JSON, but no record of a paper", service.hint())
    return item


def _draft(item: dict[str, object], doi: str) -> Draft:
    kind, container, publisher = _ENTRY_TYPES.get(text(item.get("type")), ("misc", "howpublished", "publisher"))
    year, month = _date(item)
    title, subtitle = (plain(item, name) for name in ("title", "subtitle"))
    pages = re.sub(r"\s*[-–—]+\s*", "--", plain(item, "page"))
    fields = {
        container: plain(item, "container-title"),
        "volume": without_markup(_number(item.get("volume"))),
        "number": without_markup(_number(item.get("issue"))),
        "pages": pages,
        publisher: plain(item, "publisher"),
    }
    return Draft(
        source="doi",
        year=year,
        month=month,
        title=f"{title}: {subtitle}" if title and subtitle and subtitle not in title else title or None,
        authors=tuple(filter(None, map(_name, mappings(item.get("author"))))),
        abstract=plain(item, "abstract"),
        doi=doi,
        entry_type=kind,
        fields=fields,
    )


def draft_of(item: dict[str, object]) -> Draft | None:
    """The paper of an item of a list, if it has a DOI and a title."""
    doi = parse_doi(text(item.get("DOI")))
    draft = _draft(item, doi) if doi else None
    return draft if draft and draft.title else None


def _number(value: object) -> str:
    return str(value) if isinstance(value, int) else text(value)


def _date(item: dict[str, object]) -> tuple[int | None, int | None]:
    """Year and month of the first date with a year."""
    for name in ("issued", "published", "published-print", "published-online", "created"):
        date = item.get(name)
        parts = date.get("date-parts") if isinstance(date, dict) else None
        first = parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else []
        numbers = [int(f"{part}") for part in first if re.fullmatch(r"\d{1,4}", f"{part}", re.ASCII)]
        if not numbers and isinstance(date, dict):
            numbers = [part for part in year_and_month(text(date.get("raw"))) if part]
        if numbers and 1000 <= numbers[0] <= 2999:
            return numbers[0], numbers[1] if len(numbers) > 1 else None
    return None, None


def _name(author: dict[str, object]) -> PersonName | None:
    """A name in CSL: in parts, or literal, as for groups."""
    names = ("given", "family", "suffix", "non-dropping-particle", "dropping-particle", "literal", "name")
    given, family, suffix, kept, dropped, *whole = (plain(author, name) for name in names)
    von = " ".join(filter(None, (dropped, kept)))
    if family and given:
        small = None if von else re.match(r"((?:[a-zà-ÿ'’]+\s)+)(\S.*)", family)  # Crossref gives no particles
        return (
            PersonName(given, small[1].strip(), small[2], suffix) if small else PersonName(given, von, family, suffix)
        )
    literal = next(filter(None, whole), "")
    if literal:
        return PersonName(last=literal) if any(map(str.isalpha, literal)) else None
    return person_name(family or given)


def registered(own: Draft, services: Services, what: str) -> Draft:
    """The facts from elsewhere by the arXiv id or DOI in `own`, completed by `own`; else `own`.

    `what` gave `own`, for messages: `the PDF`.
    """
    if services.web is None or not (own.arxiv or own.doi):
        return own
    try:
        known = (
            arxiv.look_up(ArxivReference(own.arxiv, own.version), services)
            if own.arxiv
            else look_up(own.doi or "", services)
        )
    except UserError as problem:
        services.say(f"{problem.message}. The facts are those of {what} alone")
        return own
    titles = [folded_title(draft.title or "") for draft in (own, known)]
    is_same = not all(titles) or titles[0] in titles[1] or titles[1] in titles[0]
    if not own.arxiv and not is_same:
        services.say(f'The DOI in {what} is that of "{known.title}": the facts are those of {what} alone')
        return replace(own, doi=None)
    return replace(
        known,
        outline=own.outline,
        title=known.title or own.title,
        authors=known.authors or own.authors,
        abstract=known.abstract or own.abstract,
    )


IMPORTER = Importer(
    recognise,
    fetch,
    form="a DOI",
    help=(("10.1145/3442188.3445922", "a DOI, or an address at doi.org"),),
)
