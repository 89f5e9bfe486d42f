"""The paper's table in the card of a number: as printed, with the cell in a frame."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import making_pdfs
import pytest
from playwright.sync_api import Page, expect
from running import Once, built, paper_notes, write
from windows import Windows

pytestmark = pytest.mark.browser
HEAD = ("Tea", *(f"Cup {number}" for number in range(9)))
ROWS = tuple(
    (f"Tea {name}", *(f"{row + 10}.{column}5" for column in range(9)))
    for row, name in enumerate("ABCDEFGHIJKLMNOPQRST")
)
TEXT = "Tea P of cup 7 is 25.75, tea A of cup 0 is 10.05 (Table 1).\n"
FILES = {
    "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [tea]\n",
    "notes_src/library.bib": "@misc{lu760tea, title={The Classic of Tea}, author={Lu, Yu}, year={760}}\n",
    "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
    "notes_src/tea/01_Cups/note.yaml": "title: {zh: 茶, en: Tea}\npapers: [lu760tea]\n",
    "notes_src/tea/01_Cups/en.md": TEXT,
    "notes_src/tea/01_Cups/zh.md": TEXT,
}
SEEN = """() => {
  const card = document.querySelector('.of-cell');
  const [here, , , corner] = [...card.querySelectorAll('.here,.here~i')].map(e => e.getBoundingClientRect().toJSON());
  return {view: card.getBoundingClientRect().toJSON(), here, corner};
}"""
INK = """async () => {
  const box = document.querySelector('.of-cell'), here = box.querySelector('.here'), picture = new Image();
  picture.src = document.querySelector('.of-table').src;
  await picture.decode();
  const zoom = picture.naturalWidth / parseFloat(box.style.getPropertyValue('--wide'));
  const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
  const paper = canvas.getContext('2d', {willReadFrequently: true});
  paper.drawImage(picture, 0, 0);
  const dark = (x, y, w, h) => {
    const data = paper.getImageData(x * zoom, y * zoom, w * zoom, h * zoom).data;
    let count = 0;
    for (let at = 0; at < data.length; at += 4) count += data[at] < 128;
    return count;
  };
  const [whole, frame] = [box.firstChild, here].map(e => e.getBoundingClientRect());
  const [x, y, w, h] = [frame.left - whole.left, frame.top - whole.top, frame.width, frame.height];
  return {inside: dark(x + 2, y + 2, w - 4, h - 4), left: dark(x - 3, y, 4, h), right: dark(x + w - 1, y, 4, h),
    lineAbove: dark(x, y - 1, w, 2), lineBelow: dark(x, y + h - 1, w, 2)};
}"""


@pytest.fixture(scope="module")
def cups(once: Once) -> Path:
    """The page of a note with numbers of a table that is higher than a card."""

    def make(root: Path) -> None:
        write(root, FILES)
        pdf = root / "notes_src/pdfs/lu760tea.pdf"
        pdf.parent.mkdir()
        pdf.write_bytes(making_pdfs.with_tables(("Table 1: Cups of teas.", (HEAD, *ROWS))))
        assert paper_notes("verify", "--crops", "--root", root).exit_code == 0
        built(root)

    return once("cups", make) / "site/tea/notes/01_Cups.html"


def shown(page: Page, number: str) -> dict[str, Any]:
    page.locator("article .at:visible", has_text=number).first.hover()
    expect(page.locator("#pn-card .of-cell")).to_be_visible()
    expect(page.locator(".of-cell")).to_have_attribute("aria-label", re.compile(number))
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    seen: dict[str, Any] = page.evaluate(SEEN)
    return seen


@pytest.fixture
def watched(windows: Windows) -> Iterator[Windows]:
    with windows.watched(lambda request: request.is_navigation_request()):
        yield windows
    assert windows.wrong == []


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (1280, "dark"), (768, "light"), (390, "dark")])
def test_the_frame_is_around_the_ink_of_the_cell_and_heads_stay(
    watched: Windows, cups: Path, width: int, scheme: Any
) -> None:
    page = watched.open(width=width, height=800, color_scheme=scheme)
    page.goto(f"{cups.as_uri()}?lang=en")
    for number in ("25.75", "10.05"):
        seen = shown(page, number)
        view, here = seen["view"], seen["here"]
        ink = page.evaluate(INK)
        assert ink.pop("inside") > 40, "the number is inside"
        assert set(ink.values()) == {0}, "and nothing of it, nor of others, on the frame"
        corner = seen["corner"]
        assert corner["bottom"] <= here["top"] + 4, "below the heads"
        assert corner["right"] <= here["left"] + 4, "beside the labels"
        assert here["bottom"] <= view["bottom"]
        assert here["right"] <= view["right"]
        assert corner["top"] == pytest.approx(view["top"], abs=2), "which are there however far it is scrolled"
    assert page.locator(".of-table").count() == 1
    assert page.locator(".of-cell").evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(255, 255, 255)"
