"""Figures of a paper in a real browser: a note that shows them, and the page of `paper-notes figures`."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import making_pdfs
import pytest
from conftest import cannot
from pages import choose, views_of
from playwright.sync_api import Page
from running import paper_notes, write
from test_figures import FILES
from test_judges import load_axe, violations

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

NOTE = "one/notes/01_Small.html"
CHOICE = "figures-small.html"
NOT_WHOLE = """[...document.querySelectorAll('img.crop')].filter(img => img.offsetParent).filter(img => {
  const box = img.getBoundingClientRect(), paper = getComputedStyle(img);
  const whole = img.complete && img.naturalWidth > 0 && box.left >= 0 && box.right <= innerWidth;
  const shape = (box.width - 13) / (box.height - 13), natural = img.naturalWidth / img.naturalHeight;
  return !whole || Math.abs(shape / natural - 1) > 0.1 || paper.backgroundColor != 'rgb(255, 255, 255)';
}).map(img => img.alt)"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection with a PDF, and beside its pages the one to choose figures from."""
    root = write(tmp_path_factory.mktemp("pdfs"), FILES)
    pdf = root / "notes_src" / "pdfs" / "small.pdf"
    pdf.parent.mkdir()
    pdf.write_bytes(making_pdfs.paper())
    assert paper_notes("build", "--root", root).exit_code == 0
    assert paper_notes("figures", pdf, "--output", root / "site" / CHOICE).exit_code == 0
    return root / "site"


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("address", [NOTE, CHOICE])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_pictures_are_shown_whole_on_white_paper(open_page: Open, address: str, width: int, colours: str) -> None:
    page = open_page(address, width=width, color_scheme=colours)
    for view in views_of(page):
        choose(page, view)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(NOT_WHOLE) == []


def test_the_first_page_is_beside_the_facts_and_leaves_them_room(open_page: Open) -> None:
    page = open_page(NOTE)
    facts, thumb = page.locator(".paper").bounding_box(), page.locator(".thumb img").bounding_box()
    assert facts
    assert thumb
    assert thumb["x"] >= facts["x"] + facts["width"]
    assert facts["width"] > 500
    assert not open_page(NOTE, width=390).locator(".thumb").is_visible()


@pytest.mark.parametrize("address", [NOTE, CHOICE])
def test_axe_finds_nothing(open_page: Open, judges: Path, address: str) -> None:
    page = open_page(address)
    load_axe(page, judges)
    assert violations(page) == []


def test_the_validator_finds_no_error(site: Path, judges: Path) -> None:
    java = shutil.which("java") or cannot("there is no java on this machine (Debian: apt-get install default-jre)")
    jar = judges / "vnu-jar/build/dist/vnu.jar"
    command = [java, "-jar", jar, "--errors-only", "--format", "json", "--exit-zero-always", site / NOTE, site / CHOICE]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=120)
    assert [message["message"] for message in json.loads(done.stderr)["messages"]] == []
