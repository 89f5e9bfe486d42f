"""`remove` and `topic`: what refers to a note stops it or is led on, and git can bring back what goes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from running import files_of, paper_notes, write

from paper_notes.build import build

REGION = "<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n"
FILES = {
    "README.md": "# Notes\n\n[Leaf](notes_src/tea/01_Leaf.md)\n" + REGION,
    "notes_src/site.yaml": "title: Notes\nlanguages: [en]\ntopics: [tea, milk] # in this order\nreadme: true\n",
    "notes_src/tea/topic.yaml": "title: Tea\nreading_paths: [{id: a, title: All, steps: [1, 3]}]\n",
    "notes_src/milk/topic.yaml": "title: Milk\n",
    "notes_src/tea/01_Leaf.md": "---\ntitle: Leaf\n---\nSee [[#1]].\n",
    "notes_src/tea/02_Water/note.yaml": "title: Water\n",
    "notes_src/tea/02_Water/en.md": "See [[#1]].\n",
    "notes_src/tea/03_Cup.md": "---\ntitle: Cup\n---\nA cup.\n",
    "notes_src/milk/01_Cow.md": "---\ntitle: Cow\n---\nSee [[tea/#1]].\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def commit(root: Path) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=root, check=True)


def test_what_refers_to_a_note_is_named_and_stops_it(root: Path) -> None:
    before = files_of(root)
    done = paper_notes("remove", "tea/1", "--uncommitted", "--root", root)
    assert (done.exit_code, files_of(root) == before) == (1, True)
    places = [line.partition(": error")[0] for line in done.stderr.splitlines() if "this refers to tea/#1" in line]
    assert places == [
        "README.md:3:8",
        "notes_src/milk/01_Cow.md:4:7",
        "notes_src/tea/02_Water/en.md:1:7",
        "notes_src/tea/topic.yaml:2:45",
    ]
    assert "--redirect lets them lead to another note" in done.stderr


def test_its_heir_gets_its_references_and_its_address(root: Path) -> None:
    commit(root)
    checked = paper_notes("remove", "tea/1", "--redirect", "tea/2", "--check", "--root", root)
    assert (checked.exit_code, "would remove notes_src/tea/01_Leaf.md" in checked.stderr) == (1, True)
    done = paper_notes("remove", "tea/1", "--redirect", "tea/2", "--json", "--root", root)
    assert json.loads(done.stdout)["removed"] == ["notes_src/tea/01_Leaf.md"]
    after = files_of(root)
    assert "notes_src/tea/01_Leaf.md" not in after
    assert after["notes_src/tea/02_Water/note.yaml"] == b"title: Water\naliases: [tea/01_Leaf]\n"
    assert after["notes_src/milk/01_Cow.md"].endswith(b"See [[tea/#2]].\n")
    assert b"steps: [2, 3]" in after["notes_src/tea/topic.yaml"]
    assert b"(notes_src/tea/02_Water" in after["README.md"]
    made = build(root)
    assert made.plan
    assert made.diagnostics == ()
    assert "site/tea/notes/01_Leaf.html" in {str(artifact.path) for artifact in made.plan.create}


def test_the_page_of_a_topic_can_have_its_address(root: Path) -> None:
    commit(root)
    assert paper_notes("remove", "tea/2", "--redirect", "milk", "--root", root).exit_code == 0
    made = build(root)
    assert made.plan
    page = next(artifact for artifact in made.plan.create if str(artifact.path) == "site/tea/notes/02_Water.html")
    assert b"../../milk/index.html" in page.data
    assert not (root / "notes_src/tea/02_Water").exists()


def test_what_git_does_not_have_goes_only_with_force(root: Path) -> None:
    for _ in range(2):
        refused = paper_notes("remove", "tea/2", "--root", root)
        assert (refused.exit_code, "is not in git as it is now" in refused.stderr) == (1, True)
        commit(root)
        write(root, {"notes_src/tea/02_Water/draft.txt": "mine"})
    assert (root / "notes_src/tea/02_Water/draft.txt").exists()
    assert paper_notes("remove", "tea/2", "--uncommitted", "--root", root).exit_code == 0
    assert not (root / "notes_src/tea/02_Water").exists()


@pytest.mark.parametrize(
    ("title", "written"),
    [("a\x1b\n\u202eb", "a b"), ("", ""), (" ", ""), ("\x1b", ""), ("x" * 10_000, "x" * 10_000), ("x" * 10_001, "")],
)
def test_a_topic_with_any_title_builds_or_is_refused(root: Path, title: str, written: str) -> None:
    made = paper_notes("topic", "new", "oolong", "--title", title, "--root", root)
    assert made.exit_code == (0 if written else 1)
    assert ("cannot be the title of a topic" in made.stderr) is not bool(written)
    assert build(root).plan
    path = root / "notes_src/oolong/topic.yaml"
    assert (path.read_text("utf-8") if written else path.exists()) == (
        f"title:\n  en: {written}\n" if written else False
    )


def test_a_topic_is_made_put_in_its_place_and_removed(root: Path) -> None:
    made = paper_notes("topic", "new", "oolong", "--title", "Oolong", "--before", "milk", "--root", root)
    assert made.exit_code == 0, made.stderr
    site = root / "notes_src/site.yaml"
    assert "topics: [tea, oolong, milk] # in this order\n" in site.read_text("utf-8")
    assert (root / "notes_src/oolong/topic.yaml").read_text("utf-8") == "title:\n  en: Oolong\n"
    assert build(root).plan
    assert paper_notes("topic", "new", "oolong", "--root", root).exit_code == 1
    assert paper_notes("topic", "move", "milk", "--before", "tea", "--root", root).exit_code == 0
    assert "topics: [milk, tea, oolong] # in this order\n" in site.read_text("utf-8")
    assert paper_notes("topic", "move", "oolong", "green", "--root", root).exit_code == 0
    full = paper_notes("topic", "remove", "tea", "--uncommitted", "--root", root)
    assert "first move or remove them: tea/#1, tea/#2, tea/#3" in full.stderr
    write(root, {"README.md": "<!-- paper-notes:begin topic=green -->\n<!-- paper-notes:end -->\n"})
    named = paper_notes("topic", "remove", "green", "--uncommitted", "--root", root)
    assert "README.md:1:30: error[dangling-reference]: this refers to green" in named.stderr
    write(root, {"README.md": f"# Notes\n{REGION}"})
    assert paper_notes("topic", "remove", "green", "--uncommitted", "--root", root).exit_code == 0
    assert "topics: [milk, tea] # in this order\n" in site.read_text("utf-8")
    assert not (root / "notes_src/green").exists()
    assert build(root).plan


def test_a_note_goes_into_a_new_topic_into_the_only_one_or_into_the_one_around(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = ("new", "--title", "Ice", "--kind", "tutorial")
    refused = paper_notes(*new, "--root", root)
    assert (refused.exit_code, "--topic with one of tea, milk" in refused.stderr) == (1, True)
    assert "--new-topic" in paper_notes(*new, "--topic", "ice", "--root", root).stderr
    before = files_of(root)
    checked = paper_notes(*new, "--topic", "ice", "--new-topic", "--check", "--root", root)
    assert (checked.exit_code, files_of(root) == before) == (1, True)
    assert paper_notes(*new, "--topic", "ice", "--new-topic", "--root", root).exit_code == 0
    assert "topics: [tea, milk, ice] # in this order\n" in (root / "notes_src/site.yaml").read_text("utf-8")
    assert (root / "notes_src/ice/01_Ice/note.yaml").is_file()
    monkeypatch.chdir(root / "notes_src/milk")
    assert paper_notes(*new).exit_code == 0
    assert (root / "notes_src/milk/02_Ice/note.yaml").is_file()
    assert build(root).plan
