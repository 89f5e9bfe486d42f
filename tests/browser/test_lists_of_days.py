"""Lists of a day in a browser: the search leads to a card, and filters hide the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from days_collection import files
from playwright.sync_api import Page, expect
from running import built, write
from test_judges import faults, load_axe
from windows import Windows

pytestmark = pytest.mark.browser


def with_fields() -> dict[str, str]:
    """A day of three papers, two of each field and keyword."""
    entries = (
        ("a1", "Vision / Speech", "视觉 / 语音", ["tea"]),
        ("a2", "Vision", "视觉", []),
        ("a3", "Speech", "语音", ["tea"]),
    )
    facts = {
        "title": {"zh": "第 10 天", "en": "Day 10"},
        "kind": "digest",
        "created": "2026-01-10",
        "source": {"format": "hf-daily", "date": "2026-01-10"},
        "entries": [{"paper": key, "keywords": [*words, f"only {key}"]} for key, _, _, words in entries],
    }

    def text(place: int) -> str:
        sections = ((f"p-2601-0000{entry[0][1]}", entry[place]) for entry in entries)
        return "".join(f"## T {{#{name}}}\n\n### F {{#{name}-area}}\n\n{fields}\n\n" for name, fields in sections)

    folder = "notes_src/daily/10_2026-01-10"
    return {
        f"{folder}/note.yaml": json.dumps(facts, ensure_ascii=False),
        f"{folder}/en.md": text(1),
        f"{folder}/zh.md": text(2),
    }


@pytest.fixture(scope="module")
def days(once: Callable[[str, Callable[[Path], object]], Path]) -> str:
    return (once("days", lambda root: built(write(root, {**files(), **with_fields()}))) / "site").as_uri()


@pytest.fixture
def window(windows: Windows) -> Iterator[Callable[..., Page]]:
    with windows.watched(lambda _: True):
        yield windows.open
    assert windows.wrong == []


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize("width", [1280, 390])
def test_the_calendar_says_how_many_papers_and_leads_to_the_day(
    days: str, window: Callable[..., Page], judges: Path, width: int
) -> None:
    page = window(width=width)
    page.goto(f"{days}/digests.html?lang=en")
    link = page.get_by_role("link", name="2026-01-10: 3 papers", exact=True)
    expect(page.get_by_role("table", name="Jan 2026")).to_be_visible()
    for shown in (page.locator(".days a").first, page.locator(".days a").last, link):
        shown.focus()
        expect(shown.locator("em")).to_have_css("opacity", "1")
        box = shown.locator("em").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    load_axe(page, judges)
    assert faults(page) == []
    link.press("Enter")
    page.wait_for_url("**/10_2026-01-10.html*")


def test_the_search_leads_to_the_card_of_a_paper(days: str, window: Callable[..., Page]) -> None:
    page = window()
    for query, card in (("2601.00004", "p-2601-00004"), ("kettle b7", "p-b7"), ("oolong a2", "p-2601-00002")):
        page.goto(f"{days}/index.html?q={query}")
        found = page.locator("#pn-results h3 a")
        expect(found).to_have_count(1)
        found.click()
        expect(page.locator(f"#{card}")).to_be_in_viewport()
        assert page.evaluate("location.hash") == f"#{card}"


def test_filters_other_than_topic_and_kind_do_not_list_days(days: str, window: Callable[..., Page]) -> None:
    page = window()
    for query, count in (("year=2026", 1), ("year=2026&kind=digest", 10), ("topic=daily", 10), ("sort=newest", 1)):
        page.goto(f"{days}/index.html?{query}")
        expect(page.locator("#pn-results h3 a"), query).to_have_count(count)


def test_fields_and_keywords_are_filters_that_go_together(days: str, window: Callable[..., Page]) -> None:
    page = window(width=390)
    page.goto(f"{days}/daily/notes/10_2026-01-10.html?lang=en")
    cards = page.locator(".entry:visible")
    expect(cards).to_have_count(3)
    page.get_by_role("button", name="Vision 2").press("Enter")
    expect(cards).to_have_count(2)
    page.get_by_role("button", name="tea 2").press(" ")
    expect(cards).to_have_count(1)
    expect(page.locator("#pn-left")).to_have_text("1 / 3")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Vision 2").click()
    page.get_by_role("button", name="tea 2").click()
    expect(cards).to_have_count(3)
