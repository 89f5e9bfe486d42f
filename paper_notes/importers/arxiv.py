"""arXiv: its ids in all their spellings, and its Atom API, which gives the facts of one paper.

The API's behaviour is described in https://info.arxiv.org/help/api/user-manual.html.
"""

from __future__ import annotations

import contextlib
import datetime
import email.utils
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.parsers import expat

from paper_notes import __version__
from paper_notes.corpus.model import ArxivId, Link
from paper_notes.draft import Draft, person_name

if TYPE_CHECKING:
    import httpx  # slow to import: only a call of `fetch` needs it

API_URL = "https://export.arxiv.org/api/query"
TIMEOUT = 20.0
"""Seconds until arXiv must have said something; three times that for the whole answer."""
BACK_OFF = (3.0, 6.0)
"""Seconds between the three tries. arXiv asks for no more than one request in three seconds."""
MAX_WAIT = 30.0
"""The longest `Retry-After` that is honoured, in seconds."""
MAX_BYTES = 5 * 1024 * 1024

_BUSY = frozenset({429, 500, 502, 503, 504})
_NEW = r"(?:0[7-9]|[1-8]\d)(?:0[1-9]|1[0-2])\.\d{4,5}"
_OLD = r"[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3}"
_REFERENCE = re.compile(
    r"(?:arxiv:\s*|(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/)?"
    rf"(?P<id>{_NEW}|{_OLD})(?:v(?P<version>[1-9]\d?))?"
    r"(?:\.pdf)?/?(?:[?#]\S*)?(?:\s*\[[a-z.-]+\])?",
    re.IGNORECASE | re.ASCII,
)
_ATOM = {"a": "http://www.w3.org/2005/Atom", "arxiv": "http://arxiv.org/schemas/atom"}
_NOT_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""What cannot stand in a source file."""
_OFFLINE = "with --offline the note is made without arXiv, to be filled in later"


class ImportProblem(Exception):
    """arXiv did not give the paper. `hint` says what the user can do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


@dataclass(frozen=True, slots=True)
class ArxivReference:
    """A paper on arXiv, and perhaps one of its versions."""

    id: ArxivId
    version: int | None = None

    def __str__(self) -> str:
        return f"{self.id}v{self.version}" if self.version else self.id


def parse_arxiv_id(text: str) -> ArxivReference | None:
    """Read `2510.26475v2`, `arXiv:cs/0112017`, `https://arxiv.org/pdf/2510.26475` and the like; None if it is no id.

    The subject class of an old id (`math.GT/0309136`) is left out, as arXiv itself does.
    """
    match = _REFERENCE.fullmatch(text.strip())
    if match is None:
        return None
    archive, slash, number = match["id"].lower().rpartition("/")
    if not slash and len(number) != (10 if number >= "1501" else 9):
        return None  # the number after the dot has four digits up to 2014 and five since
    version = int(match["version"]) if match["version"] else None
    return ArxivReference(ArxivId(f"{archive.split('.')[0]}{slash}{number}"), version)


def offline_draft(reference: ArxivReference) -> Draft:
    """What the id alone tells: the year and the month."""
    digits = reference.id.rpartition("/")[2]
    year = int(digits[:2])
    return Draft(reference.id, reference.version, year + (1900 if year > 90 else 2000), int(digits[2:4]))


def fetch(
    reference: ArxivReference,
    *,
    base_url: str = API_URL,
    client: httpx.Client | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Draft:
    """Ask arXiv for one paper. Raises ImportProblem; tries again where that can help."""
    import httpx

    try:
        with contextlib.nullcontext(client) if client else _client() as connection:
            body = _answer(connection, base_url, reference, sleep)
    except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        raise ImportProblem(f'"{base_url}" is not a web address', "mend PAPER_NOTES_ARXIV_URL, or unset it") from error
    except httpx.HTTPError as error:
        raise ImportProblem(f"arXiv's answer cannot be read: {error}", _OFFLINE) from error
    return _draft(_entry(_feed(body), reference), reference)


def _client() -> httpx.Client:
    import httpx

    try:
        return httpx.Client()
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        message = f"the proxy of your environment cannot be used: {str(error).split(',')[0]}"
        raise ImportProblem(message, f"mend or unset ALL_PROXY, HTTPS_PROXY and HTTP_PROXY; {_OFFLINE}") from error


@dataclass(frozen=True, slots=True)
class _Busy:
    """An answer after which it is worth trying again, in `wait` seconds if arXiv says so."""

    what: str
    wait: float = 0.0


def _answer(client: httpx.Client, url: str, reference: ArxivReference, sleep: Callable[[float], None]) -> bytes:
    answer = _ask(client, url, reference)
    for pause in BACK_OFF:
        if isinstance(answer, bytes):
            return answer
        sleep(min(max(pause, answer.wait), MAX_WAIT))
        answer = _ask(client, url, reference)
    if isinstance(answer, bytes):
        return answer
    hint = f"check the network, or try again in some minutes; {_OFFLINE}"
    raise ImportProblem(f"arXiv cannot be reached: {answer.what} (tried {len(BACK_OFF) + 1} times)", hint)


def _ask(client: httpx.Client, url: str, reference: ArxivReference) -> bytes | _Busy:
    import httpx

    query = {"id_list": str(reference), "max_results": "1"}
    headers = {"User-Agent": _user_agent(), "Accept": "application/atom+xml"}
    try:
        with client.stream(
            "GET", url, params=query, headers=headers, timeout=TIMEOUT, follow_redirects=True
        ) as response:
            status = f"{response.status_code} {response.reason_phrase}".strip()
            if response.status_code in _BUSY:
                return _Busy(f"it answered {status}", _retry_after(response.headers))
            body = _read(response)
    except httpx.TimeoutException:
        return _Busy(f"no answer within {TIMEOUT:g} seconds")
    except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError) as error:
        return _Busy(re.sub(r"^\[[^]]*\] ", "", str(error)) or "the connection broke off")
    if body is None:
        return _Busy(f"no whole answer within {3 * TIMEOUT:g} seconds")
    if body.strip().lower().startswith(b"rate exceeded"):  # its words for 429, whatever the status
        return _Busy("it says that there were too many requests")
    if response.status_code != 200 and b"<entry" not in body:
        raise ImportProblem(f"arXiv answered {status}", f"check PAPER_NOTES_ARXIV_URL if you set it; {_OFFLINE}")
    return body


def _read(response: httpx.Response) -> bytes | None:
    """The body, or None if it comes too slowly."""
    body = bytearray()
    started = time.monotonic()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > MAX_BYTES:
            message = f"arXiv's answer is larger than {MAX_BYTES // 1024**2} MB, which no paper's entry is"
            raise ImportProblem(message, _OFFLINE)
        if time.monotonic() - started > 3 * TIMEOUT:
            return None
    return bytes(body)


def _retry_after(headers: Mapping[str, str]) -> float:
    """Seconds; a date counts from the date of the answer."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:6])
    try:
        until, now = (email.utils.parsedate_to_datetime(text) for text in (value, headers.get("Date", "")))
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError):
        return 0.0


def _user_agent() -> str:
    """Our name, version and address, as arXiv asks for; the address is the package's own."""
    try:
        urls = metadata.metadata("paper-notes").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        urls = []
    name = f"paper-notes/{__version__}"
    return f"{name} (+{urls[0].rpartition(',')[2].strip()})" if urls else name


class _FeedBuilder(ElementTree.TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        """Called before any entity can be declared: entities are how a small file becomes a huge one."""
        raise ImportProblem(f"arXiv's answer is not a feed: it declares a document type ({name})", _OFFLINE)


def _feed(body: bytes) -> ElementTree.Element:
    hint = f"a log-in page of your network may stand in between: open arxiv.org in a browser; {_OFFLINE}"
    web_page = ImportProblem("arXiv's answer is a web page, not a feed", hint)
    if body.lstrip(b"\xef\xbb\xbf \t\r\n")[:14].lower().startswith((b"<!doctype html", b"<html")):
        raise web_page
    parser = ElementTree.XMLParser(target=_FeedBuilder())  # noqa: S314 -- no document type, so no entities; size capped
    try:
        parser.feed(body)
        root = parser.close()
    except ElementTree.ParseError as error:
        reason = f"{expat.ErrorString(error.code)} in line {error.position[0]}"
        raise ImportProblem(f"arXiv's answer is not a whole feed: {reason}", f"try again; {_OFFLINE}") from error
    except (ValueError, LookupError) as error:
        raise ImportProblem(f"arXiv's answer is not a feed: {error}", _OFFLINE) from error
    name = root.tag.rpartition("}")[2]
    if name == "html":
        raise web_page
    if root.tag != f"{{{_ATOM['a']}}}feed":
        raise ImportProblem(f"arXiv's answer is not a feed but <{name}>", _OFFLINE)
    return root


def _entry(feed: ElementTree.Element, reference: ArxivReference) -> ElementTree.Element:
    """The entry of the paper that was asked for."""
    entry = feed.find("a:entry", _ATOM)
    leave = ", or leave the version out" if reference.version else ""
    hint = f"check the id at https://arxiv.org/abs/{reference.id}{leave}"
    if entry is None:
        raise ImportProblem(f"arXiv has no paper {reference}", hint)
    title, summary = _text(entry, "a:title"), _text(entry, "a:summary")
    if title == "Error":
        raise ImportProblem(f"arXiv has no paper {reference}: it says {summary or title}", hint)
    found = parse_arxiv_id(_text(entry, "a:id"))
    if found is None or found.id != reference.id or (reference.version or found.version) != found.version:
        other = found or _text(entry, "a:id") or "an entry without an id"
        raise ImportProblem(f"arXiv was asked for {reference} and answered with {other}", f"try again; {_OFFLINE}")
    if not title:
        raise ImportProblem(f"arXiv's entry for {reference} has no title", _OFFLINE)
    return entry


def _draft(entry: ElementTree.Element, reference: ArxivReference) -> Draft:
    known = offline_draft(reference)
    found = parse_arxiv_id(_text(entry, "a:id"))
    published = _date(_text(entry, "a:published"))
    names = (person_name(_folded(author)) for author in _all(entry, "a:author/a:name"))
    category = entry.find("arxiv:primary_category", _ATOM)
    return Draft(
        arxiv=known.arxiv,
        version=found.version if found else known.version,
        year=published.year if published else known.year,
        month=published.month if published else known.month,
        title=_text(entry, "a:title"),
        authors=tuple(name for name in names if name),
        published=published,
        updated=_date(_text(entry, "a:updated")),
        abstract=_text(entry, "a:summary"),
        primary_class=_folded(category.get("term", "")) if category is not None else "",
        doi=_text(entry, "arxiv:doi") or None,
        journal_ref=_text(entry, "arxiv:journal_ref") or None,
        comment=_text(entry, "arxiv:comment") or None,
        links=tuple(
            Link(_folded(link.get("title") or link.get("rel") or "link"), link.get("href", ""))
            for link in entry.findall("a:link", _ATOM)
            if re.fullmatch(r"https?://\S+", link.get("href", ""))
        ),
    )


def _all(entry: ElementTree.Element, path: str) -> list[str]:
    return ["".join(element.itertext()) for element in entry.findall(path, _ATOM)]


def _text(entry: ElementTree.Element, path: str) -> str:
    return _folded(next(iter(_all(entry, path)), ""))


def _folded(text: str) -> str:
    return " ".join(_NOT_TEXT.sub(" ", text).split())


def _date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text[:10])
    except ValueError:
        return None
