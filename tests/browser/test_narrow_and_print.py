"""What a phone shows once, whole and in the reader's language, and what paper has not."""

from __future__ import annotations

from collections.abc import Callable

import pymupdf
import pytest
from pages import DAYS, choose
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

NOTE = "spec-rl/notes/04_ReSpec_2510.26475.html"


def test_numbers_are_there_once_with_two_labels_on_a_phone(open_page: Open) -> None:
    page = open_page(NOTE, width=390, height=844)
    alone = {view: _height(page, view) for view in ("zh", "en")}
    both = _height(page, "both")
    assert page.locator(".stats:visible").count() == 1
    first = page.locator(".stats > div").first
    assert first.locator("dt").inner_text() == "83–86%"
    label = first.locator("dd").inner_text()
    assert "占一个 RL step 的比例" in label
    assert "share of generation in one RL step" in label
    assert page.locator("#speedup table:visible").count() == 1
    assert "单步最大" in (cell := page.locator("#speedup td:visible", has_text="4.53×").first.inner_text())
    assert "Single-step max" in cell
    assert both < sum(alone.values()) * 0.84
    choose(page, "en")
    assert page.locator(".peek, .twin, .too:visible").count() == 0
    assert page.locator("#speedup table:visible").count() == 1


def _height(page: Page, view: str) -> int:
    choose(page, view)
    height: int = page.evaluate("document.documentElement.scrollHeight")
    return height


_LINES = """e => {
  const range = document.createRange(), lines = new Map();
  range.selectNodeContents(e);
  for (const box of range.getClientRects()) {
    const middle = Math.round((box.top + box.bottom) / 2); // a link in it may be higher
    lines.set(middle, (lines.get(middle) ?? 0) + box.width);
  }
  return [...lines.values()];
}"""
"""The widths of the lines of an element."""


_BROKEN = """() => [...document.querySelectorAll('h1, h2, h3, h4')].filter(e => e.checkVisibility()).filter(e => {
  const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), range = document.createRange();
  let last = ['', 0];
  while (texts.nextNode()) for (let n = 0; n < texts.currentNode.length; n++) {
    range.setStart(texts.currentNode, n);
    range.setEnd(texts.currentNode, n + 1);
    const box = range.getBoundingClientRect(), sign = `${range}`, [before, bottom] = last;
    if (!box.width) continue;
    if (bottom && box.top > bottom - 4 && /\\p{sc=Han}{2}/u.test(before + sign)) return true;
    last = [sign, box.bottom];
  }
}).map(e => e.innerText)"""
"""Headings with a line that ends between two Chinese characters, which is mostly inside of a word."""


@pytest.mark.nightly
def test_a_range_stays_in_one_line_and_a_chinese_title_breaks_at_its_colon(open_page: Open) -> None:
    for width in (390, 360):
        page = open_page(f"{NOTE}?lang=zh", width=width, height=844)
        ranges = page.locator(".zh .stats dt", has_text="–")
        assert ranges.count() == 2
        assert [len(page.evaluate(_LINES, number)) for number in ranges.element_handles()] == [1, 1]
        assert len(page.evaluate(_LINES, page.locator("h1 .zh").element_handle())) == 2
        assert page.evaluate(_BROKEN) == []
    for address in ("index.html", "spec-rl/index.html", DAYS[0]):
        page.goto(page.url.replace(f"{NOTE}?lang=zh", f"{address}?lang=zh"))
        assert page.evaluate(_BROKEN) == []
        page.go_back()
    page.goto(page.url.replace(NOTE, "models/notes/02_RL_Frameworks_Comparison.html"))
    ranges = page.locator(".zh a.at:visible", has_text="–")
    assert [e.inner_text() for e in ranges.all() if len(page.evaluate(_LINES, e.element_handle())) > 1] == []
    assert ranges.count() > 5


def test_the_button_that_copies_covers_no_code_on_a_touch_screen(open_page: Open) -> None:
    guide = "guide/notes/01_Writing_a_note.html?lang=zh"
    page = open_page(guide, width=390, height=844, has_touch=True, is_mobile=True)
    covered = page.evaluate("""() => {
    const shown = [...document.querySelectorAll('.code > pre')].filter(e => e.checkVisibility());
    return shown.map(pre => {
      const button = pre.parentElement.querySelector('.copy').getBoundingClientRect(), range = document.createRange();
      const words = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT), boxes = [];
      while (words.nextNode()) for (const word of words.currentNode.data.matchAll(/\\S+/g)) {
        range.setStart(words.currentNode, word.index);
        range.setEnd(words.currentNode, word.index + word[0].length);
        boxes.push(...range.getClientRects());
      }
      return boxes.some(box => box.right > button.left && box.top < button.bottom - 2 && box.bottom > button.top + 2)
    })}""")
    assert len(covered) > 10
    assert not any(covered)


@pytest.mark.parametrize("address", [NOTE, "spec-rl/index.html", "glossary.html"])
def test_the_name_of_the_site_is_whole_at_320_pixels(open_page: Open, address: str) -> None:
    page = open_page(f"{address}?lang=en", width=320, height=700)
    cut = "e => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]"
    assert page.locator(".crumbs").evaluate(cut) == [0, 0]
    assert page.locator(".crumbs a:visible").inner_text() == "Paper Notes"


def test_tabs_stay_where_they_are_from_page_to_page(open_page: Open) -> None:
    places = set()
    for name in ("index", "papers", "glossary", "map", "spec-rl/index"):
        page = open_page(f"{name}.html?lang=en")
        places.add(str(page.locator(".shelf a").evaluate_all("all => all.map(e => e.getBoundingClientRect().left)")))
    assert len(places) == 1


@pytest.mark.parametrize(("lang", "first"), [("zh", "接受率"), ("en", "acceptance rate")])
def test_the_glossary_begins_with_the_name_in_the_language_of_the_page(open_page: Open, lang: str, first: str) -> None:
    page = open_page(f"glossary.html?lang={lang}")
    names = page.locator("h3", has_text="acceptance rate").locator("span")
    assert names.count() == 2
    left, bold = "e => e.getBoundingClientRect().left", "e => getComputedStyle(e).fontWeight >= 600"
    before = min(names.all(), key=lambda name: float(name.evaluate(left)))
    assert before.inner_text() == first
    assert [name.inner_text() for name in names.all() if name.evaluate(bold)] == [first]


def test_votes_are_not_underlined_as_a_tab_is(open_page: Open) -> None:
    page = open_page(f"{DAYS[0]}?lang=zh")
    votes = page.locator(".votes").first
    assert votes.evaluate("e => getComputedStyle(e).backgroundImage") == "none"
    assert votes.evaluate("e => parseFloat(getComputedStyle(e, '::before').width)") > 20


def test_chinese_text_ends_where_cards_do(open_page: Open) -> None:
    page = open_page(f"{NOTE}?lang=zh", width=1440)
    right = "e => e.getBoundingClientRect().right"
    assert page.locator(".tldr.zh, .zh .tldr").first.evaluate(right) == page.locator(".zh > p").nth(2).evaluate(right)


def test_the_keywords_of_a_note_are_at_its_top(open_page: Open) -> None:
    page = open_page(f"{NOTE}?lang=zh")
    assert "投机解码" in page.locator("header.top .tags").inner_text()


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize("view", ["both", "zh"])
def test_no_heading_of_a_day_ends_a_printed_page(open_page: Open, view: str) -> None:
    page = open_page(DAYS[0])
    headings = set(page.locator(".entry > h2 span, .facet summary span").all_text_contents())
    people = page.locator(".entry > .by > span:not(.votes, :has(.ui))").all_inner_texts()
    assert any("Liang Chen" in names for names in people)
    choose(page, view)
    document = pymupdf.open("pdf", page.pdf(prefer_css_page_size=True, format="A4"))
    for sheet in document:
        lines = [line for line in sheet.get_text(clip=sheet.rect - (0, 0, 0, 50)).splitlines() if line.strip()]
        assert lines[-1].strip() not in headings, f"page {sheet.number + 1}"
        assert "关键词" not in "".join(lines), "a filter cannot be pressed on paper"
    printed = " ".join("".join(sheet.get_text() for sheet in document).split())
    assert [names for names in people if names not in printed] == []


def test_a_day_side_by_side_is_in_both_languages(open_page: Open) -> None:
    page = open_page(DAYS[1], width=1440)
    choose(page, "both")
    fold, chip = page.locator(".facet > summary").first, page.locator(".words-of button").first
    for words, both in (
        (fold, ("主要创新点", "What is new")),
        (chip, ("蒸馏", "distillation")),
        (page.locator(".entry > .by").first, ("仅摘要", "the abstract only")),
    ):
        assert all(word in words.inner_text() for word in both)
        assert len(words.inner_text().splitlines()) == 1 or words != chip
    assert chip.bounding_box()["height"] < 40  # type: ignore[index]


def test_keywords_are_in_the_language_of_the_page_where_a_tag_names_them(open_page: Open) -> None:
    page = open_page("daily/notes/03_Agents_and_RL.html?lang=zh")
    assert "检索" in page.locator(".words-of").inner_text()
    assert "retrieval" not in page.locator("main").inner_text()
    page.locator(".words-of button", has_text="检索").click()
    assert page.locator("#pn-left").inner_text() == "2 / 7"
    choose(page, "en")
    assert "retrieval" in page.locator(".words-of").inner_text()
