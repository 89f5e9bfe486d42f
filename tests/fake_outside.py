"""A stand-in for arXiv, DataCite, doi.org and all other services on 127.0.0.1, which can misbehave as servers do.

Each place gives the answers it is told to give, and remembers the questions.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

import pytest

from paper_notes.features.papers.web import Web

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">\n'
    "  <title>the answer to your question</title>\n"
)
EMPTY = f"{HEAD}</feed>\n".encode()
LOG_IN_PAGE = b"<!DOCTYPE html><html><body>Welcome to Hotel WiFi, please log in</body></html>"


@dataclass(frozen=True)
class Answer:
    """One answer. `delay` is in seconds, before the head; with `drip`, a byte comes at a time, so far apart.

    With `cut`, more bytes are promised than sent; with `reset` the connection breaks off without an answer.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    cut: bool = False
    reset: bool = False


@dataclass(frozen=True)
class Question:
    """A request as it came in."""

    path: str
    query: Mapping[str, list[str]]
    user_agent: str
    accept: str


class FakePlace:
    """One server: give it `answers`, the last of which repeats, and read `questions` afterwards."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.questions: list[Question] = []
        self.url = ""
        self.routes: dict[str, Answer] = {}
        """Of a server whose answers depend on the path and query: by both. It has no others."""

    def says(self, *answers: Answer | bytes) -> None:
        """The answers to come, in this order."""
        self.answers = [Answer(answer) if isinstance(answer, bytes) else answer for answer in answers]

    def answer_to(self, route: str) -> Answer:
        if self.routes and not self.answers:
            return self.routes.get(route, Answer(b"Not found", 404, {"Content-Type": "text/plain"}))
        return self.next_answer()

    def next_answer(self) -> Answer:
        if not self.answers:
            return Answer(b"nobody told me what to say", 418)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class FakeOutside:
    """All places, under one roof."""

    def __init__(self) -> None:
        self.arxiv, self.datacite, self.doi, self.pdf = FakePlace(), FakePlace(), FakePlace(), FakePlace()
        self.acl, self.openreview, self.openreview_v1 = FakePlace(), FakePlace(), FakePlace()
        self.semantic_scholar, self.crossref, self.page = FakePlace(), FakePlace(), FakePlace()
        self.hf, self.zotero = FakePlace(), FakePlace()
        self.by_path = {
            "api": self.arxiv,
            "dois": self.datacite,
            "doi": self.doi,
            "pdf": self.pdf,
            "acl": self.acl,
            "notes": self.openreview,
            "notes1": self.openreview_v1,
            "graph": self.semantic_scholar,
            "works": self.crossref,
            "page": self.page,
            "hf": self.hf,
            "zotero": self.zotero,
        }
        self.stopping = threading.Event()

    @property
    def environment(self) -> dict[str, str]:
        """What sends a real program here."""
        return {
            "PAPER_NOTES_ARXIV_URL": self.arxiv.url,
            "PAPER_NOTES_ARXIV_PDF_URL": self.pdf.url,
            "PAPER_NOTES_DATACITE_URL": self.datacite.url,
            "PAPER_NOTES_DOI_URL": self.doi.url,
            "PAPER_NOTES_ACL_URL": self.acl.url,
            "PAPER_NOTES_OPENREVIEW_URL": self.openreview.url,
            "PAPER_NOTES_OPENREVIEW_V1_URL": self.openreview_v1.url,
            "PAPER_NOTES_SEMANTIC_SCHOLAR_URL": self.semantic_scholar.url,
            "PAPER_NOTES_CROSSREF_URL": self.crossref.url,
            "PAPER_NOTES_HF_URL": self.hf.url,
            "PAPER_NOTES_ZOTERO_URL": self.zotero.url,
            "NO_PROXY": "127.0.0.1",
        }


@contextmanager
def fake_outside() -> Iterator[FakeOutside]:
    """A running server. Commands in this process make no pauses between requests to it; the tests of Web do."""
    fake = FakeOutside()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            place = fake.by_path[address.path.split("/")[1]]
            accept, agent = self.headers.get("Accept", ""), self.headers.get("User-Agent", "")
            place.questions.append(Question(unquote(address.path), parse_qs(address.query), agent, accept))
            answer = place.answer_to(self.path.split("/", 2)[2] if self.path.count("/") > 1 else "")
            fake.stopping.wait(answer.delay)
            if answer.reset:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True
                return
            try:
                self.send_response_only(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value.replace("HERE", place.url))
                if "Content-Length" not in answer.headers:
                    self.send_header("Content-Length", str(len(answer.body) + (100 if answer.cut else 0)))
                self.end_headers()
                for piece in (
                    [answer.body[i : i + 1] for i in range(len(answer.body))] if answer.drip else [answer.body]
                ):
                    self.wfile.write(piece)
                    fake.stopping.wait(answer.drip)
            except OSError:
                pass  # the client has hung up, as it should on slow and on huge answers

        def finish(self) -> None:
            with suppress(OSError, ValueError):  # a connection that was reset
                super().finish()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the library's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    here = f"http://127.0.0.1:{server.server_port}"
    for path, place in fake.by_path.items():
        place.url = f"{here}/{path}"
    fake.arxiv.url += "/query"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("paper_notes.features.papers.commands.services.Web", partial(Web, sleep=lambda seconds: None))
            yield fake
    finally:
        fake.stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


def feed(entry_id: str = "http://arxiv.org/abs/2510.26475v2", **fields: str) -> bytes:
    """A feed with one invented entry. `fields` replace or add elements; an empty one is left out."""
    return f"{HEAD}{entry(entry_id, **fields)}</feed>\n".encode()


def feed_of(*entries: str) -> bytes:
    """A feed with these entries."""
    return f"{HEAD}{''.join(entries)}</feed>\n".encode()


def entry(entry_id: str, **fields: str) -> str:
    """An invented entry of a feed."""
    given = {
        "published": "2025-10-30T13:27:42Z",
        "updated": "2025-12-01T09:00:00Z",
        "title": "Hummingbird: Fast &\n  Frugal Decoding",
        "summary": "  We decode quickly.\n  Speed-ups reach 4.5$\\times$ on 30\\% of tasks.\n",
        **fields,
    }
    elements = "".join(f"    <{name}>{_escaped(text)}</{name}>\n" for name, text in given.items() if text)
    return (
        f"  <entry>\n    <id>{entry_id}</id>\n{elements}"
        "    <author><name>Ada Quill</name><arxiv:affiliation>Birdhouse</arxiv:affiliation></author>\n"
        "    <author><name>Bruno van der Berg, Jr.</name></author>\n"
        "    <author><name>:</name></author>\n"
        "    <author><name>Nest-AI Team</name></author>\n"
        f'    <link href="https://arxiv.org/abs/2510.26475v2" rel="alternate" type="text/html"/>\n'
        '    <link title="pdf" href="https://arxiv.org/pdf/2510.26475v2" rel="related" type="application/pdf"/>\n'
        '    <link title="bad" href="javascript:alert(1)" rel="related"/>\n'
        '    <arxiv:primary_category term="cs.LG"/>\n'
        "  </entry>\n"
    )


def _escaped(text: str) -> str:
    return escape(text).replace("&amp;#", "&#")


def error_feed(what: str) -> bytes:
    """How arXiv says that an id makes no sense: as an entry."""
    entry = f"<id>http://arxiv.org/api/errors#{len(what)}</id><title>Error</title><summary>{escape(what)}</summary>"
    return f"{HEAD}  <entry>{entry}</entry>\n</feed>\n".encode()


def datacite_record(**attributes: object) -> bytes:
    """An invented record; `attributes` replace or add some."""
    given = {
        "doi": "10.48550/arxiv.2510.26475",
        "titles": [{"title": "Hummingbird: Fast &amp; Frugal Decoding"}],
        "creators": [
            {"name": "Quill, Ada", "nameType": "Personal", "givenName": "Ada", "familyName": "Quill"},
            {"name": "van der Berg, Bruno", "givenName": "Bruno", "familyName": "van der Berg"},
            {"name": "Nest-AI Team", "nameType": "Organizational"},
        ],
        "publicationYear": 2025,
        "subjects": [{"subject": "Machine Learning (cs.LG)"}, {"subject": "FOS: Computer and information sciences"}],
        "dates": [
            {"date": "2025-10-30T13:27:42Z", "dateType": "Submitted", "dateInformation": "v1"},
            {"date": "2025-12-01T09:00:00Z", "dateType": "Updated", "dateInformation": "v2"},
            {"date": "2025", "dateType": "Issued"},
        ],
        "version": "2",
        "descriptions": [
            {"description": "12 pages", "descriptionType": "Other"},
            {"description": "We decode quickly.\n  Speed-ups reach 4.5$\\times$.", "descriptionType": "Abstract"},
        ],
        **attributes,
    }
    return json.dumps({"data": {"id": given["doi"], "type": "dois", "attributes": given}}).encode()


def csl_item(**fields: object) -> bytes:
    """An invented item as Crossref gives it; `fields` replace or add some."""
    given = {
        "type": "journal-article",
        "DOI": "10.1234/nest.2024.7",
        "title": "A <i>Tiny</i> Model of Nest &amp; Egg",
        "author": [
            {"given": "Ada", "family": "Quill", "sequence": "first"},
            {"given": "Bruno", "family": "van der Berg", "suffix": "Jr."},
            {"literal": "The Nest Collaboration"},
        ],
        "issued": {"date-parts": [[2024, 3, 5]]},
        "container-title": "Journal of Birds &amp; Nests",
        "volume": "12",
        "issue": "3",
        "page": "101-117",
        "publisher": "Feather Press",
        "abstract": "<jats:title>Abstract</jats:title><jats:p>We <jats:italic>model</jats:italic> nests, p &lt; 0.05."
        "</jats:p>",
        **fields,
    }
    return json.dumps(given).encode()


def daily_paper(number: int, day: str = "2026-01-13", **fields: object) -> dict[str, object]:
    """An invented paper of a day, as Hugging Face gives it; `fields` replace or add some, and None leaves one out."""
    given = {
        "id": f"2601.{number:05}",
        "title": f"Paper {number}: Tea & 50% $\\alpha$ of #1",
        "summary": "We brew 30\\% faster.\nReally.",
        "authors": [{"_id": "a", "name": "Ada Quill", "hidden": False}, {"name": "Bruno van der Berg"}],
        "publishedAt": "2026-01-11T18:00:00.000Z",
        "submittedOnDailyAt": f"{day}T01:30:00.000Z",
        "upvotes": number,
        "discussionId": "x",
        "projectPage": "https://tea.example/p?a=1&b=2",
        "githubRepo": "https://github.com/tea/tea",
        "githubStars": 3,
        "ai_summary": f"Paper {number} brews [@nobody] <b>faster</b>.",
        "ai_keywords": ["tea", "Tea", "water"],
        "organization": {"name": "nest", "fullname": "Nest AI"},
        **fields,
    }
    paper = {name: value for name, value in given.items() if value is not None}
    return {"paper": paper, "title": "beside", "numComments": 1, "submittedBy": {"name": "x"}}


def daily(*papers: dict[str, object]) -> bytes:
    """A page of such papers."""
    return json.dumps(list(papers)).encode()
