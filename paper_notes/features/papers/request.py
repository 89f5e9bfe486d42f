"""Requests to web services and their answers, as values. Importers define requests and read answers."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence

from paper_notes import __version__
from paper_notes.addresses import host_of
from paper_notes.diagnostics import UserError
from paper_notes.project import project_addresses
from paper_notes.values import Struct, field

BACK_OFF = (3.0, 6.0)
"""Seconds before the second and the third try."""
MAX_WAIT = 60.0
"""The longest `Retry-After` to wait for, in seconds. If a server asks for more, there is no further try."""
MAX_BYTES = 5 * 1024 * 1024
"""The most bytes of an answer about papers; PDFs have their own limit."""
BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that ask to try again later."""
_HTML = (b"<!doctype html", b"<html")
_SHOWN = 200
"""Characters of a server's own words that a message quotes."""


class NoResponse(UserError):
    """The server gave no usable answer; another server may have the same facts."""


OFFLINE = "with --offline the note is made without it, and `paper-notes lookup` fills it in later"
"""For hints: what the user can do without the service that has a paper's facts."""


@dataclasses.dataclass(frozen=True, slots=True)
class Service:
    """A web service, and facts about it for messages."""

    name: str
    url: str
    variable: str = ""
    """The environment variable that overrides `url`; empty for a page that the user named."""
    interval: float = 0.0
    """The minimum of seconds between two requests to services of this name."""
    instead: str = OFFLINE
    """What the user can do without it, for hints."""
    home: str = ""
    """Its website, for messages: that of the address by default, not of one which overrides it."""
    key: str = dataclasses.field(default="", repr=False)
    """What the user may ask it with. It is in no message."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "home", self.home or re.sub(r"^(?:api2?|export)\.", "", host_of(self.url)))

    @property
    def check(self) -> str:
        """The advice to look at the variable; empty without one."""
        return f"check {self.variable} if you set it" if self.variable else ""

    def hint(self, *advice: str) -> str:
        """Pieces of advice, and what can be done without this server."""
        return "; ".join(filter(None, (*advice, self.instead)))


class Request(Struct, frozen=True):
    """A request to a service. `path` is appended to its address."""

    service: Service
    path: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    accept: str = "*/*"
    limit: int = MAX_BYTES
    """The most bytes, both as sent and decoded."""
    too_large: str = "which no paper's entry is"
    patience: float | None = None
    """Seconds for the whole answer, if not PATIENCE."""
    timeout: float | None = None
    """Seconds until the server must have sent something, if not TIMEOUT."""
    pauses: Sequence[float] = BACK_OFF
    max_wait: float = MAX_WAIT
    content: bytes = b""
    """JSON to be sent. Such a request is not repeated where the server redirects to."""
    words_of: Callable[[bytes], str] | None = None
    """What an error says for people; without it only the status is told."""
    public: bool = False
    """Whether the service must not be in the user's own network, as its address is from a file of anybody's."""


class Response(Struct, frozen=True):
    """The whole answer of a server, except statuses that ask to try again later."""

    request: Request
    status: int
    kind: str
    """The content type without its parameters, in lower case."""
    body: bytes
    reason: str = "OK"
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """What an error says for people, as a message may have it; empty if nobody knows how such errors look."""
        return quoted(self.request.words_of(self.body), self.request.service) if self.request.words_of else ""

    @property
    def status_text(self) -> str:
        """The status for messages; a reason may be any words of the server's, too."""
        words = f"({self.words})" if self.words else "" if self.request.words_of else self.reason
        return f"{self.status} {words}".strip()

    @property
    def looks_like_html(self) -> bool:
        """True for a web page, such as an error or a network's log-in page, whatever its content type."""
        return self.body.lstrip(b"\xef\xbb\xbf \t\r\n")[:14].lower().startswith(_HTML)

    def check(self, wanted: str, missing: UserError | None = None) -> None:
        """Raise UserError unless it may be what is `wanted`: `missing` if the server does not have it."""
        if self.status == 404 and missing:
            raise missing
        if self.status != 200:
            raise self.refused()
        if self.looks_like_html:
            raise self.web_page(wanted)

    def refused(self) -> UserError:
        """The error for a status that the importer did not expect."""
        service = self.request.service
        hint = service.hint(service.check)
        return NoResponse(f"{service.name} answered {self.status_text}", hint)

    def web_page(self, wanted: str) -> UserError:
        """The error for a web page where `wanted` should be."""
        service = self.request.service
        advice = f"a log-in page of your network may stand in between: open {service.home} in a browser"
        return NoResponse(f"{service.name}'s answer is a web page, not {wanted}", service.hint(advice))


def quoted(words: str, service: Service) -> str:
    """Words of a server as a message may have them: short, on one line, without the key."""
    shown = " ".join(words.split())
    shown = shown.replace(service.key, "***") if service.key else shown
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def user_agent() -> str:
    """How we introduce ourselves to servers: our name, version and the project's address, as arXiv asks for."""
    name = f"paper-notes/{__version__}"
    return next((f"{name} (+{address})" for address in project_addresses().values()), name)
