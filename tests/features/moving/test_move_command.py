"""`paper-notes move`: what it says, and that the collection builds after it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import built, files_of, paper_notes, write

from paper_notes.build import build
from paper_notes.output import disk, renaming

FILES = {
    "notes_src/site.yaml": "title: Notes\nlanguages: [en]\ntopics: [tea, milk]\nbase_url: https://example.org/n/\n",
    "notes_src/tea/topic.yaml": "title: Tea\nreading_paths: [{id: a, title: All, steps: [1, 2]}]\n",
    "notes_src/milk/topic.yaml": "title: Milk\n",
    "notes_src/tea/01_Leaf.md": "---\ntitle: Leaf\n---\nSee [[#2]].\n",
    "notes_src/tea/02_Water/note.yaml": "title: Water\n",
    "notes_src/tea/02_Water/en.md": "See [[#1]].\n\n## Hot\n\nTo [[milk/#1]].\n",
    "notes_src/milk/01_Cow.md": "---\ntitle: Cow\n---\nA cow.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def test_check_shows_what_the_move_then_does(root: Path) -> None:
    before = files_of(root)
    planned = paper_notes("move", "tea/#2", "milk", "--check", "--root", root)
    assert planned.exit_code == 1
    assert "would move notes_src/tea/02_Water to notes_src/milk/02_Water" in planned.stderr
    assert files_of(root) == before
    done = paper_notes("move", "tea/#2", "milk", "--root", root)
    assert done.exit_code == 0
    shown = planned.stdout.replace("would change", "changed")
    assert done.stdout == shown.replace("/tea/02_Water/", "/milk/02_Water/")
    assert "changed notes_src/tea/01_Leaf.md:4:7: #2 -> milk/#2\n" in done.stdout
    assert "changed notes_src/milk/02_Water/note.yaml:2:1: + aliases: [tea/02_Water]\n" in done.stdout
    assert build(root).diagnostics == ()
    again = paper_notes("move", "tea/02_Water", "milk/2", "--check", "--root", root)
    assert again.exit_code == 0
    assert "Nothing is left to do" in again.stderr


def test_the_result_as_json(root: Path) -> None:
    done = json.loads(paper_notes("move", "milk/1", "milk/4_Bull", "--json", "--root", root).stdout)
    assert (done["moved"], done["written"]) == ([{"was": "milk/01_Cow", "now": "milk/04_Bull"}], True)
    assert {"path": "notes_src/tea/02_Water/en.md", "line": 5, "column": 6, "old": "milk/#1", "new": "milk/#4"} in done[
        "edits"
    ]


def test_a_note_that_is_not_there_and_a_collection_with_errors(root: Path) -> None:
    assert "no note" in paper_notes("move", "tea/9", "milk", "--root", root).stderr
    assert paper_notes("move", "tea/09_No", "milk/1_No", "--root", root).exit_code == 1
    write(root, {"notes_src/milk/topic.yaml": "title: [\n"})
    result = paper_notes("move", "tea/2", "milk", "--root", root)
    assert result.exit_code == 1
    assert "fix them first. Nothing was written" in result.stderr


def test_renamed_by_hand_the_line_of_check_does_the_rest(root: Path) -> None:
    built(root)
    assert paper_notes("build", "--root", root).exit_code == 0
    (root / "notes_src/tea/02_Water").rename(root / "notes_src/milk/03_Water")
    checked = paper_notes("check", "--root", root)
    assert checked.exit_code == 1
    line = next(word for word in checked.stderr.split("`") if word.startswith("paper-notes move "))
    assert line == "paper-notes move tea/02_Water milk/03_Water"
    assert paper_notes(*line.split()[1:], "--root", root).exit_code == 0
    assert build(root).diagnostics == ()
    assert "[[milk/#3]]" in (root / "notes_src/tea/01_Leaf.md").read_text("utf-8")


def test_a_warning_of_a_lost_address_stays_until_it_is_kept_or_not_wanted(root: Path) -> None:
    assert paper_notes("build", "--root", root).exit_code == 0
    (root / "notes_src/milk/01_Cow.md").rename(root / "notes_src/milk/05_Cow.md")
    write(root, {"notes_src/tea/02_Water/en.md": "No more.\n"})
    for _ in range(2):
        assert [found.rule for found in build(root).diagnostics] == ["moved-note"]
        assert "moved-note" in paper_notes("build", "--root", root).stderr
    note = root / "notes_src/milk/05_Cow.md"
    note.write_text(note.read_text("utf-8").replace("Cow\n", "Cow\naliases: milk/01_Cow\n", 1), "utf-8")
    assert "moved-note" not in paper_notes("build", "--root", root).stderr
    note.rename(root / "notes_src/milk/01_Cow.md")
    assert [found.rule for found in build(root).diagnostics] == ["taken-address"], "gone back, as another branch has it"


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("what", [("tea/2", "milk/7"), ("milk/1", "8_Bull"), ("tea", "chai")])
def test_an_interrupted_move_is_named_and_finished(
    what: tuple[str, str], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(disk, "put", killed)
    monkeypatch.setattr(renaming, "_undo", lambda *_: None)
    assert paper_notes("move", *what, "--root", root).exit_code == 130
    monkeypatch.undo()
    line = paper_notes("check", "--root", root).stderr.splitlines()[0].partition(": ")[2]
    done = paper_notes(*line.split()[1:], "--root", root)
    assert done.exit_code == 0, done.stderr
    assert f"Finished what was interrupted: {line}" in done.stderr
    assert build(root).diagnostics == ()


def test_two_notes_of_a_number_are_told_apart(root: Path) -> None:
    write(root, {"notes_src/tea/02_Zen.md": "---\ntitle: Zen\n---\nSee [[02_Water]], [[#2]].\n"})
    found = next(found for found in build(root).diagnostics if found.rule == "duplicate-number")
    line = found.hint.split("`")[1]
    done = paper_notes(*line.split()[1:], "--root", root)
    assert done.exit_code == 0, done.stderr
    asked = [said.partition("look whether ")[2] for said in done.stderr.splitlines() if "look whether" in said]
    assert asked == [
        "notes_src/tea/01_Leaf.md:4:7 means tea/02_Water: #2",
        "notes_src/tea/03_Zen.md:4:21 means tea/02_Water: #2",
        "notes_src/tea/topic.yaml:2:48 means tea/02_Water: 2",
    ]
    assert build(root).diagnostics == ()
