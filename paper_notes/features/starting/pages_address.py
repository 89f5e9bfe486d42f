"""Where the repository that a folder is can be cloned, and where GitHub Pages publishes it."""

from __future__ import annotations

import re
from pathlib import Path

from paper_notes.patterns import regex
from paper_notes.sources.inside import open_file

_MOST = 1_000_000
"""Bytes of git's settings that are read."""
_ORIGIN = regex(r'^\s*\[remote "origin"\][^\[]*?^\s*url\s*=\s*(\S+)\s*$', re.MULTILINE)
_GITHUB = regex(r"(?:https://(?:[^/@\s]*@)?github\.com/|(?:ssh://)?git@github\.com[:/])([\w-]+)/([\w.-]+?)(?:\.git)?/?")
_REMOTE = regex(r"(?:https://(?:[^/@\s]*@)?|(?:ssh://)?git@)([\w.-]+)[:/]([\w./~-]+)")


def origin_of(folder: Path) -> str:
    """The `origin` of the repository as git has it; empty without one.

    git is not asked: the folder may be a stranger's repository, whose settings name programs.
    """
    try:
        with open_file(folder / ".git" / "config") as opened:
            settings = opened.read(_MOST).decode(errors="replace")
    except OSError:
        return ""
    remote = _ORIGIN.search(settings)
    return remote[1] if remote else ""


def clone_address(folder: Path) -> str:
    """What pip installs of the repository that a folder is: `git+https://...`; empty if it is nowhere else."""
    remote = _REMOTE.fullmatch(origin_of(folder))
    return f"git+https://{remote[1]}/{remote[2]}" if remote else ""


def pages_address(folder: Path) -> str:
    """The address of the site, such as `https://you.github.io/my-notes/`; empty if `origin` is not at GitHub."""
    repository = _GITHUB.fullmatch(origin_of(folder))
    if not repository:
        return ""
    host = f"{repository[1].lower()}.github.io"
    return f"https://{host}/" if repository[2].lower() == host else f"https://{host}/{repository[2]}/"
