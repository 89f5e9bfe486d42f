"""Touch a number, ask the palette, end a note: in Chromium and in Firefox, from disk and a server, by each means.

All pairs of means, places, languages and themes are tried in either browser; what each move does in detail is told in
the tests of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from firefox import Firefox
from pages import until
from playwright.sync_api import Page
from windows import Windows

pytestmark = pytest.mark.browser

NOTE = "spec-rl/notes/04_ReSpec_2510.26475.html"
WIDTHS = {"mouse": 1440, "keyboard": 768, "touch": 390}
ENTER, TAB, ESCAPE = "\ue007", "\ue004", "\ue00c"
KEYS = {ENTER: "Enter", TAB: "Tab", ESCAPE: "Escape"}
CASES = [
    ("touch", "disk", "en", "dark"),
    ("mouse", "disk", "zh", "light"),
    ("touch", "server", "zh", "light"),
    ("keyboard", "server", "en", "light"),
    ("keyboard", "disk", "zh", "dark"),
    ("mouse", "server", "en", "dark"),
]
STOPS = 150
"""So often at most a reader presses Tab behind the heading of a section."""
FOCUSED = "selector => document.activeElement.matches(selector) && document.activeElement.getClientRects().length > 0"
TOPS = """(...selectors) => selectors.map(selector => [...document.querySelectorAll(selector)]
  .find(e => e.getClientRects().length).getBoundingClientRect().top + scrollY).map(Math.round)"""
DARK = """() => getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).slice(0, 3)
  .every(part => part < 100)"""
CARD = """() => {
  const card = document.querySelector('#pn-card:popover-open');
  if (!card) return null;
  const box = card.getBoundingClientRect(), [r, g, b] = getComputedStyle(card).backgroundColor.match(/[\\d.]+/g);
  return {text: card.innerText, inside: box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight + 1,
    dark: +r + +g + +b < 300};
}"""


class Hands(ABC):
    """A browser, and what a reader has to use it: a mouse, a finger or keys."""

    by: str

    @abstractmethod
    def open(self, address: str) -> None: ...

    @abstractmethod
    def run(self, function: str, *arguments: object) -> Any: ...

    @abstractmethod
    def wait(self, condition: str) -> None: ...

    @abstractmethod
    def type(self, keys: str) -> None: ...

    @abstractmethod
    def point(self, selector: str, *, click: bool = False) -> None: ...

    @abstractmethod
    def tap(self, selector: str) -> None: ...

    def reach(self, selector: str) -> None:
        """Go where something tells more of itself: over it with the mouse, on it with a finger or Tab."""
        if self.by == "mouse":
            self.point(selector)
        elif self.by == "touch":
            self.tap(selector)
        else:
            for _ in range(STOPS):
                if self.run(FOCUSED, selector):
                    return
                self.type(TAB)
            pytest.fail(f"Tab does not come to {selector}")

    def press(self, selector: str) -> None:
        if self.by == "mouse":
            self.point(selector, click=True)
            return
        self.reach(selector)
        if self.by == "keyboard":
            self.type(ENTER)


@dataclass
class InChromium(Hands):
    page: Page
    by: str

    def open(self, address: str) -> None:
        self.page.goto(address)

    def run(self, function: str, *arguments: object) -> Any:
        return self.page.evaluate(f"arguments => ({function})(...arguments)", list(arguments))

    def wait(self, condition: str) -> None:
        until(self.page, condition)

    def type(self, keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(KEYS.get(key, key))

    def point(self, selector: str, *, click: bool = False) -> None:
        shown = self.page.locator(selector).filter(visible=True).first
        shown.click() if click else shown.hover()

    def tap(self, selector: str) -> None:
        self.page.locator(selector).filter(visible=True).first.tap()


@dataclass
class InFirefox(Hands):
    window: Firefox
    by: str

    def open(self, address: str) -> None:
        self.window.open("about:blank")
        self.window.open(address, width=WIDTHS[self.by], height=844)

    def run(self, function: str, *arguments: object) -> Any:
        return self.window.run(function, *arguments)

    def wait(self, condition: str) -> None:
        self.window.wait(condition)

    def type(self, keys: str) -> None:
        self.window.type(keys)

    def point(self, selector: str, *, click: bool = False) -> None:
        self.window.point(selector, click=click)

    def tap(self, selector: str) -> None:
        self.window.tap(selector)


@dataclass(frozen=True)
class Case:
    hands: Hands
    base: str
    lang: str
    dark: bool

    def open(self, address: str) -> Hands:
        page, _, place = address.partition("#")
        self.hands.open(f"{self.base}/{page}?lang={self.lang}" + (f"#{place}" if place else ""))
        if place:
            self.hands.wait("() => document.querySelector('.toc [aria-current]')")
        while self.hands.run(DARK) != self.dark:
            self.hands.type("t")
        return self.hands


@pytest.fixture(params=["chromium", "firefox"])
def case(request: pytest.FixtureRequest, site: Path, served: str, means: tuple[str, str, str, str]) -> Iterator[Case]:
    """A browser for one of `CASES`. Whatever is done: no page asks for anything but what it searches, or complains."""
    by, place, lang, theme = means
    base = served if place == "server" else site.as_uri()
    if request.param == "firefox":
        window: Firefox = request.getfixturevalue("in_firefox")
        window.open(f"{base}/{NOTE}")
        window.run("() => localStorage.clear()")  # from disk, that of each page is its own
        window.wrong.clear()
        yield Case(InFirefox(window, by), base, lang, theme == "dark")
        window.run("() => localStorage.clear()")
        assert [told for told in window.wrong if not told.startswith(f"asks for {served}")] == []
        window.wrong.clear()
        return
    windows: Windows = request.getfixturevalue("windows")
    with windows.watched(lambda asked: asked.url.startswith(base)):
        page = windows.open(width=WIDTHS[by], height=844, has_touch=by == "touch", remembers=True)
        yield Case(InChromium(page, by), base, lang, theme == "dark")
    assert windows.wrong == []


every_way = pytest.mark.parametrize("means", CASES, ids="-".join)


@pytest.mark.nightly(but_every=6)
@every_way
def test_a_number_shows_the_paper(case: Case) -> None:
    page = case.open(f"{NOTE}#where-time-goes")
    mark, heading = f"#where-time-goes .body.{case.lang} table .at", f"#where-time-goes h3.{case.lang}"
    before = page.run(TOPS, mark, heading, "#after")
    page.reach(mark)
    page.wait("() => document.querySelector('#pn-card:popover-open')?.innerText.includes('Generation')")
    card = page.run(CARD)
    assert {"zh": "表 1，第 3 页", "en": "Table 1, p. 3"}[case.lang] in card["text"]
    assert (card["inside"], card["dark"]) == (True, case.dark)
    assert page.run(TOPS, mark, heading, "#after") == before, "the text is where it was"
    if page.by == "keyboard":
        page.type(ESCAPE)
    else:
        page.reach(heading)
    page.wait("() => !document.querySelector('#pn-card:popover-open')")
    assert not page.run("() => location.hash.startsWith('#pn-')"), "it does not jump to the list"


@pytest.mark.nightly(but_every=6)
@every_way
def test_the_palette_finds_a_note_and_returns_to_the_line(case: Case) -> None:
    page = case.open(f"{NOTE}#where-time-goes")
    top, before = page.run("() => scrollY"), page.run(TOPS, "h1", "#after")
    assert top > 500
    for query in ("lossles proof", ""):  # with a mistake; then what was typed is still there
        if page.by == "keyboard":
            page.type("/")
        else:
            page.press("#pn-seek")
        page.wait("() => document.activeElement.id == 'pn-ask'")
        page.type(query)
        page.wait("() => document.querySelector('#pn-list a[href*=\"03_Lossless\"]')?.getClientRects().length")
        assert page.run("() => document.querySelector('#pn-palette').scrollWidth <= innerWidth")
        if query:
            page.type(ESCAPE) if page.by == "keyboard" else page.press("#pn-palette .esc")
            page.wait("() => !document.querySelector('#pn-palette').open")
            assert page.run("() => scrollY") == pytest.approx(top, abs=1)
            assert page.run(TOPS, "h1", "#after") == before
    if page.by == "keyboard":
        page.type(ENTER)
    else:
        page.press('#pn-list a[href*="03_Lossless"]')
    page.wait("() => location.pathname.includes('03_Lossless') && document.readyState == 'complete'")
    assert page.run("() => document.documentElement.lang.slice(0, 2)") == case.lang


@pytest.mark.nightly(but_every=6)
@every_way
def test_a_note_ends_with_questions_a_mark_and_the_next(case: Case) -> None:
    page = case.open(f"{NOTE}#after")
    page.wait("() => document.querySelector('.after .progress button')")
    before = page.run(TOPS, ".after h2", ".quiz", "#terms")
    page.press(".after .progress button")
    page.wait("() => document.querySelector('.after .progress button').getAttribute('aria-pressed') == 'true'")
    assert page.run(TOPS, ".after h2", ".quiz", "#terms") == before, "only the button says something else"
    page.press(".quiz .recall-item summary")
    page.wait("() => document.querySelector('.quiz details[open] .judge button')?.getClientRects().length")
    page.press(".quiz details[open] .judge button")
    page.wait("() => /2.*3/.test(document.querySelector('.quiz p').innerText)")
    page.press(".after a.turn")
    page.wait("() => location.pathname.includes('01_SearchR1') && document.readyState == 'complete'")
    assert page.run("() => document.documentElement.lang.slice(0, 2)") == case.lang, "as the reader came"
    if case.base.startswith("http"):  # from disk, Firefox keeps what each page stores apart
        page = case.open("spec-rl/index.html")
        page.wait("() => document.querySelector('.track li.done a')?.href.includes('04_ReSpec')")
