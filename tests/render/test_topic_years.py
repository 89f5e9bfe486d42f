"""A topic of more notes than a page should have has a page for each year, and keeps its own address."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from running import built, write

from paper_notes.render.pages import topic

BIB = "".join(f"@misc{{k{year}, title={{T {year}}}, author={{Doe, J.}}, year={year}}}\n" for year in (2023, 2024))
FILES = {
    "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [one]\nbase_url: https://example.org/n\n",
    "notes_src/l.bib": BIB,
    "notes_src/one/topic.yaml": (
        "title: {zh: 一, en: One}\nintro: {zh: 简介, en: Intro}\n"
        "reading_paths: [{id: a, title: {zh: 路, en: P}, steps: [1, 2]}]\n"
    ),
}
for number, facts in enumerate(("papers: [k2023]", "created: 2025-01-02", "papers: [k2024]", "status: read"), 1):
    FILES[f"notes_src/one/{number:02}_N{number}/note.yaml"] = f"title: {{zh: 题{number}, en: T{number}}}\n{facts}\n"
    FILES[f"notes_src/one/{number:02}_N{number}/zh.md"] = "文\n"
ROW = re.compile(r'<li>\n<span class="no">(#\d)</span>')


def pages(root: Path) -> dict[str, str]:
    folder = built(write(root, FILES)) / "one"
    return {page.name: page.read_text("utf-8") for page in folder.glob("*.html")}


def test_up_to_the_limit_there_is_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topic, "MOST_NOTES", 4)
    site = pages(tmp_path)
    assert site.keys() == {"index.html"}
    assert ROW.findall(site["index.html"]) == ["#1", "#2", "#3", "#4"]
    assert 'id="pn-years"' not in site["index.html"]


def test_beyond_it_each_year_has_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topic, "MOST_NOTES", 3)
    monkeypatch.setattr(topic, "NEWEST", 2)
    site = pages(tmp_path)
    index = site.pop("index.html")
    rows = {name: ROW.findall(html) for name, html in site.items()}
    assert rows == {"2025.html": ["#2"], "2024.html": ["#3"], "2023.html": ["#1"], "undated.html": ["#4"]}
    assert ROW.findall(index)[0] == "#2", "the newest first"
    assert len(ROW.findall(index)) == 2
    years = re.findall(r'<a href="([\w.]+)">(?:<span[^>]*>)?([^ <]+)', index.partition('id="pn-years"')[2])[:4]
    assert years == [("2025.html", "2025"), ("2024.html", "2024"), ("2023.html", "2023"), ("undated.html", "日期不详")]
    assert 'id="paths"' in index, "paths and intro stay where they were"
    assert 'id="paper-k2024"' in site["2024.html"]
    assert 'id="paper-k2023"' not in site["2024.html"]
    assert '<a href="2024.html" aria-current="page">' in site["2024.html"]
    assert "One · 2024" in site["2024.html"]
    assert "https://example.org/n/one/2024.html" in (tmp_path / "site/sitemap.xml").read_text("utf-8")
