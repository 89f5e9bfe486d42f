from __future__ import annotations

import datetime
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest
from fake_arxiv import EMPTY, HEAD, Answer, FakeArxiv, error_feed, feed

from paper_notes import __version__
from paper_notes.corpus.model import ArxivId, Link, PersonName
from paper_notes.draft import Draft, person_name
from paper_notes.importers import arxiv
from paper_notes.importers.arxiv import ArxivReference, ImportProblem, fetch, offline_draft, parse_arxiv_id

RESPEC = ArxivReference(ArxivId("2510.26475"))
OFFLINE = "with --offline the note is made without arXiv, to be filled in later"
CHECK_ID = "check the id at https://arxiv.org/abs/2510.26475"


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False) as client:
        yield client


@pytest.fixture
def pauses() -> list[float]:
    return []


# -- ids -----------------------------------------------------------------------------------------------------------

IDS = {
    "2510.26475": "2510.26475",
    "  2510.26475\n": "2510.26475",
    "2510.26475v2": "2510.26475v2",
    "2510.26475V12": "2510.26475v12",
    "arXiv:2510.26475": "2510.26475",
    "arxiv:2510.26475v1": "2510.26475v1",
    "arXiv: 2510.26475": "2510.26475",
    "arXiv:2510.26475v1 [cs.LG]": "2510.26475v1",
    "0704.0001": "0704.0001",
    "1412.9999": "1412.9999",
    "1501.00001": "1501.00001",
    "cs/0112017": "cs/0112017",
    "arXiv:cs/0112017v3": "cs/0112017v3",
    "math.GT/0309136v1": "math/0309136v1",
    "hep-th/9711200": "hep-th/9711200",
    "cond-mat.str-el/0309136": None,
    "http://arxiv.org/abs/2510.26475": "2510.26475",
    "https://www.arxiv.org/abs/2510.26475v3/": "2510.26475v3",
    "https://arxiv.org/pdf/2510.26475": "2510.26475",
    "https://arxiv.org/pdf/2510.26475v1.pdf": "2510.26475v1",
    "https://arxiv.org/pdf/cs/0112017v1.pdf#page=3": "cs/0112017v1",
    "https://arxiv.org/html/2510.26475v1?utm=x&y=1#S2.SS1": "2510.26475v1",
    "https://export.arxiv.org/abs/math/0309136": "math/0309136",
    "HTTPS://ARXIV.ORG/ABS/2510.26475": "2510.26475",
    "arxiv.org/abs/2510.26475": "2510.26475",
    "": None,
    "ReSpec": None,
    "2510.2647": None,
    "1412.99999": None,
    "2510.264755": None,
    "2513.26475": None,
    "2500.26475": None,
    "0601.12345": None,
    "9901.1234": None,
    "2510.26475v0": None,
    "2510.26475v": None,
    "２５１０.26475": None,
    "cs/011201": None,
    "cs/0113017": None,
    "/0112017": None,
    "https://arxiv.org/list/cs.LG/recent": None,
    "https://arxiv.org.evil.example/abs/2510.26475": None,
    "https://example.org/abs/2510.26475": None,
    "2510.26475 2302.01318": None,
    "../../etc/passwd": None,
}


@pytest.mark.parametrize(("text", "wanted"), IDS.items())
def test_ids(text: str, wanted: str | None) -> None:
    found = parse_arxiv_id(text)
    assert (str(found) if found else None) == wanted


def test_parts_of_an_id() -> None:
    assert parse_arxiv_id("math.GT/0309136v1") == ArxivReference(ArxivId("math/0309136"), 1)


@pytest.mark.parametrize(
    ("text", "year", "month"),
    [("2510.26475v2", 2025, 10), ("0704.0001", 2007, 4), ("cs/0112017", 2001, 12), ("hep-th/9108001", 1991, 8)],
)
def test_offline_draft(text: str, year: int, month: int) -> None:
    reference = parse_arxiv_id(text)
    assert reference
    assert offline_draft(reference) == Draft(reference.id, reference.version, year, month)


# -- names ---------------------------------------------------------------------------------------------------------

NAMES = {
    "Ada Quill": PersonName("Ada", "", "Quill"),
    "  J. R. R.\n Tolkien ": PersonName("J. R. R.", "", "Tolkien"),
    "Ludwig van Beethoven": PersonName("Ludwig", "van", "Beethoven"),
    "Bruno van der Berg, Jr.": PersonName("Bruno", "van der", "Berg", "Jr."),
    "Robert Downey III": PersonName("Robert", "", "Downey", "III"),
    "Benjamin Van Durme": PersonName("Benjamin", "", "Van Durme"),
    "Quoc V. Le": PersonName("Quoc V.", "", "Le"),
    "Van Durme": PersonName("Van", "", "Durme"),
    "e. e. cummings": PersonName("e. e.", "", "cummings"),
    "Wei Ai": PersonName("Wei", "", "Ai"),
    "Łukasz Kaiser": PersonName("Łukasz", "", "Kaiser"),
    "OpenAI": PersonName(last="OpenAI"),
    "DeepSeek-AI": PersonName(last="DeepSeek-AI"),
    "Gemini Team Google": PersonName(last="Gemini Team Google"),
    "The Atlas Collaboration": PersonName(last="The Atlas Collaboration"),
    "李雷": PersonName(last="李雷"),
    ":": None,
    "": None,
}


@pytest.mark.parametrize(("text", "wanted"), NAMES.items())
def test_person_name(text: str, wanted: PersonName | None) -> None:
    assert person_name(text) == wanted


# -- good answers --------------------------------------------------------------------------------------------------


def test_fetch(arxiv_server: FakeArxiv, client: httpx.Client, pauses: list[float]) -> None:
    extras = {
        "arxiv:doi": "10.1234/abc",
        "arxiv:journal_ref": "Journal of Birds 3 (2025)",
        "arxiv:comment": "12 pages,\n 3 figures",
    }
    arxiv_server.says(feed(**extras))
    assert fetch(RESPEC, base_url=arxiv_server.url, client=client, sleep=pauses.append) == Draft(
        arxiv=ArxivId("2510.26475"),
        version=2,
        year=2025,
        month=10,
        title="Hummingbird: Fast & Frugal Decoding",
        authors=(
            PersonName("Ada", "", "Quill"),
            PersonName("Bruno", "van der", "Berg", "Jr."),
            PersonName(last="Nest-AI Team"),
        ),
        published=datetime.date(2025, 10, 30),
        updated=datetime.date(2025, 12, 1),
        abstract="We decode quickly. Speed-ups reach 4.5$\\times$ on 30\\% of tasks.",
        primary_class="cs.LG",
        doi="10.1234/abc",
        journal_ref="Journal of Birds 3 (2025)",
        comment="12 pages, 3 figures",
        links=(
            Link("alternate", "https://arxiv.org/abs/2510.26475v2"),
            Link("pdf", "https://arxiv.org/pdf/2510.26475v2"),
        ),
    )
    [question] = arxiv_server.questions
    assert question.query == {"id_list": ["2510.26475"], "max_results": ["1"]}
    assert question.user_agent.startswith(f"paper-notes/{__version__}")
    assert pauses == []


def test_asks_for_the_version(arxiv_server: FakeArxiv, client: httpx.Client) -> None:
    arxiv_server.says(feed("https://arxiv.org/abs/cs/0112017v3"))
    draft = fetch(ArxivReference(ArxivId("cs/0112017"), 3), base_url=arxiv_server.url, client=client)
    assert (draft.arxiv, draft.version) == ("cs/0112017", 3)
    assert arxiv_server.questions[0].query["id_list"] == ["cs/0112017v3"]


def test_an_entry_that_knows_little(arxiv_server: FakeArxiv, client: httpx.Client) -> None:
    bare = "<entry><id>http://arxiv.org/abs/2510.26475</id><title>T&#x2028;&#xFDD0;x</title><published>soon</published></entry>"
    arxiv_server.says(f"{HEAD}{bare}</feed>".encode())
    draft = fetch(RESPEC, base_url=arxiv_server.url, client=client)
    assert draft == Draft(ArxivId("2510.26475"), None, 2025, 10, title="T x")


def test_its_own_client(arxiv_server: FakeArxiv, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    arxiv_server.says(feed())
    assert fetch(RESPEC, base_url=arxiv_server.url).title == "Hummingbird: Fast & Frugal Decoding"


def test_httpx_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, paper_notes.importers.arxiv; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# -- answers that are worth another try ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({}, 3.0),
        ({"Retry-After": "1"}, 3.0),
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "86400"}, 30.0),
        ({"Retry-After": "soon"}, 3.0),
        ({"Retry-After": "-5"}, 3.0),
        ({"Retry-After": "Sat, 21 Nov 2099 07:28:00 GMT"}, 30.0),
        ({"Retry-After": "Sat, 21 Nov 2009 07:28:00 GMT"}, 3.0),
    ],
)
def test_waits_as_long_as_it_is_told(
    arxiv_server: FakeArxiv, client: httpx.Client, pauses: list[float], headers: dict[str, str], pause: float
) -> None:
    arxiv_server.says(Answer(b"", 429, headers), feed())
    draft = fetch(RESPEC, base_url=arxiv_server.url, client=client, sleep=pauses.append)
    assert (draft.version, pauses, len(arxiv_server.questions)) == (2, [pause], 2)


BUSY = {
    "503": (Answer(b"", 503), "it answered 503 Service Unavailable"),
    "429": (Answer(b"", 429), "it answered 429 Too Many Requests"),
    "500": (Answer(b"", 500), "it answered 500 Internal Server Error"),
    "rate": (Answer(b"Rate exceeded."), "it says that there were too many requests"),
    "slow": (Answer(feed(), delay=30), "no answer within 0.2 seconds"),
    "cut": (
        Answer(feed()[:200], cut=True),
        "peer closed connection without sending complete message body (received 200 bytes, expected 300)",
    ),
}


@pytest.mark.parametrize(("answer", "what"), BUSY.values(), ids=BUSY)
def test_gives_up_after_three_tries(
    arxiv_server: FakeArxiv,
    client: httpx.Client,
    pauses: list[float],
    monkeypatch: pytest.MonkeyPatch,
    answer: Answer,
    what: str,
) -> None:
    monkeypatch.setattr(arxiv, "TIMEOUT", 0.2)
    arxiv_server.says(answer)
    with pytest.raises(ImportProblem) as caught:
        fetch(RESPEC, base_url=arxiv_server.url, client=client, sleep=pauses.append)
    assert caught.value.message == f"arXiv cannot be reached: {what} (tried 3 times)"
    assert caught.value.hint == f"check the network, or try again in some minutes; {OFFLINE}"
    assert (pauses, len(arxiv_server.questions)) == ([3.0, 6.0], 3)


def test_a_dripping_answer(arxiv_server: FakeArxiv, client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arxiv, "_read", lambda response: None)
    arxiv_server.says(feed())
    with pytest.raises(ImportProblem, match=r"no whole answer within 60 seconds \(tried 3 times\)"):
        fetch(RESPEC, base_url=arxiv_server.url, client=client, sleep=lambda seconds: None)


def test_nobody_there(client: httpx.Client, pauses: list[float]) -> None:
    with pytest.raises(ImportProblem) as caught:
        fetch(RESPEC, base_url="http://127.0.0.1:9/api", client=client, sleep=pauses.append)
    assert caught.value.message == "arXiv cannot be reached: Connection refused (tried 3 times)"
    assert pauses == [3.0, 6.0]


# -- answers that are final ----------------------------------------------------------------------------------------

BOMB = b'<?xml version="1.0"?>\n<!DOCTYPE feed [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<feed>&b;</feed>'
LOG_IN = f"a log-in page of your network may stand in between: open arxiv.org in a browser; {OFFLINE}"
FINAL = {
    "unknown": (EMPTY, "arXiv has no paper 2510.26475", CHECK_ID),
    "error": (
        error_feed("incorrect id format for 2510.26475"),
        "arXiv has no paper 2510.26475: it says incorrect id format for 2510.26475",
        CHECK_ID,
    ),
    "error-400": (
        Answer(error_feed(""), 400),
        "arXiv has no paper 2510.26475: it says Error",
        CHECK_ID,
    ),
    "other-id": (
        feed("http://arxiv.org/abs/2302.01318v1"),
        "arXiv was asked for 2510.26475 and answered with 2302.01318v1",
        f"try again; {OFFLINE}",
    ),
    "no-id": (
        feed(""),
        "arXiv was asked for 2510.26475 and answered with an entry without an id",
        f"try again; {OFFLINE}",
    ),
    "no-title": (feed(title=""), "arXiv's entry for 2510.26475 has no title", OFFLINE),
    "html": (
        b"\n<!DOCTYPE html><html><body>Welcome to Hotel WiFi</body></html>",
        "arXiv's answer is a web page, not a feed",
        LOG_IN,
    ),
    "xhtml": (
        b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
        "arXiv's answer is a web page, not a feed",
        LOG_IN,
    ),
    "truncated": (
        feed()[:400],
        "arXiv's answer is not a whole feed: no element found in line 10",
        f"try again; {OFFLINE}",
    ),
    "nothing": (b"", "arXiv's answer is not a whole feed: no element found in line 1", f"try again; {OFFLINE}"),
    "text": (
        b"Sorry!",
        "arXiv's answer is not a whole feed: not well-formed (invalid token) in line 1",
        f"try again; {OFFLINE}",
    ),
    "json": (
        b"{}",
        "arXiv's answer is not a whole feed: not well-formed (invalid token) in line 1",
        f"try again; {OFFLINE}",
    ),
    "entity": (
        feed().replace(b"Ada", b"&ada;"),
        "arXiv's answer is not a whole feed: undefined entity in line 13",
        f"try again; {OFFLINE}",
    ),
    "doctype": (BOMB, "arXiv's answer is not a feed: it declares a document type (feed)", OFFLINE),
    "bad-utf8": (
        feed().replace(b"Ada", b"\xff\xfe"),
        "arXiv's answer is not a whole feed: not well-formed (invalid token) in line 13",
        f"try again; {OFFLINE}",
    ),
    "encoding": (
        b'<?xml version="1.0" encoding="utf-7"?><feed/>',
        "arXiv's answer is not a feed: multi-byte encodings are not supported",
        OFFLINE,
    ),
    "other-xml": (b"<rss/>", "arXiv's answer is not a feed but <rss>", OFFLINE),
    "huge": (b" " * (5 * 1024 * 1024 + 1), "arXiv's answer is larger than 5 MB, which no paper's entry is", OFFLINE),
    "403": (
        Answer(b"go away", 403),
        "arXiv answered 403 Forbidden",
        f"check PAPER_NOTES_ARXIV_URL if you set it; {OFFLINE}",
    ),
    "404": (
        Answer(b"<html>", 404),
        "arXiv answered 404 Not Found",
        f"check PAPER_NOTES_ARXIV_URL if you set it; {OFFLINE}",
    ),
    "bad-gzip": (
        Answer(b"nonsense", 200, {"Content-Encoding": "gzip"}),
        "arXiv's answer cannot be read: Error -3 while decompressing data: incorrect header check",
        OFFLINE,
    ),
}


@pytest.mark.parametrize(("answer", "message", "hint"), FINAL.values(), ids=FINAL)
def test_final_answers(
    arxiv_server: FakeArxiv,
    client: httpx.Client,
    pauses: list[float],
    answer: Answer | bytes,
    message: str,
    hint: str,
) -> None:
    arxiv_server.says(answer)
    with pytest.raises(ImportProblem) as caught:
        fetch(RESPEC, base_url=arxiv_server.url, client=client, sleep=pauses.append)
    assert (caught.value.message, caught.value.hint) == (message, hint)
    assert (pauses, len(arxiv_server.questions)) == ([], 1)


def test_an_unknown_version(arxiv_server: FakeArxiv, client: httpx.Client) -> None:
    arxiv_server.says(EMPTY)
    with pytest.raises(ImportProblem) as caught:
        fetch(ArxivReference(ArxivId("2510.26475"), 9), base_url=arxiv_server.url, client=client)
    assert caught.value.message == "arXiv has no paper 2510.26475v9"
    assert caught.value.hint == f"{CHECK_ID}, or leave the version out"


def test_another_version(arxiv_server: FakeArxiv, client: httpx.Client) -> None:
    arxiv_server.says(feed())
    with pytest.raises(ImportProblem) as caught:
        fetch(ArxivReference(ArxivId("2510.26475"), 1), base_url=arxiv_server.url, client=client)
    assert caught.value.message == "arXiv was asked for 2510.26475v1 and answered with 2510.26475v2"


@pytest.mark.parametrize("url", ["", "arxiv.org", "ftp://127.0.0.1/api", "file:///etc/passwd", "http://"])
def test_a_bad_base_url(client: httpx.Client, pauses: list[float], url: str) -> None:
    with pytest.raises(ImportProblem) as caught:
        fetch(RESPEC, base_url=url, client=client, sleep=pauses.append)
    assert caught.value.message == f'"{url}" is not a web address'
    assert caught.value.hint == "mend PAPER_NOTES_ARXIV_URL, or unset it"
    assert pauses == []


def test_a_bad_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "foo://127.0.0.1:1")
    with pytest.raises(ImportProblem) as caught:
        fetch(RESPEC, base_url="http://127.0.0.1:9")
    assert caught.value.message == (
        "the proxy of your environment cannot be used: Unknown scheme for proxy URL URL('foo://127.0.0.1:1')"
    )
    assert caught.value.hint == f"mend or unset ALL_PROXY, HTTPS_PROXY and HTTP_PROXY; {OFFLINE}"
