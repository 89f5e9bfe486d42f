"""Asking the outside politely: one connection, pauses, another try where it helps, caps on size and time, a cache.

Importers say what to ask and how to read the answer; how to behave towards other people's servers is told here once.
"""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from typing import TYPE_CHECKING, Protocol, TypeVar

from paper_notes import __version__
from paper_notes.diagnostics import UserError

if TYPE_CHECKING:
    import httpx  # slow to import: only a question needs it

    from paper_notes.importers.transfer import Resolve

T = TypeVar("T")

TIMEOUT = 20.0
"""Seconds until a server must have said something."""
PATIENCE = 60.0
"""Seconds for a whole answer, unless the question says otherwise."""
BACK_OFF = (3.0, 6.0)
"""Seconds between the three tries."""
MAX_WAIT = 60.0
"""The longest `Retry-After` that is waited for, in seconds. Who asks for more is left in peace."""
MAX_BYTES = 5 * 1024 * 1024
"""Of an answer about papers; a PDF has a limit of its own."""
DAY = 24 * 3600.0
"""Seconds for which an answer is fresh, unless the question says otherwise."""

_BUSY = frozenset({429, 500, 502, 503, 504})
_HTML = (b"<!doctype html", b"<html")


class NoAnswer(UserError):
    """The server gave no answer that can be used: another server may know the same."""


class Store(Protocol):
    """What remembers answers from run to run: `paper_notes.cache.Cache`."""

    def get(self, key: bytes | str, *, of_any_program: bool = False) -> bytes | None: ...
    def put(self, key: bytes | str, value: bytes, *, of_any_program: bool = False) -> None: ...


@dataclass(frozen=True, slots=True)
class Service:
    """A server of the outside, and what its users should know."""

    name: str
    home: str
    """The name of its site, for people."""
    url: str
    variable: str
    """The environment variable that names another address."""
    interval: float = 0.0
    """The least number of seconds between two questions to whoever has this name."""
    instead: str = ""
    """What the user can do without it, for hints."""

    def hint(self, *advice: str) -> str:
        """Pieces of advice, and what can be done without this server."""
        return "; ".join(filter(None, (*advice, self.instead)))


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a server. `path` goes behind the server's address."""

    service: Service
    path: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    accept: str = "*/*"
    limit: int = MAX_BYTES
    too_large: str = "which no paper's entry is"
    patience: float | None = None
    """Seconds for the whole answer, if not PATIENCE."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said: a status below 500 that is not a plea for patience, and the whole body."""

    question: Question
    status: int
    kind: str
    """The content type without its parameters, in lower case."""
    body: bytes
    status_text: str = "200 OK"

    @property
    def looks_like_html(self) -> bool:
        """True for a web page, as error pages and log-in pages of networks are, whatever they call themselves."""
        return self.body.lstrip(b"\xef\xbb\xbf \t\r\n")[:14].lower().startswith(_HTML)

    def refused(self) -> UserError:
        """For a status that the importer did not expect."""
        service = self.question.service
        hint = service.hint(f"check {service.variable} if you set it")
        return NoAnswer(f"{service.name} answered {self.status_text}", hint)

    def web_page(self, wanted: str) -> UserError:
        """For a web page where `wanted` should be."""
        service = self.question.service
        advice = f"a log-in page of your network may stand in between: open {service.home} in a browser"
        return NoAnswer(f"{service.name}'s answer is a web page, not {wanted}", service.hint(advice))


@dataclass(frozen=True, slots=True)
class _Busy:
    """An answer after which it is worth trying again, in `wait` seconds if the server says so."""

    what: str
    wait: float = 0.0


class Web:
    """The outside. Client, store, clock, sleep, names of hosts and words are passed in; close it in the end."""

    def __init__(
        self,
        *,
        client: httpx.Client | None = None,
        store: Store | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
        resolve: Resolve | None = None,
        say: Callable[[str], None] = lambda words: None,
    ) -> None:
        """`clock` gives seconds since 1970, for the age of answers; `resolve` the addresses of a host."""
        self._client, self._store, self._resolve = client, store, resolve
        self._own_client: httpx.Client | None = None
        self._sleep, self._clock, self._say = sleep, clock, say
        self._turns: dict[str, float] = {}

    def close(self) -> None:
        """Let go of the connection."""
        if self._own_client:
            self._own_client.close()
            self._own_client = None

    def ask(self, question: Question, read: Callable[[Answer], T], *, fresh: float = DAY) -> T:
        """The answer as `read` understands it; one that it refuses is not remembered. Raises UserError."""
        key = f"web 1\n{question.service.url}\n{question.path}\n{sorted(question.query.items())}\n{question.accept}"
        kept = self._kept(key, question, fresh)
        if kept:
            try:
                return read(kept)
            except UserError:
                pass  # kept by another version: ask anew
        answer = self.fetch(question)
        value = read(answer)
        if self._store and answer.status == 200:
            self._store.put(key, f"{self._clock()}\n{answer.kind}\n".encode() + answer.body)
        return value

    def _kept(self, key: str, question: Question, fresh: float) -> Answer | None:
        head = (self._store.get(key) or b"").split(b"\n", 2) if self._store else []
        try:
            age = self._clock() - float(head[0])
            return Answer(question, 200, head[1].decode(), head[2]) if 0 <= age < fresh else None
        except (ValueError, IndexError):
            return None

    def fetch(self, question: Question, progress: Callable[[int, int | None], None] | None = None) -> Answer:
        """The server's answer. `progress` is told the bytes so far, and how many will come. Raises UserError."""
        service = question.service
        self._await_turn(service)
        answer = self._try(question, progress)
        for pause in BACK_OFF:
            if isinstance(answer, Answer):
                return answer
            wait = max(pause, answer.wait)
            if wait > MAX_WAIT:
                hint = service.hint("try again later")
                message = f"{answer.what}, and asks for a pause of {wait:.0f} seconds"
                raise NoAnswer(f"{service.name} cannot be reached: {message}", hint)
            self._say(f"{service.name}: {answer.what}; trying again in {wait:.0f} s ...")
            self._sleep(wait)
            self._note_turn(service, self._clock())
            answer = self._try(question, progress)
        if isinstance(answer, Answer):
            return answer
        hint = service.hint("check the network, or try again in some minutes")
        message = f"{service.name} cannot be reached: {answer.what} (tried {len(BACK_OFF) + 1} times)"
        raise NoAnswer(message, hint)

    def _await_turn(self, service: Service) -> None:
        """Wait until the last question to this server, even of another process, is long enough ago."""
        if not service.interval:
            return
        kept = self._store.get(f"web turn\n{service.name}", of_any_program=True) if self._store else None
        last = self._turns.get(service.name, 0.0)
        with suppress(ValueError):
            last = max(last, float(kept or 0))
        now = self._clock()
        wait = last + service.interval - now
        if 0 < wait <= service.interval:
            self._sleep(wait)
            now += wait
        self._note_turn(service, now)

    def _note_turn(self, service: Service, now: float) -> None:
        self._turns[service.name] = now
        if self._store and service.interval:
            self._store.put(f"web turn\n{service.name}", str(now).encode(), of_any_program=True)

    def _try(self, question: Question, progress: Callable[[int, int | None], None] | None) -> Answer | _Busy:
        import httpx

        from paper_notes.importers.transfer import RefusedRedirect, TooLarge, TooSlow, Unreadable

        service = question.service
        check = f"check {service.variable} if you set it"
        if not re.match(r"https?://[^/?#\s]", service.url, re.IGNORECASE):
            raise _no_address(service)
        try:
            return self._once(question, progress)
        except TooSlow:
            return _Busy(f"no whole answer within {question.patience or PATIENCE:g} seconds")
        except httpx.TimeoutException:
            return _Busy(f"no answer within {TIMEOUT:g} seconds")
        except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError) as error:
            return _Busy(re.sub(r"^\[[^]]*\] ", "", str(error)) or "the connection broke off")
        except RefusedRedirect as error:
            raise NoAnswer(f"{service.name} {error}", service.hint(check)) from error
        except TooLarge as error:
            message = f"is larger than {question.limit // 1024**2} MB, {question.too_large}"
            raise NoAnswer(f"{service.name}'s answer {message}", service.hint()) from error
        except httpx.InvalidURL as error:
            raise _no_address(service) from error
        except (Unreadable, httpx.HTTPError) as error:
            message = f"{service.name}'s answer cannot be read: {error}"
            raise NoAnswer(message, service.hint()) from error

    def _once(self, question: Question, progress: Callable[[int, int | None], None] | None) -> Answer | _Busy:
        from paper_notes.importers.transfer import Wanted, addresses_of, receive

        client = self._client or self._own_client or self._new_client(question.service)
        wanted = Wanted(
            url=question.service.url.rstrip("/") + question.path,
            query=question.query or None,
            headers={"User-Agent": user_agent(), "Accept": question.accept},
            limit=question.limit,
            patience=question.patience or PATIENCE,
            timeout=TIMEOUT,
            unread=_BUSY,
        )
        received = receive(client, wanted, self._resolve or addresses_of, progress)
        status = f"{received.status} {received.reason}".strip()
        if received.status in _BUSY:
            return _Busy(f"it answered {status}", self._retry_after(received.headers))
        if (
            received.body[:32].strip().lower().startswith(b"rate exceeded")
        ):  # arXiv's words for 429, whatever the status
            return _Busy("it says that there were too many requests")
        kind = received.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        return Answer(question, received.status, kind, received.body, status)

    def _new_client(self, service: Service) -> httpx.Client:
        import httpx

        try:
            limits = httpx.Limits(max_connections=1, max_keepalive_connections=0)
            self._own_client = httpx.Client(limits=limits)
        except (ImportError, ValueError, httpx.InvalidURL) as error:
            message = f"the proxy of your environment cannot be used: {str(error).split(',')[0]}"
            advice = "mend or unset ALL_PROXY, HTTPS_PROXY and HTTP_PROXY"
            raise UserError(message, service.hint(advice)) from error
        return self._own_client

    def _retry_after(self, headers: Mapping[str, str]) -> float:
        """Seconds; a date counts from the date of the answer."""
        value = headers.get("Retry-After", "").strip()
        if value.isascii() and value.isdigit():
            return float(value[:6])
        try:
            until = email.utils.parsedate_to_datetime(value).timestamp()
            date = headers.get("Date")
            return max(0.0, until - (email.utils.parsedate_to_datetime(date).timestamp() if date else self._clock()))
        except (ValueError, TypeError, OverflowError):
            return 0.0


def _no_address(service: Service) -> UserError:
    return UserError(f'"{service.url}" is not a web address', f"mend {service.variable}, or unset it")


def user_agent() -> str:
    """Our name, version and address, as arXiv asks for; the address is the package's own."""
    try:
        urls = metadata.metadata("paper-notes").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        urls = []
    name = f"paper-notes/{__version__}"
    return f"{name} (+{urls[0].rpartition(',')[2].strip()})" if urls else name
