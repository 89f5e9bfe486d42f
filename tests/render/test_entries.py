"""Notes that list papers: cards on their page, a calendar, and no trace on pages about papers that were read."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest
from running import PROJECT, built, collection

NOTE = "inference/notes/04_2014-12-23.html"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(collection("japanese", tmp_path_factory.mktemp("lists")))


def cards(page: str) -> list[str]:
    return page.partition('<div class="end">')[0].split('<section class="entry"')[1:]


def test_each_paper_is_a_card_whose_sections_are_folded(site: Path) -> None:
    adam, adadelta = cards((site / NOTE).read_text("utf-8"))
    assert 'id="p-1412-6980" data-words="SGD|Momentum"' in adam
    assert "--v: 100" in adam
    assert "--v: 13" in adadelta
    assert "31 votes" in adam
    headline, folded = adam.partition("<details")[::2]
    assert "<strong>moments</strong>" in headline, "what it is about in one sentence is open"
    assert "It converges faster." in folded
    assert "No learning rate is chosen by hand." in adadelta
    assert "ADADELTA: An Adaptive Learning Rate Method" in adadelta, "without a section, it has its own title"


def test_no_level_of_headings_is_left_out_below_a_folded_section(tmp_path: Path) -> None:
    root = collection("japanese", tmp_path)
    text = root / "notes_src" / NOTE.replace("notes/", "").replace(".html", "/en.md")
    text.write_text(text.read_text("utf-8") + "\n### More {#p-1412-6980-more}\n\na\n\n#### Deeper\n\nb\n", "utf-8")
    levels = [int(level) for level in re.findall(r"<h(\d)", (built(root) / NOTE).read_text("utf-8"))]
    assert 3 in levels
    assert all(level <= before + 1 for before, level in itertools.pairwise(levels))


def test_a_card_under_another_heading_names_the_paper(site: Path) -> None:
    adam, adadelta = cards((site / NOTE).read_text("utf-8"))
    assert "<cite>Adam: A Method for Stochastic Optimization</cite>" in adam
    assert "<cite>" not in adadelta, "its heading is its title"


def test_no_other_style_applies_to_the_sections_of_a_card(site: Path) -> None:
    (name,) = set(re.findall(r'<details class="([^"]+)"', "".join(cards((site / NOTE).read_text("utf-8")))))
    styles = (PROJECT / "assets/css").rglob("*.css")
    own = [style.name for style in styles if re.search(rf"\.{name}(?![\w-])", style.read_text("utf-8"))]
    assert own == ["44-entry.css"], "a class that lines of formulas had, too, put texts beside their headings"


def test_it_says_where_the_paper_was_read_and_offers_all_papers(site: Path) -> None:
    page = (site / NOTE).read_text("utf-8")
    adam, adadelta = cards(page)
    assert "optimisation/notes/02_Adam.html" in adam
    assert "Has a note:" not in adadelta
    assert page.count("Z3988") == 2
    assert "citation_title" not in page, "it is about none of them alone"
    (data,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    assert [part["name"] for part in json.loads(data)["hasPart"]] == [
        "Adam: A Method for Stochastic Optimization",
        "ADADELTA: An Adaptive Learning Rate Method",
    ]
    assert (site / NOTE).with_suffix(".bib").read_text("utf-8").count("@misc{") == 2


def test_pages_about_papers_that_were_read_leave_out_those_that_are_only_listed(site: Path) -> None:
    for name in ("papers.html", "people.html", "papers.bib", "inference/papers.bib", "README.md", "index.html"):
        text = (site / name).read_text("utf-8")
        assert "ADADELTA" not in text, name
        assert "Zeiler" not in text, name


def test_the_calendar_leads_to_each_day(site: Path) -> None:
    page = (site / "digests.html").read_text("utf-8")
    cells = re.findall(r'<td class="full"><time datetime="2014-12-23">23</time><a href="([^"]+)">', page)
    assert cells == [NOTE]
    weeks = re.findall(r"<tr>(.*?)</tr>", page.partition("<tbody>")[2], re.DOTALL)
    assert [week.count("<td") for week in weeks] == [7] * 5
    assert "2014-12" in page


def test_a_collection_without_lists_has_no_calendar(tmp_path: Path) -> None:
    site = built(collection("minimal", tmp_path))
    assert not (site / "digests.html").exists()
    assert "digests" not in (site / "index.html").read_text("utf-8")
