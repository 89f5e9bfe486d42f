"""The page of a note whose results are kept: a switch at its top, and a mark around each number."""

from __future__ import annotations

import re
from pathlib import Path

import making_pdfs
from running import built, paper_notes, write
from test_verify_command import FILES, PDF

PAGE = "tea/notes/01_Green.html"
TEXT = """\
Green tea scores 71.2, black tea 64.5–66.0 (Table 1); it is 71.9 (Table 2), and 3.5 (Table 2).

$71.2/64.5=1.10$, [7.1]{from=own}, `0.48`, 1.84×.
"""


def page_of(tmp_path: Path, *, keep: bool) -> str:
    write(tmp_path, {**FILES, "notes_src/tea/01_Green/en.md": TEXT, "notes_src/tea/01_Green/zh.md": TEXT})
    (tmp_path / PDF).parent.mkdir(exist_ok=True)
    (tmp_path / PDF).write_bytes(making_pdfs.results())
    if keep:
        assert "kept: " in paper_notes("verify", "--keep", "--root", tmp_path).stderr
    (tmp_path / PDF).unlink()
    return (built(tmp_path) / PAGE).read_text("utf-8")


def test_each_number_carries_its_place_in_the_language_of_the_text(tmp_path: Path) -> None:
    html = page_of(tmp_path, keep=True)
    marks = re.findall(r'<span class="spot (\w+)" data-at="([^"]*)">(.*?)</span>', html)
    shown = [(name, place, re.sub("<[^>]*>", "", inside)) for name, place, inside in marks]
    assert ("at", "Table 1, Green tea × Score, p. 2", "71.2") in shown
    assert ("at", "表 1，Green tea × Score，第 2 页", "71.2") in shown
    assert ("at", "Table 1, Black tea × Score, p. 2", "64.5") in shown
    assert ("no", "not found", "71.9") in shown
    assert ("else", "elsewhere: §1, p. 1", "3.5") in shown
    assert ("no", "not found", "1.84×") in shown
    assert html.count('id="pn-sources"') == 1
    said = re.search(r"Sources: (\d+)/(\d+)", html)
    assert said
    assert said.groups() == ("8", "11"), "three are not"


def test_without_what_is_kept_there_is_no_switch_and_no_mark(tmp_path: Path) -> None:
    html = page_of(tmp_path, keep=False)
    assert "pn-sources" not in html
    assert 'class="spot' not in html


def test_a_section_that_was_edited_since_has_no_marks(tmp_path: Path) -> None:
    page_of(tmp_path, keep=True)
    write(tmp_path, {"notes_src/tea/01_Green/en.md": TEXT.replace("Green", "Fine green")})
    html = (built(tmp_path) / PAGE).read_text("utf-8")
    assert "表 1，Green tea × Score，第 2 页" in html
    assert "Table 1, Green tea × Score, p. 2" not in html


def test_each_section_keeps_the_marks_of_its_own_text(tmp_path: Path) -> None:
    sections = (
        "It is 71.2 (Table 1).\n",
        "## One {#one}\n\n> ### Of somebody else\n\nIt is 64.5 (Table 1).\n",
        "## Two {#two}\n\nNot 71.9 (Table 1).\n",
    )
    path, before = "notes_src/tea/01_Green/en.md", "\n".join(sections)

    def marked() -> list[str]:
        return re.findall(
            r'<span class="spot \w+" data-at="[^"]*">(.*?)</span>', (built(tmp_path) / PAGE).read_text("utf-8")
        )

    write(tmp_path, {**FILES, path: before})
    (tmp_path / "notes_src/tea/01_Green/zh.md").unlink()
    (tmp_path / PDF).parent.mkdir(exist_ok=True)
    (tmp_path / PDF).write_bytes(making_pdfs.results())
    assert "kept: " in paper_notes("verify", "--keep", "--root", tmp_path).stderr
    (tmp_path / PDF).unlink()
    assert marked() == ["71.2", "64.5", "71.9"]
    for section, rest in zip(sections, (["64.5", "71.9"], ["71.2", "71.9"], ["71.2", "64.5"]), strict=True):
        write(tmp_path, {path: before.replace(section, section.replace("t", "T", 1) + "More.\n")})
        assert marked() == rest
