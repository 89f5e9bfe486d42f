"""What a page draws at the edges of its blocks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


@pytest.mark.nightly
def test_tasks_hang_a_proof_ends_on_its_last_line_and_code_fades(open_page: Open) -> None:
    page = open_page("spec-rl/notes/04_ReSpec_2510.26475.html?lang=en", width=390)
    page.evaluate("""() => {  // links begin a box of their own in a line
      document.querySelectorAll('.at').forEach(mark => mark.replaceWith(...mark.childNodes));
      document.querySelectorAll('.en .task-list-item').forEach(item => item.normalize());
    }""")
    lefts = page.evaluate("""() => [...document.querySelectorAll('.en .task-list-item')].map(item => {
      const range = document.createRange();
      range.selectNodeContents(item);
      range.setStartAfter(item.querySelector('input'));
      const boxes = [...range.getClientRects()].filter(box => box.width > 1);
      const rows = Map.groupBy(boxes, box => Math.round(box.bottom / 12));
      return [...rows.values()].map(row => Math.min(...row.map(box => box.left)));
    })""")
    assert any(len(rows) > 2 for rows in lefts)
    assert all(max(rows) - min(rows) < 6 for rows in lefts), "no line begins under the box"
    under = page.evaluate("""() => {
      const proof = [...document.querySelectorAll('.en .thm-proof')].at(-1), text = proof.lastElementChild;
      return text.matches('p') && proof.getBoundingClientRect().bottom - text.getBoundingClientRect().bottom;
    }""")
    assert under is not False
    assert under < 8, "the sign has no line of its own below the text"
    page = open_page("guide/notes/01_Writing_a_note.html?lang=en", width=700)
    faded = "[...document.querySelectorAll('.en .code pre')].every(e => getComputedStyle(e).backgroundImage != 'none')"
    assert page.evaluate(faded)
