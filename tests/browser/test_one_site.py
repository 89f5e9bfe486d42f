"""All pages are those of one site: one grid, one way to name a note, one count of the same thing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pages import IN_EVERY_VIEW, LISTS, TOPICS
from playwright.sync_api import Page
from running import Once

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

OF_ALL = ["index.html", *LISTS, *TOPICS]
"""Pages about more than one note."""
LONG = "spec-rl/notes/04_ReSpec_2510.26475.html"
SEEN = """() => {
  const shown = e => e.getClientRects().length, h1 = [...document.querySelectorAll('h1')].find(shown);
  const own = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, node =>
    node.parentElement.matches('article .body, article .body *, script, style, pre, code') ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT);
  const words = [];
  while (own.nextNode()) if (shown(own.currentNode.parentElement)) words.push(own.currentNode.data);
  return {
    words: words.join(' '),
    left: h1.getBoundingClientRect().left,
    size: getComputedStyle(h1).fontSize,
    sides: [...new Set([...document.querySelectorAll('p, li, dd')].filter(shown)
      .map(e => getComputedStyle(e).textAlign))],
  };
}"""
EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u26ff\u2b1b\u2b1c\u2b50\u2764]")
FOLDER = re.compile(r"[a-z][\w-]*/#\d")


@pytest.fixture
def pages(open_page: Open, once: Once) -> dict[str, Any]:
    """What is seen of each page at 1440 pixels, looked at once."""

    def look(root: Path) -> None:
        addresses = sorted({*OF_ALL, *IN_EVERY_VIEW, LONG})
        seen = {address: open_page(f"{address}?lang=zh", width=1440).evaluate(SEEN) for address in addresses}
        (root / "seen.json").write_text(json.dumps(seen), "utf-8")

    seen: dict[str, Any] = json.loads((once("seen", look) / "seen.json").read_text("utf-8"))
    return seen


@pytest.mark.nightly
def test_notes_are_named_by_their_signs_and_numbers_and_signs_are_drawn(pages: dict[str, Any]) -> None:
    for address, page in pages.items():
        assert FOLDER.findall(page["words"]) == [], address
        assert EMOJI.findall(page["words"]) == [], f"{address}: an empty box where no font has it"
    assert "#1" in pages["tags.html"]["words"]


def test_titles_are_of_one_size_and_lists_begin_at_one_line(pages: dict[str, Any]) -> None:
    assert len({page["size"] for page in pages.values()}) == 1
    assert len({pages[address]["left"] for address in OF_ALL}) == 1
    assert len({page["left"] for address, page in pages.items() if "/notes/" in address}) == 1


def test_no_paragraph_is_justified_beside_ragged_ones(pages: dict[str, Any]) -> None:
    """Those with formulas were ragged, as a browser stretches them badly."""
    for address, page in pages.items():
        assert set(page["sides"]) <= {"start", "center"}, address
    assert pages[LONG]["sides"] == ["start"]


def numbers(text: str) -> Iterator[int]:
    return (int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text))


def test_the_same_things_are_counted_alike_on_every_page(open_page: Open) -> None:
    page = open_page("index.html?lang=en")
    notes, days = numbers(page.locator("header.top .count").inner_text())
    assert sum(next(numbers(text.split()[-1])) for text in page.locator(".jump a").all_inner_texts()) == notes + days
    page = open_page("stats.html?lang=en")
    facts = dict(re.findall(r"(?m)^(Notes|Daily lists|Papers read)\n(\d+)$", page.locator("main").inner_text()))
    read = int(facts["Papers read"])
    assert (int(facts["Notes"]), int(facts["Daily lists"])) == (notes, days)
    for name in ("topics", "kinds"):
        bars = page.locator(f"#plot-{name} dd").all_inner_texts()
        assert sum(int(number) for number in bars) == notes + days, name
    papers = next(numbers(page.get_by_text("in all, the most").inner_text()))
    key = page.locator(".key", has_text="only in the library").inner_text()
    assert list(numbers(key)) == [read, papers - read]
    page = open_page("papers.html?lang=en")
    assert list(numbers(page.locator(".pick").inner_text())) == [papers, read]
    years = page.locator(".years a").all_inner_texts()
    assert years == [str(year) for year in range(int(years[0]), int(years[-1]) + 1)], "no year is left out"
    assert [len(page.locator("#y2025 .stops > li").all()), page.locator(".stops > li").count()] == [12, papers]


def test_what_was_read_has_one_colour_beside_what_was_not(open_page: Open) -> None:
    colours = "all => [...new Set(all.map(e => getComputedStyle(e).backgroundColor))]"
    page = open_page("stats.html")
    plot = [
        page.locator(f".columns[aria-labelledby=plot-papers] .s{number}").evaluate_all(colours) for number in (0, 1)
    ]
    page = open_page("papers.html")
    assert [page.locator(f".years {name}").evaluate_all(colours) for name in ("b", "i")] == plot
    assert plot[0] != plot[1]


def test_filters_are_shown_where_they_tell_notes_apart(open_page: Open) -> None:
    page = open_page("index.html?lang=en")
    page.locator("#pn-open").click()
    for choice in page.locator("select:visible").all():
        options = choice.locator("option").all_inner_texts()
        counts = [next(numbers(text[text.rindex("(") :])) for text in options if "(" in text]
        assert choice.get_attribute("name") == "sort" or (len(counts) > 1 and counts), options
    assert page.locator("select[name=rating]").is_hidden(), "no note has one"
