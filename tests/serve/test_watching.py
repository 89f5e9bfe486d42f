"""Changes as the operating system reports them: one save in an editor is one change, and noise is ignored."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import watchfiles
from running import write

from paper_notes.diagnostics import UserError
from paper_notes.serve.watch import matters, stamp_of, watch

TEXT = "notes_src/t/01_A/zh.md"
Changes = Generator[frozenset[PurePosixPath], None, None]


@pytest.mark.parametrize(
    ("path", "does"),
    [
        (TEXT, True),
        ("notes_src", True),
        ("templates/note.html", True),
        ("notes_src/t/01_A/图.svg", True),
        ("notes_src/t/01_A/.zh.md.swp", False),
        ("notes_src/t/01_A/zh.md~", False),
        ("notes_src/t/01_A/4913", False),
        ("notes_src/t/01_A/#zh.md#", False),
        ("notes_src/t/.#zh.md", False),
        ("notes_src/.git/index.lock", False),
        ("notes_src/t/.obsidian/workspace.json", False),
        ("assets/.DS_Store", False),
    ],
)
def test_what_a_build_does_not_read_does_not_matter(path: str, does: bool) -> None:
    assert matters(PurePosixPath(path)) is does


def test_a_stamp_tells_a_file_from_another_and_from_none(tmp_path: Path) -> None:
    place = tmp_path / "a"
    assert stamp_of(place) is None
    place.write_text("a")
    first = stamp_of(place)
    assert first == stamp_of(place)
    os.utime(place, ns=(1, 1))
    assert stamp_of(place) != first


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path, {TEXT: "one", "README.md": "", "site/index.html": "", ".paper-notes/cache.sqlite": ""})


@pytest.fixture
def changes(root: Path) -> Iterator[Changes]:
    """The changes below `root`; watching has started."""
    found = watch(root, pytest.fail)
    assert next(found) == frozenset()
    yield found
    found.close()


def seen(changes: Changes, turns: int = 3) -> set[str]:
    """All changes in some turns; a turn without changes takes a fifth of a second."""
    return {str(path) for _ in range(turns) for path in next(changes)}


def rename_into_place(root: Path) -> None:
    write(root, {"notes_src/t/01_A/.zh.md.tmp123": "two"})
    (root / "notes_src/t/01_A/.zh.md.tmp123").replace(root / TEXT)


def like_vim(root: Path) -> None:
    folder = (root / TEXT).parent
    write(root, {"notes_src/t/01_A/.zh.md.swp": "", "notes_src/t/01_A/4913": ""})
    (folder / "4913").unlink()
    (root / TEXT).rename(folder / "zh.md~")
    write(root, {TEXT: "two"})
    (folder / "zh.md~").unlink()


@pytest.mark.parametrize(
    "save", [lambda root: write(root, {TEXT: "two"}), rename_into_place, like_vim], ids=["in place", "renamed", "vim"]
)
def test_saving_a_text_is_a_change_of_it_and_of_nothing_else(
    root: Path, changes: Changes, save: Callable[[Path], object]
) -> None:
    save(root)
    assert seen(changes) == {TEXT}
    assert seen(changes) == set()


def test_noise_and_what_is_written_into_the_site_are_no_changes(root: Path, changes: Changes) -> None:
    names = ["notes_src/.git/index", "notes_src/t/.zh.md.swp", "notes_src/t/zh.md~", "site/t/index.html", "out.txt"]
    write(root, dict.fromkeys([*names, ".paper-notes/cache.sqlite-wal", ".git/HEAD", ".venv/a.py"], "x"))
    (root / TEXT).read_text()
    assert seen(changes) == set()


def test_what_changes_while_nobody_asks_is_told_of_afterwards(root: Path, changes: Changes) -> None:
    write(root, {TEXT: "two"})
    time.sleep(0.1)
    write(root, {"notes_src/t/02_B/zh.md": "new"})
    assert {TEXT, "notes_src/t/02_B"} <= seen(changes)


@pytest.mark.nightly
def test_a_folder_that_comes_is_watched_and_one_that_is_made_anew_too(root: Path, changes: Changes) -> None:
    write(root, {"templates/note.html": "a"})
    assert "templates" in seen(changes)
    write(root, {"templates/note.html": "b"})
    assert "templates/note.html" in seen(changes)
    shutil.rmtree(root / "notes_src")
    assert "notes_src" in seen(changes)
    write(root, {TEXT: "again"})
    assert "notes_src" in seen(changes)
    write(root, {TEXT: "and again"})
    assert TEXT in seen(changes)


def test_a_system_that_does_not_tell_is_asked_again_and_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, words = watchfiles.watch, list[str]()

    def limited(*paths: Path, **options: Any) -> Iterator[object]:
        if not options["force_polling"]:
            raise OSError("OS file watch limit reached")
        return real(*paths, **{**options, "poll_delay_ms": 50})

    monkeypatch.setattr(watchfiles, "watch", limited)
    changes = watch(root, words.append)
    assert next(changes) == frozenset()
    write(root, {"notes_src/t/02_B.md": "a new one: two versions within a second would look the same"})
    assert "notes_src/t/02_B.md" in seen(changes, 5)
    changes.close()
    reason = "the system does not report changes (OS file watch limit reached)"
    assert words == [f"{reason}; looking for them every 300 ms instead"]


def test_where_nothing_helps_it_says_why(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Path, **__: Any) -> Iterator[object]:
        raise RuntimeError("File system loop found")

    monkeypatch.setattr(watchfiles, "watch", broken)
    with pytest.raises(UserError, match="the sources cannot be watched: File system loop found"):
        next(watch(root, lambda words: None))
