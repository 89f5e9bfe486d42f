"""One build at a time: the second waits for the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from paper_notes.engine.user_cache import LOCK_FILE, make_cache_folder


@contextmanager
def locked(root: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock of the collection at `root`; `waiting` is called if another process has it.

    The lock of a process that dies is released. If the lock file cannot be created, nothing is locked.
    """
    try:
        lock = FileLock(make_cache_folder(root) / LOCK_FILE)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            waiting()
            lock.acquire()
    except OSError:
        yield
        return
    try:
        yield
    finally:
        lock.release()
