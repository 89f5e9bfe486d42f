"""One build at a time: the second waits for the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from paper_notes.cache import CACHE_FILE, make_folder

LOCK_FILE = CACHE_FILE.with_name("build.lock")


@contextmanager
def locked(root: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock of the collection at `root`; `waiting` is called if somebody else has it.

    The lock of a process that dies is free. Where no file can be made, there is no lock.
    """
    try:
        make_folder(root / LOCK_FILE.parent)
        lock = FileLock(root / LOCK_FILE)
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
