"""Nothing on a page moves by itself: not when the script starts, not when a choice is restored, not when it is slow."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import pytest
from pages import DAYS, IN_EVERY_VIEW, JUDGED, TOPICS
from playwright.sync_api import Page, expect
from running import EXAMPLES
from windows import Windows, starting

pytestmark = pytest.mark.browser
T = TypeVar("T")

WATCH = """
  window.shifts = [];
  const name = node => node && (node.nodeType == 1 ? node.tagName + '.' + node.className + '#' + node.id : node.data);
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (entry.value >= 0.00005)  // else it is rounding
      shifts.push(entry.value.toFixed(4) + ' at ' + entry.startTime.toFixed(0) + ' ms: ' + entry.sources
        .map(s => `${name(s.node)} ${s.previousRect.y} -> ${s.currentRect.y}`).slice(0, 4).join('; '));
  }).observe({type: 'layout-shift', buffered: true});
"""
CHOICES = [("", ""), ("en", "dark"), ("both", "light")]
DIVERSE = {"index.html", "guide/notes/01_Writing_a_note.html", "spec-rl/notes/04_ReSpec_2510.26475.html"}
"""Pages that are shown with each of the choices; the others with one in each width."""
ADDRESSES = sorted({*DIVERSE, *JUDGED, *(TOPICS[-1:] if EXAMPLES else ())})
"""Pages that have every kind of element between them."""
WIDTHS = (1280, 390)
LONG = "spec-rl/notes/04_ReSpec_2510.26475.html"
PROOF = "spec-rl/notes/03_Lossless_Proof_Tutorial.html"


_BLOCK = re.compile(rb"</(?:h[1-6]|p|div|section|d[ltd]|details|summary|[uo]l|li|nav|fieldset|label|t[rd])>")
_WHOLE = re.compile(rb"<(script|style|svg|math|pre|select)\b.*?</\1>", re.DOTALL)
"""A page does not stop in one of these."""
_IN_A_FORMULA = re.compile(r"0\.000\d at \d+ ms: (?:null (\S+) -> \1(?:; |$))+$")
"""What has no element, is a few pixels large and stays on its line: a busy browser draws half of a formula too, not
only where the server stops."""
_STOP = b"<!--stop-->"
DRAWN = """
  new MutationObserver(list => {
    for (const {addedNodes} of list) for (const {nodeType, data} of addedNodes)
      if (nodeType == 8 && data == 'stop') requestAnimationFrame(() => setTimeout(() => drawn('')));
  }).observe(document, {childList: true, subtree: true});
"""
"""Says that the page has been drawn as far as it has come in."""


class Slow(ThreadingHTTPServer):
    """Sends a page in parts, and goes on when the browser has drawn it that far.

    So do a poor connection and a busy machine, which draw the page before the script has seen all of it. Where it stops
    is said after the `?`: `numbers`, in the first `:::stats`; `sources`, in the count of sources; `steps`, at the end
    of each of the first blocks, and here and there below; otherwise twice in the text.
    """

    def __init__(self, site: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(_Slowly, site))
        self.drawn = threading.Semaphore(0)
        self.stops: list[bool] = []
        """For each stop: whether the page was drawn then."""

    def stop(self) -> None:
        self.stops.append(self.drawn.acquire(timeout=60))


class _Slowly(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"
    server: Slow

    def __init__(self, site: Path, *arguments: Any) -> None:
        self.site = site
        super().__init__(*arguments)

    def do_GET(self) -> None:
        path, _, where = self.path.partition("?")
        data = (self.site / path.lstrip("/")).read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "text/css" if path.endswith(".css") else "text/html; charset=utf-8")
        self.end_headers()
        if path.endswith(".css"):
            self.wfile.write(data)
            return
        begin = 0
        for end in stops_of(data, where):
            self.wfile.write(data[begin:end] + _STOP)
            self.server.stop()
            begin = end
        self.wfile.write(data[begin:])

    def log_message(self, *_: Any) -> None:
        pass


def stops_of(data: bytes, where: str) -> list[int]:
    """Where in a page a slow server stops."""
    begin = data.index(b"</header>")
    whole = [match.span() for match in _WHOLE.finditer(data, begin)]
    ends = [match.end() for match in _BLOCK.finditer(data, begin) if not any(a < match.end() < b for a, b in whole)]
    if where == "steps":
        return [*ends[:24], *ends[24 :: len(ends) // 8]]
    if where == "numbers":
        begin = data.index(b'<dl class="stats">')
        return [end for end in ends if begin < end < data.index(b"</dl>", begin)]
    if where == "sources":
        begin = data.index(b'class="meta sourced"')
        return [
            found.end() for found in re.finditer(b"</span>", data[: data.index(b"</p>", begin)]) if found.end() > begin
        ]
    text = data.index(b"<h1>")
    return [next(end for end in ends if end > text + length) for length in (20_000, 60_000)]


@pytest.fixture
def window(windows: Windows) -> Iterator[Page]:
    with windows.watched(lambda _: True):
        yield windows.open(height=800)
    assert windows.wrong == []


@pytest.fixture(scope="module")
def slow(site: Path) -> Iterator[Slow]:
    server = Slow(site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


NOTHING: Mapping[str, str] = MappingProxyType({})


def shifts(
    page: Page,
    address: str,
    width: int,
    view: str = "",
    theme: str = "",
    *,
    push: str = "",
    kept: Mapping[str, str] = NOTHING,
) -> list[str]:
    """All shifts until a page has been drawn twice after everything was loaded.

    An earlier visit has chosen the view and the theme, and has `kept` more; `push` is a program that moves something.
    """
    page.set_viewport_size({"width": width, "height": 800})
    chosen = {"pn-view": view, "pn-theme": theme, **kept}
    texts = ((json.dumps(key), json.dumps(value)) for key, value in chosen.items() if value)
    script = WATCH + "".join(f"localStorage.setItem({key}, {value});" for key, value in texts)
    with starting(page, script):
        page.goto(address)
        page.evaluate(push)
        page.evaluate("""async () => {
            await document.fonts.ready;
            for (let i = 0; i < 3; i++) await new Promise(done => requestAnimationFrame(() => setTimeout(done, 20)));
        }""")
        found: list[str] = page.evaluate("shifts")
    return found


def slow_shifts(page: Page, slow: Slow, address: str, width: int, view: str = "", **options: Any) -> list[str]:
    """The same of a page that comes in by and by."""
    slow.stops.clear()
    session = page.context.new_cdp_session(page)
    session.send("Runtime.enable")
    session.send("Runtime.addBinding", {"name": "drawn"})
    session.on("Runtime.bindingCalled", lambda _: slow.drawn.release())
    with starting(page, DRAWN):
        found = shifts(page, f"http://127.0.0.1:{slow.server_port}/{address}", width, view, **options)
    session.detach()
    assert slow.stops, "it stops somewhere"
    assert all(slow.stops), "it is drawn at each stop"
    return [shift for shift in found if not _IN_A_FORMULA.match(shift)]


def in_widths(values: Sequence[T]) -> list[tuple[T, int]]:
    """Each in one of the widths, by turns; in `make nightly` in both."""
    return [(one, width) for n, one in enumerate(values) for width in (WIDTHS if EXAMPLES else WIDTHS[n % 2 :][:1])]


def choices_of(address: str, width: int) -> list[tuple[str, str]]:
    """Each choice on few pages, in one of the widths, and the other pages on a desk; in `make nightly` in both."""
    desk = width > 800
    if not (desk or EXAMPLES or address in DIVERSE | IN_EVERY_VIEW):
        return []
    if address in DIVERSE:
        return CHOICES if EXAMPLES or address == "index.html" else CHOICES[1:] if desk else CHOICES[:1]
    return CHOICES[-1:] if desk else CHOICES[-2:-1]


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_shifts_when_the_script_starts(window: Page, site: Path, address: str) -> None:
    for width in WIDTHS:
        for view, theme in choices_of(address, width):
            found = shifts(window, f"{site.as_uri()}/{address}", width, view, theme)
            assert found == [], f"{width} px, {view or 'no choice'}, {theme or 'no theme'}"
            if view and window.locator(f"#pn-view-{view}").count():
                expect(window.locator(f"#pn-view-{view}")).to_be_checked()
            if theme:
                expect(window.locator("html")).to_have_attribute("data-theme", theme)


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(("shown", "width"), in_widths([(LONG, ""), (LONG, "en"), (PROOF, "both"), (LONG, "both")]))
def test_nothing_shifts_while_a_page_comes_in(window: Page, slow: Slow, shown: tuple[str, str], width: int) -> None:
    address, view = shown
    assert slow_shifts(window, slow, address, width, view) == []


@pytest.mark.parametrize(("view", "width"), in_widths(["zh", "both"]))
def test_numbers_do_not_move_when_more_of_them_comes_in(window: Page, slow: Slow, view: str, width: int) -> None:
    assert slow_shifts(window, slow, f"{PROOF}?numbers", width, view) == []


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(("view", "width"), in_widths(["zh", "en", "both"]))
def test_nothing_shifts_at_any_step_of_a_list_of_papers(window: Page, slow: Slow, view: str, width: int) -> None:
    assert slow_shifts(window, slow, f"{DAYS[0]}?steps", width, view) == []


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    ("address", "width"), in_widths(["index.html", "digests.html", "papers.html", "stats.html", "agents/index.html"])
)
def test_nothing_shifts_at_any_step_of_a_page_of_the_collection(
    window: Page, slow: Slow, address: str, width: int
) -> None:
    assert slow_shifts(window, slow, f"{address}?steps", width, "en" if width > 800 else "zh") == []


def test_nothing_shifts_when_home_greets_a_reader_who_comes_back(window: Page, slow: Slow) -> None:
    place = {"id": "method", "no": "3", "at": 0.4, "t": 5, "h": ["方法", "Method"], "n": ["一个题目", "A title"]}
    records = {
        "place": {"spec-rl/04_ReSpec_2510.26475": place},
        "recall": {"spec-rl/01_Leviathan_2211.17192": {"a": [1, "2026-01-09"]}},
        "seen": {"t": 1, "now": ["2026-01-01 spec-rl/01_Leviathan_2211.17192"]},
    }
    kept = {f"pn-{name} 论文精读Paper Notes": json.dumps(record) for name, record in records.items()}
    for width, view in ((1280, "en"), (390, "zh")):
        assert slow_shifts(window, slow, "index.html?steps", width, view, kept=kept) == [], f"{width} px, {view}"
        expect(window.locator("#pn-again, #pn-due, #pn-new").filter(visible=True)).to_have_count(3)
        expect(window.locator("#pn-start")).to_be_hidden()


@pytest.mark.parametrize("view", ["zh", "en"])
def test_the_count_of_sources_does_not_move_when_its_other_language_comes_in(
    window: Page, slow: Slow, view: str
) -> None:
    assert slow_shifts(window, slow, f"{LONG}?sources", 1280, view) == []


def test_a_shift_would_be_seen(window: Page, slow: Slow) -> None:
    push = "document.querySelector('main').style.paddingTop = '200px'"
    assert slow_shifts(window, slow, LONG, 1280, push=push) != []
