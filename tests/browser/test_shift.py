"""Nothing on a page moves by itself: not when the script starts, not when a choice is restored, not when it is slow."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from pages import NOTES, TOPICS
from playwright.sync_api import Page, expect
from windows import Windows, starting

pytestmark = pytest.mark.browser

WATCH = """
  window.shifts = [];
  const name = node => node && (node.nodeType == 1 ? node.tagName + '.' + node.className + '#' + node.id : node.data);
  new PerformanceObserver(list => {
    for (const entry of list.getEntries())
      shifts.push(entry.value.toFixed(4) + ' at ' + entry.startTime.toFixed(0) + ' ms: ' + entry.sources
        .map(s => `${name(s.node)} ${s.previousRect.y} -> ${s.currentRect.y}`).slice(0, 4).join('; '));
  }).observe({type: 'layout-shift', buffered: true});
"""
CHOICES = [("", ""), ("en", "dark"), ("both", "light")]
DIVERSE = {"index.html", "guide/notes/01_Writing_a_note.html", "spec-rl/notes/04_ReSpec_2510.26475.html"}
"""Pages that are shown with each of the choices in each width; the others with one choice in each."""
ADDRESSES = ["index.html", TOPICS[-1], *NOTES]
LONG = "spec-rl/notes/04_ReSpec_2510.26475.html"


class Slowly(BaseHTTPRequestHandler):
    """Sends a page in three parts, as a poor connection does, so that it is drawn before the script has seen all.

    Asked for `?numbers`, it sends a page that ends for a moment after each number of its first `:::stats`, and after
    what is said of it: a browser that is busy also draws a page that far.
    """

    protocol_version = "HTTP/1.0"

    def __init__(self, site: Path, *arguments: Any) -> None:
        self.site = site
        super().__init__(*arguments)

    def do_GET(self) -> None:
        data = (self.site / self.path.partition("?")[0].lstrip("/")).read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        start = data.index(b"<h1>") + 20_000  # a part of the text, with all before it
        ends, pause = [start, start + 40_000], 0.2
        if self.path.endswith("?numbers"):
            start = data.index(b'<dl class="stats">')
            numbers = re.compile(rb"</dt>|</dd></div>").finditer(data, start, data.index(b"</dl>", start))
            ends, pause = [number.end() for number in numbers], 0.1
        for begin, end in zip([0, *ends], [*ends, len(data)], strict=True):
            self.wfile.write(data[begin:end])
            self.wfile.flush()
            time.sleep(pause)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def window(windows: Windows) -> Iterator[Page]:
    with windows.watched(lambda _: True):
        yield windows.open(height=800)
    assert windows.wrong == []


@pytest.fixture(scope="module")
def slowly(site: Path) -> Iterator[str]:
    """The address of a slow server on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Slowly, site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def shifts(page: Page, address: str, width: int, view: str = "", theme: str = "", *, push: str = "") -> list[str]:
    """All shifts until a page has been drawn twice after everything was loaded.

    An earlier visit has chosen the view and the theme; `push` is a program that moves something.
    """
    page.set_viewport_size({"width": width, "height": 800})
    chosen = {"pn-view": view, "pn-theme": theme}
    script = WATCH + "".join(f"localStorage.setItem('{key}', '{value}');" for key, value in chosen.items() if value)
    with starting(page, script):
        page.goto(address)
        page.evaluate(push)
        page.evaluate("""async () => {
            await document.fonts.ready;
            for (let i = 0; i < 3; i++) await new Promise(done => requestAnimationFrame(() => setTimeout(done, 20)));
        }""")
        found: list[str] = page.evaluate("shifts")
    return found


@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_shifts_when_the_script_starts(window: Page, site: Path, address: str) -> None:
    for width in (1280, 390):
        for view, theme in CHOICES if address in DIVERSE else CHOICES[-1:] if width > 800 else CHOICES[-2:-1]:
            found = shifts(window, f"{site.as_uri()}/{address}", width, view, theme)
            assert found == [], f"{width} px, {view or 'no choice'}, {theme or 'no theme'}"
            if view and window.locator(f"#pn-view-{view}").count():
                expect(window.locator(f"#pn-view-{view}")).to_be_checked()
            if theme:
                expect(window.locator("html")).to_have_attribute("data-theme", theme)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    ("address", "view"),
    [(LONG, ""), (LONG, "en"), (LONG, "both"), ("spec-rl/notes/03_Lossless_Proof_Tutorial.html", "both")],
)
def test_nothing_shifts_while_a_page_comes_in(window: Page, slowly: str, address: str, view: str, width: int) -> None:
    assert shifts(window, f"{slowly}/{address}", width, view) == []


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("view", ["zh", "both"])
def test_numbers_do_not_move_when_more_of_them_comes_in(window: Page, slowly: str, view: str, width: int) -> None:
    page = f"{slowly}/spec-rl/notes/03_Lossless_Proof_Tutorial.html?numbers"
    assert shifts(window, page, width, view) == []


def test_a_shift_would_be_seen(window: Page, slowly: str) -> None:
    push = "document.querySelector('main').style.paddingTop = '200px'"
    assert shifts(window, f"{slowly}/{LONG}", 1280, push=push) != []
