"""How large drawings are, and what a page draws at the edges of its blocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

SIZES = """() => [...document.querySelectorAll('.body > .fig > .fig-body > svg')]
  .filter(svg => svg.getClientRects().length).map(svg => {
    const texts = [...svg.querySelectorAll('text')].filter(text => text.textContent.trim());
    const sizes = texts.map(text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
    const box = svg.getBoundingClientRect(), around = svg.closest('.body').getBoundingClientRect();
    return {least: Math.min(...sizes), most: Math.max(...sizes), wider: svg.matches('.wider'),
      inside: box.left >= -1 && box.right <= innerWidth + 1 && box.width <= around.width + 40};
  })"""


def test_text_in_drawings_is_as_large_as_text_around(open_page: Open, site: Path) -> None:
    notes = [path for path in sorted(site.glob("*/notes/*.html")) if '<figure class="fig"' in path.read_text("utf-8")]
    assert len(notes) > 8
    page = open_page(notes[0].relative_to(site).as_posix())
    wide = 0
    for note in notes:
        page.goto(f"{note.as_uri()}?lang=en")
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for figure in page.evaluate(SIZES):
                assert figure["most"] <= 17.1, f"{note.name} at {width}: {figure}"
                assert figure["least"] >= 11, f"{note.name} at {width}: {figure}"
                assert figure["inside"], f"{note.name} at {width}"
                assert not figure["wider"] or width == 1440, "wide drawings are for wide columns"
                wide += figure["wider"]
    assert wide == 2, "of ReSpec's, and the narrow ones are not shown beside them"


def test_tasks_hang_a_proof_ends_on_its_last_line_and_code_fades(open_page: Open) -> None:
    page = open_page("spec-rl/notes/04_ReSpec_2510.26475.html?lang=en", width=390)
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
    page.goto(page.url.replace("spec-rl/notes/04_ReSpec_2510.26475", "guide/notes/01_Writing_a_note"))
    page.set_viewport_size({"width": 700, "height": 844})
    faded = "[...document.querySelectorAll('.en .code pre')].every(e => getComputedStyle(e).backgroundImage != 'none')"
    assert page.evaluate(faded)
