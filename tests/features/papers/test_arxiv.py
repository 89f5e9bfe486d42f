from __future__ import annotations

import datetime

import httpx
import pytest
from fake_outside import EMPTY, HEAD, Answer, FakeOutside, FakePlace, entry, error_feed, feed, feed_of

from paper_notes import __version__
from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import PersonName
from paper_notes.diagnostics import UserError
from paper_notes.features.papers import arxiv
from paper_notes.features.papers.arxiv import ARXIV, ArxivReference, ask_many, offline_draft, parse_arxiv_id
from paper_notes.features.papers.draft import Draft, person_name
from paper_notes.features.papers.request import NoResponse
from paper_notes.features.papers.web import Web
from paper_notes.values import replace

RESPEC = ArxivReference(ArxivId("2510.26475"))
OFFLINE = "with --offline the note is made without it, and `paper-notes lookup` fills it in later"
CHECK_ID = "check the id at https://arxiv.org/abs/2510.26475"


def ask(web: Web, server: FakePlace, reference: ArxivReference = RESPEC) -> Draft:
    return arxiv.ask(web, reference, replace(ARXIV, url=server.url))


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
    "https://huggingface.co/papers/2510.26475": "2510.26475",
    "huggingface.co/papers/2510.26475?utm=x": "2510.26475",
    "https://hf.co/papers/2510.26475": "2510.26475",
    "https://huggingface.co/models/2510.26475": None,
    "10.48550/arXiv.2510.26475": "2510.26475",
    "https://doi.org/10.48550/arXiv.2510.26475v2": "2510.26475v2",
    "doi:10.48550/ARXIV.cs/0112017": "cs/0112017",
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
    assert offline_draft(reference) == Draft("id", reference.id, reference.version, year, month)


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


def test_fetch(arxiv_server: FakePlace, web: Web, pauses: list[float]) -> None:
    extras = {
        "arxiv:doi": "10.1234/abc",
        "arxiv:journal_ref": "Journal of Birds 3 (2025)",
        "arxiv:comment": "12 pages,\n 3 figures",
    }
    arxiv_server.says(feed(**extras))
    assert ask(web, arxiv_server) == Draft(
        source="arxiv",
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
        updated=datetime.date(2025, 12, 1),
        abstract="We decode quickly. Speed-ups reach 4.5$\\times$ on 30\\% of tasks.",
        primary_class="cs.LG",
        doi="10.1234/abc",
        journal_ref="Journal of Birds 3 (2025)",
        comment="12 pages, 3 figures",
    )
    [question] = arxiv_server.questions
    assert question.accept == "application/atom+xml"
    assert question.query == {"id_list": ["2510.26475"], "max_results": ["1"]}
    assert question.user_agent.startswith(f"paper-notes/{__version__}")
    assert pauses == []


def test_asks_for_the_version(arxiv_server: FakePlace, web: Web) -> None:
    arxiv_server.says(feed("https://arxiv.org/abs/cs/0112017v3"))
    draft = ask(web, arxiv_server, ArxivReference(ArxivId("cs/0112017"), 3))
    assert (draft.arxiv, draft.version) == ("cs/0112017", 3)
    assert arxiv_server.questions[0].query["id_list"] == ["cs/0112017v3"]


def test_an_entry_that_knows_little(arxiv_server: FakePlace, web: Web) -> None:
    bare = "<entry><id>http://arxiv.org/abs/2510.26475</id><title>T&#x2028;&#xFDD0;x</title><published>soon</published></entry>"
    arxiv_server.says(f"{HEAD}{bare}</feed>".encode())
    draft = ask(web, arxiv_server)
    assert draft == Draft("arxiv", ArxivId("2510.26475"), None, 2025, 10, title="T x")


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
    arxiv_server: FakePlace,
    web: Web,
    pauses: list[float],
    answer: Answer | bytes,
    message: str,
    hint: str,
) -> None:
    arxiv_server.says(answer)
    with pytest.raises(UserError) as caught:
        ask(web, arxiv_server)
    assert (caught.value.message, caught.value.hint) == (message, hint)
    assert (pauses, len(arxiv_server.questions)) == ([], 1)


def test_an_unknown_version(arxiv_server: FakePlace, web: Web) -> None:
    arxiv_server.says(EMPTY)
    with pytest.raises(UserError) as caught:
        ask(web, arxiv_server, ArxivReference(ArxivId("2510.26475"), 9))
    assert caught.value.message == "arXiv has no paper 2510.26475v9"
    assert caught.value.hint == f"{CHECK_ID}, or leave the version out"


def test_another_version(arxiv_server: FakePlace, web: Web) -> None:
    arxiv_server.says(feed())
    with pytest.raises(UserError) as caught:
        ask(web, arxiv_server, ArxivReference(ArxivId("2510.26475"), 1))
    assert caught.value.message == "arXiv was asked for 2510.26475v1 and answered with 2510.26475v2"


# -- many at once --------------------------------------------------------------------------------------------------


def many(outside: FakeOutside, client: httpx.Client, *ids: str) -> dict[str, str]:
    """By id: its version, or what is wrong with it."""
    web = Web(client=client, addresses=outside.environment)
    told = ask_many(web, [ArxivId(arxiv) for arxiv in ids])
    return {arxiv: f"v{d.version}" if isinstance(d, Draft) else d.message for arxiv, d in told.items()}


def test_a_batch_is_one_question(arxiv_server: FakePlace, outside: FakeOutside, client: httpx.Client) -> None:
    others = (entry("http://arxiv.org/abs/cs/0112017v4"), entry("http://arxiv.org/abs/2302.01318v1", title=""))
    arxiv_server.says(feed_of(*others, entry("http://arxiv.org/abs/2510.26475v2")))
    assert many(outside, client, "2510.26475", "2401.00001", "cs/0112017", "2302.01318") == {
        "2510.26475": "v2",
        "2401.00001": "arXiv has no paper 2401.00001",
        "cs/0112017": "v4",
        "2302.01318": "arXiv's entry for 2302.01318 has no title",
    }
    [question] = arxiv_server.questions
    assert question.query == {"id_list": ["2510.26475,2401.00001,cs/0112017,2302.01318"], "max_results": ["4"]}


def test_a_batch_that_arxiv_refuses(arxiv_server: FakePlace, outside: FakeOutside, client: httpx.Client) -> None:
    arxiv_server.says(error_feed("incorrect id format for 2510.2"))
    with pytest.raises(NoResponse, match=r"^arXiv says: incorrect id format for 2510\.2$"):
        many(outside, client, "2510.26475", "2401.00001")
