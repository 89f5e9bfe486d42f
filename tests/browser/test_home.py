"""The home page: what is seen first, and what it offers to a reader who comes back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from pages import choose, stored
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

FIRST = "document.querySelector('.topic .rows li').getBoundingClientRect().top"
SMALL = """() => [...document.querySelectorAll('a, button, input, select')]
  .filter(e => e.getClientRects().length && !e.closest('.skip, p:not(.meta, .more), h3, :has(> h3)'))
  .map(e => [e.textContent.trim(), e.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < 23.9)
  .map(([text, box]) => `${text}: ${box.width}x${box.height}`)"""
CUT = """box => {
  const pen = document.createElement('canvas').getContext('2d'), style = getComputedStyle(box);
  pen.font = style.font;
  const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(box.placeholder).width > room;
}"""
"""Of targets that are not inside of running text; a title of a row is clicked anywhere in the row."""
PLACES = {
    "spec-rl/04_ReSpec_2510.26475": {
        "id": "experiments",
        "no": "6",
        "at": 0.42,
        "t": 3,
        "h": ["实验", "Experiments"],
        "n": ["ReSpec：投机", "ReSpec: speculative"],
    },
    "gone/01_Gone": {"id": "x", "no": "1", "at": 0.5, "t": 9},
    "models/01_MTP_Gloeckle_2404.19737": {"id": "method", "no": "2", "at": 0.2, "t": 2},
    "spec-rl/01_Leviathan_2211.17192": {"id": "a", "no": "1", "at": 0.99, "t": 8},
    "spec-rl/02_Chen_2302.01318": {"id": "a", "no": "1", "at": 0.01, "t": 7},
}


@pytest.mark.parametrize(("width", "height", "y"), [(1440, 900, 450), (768, 1024, 560), (390, 844, 800)])
def test_the_first_note_is_in_the_first_screen_and_all_targets_are_large(
    open_page: Open, width: int, height: int, y: int
) -> None:
    for lang in ("zh", "en"):
        page = open_page(f"index.html?lang={lang}", width=width, height=height)
        assert page.evaluate(FIRST) <= y
        assert not page.locator("#pn-q").evaluate(CUT)
        page.locator("#pn-open").click()
        assert page.evaluate(SMALL) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_topic_is_a_filter_of_one_click(open_page: Open) -> None:
    page = open_page("index.html?lang=en")
    chips = page.locator(".jump a")
    expect(chips).to_have_text([re.compile(text) for text in ("5$", "2$", "2$", "Daily papers", "9$")])
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


def store(page: Page, name: str, text: object) -> None:
    """Put a record of the reader's where the page looks for it, and come back to the page."""
    key = f"'pn-{name} ' + document.querySelector('.crumbs a').textContent.trim()"
    page.evaluate(
        f"text => {{ localStorage.setItem({key}, text) }}", text if isinstance(text, str) else json.dumps(text)
    )
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")


def test_a_new_reader_is_told_where_to_begin_and_why(open_page: Open) -> None:
    page = open_page("index.html?lang=en", width=390)
    start = page.locator("#pn-start")
    expect(start.locator("a").first).to_have_text(re.compile("#3 .*Why speculative decoding is lossless"))
    expect(start).to_contain_text(
        "Why accepting, rejecting and the residual add up to exactly the target distribution."
    )
    expect(start.locator("a").last).to_have_text(re.compile("4 more"))
    expect(page.locator("#pn-new a").filter(visible=True)).to_have_count(2)
    expect(page.locator("#pn-new dt > span").filter(visible=True)).to_have_text("最新Newest")
    expect(page.locator("#pn-again, #pn-due").filter(visible=True)).to_have_count(0)


def test_a_reader_who_comes_back_continues_at_a_section_by_its_name(open_page: Open) -> None:
    page = open_page("index.html?lang=en")
    store(page, "place", PLACES)
    links = page.locator("#pn-again a")
    expect(links).to_have_text(["#4 ReSpec at 6 Experiments", "#1 MTP Gloeckle at 2"])
    assert links.first.get_attribute("href") == "./spec-rl/notes/04_ReSpec_2510.26475.html#experiments"
    expect(page.locator("#pn-start")).to_be_hidden()
    choose(page, "zh")
    expect(links.first).to_have_text("#4 ReSpec 读到 6 实验")
    store(page, "read", {"spec-rl/04_ReSpec_2510.26475": "2026-01-01"})
    expect(links).to_have_count(1)
    for broken in ("[", "null", "7", '{"spec-rl/04_ReSpec_2510.26475": null}'):
        store(page, "place", broken)
        expect(page.locator("#pn-again")).to_be_hidden()


def test_what_is_new_is_what_was_not_there_at_the_last_visit(open_page: Open, served: str) -> None:
    page = open_page("index.html?lang=en", base=served, remembers=True)
    page.clock.set_fixed_time("2026-11-01T09:00:00")
    page.reload()
    shown, head = page.locator("#pn-new a").filter(visible=True), page.locator("#pn-new dt > span").filter(visible=True)
    expect(head).to_have_text("最新Newest")
    key = "'pn-seen ' + document.querySelector('.crumbs a').textContent.trim()"
    seen = json.loads(page.evaluate(f"localStorage.getItem({key})"))
    assert len(seen["now"]) == 7
    seen["now"] = seen["now"][2:]
    page.evaluate(f"text => localStorage.setItem({key}, text)", json.dumps(seen))
    page.clock.set_fixed_time("2026-11-01T09:20:00")
    stored(page)
    page.reload()
    expect(head).to_have_text("最新Newest")  # the same visit: nothing came since it began
    page.evaluate(f"text => localStorage.setItem({key}, text)", json.dumps(seen))
    page.clock.set_fixed_time("2026-11-02T09:00:00")
    stored(page)
    for _ in range(2):  # as long as the visit lasts
        page.reload()
        expect(head).to_have_text("上次来过之后New since your last visit")
        expect(shown).to_have_count(2)
        stored(page)
    page.clock.set_fixed_time("2026-11-03T09:00:00")
    page.reload()
    expect(head).to_have_text("最新Newest")
