"""The numbers of a note: each leads to its source, in a card beside it or in the list at the end."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pages import choose
from playwright.sync_api import Page, expect
from running import Once

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

NOTE = "spec-rl/notes/04_ReSpec_2510.26475.html"
BRIEF = "brief.html"
"""The same without the sections that follow the one whose numbers are looked at: it is loaded in half of the time."""
TABLE = "#where-time-goes .body.zh table"
BOX = "e => e.getBoundingClientRect().toJSON()"
NOTES = (NOTE, "spec-rl/notes/05_EAGLE3_2503.01840.html", "agents/notes/01_SearchR1_2503.09516.html")


@pytest.fixture(scope="module")
def site(site: Path, once: Once) -> Path:
    """Its notes, and `BRIEF`."""

    def make(root: Path) -> None:
        for topic in {note.partition("/")[0] for note in NOTES}:
            (root / topic).symlink_to(site / topic)
        html = (site / NOTE).read_text("utf-8")
        begin = html.index('<section class="row', html.index('id="where-time-goes"'))
        (root / BRIEF).write_text(html[:begin] + html[html.index('<div class="end">') :], "utf-8")

    return once("brief", make)


@pytest.mark.parametrize("note", NOTES)
def test_the_page_states_as_many_numbers_as_it_marks(open_page: Open, note: str) -> None:
    page = open_page(note)
    for view in ("zh", "en"):
        choose(page, view)
        page.evaluate("for (const fold of document.querySelectorAll('article details')) fold.open = true")
        marks: int = page.locator("article a.at").evaluate_all("all => all.filter(a => a.getClientRects()[0]).length")
        stated = page.locator(".sourced a").inner_text()
        assert marks > 80
        assert int(re.findall(r"\d+", stated)[0]) == marks, stated


def test_no_number_is_marked_for_what_the_paper_does_not_say(open_page: Open) -> None:
    page = open_page(f"{BRIEF}?lang=zh")
    text = page.locator("#where-time-goes .body.zh > p").last
    marks = text.locator(".at").all_inner_texts()
    assert marks[0] == "86%"
    assert marks[-1] == "1.75×", "what is computed"
    assert "2" not in marks, "it is a hypothesis that generation is twice as fast"
    assert page.locator("article :is(small.origin, .spot)").count() == 0


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize(("width", "view"), [(1440, "zh"), (1440, "both"), (768, "zh"), (390, "zh")])
def test_the_card_has_its_place_at_every_width(open_page: Open, width: int, view: str) -> None:
    page = open_page(f"{BRIEF}?lang={view}", width=width, height=844)
    mark = page.locator(f"{TABLE} .at").first
    mark.scroll_into_view_if_needed()
    before = page.evaluate("document.documentElement.scrollHeight")
    mark.hover()
    card = page.locator("#pn-card")
    expect(card).to_be_visible()
    assert re.sub(r"\s+", " ", card.inner_text()) == "表 1，第 3 页 Generation Math 83%–86%"
    expect(card.locator("a")).to_have_attribute("href", re.compile(r"^https://arxiv.org/pdf/2510\.26475.*#page=3$"))
    one: dict[str, float] = mark.evaluate(BOX)
    box: dict[str, float] = card.evaluate(BOX)
    assert box["left"] >= 0
    assert box["right"] <= width
    if width == 1440 and view == "zh":
        assert box["left"] > page.locator("main").evaluate("main => main.getBoundingClientRect().right")
    elif width == 390:
        assert (box["left"], box["right"], box["bottom"]) == (0, width, 844), "a sheet from below"
        assert one["bottom"] <= box["top"], "the number can be seen"
    else:
        assert box["bottom"] <= one["top"] or one["bottom"] <= box["top"], "beside the number, not upon it"
    assert page.evaluate("document.documentElement.scrollHeight") == before, "nothing moves"


def test_a_table_is_one_stop_of_the_keyboard_and_arrows_go_through_it(open_page: Open) -> None:
    page = open_page(f"{BRIEF}?lang=zh", width=1440)
    now = "() => document.activeElement.textContent"
    first = page.locator(f"{TABLE} .at").first
    stops = page.locator(f"{TABLE} .at").evaluate_all("all => all.map(a => a.tabIndex)")
    assert stops == [0, *[-1] * (len(stops) - 1)]
    page.keyboard.press("Shift")  # from now on focus is the keyboard's
    first.focus()
    card = page.locator("#pn-card")
    expect(card).to_contain_text("Generation")
    seen = []
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        seen.append(page.evaluate(now))
    assert seen == ["1.7%–2.4%", "11.4%–14%", "70.9%–75.5%", "83%–86%"]
    page.keyboard.press("Enter")
    assert page.evaluate(now) == "表 1，第 3 页", "in the card"
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    assert page.evaluate(now) == "83%–86%", "where the reader was"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('table')") is None


def test_a_tap_opens_the_card_and_one_elsewhere_closes_it(open_page: Open) -> None:
    page = open_page(f"{BRIEF}?lang=en", width=390, height=844, has_touch=True)
    mark = page.locator("#where-time-goes .body.en > p .at").last
    mark.scroll_into_view_if_needed()
    mark.tap()
    card = page.locator("#pn-card")
    expect(card).to_contain_text("Computed")
    expect(card.locator("mfrac .op").first).to_have_text("0.86")
    expect(card.locator(".of")).to_contain_text("Table 1, p. 3")
    assert "#pn-" not in page.url, "it does not jump to the list"
    page.locator("#where-time-goes h3.en").tap()
    expect(card).to_be_hidden()


def test_without_javascript_a_number_leads_to_the_list_of_sources(open_page: Open) -> None:
    page = open_page(f"{BRIEF}?lang=zh", java_script_enabled=False)
    mark = page.locator("#where-time-goes .body.zh table .at").first
    entry = page.locator(mark.get_attribute("href") or "")
    expect(entry).to_be_hidden()
    mark.click()
    expect(entry).to_be_in_viewport()
    assert "Math" in entry.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_line_below_a_number_is_quieter_than_that_of_a_link(open_page: Open, scheme: Any) -> None:
    page = open_page(f"{BRIEF}?lang=zh")
    page.emulate_media(color_scheme=scheme)
    style = "e => ['textDecorationStyle', 'color'].map(name => getComputedStyle(e)[name])"
    number = page.locator("#where-time-goes .body.zh > p .at").first
    link = page.locator("#where-time-goes .body.zh > p a.note-ref").first
    dotted, colour = number.evaluate(style)
    assert (dotted, link.evaluate(style)[0]) == ("dotted", "solid")
    assert colour == page.locator("#where-time-goes .body.zh > p").last.evaluate(style)[1]


def test_paper_shows_neither_the_list_nor_lines_below_numbers(open_page: Open) -> None:
    page = open_page(f"{BRIEF}?lang=zh")
    page.emulate_media(media="print")
    expect(page.locator("#pn-sources")).to_be_hidden()
    expect(page.locator(".sourced")).to_be_hidden()
    line = page.locator("article .at:visible").first.evaluate("e => getComputedStyle(e).textDecorationLine")
    assert line == "none"
