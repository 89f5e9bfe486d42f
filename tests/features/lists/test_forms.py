"""Documents of papers: read as they are found, mistakes included, and written again as they were."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import PROJECT, paper_notes

from paper_notes.features.drafting.prompts import PART_NAMES
from paper_notes.features.lists.forms import (
    TITLE,
    PaperDocument,
    anchor_of,
    document_in,
    is_paper_list,
    is_report,
    read_paper_list,
    read_report,
    write_paper_list,
    write_report,
)

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
REFERENCE_REPORT = PROJECT.parent / "shared" / "reference" / "daily-report-2026-01-13.md"


TEXTS = ("茶叶", "一句话", "1. **水温**：八十度", "* 甲\n* 乙", "更香 $x^2$")


def report(style: str, texts: tuple[str, ...] = TEXTS) -> str:
    named = enumerate(zip(NAMES, texts, strict=True), 1)
    parts = (style.format(n=n, name=name, text=text) for n, (name, text) in named)
    source = "https://huggingface.co/papers/date/2026-02-03"
    head = f"# Hugging Face Daily Papers Report\n**Date**: 2026-02-03\n**Source URL**: {source}\n"
    facts = "- **链接**: https://huggingface.co/papers/2602.00001\n- **阅读来源**: HTML\n"
    body = "\n\n".join(parts)
    return f"{head}\n{RULE}\n\n## 📄 On Tea: A <b> & $^2$ Study\n\n{facts}\n# 茶论文报告\n\n{body}\n\n\n{RULE}\n"


def places_are_right(document: PaperDocument, text: str) -> bool:
    """Whether what was read of each paper is where its spans are, but for white space."""
    pairs = [(paper.title, paper.titled) for paper in document.papers]
    pairs += [(paper.lead, paper.led) for paper in document.papers]
    pairs += [(part.text, part.below) for paper in document.papers for part in paper.parts]
    return all("".join(said.split()) == "".join(text[slice(*span)].split()) for said, span in pairs)


@pytest.mark.parametrize("style", STYLES)
def test_each_style_of_headings_is_read_and_its_place_known(style: str) -> None:
    text = report(style)
    assert is_report(text)
    read = read_report(text)
    (paper,) = read.papers
    assert [part.id for part in paper.parts] == list(PART_NAMES)
    assert [part.text for part in paper.parts] == list(TEXTS)
    assert (paper.title, paper.arxiv, paper.source, paper.lead) == (
        "On Tea: A <b> & $^2$ Study",
        "2602.00001",
        "HTML",
        "茶论文报告",
    )
    assert (str(read.source.date), read.source.url) == ("2026-02-03", "https://huggingface.co/papers/date/2026-02-03")
    assert places_are_right(read, text)


def test_numbered_lists_inside_of_a_section_begin_no_section() -> None:
    text = report(STYLES[0], ("1. 应用领域很多", "2. 应用领域", "3. **甲**：乙", "x", "y"))
    (paper,) = read_report(text).papers
    assert [part.text for part in paper.parts] == ["1. 应用领域很多", "2. 应用领域", "3. **甲**：乙", "x", "y"]


@pytest.mark.parametrize("text", ["", "# A note\n\n## Section\n", f"{RULE}\n", "## 📄 Title\n"])
def test_other_files_are_no_reports(text: str) -> None:
    assert not is_report(text)


@given(st.text(st.sampled_from("#*=>-1. 应用领域茶\n📄<$`"), max_size=300))
def test_whatever_is_in_a_report_it_is_read(text: str) -> None:
    whole = f"{RULE}\n{text}\n{RULE}\n## 📄 {text}"
    read = read_report(whole)
    assert places_are_right(read, whole)
    again = read_report(write_report(read))
    assert [paper.title for paper in again.papers] == [paper.title for paper in read.papers]


@pytest.mark.parametrize(
    ("file", "papers", "parts"),
    [
        (PROJECT / "tests/features/importing/collections/documents/2026-02-03.md", 6, 25),
        pytest.param(
            REFERENCE_REPORT,
            25,
            125,
            marks=pytest.mark.skipif(not REFERENCE_REPORT.exists(), reason="is not ours to publish"),
        ),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else None,
)
def test_a_whole_report_is_read(file: Path, papers: int, parts: int) -> None:
    text = file.read_text("utf-8")
    read = read_report(text)
    assert (len(read.papers), sum(len(paper.parts) for paper in read.papers)) == (papers, parts)
    assert places_are_right(read, text)
    assert read.rest == ""


COLLECTION = PROJECT / "tests/features/importing/collections/documents"
REFERENCE_LIST = PROJECT.parent / "shared" / "reference" / "paper-list-30-undamaged.md"
LIST = """\
# Paper List from BIB File: tea.bib
- [26/02] **Tea: $^2$ & Water**
[[Paper](https://arxiv.org/pdf/2602.00001v2)] [[Code/Page](https://github.com/tea/tea.})] [[TLDR/Notes](#tea-x)]

- [26/01] **Cups**
[[Paper](https://example.org/cups.pdf)] [[Code/Page]()] [[TLDR/Notes](#cups)]

- [26/01] **No section** [[Paper](https://arxiv.org/pdf/2601.00003)]

# TLDR/Notes
## tea-x
### Abstract
Tea is 28.6\\% better.
```
### 🌟 论文解读 | 茶与水

### 📌 背景痛点/本文动机
<think> 水太烫。

### 🚀 核心方法
1. **先温杯**
```

## cups
### Abstract
Cups.
"""


def test_a_list_is_read_with_its_sections() -> None:
    assert is_paper_list(LIST)
    read = read_paper_list(LIST)
    tea, cups, alone = read.papers
    assert (read.source.bib, read.source.terms) == ("tea.bib", ())
    assert (tea.title, tea.arxiv, tea.version, tea.month) == ("Tea: $^2$ & Water", "2602.00001", 2, "26/02")
    assert (tea.code, tea.abstract) == ("https://github.com/tea/tea.}", "Tea is 28.6\\% better.")
    assert [(part.id, part.text) for part in tea.parts] == [
        ("motivation", "<think> 水太烫。"),
        ("method", "1. **先温杯**"),
    ]
    assert (cups.address, cups.abstract, cups.parts) == ("https://example.org/cups.pdf", "Cups.", ())
    assert (alone.abstract, alone.parts) == ("", ())


def test_a_list_of_terms_says_them() -> None:
    assert read_paper_list("# Paper List of Terms(Medical+RL)\n# TLDR/Notes\n").source.terms == ("Medical", "RL")
    assert (read_paper_list("").papers, read_paper_list("\ufeff\n \n").papers) == ((), ())


@pytest.mark.parametrize(
    "text", ["", "# Papers\n", "- [26/01] **Tea**\n", "# A\n- [26/01] **Tea** [[Paper](x)]\n## B\n", "# TLDR/Notes\n"]
)
def test_other_files_are_no_lists(text: str) -> None:
    assert not is_paper_list(text)


HEAD = "# Paper List from BIB File: tea.bib\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}| Paper | Code |\n|---|---|\n",
        f"{HEAD}- [26/01] ****\n",
        f"{HEAD}- a note\n- another\n",
        f"{RULE}\n## 📄\n{RULE}\n",
        f"# R\n\n{RULE}\n\n## 📄 \n\n- **链接**: \n",
    ],
)
def test_a_head_without_papers_is_no_document(text: str) -> None:
    assert document_in(text) is None


@pytest.mark.parametrize("text", [HEAD, f"{HEAD}\n# TLDR/Notes\n", f"{TITLE}\n**Date**: 2026-03-02\n\n{RULE}\n"])
def test_a_search_may_have_come_to_nothing(text: str) -> None:
    document = document_in(text)
    assert document
    assert (document.papers, document.rest) == ((), "")


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (f"{HEAD}- [26/01] **Tea**\n", ["Tea"]),
        (f"{HEAD}- **Tea** [[Paper]()]\n* [26/01] **Cups**\n", ["Tea", "Cups"]),
        (f"{HEAD}- [26/01] **** [[Paper](https://arxiv.org/abs/2601.00001)]\n", [""]),
        ("# Reading\n\n- [26/01] **Tea** [[Paper](https://arxiv.org/abs/2601.00001)]\n", ["Tea"]),
        ("# Reading\n- [26/01] **Tea** [[TLDR/Notes](#tea)]\n\n# TLDR/Notes\n## tea\nHot.\n", ["Tea"]),
        (f"{RULE}\n## 📄 Tea\n{RULE}\n## 📄 Cups\n## 📄 Pots\n", ["Tea", "Cups", "Pots"]),
    ],
)
def test_entries_without_a_title_link_or_rule_are_entries(text: str, titles: list[str]) -> None:
    document = document_in(text)
    assert document
    assert [paper.title for paper in document.papers] == titles
    assert places_are_right(document, text)


@given(st.text(st.sampled_from("#*[]()- `~|茶\n📌🌟/2"), max_size=300))
def test_whatever_is_in_a_list_it_is_read(text: str) -> None:
    whole = f"# Paper List from BIB File: a.bib\n{text}\n# TLDR/Notes\n## {text}"
    read = read_paper_list(whole)
    assert places_are_right(read, whole)
    again = read_paper_list(write_paper_list(read))
    assert [paper.title for paper in again.papers] == [paper.title for paper in read.papers]


@pytest.mark.nightly
def test_openings_without_an_end_are_read_in_time_that_grows_with_their_number() -> None:
    start = time.process_time()
    document = document_in(f"{HEAD}- **Tea** {'[[Paper](x ' * 30_000}")
    assert document
    assert [paper.address for paper in document.papers] == [""]
    assert time.process_time() - start < 5, "of the processor; it was 50"


def test_anchors_are_those_of_github() -> None:
    assert anchor_of("Tea: $^2$ & Water") == "tea-2--water"


@pytest.mark.parametrize(
    ("file", "papers", "parts"),
    [
        (COLLECTION / "kiln-list.md", 4, 5),
        (COLLECTION / "terms-list.md", 2, 1),
        pytest.param(
            REFERENCE_LIST,
            30,
            120,
            marks=pytest.mark.skipif(not REFERENCE_LIST.exists(), reason="is not ours to publish"),
        ),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else None,
)
def test_a_whole_list_is_read(file: Path, papers: int, parts: int) -> None:
    text = file.read_text("utf-8")
    read = read_paper_list(text)
    assert (len(read.papers), sum(len(paper.parts) for paper in read.papers)) == (papers, parts)
    assert places_are_right(read, text)
    assert read.rest == ""


def test_a_bib_file_in_another_encoding_is_no_bug_of_ours(tmp_path: Path) -> None:
    (tmp_path / "old.bib").write_bytes("@misc{a, title = {Thé}}".encode("latin-1"))
    done = paper_notes("export", tmp_path / "old.bib")
    assert (done.exit_code, done.stderr) == (
        1, f"paper-notes: {tmp_path / 'old.bib'} is not UTF-8 text\n  hint: save it as UTF-8\n"
    )  # fmt: skip
