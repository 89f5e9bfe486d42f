"""The HTTP server for this machine: files of `site/`, pages with the live reload script, and its event stream."""

from __future__ import annotations

import re
import socket
import socketserver
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qs, quote

from paper_notes.serve.files import EVENTS, HTML, LARGEST_PAGE, ServedFile, ServedSite, is_ours, size_of, wanted_path
from paper_notes.serve.live_reload import Board, message
from paper_notes.serve.own_pages import FORM, MOST, OwnPage, fields_of, page_of
from paper_notes.serve.pages import MISSING, digest, listening, no_site_yet, no_such_page
from paper_notes.serve.words import collection_words

LOOPBACK = "127.0.0.1"
_PULSE = 15
"""Seconds between two signs of life in an event stream: shows when a page was closed."""
_MISSING = PurePosixPath("404.html")
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
_TEXT = "text/plain; charset=utf-8"


class Server(ThreadingHTTPServer):
    """Serves the site of the collection at `root` on 127.0.0.1 only. Raises OSError if the port is not available."""

    daemon_threads = True
    request_queue_size = 64
    most = 100
    """Open connections at most, all from this machine. Each open page has one, and a browser six at most."""

    def __init__(
        self,
        root: Path,
        port: int,
        board: Board,
        script: str,
        say: Callable[[str], None],
        own_pages: tuple[OwnPage, ...] = (),
    ) -> None:
        """`script` is put into pages; `say` is called with a message about each bug."""
        self.root, self.own_pages = root, own_pages
        self.files, self.words = ServedSite(root), partial(collection_words, root)
        self.board, self.script, self.say = board, script, say
        self._connections: set[Any] = set()
        self._waiting: dict[Any, None] = {}
        """The connections without a request, the one that has waited longest first."""
        self._lock = threading.Lock()
        super().__init__((LOOPBACK, port), _Handler)

    def server_bind(self) -> None:
        """Bind without looking up the name of this machine, which takes seconds on some."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, self.server_address[1]

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether there is room for a connection: the one that has asked for nothing for longest makes it."""
        with self._lock:
            if len(self._connections) >= self.most and self._waiting:
                longest = next(iter(self._waiting))
                del self._waiting[longest]
                self._connections.discard(longest)
                with suppress(OSError):
                    longest.shutdown(socket.SHUT_RDWR)  # its thread wakes up, and closes it
            return len(self._connections) < self.most

    def process_request(self, request: Any, client_address: Any) -> None:
        self._connections.add(request)
        self.waits(request)
        super().process_request(request, client_address)

    def waits(self, request: Any) -> None:
        """Note that a connection has no request, from now on."""
        with self._lock:
            if request in self._connections:
                self._waiting[request] = None

    def works(self, request: Any) -> None:
        """Note that a connection has a request."""
        with self._lock:
            self._waiting.pop(request, None)

    def shutdown_request(self, request: Any) -> None:
        """Called once for each connection, even after an error."""
        with self._lock:
            self._waiting.pop(request, None)
            self._connections.discard(request)
        super().shutdown_request(request)

    @property
    def address(self) -> str:
        """The address of the home page."""
        return f"http://{LOOPBACK}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "paper-notes", ""
    disable_nagle_algorithm = True
    timeout = 60
    """Seconds without progress of an answer after which a connection is closed."""
    idle = 10
    """Seconds without a request after which it is: browsers open some to have them at hand."""

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True  # the browser closed the connection
        except Exception as error:  # the last resort: one request must not end the others
            self.close_connection = True
            self.server.say(f"this is a bug of ours, not yours: {type(error).__name__}: {error}")

    def handle_one_request(self) -> None:
        self.server.waits(self.connection)
        self.connection.settimeout(self.idle)
        super().handle_one_request()

    def parse_request(self) -> bool:
        parsed = super().parse_request()
        self.server.works(self.connection)
        self.connection.settimeout(self.timeout)
        return parsed

    def log_message(self, *_: Any) -> None:
        """Log nothing: the terminal is for builds."""

    def do_GET(self) -> None:
        if not self._host():
            return
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # the body that follows is not a request
        address, _, query = self.path.partition("?")
        if address == EVENTS:
            self._events(query)
            return
        if own := page_of(self.server.own_pages, address):
            self._own(*own, None)
            return
        path = wanted_path(address)
        file = self.server.files.find(path) if path else None
        if isinstance(file, ServedFile):
            self._file(HTTPStatus.OK, file)
        elif path and file == "folder":
            folder = f"/{quote(str(path))}/{'?' * bool(query)}{query}"
            self._send(HTTPStatus.FOUND, b"", _TEXT, Location=folder)
        else:
            self._missing()

    do_HEAD = do_GET  # noqa: N815 -- `_send` leaves out the content

    def do_POST(self) -> None:
        own = page_of(self.server.own_pages, self.path.partition("?")[0])
        if own is None:
            self._other()
        elif host := self._host():
            self._form(*own, host)

    def _host(self) -> str:
        """The host that is asked for, if it is this server; else it is refused."""
        hosts = self.headers.get_all("Host", [])
        if len(hosts) == 1 and is_ours(hosts[0], self.server.server_port):
            return str(hosts[0])
        self._refuse(HTTPStatus.FORBIDDEN, f"This is {self.server.address}, and nobody else.\n")
        return ""

    def _form(self, page: OwnPage, rest: str, host: str) -> None:
        """A form of one of our own pages. Browsers say which site a form is of, so no other one can send it."""
        length = self.headers.get("Content-Length", "")
        if self.headers.get_all("Origin", []) != [f"http://{host}"]:
            self._refuse(HTTPStatus.FORBIDDEN, "Only a page of this server may send that.\n")
        elif not re.fullmatch(r"[0-9]{1,9}", length) or "Transfer-Encoding" in self.headers:
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "How long is it?\n")
        elif int(length) > MOST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"At most {MOST:,} bytes.\n")
        elif self.headers.get_content_type() != FORM or (fields := fields_of(self.rfile.read(int(length)))) is None:
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "That is not a form.\n")
        else:
            self._own(page, rest, fields)

    def _own(self, page: OwnPage, rest: str, fields: Mapping[str, str] | None) -> None:
        reply = page.answer(self.server.root, rest, fields)
        self._send(HTTPStatus(reply.status), reply.page, HTML, **reply.headers)

    def _other(self) -> None:
        self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "This server only shows: GET and HEAD.\n", Allow="GET, HEAD")

    do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do_CONNECT = _other  # noqa: N815

    def _refuse(self, status: HTTPStatus, words: str, **headers: str) -> None:
        self.close_connection = True
        self._send(status, words.encode(), _TEXT, **headers)

    def _missing(self) -> None:
        files = self.server.files
        own = files.find(_MISSING)
        if not files.exist:
            self._stand_in(HTTPStatus.SERVICE_UNAVAILABLE, no_site_yet(self.server.words()))
        elif isinstance(own, ServedFile):
            self._file(HTTPStatus.NOT_FOUND, own)
        else:
            self._stand_in(HTTPStatus.NOT_FOUND, no_such_page(self.server.words()))

    def _file(self, status: HTTPStatus, wanted: ServedFile) -> None:
        """Send a page with its version (MISSING for the 404 page), or another file straight from disk."""
        with wanted.open() as file:
            size = size_of(file)
            if wanted.type == HTML and size <= LARGEST_PAGE:
                page = file.read(LARGEST_PAGE)
                page = listening(page, self.server.script, digest(page) if status == HTTPStatus.OK else MISSING)
                self._send(status, page, HTML)
                return
            self._head(status, wanted.type, size)
            if self.command != "HEAD" and size and self.connection.sendfile(file, 0, size) < size:
                self.close_connection = True  # the file became shorter meanwhile

    def _stand_in(self, status: HTTPStatus, page: bytes) -> None:
        self._send(status, listening(page, self.server.script, MISSING), HTML)

    def _send(self, status: HTTPStatus, data: bytes, kind: str, **headers: str) -> None:
        self._head(status, kind, len(data), **headers)
        if self.command != "HEAD":
            self.wfile.write(data)

    def _head(self, status: HTTPStatus, kind: str, size: int, **headers: str) -> None:
        self.send_response(status)
        connection = {"Connection": "close"} if self.close_connection else {}
        length = {"Content-Type": kind, "Content-Length": str(size)}
        for name, value in {**length, **_HEADERS, **connection, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _events(self, query: str) -> None:
        """Send events to one page, now and after each build, until it is closed."""
        parameters = parse_qs(query)
        path = wanted_path(parameters.get("page", [""])[0])
        had = parameters.get("version", [""])[0]
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        for name, value in {"Content-Type": "text/event-stream", **_HEADERS, "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        board, state = self.server.board, self.server.board.state
        since = state.number
        while self.command != "HEAD" and not board.closed:
            now = self.server.files.version(path)
            self.wfile.write(message(state, path, had, now, since, self.server.words).encode())
            since = state.number
            while (state := board.wait(since, _PULSE)).number == since and not board.closed:
                self.wfile.write(b":\n\n")
