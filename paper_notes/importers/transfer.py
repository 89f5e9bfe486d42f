"""One answer over the wire, from a server that may be hostile: redirects are checked, bytes counted, the time limited.

Slow to import, because httpx is: only a request needs it.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

import httpx

MAX_REDIRECTS = 5
_GZIP = 16 + zlib.MAX_WBITS  # what zlib calls the format
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""Addresses that stand for one of IPv4, which their last 32 bits are."""
_NO_ADDRESS = "redirects to what is no web address"
_CLOSED = "redirects into a private network ({})"

Resolve = Callable[[str], Iterable[str]]
"""The addresses of a host; none if they cannot be known here. UnicodeError if it is no host."""


class RefusedRedirect(Exception):
    """The server sends us where we do not go; the message says where, to be read after the server's name."""


class TooLarge(Exception):
    """The answer is larger than allowed, as it was sent or as it would be decoded."""


class TooSlow(Exception):
    """The whole answer takes longer than allowed."""


class Unreadable(Exception):
    """The answer is encoded in a way that is not read; the message says how."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to ask for, and what it may cost."""

    url: str
    query: Mapping[str, str] | None
    headers: Mapping[str, str]
    limit: int
    """Bytes, both as sent and decoded."""
    patience: float
    """Seconds for all of it: connections, redirects, and the answer to its end."""
    timeout: float
    """Seconds until the server must have said something."""
    unread: frozenset[int] = frozenset()
    """Statuses whose content is not wanted."""


@dataclass(frozen=True, slots=True)
class Received:
    """What came: the headers, and the content decoded."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes


def addresses_of(host: str) -> tuple[str, ...]:
    """What this machine takes the host for: `2130706433` and `0x7f.1` are 127.0.0.1."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:  # behind a proxy, perhaps only that knows names
        return ()
    return tuple(dict.fromkeys(str(place[0]) for *_, place in found))


def is_closed(address: str) -> bool:
    """True for what only this machine or its own network can reach: loopback, private, link-local addresses ..."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF) if found in _NAT64 else None
        found = found.ipv4_mapped or found.sixtofour or inner or found
    return not found.is_global or found.is_multicast or (found.version == 6 and found.is_site_local)


def receive(
    client: httpx.Client,
    wanted: Wanted,
    resolve: Resolve = addresses_of,
    progress: Callable[[int, int | None], None] | None = None,
) -> Received:
    """Ask, go where the server sends us if that is allowed, and read the answer.

    Raises the exceptions of this module and of httpx: InvalidURL if `wanted.url` is none.
    """
    watch = _Watch(wanted.patience)
    try:
        request = client.build_request(
            "GET",
            wanted.url,
            params=wanted.query,
            headers={**wanted.headers, "Accept-Encoding": "gzip"},
            timeout=wanted.timeout,
            extensions={"trace": watch},
        )
        own = request.url
        _host(own)
        for _ in range(MAX_REDIRECTS + 1):
            response = _send(client, request)
            with closing(response):
                following = response.next_request
                if following is None:
                    received = _read(response, wanted, progress)
                    if watch.expired:  # an answer without a length may have ended by that
                        raise TooSlow
                    return received
            _check_redirect(request.url, following.url, own, resolve, watch)
            request = following
    except (httpx.HTTPError, OSError) as error:
        raise (TooSlow() if watch.expired else error) from error
    except ValueError as error:
        raise httpx.InvalidURL(str(error)) from error
    finally:
        watch.end()
    raise RefusedRedirect(f"sends us round in a circle (more than {MAX_REDIRECTS} redirects)")


def _send(client: httpx.Client, request: httpx.Request) -> httpx.Response:
    """The head of the answer."""
    try:
        return client.send(request, stream=True, follow_redirects=False)
    except (ValueError, httpx.InvalidURL) as error:  # ValueError is of the codecs of host names
        raise RefusedRedirect(_NO_ADDRESS) from error
    except httpx.RemoteProtocolError as error:
        if isinstance(error.__context__, httpx.InvalidURL):
            raise RefusedRedirect(_NO_ADDRESS) from error
        raise


def _host(url: httpx.URL) -> str:
    """As it is looked up. Raises ValueError if there is none, or no such port."""
    if not url.host or (url.port or 1) > 65535:
        raise ValueError("no host")
    host = url.raw_host.decode("ascii")
    host.encode("idna")
    return host


def _check_redirect(before: httpx.URL, url: httpx.URL, own: httpx.URL, resolve: Resolve, watch: _Watch) -> None:
    """Before anybody is asked there. Raises RefusedRedirect."""
    try:
        host = _host(url)
    except ValueError as error:
        raise RefusedRedirect(_NO_ADDRESS) from error
    if url.scheme not in ("http", "https"):
        raise RefusedRedirect(_NO_ADDRESS)
    if (before.scheme, url.scheme) == ("https", "http"):
        raise RefusedRedirect("redirects from https to http, where anybody on the way can read and answer")
    if url.userinfo not in (b"", before.userinfo):
        raise RefusedRedirect("redirects to an address with a password in it")
    if any(map(is_closed, resolve(_host(own)))):
        return  # who asks in a closed network may be sent around in it
    if closed := next(filter(is_closed, resolve(host)), ""):
        raise RefusedRedirect(_CLOSED.format(closed))
    watch.guarded = host


def _read(response: httpx.Response, wanted: Wanted, progress: Callable[[int, int | None], None] | None) -> Received:
    """The content, as long as it is not too large; it is decoded piece by piece, so that no bomb can go off."""
    names = [name.lower() for name in response.headers.get_list("Content-Encoding", split_commas=True) if name]
    body = b""
    if response.status_code not in wanted.unread:
        if names in ([], ["identity"]):
            promised = response.headers.get("Content-Length", "")
            total = int(promised) if re.fullmatch(r"[0-9]{1,18}", promised) else None
            body = _plain(response, wanted.limit, total, progress)
        elif names in (["gzip"], ["x-gzip"]):
            body = _unpacked(response, wanted.limit, progress)
        else:
            encoding = ", ".join(names)[:60]
            raise Unreadable(f"it is encoded as {encoding}, and only gzip was asked for")
    return Received(response.status_code, response.reason_phrase, response.headers, body)


def _plain(
    response: httpx.Response, limit: int, total: int | None, progress: Callable[[int, int | None], None] | None
) -> bytes:
    if (total or 0) > limit:
        raise TooLarge
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > limit:
            raise TooLarge
        if progress:
            progress(len(body), total)
    return bytes(body)


def _unpacked(response: httpx.Response, limit: int, progress: Callable[[int, int | None], None] | None) -> bytes:
    """At most one byte above the limit is ever unpacked."""
    body, sent = bytearray(), 0
    decoder = zlib.decompressobj(_GZIP)
    for chunk in response.iter_raw():
        sent += len(chunk)
        try:
            body += decoder.decompress(chunk, limit + 1 - len(body))
        except zlib.error as error:
            raise Unreadable(str(error)) from error
        if len(body) > limit or sent > limit:
            raise TooLarge
        if decoder.unused_data:
            raise Unreadable("something follows after the end of its gzip")
        if progress:
            progress(len(body), None)
    if sent and not decoder.eof:
        raise Unreadable("its gzip has no end")
    return bytes(body)


class _Watch:
    """Ends the connection when the time is up, whatever the server is doing, and when it is with whom it must not be.

    httpx's own timeouts begin anew with each byte. It calls this with the events of a request.
    """

    def __init__(self, patience: float) -> None:
        self.expired = False
        self.guarded = ""
        """The host that must not turn out to be in a closed network, whatever its name meant a moment ago."""
        self._connecting_to = ""
        self._lock = threading.Lock()
        self._connections: list[socket.socket] = []
        self._timer = threading.Timer(patience, self._expire)
        self._timer.daemon = True
        self._timer.start()

    def __call__(self, event: str, told: Mapping[str, Any]) -> None:
        if event == "connection.connect_tcp.started":
            self._connecting_to = told["host"]
        stream: Any = told.get("return_value")
        if stream is None or not hasattr(stream, "get_extra_info"):
            return
        if event == "connection.connect_tcp.complete" and self._connecting_to == self.guarded:
            address = stream.get_extra_info("server_addr")[0]
            if is_closed(address):
                stream.close()
                raise RefusedRedirect(_CLOSED.format(address))
        with self._lock:
            self._connections.append(stream.get_extra_info("socket"))
            if self.expired:
                self._end_all()

    def _expire(self) -> None:
        with self._lock:
            self.expired = True
            self._end_all()

    def _end_all(self) -> None:
        """Wake up who waits for bytes, and let nobody read those that keep coming. TLS is not asked: it would talk."""
        for connection in self._connections:
            with suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
            with suppress(OSError):
                socket.socket.close(connection)

    def end(self) -> None:
        """Stop watching."""
        self._timer.cancel()
