"""One command at a time writes to a collection: the second waits for the first, and tidies up if that was killed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from paper_notes.engine.user_cache import LOCK_FILE, make_cache_folder
from paper_notes.output.staging import remove_temporary

WORKING = "working"
"""The file beside the lock that is there while somebody has it."""


@contextmanager
def locked(root: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock of the collection at `root`; `waiting` is called if another process has it.

    The lock of a process that dies is released, and the file WORKING tells the next one that it died. If the lock file
    cannot be created, nothing is locked.
    """
    try:
        folder = make_cache_folder(root)
        lock = FileLock(folder / LOCK_FILE)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            waiting()
            lock.acquire()
    except OSError:
        yield
        return
    try:
        if (folder / WORKING).exists():
            remove_temporary(root)
        with suppress(OSError):
            (folder / WORKING).touch()
        yield
    finally:
        with suppress(OSError):
            (folder / WORKING).unlink()
        lock.release()
