"""The page of `serve` on which drafts are reviewed: what it shows, what a form does, and who cannot send one."""

from __future__ import annotations

import http.client
import re
import threading
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from fake_model import FakeModel
from running import files_of, paper_notes
from serving import SCRIPT, Answer, Running
from swift_notes import GOOD, PLACE, collection, reply

from paper_notes.features.drafting.commands.review_page import PAGE
from paper_notes.serve.live_reload import Board
from paper_notes.serve.server import Server

HERE = "/.paper-notes/review/tea/01_Swift/en"
WAITS = f"{PLACE}/draft.en.json"


@pytest.fixture
def served(tmp_path: Path, model: FakeModel) -> Iterator[Running]:
    model.reply = reply
    root = collection(tmp_path / "tea")
    paper_notes("draft", "tea/1", "--root", root)
    board, said = Board(), list[str]()
    server = Server(root, 0, board, SCRIPT, said.append, (PAGE,))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield Running(root, server, board, said)
    board.close()
    server.shutdown()
    server.server_close()
    thread.join(60)
    assert said == []


def send(served: Running, fields: dict[str, str], address: str = HERE, **headers: str) -> Answer:
    port = served.server.server_port
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    given = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/x-www-form-urlencoded"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST", address, urlencode(fields), {name: value for name, value in given.items() if value})
    answer = connection.getresponse()
    told = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    connection.close()
    return told


def form(page: Answer) -> dict[str, str]:
    """The hidden fields of the page."""
    return {unescape(name): unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)">', page.text)
            if name in ("section", "text")}  # fmt: skip


def test_a_claim_stands_beside_its_place_in_the_pdf(served: Running) -> None:
    page = served.ask(HERE)
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert f'<p class="claim">{GOOD["one-sentence"][0]["text"]}</p>' in page.text
    assert re.search(
        r'<div class="crop"><img src="data:image/webp;base64,[\w+/=]{2000,}" width="\d+" height="\d+"', page.text
    )
    assert page.text.count('<span style="left:') == 1
    assert "p. 1 · “SwiftBrew outperforms TwinKettle by 2.4 points on TeaBench.”" in page.text
    assert "14 sentences to decide" in page.text
    send(served, {**form(page), "decision": "accept"})
    cell = served.ask(HERE)
    assert "p. 2 · T1[SwiftBrew, TeaBench] = 71.2" in cell.text
    assert cell.text.count('<span style="left:') == 1
    assert "tea/01_Swift/en" in served.ask("/.paper-notes/review/").text


def test_what_is_shown_runs_nothing_and_is_in_no_frame(served: Running) -> None:
    waits = served.root / WAITS
    attack = waits.read_text("utf-8").replace("SwiftBrew outperforms", '<script>alert(1)</script>\\" onload=x ')
    waits.write_text(attack, "utf-8")
    page = served.ask(HERE)
    assert "<script" not in page.text
    assert "&lt;script&gt;alert(1)" in page.text
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self'")
    assert "frame-ancestors 'none'" in policy


def test_forms_decide_and_the_note_gets_what_is_kept(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files_of(served.root)
    for decision in ("accept", "accept", "edit", *["drop"] * 4, *["accept"] * 7):
        fields = form(served.ask(HERE))
        own = {"own": "Pots waste water,\r\nsays the paper."} if decision == "edit" else {}
        answer = send(served, {**fields, "decision": decision, **own})
        assert (answer.status, answer.headers["location"]) == (303, HERE)
    done = served.ask(HERE)
    assert "Everything is decided" in done.text
    assert '<a href="/tea/notes/01_Swift.html">' in done.text
    after = files_of(served.root)
    assert {name for name in {*before, *after} if after.get(name) != before.get(name)} == {f"{PLACE}/en.md", WAITS}
    text = (served.root / PLACE / "en.md").read_text("utf-8")
    assert "## Motivation\n\nPots waste water,\nsays the paper.\n" in text
    assert "{#paper-1}\n\n*p. 1 on" in text
    assert "## Method\n\nSwiftBrew first wets the leaves. It then pours steam." in text


def test_a_form_that_is_late_decides_about_nothing_else(served: Running) -> None:
    fields = form(served.ask(HERE))
    send(served, {**fields, "decision": "drop"})
    before = (served.root / WAITS).read_bytes()
    assert send(served, {**fields, "decision": "accept"}).status == 303
    assert send(served, {**fields, "decision": "sing"}).status == 303
    assert (served.root / WAITS).read_bytes() == before
    assert send(served, {**fields, "decision": "drop"}, "/.paper-notes/review/tea/09_None/en").status == 409


REFUSED = {
    "another site": ({"Origin": "https://evil.example"}, 403),
    "no site at all": ({"Origin": ""}, 403),
    "a page without a site": ({"Origin": "null"}, 403),
    "this machine by another port": ({"Origin": "http://127.0.0.1:1"}, 403),
    "another name for this machine": ({"Host": "evil.example"}, 403),
    "another form": ({"Content-Type": "text/plain"}, 415),
    "a form without length": ({"Content-Length": "x"}, 411),
    "a giant form": ({"Content-Length": "99999999"}, 413),
    "pieces": ({"Transfer-Encoding": "chunked"}, 411),
}


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("name", REFUSED)
def test_forms_of_others_are_refused(served: Running, name: str) -> None:
    fields = {**form(served.ask(HERE)), "decision": "accept"}
    before = files_of(served.root)
    headers, status = REFUSED[name]
    assert send(served, fields, **headers).status == status  # type: ignore[arg-type]
    assert files_of(served.root) == before


def test_other_addresses_only_show(served: Running) -> None:
    assert send(served, {"a": "b"}, "/index.html").status == 405
    assert send(served, {"a": "b"}, "/.paper-notes/events").status == 405
    assert served.ask("/.paper-notes/other/").status in (404, 503)
