"""`paper-notes check <note>`: what concerns it, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import SITES, paper_notes, write

ROOT = SITES / "every-mistake"


def found(*places: str) -> tuple[int, set[str], str]:
    result = paper_notes("check", *places, "--json", "--root", ROOT)
    return result.exit_code, {item["path"] for item in json.loads(result.stdout)["diagnostics"]}, result.stderr


def test_findings_of_one_note() -> None:
    code, paths, words = found("errs/3")
    folder = "notes_src/errs/03_Unknown_bibkey"
    assert (code, paths) == (1, {f"{folder}/note.yaml", f"{folder}/zh.md"})
    assert "findings elsewhere" in words


def test_findings_of_a_topic_and_of_a_file() -> None:
    code, paths, _ = found("errs")
    assert code == 1
    assert {path.split("/")[1] for path in paths} == {"errs"}
    assert found("notes_src/site.yaml")[1] == {"notes_src/site.yaml"}


def test_a_note_that_is_right_in_a_collection_that_is_not(tmp_path: Path) -> None:
    root = write(tmp_path, {
        "notes_src/site.yaml": "title: S\nlanguages: [en]\ntopics: [t]\n",
        "notes_src/t/topic.yaml": "title: T\n",
        "notes_src/t/01_A.md": "---\ntitle: A\n---\nRight.\n",
        "notes_src/t/02_B.md": "---\ntitle: B\n---\nSee [@li2024] and other.\n\n![](none.png)\n",
        "notes_src/t/03_C.md": "---\ntitle: C\npapers: [other]\n---\nNot li2024.\n",
        "notes_src/t/04_D.md": "Only words of other.\n",
        "notes_src/a.bib": "@misc{other, title={O}, year={x}}\n@misc{li2024,\n  title={L},\n  year={y}\n}\n",
    })  # fmt: skip
    right = paper_notes("check", "t/1", "--root", root)
    assert (right.exit_code, "t/#1: nothing is wrong." in right.stderr) == (0, True)
    assert "6 findings elsewhere" in right.stderr
    wrong = paper_notes("check", "t/2", "--root", root).stderr
    assert "notes_src/t/02_B.md:6:1: error[missing-image]" in wrong
    assert "notes_src/a.bib:4:" in wrong, "the paper that it cites"
    assert "notes_src/a.bib:1:" not in wrong
    assert "3 findings elsewhere" in wrong
    reading = paper_notes("check", "t/3", "--root", root).stderr
    assert "notes_src/a.bib:1:" in reading, "the paper that it is about"
    assert "notes_src/a.bib:4:" not in reading, "that only its words name"
    assert "a.bib" not in paper_notes("check", "t/4", "--root", root).stderr


@pytest.mark.parametrize("place", ["errs/99", "nowhere", "notes_src/none.bib"])
def test_a_place_that_is_not_there_is_said_before_anything_is_read(place: str) -> None:
    result = paper_notes("check", place, "--root", ROOT)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error[" not in result.stderr
