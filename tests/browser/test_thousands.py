"""A site of four thousand notes is used as one of forty is, on a wide screen and on a phone.

The suite has fewer, in pages that are split sooner; `make nightly` has all.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from bench.collection import make_collection
from pages import LARGE, ask, until
from playwright.sync_api import Page, expect
from reading_html import in_search_file
from running import EXAMPLES, Once
from windows import Windows

from paper_notes.build import update

pytestmark = pytest.mark.browser
Open = Callable[[str], Page]
NOTES = 4000 if EXAMPLES else LARGE
PACKED = {"index": 60_000, "map": 150_000, "map-spec-rl": 150_000, "spec-rl/index": 60_000, "papers": 100_000}
"""Bytes that a server sends of a page at most."""


@pytest.fixture(scope="session")
def thousands(once: Once, request: pytest.FixtureRequest) -> Path:
    """The folder `site/`."""
    if not EXAMPLES:
        return request.getfixturevalue("large")  # type: ignore[no-any-return]
    return once("thousands", lambda root: update(make_collection(root, NOTES))) / "site"


@pytest.fixture(params=[1440, 390])
def open_at(request: pytest.FixtureRequest, thousands: Path, windows: Windows) -> Iterator[Open]:
    """Opens a page in English, which fits into the window, asks for nothing outside and says nothing wrong."""
    shown: list[Page] = []

    def opened(address: str) -> Page:
        if not shown:
            shown.append(windows.open(width=request.param, height=844 if request.param == 390 else 900))
        shown[0].goto(f"{thousands.as_uri()}/{address}.html?lang=en")
        fits(shown[0])
        return shown[0]

    with windows.watched(lambda request: request.url.startswith(thousands.as_uri())):
        yield opened
        fits(shown[0])
    assert windows.wrong == []


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth == innerWidth"), page.url


def count(text: str) -> int:
    """The first number in it."""
    return int(re.findall(r"\d[\d,]*", text)[0].replace(",", ""))


def counts(page: Page, selector: str) -> list[int]:
    return [count(text) for text in page.locator(selector).all_inner_texts()]


def test_its_pages_are_bounded(thousands: Path) -> None:
    sent = {name: len(gzip.compress((thousands / f"{name}.html").read_bytes())) for name in PACKED}
    assert {name: size for name, size in sent.items() if size > PACKED[name]} == {}
    assert max(path.stat().st_size for path in thousands.rglob("README*.md")) < 400_000


def test_home_has_all_by_topics_and_filters_lead_to_a_note(open_at: Open, thousands: Path) -> None:
    facts = in_search_file((thousands / "search-notes.css").read_text("utf-8"))
    page = open_at("index")
    assert sum(counts(page, ".jump .count")) == count(page.locator("header.top .count").inner_text()) == NOTES
    page.locator(".jump a").first.click()
    found = page.locator("#pn-found")
    expect(found).to_contain_text(f"of {NOTES} notes")
    of_topic = count(found.inner_text())
    page.locator("#pn-open").click()
    page.locator("[name=kind]").focus()
    page.locator("[name=kind]").select_option("tutorial")
    expect(found).not_to_contain_text(f"{of_topic} of")
    assert 0 < count(found.inner_text()) < of_topic
    ask(page, "reward")
    rows = page.locator("#pn-results li:not(.sentinel)")
    expect(rows.first).to_contain_text(re.compile("reward", re.IGNORECASE))
    fits(page)
    page.locator("#pn-clear").click()
    ask(page, "")
    page.locator("[name=sort]").select_option("title")
    for _ in range(3):
        shown = rows.count()
        rows.last.scroll_into_view_if_needed()
        until(page, "most => document.querySelectorAll('#pn-results li').length >= most", min(shown + 20, NOTES))
    assert len(facts["notes"]) == NOTES
    row = rows.nth(rows.count() - 1)  # not the last one: there may be more by the time it is pressed
    title = row.locator("h3").inner_text()
    row.locator("h3 a").click()
    expect(page.locator("h1")).to_have_text(title, use_inner_text=True)


def test_the_palette_leads_from_a_note_to_any_other(open_at: Open, thousands: Path) -> None:
    """Also to those whose name is the beginning of another's."""
    first, *others = sorted(thousands.glob("*/notes/*.html"))
    names = Counter(path.stem.split("_")[1] for path in others)
    begun = (name for name in names if names[name] == 1 and sum(other.startswith(name) for other in names) > 1)
    page = open_at(first.relative_to(thousands).with_suffix("").as_posix())
    page.keyboard.press("/")
    row = page.locator("#pn-list [role=option] b").first
    for name in islice(begun, 5):
        page.locator("#pn-ask").fill(name)
        expect(row).to_contain_text(re.compile(rf"{name}\b"))
        fits(page)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/*_{name}*")
    expect(page.locator("h1")).to_contain_text(name)


def test_the_map_opens_topics_and_finds_a_note_among_a_thousand(open_at: Open) -> None:
    page = open_at("map")
    drawn = page.locator(".node")
    assert sum(counts(page, "#list .count")) == NOTES
    topic = page.locator("#list a.note").first
    of_topic = count(page.locator("#list .count").first.inner_text())
    topic.click()
    page.wait_for_url("**/map-spec-rl.html*")
    fits(page)
    assert drawn.count() <= 40
    rows = page.locator("#list .entries > li:visible")
    assert rows.count() + sum(counts(page, "#list .aka")) == of_topic
    name = rows.last.locator(".no").first.inner_text()
    page.locator("#pn-map-find").fill(name)
    expect(rows.first).to_contain_text(name)
    assert 0 < rows.count() < of_topic / 2
    fits(page)
    rows.first.locator("a").first.click()
    page.wait_for_url("**/spec-rl/notes/*")


def test_a_topic_of_a_thousand_has_its_newest_and_a_page_for_each_year(open_at: Open) -> None:
    page = open_at("spec-rl/index")
    of_topic = count(page.locator("header.top .meta").inner_text())
    rows, years = page.locator("#notes .rows > li"), page.locator("#notes .jump a")
    assert 0 < rows.count() < of_topic / 2
    assert sum(counts(page, "#notes .jump .count")) == of_topic
    for place in (0, -1):
        in_year = count(years.nth(place).locator(".count").inner_text())
        years.nth(place).click()
        expect(years.nth(place)).to_have_attribute("aria-current", "page")
        assert rows.count() == in_year
        fits(page)
    row = rows.nth(rows.count() - 1)  # not the last one: there may be more by the time it is pressed
    title = row.locator("h3").inner_text()
    row.locator("h3 a").click()
    expect(page.locator("h1")).to_have_text(title, use_inner_text=True)
