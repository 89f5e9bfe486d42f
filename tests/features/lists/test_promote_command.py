"""`paper-notes new`: what a list says of a paper moves into a note of its own, all or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import files_of, paper_notes, write

from paper_notes.build import build

ZH = """\
开头

## 茶论文 {#p-2602-00001}

我先说两句。

### 一句话 {#p-2602-00001-contribution}
更香。
### 方法
怎么做
#### 细
很细
### 实验效果 {#p-2602-00001-results}
好
### 我的 {#p-2602-00001-own}

```
#### 代码
```

## 乙 {#p-b}
乙
"""
EN = "## Tea {#p-2602-00001}\r\n\r\n### How {#method}\r\nSo.\r\n### Results {#p-2602-00001-results}\r\nGood"
LEFT = """\
开头

## 茶论文 {#p-2602-00001}

已写成笔记：[[reading/#1]]

### 一句话 {#p-2602-00001-contribution}
更香。

## 乙 {#p-b}
乙
"""
NOTE = """\
title: {zh: 一天, en: A day}
kind: digest
entries:
- {paper: a, headline: {en: 'About *tea*.'}}   # mine
- paper: b
- paper: c
"""
LIBRARY = """\
@misc{a, title={Tea}, author={Lu, Yu}, year={2026}, eprint={2602.00001}, archiveprefix={arXiv}, abstract={Hot.}}
@misc{b, title={Two}, author={Lu, Yu}, year={2026}}
@misc{c, title={Three}, author={Lu, Yu}, year={2026}}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(
        tmp_path,
        {
            "notes_src/site.yaml": "title: {zh: 茶, en: Tea}\ntopics: [daily, reading]\n",
            "notes_src/daily/topic.yaml": "title: {zh: 每日, en: Daily}\n",
            "notes_src/daily/01_x/note.yaml": NOTE,
            "notes_src/daily/01_x/zh.md": ZH,
            "notes_src/daily/01_x/en.md": EN,
            "notes_src/library.bib": LIBRARY,
        },
    )


def run(root: Path, entry: str, *more: str) -> tuple[int, str]:
    done = paper_notes("new", entry, "--topic", "reading", "--offline", *more, "--root", root)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stderr


def test_the_sections_of_a_paper_become_a_note(root: Path) -> None:
    before = files_of(root)
    code, said = run(root, "daily/1#2602.00001", "--check")
    assert (code, "would create" in said, files_of(root) == before) == (1, True, True)
    code, said = run(root, "daily/1#2602.00001", "--name", "Cup")
    assert (code, "Sections moved: 5." in said.splitlines()) == (0, True)

    folder = root / "notes_src/reading/01_Cup_2602.00001"
    zh = (folder / "zh.md").read_text("utf-8")
    assert "我先说两句。\n\n## 我的 {#own}\n\n```\n#### 代码\n```\n\n## 动机" in zh
    assert "\n## 方法 {#method}\n\n怎么做\n### 细\n很细\n\n## 公式" in zh
    assert "\n## 实验效果 {#experiments}\n\n好\n\n## " in zh
    assert "## 核心方法" not in zh
    en = (folder / "en.md").read_text("utf-8")
    assert "\n## How {#method}\n\nSo.\n\n## Formulas" in en
    assert (folder / "note.yaml").read_text("utf-8").endswith("summary:\n  zh: 更香。\n  en: About *tea*.\n")

    assert (root / "notes_src/daily/01_x/zh.md").read_text("utf-8") == LEFT
    left = b"## Tea {#p-2602-00001}\r\n\r\nThere is a note on it: [[reading/#1]]\r\n"
    assert (root / "notes_src/daily/01_x/en.md").read_bytes() == left
    assert (root / "notes_src/daily/01_x/note.yaml").read_text("utf-8") == NOTE, "the entry and its place stay"
    made = build(root)
    assert made.plan, made.diagnostics
    pages = {str(artifact.path): artifact for artifact in made.plan.create}
    assert b'href="../../reading/notes/01_Cup_2602.00001.html"' in pages["site/daily/notes/01_x.html"].data


def test_references_without_a_topic_still_lead_to_the_same_notes(root: Path) -> None:
    how = "见 [[#2|泡法]]、[[02_y#how]]、[[about]]、[[daily/#2]]、`[[#2]]`"
    files = {
        "daily/01_x/zh.md": ZH.replace("怎么做", how).replace("更香。", "如 [[#2]]。"),
        "daily/01_x/en.md": "## Tea {#p-2602-00001}\n\n### A word {#p-2602-00001-contribution}\nAs in [[#2]].\n",
        "daily/02_y/note.yaml": "title: {zh: 泡, en: Brew}\n",
        "daily/02_y/zh.md": "## 泡法 {#how}\n\n泡。\n",
        "pages/about.zh.md": "---\ntitle: A\n---\nA.\n",
        "pages/about.en.md": "---\ntitle: A\n---\nA.\n",
    }
    write(root, {f"notes_src/{name}": text for name, text in files.items()})
    code, said = run(root, "daily/1#a", "--name", "Cup")
    assert code == 0, said
    note = root / "notes_src/reading/01_Cup_2602.00001"
    written = "见 [[daily/#2|泡法]]、[[daily/02_y#how]]、[[about]]、[[daily/#2]]、`[[#2]]`"
    assert written in (note / "zh.md").read_text("utf-8")
    summary = (note / "note.yaml").read_text("utf-8").partition("summary:\n")[2]
    assert summary == "  zh: 如 [[daily/#2]]。\n  en: As in [[daily/#2]].\n"
    assert "如 [[#2]]。" in (root / "notes_src/daily/01_x/zh.md").read_text("utf-8"), "what stays is as it was"
    assert [found for found in build(root).diagnostics if found.severity == "error"] == []


def test_a_paper_without_a_section_gets_one_with_the_reference(root: Path) -> None:
    assert run(root, "daily/#1#c")[0] == 0
    assert (root / "notes_src/daily/01_x/zh.md").read_text("utf-8") == (
        f"{ZH}\n## Three {{#p-c}}\n\n已写成笔记：[[reading/#1]]\n"
    )
    assert run(root, "daily/#1#b")[0] == 0
    zh = (root / "notes_src/reading/02_Two_2026/zh.md").read_text("utf-8")
    assert "\n:::\n\n乙\n\n## 动机" in zh, "what stands below the title goes on top"
    assert build(root).plan


@pytest.mark.parametrize(
    ("entry", "name", "text", "about"),
    [
        ("daily/1#2602.00009", "", "", 'daily/#1 has no paper "2602.00009"'),
        ("daily/1", "", "", '"daily/1" does not name a paper'),
        ("daily/9#a", "", "", 'no note "daily/9"'),
        ("daily/1#a", "daily/02_y/zh.md", "见 [[#1#p-2602-00001-results]]", "daily/02_y/zh.md:1:7: this refers to"),
        ("daily/1#a", "daily/01_x/zh.md", ZH.replace("怎么做", "![图](a.svg)"), "the new note would not build"),
        ("daily/1#a", "reading/05_Tea/note.yaml", "title: Tea\npapers: [a]\n", "there is a note on arXiv:2602.00001"),
    ],
)  # fmt: skip
def test_nothing_is_written_if_it_cannot_be_done(root: Path, entry: str, name: str, text: str, about: str) -> None:
    others = {f"notes_src/{topic}/{note}/{file}": words for topic, note, file, words in (
        ("daily", "02_y", "note.yaml", "title: {zh: 二, en: Two}\n"), ("daily", "02_y", "zh.md", "二\n"),
        ("reading", "05_Tea", "zh.md", "茶\n"), ("reading", "05_Tea", "note.yaml", "title: {zh: 茶, en: Tea}\n"),
    )}  # fmt: skip
    picture = {"notes_src/daily/01_x/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'}
    topic = {"notes_src/reading/topic.yaml": "title: {zh: 读, en: Read}\n"}
    write(root, {**others, **picture, **topic, **({f"notes_src/{name}": text} if name else {})})
    before = files_of(root)
    code, said = run(root, entry)
    assert (code, about in said, files_of(root) == before) == (1, True, True), said
