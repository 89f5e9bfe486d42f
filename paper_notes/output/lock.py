"""One command at a time writes to a collection: the second waits for the first, and tidies up if that was killed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from paper_notes.engine.user_cache import LOCK_FILE, make_cache_folder
from paper_notes.output.staging import remove_temporary

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

WORKING = "working"
"""The file beside the lock that is there while somebody has it."""


@contextmanager
def locked(root: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock of the collection at `root`; `waiting` is called if another process has it.

    The lock of a process that dies is released, and the file WORKING tells the next one that it died. If the lock file
    cannot be created, nothing is locked.
    """
    with ExitStack() as stack:
        try:
            folder = make_cache_folder(root)
            file = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
            stack.callback(os.close, file)
            if not _lock(file, wait=False):
                waiting()
                _lock(file, wait=True)
        except OSError:
            yield
            return
        stack.callback(_unlock, file)  # closing it would not do: forked processes have it open, too
        if (folder / WORKING).exists():
            remove_temporary(root)
        with suppress(OSError):
            (folder / WORKING).touch()
        try:
            yield
        finally:
            with suppress(OSError):
                (folder / WORKING).unlink()


if sys.platform == "win32":

    def _lock(file: int, *, wait: bool) -> bool:
        """Whether this process has the lock now. Windows waits for ten seconds at a time."""
        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError:
                if not wait:
                    return False
            else:
                return True

    def _unlock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:

    def _lock(file: int, *, wait: bool) -> bool:
        """Whether this process has the lock now."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
