"""Every page of the sample collection, opened from disk: it needs nothing else, and fits where it is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pages import NOTES, PAGES, TOPICS, choose, views_of
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

MATH_FONTS = """async () => {
  await document.fonts.ready;
  const faces = [...document.fonts].filter(face => face.family.includes('PN Math'));
  return faces.map(face => face.status);
}"""
UNREADABLE_MATH = """() => [...document.querySelectorAll('math')]
  .filter(math => math.getClientRects().length && math.getBoundingClientRect().width < 1)
  .map(math => math.textContent)"""
EMPTY_SECTIONS = """() => [...document.querySelectorAll('main .row')].flatMap(row => {
  const shown = [...row.children].filter(child => child.getClientRects().length);
  const texts = shown.filter(child => child.matches('.body')).map(child => child.innerText.trim());
  // a section that only holds subsections is followed by one of a deeper level
  const level = row => +(row?.className.match(/lv(\\d)/)?.[1] ?? 0);
  const parent = level(row.nextElementSibling) > level(row);
  const good = (texts.length || parent) && texts.every(text => text) && !row.querySelector('.none');
  return good ? [] : [row.id || row.className];
})"""
STICKING_OUT = """() => {
  const width = document.documentElement.clientWidth, found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const scrolls = element => {
    for (let e = element; e && e !== document.body; e = e.parentElement)
      if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(e).overflowX)) return true;
    return false;
  };
  for (let node; (node = walker.nextNode());) {
    if (!node.data.trim() || node.parentElement.closest('script, style, .vh, .skip, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width && (box.right > width + 1 || box.left < -1) && !scrolls(node.parentElement)) {
        found.push(`${node.parentElement.tagName}: ${node.data.trim().slice(0, 60)} (${box.left}..${box.right})`);
        break;
      }
  }
  return found;
}"""
TEXT_OUT_OF_FIGURES = """() => [...document.querySelectorAll('svg')].flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(text => {
    const box = text.getBoundingClientRect();
    return box.width && (box.left < frame.left - 2 || box.right > frame.right + 2
      || box.top < frame.top - 2 || box.bottom > frame.bottom + 2);
  }).map(text => `${svg.getAttribute('aria-label')}: ${text.textContent}`);
})"""


SIDEWAYS = """() => [...document.querySelectorAll('main *')]
  .filter(element => element.getClientRects().length && element.scrollWidth > element.clientWidth + 1
    && ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
  .map(element => `${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`)"""

TWICE = """() => {
  const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
  return ids.filter((id, place) => ids.indexOf(id) < place);
}"""


def test_these_are_all_pages(site: Path) -> None:
    assert sorted(PAGES) == sorted(page.relative_to(site).as_posix() for page in site.rglob("*.html"))


@pytest.mark.parametrize("address", PAGES)
def test_a_page_needs_nothing_else_and_is_whole(open_page: Open, address: str) -> None:
    page = open_page(address)  # the fixture fails on requests, console messages and errors
    assert page.title()
    assert page.locator("h1").count() == 1
    assert page.evaluate("document.compatMode") == "CSS1Compat"
    fonts = page.evaluate(MATH_FONTS)
    if page.locator("math").count():
        assert fonts == ["loaded"]
        assert page.evaluate(UNREADABLE_MATH) == []
    else:
        assert fonts == [], "a font that the page does not need"
    assert page.evaluate(TWICE) == [], "ids that stand twice"
    if address in NOTES:
        assert page.locator("main .row").count() > 3
        for view in views_of(page):
            choose(page, view)
            assert page.evaluate(EMPTY_SECTIONS) == [], view
            assert page.evaluate(TEXT_OUT_OF_FIGURES) == [], view


@pytest.mark.parametrize("address", PAGES)
def test_it_fits_a_phone_in_every_view(open_page: Open, address: str) -> None:
    page = open_page(address, width=390, height=844, device_scale_factor=2, has_touch=True)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    for view in views_of(page):
        choose(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view
        assert page.evaluate(STICKING_OUT) == [], view
        assert page.evaluate(SIDEWAYS) == [], f"{view}: to be read only by scrolling sideways"


@pytest.mark.parametrize("topic", TOPICS)
def test_home_leads_to_every_note(open_page: Open, topic: str) -> None:
    page = open_page("index.html")
    home = page.url
    for address in (notes := [note for note in NOTES if note.startswith(topic.removesuffix("index.html"))]):
        assert page.locator(f'.rows a[href="{address}"]').first.is_visible(), address
    page.locator(f'.rows a[href="{notes[-1]}"]').first.click()
    page.wait_for_url(f"**/{notes[-1]}")
    assert page.locator("body.note h1").inner_text()
    page.locator(".crumbs a").first.click()
    page.wait_for_url(home)
