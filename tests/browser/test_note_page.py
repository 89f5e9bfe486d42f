"""What makes a note good to read: first screen, lines, margin, two languages on a phone, the reader's settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from pages import choose, stored, until
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

SHORT = "guide/notes/07_A_second_pair_of_hands.html"
NOTE = "spec-rl/notes/04_ReSpec_2510.26475.html"
CITING = "spec-rl/notes/01_Leviathan_2211.17192.html"
FOOTNOTES = "guide/notes/01_Writing_a_note.html"

ARRANGED = """async () => {
  await document.fonts.ready;
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}"""
"""What stands beside the text is put there once more when the fonts have come."""
LONGEST_LINE = """() => Math.max(...[...document.querySelectorAll('.body.en > p')].map(p => {
  const range = document.createRange(), walker = document.createTreeWalker(p, NodeFilter.SHOW_TEXT), lines = {};
  for (let node; (node = walker.nextNode());) if (!node.parentElement.closest('math'))
    for (let i = 0; i < node.data.length; i++) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const line = Math.round(range.getBoundingClientRect().bottom / 12);
      lines[line] = (lines[line] || 0) + 1;
    }
  return Math.max(...Object.values(lines));
}))"""


def test_lines_are_of_a_length_that_can_be_read(open_page: Open) -> None:
    page = open_page(NOTE, width=1440)
    chinese = page.locator(".body.zh > p").nth(3)
    assert chinese.evaluate("p => p.offsetWidth / parseFloat(getComputedStyle(p).fontSize)") == pytest.approx(40, abs=1)
    aligned = page.locator(".body.zh > p").evaluate_all("all => all.map(p => getComputedStyle(p).textAlign)")
    assert {*aligned} == {"start"}, "a paragraph with a formula cannot be justified well, and two ways are one too many"
    choose(page, "en")
    assert 76 <= page.evaluate(LONGEST_LINE) <= 81, "letters"
    wide = page.locator(".body.en > .formula").first
    assert wide.evaluate("e => e.offsetWidth") == page.locator("main").evaluate("e => e.offsetWidth")
    page.set_viewport_size({"width": 390, "height": 844})
    choose(page, "zh")
    assert chinese.evaluate("p => getComputedStyle(p).textAlign") == "start"


def test_both_languages_alternate_block_by_block_on_a_phone(open_page: Open) -> None:
    page = open_page(f"{NOTE}?lang=both", width=390, height=844)
    rows: list[dict[str, Any]] = page.evaluate("""() => [...document.querySelectorAll('.row.al')].map(row => {
      const halves = [...row.querySelectorAll(':scope > .body')];
      const seen = halves.map(half => [...half.children].map(e => e.getBoundingClientRect()));
      return {id: row.id, tops: seen[0].map((box, n) => [box, seen[1][n]]).filter(pair => pair[1].height)
        .map(pair => pair.map(box => box.top))};
    })""")
    assert len(rows) > 10
    for row in rows:
        tops = [top for pair in row["tops"] for top in pair]
        assert tops == sorted(tops), row["id"]
    cards = page.locator(".al > .c1 > .stack").first
    assert cards.evaluate("e => e.offsetWidth / e.closest('.row').offsetWidth") > 0.99, "tables are cards of full width"
    figure = page.locator(".al > .c2 > .fig").first
    expect(figure.locator(".fig-body")).to_be_hidden()
    figure.locator("figcaption").click()
    expect(figure.locator(".fig-body")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("from_server", [False, True])
def test_the_language_that_a_reader_chose_stays_though_the_address_named_another(
    open_page: Open, served: str, from_server: bool
) -> None:
    page = open_page(f"{SHORT}?lang=en#draft", base=served if from_server else "")
    page.locator("#pn-view-zh").check(force=True)
    assert page.url.endswith("?lang=zh#draft")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")


def test_a_tap_or_a_key_shows_a_paragraph_in_the_other_language(open_page: Open) -> None:
    page = open_page(f"{NOTE}?lang=zh", width=390, height=844, has_touch=True)
    paragraph = page.locator("#motivation ~ .row.al > .body.zh > p").first
    english = page.locator("#motivation ~ .row.al > .body.en > p").first.evaluate("p => p.textContent")
    paragraph.scroll_into_view_if_needed()
    height = paragraph.evaluate("p => p.offsetHeight")
    paragraph.tap(position={"x": 5, "y": 5})
    peek = paragraph.locator(".peek")
    expect(peek).to_be_visible()
    assert (peek.get_attribute("lang"), peek.text_content()) == ("en", english)
    expect(page.locator(".peek")).to_have_count(1)
    paragraph.tap(position={"x": 5, "y": 5})
    expect(page.locator(".peek")).to_have_count(0)
    assert paragraph.evaluate("p => p.offsetHeight") == height, "and it goes again"
    page.keyboard.press("p")
    expect(page.locator(".peek")).to_have_count(1)
    choose(page, "en")
    expect(page.locator(".peek")).to_have_count(0)
    page.keyboard.press("p")
    expect(page.locator(".peek")).to_have_attribute("lang", "zh-CN")


def test_citations_and_footnotes_are_beside_their_lines(open_page: Open) -> None:
    page = open_page(f"{CITING}?lang=en", width=1440)
    for address in (CITING, FOOTNOTES):
        page.goto(page.url.partition("site/")[0] + f"site/{address}?lang=en")
        expect(page.locator(".beside").first).to_be_visible()
        page.evaluate(ARRANGED)
        boxes: list[dict[str, float]] = page.locator(".beside").evaluate_all(
            "all => all.map(e => e.getBoundingClientRect().toJSON())"
        )
        edge = page.locator("main").evaluate("main => main.getBoundingClientRect().right")
        assert all(edge < box["left"] and box["right"] <= 1440 for box in boxes)
        assert all(one["bottom"] <= two["top"] for one, two in pairwise(boxes))
    page.goto(page.url.partition("site/")[0] + f"site/{CITING}?lang=en")
    expect(page.locator(".beside").first).to_be_visible()
    page.evaluate(ARRANGED)
    line = page.locator(".body.en a.cite").first.evaluate("a => a.getClientRects()[0].top")
    assert abs(page.locator(".beside").first.evaluate("e => e.getBoundingClientRect().top") - line) < 12
    term = page.locator(".body.en > p a.gl").first
    term.hover()
    card = page.locator(".card")
    expect(card).to_be_visible()
    assert card.evaluate("e => e.getBoundingClientRect().left") > edge, "the card covers no line of the text"
    page.set_viewport_size({"width": 1200, "height": 900})
    expect(page.locator(".beside")).to_have_count(0)


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize("when", [0, 400])
def test_a_card_is_shown_though_the_page_is_arranged_then(open_page: Open, when: int) -> None:
    """As it is when fonts come in, however slow a machine is."""
    page = open_page(f"{CITING}?lang=en", width=1440)
    page.locator(".body.en > p a.gl").first.hover()
    page.wait_for_timeout(when)
    page.evaluate("dispatchEvent(new Event('load'))")
    page.wait_for_timeout(400)
    expect(page.locator(".card")).to_be_visible()
    page.locator("h1").hover()
    page.evaluate("dispatchEvent(new Event('load'))")
    expect(page.locator(".card")).to_be_hidden()


def test_text_size_line_width_and_colours_are_chosen_and_kept(open_page: Open, served: str) -> None:
    page = open_page(SHORT, base=served, remembers=True, width=1440)
    paragraph = page.locator("#setup .body.zh > p").first
    size, width = paragraph.evaluate("p => [parseFloat(getComputedStyle(p).fontSize), p.offsetWidth]")
    page.locator("#pn-theme").click()
    panel = page.locator("#pn-looks")
    expect(panel).to_be_visible()
    for choice in ("特大", "宽", "深色"):
        panel.locator("label", has=page.get_by_text(choice, exact=True)).click()
    stored(page)
    page.reload()
    assert page.locator("html").evaluate("e => ({...e.dataset})") == {
        "size": "larger",
        "width": "wide",
        "theme": "dark",
    }
    larger, wider = paragraph.evaluate("p => [parseFloat(getComputedStyle(p).fontSize), p.offsetWidth]")
    assert larger == pytest.approx(size * 1.25)
    assert wider > width * 1.25
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_note_remembers_where_it_was_left_and_offers_it(open_page: Open, served: str) -> None:
    page = open_page(f"{SHORT}?lang=en", base=served, remembers=True)
    expect(page.locator(".resume")).to_have_count(0)
    page.locator("#draft").evaluate("row => row.scrollIntoView()")
    expect(page.locator('.toc a[href="#draft"]')).to_have_attribute("aria-current", "true")
    page.goto(f"{served}/index.html")
    kept = "Object.entries(localStorage).find(([key]) => key.startsWith('pn-place '))?.[1]"
    until(page, f"""{kept}?.includes('"id":"draft","no":"3"')""")  # it is written when the page is left
    stored(page)
    page.goto(f"{served}/{SHORT}?lang=en")
    offer = page.locator(".resume")
    expect(offer).to_have_text("↓ Continue at 3 Drafting from a paper")
    offer.click()
    expect(page.locator("#draft > h2.en")).to_be_in_viewport()
    expect(offer).to_have_count(0)


def test_the_contents_follow_the_reading_and_unfold_only_where_one_reads(open_page: Open) -> None:
    page = open_page(f"{FOOTNOTES}?lang=en", width=1440, height=900)
    heading = page.locator(".row.lv3").first
    heading.evaluate("row => scrollTo(0, row.getBoundingClientRect().top + scrollY - 250)")
    name = heading.get_attribute("id")
    expect(page.locator(f'.toc a[href="#{name}"]')).to_have_attribute("aria-current", "true")
    below = "() => [...document.querySelectorAll('.toc .lv3')].filter(e => e.getClientRects().length).length"
    assert 0 < page.evaluate(below) < page.locator(".toc .lv3").count()
    assert page.locator(".toc ol").evaluate("e => e.offsetHeight") < 900


SMALL = """() => [...document.querySelectorAll('a, summary, label, button')]
  .filter(e => e.getClientRects().length && !e.closest('.vh, .skip, .beside'))
  // links among words, as WCAG 2.5.8 lets them be; never a button, and never what stands by itself
  .filter(e => !e.matches('.sources a') && !(e.matches('main a') && getComputedStyle(e).display == 'inline'
    && e.closest('p, li, dd, dt, td, th, figcaption, summary, div').textContent.trim() != e.textContent.trim()))
  .filter(e => Math.max(...[...e.getClientRects()].map(box => box.height)) < 24 || e.offsetWidth < 24)
  .map(e => e.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("width", [1440, 390])
def test_whatever_can_be_pressed_is_24_pixels_large(open_page: Open, width: int) -> None:
    page = open_page(f"{NOTE}?lang=en", width=width)
    page.locator(".about > summary").click()
    assert page.evaluate(SMALL) == []


def test_focusing_the_bar_does_not_scroll(open_page: Open) -> None:
    page = open_page(SHORT)
    page.evaluate("scrollTo(0, 3000)")
    page.wait_for_timeout(50)
    for selector in (".crumbs a", "#pn-view-en", "#pn-theme"):
        page.locator(selector).first.focus()
        assert page.evaluate("scrollY") == 3000, selector


def test_the_contents_lead_to_what_follows_the_text(open_page: Open) -> None:
    page = open_page(NOTE)
    links = page.locator(".toc a").evaluate_all("links => links.map(a => a.getAttribute('href'))")
    assert links[-4:] == ["#after", "#terms", "#references", "#backlinks"]


def test_what_a_page_adds_later_does_not_style_the_whole_page_again(open_page: Open) -> None:
    """A rule that asks what the body holds, `body:has(...)`, has every change of a page restyle all of it."""
    page = open_page(FOOTNOTES)
    page.evaluate(ARRANGED)
    browser = page.context.browser
    assert browser
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    elements = page.evaluate("""() => {
      document.querySelector('main').append(Object.assign(document.createElement('p'), {textContent: 'later'}));
      return document.body.offsetHeight && document.querySelectorAll('*').length;
    }""")
    events = json.loads(browser.stop_tracing())["traceEvents"]
    styled = [event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"]
    assert 0 < sum(styled) < elements / 10
