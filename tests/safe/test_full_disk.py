"""Disks that are full and folders that may not be written: a clear message, exit 1, and whole files in the site."""

from __future__ import annotations

import errno
import gc
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from running import built, collection, files_of, paper_notes

from paper_notes.engine.user_cache import VARIABLE as CACHES
from paper_notes.engine.user_cache import cache_folder, make_cache_folder
from paper_notes.output import disk
from paper_notes.output.lock import WORKING
from paper_notes.output.staging import TEMPORARY, Stage

NO_SPACE = "No space left on device"


Changed = tuple[Path, dict[str, bytes], dict[str, bytes]]
"""A collection that was built and then edited everywhere, its site, and the site that it must have next."""


@pytest.fixture
def changed(tmp_path: Path, before: Path, later: dict[str, bytes]) -> Changed:
    return edited(before, tmp_path, later)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The collection as it was built."""
    root = collection("bilingual", tmp_path_factory.mktemp("before"))
    assert paper_notes("build", "--root", root).exit_code == 0
    shutil.copytree(cache_folder(root), root.with_name("cache"))
    return root


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The site of the edited collection."""
    return files_of(built(edit(collection("bilingual", tmp_path_factory.mktemp("later")))))


def edit(root: Path) -> Path:
    path = root / "notes_src/site.yaml"
    path.write_text(path.read_text("utf-8").replace("Notes on bridges", "Notes on all bridges"), "utf-8")
    return root


def edited(before: Path, place: Path, later: dict[str, bytes]) -> Changed:
    """A copy of what was built, with what is remembered of it."""
    root = Path(shutil.copytree(before, place / before.name))
    shutil.copytree(before.with_name("cache"), cache_folder(root))
    assert "nothing to write" in paper_notes("build", "--root", root).stderr
    return edit(root), files_of(root / "site"), later


def stops(result: Result, reason: str) -> None:
    """The result is an error in one line."""
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit), "no traceback"
    last = result.stderr.splitlines()[-1]
    assert "cannot write" in last
    assert reason in last


def every_file_is_whole(root: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    now = files_of(root / "site")
    for name in now.keys() | old.keys():
        assert now.get(name) in (old.get(name), new.get(name)), name
    gc.collect()  # staged files are removed with the last reference; a real process would end here
    assert not [path for path in cache_folder(root).iterdir() if path.name.startswith("waiting-")]


@pytest.mark.nightly
def test_a_disk_that_is_full_while_pages_wait_leaves_the_old_site(
    changed: Changed, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, old, new = changed
    real, count = Path.write_bytes, iter(range(1000))

    def full(path: Path, data: bytes) -> int:
        if "waiting-" in str(path) and next(count) == 3:
            real(path, data[:100])
            raise OSError(errno.ENOSPC, NO_SPACE, str(path))
        return real(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        stops(paper_notes("build", "--root", root), NO_SPACE)
    assert files_of(root / "site") == old
    every_file_is_whole(root, old, new)
    assert paper_notes("build", "--root", root).exit_code == 0
    assert files_of(root / "site") == new


@pytest.mark.nightly
@pytest.mark.parametrize("moment", [0, 1, 7])
def test_a_disk_that_is_full_while_files_are_put_in_place_leaves_whole_files(
    moment: int, changed: Changed, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, old, new = changed
    real, count = disk._place, iter(range(1000))

    def full(inside: Path, artifact: disk.Artifact, stage: Stage) -> None:
        if next(count) == moment:
            raise OSError(errno.ENOSPC, NO_SPACE, str(inside / artifact.path))
        real(inside, artifact, stage)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "_place", full)
        stops(paper_notes("build", "--root", root), NO_SPACE)
    every_file_is_whole(root, old, new)
    assert paper_notes("build", "--root", root).exit_code == 0
    assert files_of(root / "site") == new


def test_a_disk_that_is_too_full_for_the_cache_is_no_obstacle(
    changed: Changed, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, _, new = changed
    real = sqlite3.connect

    def small(*arguments: object, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*arguments, **options)  # type: ignore[arg-type,call-overload]
        connection.execute("PRAGMA max_page_count = 4")
        return connection

    monkeypatch.setattr(sqlite3, "connect", small)
    assert paper_notes("build", "--root", root).exit_code == 0
    assert files_of(root / "site") == new


@pytest.fixture
def small_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of 4 MB, where one may be made; the caches are on it too."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    made = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=4m", "tmpfs", place], capture_output=True, check=False
    )
    if not made or made.returncode:
        pytest.skip("only root may make a disk")
    monkeypatch.setenv(CACHES, str(place / "caches"))
    yield place
    subprocess.run(["umount", place], check=True)


@pytest.mark.nightly
@pytest.mark.parametrize("left", [0, 20_000, 90_000, 200_000])
def test_a_disk_that_is_really_full(left: int, small_disk: Path, before: Path, later: dict[str, bytes]) -> None:
    root, old, new = edited(before, small_disk, later)
    free = os.statvfs(small_disk)
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * max(free.f_bavail * free.f_bsize - left, 0))
    stops(paper_notes("build", "--root", root), NO_SPACE)
    every_file_is_whole(root, old, new)
    filler.unlink()
    assert paper_notes("build", "--root", root).exit_code == 0
    assert files_of(root / "site") == new


@pytest.mark.nightly
@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="needs another disk")
def test_a_cache_on_another_disk_makes_the_same_site_and_leaves_nothing(
    changed: Changed, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, _, new = changed
    with tempfile.TemporaryDirectory(dir="/dev/shm") as other:
        monkeypatch.setenv(CACHES, other)
        assert os.stat(other).st_dev != root.stat().st_dev
        (root / "site" / f".index.html.killed{TEMPORARY}").write_text("of a build that was killed", "utf-8")
        (make_cache_folder(root) / WORKING).touch()
        done = paper_notes("build", "--root", root)
        assert done.exit_code == 0, done.stderr
        assert files_of(root / "site") == new
        assert "nothing to write" in paper_notes("build", "--root", root).stderr
    gc.collect()


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("locked", ["site", "site/arches/notes", "."])
def test_a_folder_that_may_not_be_written_is_named_and_stays_as_it_is(
    locked: str, before: Path, later: dict[str, bytes]
) -> None:
    place = Path(tempfile.mkdtemp())  # not below `tmp_path`, which only its owner may enter
    place.chmod(0o755)
    user = os.geteuid()
    try:
        root, old, new = edited(before, place, later)
        shutil.copytree(root / "site", place / "before")
        if user == 0:  # root writes everywhere
            for path in (root, *root.rglob("*")):
                os.chown(path, 65534, 65534)
            os.seteuid(65534)
        if locked == ".":
            (root / "site").chmod(0o555)
        (root / locked).chmod(0o555)
        stops(paper_notes("build", "--root", root), "Permission denied")
        for name, data in files_of(root / "site").items():
            assert data in (old[name], new[name])
            assert name == ".manifest" or data == old[name] or not name.startswith(locked.removeprefix("site"))
        (root / locked).chmod(0o755)
        (root / "site").chmod(0o755)
        assert paper_notes("build", "--root", root).exit_code == 0
        assert files_of(root / "site") == new
    finally:
        os.seteuid(user)
        shutil.rmtree(place)


COMMANDS = {
    "new": (("new", "--title", "Oolong", "--topic", "tea", "--kind", "note", "--offline"), "notes_src/tea/02_Oolong/"),
    "move": (("move", "tea/1", "tea/7"), "notes_src/tea/07_Longjing/note.yaml"),
}


@pytest.mark.parametrize(("arguments", "file"), COMMANDS.values(), ids=COMMANDS)
def test_a_full_disk_names_the_file_of_the_users_that_could_not_be_written(
    arguments: tuple[str, ...], file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = collection("minimal", tmp_path)
    before = files_of(root)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, NO_SPACE)  # as the system says it: without a name

    monkeypatch.setattr(os, "fsync", full)
    done = paper_notes(*arguments, "--root", root)
    stops(done, NO_SPACE)
    assert f"cannot write {root / file}" in done.stderr
    assert files_of(root) == before
