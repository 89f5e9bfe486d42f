"""The server over real HTTP: what it serves, what it never serves, and its events."""

from __future__ import annotations

import os
import socket
import threading
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import quote

import pytest
from running import write
from serving import SCRIPT, Running

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.output.plan import Plan
from paper_notes.serve.live_reload import Board, after
from paper_notes.serve.pages import digest
from paper_notes.serve.server import Server, _Handler

HTML = "text/html; charset=utf-8"
PATIENCE = 60
"""Seconds that a busy machine may need; what fails is not waited for."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    """A server for a small site that no build has made."""
    pages = {"index.html": "<body>home</body>", "t/index.html": "<body>topic</body>", "t/桥 1.html": "<body>桥</body>"}
    files = {"papers.bib": "@misc{a}", "search-all.css": "a{}", ".manifest": "", "feed.xml": "<feed/>"}
    root = write(tmp_path / "c", {f"site/{name}": text for name, text in {**pages, **files}.items()})
    write(root, {"README.md": "secret"})
    board, said = Board(), list[str]()
    server = Server(root, 0, board, SCRIPT, said.append)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield Running(root, server, board, said)
    board.close()
    server.shutdown()
    server.server_close()
    thread.join(PATIENCE)
    assert said == []


def script(version: str) -> str:
    return f'<script data-version="{version}">{SCRIPT}</script>\n'


@pytest.mark.parametrize(
    ("address", "text"),
    [("/", "home"), ("/index.html", "home"), ("/t/", "topic"), ("/t/%E6%A1%A5%201.html?lang=en", "桥")],
)
def test_pages_are_served_with_the_script_and_stay_as_they_are_on_disk(
    running: Running, address: str, text: str
) -> None:
    before = f"<body>{text}</body>"
    answer = running.ask(address)
    assert (answer.status, answer.headers["content-type"]) == (200, HTML)
    assert answer.text == f"<body>{text}{script(digest(before.encode()))}</body>"
    assert before in {path.read_text() for path in (running.root / "site").rglob("*.html")}


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("/papers.bib", "text/plain; charset=utf-8"),
        ("/search-all.css", "text/css; charset=utf-8"),
        ("/feed.xml", "application/xml; charset=utf-8"),
    ],
)
def test_other_files_are_served_as_they_are(running: Running, address: str, kind: str) -> None:
    answer = running.ask(address)
    assert (answer.status, answer.headers["content-type"]) == (200, kind)
    assert answer.data == (running.root / "site" / address[1:]).read_bytes()


def test_nothing_is_kept_by_browsers_guessed_by_them_or_lent_to_other_sites(running: Running) -> None:
    for address in ("/", "/search-all.css", "/nothing"):
        headers = running.ask(address).headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers
        assert headers["server"].strip() == "paper-notes"


@pytest.mark.parametrize("address", ["/", "/papers.bib", "/nothing"])
def test_head_tells_the_same_without_the_content(running: Running, address: str) -> None:
    whole, head = running.ask(address), running.ask(address, "HEAD")
    assert head.data == b""
    assert head.status == whole.status
    assert head.headers["content-length"] == str(len(whole.data))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT"])
def test_nobody_can_do_anything_but_look(running: Running, method: str) -> None:
    answer = running.ask("/", method)
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


def test_a_folder_without_its_slash_leads_to_the_one_with_it(running: Running) -> None:
    answer = running.ask("/t?lang=en")
    assert (answer.status, answer.headers["location"]) == (302, "/t/?lang=en")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "localhost:1", ""])
@pytest.mark.parametrize("address", ["/", "/.paper-notes/events?page=/&version=x"])
def test_who_comes_under_another_name_sees_nothing(running: Running, host: str, address: str) -> None:
    answer = running.ask(address, Host=host.format(port=running.server.server_port))
    assert answer.status == 403
    assert "home" not in answer.text
    assert running.ask("/", Host=f"localhost:{running.server.server_port}").status == 200


def test_a_request_without_a_host_or_with_two_sees_nothing(running: Running) -> None:
    port = running.server.server_port
    for headers in (b"", b"Host: 127.0.0.1:%d\r\nHost: evil.example\r\n" % port):
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as raw:
            raw.sendall(b"GET / HTTP/1.1\r\n" + headers + b"\r\n")
            assert raw.recv(100).startswith(b"HTTP/1.1 403 ")


def test_only_this_machine_can_connect(running: Running) -> None:
    assert running.server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "address",
    [
        "/../README.md",
        "/t/../../README.md",
        "/%2e%2e/README.md",
        "/t/%2e%2e%2f%2e%2e%2fREADME.md",
        "/..%5cREADME.md",
        "//README.md",
        "/.manifest",
        "/%00",
        "/link.md",
        "/folder/README.md",
        "/circle",
        "/pipe",
        "/locked/x.html",
        "/hidden",
        "/hidden/a",
        "/listing",
    ],
)
def test_nothing_outside_of_the_site_is_ever_shown(running: Running, address: str) -> None:
    site = running.root / "site"
    (site / "link.md").symlink_to("../README.md")
    (site / "folder").symlink_to("..")
    (site / "circle").symlink_to("circle")
    os.mkfifo(site / "pipe")
    write(site, {".own/a": "secret"})
    (site / "hidden").symlink_to(".own")
    (site / "listing").symlink_to(".manifest")
    answer = running.ask(address)
    assert answer.status == 404
    assert "secret" not in answer.text


def test_a_link_that_stays_inside_the_site_is_followed(running: Running) -> None:
    (running.root / "site/also.bib").symlink_to("papers.bib")
    assert running.ask("/also.bib").text == "@misc{a}"


def test_a_site_that_is_a_link_elsewhere_is_none(running: Running, tmp_path: Path) -> None:
    (running.root / "site").rename(tmp_path / "elsewhere")
    (running.root / "site").symlink_to(tmp_path / "elsewhere")
    assert running.ask("/").status == 503


def test_an_unknown_page_is_told_in_the_words_of_the_site_if_it_has_any(running: Running) -> None:
    answer = running.ask("/nothing.html")
    assert (answer.status, answer.headers["content-type"]) == (404, HTML)
    assert '没有这一页<br><span lang="en">No such page' in answer.text
    assert script("-").replace(SCRIPT, "") in answer.text.replace(SCRIPT, "")
    write(running.root, {"site/404.html": "<body>our own</body>"})
    answer = running.ask("/nothing.html")
    assert (answer.status, answer.text) == (404, f"<body>our own{script('-')}</body>")
    assert running.ask("/404.html").status == 200


def test_before_there_is_a_site_a_page_says_so(running: Running) -> None:
    (running.root / "site/index.html").unlink()
    for address in ("/", "/nothing"):
        answer = running.ask(address)
        assert answer.status == 503
        assert '还没有网站<br><span lang="en">No site yet' in answer.text
        assert script("-") in answer.text


@pytest.mark.parametrize(
    ("site", "title"),
    [
        ("languages: [en]\n", "<h1>No site yet</h1>"),
        ("languages: [en, zh]\n", '<h1>No site yet<br><span lang="zh-CN">还没有网站</span></h1>'),
        ("languages: [eo]\n", "<h1>Ankoraŭ neniu</h1>"),
        ("languages: [en", '<h1>还没有网站<br><span lang="en">No site yet</span></h1>'),
    ],
)
def test_it_says_so_in_the_languages_that_the_collection_has_now(running: Running, site: str, title: str) -> None:
    (running.root / "site/index.html").unlink()
    write(running.root, {"notes_src/words.eo.yaml": "serve: {no-site: Ankoraŭ neniu}\n"})
    write(running.root, {"notes_src/site.yaml": site})
    assert title in running.ask("/").text


def test_a_connection_serves_one_request_after_the_other(running: Running) -> None:
    request = b"GET /papers.bib HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % running.server.server_port
    with socket.create_connection(("127.0.0.1", running.server.server_port), PATIENCE) as raw:
        for _ in range(3):
            raw.sendall(request)
            data = b""
            while b"@misc{a}" not in data:
                part = raw.recv(4096)
                assert part, f"the connection has ended after {data!r}"
                data += part
            assert data.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("junk", [b"", b"\x16\x03\x01\x02\x00\x01\x00\x01", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"])
def test_junk_disturbs_nobody(running: Running, junk: bytes) -> None:
    with socket.create_connection(("127.0.0.1", running.server.server_port), PATIENCE) as raw:
        raw.sendall(junk)
    assert running.ask("/").status == 200


def asking(running: Running, address: str) -> socket.socket:
    """A connection that requests a file, and reads very little of it."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.settimeout(PATIENCE)
    raw.connect(("127.0.0.1", running.server.server_port))
    raw.sendall(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1:{running.server.server_port}\r\n\r\n".encode())
    return raw


@pytest.mark.parametrize("name", ["large.pdf", "large.html"])
def test_readers_that_stall_hold_no_memory(running: Running, name: str) -> None:
    with (running.root / "site" / name).open("wb") as file:
        file.truncate(50_000_000)
    tracemalloc.start()
    readers = [asking(running, f"/{name}") for _ in range(20)]
    try:
        assert all(b"Content-Length: 50000000\r\n" in reader.recv(2000) for reader in readers)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
        for reader in readers:
            reader.close()
    head = running.ask(f"/{name}", "HEAD")
    assert (head.headers["content-length"], head.data) == ("50000000", b"")


def test_a_reader_that_takes_nothing_is_sent_away(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Handler, "timeout", 0.2)
    with (running.root / "site/large.pdf").open("wb") as file:
        file.truncate(50_000_000)
    with asking(running, "/large.pdf") as stalled:
        time.sleep(0.5)
        got = 0
        while data := stalled.recv(1_000_000):
            got += len(data)
    assert got < 50_000_000


def idle(running: Running) -> socket.socket:
    """A connection that asks for nothing."""
    return socket.create_connection(("127.0.0.1", running.server.server_port), PATIENCE)


def test_idle_connections_keep_nobody_out(running: Running) -> None:
    running.server.most = 3
    begun = idle(running)
    begun.sendall(b"GET / HTTP/1.1\r\nHost: 127")
    waiting = [begun, *(idle(running) for _ in range(4))]
    assert [connection.recv(10) for connection in waiting[:2]] == [b"", b""], "those that waited longest are closed"
    assert running.ask("/").status == 200
    for connection in waiting:
        connection.close()


def test_open_pages_are_not_closed_for_others(running: Running) -> None:
    running.server.most = 3
    pages = [running.listen("/", "old") for _ in range(3)]
    for events in pages:
        events.next()
    with idle(running) as fourth:
        assert fourth.recv(10) == b"", "there is no room"
    running.board.put(after(running.board.state, (), Plan((), (), (), ())))
    for events in pages:
        assert events.next()["page"] == "changed"
        events.close()


def test_who_asks_for_nothing_is_sent_away_and_an_open_page_is_not(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Handler, "idle", 0.1)
    events = running.listen("/", "old")
    events.next()
    with idle(running) as nothing:
        assert nothing.recv(10) == b""
    running.board.put(after(running.board.state, (), Plan((), (), (), ())))
    assert events.next()["page"] == "changed"
    events.close()


def test_a_file_that_becomes_shorter_while_it_is_sent_ends_the_connection(running: Running) -> None:
    file = running.root / "site/large.pdf"
    file.write_bytes(b"x" * 50_000_000)
    with asking(running, "/large.pdf") as raw:
        raw.recv(2000)
        os.truncate(file, 1_000)
        got = sum(iter(lambda: len(raw.recv(1_000_000)), 0))
    assert got < 50_000_000


def test_two_servers_cannot_have_one_port(running: Running) -> None:
    with pytest.raises(OSError, match="in use"):
        Server(running.root, running.server.server_port, Board(), "", pytest.fail)


def test_a_page_hears_of_builds_that_concern_it(running: Running) -> None:
    page = running.root / "site/t/桥 1.html"
    events = running.listen(quote("/t/桥 1.html"), digest(page.read_bytes()))
    assert events.answer.headers["Content-Type"] == "text/event-stream"
    assert events.next() == {"page": "same", "moved": None, "files": [], "errors": [], "count": 0, "texts": {}}

    wrong = Diagnostic(Location(PurePosixPath("notes_src/a.md"), 2), "dangling-reference", "no note")
    running.board.put(after(running.board.state, (wrong,), None))
    told = events.next()
    assert (told["page"], told["count"], told["errors"][0]["place"]) == ("same", 1, "notes_src/a.md:2:1")

    page.write_text("<body>new</body>")
    changed = Plan((), (Artifact.text("site/t/桥 1.html", ""), Artifact.text("site/search-all.css", "")), (), ())
    running.board.put(after(running.board.state, (), changed))
    told = events.next()
    assert told == {
        "page": "changed",
        "moved": None,
        "files": ["/search-all.css"],
        "errors": [],
        "count": 0,
        "texts": {},
    }

    page.unlink()
    moved = Plan((Artifact.text("site/t/2.html", ""),), (), (PurePosixPath("site/t/桥 1.html"),), ())
    running.board.put(after(running.board.state, (), moved))
    told = events.next()
    assert (told["page"], told["moved"]) == ("gone", "/t/2.html")
    events.close()


def test_a_page_that_changed_while_nobody_listened_hears_it_at_once(running: Running) -> None:
    for address, version, verdict in (("/", "old", "changed"), ("/t/", "old", "changed"), ("/nothing", "old", "gone")):
        events = running.listen(address, version)
        assert events.next()["page"] == verdict
        events.close()


def test_many_pages_listen_at_once_and_all_go_home_at_the_end(running: Running) -> None:
    listeners = [running.listen("/", "old") for _ in range(20)]
    for events in listeners:
        events.next()
    running.board.put(after(running.board.state, (), Plan((), (), (), ())))
    for events in listeners:
        assert events.next()["page"] == "changed"
    running.board.close()
    for events in listeners:
        with pytest.raises(EOFError):
            events.next()
        events.close()
