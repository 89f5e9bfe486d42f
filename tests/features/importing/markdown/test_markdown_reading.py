"""Markdown notes of other tools, as they are read."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from foreign_folder import FOLDERS, folder_of, lost_words, on_disk, read_all, read_back, read_one, titles_of
from making_pictures import png

from paper_notes.features.importing.markdown.dialects import dialect
from paper_notes.features.importing.markdown.headings import plain
from paper_notes.features.importing.markdown.reading import FORMAT
from paper_notes.features.importing.markdown.rewriting import without_remarks
from paper_notes.features.importing.types import ImportedText

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("rewritings.yaml").read_text("utf-8"))
DIALECTS = tuple(sorted(path.name for path in FOLDERS.iterdir()))
READ = Path(__file__).with_name("read")
BESIDE = {".md": "# Beside\n\n## part\n", ".py": "x = 1\n", "ode": "x = 1\n", "png": png()}
"""What is in the files beside a note, by the ends of their names."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_others_write_becomes_what_we_write(case: dict[str, Any]) -> None:
    path = case.get("path", "x.md")
    files = {path: case["from"], **{name: BESIDE.get(name[-3:], "") for name in case.get("files", ())}}
    note = read_all(files)[path]
    said = [f"{one.location.line}:{one.location.column} {one.group} {one.kind}: {one.message}" for one in note.findings]
    facts = yaml.safe_load(yaml.safe_dump({**note.facts, **note.extra, "papers": [*note.arxiv, *note.dois]}))
    known = {name: str(value) if name in ("created", "updated") else value for name, value in facts.items() if value}
    assert (note.body, known, said) == (case.get("to", case["from"]), case.get("facts", {}), case.get("findings", []))
    assert " ".join(lost_words(case["from"], note, titles_of(files))) == case.get("lost", "")


def test_a_link_by_the_slug_of_a_page_leads_to_its_note_and_a_slug_is_no_keyword() -> None:
    files = {
        "docusaurus.config.js": "",
        "docs/a.md": "---\nslug: /start\n---\n# First\n",
        "docs/b.md": "---\nslug: bee\n---\n# Second\n\n[a](/docs/start) [a](./start) [a](/start)\n",
        "docs/c.md": "# Third\n\n[b](/docs/bee) [b](bee#none)\n",
    }
    notes = read_all(files)
    assert notes["docs/b.md"].body == "[[notes/#1|a]] [[notes/#1|a]] [[notes/#1|a]]"
    assert notes["docs/c.md"].body == "[[notes/#2|b]] [[notes/#2|b]]"
    assert (notes["docs/b.md"].extra, notes["docs/b.md"].outline.aliases) == (
        {"slug": "bee"},
        ("Second", "b", "/b/", "/b.html", "/bee/"),
    )


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("name", DIALECTS)
def test_each_folder_is_known_and_all_its_words_arrive_without_a_mistake(name: str) -> None:
    files = on_disk(name)
    folder, originals = folder_of(files)
    assert dialect(folder).name == (name if name not in ("jupyter", "roam") else "plain")
    titles = titles_of(files)
    texts = {str(original.path): original.text for original in originals}
    for path, note in read_all(files).items():
        problems, _ = read_back(note, titles)
        assert [problem for problem in problems if problem.severity == "error"] == [], path
        assert not [one for one in note.findings if one.kind in ("word", "as-text")], path
        assert lost_words(texts[path], note, titles) == (), path
    assert originals


@pytest.mark.parametrize("name", DIALECTS)
def test_what_is_read_of_each_folder_and_said_of_it_is_as_written_down(name: str) -> None:
    notes = "\n".join(map(_as_text, sorted(read_all(on_disk(name)).items())))
    expected = READ / f"{name}.md"
    if os.environ.get("UPDATE"):
        expected.write_text(notes, "utf-8")
    assert notes == expected.read_text("utf-8")


def _as_text(item: tuple[str, ImportedText]) -> str:
    """A note that was read as one text: its facts, its body, its figures, and what was said of it."""
    path, note = item
    facts = {"title": note.title, **note.facts, **({"extra": dict(note.extra)} if note.extra else {})}
    lines = [f"{one.location.line} {one.group} {one.kind}: {one.message}" for one in note.findings]
    known = yaml.safe_dump(facts, allow_unicode=True, width=1000)
    return "\n".join([f"===== {path}", known, note.body, "", "-----", *note.files, *lines, ""])


def test_the_title_is_of_the_front_matter_the_first_heading_or_the_file() -> None:
    assert read_one("---\ntitle: 'A: b'\n---\n# Other\n\ntext\n").title == "A: b"
    assert read_one("---\ntitle: A\n---\n# Other\n\ntext\n\n## Two\n").body == "**Other**\n\ntext\n\n## Two"
    assert read_one("---\ntitle: A\n---\n# Other\n\ntext\n\n# Two\n").body == "## Other\n\ntext\n\n## Two"
    longer = read_one("---\ntitle: ReAct\n---\n# ReAct: Synergizing [1]\n\n## Why\n\ntext\n")
    assert (longer.title, longer.facts["short"], longer.body) == ("ReAct: Synergizing [1]", "ReAct", "## Why\n\ntext")
    prefixed = read_one("---\ntitle: >-\n  [论文解读] ReAct\n---\n\n# ReAct\n\n## 动机\n\n正文\n")
    assert (prefixed.title, prefixed.facts["short"]) == ("[论文解读] ReAct", "ReAct")
    assert prefixed.body == "## 动机\n\n正文"
    first = read_one("# The *one*\n\ntext\n\n# Two\n\n## Three\n")
    assert (first.title, first.body) == ("The one", "text\n\n## Two\n\n### Three")
    assert read_one("text\n\n# Late\n", "04_My_note.md").title == r"My note"


def test_a_heading_that_is_the_first_part_of_the_title_is_its_short_name() -> None:
    note = read_one("---\ntitle: 'ReAct: Synergizing'\n---\n# ReAct\n\n## Why\n\ntext\n")
    assert (note.title, note.facts["short"], note.body) == ("ReAct: Synergizing", "ReAct", "## Why\n\ntext")


@pytest.mark.parametrize(
    ("text", "tags", "body"),
    [
        ("#paper #rl/grpo\n\n# T\n\ntext\n", ["paper", "rl/grpo"], "text"),
        ("# T\n\n#paper #强化学习\ntags: #later\n\ntext\n", ["paper", "强化学习", "later"], "text"),
        ("---\ntags: [RL]\n---\n# T\n#rl\n#todo\n\ntext\n", ["RL", "todo"], "text"),
        ("# T\n\n**标签：** #综述，#agents\n\ntext\n", ["综述", "agents"], "text"),
        ("# T\n\n#标题\n\ntext\n", None, "#标题\n\ntext"),
        ("# T\n\n#1 #2\n\ntext #paper #x\n", None, "\\#1 \\#2\n\ntext #paper #x"),
    ],
)
def test_a_line_of_tags_below_the_title_is_tags(text: str, tags: list[str] | None, body: str) -> None:
    note = read_one(text)
    assert (note.facts.get("tags"), note.body.strip()) == (tags, body)


HEAD = """# SemTok

> **作者**: Ada Lovelace、图灵 · **会议**: ICLR 2026 · **评分**: ⭐️⭐️⭐️⭐️
> **论文**: [arXiv](https://arxiv.org/abs/2603.16373) | [PDF](https://arxiv.org/pdf/2603.16373)

**代码**: [GitHub](https://github.com/x/y)
**领域**: 扩散模型 / 图像生成
**阅读状态**: 已读
**Created**: November 3, 2025 10:12 AM
**关键词**: 自回归、CFG

正文。
"""


def test_lines_of_facts_below_the_title_become_facts_and_leave_the_text() -> None:
    note = read_one(HEAD)
    assert note.body == "正文。"
    assert note.facts == {
        "tags": ["扩散模型", "图像生成"],
        "keywords": ["自回归", "CFG"],
        "rating": 4,
        "status": "read",
        "created": "2025-11-03",
    }
    assert note.arxiv == ("2603.16373",)
    assert note.extra == {"authors": ["Ada Lovelace", "图灵"], "venue": "ICLR 2026", "code": "https://github.com/x/y"}
    assert [part.kind for part in note.removed] == ["facts"] * 7
    assert "**关键词**: 自回归、CFG" in {part.words for part in note.removed}


@pytest.mark.parametrize(
    "line",
    [
        "**代码**: 有（论文称已开源）",
        "**会议**: ICLR 2026",
        "**作者**: Lovelace et al.",
        "Date: it was a good one",
        "**状态**: 一般",
        "**论文**: [arXiv](https://arxiv.org/abs/2603.16373)，必读",
        "Note: this is text",
        "Field: the name of what one should look for, and nothing more",
        "title: words",
    ],
)
def test_a_line_that_the_page_would_not_show_as_it_is_stays_in_the_text(line: str) -> None:
    note = read_one(f"# T\n\n{line}\n\n正文 2026-01-01\n")
    assert note.body.startswith(line)
    assert note.removed == ()


def test_contents_and_links_to_go_on_with_are_left_out_as_pages_have_them() -> None:
    links = "- [动机](#动机)\n  - [一点](#一点)\n- [方法](#方法)\n"
    text = "## 动机\n\nx\n\n### 一点\n\nx\n\n## 方法\n\nx"
    for contents in (
        f"## 目录\n\n{links}",
        f"**Table of Contents**\n\n{links}",
        f"<details>\n<summary>目录</summary>\n\n{links}\n</details>\n",
        "1. [a](#动机)\n2. [b](#方法)\n3. [c](#一点)\n",
    ):
        note = read_one(
            f"[← 返回目录](README.md)\n\n# T\n\n{contents}\n{text}\n\n---\n\n[上一篇](a.md) | [下一篇](b.md)\n"
        )
        assert note.body == text
        assert {part.kind for part in note.removed} == {"contents", "navigation"}
    after = f"{text}\n\n{links}- [又](#动机)\n"
    assert read_one(f"# T\n\n{after}").body.endswith("- [又](#motivation)")
    assert read_one(f"# T\n\n几点：\n\n{links}- [又](#动机)\n\n{text}\n").body.startswith("几点：\n\n- [动机]")
    for kept in (f"See:\n\n{links}", "- [动机](#动机)\n- [x](a.md)\n- y\n", "[PPO](ppo.md) | [GRPO](grpo.md)\n"):
        note = read_one(f"# T\n\n{kept}\n{text}\n", ppo_md="# P\n\nx\n", grpo_md="# G\n\nx\n", a_md="# A\n\nx\n")
        assert note.body.startswith(kept.partition("](")[0]) or note.body.startswith("[[")


def test_a_navigation_orders_the_notes_of_each_folder_and_names_the_folders() -> None:
    nav = (
        "nav:\n- Home: index.md\n- 强化学习:\n  - rl/ppo.md\n  - Later:\n    - rl/grpo.md\n"
        "- Systems:\n  - infra/vllm.md\n- More:\n  - infra/flash.md\n  - other/a.md\n"
    )
    names = ("rl/ppo", "rl/grpo", "infra/vllm", "infra/flash", "other/a")
    files: dict[str, str | bytes] = {"mkdocs.yml": nav, "docs/other/index.md": "# Others\n"}
    found = read_all(files | {f"docs/{name}.md": "text\n" for name in names})
    known = {path.removeprefix("docs/"): note.outline for path, note in found.items()}
    assert [known[f"{name}.md"].number for name in names] == [1, 2, 1, 2, 1]
    assert [known[f"{name}.md"].topic_title for name in names] == ["强化学习", "强化学习", "", "", ""]
    assert known["other/index.md"].topic_title == "Others"


def test_what_mkdocs_reads_as_lowered_and_raised_is_that_in_its_folders_only() -> None:
    text = "H~2~O is ~~not~~ x^2^ + 1^st^, f(a)~b~ but ~ 2 ~ and ^ 2 ^.\n"
    found = read_all({"mkdocs.yml": "nav: []\n", "docs/a.md": text})
    lowered = "H<sub>2</sub>O is ~~not~~ x<sup>2</sup> + 1<sup>st</sup>, f(a)<sub>b</sub> but ~ 2 ~ and ^ 2 ^."
    assert found["docs/a.md"].body == lowered
    assert "<sub>" not in read_one(text).body


@pytest.mark.parametrize(
    ("heading", "written"),
    [
        ('<a name="opts"></a> `opts` for x', "## `opts` for x {#opts}"),
        ('<a id="opts"></a>**Options** of a', "## **Options** of a {#opts}"),
        ('Options <a name="opts"></a>', "## Options {#opts}"),
        ('Options <a name="opts"></a> of a', "## Options  of a {#opts}"),
        (' <a name="opts"/> <a name="more"></a> 2. Options {#own}', "## Options {#own n=2}"),
    ],
)
def test_a_heading_with_anchors_has_their_names_and_all_its_words(heading: str, written: str) -> None:
    body = read_one(f"# T\n\nWords.\n\n## {heading}\n\nMore [words](#opts).\n", "x.md").body
    assert written in body.splitlines(), body
    assert "More [words](#" in body or "More [[#" in body


def test_headings_have_no_holes_and_no_number_twice() -> None:
    text = (
        "# T\n\n### 1. One\n\n##### 1.1 Deep\n\n## 二、Two\n\n## 5. Five\n\n## {#id .cls}\n\n## 2024 in review {#own}\n"
    )
    body = read_one(text).body
    assert [line for line in body.split("\n") if line] == [
        "## One",
        "### Deep",
        "## Two",
        "## Five {n=5}",
        "## 2024 in review {#own}",
    ]


def test_keys_of_others_are_mapped_or_kept() -> None:
    note = read_one(
        "---\ntitle: T\ndate: 2024-03-05 10:00\nlastmod: 2025/1/2\ndescription: 'What: it is'\ntags: a, b\n"
        "keywords: [c]\nauthor: Somebody\nyear: 2017\nstatus: read\narxiv: https://arxiv.org/abs/1706.03762v5\n"
        "doi: https://doi.org/10.1000/xyz\nlayout: post\ndraft: true\nlang: zh_CN\n---\ntext\n"
    )
    assert note.facts == {
        "created": "2024-03-05",
        "updated": "2025-01-02",
        "summary": "What: it is",
        "tags": ["a", "b"],
        "keywords": ["c"],
        "status": "read",
        "draft": True,
    }
    assert note.extra == {"author": "Somebody", "year": "2017", "layout": "post"}
    assert (note.arxiv, note.dois, note.lang) == (("1706.03762",), ("10.1000/xyz",), "zh")


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ("status: read", "read"),
        ("Status: Read", "read"),
        ("status: ✅ read", "read"),
        ("status: '#read'", "read"),
        ("reading-status: 已读 ✅", "read"),
        ("status: to-read", "todo"),
        ("status: finished reading", "read"),
    ],
)
def test_how_far_one_has_read_stays_what_it_was(written: str, status: str) -> None:
    assert read_one(f"---\ntitle: T\n{written}\n---\ntext\n").facts["status"] == status


@pytest.mark.parametrize("number", ["9" * 5_000, "0x" + "f" * 5_000])
def test_front_matter_with_a_number_that_nobody_can_write_stays_as_text(number: str) -> None:
    read = read_one(f"+++\nweight = {number}\n+++\ntext\n")
    assert number in read.body
    assert [finding.kind for finding in read.findings] == ["front-matter"]


def test_front_matter_in_toml_and_with_bare_colons_is_read() -> None:
    assert read_one('+++\ntitle = "T"\ndate = 2024-03-05\n+++\ntext\n').facts == {"created": "2024-03-05"}
    assert read_one("---\ntitle: Attention: all you need\n---\ntext\n").title == "Attention: all you need"


def test_front_matter_that_cannot_be_read_stays_as_text() -> None:
    note = read_one("---\ntitle: [x\nno key\n---\ntext\n")
    assert note.body == "```text\ntitle: [x\nno key\n```\n\ntext"
    (found,) = [one for one in note.findings if one.kind == "front-matter"]
    assert (found.group, found.location.line) == ("unmapped", 4)


def test_links_become_references_with_their_sections() -> None:
    others = {
        "rl/a b.md": "# A note\n\n## 2.1 Über `clip()`\n\ntext\n\n## 二、方法\n",
        "rl/deep/index.md": "# Deep\n\n## End {#the-end}\n",
    }
    text = (
        "# X\n\n[one](a%20b.md) [two](./a%20b.md#21-%C3%BCber-clip) [three](<a b.md#二方法>) [A note](a%20b.md)\n"
        "[four](deep/) [five](deep/index.md#the-end) [six](../rl/deep.html) [seven](/rl/deep/#the-end)\n"
        "[none](gone.md) [own](#top) [part](#part)\n\n## Part\n"
    )
    body = read_all({**others, "rl/x.md": text})["rl/x.md"].body
    assert body.split("\n")[:3] == [
        "[[rl/#1|one]] [[rl/#1#über-clip|two]] [[rl/#1#method|three]] [[rl/#1]]",
        "[[rl/#2|four]] [[rl/#2#the-end|five]] [[rl/#2|six]] [[rl/#2#the-end|seven]]",
        "none `gone.md` own [part](#part)",
    ]


def test_a_title_with_a_colon_stays_in_links_as_pages_would_show_it_only_up_to_that() -> None:
    text = "# X\n\n[Owl: a bird](owl.md), [[Owl: a bird]], [Wren](wren.md)\n"
    body = read_all({"a/owl.md": "# Owl: a bird\n", "a/wren.md": "# Wren\n", "a/x.md": text})["a/x.md"].body
    assert body == "[[a/#1|Owl: a bird]], [[a/#1|Owl: a bird]], [[a/#2]]"


def test_wiki_links_are_found_by_file_title_and_alias_and_doubtful_ones_are_reported() -> None:
    files = {
        "a/PPO.md": "---\naliases: [Proximal]\n---\n# Policy optimisation\n\n## The loss\n",
        "b/Twin.md": "one",
        "c/Twin.md": "two",
        "x.md": (
            "[[PPO]] [[proximal|words]] [[Policy optimisation]] [[PPO#The loss]] [[a/PPO]]"
            " [[c/Twin]] [[Twin]] [[No]]\n\n"
            "| a | b |\n|---|---|\n| [[PPO\\|cell]] | [[PPO|bar]] |\n"
        ),
    }
    note = read_all(files)["x.md"]
    assert note.body.split("\n")[0] == (
        "[[a/#1|PPO]] [[a/#1|words]] [[a/#1]] [[a/#1#the-loss|PPO > The loss]] [[a/#1|a/PPO]] [[c/#1|c/Twin]]"
        " [[b/#1]] No"
    )
    assert r"| [[a/#1\|cell]] | [[a/#1\|bar]] |" in note.body
    assert [(one.group, one.kind) for one in note.findings if one.group == "doubtful"] == [
        ("doubtful", "ambiguous-note")
    ]


def test_tags_among_words_are_tags_and_fields_are_reported_where_a_tool_has_them() -> None:
    text = (
        "# A\n\nSome #deep/learning, #方法 and `#code`, issue #12.\n\nText.\n\nowner:: me, and [due:: today] in text.\n"
    )
    found = read_all({"A.md": text, ".obsidian/app.json": "{}"})["A.md"]
    assert found.facts["tags"] == ["deep/learning", "方法"]
    assert "#deep/learning, #方法" in found.body
    assert [one.message.split('"')[1] for one in found.findings if one.kind == "inline-field"] == ["owner::", "[due::"]
    plain = read_all({"A.md": text})["A.md"]
    assert "tags" not in plain.facts, "elsewhere they may be anything"
    assert not [one for one in plain.findings if one.kind == "inline-field"]


def test_links_to_blocks_lead_to_these_blocks_in_any_note() -> None:
    files = {
        "a/PPO.md": "# PPO\n\nA claim. ^claim\n\n- item ^37066D\n\n> quote\n\n^123456\n\n## Loss ^the-loss\n",
        "x.md": (
            "[[PPO#^claim]] [[PPO#^claim|this]] [words](a/PPO.md#^37066d) ![[PPO#^123456]] [[PPO#^the-loss|loss]]"
            " [[PPO#^gone]] [[PPO#Loss#^claim]]\n"
        ),
    }
    notes = read_all(files)
    assert notes["a/PPO.md"].body == ("A claim. ^claim\n\n- item ^37066D\n\n> quote\n\n^123456\n\n## Loss")
    assert notes["x.md"].body == (
        "[[a/#1#^claim]] [[a/#1#^claim|this]] [[a/#1#^37066D|words]] [[a/#1#^123456]] [[a/#1#loss|loss]]"
        " [[a/#1]] [[a/#1#^claim|PPO > Loss]]"
    )
    assert [one.kind for one in notes["x.md"].findings] == ["embedded-note", "unknown-section"]


def test_a_formula_that_becomes_code_keeps_its_name_and_a_link_to_no_block_is_its_words() -> None:
    note = read_one("[here](#^b1)\n\n$$\n\\nosuch\n$$ ^b1\n\nIn the ^mid\nof it. See [[#^mid]], [it](#^mid).\n")
    assert note.body == (
        "[here](#^b1)\n\n```text\n$$\n\\nosuch\n$$ ^b1\n```\n\n^b1\n\nIn the ^mid\nof it. See ^mid, it."
    )


def test_pictures_come_along_by_every_way_to_name_them() -> None:
    files = on_disk("obsidian")
    picture = files["attachments/loss curve.png"]
    text = (
        "![a](../attachments/loss%20curve.png) ![b](<../attachments/loss curve.png> 'T') ![[loss curve.png|300]]\n"
        "<img src='../attachments/loss curve.png' alt='c'> ![d](/attachments/loss%20curve.png) ![e](gone.png)\n"
        "![f](../data.pdf)\n"
    )
    note = read_all({**files, "rl/x.md": text, "data.pdf": b"%PDF"})["rl/x.md"]
    assert note.files == {"figures/loss-curve.png": picture}
    assert [file.as_posix() for file in note.used] == ["attachments/loss curve.png"]
    assert note.body == (
        '![a](figures/loss-curve.png) ![b](figures/loss-curve.png "T") ![loss curve|300](figures/loss-curve.png)\n'
        "![c](figures/loss-curve.png) ![d](figures/loss-curve.png) e `gone.png`\nf `../data.pdf`"
    )
    assert [one.kind for one in note.findings] == ["missing-image", "unusable-image"]


def test_a_picture_stays_as_wide_as_it_was_said_to_be() -> None:
    text = (
        '![a|300x200](loss.png) ![[loss.png|b|40]] ![c](loss.png){ width="120px" }\n'
        "![d](loss.png){:width 90, :height 9}\n"
        '<img src="loss.png" alt="e" width="50"> ![f](loss.png){width=50%} ![g](loss.png =30x20)\n\n'
        "| h | i |\n|---|---|\n| ![[loss.png\\|50]] | ![j](loss.png) |\n"
    )
    note = read_all({"rl/x.md": text, "rl/loss.png": png()})["rl/x.md"]
    assert re.findall(r"!\[([^\]]*)\]", note.body) == [
        *("a|300", "b|40", "c|120", "d|90", "e|50", "f", "g"),
        *("loss\\|50", "j"),
    ]
    assert note.findings == ()


def test_a_drawing_that_no_page_can_show_is_named_in_its_place() -> None:
    note = read_all({"x.md": "![a](bad.svg) text", "bad.svg": "<svg><g></svg>"})["x.md"]
    assert (note.body, dict(note.files)) == ("a `bad.svg` text", {})
    assert [(one.group, one.kind) for one in note.findings] == [("unmapped", "unusable-image")]


def test_a_drawing_that_no_page_can_show_as_it_is_comes_mended() -> None:
    drawing = '<svg viewBox="0 0 40 20" onclick="x()"><text x="2" y="12">a < b</text></svg>'
    note = read_all({"x.md": f"![p](p.svg)\n\n{drawing}\n", "p.svg": drawing})["x.md"]
    assert note.body == "![p](figures/p.svg)\n\n![drawing](figures/drawing.svg)"
    assert set(note.files) == {"figures/p.svg", "figures/drawing.svg"}
    assert all(b"a &lt; b" in data and b"onclick" not in data for data in note.files.values())
    assert {(one.group, one.kind) for one in note.findings} == {("mended", "ill-formed-svg")}


def test_what_is_left_out_or_kept_as_it_is_has_a_finding() -> None:
    text = (
        '{% include plot.html src="p.png" caption="A plot" %}\n\n{% include nav.html %}\n\nHi {props.name}, $x_{1}$'
        ", `{c}` and \\{no\\}.\n\n{items.map((one) => (\n  one\n))}\n"
    )
    note = read_all({"x.mdx": text, "p.png": on_disk("docusaurus")["static/img/net.png"]})["x.mdx"]
    assert [(one.kind, one.message.split('"')[1], one.location.line) for one in note.findings] == [
        ("liquid", "nav.html", 3),
        ("expression", "{props.name}", 5),
        ("expression", "{items.map((one) => (", 7),
    ]
    assert read_one("Hi {props.name}").findings == ()


def test_the_topic_of_an_export_of_notion_is_its_page_and_icons_are_no_links() -> None:
    export, page = "Export-3f2b6c1e-9a7d-4c55-8f10-aabbccddeeff", f"Wiki {'0' * 32}"
    icon = "https://www.notion.so/icons/light-bulb_yellow.svg"
    aside = f'<aside>\n<img src="{icon}" alt="{icon}" width="40px" /> Read **this**.\n\n</aside>\n'
    texts = {f"{export}/{page}.md": f"# Our wiki\n\n{aside}", f"{export}/{page}/Sea {'1' * 32}.md": "# Sea\n\nText.\n"}
    sea, wiki = read_all(texts).values()
    assert (wiki.outline.topic, wiki.outline.topic_title, sea.outline.topic) == ("Wiki", "Our wiki", "Wiki")
    assert wiki.body.split() == [":::note", "Read", "**this**.", ":::"]
    assert lost_words(texts[f"{export}/{page}.md"], wiki, {}) == ()


def test_an_export_of_notion_has_names_without_its_numbers_boxes_and_folds() -> None:
    notes = read_all(on_disk("notion"))
    known = [(note.outline.topic, note.outline.name, note.title) for note in notes.values()]
    assert known[:2] == [("Reading", "Attention", "Attention"), ("Reading", "Reading", "Reading")]
    attention, reading, *_ = (note.body for note in notes.values())
    assert attention.startswith(
        ":::note\n💡 All you need.\n:::\n\n:::details Proof\nOf $a^2 + b^2 = c^2$.\n:::\n\n- [x]"
    )
    assert attention.endswith("Back to [[Reading/#2]].")
    assert "[[Reading/#1]]" in reading


def test_a_graph_of_logseq_has_its_headings_as_sections_its_links_to_blocks_and_no_bookkeeping() -> None:
    notes = read_all(on_disk("logseq"))
    tide, other, day = (notes[f"{name}.md"] for name in ("pages/潮汐___引潮力", "pages/潮汐", "journals/2023_10_03"))
    assert [note.outline.topic for note in (tide, other, day)] == ["", "", "journals"]
    assert (tide.title, day.title, day.facts["created"]) == ("潮汐/引潮力", "2023-10-03", "2023-10-03")
    assert (tide.facts["status"], tide.facts["tags"], tide.outline.aliases[-1]) == ("read", ["海洋", "潮汐"], "引力差")
    assert "## 动机\n\n- 月亮比太阳近，所以引力差更大 ^65a1b2c3-0002-" in tide.body
    assert "### 大潮\n\n- 朔望时两者同向\n- ![tide.png|300](figures/tide_1700000000_0.png)\n\n## 代码" in tide.body
    assert "- ```python\n  for d in days:\n      print(d)\n  - 不是项\n  ```\n" in tide.body
    assert "    1. 一\n    1. 二\n" in tide.body
    assert "- >\n  > 月有阴晴圆缺" in tide.body
    assert not re.search("collapsed|id::", tide.body)
    assert "[[notes/#4#^65a1b2c3-0002-4000-8000-000000000002]] 和 [[notes/#4#motivation|动机]]" in other.body
    assert "没有这一块：`((65a1b2c3-9999-4000-8000-000000000009))`" in other.body
    assert "[[journals/#1|Oct 3rd, 2023]]" in other.body
    told = [(finding.location.line, finding.kind) for finding in tide.findings]
    assert {(29, "query"), (30, "embedded-note")} <= {*told}


def test_a_table_in_a_table_is_a_part_of_its_cell() -> None:
    note = read_one("<table><tr><td>a<table><tr><td>i</td></tr></table></td><td>b</td></tr></table>\n\nafter\n")
    assert note.body.split("\n") == ["|  |  |", "|---|---|", "| a<br>i | b |", "", "after"]


def test_a_long_name_of_many_bytes_stays_whole() -> None:
    name = "展示面的重要性与十种修图方法以及更多优惠课程第二期第十四节"
    assert read_one("x", f"{name}.md").outline.name == name


def test_links_are_found_by_names_in_another_case_and_in_hugo_by_bare_names() -> None:
    files = {"rl/Two.md": "# 2\n\n## Part\n", "x.md": "[a](RL/two.md#part) [b](./rl/TWO.md) [c](two)\n"}
    assert read_all(files)["x.md"].body == "[[rl/#1#part|a]] [[rl/#1|b]] c `two`"
    hugo = {
        "hugo.toml": "",
        "content/a/two.md": "# 2",
        "content/b/x.md": '[a]({{< ref "two" >}}) [b]({{< ref "no" >}})',
    }
    assert read_all(hugo)["content/b/x.md"].body == "[[a/#1|a]] b `no`"


def test_topics_names_numbers_and_languages_come_from_paths() -> None:
    files = {
        "mkdocs.yml": "nav:\n  - b: rl/b.md\n  - a: rl/a.md\ntheme: !!python/name:x\n",
        "docs/rl/a.md": "text",
        "docs/rl/b.md": "text",
        "docs/rl/04_Name_2510.26475.md": "text",
        "docs/深度 学习/index.md": "文字文字文字",
        "docs/rl/c.zh.md": "x",
        "docs/rl/c.md": "x",
        "docs/index.md": "x",
    }
    folder, originals = folder_of(files)
    found = {one.path.as_posix()[5:]: FORMAT.outline(FORMAT.parse(one, folder), folder) for one in originals}
    assert {path: (one.topic, one.name, one.number) for path, one in found.items()} == {
        "rl/a.md": ("rl", "a", 2),
        "rl/b.md": ("rl", "b", 1),
        "rl/04_Name_2510.26475.md": ("rl", "Name_2510.26475", 4),
        "深度 学习/index.md": ("深度-学习", "深度-学习", None),
        "rl/c.zh.md": ("rl", "c", None),
        "rl/c.md": ("rl", "c", None),
        "index.md": ("", "index", None),
    }
    assert (found["rl/c.zh.md"].lang, found["rl/c.zh.md"].same) == ("zh", found["rl/c.md"].same)


def test_what_our_parser_refuses_becomes_text_with_a_finding() -> None:
    note = read_one("Before.\n\n$$\n\\unknowncommand{x}\n$$\n\nAfter $\\nosuch$ it.\n")
    assert note.body == "Before.\n\n```text\n$$\n\\unknowncommand{x}\n$$\n```\n\nAfter `$\\nosuch$` it."
    assert [(one.group, one.kind, one.location.line) for one in note.findings] == [("unmapped", "as-text", 3)]


@pytest.mark.parametrize(
    "text", ["", "\n", "---", "---\n---", "```", "$$", "[[", "> [!", ":::", "!!! x", "<div", "|\n|-|", "%%"]
)
def test_fragments_are_read_without_an_error(text: str) -> None:
    note = read_one(text)
    assert not [problem for problem in read_back(note, {})[0] if problem.severity == "error"]


@pytest.mark.parametrize(
    "text",
    [
        "{% comment %}\nSECRET\n\nSECRET\n{% endcomment %}\n\ntext",
        "a {%- comment -%} SECRET {%- endcomment -%} b",
        "{::comment}\nSECRET\n{:/comment}\n\n{{/* SECRET */}} text",
        "a %%SECRET%% b",
        "%%\nSECRET\n\nSECRET\n%%\n\ntext",
        "50%% and\n%% SECRET %%",
        "%% SECRET\nSECRET\n\ntext",
        "<!-- SECRET\n\nSECRET -->\n\n$$\n\\nosuch\n<!-- SECRET -->\n$$",
        "> %%SECRET%%\n\n| a |\n|---|\n| %%SECRET%% | x |",
        "- item %%SECRET%%\n\n    \\begin{nosuch}%%SECRET%%\\end{nosuch}",
        "<!-- SECRET\nSECRET\n\ntext",
        "{/* SECRET */}\n\n[//]: # (SECRET)",
    ],
)
def test_comments_are_never_published(text: str) -> None:
    note = read_one(text, "x.mdx")
    assert "SECRET" not in read_back(note, {})[1]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <!-- b\n\nc --> d", "a \n\n d"),
        ("  <!-- a --> b", " b"),
        ("a\n%% b\nc\n\nd", "a\n\n\n\nd"),
        ("5%% of `%% a %%` {>>b<<}", "5%% of `%% a %%` "),
        ("```\n<!-- a -->\n```\n<!-- b -->", "```\n<!-- a -->\n```\n"),
        ("a {>> b", "a {>> b"),
    ],
)
def test_a_text_without_its_comments_has_its_code_and_its_lines(text: str, left: str) -> None:
    assert without_remarks(text) == left


def test_marks_are_taken_off_words_but_not_signs_in_names() -> None:
    assert plain(r"**Bold** _it_ `a_b*c` snake_case_name [link](x) $x_1$ costs $5 and $6 a \* b <b>x</b>") == (
        "Bold it a_b*c snake_case_name link x_1 costs $5 and $6 a * b x"
    )


ZOTERO = """\
> [!Cite]
> Doe, J., & Roe, R. (2020). *Tides*.

>[!Synth]
>**Contribution**:: a model
>
>**Tags**: none of the note's own

>[!md]
> **FirstAuthor**:: Doe, Jane
> **Author**:: Roe, Richard
> **Title**:: Tides of the Sea
> **Year**:: 2020
> **Citekey**:: doeTides2020
> **DOI**:: 10.1000/tides

> [!Abstract]
>
> Water.

# Notes

> **Title**:: words of a quotation
"""


def test_callouts_of_fields_that_zotero_integration_writes_above_a_text_are_facts() -> None:
    note = read_one(ZOTERO, "@doeTides2020.md")
    assert (note.title, note.dois) == ("Tides of the Sea", ("10.1000/tides",))
    assert note.extra == {"authors": ["Jane Doe", "Richard Roe"], "year": "2020", "citekey": "doeTides2020"}
    assert "[!md]" not in note.body
    assert lost_words(ZOTERO, note, {}) == ()
    assert [line for line in note.body.split("\n") if "::" in line or "Tags" in line] == [
        ">**Contribution**:: a model",
        ">**Tags**: none of the note's own",
        "> **Title**:: words of a quotation",
    ]


def test_tasks_of_obsidian_in_other_states_are_tasks() -> None:
    beside = {".obsidian__app.json": "{}"}
    note = read_one("- [/] half\n- [-] off\n- [x] done\n\n[?] no task\n", **beside)
    assert note.body == "- [ ] half\n- [x] off\n- [x] done\n\n[?] no task"
    assert [one.kind for one in note.findings] == ["task", "task"]


def test_properties_of_a_block_of_logseq_are_none_of_its_page_and_its_boxes_of_code_are_code() -> None:
    text = "- A block\n  rating:: 5\n- #+BEGIN_EXPORT latex\n  \\alpha\n  #+END_EXPORT\n"
    note = read_one(text, "pages/p.md", **{"logseq__config.edn": ""})
    assert note.facts == {}
    assert note.body == "- A block\n  rating:: 5\n- ```latex\n  \\alpha\n  ```"
    assert lost_words(text, note, {}) == ()


@pytest.mark.parametrize("level", ["²", "9" * 20, "7"])
def test_a_level_of_logseq_that_no_heading_has_is_that_of_its_depth(level: str) -> None:
    note = read_one(f"- A\n  heading:: {level}\n- B\n  heading:: 3\n", "pages/p.md", **{"logseq__config.edn": ""})
    assert note.body == "## A\n\n### B"


def test_tabs_of_hugo_on_one_line_have_their_names() -> None:
    note = read_one('{{< tabs >}}{{< tab "A" >}}One{{< /tab >}}{{< tab "B" >}}Two{{< /tab >}}{{< /tabs >}}')
    assert (note.body.split(), note.findings) == (["**A**", "One", "**B**", "Two"], ())


def test_a_fraction_in_the_name_of_a_note_is_no_number() -> None:
    names = [("3_7 sync.md", "# 3/7 sync\n"), ("3_intro.md", "# Intro\n")]
    assert [read_one(text, path).outline.number for path, text in names] == [None, 3]
