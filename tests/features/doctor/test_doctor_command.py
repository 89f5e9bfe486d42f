"""`paper-notes doctor`: it asks git, tells what is serious, and runs nothing that a repository names."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
from pathlib import Path

import pytest
from running import collection, paper_notes, write

needs_git = pytest.mark.skipif(not shutil.which("git"), reason="needs git")


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True)


def told(root: Path) -> tuple[int, list[dict]]:
    result = paper_notes("doctor", "--json", "--root", root)
    return result.exit_code, json.loads(result.stdout)["findings"]


def test_it_says_which_python_runs_and_which_would_do(tmp_path: Path) -> None:
    (message,) = [found["message"] for found in told(tmp_path)[1] if found["about"] == "python"]
    assert message == f"Python {platform.python_version()}, >=3.11 is required"


@needs_git
def test_committed_and_new_files_are_looked_at_and_ignored_ones_are_not(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    pointer = "version https://git-lfs.github.com/spec/v1\n"
    files = dict.fromkeys(("committed.md", "new.md", "ignored.md"), pointer)
    write(root, {**files, "path.md": "\n/home/zhangwei/x", ".gitignore": "ignored.md\n/site/\n"})
    git(root, "init")
    git(root, "add", "committed.md", "notes_src")
    code, found = told(root)
    assert code == 1
    assert sorted(one["path"] for one in found if one["level"] == "serious") == ["committed.md", "new.md"]
    assert [one["path"] for one in found if one["level"] == "notice"] == ["path.md"]
    text = paper_notes("doctor", "--root", root)
    assert text.exit_code == 1
    assert "serious[lfs-pointer]: new.md: " in text.stdout
    assert "notice[local-path]: path.md:2: " in text.stdout
    (root / "committed.md").unlink()
    (root / "new.md").unlink()
    assert told(root)[0] == 0


@needs_git
def test_the_repository_of_a_stranger_runs_nothing(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    git(root, "init")
    script = write(tmp_path, {"run": f"#!/bin/sh\ntouch {tmp_path}/ran\n"}) / "run"
    script.chmod(0o755)
    git(root, "config", "core.fsmonitor", str(script))
    (root / "link.md").symlink_to("/etc/passwd")
    assert told(root)[0] == 0
    assert not (tmp_path / "ran").exists()


def test_without_git_or_a_collection_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, found = told(tmp_path)
    assert (code, found[-1]["about"]) == (0, "collection")
    root = collection("minimal", tmp_path)
    code, found = told(root)
    assert (code, found[-1]["about"], found[-1]["level"]) == (0, "git", "notice")
    write(root, {".git/HEAD": "ref: refs/heads/main\n"})
    monkeypatch.setenv("PATH", "")
    code, found = told(root)
    assert (code, found[-1]["about"], found[-1]["hint"]) == (0, "git", "install git")
