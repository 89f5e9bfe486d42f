"""Polite requests to web services: one connection, pauses, retries where they help, limits on size and time, a cache.

Behaviour towards servers is defined only here.
"""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from paper_notes.addresses import host_of
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.request import BUSY, NoResponse, Request, Response, Service, quoted
from paper_notes.values import Struct, replace

if TYPE_CHECKING:
    import httpx  # slow to import: only a request needs it

    from paper_notes.engine.cache import Cache
    from paper_notes.features.papers.transfer import Progress, Resolve

T = TypeVar("T")

TIMEOUT = 20.0
"""Seconds until a server must have sent something."""
CONNECT = 3.0
"""Seconds for a connection, which a slow server makes as fast as others."""
NO_NETWORK = 5.0
"""Seconds without a connection to any server, pauses included, after which no other is waited for."""
PATIENCE = 60.0
"""Seconds for a whole answer with all tries and the pauses between them, unless the request says otherwise."""
DAY = 24 * 3600.0
"""Seconds for which an answer is fresh, unless the request says otherwise."""


class _Busy(Struct, frozen=True):
    """An answer after which it is worth trying again, in `wait` seconds if the server says so."""

    what: str
    wait: float = 0.0
    reached: bool = True
    """False if there was no connection to the server."""


class Web:
    """Asks web services. Client, store, clock, sleep, resolver and output are passed in. Close it at the end."""

    def __init__(
        self,
        *,
        client: httpx.Client | None = None,
        store: Cache | None = None,
        addresses: Mapping[str, str] = MappingProxyType({}),
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
        resolve: Resolve | None = None,
        say: Callable[[str], None] = lambda words: None,
        instead: str | None = None,
    ) -> None:
        """`instead` overrides that of services; `addresses` override the addresses of services, by their variables.

        `clock` gives seconds since 1970, for the age of answers; `resolve` the addresses of a host.
        """
        self._client, self._store, self._resolve, self._addresses = client, store, resolve, addresses
        self._own_client: httpx.Client | None = None
        self._instead = instead
        self._sleep, self._clock, self._say = sleep, clock, say
        self._turns: dict[str, float] = {}
        self._lost = 0.0
        """Seconds since the last connection in which one was tried or waited for."""

    def close(self) -> None:
        """Close the connection."""
        if self._own_client:
            self._own_client.close()
            self._own_client = None

    def ask(self, request: Request, read: Callable[[Response], T], *, fresh: float = DAY) -> T:
        """The answer as read by `read`. An answer for which `read` raises UserError is not cached. Raises UserError."""
        request = self._addressed(request)
        key = f"web 1\n{request.service.url}\n{request.path}\n{sorted(request.query.items())}\n{request.accept}"
        kept = self._kept(key, request, fresh)
        if kept:
            try:
                return read(kept)
            except UserError:
                pass  # cached by another version: ask again
        response = self.fetch(request)
        value = read(response)
        if self._store and response.status == 200:
            self._store.put(key, f"{self._clock()}\n{response.kind}\n".encode() + response.body)
        return value

    def _addressed(self, request: Request) -> Request:
        """The request with the address from `addresses`, if there is one, and the advice of this Web."""
        service = request.service
        own = self._addresses.get(service.variable)
        instead = service.instead if self._instead is None else self._instead
        service = replace(service, url=own or service.url, instead=instead)
        return replace(request, service=service, public=request.public and not own)

    def _kept(self, key: str, request: Request, fresh: float) -> Response | None:
        head = (self._store.get(key) or b"").split(b"\n", 2) if self._store else []
        try:
            age = self._clock() - float(head[0])
            return Response(request, 200, head[1].decode(), head[2]) if 0 <= age < fresh else None
        except (ValueError, IndexError):
            return None

    def fetch(self, request: Request, progress: Progress | None = None) -> Response:
        """The server's answer. Raises UserError."""
        request = self._addressed(request)
        service = request.service
        if self._lost < NO_NETWORK:
            self._await_turn(service)
        deadline = self._clock() + (request.patience or PATIENCE)
        response, tries = self._try(request, progress, deadline), 1
        for pause in request.pauses:
            if isinstance(response, Response):
                return response
            wait = max(pause, response.wait)
            if not response.reached and self._lost + wait > NO_NETWORK:
                break
            if wait > request.max_wait:
                hint = service.hint("try again later")
                message = f"{response.what}, and asks for a pause of {wait:.0f} seconds"
                raise NoResponse(f"{service.name} cannot be reached: {message}", hint)
            if self._clock() + wait >= deadline:
                break
            self._say(f"{service.name}: {response.what}; trying again in {wait:.0f} s ...")
            self._sleep(wait)
            self._lost += 0 if response.reached else wait
            self._note_turn(service, self._clock())
            response, tries = self._try(request, progress, deadline), tries + 1
        if isinstance(response, Response):
            return response
        hint = service.hint("check the network, or try again in some minutes")
        tried = f" (tried {tries} times)" if tries > 1 else ""
        raise NoResponse(f"{service.name} cannot be reached: {response.what}{tried}", hint)

    def _await_turn(self, service: Service) -> None:
        """Wait until the service's interval since the last request, of this or another process, has passed."""
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

    def _try(self, request: Request, progress: Progress | None, deadline: float) -> Response | _Busy:
        """One try, unless too much time was lost without any connection."""
        if self._lost >= NO_NETWORK:
            return _Busy("there is no connection to any server", reached=False)
        before = self._clock()
        answer = self._answer(request, progress, deadline)
        if isinstance(answer, Response) or answer.reached:
            self._lost = 0.0
        else:
            self._lost += max(0.0, self._clock() - before)
            self._note_turn(request.service, 0.0)  # the server saw no request
        return answer

    def _answer(self, request: Request, progress: Progress | None, deadline: float) -> Response | _Busy:
        import httpx

        # needs httpx, and answers may all be in the cache
        from paper_notes.features.papers.transfer import NotConnected, Refused, TooLarge, TooSlow, Unreadable

        service = request.service
        check = service.check
        if not re.match(r"https?://[^/?#\s]", service.url, re.IGNORECASE) or not host_of(service.url):
            raise _no_address(service)
        try:
            return self._once(request, progress, deadline)
        except (NotConnected, httpx.ConnectTimeout):
            self._own_client = None  # a thread may still be using it
            return _Busy("no connection", reached=False)
        except TooSlow:
            return _Busy(f"no whole answer within {request.patience or PATIENCE:g} seconds")
        except httpx.TimeoutException:
            return _Busy(f"no answer within {request.timeout or TIMEOUT:g} seconds")
        except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError) as error:
            reached = not isinstance(error, httpx.ConnectError | httpx.ProxyError)
            words = quoted(re.sub(r"^\[[^]]*\] ", "", str(error)), service)
            return _Busy(words or "the connection broke off", reached=reached)
        except Refused as error:
            raise NoResponse(f"{service.name} {error}", service.hint(check)) from error
        except TooLarge as error:
            message = f"is larger than {request.limit // 1024**2} MB, {request.too_large}"
            raise NoResponse(f"{service.name}'s answer {message}", service.hint()) from error
        except httpx.InvalidURL as error:
            raise _no_address(service) from error
        except (Unreadable, httpx.HTTPError) as error:
            message = f"{service.name}'s answer cannot be read: {error}"
            raise NoResponse(message, service.hint()) from error

    def _once(self, request: Request, progress: Progress | None, deadline: float) -> Response | _Busy:
        from paper_notes.features.papers.transfer import TimeLimits, addresses_of, receive_once_connected

        client = self._client or self._own_client or self._new_client(request.service)
        connect = min(CONNECT, NO_NETWORK - self._lost)
        limits = TimeLimits(deadline - self._clock(), request.timeout or TIMEOUT, connect)
        response = receive_once_connected(client, request, limits, self._resolve or addresses_of, progress)
        if response.status in BUSY:
            return _Busy(f"it answered {response.status_text}", pause_asked(response.headers, self._clock()))
        # arXiv's words for 429, whatever the status
        if response.body[:32].strip().lower().startswith(b"rate exceeded"):
            return _Busy("it says that there were too many requests")
        return response

    def _new_client(self, service: Service) -> httpx.Client:
        import httpx

        try:
            limits = httpx.Limits(max_connections=1, max_keepalive_connections=0)
            direct = {"all://127.0.0.1": None, "all://localhost": None}  # a proxy could not reach this machine
            self._own_client = httpx.Client(limits=limits, mounts=direct)
        except (ImportError, ValueError, httpx.InvalidURL) as error:
            message = f"the proxy of your environment cannot be used: {str(error).split(',')[0]}"
            advice = "fix or unset ALL_PROXY, HTTPS_PROXY and HTTP_PROXY"
            raise UserError(message, service.hint(advice)) from error
        return self._own_client


def pause_asked(headers: Mapping[str, str], now: float) -> float:
    """Seconds to wait as `Retry-After` says, or 0; a date counts from that of the answer, or else from `now`."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:6])
    try:
        until = email.utils.parsedate_to_datetime(value).timestamp()
        date = headers.get("Date")
        return max(0.0, until - (email.utils.parsedate_to_datetime(date).timestamp() if date else now))
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _no_address(service: Service) -> UserError:
    hint = f"fix {service.variable}, or unset it" if service.variable else "check it for a slip"
    return UserError(f'"{service.url}" is not a web address', hint)
