"""The pages in Firefox, from disk: they are laid out, switched, searched and printed there as they are in Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pymupdf
import pytest
from firefox import Firefox
from pages import LISTS, SECONDS, TOPICS

pytestmark = pytest.mark.browser
Show = Callable[..., Firefox]

NOTE = "spec-rl/notes/04_ReSpec_2510.26475.html"
SHORT = "agents/notes/02_Memory_evolution.html"
ENTER, DOWN = "\ue007", "\ue015"
CHOOSE = """async view => {
  document.getElementById('pn-view-' + view).click();
  await new Promise(requestAnimationFrame);
}"""
SEEN = """() => {
  const shown = e => e.checkVisibility() && e.getClientRects().length > 0;
  return {
    zh: [...new Set([...document.querySelectorAll('main .row > .body.zh')].map(shown))],
    en: [...new Set([...document.querySelectorAll('main .row > .body.en')].map(shown))],
    lang: document.documentElement.lang,
    title: document.title,
    wide: document.documentElement.scrollWidth,
  };
}"""
ROWS = """() => [...document.querySelectorAll('main .row')].map(row => {
  const halves = [...row.querySelectorAll(':scope > .body')];
  return {
    id: row.id,
    aligned: row.classList.contains('al'),
    left: halves.map(half => half.getBoundingClientRect().left),
    tops: halves.map(half => [...half.children].map(child => child.getBoundingClientRect().top)),
  };
})"""
MATH = """async () => {
  await document.fonts.ready;
  const shown = [...document.querySelectorAll('main math')].filter(math => math.getClientRects().length);
  const stretched = shown.map(math => math.querySelector('mfrac')).find(found => found);
  return {
    fonts: [...document.fonts].filter(face => face.family.includes('PN Math')).map(face => face.status),
    families: [...new Set(shown.map(math => getComputedStyle(math).fontFamily.split(',')[0].replaceAll('"', '')))],
    flat: shown.filter(math => math.getBoundingClientRect().width < 1).length,
    fraction: [...stretched.children].map(part => part.getBoundingClientRect()).map(box => [box.top, box.bottom]),
    hidden: getComputedStyle(document.documentElement).visibility != 'visible',
  };
}"""
TO_A_BLOCK = """async () => {
  // where a reader is: at a block that both languages have, in the middle of the note
  const rows = [...document.querySelectorAll('main .row.al:has(> .body > :nth-child(5))')];
  const row = rows[Math.floor(rows.length / 2)], n = 2;
  window.blocks = [...row.querySelectorAll(':scope > .body')].map(half => half.children[n]);
  const shown = blocks.find(block => block.getClientRects().length);
  scrollBy({top: shown.getBoundingClientRect().top - 90, behavior: 'instant'});
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame); // the page has seen it
}"""
TOPS = "() => blocks.filter(block => block.getClientRects().length).map(block => block.getBoundingClientRect().top)"
FOLDS = """() => [...document.querySelectorAll('details:not([open])')].filter(e => e.checkVisibility()).map(fold => {
  const closed = fold.offsetHeight;
  fold.open = true;
  return fold.offsetHeight > closed;
})"""
HALF_FORMULAS = """() => {
  const most = {mfrac: 2, mroot: 2, msub: 2, msup: 2, munder: 2, mover: 2, msubsup: 3, munderover: 3};
  return [...document.querySelectorAll(Object.keys(most))].filter(e => e.childElementCount != most[e.localName])
    .map(e => e.outerHTML);
}"""
"""Firefox says so of them, but also of those that are still coming in: see `firefox._COMING_IN`."""
DARK = "() => getComputedStyle(document.body).backgroundColor"


@pytest.fixture
def show(in_firefox: Firefox, site: Path) -> Iterator[Show]:
    """Shows a page of the site. Whatever a test does: no page asks the network for anything, or complains."""

    def shown(address: str, *, width: int = 1280, height: int = 900) -> Firefox:
        in_firefox.open(f"{site.as_uri()}/{address}", width=width, height=height)
        return in_firefox

    in_firefox.wrong.clear()
    yield shown
    assert in_firefox.run(HALF_FORMULAS) == []  # and what the last page has said was told before this is answered
    assert in_firefox.wrong == []


@pytest.mark.nightly
def test_a_note_is_switched_and_keeps_its_place(show: Show) -> None:
    page = show(f"{NOTE}?lang=zh")
    titles = set()
    for view, zh, en in (("en", False, True), ("both", True, True), ("zh", True, False)):
        page.point(f"label:has(#pn-view-{view})", click=True)
        seen = page.run(SEEN)
        assert (seen["zh"], seen["en"]) == ([zh], [en]), view
        assert seen["lang"] == ("en" if view == "en" else "zh-CN")
        assert seen["wide"] <= 1280
        titles.add(seen["title"])
    assert len(titles) == 2
    page.run(TO_A_BLOCK)
    before = page.run(TOPS)
    page.run(CHOOSE, "en")
    assert page.run(TOPS) == pytest.approx(before, abs=24), "the reader's block is where it was"


@pytest.mark.nightly
def test_both_languages_stand_side_by_side_block_by_block(show: Show) -> None:
    rows: list[dict[str, Any]] = show(f"{NOTE}?lang=both", width=1440).run(ROWS)
    both = [row for row in rows if len(row["left"]) == 2]
    aligned = [row for row in both if row["aligned"]]
    assert len(aligned) > len(rows) / 2
    assert all(row["left"][0] + 200 < row["left"][1] for row in both), "in two columns"
    for row in aligned:
        zh, en = row["tops"]
        assert zh == pytest.approx(en, abs=2), row["id"]


def test_formulas_are_laid_out_with_the_font_of_the_page(show: Show) -> None:
    found = show(f"{NOTE}?lang=en").run(MATH)
    (_, above), (below, _) = found.pop("fraction")
    assert above <= below + 2, "the denominator is below the numerator"
    assert found == {"fonts": ["loaded"], "families": ["PN Math"], "flat": 0, "hidden": False}


@pytest.mark.nightly
def test_a_note_is_marked_as_read_and_home_continues_with_another(in_firefox: Firefox, served: str) -> None:
    """On a server: from disk, Firefox keeps what each page stores apart."""
    in_firefox.open(f"{served}/{SHORT}?lang=en")
    in_firefox.point(".after .progress button", click=True)
    in_firefox.wait("() => document.querySelector('.after .progress button').getAttribute('aria-pressed') == 'true'")
    in_firefox.open(f"{served}/{NOTE}?lang=en")
    in_firefox.run("() => document.querySelector('#related-work').scrollIntoView({behavior: 'instant'})")
    in_firefox.wait("""() => document.querySelector('[href="#related-work"]').matches("[aria-current]")""")
    in_firefox.open(f"{served}/index.html?lang=en")
    in_firefox.wait("() => /Related work/.test(document.querySelector('#pn-again').innerText)")
    in_firefox.run("() => localStorage.clear()")
    assert [told for told in in_firefox.wrong if not told.startswith(f"asks for {served}")] == []
    in_firefox.wrong.clear()


def test_what_opens_opens(show: Show) -> None:
    """Folds, cards, colours, and the contents on a phone."""
    page = show(f"{SHORT}?lang=en")
    for link in ("a.cite", "a.gl"):
        page.point(f"main .row {link}")
        page.wait("() => document.querySelector('#pn-card:popover-open')?.innerText.trim()")
        box = page.run("() => document.querySelector('#pn-card').getBoundingClientRect()")
        assert box["left"] >= 0
        assert box["right"] <= 1280
        page.point("h1")
        page.wait("() => !document.querySelector('#pn-card:popover-open')")
    assert set(page.run(FOLDS)) == {True}
    light = page.run(DARK)
    page.type("tt")
    assert page.run(DARK) != light, "from automatic to light to dark"
    page.type("t")
    assert page.run(DARK) == light

    page = show(f"{SHORT}?lang=zh", width=390, height=844)
    page.point(".toc-open", click=True)
    page.wait("() => document.querySelector('#pn-toc').matches(':popover-open')")
    page.run("() => [...document.querySelectorAll('#pn-toc a[href^=\"#\"]')].at(-1).click()")
    page.wait("() => !document.querySelector('#pn-toc').matches(':popover-open')")


@pytest.mark.nightly(but_every=5)
@pytest.mark.parametrize("address", [NOTE, "index.html", *LISTS, TOPICS[0]])
def test_nothing_scrolls_sideways_on_a_phone(show: Show, address: str) -> None:
    page = show(address, width=390, height=844)
    page.run("() => { for (const fold of document.querySelectorAll('details')) fold.open = true }")
    for view in page.run("() => [...document.querySelectorAll('input[name=view]')].map(input => input.value)"):
        page.run(CHOOSE, view)
        assert page.run(SEEN)["wide"] <= 390, view


@pytest.mark.nightly
def test_home_searches_titles_and_texts_from_disk(show: Show) -> None:
    """The texts are in files beside the page: its policy lets its own script load them, from disk too."""
    page = show("index.html?lang=en")
    page.point("#pn-q", click=True)
    page.type("lossless")
    page.wait("() => document.querySelector('#pn-results a[href*=\"03_Lossless\"]')?.getClientRects().length")
    page.run("() => { const q = document.querySelector('#pn-q'); q.value = ''; q.dispatchEvent(new Event('input')) }")
    page.type("teacher forcing the model always")
    page.wait("() => document.querySelector('#pn-results a[href*=\"01_MTP\"]')?.getClientRects().length")
    assert "teacher" in page.run("() => document.querySelector('#pn-results').innerText")
    page.type(DOWN)
    page.type(ENTER)
    page.wait("() => document.body?.classList.contains('note') && location.href.includes('01_MTP')")


@pytest.mark.nightly
def test_a_note_is_printed(show: Show) -> None:
    """Its first pages: all of them take seconds.

    Of the letters of Noto Sans CJK, Firefox tells a PDF only for some which they are; Latin words are whole.
    """
    with pymupdf.open(stream=show(f"{SHORT}?lang=zh").printed("1-2")) as pdf:
        texts = [page.get_text() for page in pdf]
        assert [(page.rect.width, page.rect.height) for page in pdf] == [pytest.approx((595, 842), abs=1)] * 2
    assert all(len(text) > 400 for text in texts)
    assert "MemPalace" in texts[0], "the title"
    assert "EN" not in texts[0].split(), "no button of the page"


def test_it_would_say_so(in_firefox: Firefox, site: Path, tmp_path: Path) -> None:
    in_firefox.open((site / SHORT).as_uri())
    in_firefox.wrong.clear()
    in_firefox.run("() => document.body.append(Object.assign(new Image, {src: 'http://127.0.0.1:44444/stopped.png'}))")
    bad = tmp_path / "bad.html"
    bad.write_text("<!doctype html><title>x</title><img src=http://127.0.0.1:44444/wanted.png>")
    in_firefox.open(bad.as_uri())
    in_firefox.run("() => console.warn('a warning')")
    end = monotonic() + SECONDS
    while len(in_firefox.wrong) < 3 and monotonic() < end:
        in_firefox.run("() => new Promise(done => setTimeout(done, 20))")
    policy, asked, warning = in_firefox.wrong
    assert "Content-Security-Policy" in policy
    assert "stopped.png" in policy
    assert asked == "asks for http://127.0.0.1:44444/wanted.png"
    assert warning == "says a warning"
