"""Type and tables as a browser sets them: widths in pixels, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

NOTE = "models/notes/01_MTP_Gloeckle_2404.19737.html"
GUIDE = "guide/notes/01_Writing_a_note.html"
TABLES = """() => [...document.querySelectorAll('.table')].filter(t => t.getClientRects().length).map(table => ({
  section: table.closest('.row').id, width: table.getBoundingClientRect().width, inside: table.scrollWidth,
  visible: table.clientWidth, column: table.closest('.body').getBoundingClientRect().width,
  labels: [...table.querySelectorAll('tr > :first-child')].map(cell => getComputedStyle(cell).textAlign),
  numbers: [...table.querySelectorAll('td.num')].map(cell => getComputedStyle(cell).textAlign)}))"""
ADVANCE = """signs => {
  const measured = {};
  for (const body of document.querySelectorAll('.body')) if (body.getClientRects().length) {
    const line = body.appendChild(document.createElement('p')), size = parseFloat(getComputedStyle(line).fontSize);
    for (const sign of signs) {
      const set = line.appendChild(document.createElement('span'));
      set.textContent = sign;
      measured[sign] = set.getBoundingClientRect().width / size;
    }
    line.remove();
    return measured;
  }
}"""
BROKEN_KEYS = """() => [...document.querySelectorAll('td > code')]
  .filter(code => code.getClientRects().length > 1 && !/[ _/.:,=-]/.test(code.textContent))
  .map(code => code.textContent)"""


def test_tables_are_as_wide_as_they_need_and_no_wider_than_their_column(open_page: Open) -> None:
    page = open_page(NOTE)
    for view in ("zh", "en"):
        page.locator(f"label:has(#pn-view-{view})").click()
        tables = page.evaluate(TABLES)
        assert "speed" in {table["section"] for table in tables}
        for table in tables:
            assert table["inside"] <= table["visible"], table
            assert table["width"] <= table["column"], table
            assert "right" not in table["labels"], "the first column names the rows"
            assert set(table["numbers"]) <= {"right"}
        assert min(table["width"] / table["column"] for table in tables) < 0.85, "a small table is not stretched"


def test_signs_in_chinese_are_latin(open_page: Open) -> None:
    widths = open_page(NOTE).evaluate(ADVANCE, "×§±÷≈≤’中“…")
    assert all(widths[sign] < 0.9 for sign in "×§±÷≈≤’"), widths
    assert widths["中"] == pytest.approx(1, abs=0.02)
    assert widths["“"] > 0.9, "Chinese quotes are as wide as a character"


def test_a_term_is_a_link_once_in_a_note(open_page: Open) -> None:
    page = open_page(NOTE)
    for body in ("zh", "en"):
        links = page.locator(f".body.{body} a.gl").evaluate_all("links => links.map(link => link.hash)")
        assert links
        assert len(links) == len(set(links))
    names = page.locator(".terms li > p:first-child").evaluate_all(
        "terms => terms.map(term => [...term.children].map(name => name.textContent))"
    )
    assert all(len(set(name)) == len(name) for name in names), "equal names are printed once"


@pytest.mark.parametrize("width", [1440, 390])
def test_keys_in_tables_stay_whole(open_page: Open, width: int) -> None:
    page = open_page(GUIDE, width=width)
    assert page.locator("td > code").count() > 50
    assert page.evaluate(BROKEN_KEYS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
