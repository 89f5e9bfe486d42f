"""Manners towards other people's servers: turns, patience, answers remembered, proxies and addresses."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Callable

import httpx
import pytest
from fake_outside import EMPTY, Answer, FakeOutside, FakePlace, feed

from paper_notes import __version__
from paper_notes.corpus.model import ArxivId
from paper_notes.diagnostics import UserError
from paper_notes.features.papers import arxiv
from paper_notes.features.papers import web as web_module
from paper_notes.features.papers.arxiv import ARXIV, ArxivReference
from paper_notes.features.papers.request import NoResponse, Request, Service
from paper_notes.features.papers.transfer import NotConnected, TimeLimits, receive_once_connected
from paper_notes.features.papers.web import DAY, NO_NETWORK, Web
from paper_notes.values import replace

RESPEC = ArxivReference(ArxivId("2510.26475"))


class Table:
    """A cache in memory."""

    def __init__(self) -> None:
        self.kept: dict[bytes | str, bytes] = {}

    def get(self, key: bytes | str, **_: bool) -> bytes | None:
        return self.kept.get(key)

    def put(self, key: bytes | str, value: bytes, **_: bool) -> None:
        self.kept[key] = value


@pytest.fixture
def table() -> Table:
    return Table()


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_web(client: httpx.Client, table: Table, clock: Clock) -> Callable[[], Web]:
    """One run of the program after the other, all with one cache."""
    return lambda: Web(client=client, store=table, sleep=clock.sleep, clock=clock)


def ask(web: Web, place: FakePlace, reference: ArxivReference = RESPEC) -> int | None:
    return arxiv.ask(web, reference, replace(ARXIV, url=place.url)).version


def test_an_answer_is_asked_for_once_a_day(outside: FakeOutside, make_web: Callable[[], Web], clock: Clock) -> None:
    outside.arxiv.says(feed())
    assert [ask(make_web(), outside.arxiv) for _ in range(3)] == [2, 2, 2]
    assert len(outside.arxiv.questions) == 1
    clock.now += DAY
    ask(make_web(), outside.arxiv)
    assert len(outside.arxiv.questions) == 2


def test_answers_to_other_questions_are_others(outside: FakeOutside, make_web: Callable[[], Web]) -> None:
    outside.arxiv.says(feed("http://arxiv.org/abs/2510.26475v1"), feed())
    web = make_web()
    assert ask(web, outside.arxiv, replace(RESPEC, version=1)) == 1
    assert ask(web, outside.arxiv) == 2


@pytest.mark.parametrize("bad", [EMPTY, b"<html>", feed("http://arxiv.org/abs/2302.01318"), feed()[:300]])
def test_what_cannot_be_used_is_not_remembered(
    outside: FakeOutside, make_web: Callable[[], Web], table: Table, bad: bytes
) -> None:
    outside.arxiv.says(bad, feed())
    with pytest.raises(UserError):
        ask(make_web(), outside.arxiv)
    assert ask(make_web(), outside.arxiv) == 2


@pytest.mark.parametrize(
    "rubbish", [b"", b"x", b"1800000000\n", b"1800000000\natom\n<html>", b"nan\na\nb", b"\xff\n\xff\n"]
)
def test_a_cache_with_rubbish_is_asked_in_vain(
    outside: FakeOutside, make_web: Callable[[], Web], table: Table, rubbish: bytes
) -> None:
    outside.arxiv.says(feed())
    ask(make_web(), outside.arxiv)
    table.kept = dict.fromkeys(table.kept, rubbish)
    assert ask(make_web(), outside.arxiv) == 2
    assert len(outside.arxiv.questions) == 2


def test_an_answer_from_the_future_is_not_fresh(
    outside: FakeOutside, make_web: Callable[[], Web], clock: Clock
) -> None:
    outside.arxiv.says(feed())
    ask(make_web(), outside.arxiv)
    clock.now -= 3 * DAY
    ask(make_web(), outside.arxiv)
    assert len(outside.arxiv.questions) == 2
    assert clock.pauses == [], "nor does a last turn in the future make us wait"


def test_three_seconds_between_questions_even_of_two_runs(
    outside: FakeOutside, make_web: Callable[[], Web], clock: Clock
) -> None:
    outside.arxiv.says(*(feed(f"http://arxiv.org/abs/2510.26475v{version}") for version in (1, 2, 3, 4)))
    web = make_web()
    ask(web, outside.arxiv, replace(RESPEC, version=1))
    ask(web, outside.arxiv, replace(RESPEC, version=2))
    assert clock.pauses == [3.0]
    clock.now += 1
    ask(make_web(), outside.arxiv, replace(RESPEC, version=3))
    assert clock.pauses == [3.0, 2.0]
    clock.now += 10
    ask(make_web(), outside.arxiv, replace(RESPEC, version=4))
    assert clock.pauses == [3.0, 2.0]


def test_it_says_why_it_waits(outside: FakeOutside, client: httpx.Client) -> None:
    said: list[str] = []
    outside.arxiv.says(Answer(b"", 429, {"Retry-After": "7"}), feed())
    ask(Web(client=client, sleep=lambda seconds: None, say=said.append), outside.arxiv)
    assert said == ["arXiv: it answered 429 Too Many Requests; trying again in 7 s ..."]


def test_all_tries_and_pauses_have_one_deadline(outside: FakeOutside, client: httpx.Client, clock: Clock) -> None:
    outside.arxiv.says(Answer(b"", 429, {"Retry-After": "40"}))
    with pytest.raises(UserError, match="429 Too Many Requests \\(tried 2 times\\)"):
        ask(Web(client=client, sleep=clock.sleep, clock=clock), outside.arxiv)
    assert clock.pauses == [40.0], "another 40 seconds would end after 60"


def test_who_we_are(outside: FakeOutside, web: Web) -> None:
    outside.arxiv.says(feed())
    ask(web, outside.arxiv)
    assert outside.arxiv.questions[0].user_agent.startswith(f"paper-notes/{__version__}")


def test_a_redirect_is_followed(outside: FakeOutside, web: Web) -> None:
    outside.arxiv.says(Answer(b"", 301, {"Location": "HERE?moved=1"}), feed())
    assert ask(web, outside.arxiv) == 2
    assert [question.query for question in outside.arxiv.questions][1] == {"moved": ["1"]}


def test_its_own_client(outside: FakeOutside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    outside.arxiv.says(feed())
    web = Web()
    assert ask(web, outside.arxiv) == 2
    web.close()
    web.close()


def test_nobody_there(web: Web, pauses: list[float]) -> None:
    with pytest.raises(UserError) as caught:
        arxiv.ask(web, RESPEC, replace(ARXIV, url="http://127.0.0.1:9/api"))
    assert caught.value.message == "arXiv cannot be reached: Connection refused (tried 2 times)"
    assert caught.value.hint == (
        "check the network, or try again in some minutes; "
        "with --offline the note is made without it, and `paper-notes lookup` fills it in later"
    )
    assert pauses == [3.0]


def test_without_a_network_all_services_together_take_five_seconds(clock: Clock) -> None:
    class Silent(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            clock.now += request.extensions["timeout"]["connect"]
            raise httpx.ConnectTimeout("")

    start = clock.now
    web = Web(client=httpx.Client(transport=Silent()), sleep=clock.sleep, clock=clock)
    for _ in range(4):
        with pytest.raises(NoResponse, match=r"^arXiv cannot be reached: (?:no|there is no) connection"):
            arxiv.ask(web, RESPEC)
    assert clock.now - start == NO_NETWORK


def test_a_resolver_that_hangs_holds_nobody(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, limits = Request(Service("", "http://hangs.example/")), TimeLimits(5.0, 5.0, connect=0.05)
    waiting = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: waiting.wait(5) and [])
    with pytest.raises(NotConnected):
        receive_once_connected(client, wanted, limits)
    waiting.set()


def test_a_slow_server_has_more_time_than_a_connection(
    outside: FakeOutside, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_module, "CONNECT", 0.5)
    outside.arxiv.says(Answer(feed(), delay=0.8))
    assert ask(web, outside.arxiv) == 2


@pytest.mark.parametrize(
    "url", ["", "arxiv.org", "ftp://127.0.0.1/api", "file:///etc/passwd", "http://", "http:// x", "http://["]
)
def test_a_bad_base_url(web: Web, pauses: list[float], url: str) -> None:
    with pytest.raises(UserError) as caught:
        arxiv.ask(web, RESPEC, replace(ARXIV, url=url))
    assert caught.value.message == f'"{url}" is not a web address'
    assert caught.value.hint == "fix PAPER_NOTES_ARXIV_URL, or unset it"
    assert pauses == []


def test_a_bad_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "foo://127.0.0.1:1")
    with pytest.raises(UserError) as caught:
        arxiv.ask(Web(), RESPEC, replace(ARXIV, url="http://127.0.0.1:9", instead=""))
    assert caught.value.message == (
        "the proxy of your environment cannot be used: Unknown scheme for proxy URL URL('foo://127.0.0.1:1')"
    )
    assert caught.value.hint == "fix or unset ALL_PROXY, HTTPS_PROXY and HTTP_PROXY"


def test_httpx_is_not_imported_before_it_is_needed() -> None:
    code = (
        "import sys, paper_notes.features.papers.resolve; sys.exit('httpx' in sys.modules or 'pymupdf' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
