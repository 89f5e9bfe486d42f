"""A server in this process, and clients that send what they are told to and hear what a page hears."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from subprocess import PIPE
from typing import Any
from urllib.parse import urlencode

from running import PROJECT

from paper_notes.serve.live_reload import Board
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
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=120)
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
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
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


class Program:
    """`paper-notes serve` in a process of its own."""

    def __init__(self, root: Path, *options: str) -> None:
        command = [sys.executable, "-W", "error", "-m", "paper_notes", "serve", "--root", str(root), *options]
        env = {**os.environ, "PYTHONPATH": str(PROJECT)}
        self._process = subprocess.Popen(command, env=env, stdout=PIPE, stderr=PIPE, encoding="utf-8")
        self._lines: Queue[str] = Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.address = self.line().split()[0]
        self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def _read(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            self._lines.put(line.rstrip("\n"))

    def line(self) -> str:
        """The next line on the terminal; waits for it."""
        return self._lines.get(timeout=120)

    def until(self, end: str) -> list[str]:
        """The lines up to one that has these words; waits for it."""
        lines = [self.line()]
        while end not in lines[-1]:
            lines.append(self.line())
        return lines

    def press_ctrl_c(self) -> tuple[int, str, str]:
        """The exit code, what was written to standard output, and the last line on the terminal."""
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(120)
        assert self._process.stdout
        return code, self._process.stdout.read(), self.until("ended")[-1]

    def close(self) -> None:
        self._process.kill()
        self._process.wait(120)
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()
