"""Papers by the address of a page about them: at a publisher, in proceedings, in a repository of preprints.

Scholarly search engines ask for `citation_*`, which https://scholar.google.com/intl/en/scholar/inclusion.html
describes; some sites have Dublin Core, PRISM, or schema.org in JSON-LD instead. Nothing is trusted: tags are looked
for, up to limits, and the page is never parsed as a whole.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from paper_notes.corpus.paper import BibKey, PersonName
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.doi import look_up as look_up_doi
from paper_notes.features.papers.doi import parse_doi, registered
from paper_notes.features.papers.draft import MAX_ABSTRACT, MAX_AUTHORS, Draft, inverted_name, person_name
from paper_notes.features.papers.importer import Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.records import mapping, plain, text, without_markup, year_and_month
from paper_notes.features.papers.request import Request, Response, Service
from paper_notes.identifiers import parse_arxiv
from paper_notes.patterns import regex

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
_DOI_IN_PATH = regex(r"/(10\.[0-9]{4,9}/[^?#]+)")
_AFTER_DOI = regex(
    r"(?:/(?:full|pdf|epdf|abstract|fulltext|meta|html|summary|references))+/?$|\.(?:pdf|html?|full(?:[.-](?:pdf|text))?)$|/$"
)
_VERSION_AFTER_DOI = regex(r"(?<=^10\.1101/)(.+?)v\d+(?:\.\S*)?$")
"""What bioRxiv and medRxiv add."""
MAX_TAGS, MAX_TAG = 2 * MAX_AUTHORS, MAX_ABSTRACT + 2_000
"""The most meta tags of a page: each author may have two; and the most characters of one."""
_MAX_BEFORE_ABSTRACT = 1_000_000
_MAX_SCRIPTS, _MAX_SCRIPT, _MAX_NODES = 20, 500_000, 5_000
_MAX_CHARACTERS = 20_000_000
"""Of all tags that do not end, read at most: without this many beginnings would take for ever."""
_ENCODINGS = frozenset(
    "utf-8 gbk gb2312 gb18030 big5 shift_jis euc-jp euc-kr iso-8859-1 iso-8859-15 windows-1252 windows-1251".split()
)
_CHARSET = regex(rb"charset=[\"']?([\w-]+)", re.IGNORECASE)
_META = regex(r"<meta\s", re.IGNORECASE)
_REST_OF_TAG = regex(r"(?:[^\"'<>]++|\"[^\"]*+\"|'[^']*+')*+>")
_ATTRIBUTE = regex(r"(?<![\w:.-])([\w:.-]{1,40}+)\s{0,20}+=\s{0,20}+(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>=]+))")
_SCRIPT = regex(r"<script\b[^<>]{0,300}\bapplication/ld\+json[^<>]{0,300}>", re.IGNORECASE)
_ABSTRACT = regex(
    r"<(div|section|blockquote|p)\b[^<>]{0,200}\b(?:id|class)=[\"']?abstract\b[^<>]{0,200}>"
    r"|<h([1-6])\b[^<>]{0,200}>\s{0,20}Abstract\s{0,20}</h[1-6]>",
    re.IGNORECASE,
)
_SCHOLARLY = frozenset({"ScholarlyArticle", "MedicalScholarlyArticle"})
_VENUES: Sequence[tuple[str, str, str, tuple[str, ...]]] = (
    ("phdthesis", "school", "", ("citation_dissertation_institution",)),
    ("techreport", "institution", "publisher", ("citation_technical_report_institution",)),
    (
        "inproceedings",
        "booktitle",
        "publisher",
        ("citation_conference_title", "citation_inproceedings_title", "citation_conference"),
    ),
    ("incollection", "booktitle", "publisher", ("citation_inbook_title", "citation_book_title")),
    ("article", "journal", "publisher", ("citation_journal_title", "prism.publicationname", "dc.source")),
)
"""For each kind of venue: BibTeX's entry type, its fields for venue and publisher, and the tags that name the venue."""
_NAMES = {
    "title": ("citation_title", "dc.title", "dcterms.title", "eprints.title"),
    "authors": ("citation_author", "dc.creator", "dcterms.creator", "eprints.creators_name"),
    "date": (
        *("citation_publication_date", "citation_date", "citation_year", "citation_online_date"),
        *("prism.publicationdate", "dc.date.issued", "dcterms.issued", "dc.date", "dcterms.date", "eprints.date"),
    ),
    "doi": ("citation_doi", "prism.doi", "dc.identifier.doi", "dc.identifier", "dcterms.identifier"),
    "abstract": ("citation_abstract", "dcterms.abstract", "dc.description.abstract", "eprints.abstract"),
}
"""For each fact the names of its tags, the best first."""


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
    return parse_doi(_VERSION_AFTER_DOI.sub(r"\1", name))


def fetch(reference: PaperReference[str], services: Services) -> Fetched:
    """What the agency of the DOI in the address says; or else the page, and the registries that it names."""
    if services.web is None:
        return Fetched(reference.draft)
    if reference.draft.doi:
        try:
            return Fetched(look_up_doi(reference.draft.doi, services))
        except UserError as problem:
            services.say(f"{problem.message}. Reading the page instead ...")
    return Fetched(look_up(reference.id, services))


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


Tags = Mapping[str, Sequence[str]]


def facts_of(body: bytes, address: str) -> Draft | None:
    """The paper that a page at an address is about; None if it does not describe one."""
    html = _decoded(body)
    tags = _tags(html)
    linked = next(_linked_papers(html), {})
    title = _first(tags, _NAMES["title"]) or plain(linked, "headline", "name")
    authors = _authors(tags) or _linked_authors(linked)
    doi = next(filter(None, (parse_doi(value) for value in (*_all(tags, _NAMES["doi"]), *_linked_ids(linked)))), None)
    arxiv, version = parse_arxiv(_first(tags, ("citation_arxiv_id",))) or (None, None)
    if not title or not (authors or doi or arxiv):
        return None
    year, month = _date([*_all(tags, _NAMES["date"]), text(linked.get("datePublished"))])
    kind, fields = _venue(tags, linked)
    return Draft(
        source="page",
        arxiv=arxiv,
        version=version,
        year=year,
        month=month,
        title=title,
        authors=authors,
        abstract=_first(tags, _NAMES["abstract"]) or _abstract(html) or plain(linked, "abstract"),
        doi=doi,
        entry_type=kind,
        fields={**fields, "url": address},
    )


def _decoded(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        said = _CHARSET.search(body, 0, 4096)
        name = said[1].decode().lower() if said else ""
        return body.decode(name if name in _ENCODINGS else "windows-1252", "replace")


def _tags(html: str) -> Tags:
    """The contents of the page's meta tags by name, in lower case."""
    contents: dict[str, list[str]] = {}
    left = _MAX_CHARACTERS
    for start in islice(_META.finditer(html), MAX_TAGS):
        end = min(start.end() + MAX_TAG, len(html))
        rest = _REST_OF_TAG.match(html, start.end(), end)
        left -= 0 if rest else end - start.end()
        if rest:
            values = {
                attribute[1].lower(): attribute[2] or attribute[3] or attribute[4] or ""
                for attribute in _ATTRIBUTE.finditer(rest[0])
            }
            name = (values.get("name") or values.get("property") or "").lower().removeprefix("bepress_")
            if name and (value := without_markup(values.get("content", ""))):
                contents.setdefault(name, []).append(value)
        elif left < 0:
            break
    return contents


def _all(tags: Tags, names: Sequence[str]) -> list[str]:
    return [value for name in names for value in tags.get(name, ())]


def _first(tags: Tags, names: Sequence[str]) -> str:
    return next(iter(_all(tags, names)), "")


def _authors(tags: Tags) -> tuple[PersonName, ...]:
    several = next(iter(tags.get("citation_authors", ())), "")
    names = next(filter(None, (tags.get(name) for name in _NAMES["authors"])), several.split(";"))
    return tuple(name for name in map(inverted_name, names) if name)


def _date(values: Sequence[str]) -> tuple[int | None, int | None]:
    """Year and month of the first date that has a year; of the same year, a month from another."""
    dates = [(year, month) for year, month in map(year_and_month, values) if year]
    year = dates[0][0] if dates else None
    return year, next((month for other, month in dates if other == year and month and month <= 12), None)


def _venue(tags: Tags, linked: Mapping[str, object]) -> tuple[str, dict[str, str]]:
    """BibTeX's entry type, and its fields about the venue."""
    part = mapping(linked.get("isPartOf"))
    while inner := mapping(part.get("isPartOf")):  # of an issue, its journal
        part = inner
    named = ((*row[:3], name) for row in _VENUES if (name := _first(tags, row[3])))
    inside = plain(part, "name")
    other = ("article", "journal", "publisher", inside) if inside else ("misc", "howpublished", "publisher", "")
    kind, field, publisher, name = next(named, other)
    if kind == "article" and name.startswith("Advances in Neural Information Processing"):
        kind, field = "inproceedings", "booktitle"  # they call it a journal, and nobody else does
    first = _first(tags, ("citation_firstpage", "prism.startingpage")) or text(linked.get("pageStart"))
    last = _first(tags, ("citation_lastpage", "prism.endingpage")) or text(linked.get("pageEnd"))
    return kind, {
        field: name,
        "volume": _first(tags, ("citation_volume", "prism.volume")),
        "number": _first(tags, ("citation_issue", "prism.number")),
        "pages": f"{first}--{last}" if first and last and first != last else first,
        **({publisher: _first(tags, ("citation_publisher", "dc.publisher"))} if publisher else {}),
    }


def _abstract(html: str) -> str:
    """The text of the element that is called the abstract, or the first paragraph below that heading."""
    element = _ABSTRACT.search(html, 0, _MAX_BEFORE_ABSTRACT)
    if element is None:
        return ""
    end = html.find(f"</{element[1] or 'p'}", element.end(), element.end() + MAX_ABSTRACT)
    words = without_markup(html[element.end() : end]) if end > 0 else ""
    return re.sub(r"^Abstract\W{0,3}\s*", "", words)


def _linked_papers(html: str) -> Iterator[Mapping[str, object]]:
    """The papers in the JSON-LD of the page."""
    for start in islice(_SCRIPT.finditer(html), _MAX_SCRIPTS):
        end = html.find("</script", start.end(), start.end() + _MAX_SCRIPT)
        try:
            waiting = deque[object]([json.loads(html[start.end() : end])] if end > 0 else ())
        except (ValueError, RecursionError):
            continue
        for _ in range(_MAX_NODES):
            if not waiting:
                break
            value = waiting.popleft()
            kinds = value.get("@type") if isinstance(value, dict) else None
            if isinstance(value, dict) and _SCHOLARLY.intersection(
                kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)
            ):
                yield value
            children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
            waiting += [child for child in children if isinstance(child, dict | list)]


def _linked_authors(linked: Mapping[str, object]) -> tuple[PersonName, ...]:
    value = linked.get("author")
    names: list[PersonName | None] = []
    for author in value if isinstance(value, list) else [value]:
        family, given = (plain(mapping(author), part) for part in ("familyName", "givenName"))
        name = without_markup(author) if isinstance(author, str) else plain(mapping(author), "name")
        names.append(inverted_name(f"{family}, {given}") if family and given else person_name(name))
    return tuple(name for name in names if name)


def _linked_ids(linked: Mapping[str, object]) -> Iterator[str]:
    for name in ("identifier", "sameAs", "@id", "url"):
        value = linked.get(name)
        for item in value if isinstance(value, list) else [value]:
            yield text(item) or text(mapping(item).get("value"))


IMPORTER = Importer(
    recognise,
    fetch,
    form="the address of a page about it",
    help=(("https://…", "a page at a publisher, PMLR, NeurIPS, CVF …"),),
)
