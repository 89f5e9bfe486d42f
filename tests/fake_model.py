"""A stand-in for an OpenAI-compatible server on 127.0.0.1, which can misbehave as models and servers do.

It answers with what a function makes of the messages; `answers` come before, one for each request.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-very-secret-0123456789"
Messages = list[dict[str, str]]


@dataclass(frozen=True)
class Raw:
    """An answer of the server, byte for byte. With `cut` more is promised than sent; with `reset` nothing is sent.

    `delay` is in seconds before the answer; with `endless`, zeros follow until nobody reads them. With `drip`, a byte
    comes at a time, so far apart; a `bare` body has its head in itself.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    cut: bool = False
    reset: bool = False
    delay: float = 0.0
    endless: bool = False
    drip: float = 0.0
    bare: bool = False


def said(text: str, ended: str = "stop", tokens: int | None = None, received: int = 1) -> Raw:
    """An answer of a model in one piece; `tokens` are those of the question as the server says that it counted them."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": ended}
    return Raw(
        json.dumps({"id": "x", "object": "chat.completion", "choices": [choice], **_usage(tokens, received)}).encode()
    )


def streamed(text: str, ended: str = "stop", tokens: int | None = None, received: int = 1, *, end: bool = True) -> Raw:
    """An answer of a model as an event stream; without `end` it stops in the middle of an event."""
    pieces = [text[start : start + 20] for start in range(0, len(text), 20)]
    deltas = [{"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces]
    last = [
        {"choices": [{"index": 0, "delta": {}, "finish_reason": ended}]},
        {"choices": [], **_usage(tokens, received)},
    ]
    lines = [f"data: {json.dumps(event)}\n\n" for event in (*deltas, *last)]
    whole = ": a comment\n\n" + "".join(lines) + "data: [DONE]\n\n"
    return Raw((whole if end else whole[: len(whole) // 2]).encode(), kind="text/event-stream; charset=utf-8")


def _usage(tokens: int | None, received: int) -> dict[str, Any]:
    return {"usage": {"prompt_tokens": tokens, "completion_tokens": received}} if tokens else {}


def problem(status: int, words: str = "", **headers: str) -> Raw:
    """An error as such servers write it."""
    body = json.dumps({"error": {"message": words, "type": "some_error"}}).encode()
    return Raw(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


@dataclass
class FakeModel:
    """One server."""

    reply: Callable[[Messages], str] = lambda messages: ""
    streams: bool = True
    """Whether an answer comes as an event stream where one is asked for."""
    knows: frozenset[str] = frozenset({"response_format", "json_schema", "json_object", "stream", "stream_options"})
    """What of a question the server understands: it refuses all else with 400."""
    names: bool = True
    """Whether it says what it refuses."""
    context: int = 10**9
    """Tokens that it reads of a question: it cuts off the rest, and says so in `usage` only."""
    answers: list[Raw] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""

    def answer(self, asked: dict[str, Any]) -> Raw:
        """What this server makes of a question."""
        kinds = {name for name in ("response_format", "stream", "stream_options") if asked.get(name)}
        kinds |= {asked["response_format"]["type"]} if "response_format" in asked else set()
        if refused := sorted(kinds - self.knows):
            return problem(400, f"unknown: {', '.join(refused)}" if self.names else "Bad request")
        text = self.reply(asked["messages"])
        tokens = sum(len(message["content"]) for message in asked["messages"]) // 4
        give = streamed if asked.get("stream") and self.streams else said
        return give(text, tokens=min(tokens, self.context), received=len(text) // 4 + 1)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PAPER_NOTES_MODEL_URL": f"{self.url}/v1",
            "PAPER_NOTES_MODEL": "tea-7b",
            "PAPER_NOTES_MODEL_KEY": KEY,
            "OPENAI_API_KEY": "sk-of-somebody-else",
            "NO_PROXY": "127.0.0.1",
        }


@contextmanager
def fake_model() -> Iterator[FakeModel]:
    """A server that runs as long as the context."""
    fake = FakeModel()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fake.questions.append({**asked, "path": self.path})
            fake.headers.append({name.lower(): value for name, value in self.headers.items()})
            answer = fake.answers.pop(0) if fake.answers else fake.answer(asked)
            time.sleep(answer.delay)
            with suppress(OSError):
                self._send(answer)

        def _send(self, answer: Raw) -> None:
            if answer.reset:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            if not answer.bare:
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.kind)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                more = 10**9 if answer.endless else 10 if answer.cut else 0
                self.send_header("Content-Length", str(len(answer.body) + more))
                self.end_headers()
            size = 1 if answer.drip else len(answer.body) or 1
            for start in range(0, len(answer.body), size):
                self.wfile.write(answer.body[start : start + size])
                time.sleep(answer.drip)
            while answer.endless:
                self.wfile.write(b"0" * 100_000)
            self.close_connection = answer.cut

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
