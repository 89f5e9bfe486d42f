"""The home page: what is seen first, and what it offers to a reader who comes back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

FIRST = "document.querySelector('.topic .rows li').getBoundingClientRect().top"
SMALL = """() => [...document.querySelectorAll('a, button, input, select')]
  .filter(e => e.getClientRects().length && !e.closest('.skip, p:not(.meta, .more), h3, :has(> h3)'))
  .map(e => [e.textContent.trim(), e.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < 23.9)
  .map(([text, box]) => `${text}: ${box.width}x${box.height}`)"""
"""Of targets that are not inside of running text; a title of a row is clicked anywhere in the row."""
PLACES = {
    "spec-rl/04_ReSpec_2510.26475": {"id": "experiments", "no": "6", "at": 0.42, "t": 3},
    "gone/01_Gone": {"id": "x", "no": "1", "at": 0.5, "t": 9},
    "models/01_MTP_Gloeckle_2404.19737": {"id": "method", "no": "", "at": 0.2, "t": 2},
    "spec-rl/01_Leviathan_2211.17192": {"id": "a", "no": "1", "at": 0.99, "t": 8},
    "spec-rl/02_Chen_2302.01318": {"id": "a", "no": "1", "at": 0.01, "t": 7},
}


@pytest.mark.parametrize(("width", "height", "y"), [(1440, 900, 420), (768, 1024, 470), (390, 844, 670)])
def test_the_first_note_is_in_the_first_screen_and_all_targets_are_large(
    open_page: Open, width: int, height: int, y: int
) -> None:
    for lang in ("zh", "en"):
        page = open_page(f"index.html?lang={lang}", width=width, height=height)
        assert page.evaluate(FIRST) <= y
        page.locator("#pn-open").click()
        assert page.evaluate(SMALL) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_topic_is_a_filter_of_one_click(open_page: Open) -> None:
    page = open_page("index.html?lang=en")
    chips = page.locator(".jump a")
    expect(chips).to_have_text([re.compile(text) for text in ("5$", "2$", "2$", "Daily papers", "8$")])
    expect(page.locator(".jump [aria-pressed=true]")).to_have_count(0)
    chips.nth(1).click()
    expect(chips.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#pn-results .no")).to_have_text(["#1", "#2"])
    expect(page).to_have_url(re.compile(r"\?lang=en&topic=models$"))
    chips.nth(2).focus()
    page.keyboard.press(" ")
    expect(page).to_have_url(re.compile(r"\?lang=en&topic=agents$"))
    page.keyboard.press("Enter")
    expect(page.locator("#pn-results")).to_be_hidden()
    expect(page).to_have_url(re.compile(r"\?lang=en$"))


def test_what_is_chosen_is_seen_and_removed_one_by_one(open_page: Open) -> None:
    page = open_page("index.html?lang=en&topic=spec-rl&kind=tutorial&tag=theory")
    chosen = page.locator("#pn-chosen button")
    expect(chosen).to_have_text(["Tutorial×", "Theory×"])
    expect(page.locator("#pn-open .count")).to_have_text("2")
    expect(page.locator(".jump .count")).to_have_text(["1", "0", "0", "0", "0"])
    chosen.nth(1).click()
    chosen.nth(0).click()
    expect(chosen).to_have_count(0)
    expect(page.locator("#pn-results .no")).to_have_count(5)
    page.locator("#pn-clear").click()
    expect(page).to_have_url(re.compile(r"\?lang=en$"))


def test_rows_say_only_what_differs(open_page: Open) -> None:
    page = open_page("index.html?lang=en")
    rows = page.locator("#spec-rl .rows li")
    listed = rows.nth(0).locator(".facts").inner_text()
    assert re.fullmatch(r"Leviathan et al\.\s+2023-07\s+\d+ min", listed)
    assert re.search(r"min\s+Tutorial$", rows.nth(2).locator(".facts").inner_text())
    page.locator("#pn-open").click()
    page.locator("[name=kind]").select_option("paper")
    found = page.locator("#pn-results .rows li").first
    expect(found.locator(".by")).to_have_text(listed, use_inner_text=True)
    expect(found.locator(".of")).to_have_text("Speculative decoding × RL")


def test_the_last_topic_that_only_explains_is_quieter(open_page: Open) -> None:
    page = open_page("index.html?lang=en")
    expect(page.locator("section.aside")).to_have_attribute("id", "guide")
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    assert page.locator("#guide h3").first.evaluate(size) < page.locator("#agents h3").first.evaluate(size)


def test_a_reader_starts_with_the_path_and_continues_where_the_page_was_left(open_page: Open) -> None:
    page = open_page("index.html?lang=en")
    start = page.locator(".ways ol a")
    expect(start.first).to_have_text("#3 投机解码为什么无损Why speculative decoding is lossless")
    expect(start).to_have_count(5)
    expect(page.locator("#pn-again")).to_be_hidden()
    key = "'pn-place ' + document.querySelector('.crumbs a').textContent.trim()"
    page.evaluate(f"places => {{ localStorage.setItem({key}, places) }}", json.dumps(PLACES))
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    links = page.locator("#pn-again a")
    expect(links).to_have_text(["#4 ReSpec at 6 · 42%", "#1 MTP · 20%"])
    assert links.first.get_attribute("href") == "spec-rl/notes/04_ReSpec_2510.26475.html#experiments"
    for broken in ("[", "null", "7", '{"spec-rl/04_ReSpec_2510.26475": null}'):
        page.evaluate(f"places => {{ localStorage.setItem({key}, places) }}", broken)
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        expect(page.locator("#pn-again")).to_be_hidden()
