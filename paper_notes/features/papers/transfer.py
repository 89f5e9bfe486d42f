"""One HTTP request to a server that may be hostile: addresses are judged, size and time are limited.

Slow to import because of httpx, so only requests import it.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import closing, suppress
from typing import Any

import httpx

from paper_notes.features.papers.request import BUSY, Request, Response, user_agent
from paper_notes.values import Struct

MAX_REDIRECTS = 5
_GZIP = 16 + zlib.MAX_WBITS  # zlib's number of the format
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses for IPv4 ones, which are their last 32 bits."""
_NO_ADDRESS = "redirects to what is not a web address"
_INSIDE = "is in your own network ({})"
_INTO = "redirects into a private network ({})"

Progress = Callable[[int, int | None], None]
"""Gets the bytes so far, and the total if it is known."""
Resolve = Callable[[str], Iterable[str]]
"""Gives the addresses of a host; none if they are unknown. Raises UnicodeError for a bad name of a host."""


class Refused(Exception):
    """The server is at a forbidden address, or redirects to one. The message follows the server's name."""


class TooLarge(Exception):
    """The answer is larger than allowed, as it was sent or as it would be decoded."""


class TooSlow(Exception):
    """The whole answer takes longer than allowed."""


class NotConnected(Exception):
    """There was no connection within the time allowed for it."""


class Unreadable(Exception):
    """The encoding of the answer is unknown or broken; the message says how."""


class TimeLimits(Struct, frozen=True):
    """The seconds that a request may take."""

    whole: float
    """For everything: connections, redirects, and the whole answer."""
    silence: float
    """Until the server must have sent something."""
    connect: float | None = None
    """Until there must be a connection, if `silence` does not limit that."""


def addresses_of(host: str) -> tuple[str, ...]:
    """The addresses of a host as this machine resolves them: `2130706433` and `0x7f.1` are 127.0.0.1."""
    try:
        records = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:  # perhaps only a proxy can resolve names
        return ()
    return tuple(dict.fromkeys(str(address[0]) for *_, address in records))


def is_closed(address: str) -> bool:
    """True for addresses that only this machine or its own network can reach: loopback, private, link-local ..."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else None
        ip = ip.ipv4_mapped or ip.sixtofour or inner or ip
    return not ip.is_global or ip.is_multicast or (ip.version == 6 and ip.is_site_local)


def receive_once_connected(
    client: httpx.Client,
    wanted: Request,
    limits: TimeLimits,
    resolve: Resolve = addresses_of,
    progress: Progress | None = None,
) -> Response:
    """Like `receive`, but for `limits.connect`: it works in a thread, which is left behind without a connection.

    Looking up the name of a host can take long, and nothing can interrupt it. Raises NotConnected, too.
    """
    connected, answer = threading.Event(), Future[Response]()

    def work() -> None:
        try:
            answer.set_result(receive(client, wanted, limits, resolve, progress, connected.set))
        except BaseException as error:  # it is raised again by `answer.result`
            answer.set_exception(error)
        connected.set()

    threading.Thread(target=work, daemon=True).start()
    if not connected.wait(limits.connect):
        raise NotConnected
    return answer.result()


def receive(
    client: httpx.Client,
    wanted: Request,
    limits: TimeLimits,
    resolve: Resolve = addresses_of,
    progress: Progress | None = None,
    connected: Callable[[], None] = lambda: None,
) -> Response:
    """Send a request, follow allowed redirects, and read the answer. `connected` is called when there is a connection.

    Raises the exceptions of this module and of httpx: InvalidURL if the address is not a URL.
    """
    watch, service = Watch(limits.whole, connected), wanted.service
    headers = {"User-Agent": user_agent(), "Accept": wanted.accept, "Accept-Encoding": "gzip"}
    headers |= {"Authorization": "Bearer " + service.key} if service.key else {}
    headers |= {"Content-Type": "application/json"} if wanted.content else {}
    try:
        request = client.build_request(
            "POST" if wanted.content else "GET",
            service.url.rstrip("/") + wanted.path,
            params=wanted.query or None,
            content=wanted.content or None,
            headers=headers,
            timeout=httpx.Timeout(limits.silence, connect=limits.connect or limits.silence),
            extensions={"trace": watch},
        )
        watch.host = _host(request.url)
        if wanted.public:
            watch.judge(resolve, _INSIDE)
        for _ in range(MAX_REDIRECTS + 1):
            response = _send(client, request)
            with closing(response):
                following = response.next_request
                if following is None or wanted.content:
                    received = _read(response, wanted, progress)
                    if watch.expired:  # that may have ended an answer without a length
                        raise TooSlow
                    return received
            _check_redirect(request.url, following.url, resolve, watch)
            request = following
    except (httpx.HTTPError, OSError) as error:
        raise (TooSlow() if watch.expired else error) from error
    except ValueError as error:
        raise httpx.InvalidURL(str(error)) from error
    finally:
        watch.end()
    raise Refused(f"sends us round in a circle (more than {MAX_REDIRECTS} redirects)")


def _send(client: httpx.Client, request: httpx.Request) -> httpx.Response:
    """The answer's status and headers, before its content. Raises Refused."""
    try:
        return client.send(request, stream=True, follow_redirects=False)
    except (ValueError, httpx.InvalidURL) as error:  # ValueError comes from the codecs of host names
        raise Refused(_NO_ADDRESS) from error
    except httpx.RemoteProtocolError as error:
        if isinstance(error.__context__, httpx.InvalidURL):
            raise Refused(_NO_ADDRESS) from error
        raise


def _host(url: httpx.URL) -> str:
    """The host in the form that is resolved. Raises ValueError for a missing or bad host or port."""
    if not url.host or (url.port or 1) > 65535:
        raise ValueError("no host")
    host = url.raw_host.decode("ascii")
    host.encode("idna")
    return host


def _check_redirect(before: httpx.URL, url: httpx.URL, resolve: Resolve, watch: Watch) -> None:
    """Check a redirect before following it. Raises Refused."""
    try:
        host = _host(url)
    except ValueError as error:
        raise Refused(_NO_ADDRESS) from error
    if url.scheme not in ("http", "https"):
        raise Refused(_NO_ADDRESS)
    if (before.scheme, url.scheme) == ("https", "http"):
        raise Refused("redirects from https to http, where anybody on the way can read and answer")
    if url.userinfo not in (b"", before.userinfo):
        raise Refused("redirects to an address with a password in it")
    inside = not watch.public and watch.is_inside(resolve)
    watch.host, watch.address = host, ""
    if not inside:  # a server in a private network may redirect within it
        watch.judge(resolve, _INTO)


def _read(response: httpx.Response, wanted: Request, progress: Progress | None) -> Response:
    """The whole answer; of one that asks to try again the content is not read, unless it says why."""
    is_unread = response.status_code in BUSY and not wanted.words_of
    body = b"" if is_unread else _content(response, wanted.limit, progress)
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return Response(wanted, response.status_code, kind, body, response.reason_phrase, response.headers)


def _content(response: httpx.Response, limit: int, progress: Progress | None) -> bytes:
    """The content, read and decoded piece by piece, so that no bomb can go off. Raises TooLarge and Unreadable.

    Of gzip at most one byte more than the limit is unpacked.
    """
    names = [name.lower() for name in response.headers.get_list("Content-Encoding", split_commas=True) if name]
    if names not in ([], ["identity"], ["gzip"], ["x-gzip"]):
        raise Unreadable(f"it is encoded as {', '.join(names)[:60]}, and only gzip was asked for")
    decoder = zlib.decompressobj(_GZIP) if names in (["gzip"], ["x-gzip"]) else None
    promised = response.headers.get("Content-Length", "")
    total = int(promised) if re.fullmatch(r"[0-9]{1,18}", promised) and not decoder else None
    if (total or 0) > limit:
        raise TooLarge
    body, sent = bytearray(), 0
    for chunk in response.iter_raw():
        sent += len(chunk)
        try:
            body += decoder.decompress(chunk, limit + 1 - len(body)) if decoder else chunk
        except zlib.error as error:
            raise Unreadable(str(error)) from error
        if max(len(body), sent) > limit:  # what unpacks to nothing counts, too
            raise TooLarge
        if decoder and decoder.unused_data:
            raise Unreadable("something follows after the end of its gzip")
        if progress:
            progress(len(body), total)
    if decoder and sent and not decoder.eof:
        raise Unreadable("its gzip has no end")
    return bytes(body)


class Watch:
    """Closes connections when the time is up, whatever the server is doing, and connections to forbidden addresses.

    httpx's own timeouts start anew with each byte. httpx calls the watch with the events of a request.
    """

    def __init__(self, patience: float, connected: Callable[[], None] = lambda: None) -> None:
        self.expired = False
        self._connected = connected
        self.host = ""
        """The host that is asked."""
        self.address = ""
        """The address at which it was reached; empty through a proxy."""
        self.public = False
        """Whether the host must not be in a private network."""
        self._refusal = ""
        self._connecting_to = ""
        self._lock = threading.Lock()
        self._connections: list[socket.socket] = []
        self._timer = threading.Timer(patience, self._expire)
        self._timer.daemon = True
        self._timer.start()

    def __call__(self, event: str, info: Mapping[str, Any]) -> None:
        if event == "connection.connect_tcp.started":
            self._connecting_to = info["host"]
        if event.endswith("send_request_headers.started") and info["request"].method != b"CONNECT":
            self._connected()  # to the server itself, through a proxy or not
        stream: Any = info.get("return_value")
        if stream is None or not hasattr(stream, "get_extra_info"):
            return
        if event == "connection.connect_tcp.complete" and self._connecting_to == self.host:
            self.address = stream.get_extra_info("server_addr")[0]
            if self.public and is_closed(self.address):
                stream.close()
                raise Refused(self._refusal.format(self.address))
        with self._lock:
            self._connections.append(stream.get_extra_info("socket"))
            if self.expired:
                self._end_all()

    def judge(self, resolve: Resolve, refusal: str) -> None:
        """Refuse the host in a private network: now, and when it is reached, as its name may mean another one then."""
        self.public, self._refusal = True, refusal
        if closed := next(filter(is_closed, resolve(self.host)), ""):
            raise Refused(refusal.format(closed))

    def is_inside(self, resolve: Resolve) -> bool:
        """Whether the host was reached in a private network; a name that means a public address, too, is outside."""
        addresses = (self.address,) if self.address else tuple(resolve(self.host))
        return bool(addresses) and all(map(is_closed, addresses))

    def _expire(self) -> None:
        with self._lock:
            self.expired = True
            self._end_all()

    def _end_all(self) -> None:
        """Close the sockets, so that reads wake up and no more bytes arrive. TLS is bypassed: it would send more."""
        for connection in self._connections:
            with suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
            with suppress(OSError):
                socket.socket.close(connection)

    def end(self) -> None:
        """Stop watching."""
        self._timer.cancel()
