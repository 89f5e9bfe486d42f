"""Pages of the whole collection in a browser: their cards, the map, and those that the sample has not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pages import NOTES, TOPICS
from playwright.sync_api import Page
from test_judges import COLOURS, load_axe, violations
from windows import Windows

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


@pytest.mark.parametrize(("lang", "title", "summary"), [("zh", "投机解码的原点", "接受规则"), ("en", "begins", "rule")])
def test_a_link_to_a_note_has_a_card_in_the_language_of_the_page(
    open_page: Open, lang: str, title: str, summary: str
) -> None:
    page = open_page(f"tags.html?lang={lang}")
    link = page.locator("a.ref[data-card]:visible", has_text="spec-rl/#1 Leviathan").first
    link.hover()
    card = page.locator("#pn-card")
    card.wait_for(state="visible")
    assert title in card.locator("a").inner_text()
    assert summary in card.locator("p").inner_text()


@pytest.mark.parametrize(("width", "shown", "other"), [(1280, "wide-only", "narrow"), (390, "narrow", "wide-only")])
def test_the_map_is_drawn_for_the_screen_and_leads_to_notes(
    open_page: Open, width: int, shown: str, other: str
) -> None:
    page = open_page("map.html?lang=en", width=width)
    assert page.locator(f"svg.{other} a:visible").count() == 0
    nodes = page.locator(f"svg.{shown} a")
    assert nodes.count() == len(NOTES)
    sizes = page.evaluate("""() => [...document.querySelectorAll('svg.graph text')]
        .filter(text => text.getClientRects().length)
        .map(text => [text.getBoundingClientRect(), text.parentElement.querySelector('rect').getBoundingClientRect()])
        .filter(([text, box]) => text.width > box.width - 8 || text.height < 8).length""")
    assert sizes == 0, "names that stick out of their boxes, or are too small to be read"
    nodes.first.click()
    page.wait_for_url("**/notes/*.html")


@pytest.mark.parametrize("topic", TOPICS)
def test_a_reading_path_is_a_line_from_station_to_station(open_page: Open, topic: str) -> None:
    for width in (1280, 390):
        page = open_page(topic, width=width)
        for track in page.locator(".track").all():
            numbers = track.locator("li").evaluate_all("steps => steps.map(step => step.getBoundingClientRect().top)")
            assert numbers == sorted(numbers)
            assert width > 800 or len(set(numbers)) == len(numbers), "one below the other on a phone"


def test_axe_finds_nothing_on_the_pages_that_the_sample_has_not(
    windows: Windows, judges: Path, bilingual: Path
) -> None:
    with windows.watched(lambda _: True):
        page = windows.open(width=390, height=844)
        for name in ("errata", "404", "papers", "map", "stats"):
            page.emulate_media(color_scheme="light")
            page.goto((bilingual / f"{name}.html").as_uri())
            load_axe(page, judges)
            assert violations(page) == [], name
            page.emulate_media(color_scheme="dark")
            assert violations(page, COLOURS) == [], name
            assert page.evaluate("document.documentElement.scrollWidth") <= 390


SMALL = """() => [...document.querySelectorAll('main a, main summary, main label, main button')]
  .filter(e => e.getClientRects().length && !e.closest('.vh, .dek, .intro, .body'))
  .filter(e => Math.max(...[...e.getClientRects()].map(box => box.height)) < 24)
  .map(e => `${e.outerHTML.slice(0, 80)} ${e.getBoundingClientRect().height}`)"""


@pytest.mark.parametrize("width", [1440, 390])
def test_papers_fit_and_links_of_the_lists_are_large_enough(open_page: Open, width: int) -> None:
    page = open_page("papers.html?lang=en", width=width, height=900)
    assert width < 1440 or page.evaluate("document.documentElement.scrollHeight") <= 2600
    cited = page.locator(".stops > .cited")
    assert cited.first.is_visible()
    page.locator("#papers-read").check()
    assert not cited.first.is_visible()
    assert page.locator(".stops > li:visible").count() == int(page.locator("#papers-read + span .count").inner_text())
    page.locator("#papers-all").check()
    for address in ("papers", "tags", "people", "glossary", "spec-rl/index"):
        page.goto(page.url.split("/site/")[0] + f"/site/{address}.html?lang=en")
        assert page.evaluate(SMALL) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    first = page.locator(".rows li").first.bounding_box()
    assert first
    assert width < 1440 or first["y"] <= 400, "the notes of a topic begin high on its page"
