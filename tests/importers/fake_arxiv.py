"""A stand-in for arXiv's API on 127.0.0.1: it gives the answers it is told to give, and remembers the questions."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">\n'
    "  <title>the answer to your question</title>\n"
)
EMPTY = f"{HEAD}</feed>\n".encode()


@dataclass(frozen=True)
class Answer:
    """One answer. `delay` is in seconds; with `cut`, more bytes are promised than sent."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: bool = False


@dataclass(frozen=True)
class Question:
    """A request as it came in."""

    query: Mapping[str, list[str]]
    user_agent: str


class FakeArxiv:
    """What the server knows: give it `answers`, the last of which repeats, and read `questions` afterwards."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.questions: list[Question] = []
        self.url = ""
        self.stopping = threading.Event()

    def says(self, *answers: Answer | bytes) -> None:
        """The answers to come, in this order."""
        self.answers = [Answer(answer) if isinstance(answer, bytes) else answer for answer in answers]

    def next_answer(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def fake_arxiv() -> Iterator[FakeArxiv]:
    """A running server."""
    fake = FakeArxiv()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            query = parse_qs(urlsplit(self.path).query)
            fake.questions.append(Question(query, self.headers.get("User-Agent", "")))
            answer = fake.next_answer()
            fake.stopping.wait(answer.delay)
            try:
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body) + (100 if answer.cut else 0)))
                self.end_headers()
                self.wfile.write(answer.body)
            except OSError:
                pass  # the client has hung up, as it should on slow and on huge answers

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the library's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake.url = f"http://127.0.0.1:{server.server_port}/api/query"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield fake
    finally:
        fake.stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


def feed(entry_id: str = "http://arxiv.org/abs/2510.26475v2", **fields: str) -> bytes:
    """A feed with one invented entry. `fields` replace or add elements; an empty one is left out."""
    given = {
        "published": "2025-10-30T13:27:42Z",
        "updated": "2025-12-01T09:00:00Z",
        "title": "Hummingbird: Fast &\n  Frugal Decoding",
        "summary": "  We decode quickly.\n  Speed-ups reach 4.5$\\times$ on 30\\% of tasks.\n",
        **fields,
    }
    elements = "".join(f"    <{name}>{_escaped(text)}</{name}>\n" for name, text in given.items() if text)
    return (
        f"{HEAD}  <entry>\n    <id>{entry_id}</id>\n{elements}"
        "    <author><name>Ada Quill</name><arxiv:affiliation>Birdhouse</arxiv:affiliation></author>\n"
        "    <author><name>Bruno van der Berg, Jr.</name></author>\n"
        "    <author><name>:</name></author>\n"
        "    <author><name>Nest-AI Team</name></author>\n"
        f'    <link href="https://arxiv.org/abs/2510.26475v2" rel="alternate" type="text/html"/>\n'
        '    <link title="pdf" href="https://arxiv.org/pdf/2510.26475v2" rel="related" type="application/pdf"/>\n'
        '    <link title="bad" href="javascript:alert(1)" rel="related"/>\n'
        '    <arxiv:primary_category term="cs.LG"/>\n'
        "  </entry>\n</feed>\n"
    ).encode()


def _escaped(text: str) -> str:
    return escape(text).replace("&amp;#", "&#")


def error_feed(what: str) -> bytes:
    """How arXiv says that an id makes no sense: as an entry."""
    entry = f"<id>http://arxiv.org/api/errors#{len(what)}</id><title>Error</title><summary>{escape(what)}</summary>"
    return f"{HEAD}  <entry>{entry}</entry>\n</feed>\n".encode()
