"""Lists of papers made from BibTeX: read with the mistakes that they are found with, and written again as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import PROJECT, paper_notes

from paper_notes.features.lists.forms import anchor_of, is_paper_list, read_paper_list, same_text, write_paper_list

COLLECTION = PROJECT / "tests/features/importing/collections/documents"
REFERENCE = PROJECT.parent / "shared" / "reference" / "paper-list-30-undamaged.md"
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
    assert (tea.code, tea.abstract, tea.fenced) == ("https://github.com/tea/tea.}", "Tea is 28.6\\% better.", True)
    assert [(part.id, part.text) for part in tea.parts] == [
        ("motivation", "<think> 水太烫。"),
        ("method", "1. **先温杯**"),
    ]
    assert (cups.address, cups.abstract, cups.parts, cups.fenced) == (
        "https://example.org/cups.pdf",
        "Cups.",
        (),
        False,
    )
    assert (alone.abstract, alone.parts) == ("", ())


def test_a_list_of_terms_says_them() -> None:
    assert read_paper_list("# Paper List of Terms(Medical+RL)\n# TLDR/Notes\n").source.terms == ("Medical", "RL")


@pytest.mark.parametrize("text", ["", "# Papers\n", "- [26/01] **Tea**\n"])
def test_other_files_are_no_lists(text: str) -> None:
    assert not is_paper_list(text)


@given(st.text(st.sampled_from("#*[]()- `~|茶\n📌🌟/2"), max_size=300))
def test_whatever_is_in_a_file_it_is_read(text: str) -> None:
    read = read_paper_list(f"# Paper List from BIB File: a.bib\n{text}\n# TLDR/Notes\n## {text}")
    again = read_paper_list(write_paper_list(read))
    assert [paper.title for paper in again.papers] == [paper.title for paper in read.papers]


def test_anchors_are_those_of_github() -> None:
    assert anchor_of("Tea: $^2$ & Water") == "tea-2--water"


@pytest.mark.parametrize(
    ("file", "papers", "parts"),
    [
        (COLLECTION / "kiln-list.md", 4, 5),
        (COLLECTION / "terms-list.md", 2, 1),
        pytest.param(
            REFERENCE, 30, 120, marks=pytest.mark.skipif(not REFERENCE.exists(), reason="is not ours to publish")
        ),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else None,
)
def test_a_whole_list_comes_back(file: Path, papers: int, parts: int) -> None:
    text = file.read_text("utf-8")
    read = read_paper_list(text)
    assert (len(read.papers), sum(len(paper.parts) for paper in read.papers)) == (papers, parts)
    assert same_text(write_paper_list(read), text)


def test_a_bib_file_in_another_encoding_is_no_bug_of_ours(tmp_path: Path) -> None:
    (tmp_path / "old.bib").write_bytes("@misc{a, title = {Thé}}".encode("latin-1"))
    done = paper_notes("export", tmp_path / "old.bib")
    assert (done.exit_code, done.stderr) == (
        1, f"paper-notes: {tmp_path / 'old.bib'} is not UTF-8 text\n  hint: save it as UTF-8\n"
    )  # fmt: skip
