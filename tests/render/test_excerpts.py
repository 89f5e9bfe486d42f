"""Excerpts: `![[#2#method]]` shows a part of another note."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from building import note
from running import built, paper_notes, write

from paper_notes.build import build, update
from paper_notes.corpus.model import Lang
from paper_notes.markdown.render import render_body

SVG = (
    '<svg viewBox="0 0 9 9"><defs><linearGradient id="warm"><stop/></linearGradient><g id="dot">'
    '<path d="M0 0h9" stroke="#abc"/></g></defs><use href="#dot" fill="url(#warm)"/></svg>'
)
SHOWS = "## {0} {{#brew}}\n\n![[rum/#1#still]]\n\n![[rum/#1#^heat]]\n\n![[rum/#1#^pot|{1}]]\n"
SOURCE = """## {0} {{#still}}

{1} [[#1]], [x](#cask), [@lu760tea].[^1]

### {2} {{#kettle}}

{3}

## {4} {{#cask}}

{5}

$$x \\label{{first}}$$

:::formula {{#heat}}
$$t = 80 \\, ° \\label{{eq}}$$

$t$
: {3}
:::

:::figure {{#pot}}
![{2}](pot.svg)
{2}
:::

[^1]: {6}
"""
FILES = {
    "notes_src/site.yaml": "title: {zh: 茶, en: Tea}\ntopics: [tea, rum]\n",
    "notes_src/library.bib": "@misc{lu760tea, title={Classic}, author={Lu, Yu}, year={1760}, eprint={2601.00001}}\n",
    "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
    "notes_src/rum/topic.yaml": "title: {zh: 酒, en: Rum}\n",
    "notes_src/tea/01_Green/note.yaml": "title: {zh: 绿茶, en: Green}\n",
    "notes_src/tea/01_Green/zh.md": SHOWS.format("泡法", "壶"),
    "notes_src/tea/01_Green/en.md": SHOWS.format("Brewing", "pot"),
    "notes_src/tea/02_Black/note.yaml": "title: {zh: 红茶, en: Black}\n",
    "notes_src/tea/02_Black/zh.md": "红。\n",
    "notes_src/tea/02_Black/en.md": "Black.\n",
    "notes_src/rum/01_Dark/note.yaml": "title: {zh: 黑, en: Dark}\n",
    "notes_src/rum/01_Dark/pot.svg": SVG,
    "notes_src/rum/01_Dark/zh.md": SOURCE.format("蒸馏", "慢蒸", "锅", "铜锅。", "桶", "一。", "慢。"),
    "notes_src/rum/01_Dark/en.md": SOURCE.format("Distilling", "Slowly", "Pot", "Copper.", "Cask", "One.", "Slow."),
}
PAGE = "tea/notes/01_Green.html"


def shown(html: str) -> list[str]:
    """The excerpts of a page."""
    return re.findall(r'<aside class="embed".*?</aside>', html, re.DOTALL)


def test_sections_formulas_and_figures_are_shown_in_each_language_with_their_source(tmp_path: Path) -> None:
    site = built(write(tmp_path, FILES))
    html = (site / PAGE).read_text("utf-8")
    section, formula, figure, *english = shown(html)
    assert len(english) == 3
    assert "慢蒸" in section
    assert "铜锅" in section, "what is below it, too"
    assert "一。" not in section
    assert "Slowly" in english[0]
    assert 'href="../../rum/notes/01_Dark.html#still"' in section
    assert '<a class="note-ref" href="../../rum/notes/01_Dark.html" ' in section, "references are those of its topic"
    assert 'href="../../rum/notes/01_Dark.html#cask"' in section, "and links lead to where it is from"
    assert 'href="../../rum/notes/01_Dark.html#fn-zh-1"' in section
    assert "(2)" in formula, "its own number"
    assert "铜锅" in formula, "and all of its block"
    assert "<figure" in figure
    assert ">壶</a>" in figure
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids)), "no id is twice"
    used = re.search(r'<use href="#([^"]+)" fill="url\(#([^)]+)\)"', figure)
    assert used
    assert {f'id="{name}"' in figure for name in used.groups()} == {True}, "what is drawn and its paint"
    assert 'stroke="#abc"' in figure, "and a colour is no place"
    assert "01_Green" in (site / "rum/notes/01_Dark.html").read_text("utf-8"), "who shows it links to it"


def test_it_follows_its_source_and_nothing_else(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    update(root)
    text = root / "notes_src/rum/01_Dark/zh.md"
    for old, new, changes in (("一。", "二。", False), ("慢蒸", "快蒸", True)):
        text.write_text(text.read_text("utf-8").replace(old, new), "utf-8")
        plan = update(root).plan
        assert plan
        assert (f"site/{PAGE}" in {str(artifact.path) for artifact in plan.update}) is changes, new
    assert "快蒸" in (root / "site" / PAGE).read_text("utf-8")
    again = update(root).plan
    assert again
    assert again.empty


def test_books_have_it_and_its_words_are_counted_once(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    result = paper_notes("export", "tea/1", "--root", root, "--epub", "--output", root / "tea.epub")
    assert result.exit_code == 0, result.output
    with zipfile.ZipFile(root / "tea.epub") as book:
        assert "慢蒸" in "".join(book.read(name).decode() for name in book.namelist() if name.endswith("xhtml"))
    shown_in = note({Lang("en"): FILES["notes_src/tea/01_Green/en.md"]})
    assert render_body(shown_in).outline.counts[Lang("en")] == (1, 0), "the source is named, and no more"


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    ("first", "second", "circle"),
    [
        ("![[#1#brew]]", "", "tea/#1#brew → tea/#1#brew"),
        ("![[#2#leaf]]", "![[#1#brew]]", "tea/#1#brew → tea/#2#leaf → tea/#1#brew"),
        ("![[#2#leaf]]", "[[#1#brew]]", ""),
    ],
)
def test_circles_are_named_and_end(tmp_path: Path, first: str, second: str, circle: str) -> None:
    files = {
        **FILES,
        "notes_src/tea/01_Green/zh.md": f"## 泡法 {{#brew}}\n\n甲。\n\n{first}\n",
        "notes_src/tea/01_Green/en.md": "## Brewing {#brew}\n\nA.\n",
        "notes_src/tea/02_Black/zh.md": f"## 叶 {{#leaf}}\n\n乙。\n\n{second}\n",
        "notes_src/tea/02_Black/en.md": "## Leaf {#leaf}\n\nB.\n",
    }
    found = [one for one in build(write(tmp_path, files)).diagnostics if one.rule == "circular-excerpt"]
    assert [one.message.partition(": ")[2] for one in found] == ([circle] if circle else [])
    if circle:
        assert str(found[0].location) == "notes_src/tea/01_Green/zh.md:5:2"
        page = build(tmp_path, keep_going=True).plan
        assert page
        assert any(b"embed-source" in artifact.data for artifact in page.create if str(artifact.path) == f"site/{PAGE}")
