"""Reports of a day's papers: every style of their headings is read, and written again as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import PROJECT

from paper_notes.features.drafting.prompts import PART_NAMES
from paper_notes.features.lists.forms import is_report, read_report, same_text, write_report

RULE = "=" * 60
NAMES = [names[0] for names in PART_NAMES.values()]
STYLES = (
    "### {n}. {name}\n{text}",
    "### {n}. **{name}**\n\n{text}",
    "## {n}. {name}\n{text}",
    "#### {n}. {name}\n{text}",
    "{n}. **{name}**\n   {text}",
    "{n}. **{name}**：{text}",
    "{n}. **{name}**:\n    {text}",
    "**{n}. {name}**\n{text}",
)
REFERENCE = PROJECT.parent / "shared" / "reference" / "daily-report-2026-01-13.md"


TEXTS = ("茶叶", "一句话", "1. **水温**：八十度", "* 甲\n* 乙", "更香 $x^2$")


def report(style: str, texts: tuple[str, ...] = TEXTS) -> str:
    named = enumerate(zip(NAMES, texts, strict=True), 1)
    parts = (style.format(n=n, name=name, text=text) for n, (name, text) in named)
    source = "https://huggingface.co/papers/date/2026-02-03"
    head = f"# Hugging Face Daily Papers Report\n**Date**: 2026-02-03\n**Source URL**: {source}\n"
    facts = "- **链接**: https://huggingface.co/papers/2602.00001\n- **阅读来源**: HTML\n"
    body = "\n\n".join(parts)
    return f"{head}\n{RULE}\n\n## 📄 On Tea: A <b> & $^2$ Study\n\n{facts}\n# 茶论文报告\n\n{body}\n\n\n{RULE}\n"


@pytest.mark.parametrize("style", STYLES)
def test_each_style_of_headings_is_read_and_written_as_it_was(style: str) -> None:
    text = report(style)
    assert is_report(text)
    read = read_report(text)
    (paper,) = read.papers
    assert [part.id for part in paper.parts] == list(PART_NAMES)
    assert [part.text for part in paper.parts] == list(TEXTS)
    assert (paper.title, paper.arxiv, paper.source, paper.preface) == (
        "On Tea: A <b> & $^2$ Study",
        "2602.00001",
        "HTML",
        "# 茶论文报告",
    )
    assert (str(read.source.date), read.source.url) == ("2026-02-03", "https://huggingface.co/papers/date/2026-02-03")
    assert same_text(write_report(read), text)


def test_numbered_lists_inside_of_a_section_begin_no_section() -> None:
    text = report(STYLES[0], ("1. 应用领域很多", "2. 应用领域", "3. **甲**：乙", "x", "y"))
    (paper,) = read_report(text).papers
    assert [part.text for part in paper.parts] == ["1. 应用领域很多", "2. 应用领域", "3. **甲**：乙", "x", "y"]


@pytest.mark.parametrize("text", ["", "# A note\n\n## Section\n", f"{RULE}\n", "## 📄 Title\n"])
def test_other_files_are_no_reports(text: str) -> None:
    assert not is_report(text)


@given(st.text(st.sampled_from("#*=>-1. 应用领域茶\n📄<$`"), max_size=300))
def test_whatever_is_in_a_file_it_is_read(text: str) -> None:
    read = read_report(f"{RULE}\n{text}\n{RULE}\n## 📄 {text}")
    again = read_report(write_report(read))
    assert [paper.title for paper in again.papers] == [paper.title for paper in read.papers]


@pytest.mark.parametrize(
    ("file", "papers", "parts"),
    [
        (PROJECT / "tests/features/importing/collections/documents/2026-02-03.md", 6, 25),
        pytest.param(
            REFERENCE, 25, 125, marks=pytest.mark.skipif(not REFERENCE.exists(), reason="is not ours to publish")
        ),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else None,
)
def test_a_whole_report_comes_back(file: Path, papers: int, parts: int) -> None:
    text = file.read_text("utf-8")
    read = read_report(text)
    assert (len(read.papers), sum(len(paper.parts) for paper in read.papers)) == (papers, parts)
    assert same_text(write_report(read), text)
