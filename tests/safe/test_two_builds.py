"""Two builds of one collection at once, and what may be done while one is running: real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from running import PROJECT, built, collection, files_of, paper_notes

from paper_notes.engine.user_cache import LOCK_FILE, cache_folder

HOLDER = """
import sys
from pathlib import Path
from paper_notes.output.lock import locked
with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""
ENV = {**os.environ, "PYTHONPATH": str(PROJECT)}
WAITING = "Another run of paper-notes is writing to this collection: waiting until it ends.\n"


@contextmanager
def a_build_runs(root: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process has the lock, and releases it in the end."""
    command = [sys.executable, "-c", HOLDER, str(root)]
    with subprocess.Popen(command, env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "locked\n"
        try:
            yield holder
        finally:
            holder.kill()


def a_second_build(root: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-m", "paper_notes", "build", "--root", str(root)]
    return subprocess.Popen(command, env=ENV, stderr=subprocess.PIPE, encoding="utf-8")


@pytest.mark.nightly
def test_the_second_build_says_that_it_waits_and_then_builds(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    with a_build_runs(root) as first:
        second = a_second_build(root)
        assert second.stderr
        assert second.stderr.readline() == WAITING
        assert not (root / "site").exists()
        assert second.poll() is None
        first.communicate("")
        _, said = second.communicate(timeout=300)
    assert second.returncode == 0, said
    assert said.startswith("1 note: ")
    assert files_of(root / "site") == files_of(built(collection("minimal", tmp_path / "alone")))


@pytest.mark.nightly
def test_builds_that_begin_together_all_end_well(tmp_path: Path) -> None:
    root = collection("bilingual", tmp_path)
    together = [a_second_build(root) for _ in range(3)]
    for each in together:
        _, said = each.communicate(timeout=300)
        assert each.returncode == 0, said
    assert files_of(root / "site") == files_of(built(collection("bilingual", tmp_path / "alone")))
    assert {path.name for path in cache_folder(root).iterdir()} == {"build.lock", "cache.sqlite", "collection"}


def test_the_lock_of_a_build_that_was_killed_is_free(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    with a_build_runs(root) as first:
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert (cache_folder(root) / LOCK_FILE).exists()
    done = paper_notes("build", "--root", root)
    assert done.exit_code == 0
    assert WAITING not in done.stderr


@pytest.mark.parametrize("command", ["list", "check"])
def test_who_only_reads_does_not_wait(command: str, tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    with a_build_runs(root):
        done = paper_notes(command, "--root", root)
    assert done.exit_code == 0, done.stderr
    assert WAITING not in done.stderr


@pytest.mark.parametrize("obstacle", ["", LOCK_FILE])
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_lock_that_cannot_be_made_is_no_obstacle(
    obstacle: str, kind: Literal["file", "folder"], tmp_path: Path
) -> None:
    root = collection("minimal", tmp_path)
    place = cache_folder(root) / obstacle
    place.parent.mkdir(exist_ok=True, mode=0o700)
    if kind == "folder":
        place.mkdir()
    else:
        place.write_text("a file of somebody", "utf-8")
    done = paper_notes("build", "--root", root)
    assert done.exit_code == 0, done.stderr
    assert files_of(root / "site") == files_of(built(collection("minimal", tmp_path / "alone")))
