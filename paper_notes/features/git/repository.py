"""What git knows of a folder, without anything that its repository is set up to run.

A repository may be a stranger's. Its `config` names programs (for signatures, differences, filters, missing objects:
more in each version of git), and a folder that came with `git clone` may be a repository itself, an embedded bare one.
So git never sees either: it works in a temporary repository of ours, whose configuration is empty, and borrows the
objects and the index of the one whose `.git` is nearest. Nothing is fetched, and nothing is written there.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from paper_notes.sources.inside import open_file

_SECONDS = 60
_MOST = 64_000_000
"""Bytes of a file in `.git` that are read: lists of branches have some megabytes at most."""
_COPIED = ("shallow", "info/exclude")
"""Where the history of a clone ends, and which files its owner ignores: neither can name a program."""


class NoAnswer(Exception):
    """git failed: the message is what it said."""


class NothingToAsk(NoAnswer):
    """There is no git, or no repository; `hint` says how to get one."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def top_of(folder: Path) -> Path:
    """The folder whose `.git` has the history of `folder`. Raises NothingToAsk."""
    folder = folder.resolve()
    for top in (folder, *folder.parents):
        if _read(top / ".git") or _read(top / ".git/HEAD"):
            return top
    raise NothingToAsk("they are in no repository", "`git init` here, if you want to keep its history")


def git(folder: Path, *arguments: str) -> bytes:
    """What a command of git says of a folder; also what it says with status 1, which is "no". Raises NoAnswer."""
    top = top_of(folder)
    own = _own_folder(top)
    common = own / _read(own / "commondir").decode(errors="replace").strip()  # of a second work tree
    head = _head(own, common)
    kind = "sha256" if len(head) == 64 else "sha1"
    with tempfile.TemporaryDirectory(prefix="paper-notes-git-") as name:
        ours = Path(name)
        for folder_name in ("refs", "info"):
            (ours / folder_name).mkdir()
        (ours / "HEAD").write_text(f"{head or 'ref: refs/heads/none'}\n", "utf-8")
        version = f"[core]\nrepositoryformatversion = 1\nbare = false\n[extensions]\nobjectformat = {kind}\n"
        (ours / "config").write_text(version, "utf-8")
        for copied in _COPIED:
            if data := _read(common / copied):
                (ours / copied).write_bytes(data)
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
            "GIT_DIR": name,
            "GIT_WORK_TREE": str(top),
            "GIT_OBJECT_DIRECTORY": str(common / "objects"),
            "GIT_INDEX_FILE": str(own / "index"),
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
        }
        with suppress(NoAnswer):  # where the user keeps names of files to ignore everywhere; all else is switched off
            ignored = _said(folder, environment, "config", "--type=path", "core.excludesFile").decode(errors="replace")
            arguments = (("-c", f"core.excludesFile={ignored.strip()}") if ignored.strip() else ()) + arguments
        environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        return _said(folder, environment, "-c", "core.precomposeUnicode=true", *arguments)


def is_committed(folder: Path, path: str) -> bool:
    """Whether git could bring back all files at or below a path as they are now."""
    try:
        return not git(folder, "status", "--porcelain", "--ignored", "--untracked-files=all", "--", path).strip()
    except NoAnswer:
        return False


def _said(folder: Path, environment: dict[str, str], *arguments: str) -> bytes:
    command = [_program(), "--no-pager", *arguments]
    try:
        done = subprocess.run(  # noqa: S603 -- the user's own git
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise NoAnswer(f"git does not answer: {type(error).__name__}") from error
    words = done.stderr.decode(errors="replace").strip().split("\n")[0]
    if done.returncode not in (0, 1) or words.startswith("error: "):  # the names in a missing folder it leaves out
        raise NoAnswer(words or f"git failed with status {done.returncode}")
    return done.stdout


def _program() -> str:
    """The path of git. Not by its name alone: Windows looks first in the current folder, which may be a stranger's."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in filter(os.path.isabs, os.get_exec_path()):
        if os.access(path := os.path.join(folder, name), os.X_OK):
            return path
    raise NothingToAsk("git is not installed", "install git")


def _own_folder(top: Path) -> Path:
    """The `.git` of a work tree; of a second one, and of a submodule, a file there names it."""
    said = _read(top / ".git").decode(errors="replace")
    return top / said.removeprefix("gitdir:").strip() if said else top / ".git"


def _head(own: Path, common: Path) -> str:
    """The name of the current commit; empty if there is none yet, or it is kept in a way that is unknown here."""
    said = _read(own / "HEAD").decode(errors="replace").strip()
    if branch := said.removeprefix("ref: ") if said.startswith("ref: ") else "":
        packed = (line.split(" ") for line in _read(common / "packed-refs").decode(errors="replace").splitlines())
        said = _read(common / branch).decode(errors="replace").strip() or next(
            (line[0] for line in packed if line[1:] == [branch]), ""
        )
    return said if set(said) <= set("0123456789abcdef") else ""


def _read(file: Path) -> bytes:
    """What a file holds; nothing if there is none, or it is a link or a pipe."""
    try:
        with open_file(file) as opened:
            return opened.read(_MOST)
    except (OSError, ValueError):
        return b""
