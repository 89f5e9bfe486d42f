"""Commands that are killed, in the middle of anything: see `killing.py`, which tries many more."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cold import ColdBuilds
from killing import Builds, Killing
from running import EXAMPLES, PROJECT, collection, paper_notes

from paper_notes.output.staging import TEMPORARY

ROUNDS = 40 if EXAMPLES else 2


@pytest.mark.nightly
def test_a_killed_build_leaves_old_files_or_new_ones_and_the_next_one_mends_all(tmp_path: Path) -> None:
    with ColdBuilds(tmp_path) as cold, Builds(tmp_path) as builds:
        tried = Killing(tmp_path, cold, builds, seed=2)
        for number in range(ROUNDS):
            assert not (problem := tried.round()), f"round {number}: {problem}"
    assert tried.hit["between files"] >= max(1, ROUNDS // 4), "the moments are where they hurt"
    assert not EXAMPLES or tried.hit["before the first file"] >= ROUNDS // 10


KILLED = """
import os, signal, sys
from paper_notes.commands import run
import paper_notes.output.guarded as guarded

def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)

guarded.exchange = killed
sys.argv = ["paper-notes", "move", "tea/1", "tea/7", "--root", {root!r}]
run()
"""
"""Ends when the new file is complete, and the old one still at its place."""


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_what_a_killed_move_leaves_is_unseen_by_git_and_removed_by_the_next_command(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    code = KILLED.format(root=str(root))
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert list(root.rglob(f"*{TEMPORARY}"))
    subprocess.run(["git", "init", "-q", root], check=True)
    status = ["git", "-C", root, "status", "--porcelain", "--untracked-files=all"]
    assert TEMPORARY not in subprocess.run(status, check=True, capture_output=True, text=True).stdout
    again = paper_notes("new", "--title", "B", "--topic", "tea", "--kind", "note", "--offline", "--root", root)
    assert not list(root.rglob(f"*{TEMPORARY}")), again.output
