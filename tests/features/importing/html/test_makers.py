"""Pages of programs and sites: each sample, true to what its maker writes, beside what becomes of it."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest
from taking_in import lost_words, page, rendered, taken_in

from paper_notes.features.importing.html.makers import _makers, maker_of
from paper_notes.features.importing.html.page import ROLES
from paper_notes.features.importing.markdown.dialects import is_skipped
from paper_notes.features.importing.types import Folder

PAGES = sorted((Path(__file__).parent / "makers").glob("*.html"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_becomes_what_stands_beside_it(path: Path) -> None:
    note = taken_in({path.name: path.read_bytes()})[path.name]
    facts = "".join(f"{key}: {value}\n" for key, value in {**note.facts, **note.extra}.items())
    removed = "".join(f"- {removed.kind}: {' '.join(removed.words.split())}\n" for removed in note.removed)
    told = f"{note.title}\n{facts}\n{note.body}\n{removed}"
    beside = path.with_suffix(".md")
    if os.environ.get("UPDATE"):
        beside.write_text(told, "utf-8")
    assert told == beside.read_text("utf-8")
    _, problems = rendered(note)
    assert [str(problem) for problem in problems] == []
    assert lost_words(path.read_bytes(), note) == []
    assert [finding.message for finding in note.findings if finding.group == "unmapped"] == []


def test_every_maker_has_a_page_and_only_roles_that_there_are() -> None:
    made = {maker.name for path in PAGES if (maker := maker_of(path.read_text("utf-8")))}
    assert made == {maker.name for _, maker in _makers()}
    for _, maker in _makers():
        assert {role.split()[0] for role in maker.classes.values()} <= ROLES


def test_what_stands_beside_the_text_of_a_saved_page_is_declared() -> None:
    html = (
        "<!-- saved from url=(0014)about:internet --><p>Menu</p><main><h1>T</h1><p>Text</p></main><footer>End</footer>"
    )
    note = taken_in({"a.html": html})["a.html"]
    assert note.body == "Text\n"
    assert [(removed.kind, removed.words.strip()) for removed in note.removed] == [
        ("page-frame", "Menu"),
        ("page-frame", "End"),
    ]


def test_the_title_page_of_a_book_is_a_part_of_its_text() -> None:
    html = (
        '<meta name="generator" content="publican v4"><ul class="docnav"><li>Next</ul><div class="book">'
        '<div class="titlepage"><h1>Glazes</h1><div class="authorgroup">A. Potter</div><p>Copyright 2020 A. Potter</p>'
        '<p>See <acronym class="acronym">ASH</acronym>.</p></div><div class="preface"><h2>Preface</h2>'
        "<p>Words.</p></div></div>"
    )
    note = taken_in({"a.html": html})["a.html"]
    assert note.body == "A. Potter\n\nCopyright 2020 A. Potter\n\nSee ASH.\n\n## Preface\n\nWords.\n"
    assert [removed.words.strip() for removed in note.removed] == ["Next"]


def test_pictures_that_lead_to_other_pages_of_a_book_are_left_out_with_it() -> None:
    html = (
        '<meta name="generator" content="DocBook XSL"><div class="navheader"><table><tr><th>第 2 章 釉</th></tr>'
        '<tr><td><a href="a.html"><img src="prev.png" alt="上一页"/></a></td><th>部分 III. 窑</th></tr></table></div>'
        '<div class="sect2"><h3 class="title"><a id="ash"></a>第 2 章 釉</h3><p>草木灰。</p>'
        '<h3><a id="idm7"></a>长石</h3><p>见 <a href="#ash">上</a>。</p></div>'
    )
    note = taken_in({"a.html": html})["a.html"]
    assert note.body == "草木灰。\n\n## 长石\n\n见 上。\n"
    assert {removed.kind for removed in note.removed} == {"page-frame"}
    assert lost_words(html.encode(), note) == []


def test_an_id_before_or_within_a_heading_is_that_of_the_heading() -> None:
    html = (
        '<p>See <a href="01_Page.html#x">x</a> and <a href="#y">y</a>.</p><h2><a id="x"></a>Ash</h2><p>a</p>'
        '<section id="made"><span id="y"></span><h3>Clay</h3><p>b</p></section>'
    )
    assert page(html).body == "See [x](#x) and [y](#made).\n\n## Ash {#x}\n\na\n\n### Clay {#made}\n\nb\n"


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        ("<code># </code><strong><code>sieve ash\n</code></strong><code>4 grains\n</code>", "# sieve ash\n4 grains"),
        ("<code>one\n</code><code>two</code>", "one\ntwo"),
        ("<code>one</code><code>two</code>", "one\ntwo"),
    ],
)
def test_code_within_a_block_of_code_keeps_all_words(inside: str, code: str) -> None:
    assert page(f"<pre>{inside}</pre>").body == f"```text\n{code}\n```\n"


def test_the_mark_of_a_footnote_may_be_a_paragraph() -> None:
    html = '<p>a</p><p><a href="#f"><sup>[1]</sup></a></p><div class="footnotes"><p id="f">said</p></div>'
    assert page(html).body == "a\n\n[^1]\n\n[^1]: said\n"


def test_styles_that_say_what_words_are_become_marks() -> None:
    html = (
        '<p>a <span style="font-weight: 700">b</span> <span style="font-style:italic">cc</span>'
        ' <span style="text-decoration:line-through">d</span> <span style="color:var(--good)">e</span>'
        ' <span style="color:var(--bad)">f</span> <span style="color:red">g</span></p>'
    )
    assert page(html).body == "a **b** *cc* ~~d~~ [e]{.good} [f]{.bad} [g]{.bad}\n"


def test_a_link_around_blocks_stays_a_link() -> None:
    html = '<a href="https://example.org/x"><div><p>A page</p><div>about tea</div></div></a>'
    assert page(html).body == "[A page about tea](https://example.org/x)\n"


def test_drawings_of_obsidian_are_no_notes() -> None:
    folder = Folder(frozenset({PurePosixPath(".obsidian/app.json")}), lambda path: b"")
    assert is_skipped(PurePosixPath("a/Net.excalidraw.md"), folder)
    assert not is_skipped(PurePosixPath("a/Net.md"), folder)


def test_frames_of_a_saved_page_are_no_notes() -> None:
    files = {"tea.html": "<h1>T</h1><p>Text</p>", "tea_files/ad.html": "<p>Buy</p>", "cup_files/b.html": "<p>Own</p>"}
    folder = Folder(frozenset(map(PurePosixPath, files)), lambda path: files[str(path)].encode())
    assert [name for name in files if is_skipped(PurePosixPath(name), folder)] == ["tea_files/ad.html"]
