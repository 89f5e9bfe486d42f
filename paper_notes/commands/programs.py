"""Programs of the user's that commands start: a browser, the editor."""

from __future__ import annotations

from collections.abc import Sequence

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
