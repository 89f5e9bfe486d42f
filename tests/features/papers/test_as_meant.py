"""A garbled document is repaired before it is parsed, and what is doubtful is listed beside the note."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

import pytest
from running import paper_notes, write

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import UserError
from paper_notes.features.repair.doubts import decode_text, learned_from, with_doubts
from paper_notes.features.repair.garbling import GARBLINGS
from paper_notes.sources.doubts import Doubt, place_of, read_doubts, written
from paper_notes.sources.tree import Source

TURKISH = GARBLINGS[0]
LIST = """\
# Paper List from BIB File: tea.bib
- [26/02] **Tea and Water**
[[Paper](https://arxiv.org/pdf/2602.00001v1)] [[Code/Page]()] [[TLDR/Notes](#tea-and-water)]

# TLDR/Notes
## tea-and-water
### Abstract
Cold water, “warm” tea.
### 🌟 论文解读 | 甲中乙，茶不水
### 📌 背景痛点/本文动机
强化学习中的奖励模型，是大语言模型训练的关键。甲中乙，丙不丁，戊与己。
### 🚀 核心方法
丙不丁，甲中乙；不同的方法，可以提高性能。
"""
DAMAGED = TURKISH.garble(LIST)
NAME = PurePosixPath("list.md")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "list.md").write_text(DAMAGED, "utf-8")
    files = {
        "notes_src/site.yaml": "title: {zh: 茶, en: Tea}\ntopics: [daily]\n",
        "notes_src/daily/topic.yaml": "title: {zh: 每日, en: Daily}\n",
    }
    return write(tmp_path, files)


def test_a_garbled_document_comes_in_repaired_and_is_back_when_its_doubts_are_settled(root: Path) -> None:
    done = paper_notes("import", root / "list.md", "--topic", "daily", "--root", root)
    assert done.exit_code == 0, done.stderr
    assert "84 garbled characters were repaired, 9 are doubtful" in done.output
    (listing,) = root.rglob("doubts.tsv")
    doubts, problems = read_doubts(Source(PurePosixPath("doubts.tsv"), listing.read_bytes()))
    assert not problems
    assert {doubt.file for doubt in doubts} == {"zh.md"}
    assert len(doubts) == 9, "nobody chooses twice: those of the document beside it are the same"
    report = paper_notes("check", "--root", root).output
    assert f"{sum(doubt.file == 'zh.md' for doubt in doubts)} characters of zh.md may be wrong" in report
    _settle(listing, doubts)
    assert paper_notes("repair", listing.parent / "zh.md").exit_code == 0
    assert "doubtful-text" not in paper_notes("check", "--root", root).output
    assert paper_notes("export", "daily/1", "--as-found", "--root", root).stdout == LIST


def _settle(listing: Path, doubts: tuple[Doubt, ...]) -> None:
    """Write into each line what belongs there, which the original says."""
    text = (listing.parent / "zh.md").read_text("utf-8")
    assert all(place_of(doubt, text) is not None for doubt in doubts)
    repaired = decode_text(NAME, DAMAGED.encode(), ())
    right = iter(LIST[guess.offset] for guess in repaired.repaired.doubts)
    in_order = {(doubt.quotation, doubt.damaged): next(right) for doubt in repaired.doubts}
    filled = [Doubt(*(*doubt.cells[:-1], in_order[doubt.quotation, doubt.damaged])) for doubt in doubts]
    listing.write_text(written(filled), "utf-8")


def test_the_report_for_programs_counts_what_was_garbled(root: Path) -> None:
    done = paper_notes("import", root / "list.md", "--topic", "daily", "--root", root, "--check", "--json")
    (note,) = json.loads(done.stdout)["notes"]
    assert [finding["message"] for finding in note["findings"]] == [
        "84 garbled characters were repaired, 9 are doubtful"
    ]
    assert not list(root.rglob("doubts.tsv"))


def test_a_document_that_is_as_it_should_be_stays_so(root: Path) -> None:
    (root / "list.md").write_text(LIST, "utf-8")
    done = paper_notes("import", root / "list.md", "--topic", "daily", "--root", root)
    assert "garbled" not in done.output
    assert not list(root.rglob("doubts.tsv"))


@pytest.mark.parametrize("text", ["L’été, à Noël.\r\n", "Größe, Spaß", "¿Qué año?", "日本語の論文。", "“强化学习”"])
def test_other_text_is_taken_as_it_is(text: str) -> None:
    meant = decode_text(NAME, b"\xef\xbb\xbf" + text.encode(), ())
    assert (meant.text, meant.doubts) == (text.replace("\r", ""), ())


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(UserError, match=r"list\.md is not UTF-8 text"):
        decode_text(NAME, b"\xff\xfe", ())


def test_words_of_the_collection_are_learned_but_no_guesses() -> None:
    def source(path: str, text: str) -> Source:
        return Source(PurePosixPath(path), text.encode())

    open_one, settled_one = (
        Doubt(file, "1", "…⟦中⟧…", "中", "0.5", "不 40%", "ä¸", choose)
        for file, choose in (("zh.md", ""), ("en.md", "不"))
    )
    sources = [
        source("notes_src/a/01_x/zh.md", "猜的"),
        source("notes_src/a/01_x/en.md", "settled"),
        source("notes_src/a/01_x/doubts.tsv", written([open_one, settled_one])),
        source("notes_src/a/02_y/zh.md", "确定的"),
        source("notes_src/a/02_y/note.yaml", "title: x"),
    ]
    assert list(learned_from(sources)) == ["settled", "确定的"]


def test_a_doubt_is_listed_for_the_first_file_that_its_character_came_into() -> None:
    meant = decode_text(NAME, TURKISH.garble("强化学习中的奖励模型。\n\n甲中乙，戊与己。\n" * 2).encode(), ())
    body, facts = "\n".join(meant.text.split("\n\n")[:2]), f"{meant.text}\n"
    folder = PurePosixPath("notes_src/a/01_x")
    files = (Artifact.text(folder / "zh.md", "# 新\n" + body), Artifact.text(folder / "as-found.txt", facts))
    kept = Doubt("other.pdf.md", "1", "…⟦中⟧…", "中", "0.5", "不 40%", "ä¸")
    before = Source(folder / "doubts.tsv", written([kept]).encode())
    made = with_doubts(files, meant, [before])[-1]
    rows, _ = read_doubts(Source(made.path, made.data))
    assert rows[0].file == "other.pdf.md"
    texts = {"zh.md": files[0].data.decode(), "as-found.txt": facts}
    for row in rows[1:]:
        line = texts[row.file].split("\n")[row.number - 1]
        assert row.around[0][-3:] + row.choice in line
    assert len(rows) == 1 + len(meant.doubts)
    assert {row.file for row in rows[1:]} == {"zh.md", "as-found.txt"}
