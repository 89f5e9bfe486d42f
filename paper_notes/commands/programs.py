"""Programs of the user's that commands start: a browser, the editor, git."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from paper_notes.commands.terminal import say


def open_in_browser(address: str) -> None:
    """Open an address in the user's browser, or say that there is none.

    Not with `click.launch`: on Linux it never knows, and what it starts takes no section in the address of a file.
    """
    import webbrowser

    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        say("No browser could be opened: open that file yourself.")


def run(command: Sequence[str]) -> int:
    """Run a program in this terminal until it ends, and give its exit status. Raises OSError if it cannot start."""
    import subprocess  # slow to import

    return subprocess.run(command, check=False).returncode  # noqa: S603 -- what the user's own environment names


def git(root: Path, *arguments: str) -> bytes | None:
    """What git says of a folder; None if it has nothing to say, or is not installed.

    No program is run that the configuration of the repository names: the repository may be a stranger's.
    """
    import subprocess

    command = ["git", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-C", str(root), *arguments]
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=60, env=environment)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
