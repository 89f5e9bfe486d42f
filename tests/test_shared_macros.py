r"""Macros of `site.yaml`, `topic.yaml`, `note.yaml` and of formulas, in all that is made of texts."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from running import built, paper_notes, write

from paper_notes.build import update

TEXT = """$\\Temp{{1}} \\Leaf \\Cup$

$$\\newcommand{{\\own}}{{\\mathbb{{{0}}}}}$$

:::recall
{1} $\\own$
: {1}
:::
"""
FILES = {
    "notes_src/site.yaml": "title: {zh: 茶, en: Tea}\ntopics: [tea, rum]\nmacros:\n  Temp: '\\mathrm{T}_{#1}'\n",
    "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\nmacros: {Leaf: '\\mathbb{L}', Temp: '\\mathsf{T}_{#1}'}\n",
    "notes_src/rum/topic.yaml": "title: {zh: 酒, en: Rum}\n",
    "notes_src/tea/01_Green/note.yaml": (
        "title: {zh: 绿, en: Green}\nsummary: {zh: '温 $\\Temp{9}$', en: 'Heat $\\Temp{9}$'}\n"
        "macros: |\n  \\newcommand{\\Cup}{\\mathbb{C}}\n"
    ),
    "notes_src/tea/01_Green/zh.md": TEXT.format("O", "问"),
    "notes_src/tea/01_Green/en.md": TEXT.format("Q", "Why"),
    "notes_src/rum/01_Dark/note.yaml": "title: {zh: 黑, en: Dark}\n",
    "notes_src/rum/01_Dark/zh.md": "$\\Temp{2}$\n",
    "notes_src/rum/01_Dark/en.md": "$\\Temp{2}$\n",
}


def letters(html: str) -> str:
    """The text of all formulas."""
    return " ".join(re.sub(r"<[^>]*>", "", found) for found in re.findall(r"<math.*?</math>", html))


def test_they_hold_where_they_are_declared_and_in_all_that_is_made_of_it(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    site = built(root)
    page = (site / "tea/notes/01_Green.html").read_text("utf-8")
    assert letters(page).count("𝖳1𝕃ℂ") == 2  # of the topic, which goes before that of the site
    assert {"𝕆", "ℚ"} <= set(letters(page)), "each language has its own"
    assert '<div class="math-block"' not in page, "a formula that only defines is not shown"
    assert letters((site / "rum/notes/01_Dark.html").read_text("utf-8")) == "T2 T2"
    assert "T9" in letters((site / "tea/index.html").read_text("utf-8"))
    assert "\\mathrm{T}_{9}" in (site / "tea/README.md").read_text("utf-8")
    cards = root / "cards.tsv"
    result = paper_notes("cards", "--root", root, "--format", "tsv", "--output", cards)
    assert result.exit_code == 0, result.output
    assert "\\mathbb{O}" in cards.read_text("utf-8")
    result = paper_notes("export", "tea", "--root", root, "--epub", "--output", root / "tea.epub")
    assert result.exit_code == 0, result.output
    with zipfile.ZipFile(root / "tea.epub") as book:
        assert "𝖳1𝕃ℂ" in letters(
            "".join(book.read(name).decode() for name in book.namelist() if name.endswith("xhtml"))
        )


@pytest.mark.parametrize("place", ["site.yaml", "tea/topic.yaml", "tea/01_Green/note.yaml"])
def test_a_change_of_a_macro_makes_the_pages_again_that_use_it(tmp_path: Path, place: str) -> None:
    root = write(tmp_path, FILES)
    built(root)
    old = {"site.yaml": ("\\mathrm{T}", "\\mathrm{H}"), "tea/topic.yaml": ("\\mathbb{L}", "\\mathbb{B}")}
    before, after = old.get(place, ("\\mathbb{C}", "\\mathbb{D}"))
    path = root / "notes_src" / place
    path.write_text(path.read_text("utf-8").replace(before, after), "utf-8")
    result = update(root)
    assert result.plan
    pages = {str(artifact.path) for artifact in result.plan.update}
    if place == "site.yaml":
        assert {"site/rum/notes/01_Dark.html", "site/tea/index.html"} <= pages
    else:
        assert "site/tea/notes/01_Green.html" in pages
        assert "site/rum/notes/01_Dark.html" not in pages
    assert update(root).plan.empty
