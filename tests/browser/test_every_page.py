"""Every page of the sample collection, opened from disk: it needs nothing else, and fits where it is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pages import IN_EVERY_VIEW, JUDGED, LISTS, NOTES, PAGES, choose, load_at, views_of
from playwright.sync_api import Page
from running import EXAMPLES, PROJECT

from paper_notes.languages.language import Words
from paper_notes.render.theme.theme import PageKind, load_theme

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

RESPEC = "spec-rl/notes/04_ReSpec_2510.26475.html"
PAPERS = [note for note in NOTES if not note.startswith(("guide/", "daily/"))]

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
  const range = document.createRange(); // one for all: each change of the page looks at every range there is
  const scrolls = element => {
    for (let e = element; e && e !== document.body; e = e.parentElement)
      if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(e).overflowX)) return true;
    return false;
  };
  for (let node; (node = walker.nextNode());) {
    if (!node.data.trim() || node.parentElement.closest('script, style, .vh, .skip, svg')) continue;
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
    && ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
    && !element.matches('.graph')) // all that the drawing of the map says is in the list below it
  .map(element => `${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`)"""

ROWS = """() => [...document.querySelectorAll('main .row')].map(row => {
  const top = selector => row.querySelector(':scope > ' + selector)?.getBoundingClientRect();
  const heading = ['c1', 'c2'].map(column => top(`:is(h2, h3, h4).${column}`)?.top);
  const body = ['c1', 'c2'].map(column => top(`.body.${column}`));
  const halves = [...row.querySelectorAll(':scope > .body')];
  const kids = halves.map(half => [...half.children].map(child => child.getBoundingClientRect().top));
  return {id: row.id, heading, body: body.map(box => box?.top), left: body.map(box => box?.left), kids,
    aligned: row.classList.contains('al')};
})"""
FIRST_SCREEN = """() => {
  const first = selector => [...document.querySelectorAll(selector)].find(e => e.getClientRects().length);
  const more = first('h1').clientHeight - parseFloat(getComputedStyle(first('h1')).lineHeight); // lines of a long title
  return {tldr: first('.tldr').getBoundingClientRect().top - more,
    heading: first('.row > h2').getBoundingClientRect().bottom};
}"""
DRAWINGS = """() => [...document.querySelectorAll('.body > .fig > .fig-body > svg')]
  .filter(svg => svg.getClientRects().length).map(svg => {
    const texts = [...svg.querySelectorAll('text')].filter(text => text.textContent.trim());
    const sizes = texts.map(text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
    const box = svg.getBoundingClientRect(), around = svg.closest('.body').getBoundingClientRect();
    return {least: Math.min(...sizes), most: Math.max(...sizes), wider: svg.matches('.wider'),
      inside: box.left >= -1 && box.right <= innerWidth + 1 && box.width <= (around.width || innerWidth) + 40};
  })"""
TWICE = """() => {
  const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
  return ids.filter((id, place) => ids.indexOf(id) < place);
}"""


def test_these_are_all_pages(site: Path) -> None:
    assert sorted(PAGES) == sorted(page.relative_to(site).as_posix() for page in site.rglob("*.html"))


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize("address", PAGES if EXAMPLES else JUDGED)
def test_a_page_needs_nothing_else_is_whole_and_fits_a_desk_and_a_phone(open_page: Open, address: str) -> None:
    """All that is looked at on every page is looked at in one go: most of the time is loading it and laying it out.

    Pages that have every kind of element between them are looked at in the view with both languages, one of each
    template and a paper's note in every view; in `make nightly` all pages are looked at in all views.
    """
    page = open_page(address, width=1440, device_scale_factor=2, has_touch=True)
    needs_nothing_else(page)  # and the fixture fails on requests, console messages and errors
    is_whole(page)
    if address in NOTES:
        assert page.locator("main .row").count() > 1
        page.evaluate("for (const fold of document.querySelectorAll('.entry details')) fold.open = true")
        for view in looked_at(page, address):
            choose(page, view)
            opens_with_its_tldr(page, address, view, 300)
            assert page.evaluate(EMPTY_SECTIONS) == [], view
            assert page.evaluate(TEXT_OUT_OF_FIGURES) == [], view
            has_drawings_of_the_size_of_text(page, view)
        is_aligned_side_by_side(page)
    load_at(page, 390)
    page.evaluate("document.fonts.ready.then(() => 0)")
    for view in (
        ("en", "zh") if address in PAPERS and thoroughly(address) else ()
    ):  # while the folds above it are closed
        choose(page, view)
        opens_with_its_tldr(page, address, view, 375)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    for view in looked_at(page, address):
        choose(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view
        assert page.evaluate(STICKING_OUT) == [], view
        assert page.evaluate(SIDEWAYS) == [], f"{view}: to be read only by scrolling sideways"
        has_drawings_of_the_size_of_text(page, view)


def thoroughly(address: str) -> bool:
    return bool(EXAMPLES) or address in {*IN_EVERY_VIEW, RESPEC}


def looked_at(page: Page, address: str) -> list[str]:
    """The views of the page, the one with both languages last."""
    return views_of(page) if thoroughly(address) else views_of(page)[-1:]


def needs_nothing_else(page: Page) -> None:
    fonts = page.evaluate(MATH_FONTS)
    if page.locator("math").count():
        assert fonts == ["loaded"]
        assert page.evaluate(UNREADABLE_MATH) == []
    else:
        assert fonts == [], "a font that the page does not need"


def is_whole(page: Page) -> None:
    assert page.title()
    assert page.locator("h1").count() == 1
    assert page.evaluate("document.compatMode") == "CSS1Compat"
    assert page.evaluate(TWICE) == [], "ids that are there twice"


def opens_with_its_tldr(page: Page, address: str, view: str, limit: int) -> None:
    """The card begins this high below a title of one line; on ReSpec, a desk's first screen has a heading too."""
    if address in PAPERS and view != "both":
        seen = page.evaluate(FIRST_SCREEN)
        assert seen["tldr"] <= limit, view
        assert address != RESPEC or limit > 300 or seen["heading"] <= 900, view


def has_drawings_of_the_size_of_text(page: Page, view: str) -> None:
    phone = page.evaluate("innerWidth") < 800
    for figure in page.evaluate(DRAWINGS):
        assert figure["most"] <= 17.1, f"{view}: {figure}"
        assert figure["least"] >= 11, f"{view}: {figure}"
        assert figure["inside"], f"{view}: {figure}"
        assert not figure["wider"] or (view != "both" and not phone), "wide drawings are for wide columns"


def is_aligned_side_by_side(page: Page) -> None:
    """The page shows both languages."""
    rows: list[dict[str, Any]] = page.evaluate(ROWS)
    assert len(rows) > 1
    for row in rows:
        for tops in (row["heading"], row["body"]):
            if None not in tops:
                assert abs(tops[0] - tops[1]) <= 2, row["id"]
        if None not in row["left"]:
            assert row["left"][0] + 200 < row["left"][1], row["id"]
        if row["aligned"]:
            zh, en = row["kids"]
            assert all(abs(a - b) <= 2 for a, b in zip(zh, en, strict=True)), f"blocks of {row['id']}"
    assert sum(row["aligned"] for row in rows) > len(rows) / 2, "most sections have the same blocks in both languages"


def test_wide_drawings_are_shown_where_there_is_room(open_page: Open) -> None:
    page = open_page(f"{RESPEC}?lang=en", width=1440)
    assert sum(figure["wider"] for figure in page.evaluate(DRAWINGS)) == 2


def test_home_leads_to_every_note(open_page: Open) -> None:
    """By links that are seen; one of them is clicked, and then the one that leads back."""
    page = open_page("index.html")
    for address in NOTES:
        assert page.locator(f'main .topic a[href="{address}"]').first.is_visible(), address
    home, note = page.url, "guide/notes/08_Packages_of_yours.html"
    page.locator(f'main .topic a[href="{note}"]').first.click()
    page.wait_for_url(f"**/{note}?lang=zh")
    assert page.locator("body.note h1").inner_text()
    page.locator(".crumbs a").first.click()
    page.wait_for_url(f"{home}?lang=zh")


@pytest.mark.nightly
@pytest.mark.parametrize("address", [page for page in JUDGED if page != "index.html"])
def test_the_rules_that_a_page_goes_without_would_match_nothing(open_page: Open, address: str) -> None:
    """Neither as it was written, nor with what its scripts have made: the looks, the keys.

    What is in a dialog has the styles of the palette, which come with its script.
    """
    theme, _ = load_theme(PROJECT, Words.of("zh", "en"))
    assert theme
    kind: PageKind = "note" if "/notes/" in address else "list" if address in LISTS else "path"
    page = open_page(address)
    page.locator("#pn-theme").click()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    own = page.evaluate("document.querySelector('style:last-of-type').textContent")
    missing = sorted(selectors(theme.styles[kind]) - selectors(own))
    assert missing
    assert page.evaluate(MATCHING, missing) == []


def selectors(style: str) -> set[str]:
    """The selectors of a style sheet, those in `@media` too; without pseudo-elements and states."""
    preludes = re.findall(r"([^{};@]+)\{", style)
    parts = {part for prelude in preludes for part in re.split(r",(?![^(]*\))", prelude)}
    return {_STATES.sub("", part).strip() for part in parts}


_STATES = re.compile(
    r"::?(?:before|after|backdrop|details-content|hover|focus(?:-visible)?|target(?:-text)?|-webkit[\w-]+)"
)
MATCHING = """selectors => selectors.filter(one => {
  try { return [...document.querySelectorAll(one)].some(e => !e.closest('dialog')) } catch { return false }
})"""
