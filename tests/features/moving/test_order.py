"""Notes before others, swapped and renumbered: who gets which number, and that references keep their meaning."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from running import files_of, paper_notes, write

from paper_notes.build import build
from paper_notes.corpus.model import NoteId, TopicId
from paper_notes.corpus.references import NoteName, name_of
from paper_notes.features.moving.order import placed_before, renumbered, swapped
from paper_notes.output import disk, renaming

NAMES = [name_of(NoteId(name)) for name in ("a/01_P", "a/02_Q", "a/04_R", "a/09_S", "b/001_X", "b/002_Y")]


def named(name: str) -> NoteName:
    return next(note for note in NAMES if note.id == name)


@pytest.mark.parametrize(
    ("note", "other", "places"),
    [
        ("a/09_S", "a/02_Q", {"a/09_S": "a/02_S", "a/02_Q": "a/04_Q", "a/04_R": "a/09_R"}),
        ("a/01_P", "a/09_S", {"a/01_P": "a/04_P", "a/02_Q": "a/01_Q", "a/04_R": "a/02_R"}),
        ("a/02_Q", "a/04_R", {}),
        ("b/001_X", "a/01_P", {"b/001_X": "a/001_X", "a/01_P": "a/02_P", "a/02_Q": "a/03_Q"}),
        ("b/001_X", "a/04_R", {"b/001_X": "a/004_X", "a/04_R": "a/05_R"}),
    ],
)
def test_those_between_move_as_far_as_needed(note: str, other: str, places: Mapping[str, str]) -> None:
    moved = placed_before(NAMES, named(note), named(other))
    assert {was: now for was, now in moved.items() if was != now} == places


def test_swapped_notes_keep_their_names_and_renumbered_ones_their_order() -> None:
    assert swapped(named("a/04_R"), named("b/002_Y")) == {"a/04_R": "b/02_R", "b/002_Y": "a/004_Y"}
    places = renumbered(NAMES, TopicId("a"))
    assert {was: now for was, now in places.items() if was != now} == {"a/04_R": "a/03_R", "a/09_S": "a/04_S"}


FILES = {
    "notes_src/site.yaml": "title: Notes\nlanguages: [en]\ntopics: [tea, milk]\n",
    "notes_src/tea/topic.yaml": "title: Tea\nreading_paths: [{id: a, title: All, steps: [1, 2, 3]}]\n",
    "notes_src/milk/topic.yaml": "title: Milk\n",
    "notes_src/tea/01_Leaf.md": "---\ntitle: Leaf\n---\nSee [[#2]] and [[#3]].\n",
    "notes_src/tea/02_Water/note.yaml": "title: Water\n",
    "notes_src/tea/02_Water/en.md": "See [[#1]] and [[milk/#1]].\n",
    "notes_src/tea/03_Cup.md": "---\ntitle: Cup\n---\nSee [[02_Water]].\n",
    "notes_src/milk/01_Cow.md": "---\ntitle: Cow\n---\nSee [[tea/#3]].\n",
}
STEPS = "steps: [{}]"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def run(root: Path, *command: str) -> str:
    checked = paper_notes(*command, "--check", "--root", root)
    assert (checked.exit_code, "would" in checked.stderr) == (1, True), checked.output
    done = paper_notes(*command, "--root", root)
    assert done.exit_code == 0, done.output
    assert build(root).diagnostics == ()
    return done.stdout


def test_a_note_before_another_takes_all_references_along(root: Path) -> None:
    run(root, "move", "tea/3", "--before", "tea/1")
    after = files_of(root)
    assert after["notes_src/tea/01_Cup.md"].endswith(b"See [[03_Water]].\n")
    assert after["notes_src/tea/02_Leaf.md"].endswith(b"See [[#3]] and [[#1]].\n")
    assert after["notes_src/tea/03_Water/en.md"] == b"See [[#2]] and [[milk/#1]].\n"
    assert after["notes_src/milk/01_Cow.md"].endswith(b"See [[tea/#1]].\n")
    assert b"steps: [2, 3, 1]" in after["notes_src/tea/topic.yaml"]


def test_two_notes_change_places_also_over_topics(root: Path) -> None:
    run(root, "move", "tea/2", "--swap", "milk/1")
    after = files_of(root)
    assert after["notes_src/milk/01_Water/en.md"] == b"See [[tea/#1]] and [[tea/#2]].\n"
    assert after["notes_src/tea/02_Cow.md"].endswith(b"See [[tea/#3]].\n")
    assert after["notes_src/tea/01_Leaf.md"].endswith(b"See [[milk/#1]] and [[#3]].\n")


def test_gaps_are_closed(root: Path) -> None:
    run(root, "move", "tea/2", "tea/8")
    run(root, "topic", "renumber", "tea")
    names = sorted(name.split("/")[2] for name in files_of(root) if name.startswith("notes_src/tea/0"))
    assert names == ["01_Leaf.md", "02_Cup.md", "03_Water", "03_Water"]


def test_names_that_only_the_number_tells_apart_follow_each_other_and_in_a_circle_are_refused(root: Path) -> None:
    for number in (4, 5):
        write(root, {f"notes_src/tea/0{number}_Same.md": f"---\ntitle: S{number}\n---\n{number}\n"})
    refused = paper_notes("move", "tea/4", "--swap", "tea/5", "--root", root)
    assert (refused.exit_code, "each other's names" in refused.stderr) == (1, True)
    run(root, "move", "tea/3", "--before", "tea/1")
    run(root, "move", "milk/1", "--before", "tea/4")
    assert (root / "notes_src/tea/06_Same.md").read_text("utf-8").endswith("\n5\n")
    assert (root / "notes_src/tea/05_Same.md").read_text("utf-8").endswith("\n4\n")


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(6))
def test_several_moves_that_are_killed_half_way_are_finished(
    number: int, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for same in (4, 5):
        write(root, {f"notes_src/tea/0{same}_Same.md": f"---\ntitle: S{same}\n---\n{same}\n"})
    count = iter(range(9))

    def killed(real: object) -> object:
        def call(*arguments: object) -> None:
            if next(count) == number:
                raise KeyboardInterrupt
            real(*arguments)  # type: ignore[operator]

        return call

    monkeypatch.setattr(renaming, "_rename", killed(renaming._rename))
    monkeypatch.setattr(disk, "put", killed(disk.put))
    monkeypatch.setattr(renaming, "_undo", lambda *_: None)
    command = ("move", "milk/1", "--before", "tea/4")
    assert paper_notes(*command, "--root", root).exit_code == 130
    monkeypatch.undo()
    done = paper_notes(*command, "--root", root)
    assert done.exit_code == 0, done.stderr
    assert (f"Finished what was interrupted: paper-notes {' '.join(command)}" in done.stderr) == (number > 0)
    assert build(root).diagnostics == ()
    assert (root / "notes_src/tea/06_Same.md").read_text("utf-8").endswith("\n5\n")
    assert b"aliases: [milk/01_Cow]" in files_of(root)["notes_src/tea/04_Cow.md"]


def test_one_thing_is_said_at_a_time(root: Path) -> None:
    for command in (("move", "tea/1"), ("move", "tea/1", "tea/7", "--swap", "tea/2"), ("topic", "move", "tea")):
        done = paper_notes(*command, "--root", root)
        assert (done.exit_code, "Say one thing" in done.stderr) == (2, True), command
