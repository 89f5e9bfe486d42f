"""The printed note as a PDF: what one hands out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pymupdf
import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

NOTE = "spec-rl/notes/04_ReSpec_2510.26475.html"
TITLES = {"zh": "ReSpec：把投机解码搬进 RL 训练", "en": "ReSpec: speculative decoding inside RL training"}
FOOT = 50
"""Points from the lower edge of the page: below them is its number."""


def lines(page: pymupdf.Page) -> Iterator[tuple[float, float, str]]:
    """Lower edge, size and text of each line, in the order of the page."""
    for block in page.get_text("dict")["blocks"]:
        for line in block.get("lines", ()):
            text = "".join(span["text"] for span in line["spans"]).strip()
            if text:
                yield line["bbox"][3], max(span["size"] for span in line["spans"]), text


@pytest.mark.nightly
def test_a_printed_note_is_a_handout_and_names_an_arxiv_address_once(open_page: Open) -> None:
    """In one language on one paper, and in both on the other.

    It is printed once for all that is asked of it: that takes as long as to open ten notes.
    """
    page = open_page(NOTE)
    for view, paper, most in (("en", "Letter", 17), ("zh", "A4", 16), ("both", "A4", 20)):
        page.evaluate("view => document.getElementById('pn-view-' + view).click()", view)
        document = pymupdf.open("pdf", page.pdf(prefer_css_page_size=True, format=paper))
        if view == "en":
            names_addresses_once(document)
        assert 8 < len(document) <= most, view
        letters: Counter[float] = Counter()
        for number, sheet in enumerate(document, 1):
            found = list(lines(sheet))
            for _, size, text in found:
                letters[round(size, 1)] += len(text)
            assert f"{number} / {len(document)}" in {text for _, _, text in found}, "each page has its number"
            title = TITLES["en" if view == "en" else "zh"]
            assert (found[0][2] == title) == (number > 1), "and all but the first the title, in the chosen language"
            low, size, text = max(line for line in found if line[0] < sheet.rect.height - FOOT)
            assert low > sheet.rect.height * 2 / 3 or number == len(document), f"{view}: page {number} is nearly empty"
            assert size < 11, f"{view}: a heading ends page {number}: {text}"
        running = max(size for size, count in letters.items() if count > letters.total() / 6)
        assert running >= (9 if view == "both" else 10), "nothing is so wide that all was made smaller"


def names_addresses_once(document: pymupdf.Document) -> None:
    """That of arXiv by its number, and what a link leads to where only a word is said."""
    text = "".join(sheet.get_text() for sheet in document).replace("\n", "")
    assert "arXiv:2402.03300" in text
    assert "arxiv.org/abs/2402.03300" not in text
    assert "<https://arxiv.org/abs/2510.26475>" in text, "where only the word arXiv is said"


def test_paper_has_no_hint_for_a_mouse(open_page: Open) -> None:
    page = open_page("map.html?lang=en")
    hint = page.locator(".hint").inner_text()
    assert hint[:20] not in "".join(sheet.get_text() for sheet in pymupdf.open("pdf", page.pdf(format="A4")))


def test_what_goes_on_on_the_next_page_is_not_over_what_follows(open_page: Open) -> None:
    page = open_page("spec-rl/index.html?lang=en")
    for sheet in pymupdf.open("pdf", page.pdf(prefer_css_page_size=True, format="A4")):
        words = [pymupdf.Rect(x0, y0 + 1, x1, y1 - 1) for x0, y0, x1, y1, *_ in sheet.get_text("words")]
        boxes = [drawing["rect"] for drawing in sheet.get_drawings()]
        rules = [box for box in boxes if box.height < 3 and box.width > sheet.rect.width / 2]
        assert rules
        assert not any(rule.intersects(word) for rule in rules for word in words), f"page {sheet.number + 1}"


def test_print_has_the_wide_rules_and_what_a_link_leads_to(open_page: Open) -> None:
    page = open_page(f"{NOTE}?lang=en")
    page.set_viewport_size({"width": 605, "height": 900})  # of what is printed on A4
    page.emulate_media(media="print")
    tops = "list => [...document.querySelectorAll(list)].filter(e => e.getClientRects().length).map(e => e.offsetTop)"
    assert len(set(page.evaluate(tops, ".en .stats > div"))) == 1, "figures of the TL;DR are in a row"
    address = "list => getComputedStyle(document.querySelector(list), '::after').content"
    assert "https://github.com/" in page.evaluate(address, ".en a.external[href*='github.com']")
    assert page.evaluate(address, ".en a.note-ref") == "none", "local links have no address on paper"
    answers = "[...document.querySelectorAll('.en .recall-item > div:not(.judge)')]"
    assert page.evaluate(f"{answers}.every(e => e.checkVisibility())")
    page.evaluate("document.getElementById('pn-view-both').click()")
    lefts = page.evaluate("[...document.querySelectorAll('#g3-check > .body')].map(e => e.offsetLeft)")
    assert len(set(lefts)) == 2, "two languages are two columns"
