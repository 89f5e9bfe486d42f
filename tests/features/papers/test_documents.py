"""Reports and lists become notes that build, and give their documents back byte for byte."""

from __future__ import annotations

import datetime
import json
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import paper_notes, write

from paper_notes.build import build
from paper_notes.diagnostics import Location
from paper_notes.features.lists.documents import clean_address
from paper_notes.features.papers.make_safe import make_safe_markdown
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang
from paper_notes.markdown.short_texts import render_snippet

WORDS = Words.of("zh", "en")
TODAY = datetime.date(2026, 2, 4)
NASTY = """\
这里有 <think> 和 </div>，`<ok>` 与 $x^2$，以及 $\\badcommand{x}$。

- [链接][没有] [@nobody] [[#9]] \\(x\\) %%x%%
- :::unknown 3
- | a | b |
  |---|
  | 1 | 2 | 3 |

# 自己的标题

```
没有结束的代码
"""
REPORT = f"""\
# Hugging Face Daily Papers Report
**Date**: 2026-02-03
**Source URL**: https://huggingface.co/papers/date/2026-02-03

============================================================

## 📄 On Tea <b> & Water {{#x}}

- **链接**: https://huggingface.co/papers/2602.00001
- **阅读来源**: ArXiv Abs

# 茶论文报告

1. **应用领域**：茶

2. **一句话核心贡献**：更香。

3. **使用指南**：
{NASTY}
4. **主要创新点**：

5. **实验效果**：好。

============================================================
"""
LIST = """\
# Paper List from BIB File: tea.bib
- [26/02] **Tea and Water**
[[Paper](https://arxiv.org/pdf/2602.00001v1)] [[Code/Page](https://github.com/tea/tea.})] [[TLDR/Notes](#tea)]

- [26/01] **Cups** [[Paper](https://example.org/cups.pdf)] [[Code/Page]()] [[TLDR/Notes](#cups)]

# TLDR/Notes
## tea
### Abstract
28.6\\% better.
```
### 🌟 论文解读 | 茶与水
### 📌 背景痛点/本文动机
<think> 水太烫。
```
"""


def collection(root: Path) -> Path:
    return write(
        root,
        {
            "notes_src/site.yaml": "title: {zh: 茶, en: Tea}\ntopics: [daily]\n",
            "notes_src/daily/topic.yaml": "title: {zh: 每日, en: Daily}\n",
            "notes_src/library.bib": "@misc{tea, title={On Tea}, author={Lu, Yu}, year={2025}}\n",
        },
    )


@pytest.mark.parametrize(("name", "text"), [("report.md", REPORT), ("list.md", LIST)])
def test_a_document_becomes_a_note_that_builds_and_gives_it_back(name: str, text: str, tmp_path: Path) -> None:
    root = collection(tmp_path)
    (tmp_path / name).write_text(text, "utf-8")
    done = paper_notes("import", tmp_path / name, "--topic", "daily", "--root", root)
    assert done.exit_code == 0, done.stderr
    made = build(root)
    assert made.plan, made.diagnostics
    library = "@misc{tea, title={On Tea}, author={Lu, Yu}, year={2025}}\n"
    assert (root / "notes_src/library.bib").read_text() == library, "a year of reports would be too much for one file"
    (beside,) = (root / "notes_src/daily").glob("*/papers.bib")
    assert "eprint = {2602.00001}" in beside.read_text()
    back = paper_notes("export", "daily/1", "--as-found", "--root", root)
    assert back.stdout == text
    again = paper_notes("import", tmp_path / name, "--topic", "daily", "--root", root)
    assert (again.exit_code, "new: 0, changed: 0, as before: 1" in again.stderr) == (0, True)
    assert len([*(root / "notes_src/daily").glob("*/note.yaml")]) == 1
    mended = paper_notes("export", "daily/1", "--root", root).stdout
    assert "```\n###" not in mended
    assert ".})" not in mended


def test_many_documents_come_in_at_once_and_share_what_they_have_in_common(tmp_path: Path) -> None:
    root = collection(tmp_path)
    days = [tmp_path / f"{day}.md" for day in (3, 4, 5)]
    for path in days:
        path.write_text(REPORT.replace("2026-02-03", f"2026-02-0{path.stem}"), "utf-8")
    done = paper_notes("import", *days, "--topic", "daily", "--json", "--root", root)
    assert [(note["note"], note["state"], note["entries"]) for note in json.loads(done.stdout)["notes"]] == [
        ("daily/01_2026-02-03", "new", 1),
        ("daily/02_2026-02-04", "new", 1),
        ("daily/03_2026-02-05", "new", 1),
    ]
    assert [str(path.parent.name) for path in (root / "notes_src").rglob("papers.bib")] == ["01_2026-02-03"]
    assert build(root).plan


def test_a_line_that_is_about_no_paper_stands_before_them(tmp_path: Path) -> None:
    root = collection(tmp_path)
    text = LIST.replace("# TLDR/Notes\n", "这一行哪儿都不属于\n# TLDR/Notes\n")
    (tmp_path / "list.md").write_text(text, "utf-8")
    done = paper_notes("import", tmp_path / "list.md", "--topic", "daily", "--root", root)
    assert done.exit_code == 0, done.stderr
    (note,) = root.rglob("notes_src/daily/*/*.md")
    assert note.read_text("utf-8").startswith("这一行哪儿都不属于\n\n## Tea and Water {#p-2602-00001}\n")
    assert paper_notes("export", "daily/1", "--as-found", "--root", root).stdout == text


def test_a_token_in_the_address_of_a_report_is_not_published(tmp_path: Path) -> None:
    root = collection(tmp_path)
    (tmp_path / "r.md").write_text(REPORT.replace("2026-02-03\n\n", "2026-02-03?token=hush\n\n"), "utf-8")
    assert paper_notes("import", tmp_path / "r.md", "--topic", "daily", "--root", root).exit_code == 0
    (note,) = root.glob("notes_src/daily/*/note.yaml")
    assert "url: https://huggingface.co/papers/date/2026-02-03" in note.read_text("utf-8")
    assert "hush" not in note.read_text("utf-8")


def test_nothing_is_written_with_check(tmp_path: Path) -> None:
    root = collection(tmp_path)
    (tmp_path / "list.md").write_text(LIST, "utf-8")
    before = sorted(root.rglob("*"))
    done = paper_notes("import", tmp_path / "list.md", "--topic", "daily", "--check", "--root", root)
    assert done.exit_code == 1
    assert "would create notes_src/daily/01_tea/note.yaml" in done.stderr
    assert sorted(root.rglob("*")) == before


HEAD = LIST.split("\n")[0]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("# A note\n", "lists no papers"),
        (None, "no file or folder"),
        (f"{HEAD}\n\nOnly words.\n", "lists no papers"),
    ],
)
def test_other_files_are_refused(text: str | None, about: str, tmp_path: Path) -> None:
    root = collection(tmp_path)
    path = tmp_path / "x.md"
    if text is not None:
        path.write_text(text)
    done = paper_notes("import", path, "--topic", "daily", "--as", "report", "--root", root)
    assert (done.exit_code, about in done.stderr) == (1, True), done.stderr


def test_any_bibtex_file_becomes_a_list(tmp_path: Path) -> None:
    root = collection(tmp_path)
    (tmp_path / "x.bib").write_text(
        "@misc{a, title={Tea}, author={Lu, Yu}, eprint={2602.00001}, archiveprefix={arXiv}, abstract={Hot.}}\n"
    )
    done = paper_notes("export", tmp_path / "x.bib", "--root", root)
    assert done.stdout.startswith("# Paper List from BIB File: x.bib\n- [26/02] **Tea**")
    assert "### Abstract\nHot." in done.stdout


@given(st.text(st.sampled_from("#$\\`*_[]<>@:|{}%~=-+!( )\n\t茶a1"), max_size=120))
def test_any_text_becomes_acceptable_without_losing_a_character(text: str) -> None:
    made = make_safe_markdown(text, Lang("zh"), WORDS)
    found = render_snippet(made, Lang("zh"), Location(PurePosixPath("x.md")), WORDS)
    assert not [problem for problem in found.diagnostics if problem.severity == "error"]
    rest = iter(made)
    assert all(character in rest for character in text.replace(" ", "") if not character.isspace())


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Some **words** and $\\nosuch{x}$, $y$.", "Some **words** and `$\\nosuch{x}$`, $y$."),
        (
            "A *line*,\nthen [t]{x=1} *there*,\nand *so* on.",
            "A *line*,\nthen \\[t\\]\\{x\\=1\\} \\*there\\*,\nand *so* on.",
        ),
        ("| *a* |\n|---|\n| `x` [[#3]] |", "| *a* |\n|---|\n| `x` \\[[#3]] |"),
        ("| a |\n|---|\n| [t]{x=1} \\* *b* |", "| a |\n|---|\n| \\[t\\]\\{x\\=1\\} \\* \\*b\\* |"),
        ("> | [t]{x=1} | *b*", "> | \\[t\\]\\{x\\=1\\} | \\*b\\*"),
        ("> - a | [t]{x=1} | *b*", "> - a \\| \\[t\\]\\{x\\=1\\} \\| \\*b\\*"),
        ("- *a*\n\n  :::fig\n  b\n  :::", "- *a*\n\n  ```text\n  :::fig\n  b\n  :::\n  ```"),
        ("*a* <div><b>x</b>\n\n`<div>`", "*a* \\<div><b>x</b>\n\n`<div>`"),
    ],
)
def test_what_is_wrong_loses_its_meaning_and_nothing_around_it(wrong: str, right: str) -> None:
    assert (
        make_safe_markdown(f"*Before*.\n\n{wrong}\n\n*After*.", Lang("en"), WORDS)
        == f"*Before*.\n\n{right}\n\n*After*."
    )


@pytest.mark.parametrize(
    ("found", "clean"),
    [
        ("https://github.com/a/b.", "https://github.com/a/b"),
        ("https://github.com/a/b}{\\underline{x", "https://github.com/a/b"),
        ("https://a.example/x),", "https://a.example/x"),
        ("ht", ""),
        ("./cups.pdf", ""),
        ("https://", ""),
        ("", ""),
    ],
)
def test_addresses_lose_what_is_not_part_of_them(found: str, clean: str) -> None:
    assert clean_address(found) == clean
