"""After an import the build goes on, whatever a person has deleted or changed since the last one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from running import paper_notes, write

SITE = "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: [old]\n"
ORIGINALS = {
    "rl/01_PPO.md": "# PPO\n\nLead.\n\n## Setup\n\nText of setup.\n\n## Loss\n\nText.\n",
    "rl/02_GRPO.md": "# GRPO\n\nSee [that](01_PPO.md#setup) and [this](#here).\n\n"
    "![a plot](plot.svg)\n\n## Here\n\nText.\n\n## There\n\nMore.\n",
    "rl/plot.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><text x="2" y="12">plot</text></svg>',
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "mine", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    write(tmp_path / "theirs", ORIGINALS)
    take_in(tmp_path / "mine")
    return tmp_path / "mine"


def take_in(root: Path) -> str:
    done = paper_notes("import", root.parent / "theirs", "--offline", "--root", root)
    assert done.exit_code == 0, done.output
    return done.stderr


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def builds(root: Path) -> None:
    done = paper_notes("build", "--root", root)
    assert done.exit_code == 0, done.output


def test_a_link_to_a_section_that_a_person_deleted_leads_to_the_note(root: Path) -> None:
    ppo, grpo = root / "notes_src/rl/01_PPO/en.md", root / "notes_src/rl/02_GRPO/en.md"
    assert "[[rl/#1#setup|that]]" in grpo.read_text()
    change(ppo, "## Setup\n\nText of setup.\n\n", "")
    change(root.parent / "theirs/rl/02_GRPO.md", "See [that]", "Now see [that]")
    assert 'the note rl/#1 has no section "setup": the link leads to the note' in take_in(root)
    assert "Now see [[rl/#1|that]]" in grpo.read_text()
    builds(root)
    before = grpo.read_bytes()
    assert "changed: 0, as before: 2" in take_in(root)
    assert grpo.read_bytes() == before
    change(grpo, "Now see", "My own")
    assert "both-changed" not in take_in(root)
    builds(root)


def test_so_does_one_that_was_there_before_and_one_in_the_same_note_is_text(root: Path) -> None:
    grpo = root / "notes_src/rl/02_GRPO/en.md"
    change(root / "notes_src/rl/01_PPO/en.md", "## Setup\n\nText of setup.\n\n", "")
    change(grpo, "## Here\n\nText.\n\n", "")
    take_in(root)
    assert "See [[rl/#1|that]] and this." in grpo.read_text()
    builds(root)


def test_a_link_that_a_person_repaired_stays_as_it_is(root: Path) -> None:
    grpo = root / "notes_src/rl/02_GRPO/en.md"
    change(root / "notes_src/rl/01_PPO/en.md", "## Setup\n\nText of setup.\n\n", "")
    change(grpo, "[[rl/#1#setup|that]]", "[[rl/#1#loss|the loss]]")
    before = grpo.read_bytes()
    assert "both-changed" not in take_in(root)
    assert grpo.read_bytes() == before
    builds(root)


def test_a_section_to_which_a_person_refers_is_not_taken_away(root: Path) -> None:
    write(
        root, {"notes_src/old/01_Mine/note.yaml": "title: Mine\n", "notes_src/old/01_Mine/en.md": "[[rl/#1#setup|x]]\n"}
    )
    change(root.parent / "theirs/rl/01_PPO.md", "## Setup", "## Beginning")
    said = take_in(root)
    assert '"[[rl/#1#setup]]" in notes_src/old/01_Mine/en.md:1 would lead to no section' in said
    assert "## Setup" in (root / "notes_src/rl/01_PPO/en.md").read_text()
    assert "## Beginning" in (root / "notes_src/rl/01_PPO/en.md.imported").read_text()
    builds(root)
    change(root / "notes_src/old/01_Mine/en.md", "#setup", "#beginning")
    take_in(root)
    assert "## Beginning" in (root / "notes_src/rl/01_PPO/en.md").read_text()
    builds(root)


def test_what_would_be_a_mistake_beside_what_a_person_changed_waits(root: Path) -> None:
    grpo = root / "notes_src/rl/02_GRPO/en.md"
    change(grpo, "![a plot](figures/plot.svg)\n\n", "")
    (grpo.parent / "figures/plot.svg").unlink()
    builds(root)
    change(root.parent / "theirs/rl/02_GRPO.md", "More.", "More: ![a plot](plot.svg)")
    assert "with it the build would stop: notes_src/rl/02_GRPO/en.md:9" in take_in(root)
    assert "More: ![a plot](figures/plot.svg)" in (grpo.parent / "en.md.imported").read_text()
    assert "plot" not in grpo.read_text()
    builds(root)


def test_links_to_a_note_that_a_person_deleted_are_text(root: Path) -> None:
    shutil.rmtree(root / "notes_src/rl/01_PPO")
    take_in(root)
    assert "[[" not in (root / "notes_src/rl/02_GRPO/en.md").read_text()
    assert not (root / "notes_src/rl/01_PPO").exists()
    builds(root)
    assert "changed: 0, as before: 1, deleted by you: 1" in take_in(root)
