"""A server in this process, and clients that send what they are told to and hear what a page hears."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from paper_notes.serve.board import Board
from paper_notes.serve.server import Server

SCRIPT = "listen()"


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode()


@dataclass
class Running:
    """A server, its collection, and what it has complained of."""

    root: Path
    server: Server
    board: Board
    said: list[str]

    def ask(self, address: str, method: str = "GET", **headers: str) -> Answer:
        """One request; the address is sent as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=10)
        connection.putrequest(method, address, skip_host="Host" in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        told = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        connection.close()
        return told

    def listen(self, page: str, version: str) -> Events:
        return Events(self.server.server_port, page, version)


class Events:
    """What a page hears."""

    def __init__(self, port: int, page: str, version: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self._connection.request("GET", f"/.paper-notes/events?{urlencode({'page': page, 'version': version})}")
        self.answer = self._connection.getresponse()

    def next(self) -> dict[str, Any]:
        """The next event; waits for it."""
        for line in self.answer:
            if line.startswith(b"data: "):
                told: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
                return told
        raise EOFError

    def close(self) -> None:
        self.answer.close()
        self._connection.close()
