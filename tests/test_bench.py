"""The benches, on few notes: that of whole builds runs without its peers, that of planted mistakes counts them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import making_pdfs
import pytest
from running import PROJECT, write

from paper_notes.build import build

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bench looks at processes in /proc")


@pytest.mark.nightly
def test_it_measures_each_case_and_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    bench = PROJECT / "tests/bench/build.py"
    options = ("--notes", "8", "--runs", "1", "--skip", "hugo", "material", "--keep", tmp_path)
    done = subprocess.run(
        [sys.executable, bench, *options], capture_output=True, encoding="utf-8", check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {
        case.strip(): numbers.split()
        for case, found, numbers in (line.partition(", paper-notes") for line in done.stdout.splitlines())
        if found
    }
    assert list(rows) == ["cold", "one note changed", "nothing changed"]
    assert all(float(rows[case][number]) > 0 for case in rows for number in (0, 2, 3))
    assert [int(numbers[4]) > 0 for numbers in rows.values()] == [True, True, False]
    assert build(tmp_path / "ours").diagnostics == ()


@pytest.mark.nightly
def test_planted_mistakes_are_counted_by_kind_and_by_what_notices_them(tmp_path: Path) -> None:
    write(tmp_path, {
        "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [tea]\n",
        "notes_src/library.bib": "@misc{lu760tea, title={The Classic of Tea}, author={Lu, Yu}, year={1760}}\n",
        "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
        "notes_src/tea/01_Green/note.yaml": "title: {zh: 绿茶, en: Green tea}\npapers: [lu760tea]\n",
        "notes_src/tea/01_Green/en.md": "Green tea scores 71.2 (Table 1). It is good.\n",
        "notes_src/tea/01_Green/zh.md": "绿茶得 71.2 分（表 1）。它很好。\n",
    })  # fmt: skip
    pdfs = tmp_path / "pdfs"
    pdfs.mkdir()
    (pdfs / "lu760tea.pdf").write_bytes(making_pdfs.results())

    def mistake(kind: str, **old_and_new: tuple[str, str]) -> object:
        edits = [
            {"file": f"notes_src/tea/01_Green/{lang}.md", "line": 1, "old": old, "new": new}
            for lang, (old, new) in old_and_new.items()
        ]
        return {"note": "tea/01_Green", "kind": kind, "edits": edits}

    mistakes = [
        mistake("digit changed", en=("71.2", "77.2"), zh=("71.2", "77.2")),
        mistake("digit changed", en=("71.2", "77.2")),
        mistake("number words", en=("good", "bad")),
        mistake("unit", en=("not there", "there")),
    ]
    (tmp_path / "planted.json").write_text(json.dumps(mistakes), "utf-8")
    bench = PROJECT / "tests/bench/evidence.py"
    options = ("--notes", tmp_path, "--planted", tmp_path / "planted.json", "--missed")
    done = subprocess.run([sys.executable, bench, pdfs, *options], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["digit", "changed", "2", "2", "100%", "2", "1"] in lines
    assert ["number", "words", "1", "0", "0%", "0", "0"] in lines
    assert ["all", "3", "2", "67%", "2", "1"] in lines
    assert "left out, not there: unit" in done.stdout
    assert "missed number words: notes_src/tea/01_Green/en.md:1" in done.stdout


def test_every_mistake_of_the_held_out_notes_has_its_line() -> None:
    held_out = PROJECT / "tests/bench/evidence/held_out"
    planted = json.loads((held_out / "planted.json").read_text("utf-8"))
    for mistake in planted:
        for edit in mistake["edits"]:
            line = (held_out / edit["file"]).read_text("utf-8").split("\n")[edit["line"] - 1]
            assert line.count(edit["old"]) == 1, edit
            assert edit["new"] != edit["old"]
    kinds = Counter((one["kind"], len({edit["file"] for edit in one["edits"]})) for one in planted)
    assert len(kinds) == 22, "eleven kinds, each in one language and in both"
    assert min(kinds.values()) >= 5
