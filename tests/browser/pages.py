"""The pages of the sample collection, and the views of a page."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Error, Page
from windows import EMPTY

SOURCES = Path(__file__).resolve().parents[2] / "notes_src"
NOTES = sorted(f"{path.parts[-3]}/notes/{path.parts[-2]}.html" for path in SOURCES.glob("*/*/note.yaml"))
DAYS = [note for note in NOTES if note.startswith("daily/notes/") and "_20" in note]
"""Those that list the papers of a day. Pages about all notes may leave them out."""
TOPICS = sorted({f"{note.split('/')[0]}/index.html" for note in NOTES})
LISTS = [f"{name}.html" for name in ("papers", "digests", "tags", "glossary", "map", "stats")]
PAGES = ["index.html", *LISTS, *TOPICS, *NOTES]
LARGE = 150
"""How many notes the collection has that stands for a large one."""
SECONDS = 60
"""As long as a busy machine may need."""
_STORED = "JSON.stringify(Object.entries(localStorage).sort())"
VIEWS = ("zh", "en", "both")
_SITE = SOURCES.parent / "site"
_INSIDE = re.compile(r"<(script|svg|math|pre)\b.*?</\1>", re.DOTALL)
_ELEMENT = re.compile(r'<(\w+)(?:[^<>]*? class="([^"]*)")?')


def kinds(html: str) -> frozenset[str]:
    """Elements with a class of theirs, but for those in code, formulas and drawings."""
    body = _INSIDE.sub("", html[html.index("<body") :])
    return frozenset(f"{element}.{name}" for element, names in _ELEMENT.findall(body) for name in names.split() or [""])


_TEXTS = {address: (_SITE / address).read_text("utf-8") for address in PAGES if (_SITE / address).is_file()}


def with_every_kind(texts: Mapping[str, str]) -> Iterator[str]:
    """Few pages that have among them every kind of element: a new template or component is in one of them.

    They are the addresses of the texts, which are those of whole pages.
    """
    pages = {address: kinds(html) for address, html in texts.items()}
    missing = frozenset[str]().union(*pages.values())
    while missing:
        best = max(pages, key=lambda address: len(pages[address] & missing) / (30_000 + len(texts[address])))
        missing -= pages[best]
        yield best


JUDGED = tuple(with_every_kind(_TEXTS))
"""What takes long is asked of these only. They are chosen from the committed site."""
IN_EVERY_VIEW = frozenset(
    {  # by the class of its body, the shortest page of each template comes last
        re.search(r"<body[^>]*>", _TEXTS[address])[0]: address  # type: ignore[index]
        for address in sorted(JUDGED, key=lambda address: -len(_TEXTS[address]))
    }.values()
)


def choose(page: Page, view: str) -> None:
    """Quicker than a click of the mouse, which `test_reading` does; it works without JavaScript too."""
    page.evaluate("view => document.getElementById('pn-view-' + view).click()", view)


def load_at(page: Page, width: int) -> None:
    """The page that is shown, loaded anew in a window of this width: to give it another width takes Chromium longer."""
    address = page.url
    page.goto("about:blank")
    page.set_viewport_size({"width": width, "height": 844 if width < 800 else 900})
    page.goto(address)


def views_of(page: Page) -> list[str]:
    return [view for view in VIEWS if page.locator(f"#pn-view-{view}").count()]


def until(page: Page, condition: str, *argument: Any) -> None:
    """Wait until an expression or function is true, on whatever page is there by then.

    For what `expect` has no word for. The policy of pages does not allow `wait_for_function` an expression.
    """
    end = time.monotonic() + SECONDS
    while True:
        try:
            if page.evaluate(condition, *argument):
                return
        except Error as error:
            if "Execution context was destroyed" not in str(error) and "navigation" not in str(error):
                raise
        assert time.monotonic() < end, f"never: {condition}"
        page.wait_for_timeout(10)


def stored(page: Page, *tabs: Page) -> None:
    """Wait until other tabs find what this page has stored: Chromium hands it on in its own time.

    Without any, it is a new one: it has a process of its own, as the next page in this tab may have.
    """
    kept = page.evaluate(_STORED)
    new = [] if tabs else [page.context.new_page()]
    for tab in new:
        tab.goto(urljoin(page.url, EMPTY))
    for tab in (*tabs, *new):
        until(tab, f"kept => {_STORED} == kept", kept)
    for tab in new:
        tab.close()


def searched(page: Page) -> None:
    """Wait until the texts, too, have been searched for what is in the box: a pause after it was typed."""
    page.wait_for_function("""() => {
      const query = document.querySelector('#pn-q').value.trim();
      const asked = (new URLSearchParams(location.search).get('q') ?? '').trim();
      return asked == query && (!query || performance.getEntriesByName('pn-texts').length > 0);
    }""")


def ask(page: Page, query: str) -> None:
    page.evaluate("performance.clearMarks('pn-texts')")
    page.locator("#pn-q").fill(query)
    searched(page)
