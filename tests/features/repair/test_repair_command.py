"""`paper-notes repair`: what it writes, what it keeps, and what a person chooses in doubts.tsv."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from running import PROJECT, files_of, paper_notes

from paper_notes.features.repair.doubts import repair_file, settled
from paper_notes.features.repair.garbling import GARBLINGS
from paper_notes.sources.doubts import COLUMNS, Doubt, place_of, read_doubts, written
from paper_notes.sources.tree import Source

TURKISH = GARBLINGS[0]
NOTE = (PROJECT / "notes_src" / "guide" / "04_PDFs_and_figures" / "zh.md").read_text("utf-8")[:1_500].encode()
DAMAGED = TURKISH.garble(NOTE.decode()).encode()
UNSURE = "甲中乙，丙不丁，戊与己。\n"
"""So short of context that each of the three is doubtful."""


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "zh.md"
    path.write_bytes(DAMAGED + TURKISH.garble(UNSURE).encode())
    return path


def rows(folder: Path) -> list[list[str]]:
    return [line.split("\t") for line in (folder / "doubts.tsv").read_text("utf-8").splitlines()[1:]]


def choose(folder: Path, chosen: dict[str, str], file: str = "zh.md") -> None:
    """Write what belongs into the doubts about these quotations, in reverse order."""
    lines = [row for row in rows(folder) if row[0] == file]
    for row in lines:
        row[-1] = next((sign for part, sign in chosen.items() if part in row[2]), row[-1])
    text = "\n".join("\t".join(row) for row in [list(COLUMNS), *reversed(lines)])
    (folder / "doubts.tsv").write_text(text + "\n", "utf-8")


def test_a_note_is_garbled_repaired_and_settled_and_is_back(note: Path) -> None:
    whole = NOTE + UNSURE.encode()
    first = paper_notes("repair", note)
    assert first.exit_code == 0, first.output
    assert note.with_name("zh.md.damaged").read_bytes() == DAMAGED + TURKISH.garble(UNSURE).encode()
    text = note.read_text("utf-8")
    doubts, _ = read_doubts(Source(Path("doubts.tsv"), (note.parent / "doubts.tsv").read_bytes()))  # type: ignore[arg-type]
    assert len(doubts) >= 3
    right = {doubt: whole.decode()[place] for doubt in doubts if (place := place_of(doubt, text)) is not None}
    assert len(right) == len(doubts)
    filled = [Doubt(*(*doubt.cells[:-1], sign)) for doubt, sign in right.items()]
    (note.parent / "doubts.tsv").write_text(written(reversed(filled)), "utf-8")
    again = paper_notes("repair", note)
    assert again.exit_code == 0, again.output
    assert note.read_bytes() == whole
    before = files_of(note.parent)
    third = paper_notes("repair", note)
    assert "nothing to write" in third.output
    assert files_of(note.parent) == before


def test_check_writes_nothing(note: Path) -> None:
    before = files_of(note.parent)
    assert "would write: doubts.tsv, zh.md.damaged, zh.md" in paper_notes("repair", note, "--check").output
    assert files_of(note.parent) == before


def test_output_leaves_the_damaged_file_where_it_is(note: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    target = tmp_path / "new" / "en.md"
    made = paper_notes("repair", note, "--output", target, "--json")
    said = json.loads(made.stdout)
    assert said["doubtful"] == len(rows(target.parent))
    assert said["lost_bytes"] > 0
    assert sorted(files_of(target.parent)) == ["doubts.tsv", "en.md"]
    assert note.read_bytes().startswith(DAMAGED)
    assert paper_notes("repair", note, "--output", target).exit_code == 1


def test_doubts_about_other_files_stay(note: Path) -> None:
    other = Doubt("en.md", "1", "…a⟦中⟧b…", "中", "0.50", "不 40%", "ä¸", row=2)
    (note.parent / "doubts.tsv").write_text(written([other]), "utf-8")
    paper_notes("repair", note)
    assert rows(note.parent)[0][0] == "en.md"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("中文，café。\n".encode(), "not garbled"),
        (b"\x89PNG\r\n\x1a\n", "not valid UTF-8"),
        (b"a\0b", "not text"),
        ("中文".encode("gb18030"), "not valid UTF-8"),
        (b"", "not garbled"),
    ],
)
def test_other_files_are_left_alone_with_a_word_about_them(data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(data)
    assert said in paper_notes("repair", tmp_path / "x.md").output
    assert files_of(tmp_path) == {"x.md": data}


def test_lines_that_lost_too_much_are_counted_and_left_as_they_are(tmp_path: Path) -> None:
    data = "# 强化学习中的奖励模型\n\n大语言模型的训练与推理。\n".encode().decode("big5", "replace").encode()
    (tmp_path / "x.md").write_bytes(data)
    assert (
        "lines that stay garbled (big5hkscs), as too much of them is lost: 2"
        in paper_notes("repair", tmp_path / "x.md").output
    )
    assert files_of(tmp_path) == {"x.md": data}


def test_a_page_that_was_read_as_gbk_is_repaired_and_kept(tmp_path: Path) -> None:
    text = "奖励模型的训练过程与推理\n"
    data = text.encode().decode("gb18030").encode()
    (tmp_path / "x.md").write_bytes(data)
    assert "12 characters were garbled (gb18030), and 0 bytes lost" in paper_notes("repair", tmp_path / "x.md").output
    assert files_of(tmp_path) == {"x.md": text.encode(), "x.md.damaged": data}


def test_a_folder_and_a_large_file_are_refused(tmp_path: Path) -> None:
    assert "folder" in paper_notes("repair", tmp_path).output
    (tmp_path / "x.md").write_bytes(b"a" * (8 * 1024 * 1024 + 1))
    assert "more than" in paper_notes("repair", tmp_path / "x.md").output


TEXT = "第一行。\n用户的表现低于基线，模型仍不错。\n最后的低点。\n"
DOUBT = Doubt("x.md", "2", "…用户的表现⟦低⟧于基线，模型…", "低", "0.77", "位 21%", "ä½", "位", 2)


def chosen(doubt: Doubt, text: str = TEXT) -> tuple[str, list[str]]:
    new, _, problems = settled([doubt], text, Source(Path("doubts.tsv"), b"").path)  # type: ignore[arg-type]
    return new, [f"{problem.location} {problem.message} | {problem.hint}" for problem in problems]


def test_a_choice_is_found_again_after_lines_were_added_and_words_were_changed() -> None:
    moved = "新的开头。\n\n" + TEXT.replace("用户", "大家")
    assert chosen(DOUBT, moved) == (moved.replace("现低", "现位"), [])


def test_a_choice_that_cannot_have_been_there_is_refused_at_its_place() -> None:
    impossible = Doubt(*DOUBT.cells[:-1], "高", 2)
    text, problems = chosen(impossible)
    assert text == TEXT
    assert problems[0].startswith("doubts.tsv:2:8 ä½ is not what is left of 高")
    assert "one of 低 位" in problems[0]


def test_a_choice_for_words_that_are_gone_is_refused() -> None:
    _, problems = chosen(DOUBT, "别的文字，与它无关。\n")
    assert "is not in x.md any more" in problems[0]


def test_a_choice_that_is_not_listed_but_possible_is_taken() -> None:
    assert chosen(Doubt(*DOUBT.cells[:-1], "佝", 2))[0] == TEXT.replace("现低", "现佝")


def test_what_a_spreadsheet_saves_is_read() -> None:
    cells = [f'"{cell}"' for cell in (*DOUBT.cells[:2], *DOUBT.cells[3:], DOUBT.quotation)]
    columns = [*COLUMNS[:2], *COLUMNS[3:], COLUMNS[2]]
    data = "\ufeff" + "\t".join(columns) + "\r\n" + "\t".join(cells) + "\r\n\r\n"
    assert read_doubts(Source(Path("d"), data.encode())) == ((DOUBT,), ())  # type: ignore[arg-type]


def test_a_doubt_that_was_edited_in_the_text_is_gone() -> None:
    listing = Source(Path("doubts.tsv"), written([Doubt(*DOUBT.cells[:-1])]).encode())  # type: ignore[arg-type]
    assert repair_file("x.md", TEXT, listing, ()).doubts
    assert not repair_file("x.md", TEXT.replace("现低", "现较低").replace("基线", "别人"), listing, ()).problems


def test_check_reports_the_doubts_until_they_are_settled(tmp_path: Path) -> None:
    shutil.copytree(PROJECT / "tests" / "sites" / "minimal", tmp_path, dirs_exist_ok=True)
    text = next((tmp_path / "notes_src").glob("*/*/*.md"))
    text.write_text(text.read_text("utf-8") + "\n" + TURKISH.garble(UNSURE * 2), "utf-8")
    assert paper_notes("repair", text).exit_code == 0
    assert "doubtful-text" in paper_notes("check", "--root", tmp_path).output
    choose(text.parent, {"⟦": ""}, text.name)
    lines = [[*row[:-1], row[3]] for row in rows(text.parent)]
    (text.parent / "doubts.tsv").write_text("\n".join("\t".join(row) for row in [list(COLUMNS), *lines]), "utf-8")
    assert paper_notes("repair", text).exit_code == 0
    assert paper_notes("check", "--root", tmp_path).output.count("doubtful-text") == 0
