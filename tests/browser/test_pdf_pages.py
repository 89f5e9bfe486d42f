"""Figures of a paper in a real browser: a note that shows them, and the page of `paper-notes figures`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pages import choose, until, views_of
from playwright.sync_api import Page, expect
from test_judges import faults, load_axe

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

NOTE = "one/notes/01_Small.html"
CHOICE = "figures-small.html"
NOT_WHOLE = """[...document.querySelectorAll('img.crop')].filter(img => img.offsetParent).filter(img => {
  const box = img.getBoundingClientRect(), paper = getComputedStyle(img);
  const whole = img.complete && img.naturalWidth > 0 && box.left >= 0 && box.right <= innerWidth;
  const shape = (box.width - 13) / (box.height - 13), natural = img.naturalWidth / img.naturalHeight;
  return !whole || Math.abs(shape / natural - 1) > 0.1 || paper.backgroundColor != 'rgb(255, 255, 255)';
}).map(img => img.alt)"""


@pytest.fixture(scope="module")
def site(pdfs: Path) -> Path:
    return pdfs


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("address", [NOTE, CHOICE])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_pictures_are_shown_whole_on_white_paper(open_page: Open, address: str, width: int, colours: str) -> None:
    page = open_page(address, width=width, color_scheme=colours)
    for view in views_of(page):
        choose(page, view)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        until(page, f"{NOT_WHOLE} == ''")


def test_the_first_page_is_beside_the_facts_and_leaves_them_room(open_page: Open) -> None:
    page = open_page(NOTE)
    page.locator(".about > summary").click()
    facts, thumb = page.locator(".about dl").bounding_box(), page.locator(".thumb img").bounding_box()
    assert facts
    assert thumb
    assert thumb["x"] >= facts["x"] + facts["width"]
    assert facts["width"] > 500
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".thumb")).to_be_hidden()


@pytest.mark.parametrize("address", [NOTE, CHOICE])
def test_axe_finds_nothing(open_page: Open, judges: Path, address: str) -> None:
    page = open_page(address)
    load_axe(page, judges)
    assert faults(page) == []
