"""Servers that are hostile: bombs, answers without an end, and redirects to where nobody should be sent."""

from __future__ import annotations

import gzip
import itertools
import socket
import threading
import time
import tracemalloc
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import httpcore
import httpx
import pytest

from paper_notes.features.papers.request import Request, Response, Service
from paper_notes.features.papers.transfer import (
    Refused,
    TimeLimits,
    TooLarge,
    TooSlow,
    Unreadable,
    addresses_of,
    is_closed,
    receive,
)

OK = b"HTTP/1.1 200 OK\r\n"
PUBLIC = "93.184.215.14"


@contextmanager
def server(pieces: Iterable[bytes]) -> Iterator[str]:
    """Sends these pieces, whatever they are, to the first client."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError), listening.accept()[0] as connection:
                connection.recv(65536)
                for piece in pieces:
                    connection.sendall(piece)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        thread.join(120)
        assert not thread.is_alive()


def ask(client: httpx.Client, url: str, *, limit: int = 10_000, patience: float = 5.0) -> Response:
    return receive(client, Request(Service("", url), limit=limit), TimeLimits(patience, 30.0))


def encoded(body: bytes, *names: str) -> bytes:
    heads = "".join(f"Content-Encoding: {name}\r\n" for name in names)
    return OK + f"{heads}Content-Length: {len(body)}\r\n\r\n".encode() + body


def test_gzip_is_unpacked_and_asked_for(client: httpx.Client) -> None:
    with server([encoded(gzip.compress(b"a feed"), "GZIP")]) as url:
        assert ask(client, url).body == b"a feed"
    seen: list[str] = []
    transport = httpx.MockTransport(
        lambda request: (
            seen.append(request.headers["Accept-Encoding"]) or httpx.Response(200, stream=httpx.ByteStream(b""))
        )
    )
    with httpx.Client(transport=transport) as mock:
        ask(mock, "https://arxiv.org/")
    assert seen == ["gzip"]


def test_a_bomb_is_unpacked_up_to_the_limit_only(client: httpx.Client) -> None:
    bomb = gzip.compress(bytes(64_000_000))
    tracemalloc.start()
    with server([encoded(bomb, "gzip")]) as url, pytest.raises(TooLarge):
        ask(client, url)
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def endless_gzip() -> Iterator[bytes]:
    """Empty blocks without end: nothing ever comes out of them."""
    packer = zlib.compressobj(wbits=31)
    yield OK + b"Content-Encoding: gzip\r\n\r\n"
    while True:
        yield packer.flush(zlib.Z_FULL_FLUSH) or packer.compress(b"") or b"\x00\x00\x00\xff\xff" * 1000


def test_what_unpacks_to_nothing_counts_too(client: httpx.Client) -> None:
    with server(endless_gzip()) as url, pytest.raises(TooLarge):
        ask(client, url)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("gzip, gzip, gzip",), "gzip, gzip, gzip"),
        (("gzip", "gzip"), "gzip, gzip"),
        (("identity, gzip",), "identity, gzip"),
        (("br",), "br"),
        (("deflate",), "deflate"),
        (("zstd",), "zstd"),
    ],
)
def test_stacks_and_other_encodings_are_refused(client: httpx.Client, names: tuple[str, ...], said: str) -> None:
    body = gzip.compress(gzip.compress(gzip.compress(bytes(1_000_000))))
    with server([encoded(body, *names)]) as url, pytest.raises(Unreadable) as caught:
        ask(client, url)
    assert str(caught.value) == f"it is encoded as {said}, and only gzip was asked for"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (gzip.compress(b"a feed")[:-9], "its gzip has no end"),
        (gzip.compress(b"a feed") + gzip.compress(b"another"), "something follows after the end of its gzip"),
        (b"nonsense", "Error -3 while decompressing data: incorrect header check"),
    ],
    ids=["cut", "continued", "nonsense"],
)
def test_broken_gzip_is_refused(client: httpx.Client, body: bytes, said: str) -> None:
    with server([encoded(body, "gzip")]) as url, pytest.raises(Unreadable) as caught:
        ask(client, url)
    assert str(caught.value) == said


def slowly(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield piece
        time.sleep(0.02)


ENDLESS = {
    "a body that drips": slowly(itertools.chain([OK + b"\r\n"], itertools.repeat(b"x"))),
    "headers that drip": slowly(itertools.chain([OK + b"X-Long: "], itertools.repeat(b"x"))),
    "answers before the answer": itertools.repeat(b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "chunks that drip": slowly(
        itertools.chain([OK + b"Transfer-Encoding: chunked\r\n\r\n"], itertools.repeat(b"1;x=y\r\nx\r\n"))
    ),
}


@pytest.mark.parametrize("pieces", ENDLESS.values(), ids=ENDLESS)
def test_what_never_ends_is_ended(client: httpx.Client, pieces: Iterable[bytes]) -> None:
    with server(pieces) as url, pytest.raises(TooSlow):
        ask(client, url, limit=10**9, patience=0.15)


@pytest.mark.parametrize(
    "pieces",
    [
        [OK + b"Content-Length: 99999999999999999999999999999999\r\n\r\n"],
        [OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n"],
        [OK + b"Content-Length: 10\r\nContent-Length: 20\r\n\r\n"],
        [OK + b"Content-Length: -1\r\n\r\n"],
        [OK + b"Content-Length: \xb2\r\n\r\n"],
        [OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n"],
        [OK + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" + b"x" * 5000],
        [OK + b"Transfer-Encoding: chunked\r\n\r\n1" + b"0" * 5000 + b"\r\n"],
        [OK + b"X-Long: " + b"x" * 1_000_000 + b"\r\n\r\n"],
        [OK, *[b"X-%d: y\r\n" % number for number in range(20_000)], b"\r\n"],
        [b"HTTP/9.9 what\r\n\r\n"],
        [b"\x00" * 1000],
        [],
    ],
)
def test_broken_answers_end_with_an_error_of_the_network(client: httpx.Client, pieces: list[bytes]) -> None:
    with server(pieces) as url, pytest.raises((httpx.HTTPError, TooLarge)):
        ask(client, url)


# -- redirects -----------------------------------------------------------------------------------------------------

HOSTS = {"doi.org": PUBLIC, "api.crossref.org": "172.217.16.1", "inside.example": "10.1.2.3", "both.example": PUBLIC}


def resolve(host: str) -> tuple[str, ...]:
    """As a resolver would, for names that are made up."""
    if host == "both.example":
        return (PUBLIC, "fd00::1")
    return (HOSTS[host],) if host in HOSTS else addresses_of(host)


def redirected(*places: str, own: str = "https://doi.org/10.1/x") -> list[str]:
    """The addresses that are asked if the servers send us to these places in turn."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        if len(asked) > len(places):
            return httpx.Response(200, stream=httpx.ByteStream(b""))
        return httpx.Response(302, headers=[(b"Location", places[len(asked) - 1].encode())])

    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        try:
            receive(client, Request(Service("", own), limit=1000), TimeLimits(5.0, 3.0), resolve)
        except Refused as problem:
            asked.append(f"refused: {problem}")
    return asked[1:]


def test_public_places_are_asked() -> None:
    there = "https://api.crossref.org/v1/works/10.1/x"
    assert redirected(there, "../x?y") == [there, "https://api.crossref.org/v1/works/x?y"]


CLOSED = {
    "https://127.0.0.1/": "127.0.0.1",
    "https://localhost:8000/admin": "",
    "https://127.1/": "127.0.0.1",
    "https://2130706433/": "127.0.0.1",
    "https://0x7f.0.0.1/": "127.0.0.1",
    "https://0/": "0.0.0.0",
    "https://169.254.169.254/latest/meta-data/": "169.254.169.254",
    "https://100.100.100.200/": "100.100.100.200",
    "https://10.0.0.1/": "10.0.0.1",
    "https://172.31.255.1/": "172.31.255.1",
    "https://192.168.1.1/": "192.168.1.1",
    "https://[::1]/": "::1",
    "https://[::]/": "::",
    "https://[::ffff:169.254.169.254]/": "::ffff:169.254.169.254",
    "https://[::ffff:a9fe:a9fe]/": "::ffff:169.254.169.254",
    "https://[64:ff9b::a00:1]/": "64:ff9b::a00:1",
    "https://[2002:7f00:1::]/": "2002:7f00:1::",
    "https://[fe80::1]/": "fe80::1",
    "https://[fd12:3456::1]/": "fd12:3456::1",
    "https://[fec0::1]/": "fec0::1",
    "https://224.0.0.1/": "224.0.0.1",
    "//inside.example/": "10.1.2.3",
    "https://both.example/": "fd00::1",
}


@pytest.mark.parametrize(("place", "address"), CLOSED.items())
def test_nobody_is_asked_in_a_private_network(place: str, address: str) -> None:
    (last,) = redirected(place)
    assert last.startswith(f"refused: redirects into a private network ({address}")


def test_every_redirect_is_checked_not_just_the_first() -> None:
    there = "https://api.crossref.org/"
    assert redirected(there, "https://10.0.0.1/") == [there, "refused: redirects into a private network (10.0.0.1)"]


@pytest.mark.parametrize(
    "place",
    (
        "file:///etc/passwd ftp://doi.org/ javascript:alert(1) data:,x https://xn--a/ https://a..b/ //xn--0/ "
        f"https://{'a' * 70}.org/ https://[::1 https://é\u0301..x/ https://doi.org:99999999/ https://\x7f/ gopher://doi.org/"
    ).split(),
)
def test_what_is_no_web_address_is_not_followed(place: str) -> None:
    (last,) = redirected(place)
    assert last == "refused: redirects to what is not a web address"


def test_neither_down_to_http_nor_with_a_password() -> None:
    (down,) = redirected("http://doi.org/x")
    assert down == "refused: redirects from https to http, where anybody on the way can read and answer"
    (password,) = redirected("https://me:secret@api.crossref.org/")
    assert password == "refused: redirects to an address with a password in it"
    assert redirected("/x", own="https://me:secret@doi.org/") == ["https://me:secret@doi.org/x"]
    assert redirected("https://api.crossref.org/", own="http://doi.org/") == ["https://api.crossref.org/"]


def test_a_service_in_a_private_network_may_redirect_in_it() -> None:
    assert redirected("http://10.0.0.1/", own="http://127.0.0.1:8000/x") == ["http://10.0.0.1/"]


def test_an_inside_address_beside_a_public_one_opens_no_network() -> None:
    inside = ["refused: redirects into a private network (127.0.0.1)"]
    assert redirected("http://127.0.0.1/", own="http://both.example/x") == inside


def test_a_server_in_a_private_network_leads_out_of_it_for_good() -> None:
    out = "http://doi.org/"
    assert redirected(out, "http://10.0.0.1/", own="http://127.0.0.1/x") == [
        out,
        "refused: redirects into a private network (10.0.0.1)",
    ]


class Stream(httpcore.MockStream):
    """A connection to an address, which answers with these pieces and keeps what is sent."""

    def __init__(self, address: str, pieces: list[bytes], sent: list[str]) -> None:
        super().__init__(pieces)
        self.address, self.sent = address, sent

    def get_extra_info(self, info: str) -> object:
        with socket.socket() as closed:
            return {"server_addr": (self.address, 80), "socket": closed}.get(info)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if buffer:
            self.sent.append(f"{self.address}: {buffer.split()[1].decode()}")


class Network(httpcore.MockBackend):
    """A network in which each connection reaches the next of these addresses, whatever the host is called."""

    def __init__(self, *answers: tuple[str, str]) -> None:
        super().__init__([])
        self.answers, self.sent = iter(answers), list[str]()

    def connect_tcp(self, *_: object, **__: object) -> httpcore.NetworkStream:
        address, location = next(self.answers)
        head = f"302 Found\r\nLocation: {location}" if location else "200 OK"
        return Stream(address, [f"HTTP/1.1 {head}\r\nContent-Length: 0\r\n\r\n".encode()], self.sent)

    def asked(self, url: str, *, public: bool = False) -> list[str]:
        """What was sent, and where to, for a name that resolves to a public address whenever one asks."""
        transport = httpx.HTTPTransport()
        transport._pool = httpcore.ConnectionPool(network_backend=self, max_keepalive_connections=0)
        with httpx.Client(transport=transport) as client:
            try:
                request = Request(Service("", url), limit=1000, public=public)
                receive(client, request, TimeLimits(5.0, 3.0), lambda host: (PUBLIC,))
            except Refused as problem:
                self.sent.append(f"refused: {problem}")
        return self.sent


def test_a_name_that_changes_its_meaning_is_noticed_before_anything_is_sent() -> None:
    refused = "refused: redirects into a private network (127.0.0.1)"
    network = Network((PUBLIC, "http://other.example/"), ("127.0.0.1", ""))
    assert network.asked("http://evil.example/") == [f"{PUBLIC}: /", refused]
    network = Network((PUBLIC, "/again"), ("127.0.0.1", ""))
    assert network.asked("http://evil.example/") == [f"{PUBLIC}: /", refused], "nor at the same host"


def test_where_a_server_was_reached_decides_where_it_may_lead() -> None:
    network = Network(("10.0.0.1", "http://wiki.corp/"), ("10.0.0.2", ""))
    assert network.asked("http://wiki.corp/x") == ["10.0.0.1: /x", "10.0.0.2: /"]


def test_a_public_server_is_not_asked_at_an_address_inside() -> None:
    assert Network(("127.0.0.1", "")).asked("http://evil.example/", public=True) == [
        "refused: is in your own network (127.0.0.1)"
    ]
    assert Network((PUBLIC, "")).asked("http://good.example/", public=True) == [f"{PUBLIC}: /"]


@pytest.mark.parametrize("address", [PUBLIC, "2606:2800:220:1::1", "64:ff9b::5db8:d70e", "2002:5db8:d70e::"])
def test_the_rest_is_open(address: str) -> None:
    assert not is_closed(address)
