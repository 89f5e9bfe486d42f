"""`sources:` of `site.yaml`: notes that another program keeps, from which builds take what has changed."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result
from running import paper_notes, write

from paper_notes.build import update
from paper_notes.engine.cache import open_cache
from paper_notes.engine.outside_folders import allow
from paper_notes.features.importing.commands import changed_originals, sources
from paper_notes.serve.live_reload import Board
from paper_notes.serve.session import Session
from paper_notes.serve.watch import watch

SITE = "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: []\nsources:\n  - ../vault\n"
VAULT = {
    "rl/PPO.md": "# PPO\n\nAll about [[GRPO]], before [[DPO]].\n\n## Loss\n\nSmall steps.\n",
    "rl/GRPO.md": "# GRPO\n\nNo critic. See [[PPO#Loss]].\n\n![[plot.svg]]\n",
    "rl/plot.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><text x="2" y="12">plot</text></svg>',
    ".obsidian/workspace.json": "{}",
}
GRPO, PPO = "notes_src/rl/01_GRPO/en.md", "notes_src/rl/02_PPO/en.md"
NOTHING = "2 notes: everything is up to date, nothing to write.\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A collection, and a vault whose files had always been there for a while."""
    monkeypatch.setattr(sources, "is_fresh", lambda stat: False)
    write(tmp_path / "mine", {"notes_src/site.yaml": SITE})
    write(tmp_path / "vault", VAULT)
    with closing(open_cache(tmp_path / "mine")) as kept:
        allow(tmp_path / "mine", tmp_path / "vault", kept)
    return tmp_path / "mine"


def build(root: Path, *options: str, code: int = 0) -> str:
    result: Result = paper_notes("build", *options, "--root", root)
    assert result.exit_code == code, result.output
    return result.stderr


def change(root: Path, name: str, old: str, new: str) -> None:
    path = root.parent / "vault" / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_what_changes_there_is_on_the_site_and_what_you_write_here_stays(root: Path) -> None:
    said = build(root)
    assert "imported from vault: 2 notes into rl\n" in said
    page = root / "site/rl/notes/01_GRPO.html"
    assert "No critic." in page.read_text("utf-8")
    mine = root / GRPO
    mine.write_text(mine.read_text("utf-8") + "\n## Mine\n\nMy own words.\n", "utf-8")
    change(root, "rl/GRPO.md", "No critic.", "No critic at all.")
    said = build(root)
    assert "  new: 0, changed: 1, as before: 0" in said
    assert "taken in earlier" not in said, "nobody has named a folder"
    assert "No critic at all." in mine.read_text("utf-8")
    assert "My own words." in mine.read_text("utf-8")
    assert "My own words." in page.read_text("utf-8")
    assert VAULT.keys() == {str(path.relative_to(root.parent / "vault")) for path in _files(root.parent / "vault")}


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_folder_of_whoever_builds_a_clone_is_not_read_until_they_import_from_it(root: Path, tmp_path: Path) -> None:
    clone = write(tmp_path / "clone", {"notes_src/site.yaml": SITE.replace("../vault", "{folder: ../vault, topic: t}")})
    sources._say_once.cache_clear()
    said = build(clone)
    assert said.startswith(
        '"../vault" is outside of this collection: `paper-notes import ../vault --topic t` lets builds read it.\n'
    )
    assert not list(clone.rglob("en.md"))
    (clone / "inside").symlink_to(tmp_path / "vault", target_is_directory=True)
    (clone / "notes_src/site.yaml").write_text(SITE.replace("../vault", "inside"), "utf-8")
    build(clone)
    assert not list(clone.rglob("en.md")), "nor behind a link"
    (clone / "notes_src/site.yaml").write_text(SITE, "utf-8")
    assert paper_notes("import", tmp_path / "vault", "--offline", "--root", clone).exit_code == 0
    change(root, "rl/PPO.md", "Small", "Very small")
    build(clone)
    assert "Very small" in (clone / PPO).read_text("utf-8")


def test_a_folder_of_the_collection_itself_is_read_at_once(tmp_path: Path) -> None:
    mine = write(tmp_path, {"notes_src/site.yaml": SITE.replace("../vault", "vault")})
    write(tmp_path / "vault", VAULT)
    write(tmp_path / ".git", {"a.md": "# A\n\nHidden.\n"})
    build(mine)
    assert (mine / PPO).is_file()
    settings = mine / "notes_src/site.yaml"
    settings.write_text(settings.read_text("utf-8").replace("- vault", "- vault/../.git"), "utf-8")
    assert "is a folder of this collection itself" in build(mine, code=1), "but no hidden one"
    assert not list(mine.glob("notes_src/*/*A"))


def test_a_session_knows_the_folders_to_watch(root: Path) -> None:
    session = Session(root, lambda: update(root), Board())
    assert session.outside() == ()
    next(session.run([frozenset()]))
    assert session.outside() == ((root.parent / "vault").resolve(),)


def test_only_what_has_changed_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[list[str]] = []
    take_in = changed_originals.take_in

    def told(paths: list[Path], *rest: object) -> object:
        taken.append(sorted(path.name for path in paths))
        return take_in(paths, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(changed_originals, "take_in", told)
    build(root)
    assert build(root) == NOTHING
    change(root, ".obsidian/workspace.json", "{}", "{1}")
    assert build(root) == NOTHING
    assert taken == [["vault"]]
    change(root, "rl/PPO.md", "Small", "Very small")
    build(root)
    change(root, "rl/plot.svg", "plot<", "a plot<")
    build(root)
    write(root.parent / "vault", {"rl/DPO.md": "# DPO\n\nAfter [[PPO]].\n", "rl/nobody shows.png": "x"})
    build(root)
    assert taken[1:] == [["PPO.md"], ["GRPO.md"], ["DPO.md", "PPO.md"]], "also what names what is new"
    (root.parent / "vault/rl/nobody shows.png").unlink()
    assert "up to date" in build(root)
    assert "a plot" in (root / "notes_src/rl/01_GRPO/figures/plot.svg").read_text("utf-8")
    assert "After [[" in (root / "notes_src/rl/03_DPO/en.md").read_text("utf-8")
    assert "before [[rl/#3]]" in (root / PPO).read_text("utf-8")
    (root / "notes_src/site.yaml").write_text(
        (root / "notes_src/site.yaml").read_text("utf-8") + "description: New\n", "utf-8"
    )
    build(root)
    assert len(taken) == 4, "other settings do not matter"
    os.utime(root / "notes_src/.imported.json", ns=(1, 1))
    build(root)
    assert taken[4:] == [["vault"]], "with another record, as after a checkout, all is looked at again"


def test_a_file_that_was_written_just_now_is_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(root)
    monkeypatch.setattr(sources, "is_fresh", lambda stat: True)
    change(root, "rl/PPO.md", "Small", "Very small")
    build(root)
    there = root.parent / "vault/rl/PPO.md"
    stat = there.stat()
    change(root, "rl/PPO.md", "Very", "Vary")
    os.utime(there, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    build(root)
    assert "Vary small" in (root / PPO).read_text("utf-8")


def test_a_note_whose_original_is_gone_stays_and_is_told(root: Path) -> None:
    build(root)
    (root.parent / "vault/rl/PPO.md").unlink()
    said = build(root)
    assert "  not there any more, while their notes stay: 1 (rl/PPO.md)\n    `paper-notes remove NOTE`" in said
    assert (root / PPO).is_file()
    assert build(root) == NOTHING


def test_without_the_folder_the_notes_are_as_they_were_taken_in(root: Path) -> None:
    build(root)
    (root.parent / "vault").rename(root.parent / "elsewhere")
    sources._say_once.cache_clear()
    assert (
        build(root)
        == f'There is no folder "../vault" on this machine: its notes stay as they were taken in.\n{NOTHING}'
    )
    (root.parent / "elsewhere").rename(root.parent / "vault")
    assert build(root) == NOTHING


def test_a_check_writes_nothing_and_fails_if_something_is_to_be_taken_in(root: Path) -> None:
    assert 'the notes are not what "../vault" says' in build(root, "--check", code=1)
    assert not (root / GRPO).exists()
    build(root)
    build(root, "--check")
    change(root, "rl/PPO.md", "Small", "Very small")
    build(root, "--check", code=1)
    assert "Very" not in (root / PPO).read_text("utf-8")


def test_what_cannot_be_taken_in_is_said_and_tried_again_and_the_rest_is_built(root: Path) -> None:
    build(root)
    text = root / GRPO
    right = text.read_text("utf-8")
    text.write_text("{{ [[rl/#77]]\n\n" + right, "utf-8")
    (root / "notes_src/rl/topic.yaml").write_text("title: {zh: 专题, en: Topic}\nunknown: 1\n", "utf-8")
    change(root, "rl/PPO.md", "Small", "Very small")
    said = build(root, code=1)
    assert "paper-notes: ../vault:" in said
    assert said.index("topic.yaml:2:1") > 0
    text.write_text(right, "utf-8")
    (root / "notes_src/rl/topic.yaml").write_text("title: {zh: 专题, en: Topic}\n", "utf-8")
    build(root)
    assert "Very small" in (root / PPO).read_text("utf-8")


def test_a_folder_without_notes_is_told_of_each_time(root: Path) -> None:
    for path in _files(root.parent / "vault"):
        path.unlink()
    for _ in range(2):
        assert "paper-notes: ../vault: there are no notes in vault" in build(root)


def test_a_note_that_would_lose_words_stops_no_other(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from paper_notes.features.importing import page_proof

    whole = page_proof.note_html
    monkeypatch.setattr(page_proof, "note_html", lambda *work: whole(*work).replace("steps", ""))
    said = build(root)
    assert 'rl/PPO.md:7:7: lost of line 7 of PPO.md: "steps' in said
    assert "  hint: `paper-notes import ../vault --keep-going` takes them in" in said
    assert "notes left out, as they would lose words: 1" in said
    assert "1 note:" in said
    change(root, "rl/PPO.md", "Small", "Very small")
    said = build(root)
    assert "notes left out, as they would lose words: 1" in said, "also where it is all that has changed"
    assert "  hint: `paper-notes import ../vault --keep-going` takes them in" in said
    assert build(root) == "1 note: everything is up to date, nothing to write.\n", "it is said once"
    monkeypatch.undo()
    change(root, "rl/PPO.md", "Very", "Very very")
    assert "2 notes:" in build(root)


def test_all_notes_of_a_folder_may_be_in_one_topic(root: Path) -> None:
    settings = SITE.replace("- ../vault", "- {folder: ../vault/rl, topic: deep}")
    (root / "notes_src/site.yaml").write_text(settings, "utf-8")
    build(root)
    assert (root / "notes_src/deep/01_GRPO/en.md").is_file()


def test_a_server_sees_what_is_saved_there_and_not_what_a_program_keeps_for_itself(root: Path) -> None:
    vault = root.parent / "vault"
    changes = watch(root, print, lambda: (vault.resolve(),))
    next(changes)
    (vault / ".obsidian/workspace.json").write_text("{1}", "utf-8")
    change(root, "rl/PPO.md", "Small", "Very small")
    seen = next(filter(None, changes))
    changes.close()
    assert {str(path) for path in seen} == {"vault/rl/PPO.md"}
