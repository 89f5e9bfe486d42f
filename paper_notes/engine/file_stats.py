"""What tells that a file has changed, or may have, without opening it."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

FRESH = 20_000_000
"""The resolution of file times on most disks, in nanoseconds."""
COARSE = 2_000_000_000
"""The same on old and foreign disks (FAT, HFS+, some network disks): one or two seconds, in nanoseconds."""
Stat = os.stat_result | str
"""The stat of a file; if there is none, an error number or another text that takes part in the digest."""


def is_fresh(stat: os.stat_result) -> bool:
    """True if a file was changed so recently that it may change again without new file times."""
    return time.time_ns() - max(stat.st_mtime_ns, stat.st_ctime_ns) <= (COARSE if is_coarse(stat) else FRESH)


def is_coarse(stat: os.stat_result) -> bool:
    """True if the file's disk seems to store times in whole seconds only.

    On other disks `ctime`, which programs cannot set, is a whole second once in a million files; such a file is only
    read again.
    """
    return stat.st_ctime_ns % 1_000_000_000 == 0


def stamp(stat: os.stat_result) -> bytes:
    """Device, inode, size and times of a file, which change when the file does: programs cannot set its `ctime`."""
    return _times(stat).encode()


def _times(stat: os.stat_result) -> str:
    return f"{stat.st_dev} {stat.st_ino} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}"


def stats_below(root: Path, names: Iterable[str]) -> Iterator[tuple[str, Stat]]:
    """Each file below these folders (or the named file itself), with its stat."""
    for name in names:
        yield from _below(os.path.join(root, name))


def _below(path: str) -> Iterator[tuple[str, Stat]]:
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except NotADirectoryError:
        yield path, os.stat(path)
        return
    except OSError as error:
        yield path, str(error.errno)
        return
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False):
                yield from _below(entry.path)
            elif not entry.name.endswith(".pyc"):
                yield entry.path, entry.stat()
        except OSError as error:
            yield entry.path, str(error.errno)


def stats_digest(stats: Iterable[tuple[str, Stat]]) -> bytes:
    """SHA-256 of the paths and what their stats tell."""
    lines = (f"{path}\0{stat if isinstance(stat, str) else _times(stat)}\n" for path, stat in stats)
    return hashlib.sha256("".join(lines).encode(errors="surrogateescape")).digest()


def any_fresh(stats: Iterable[tuple[str, Stat]]) -> bool:
    """True if a file was changed just now."""
    return any(not isinstance(stat, str) and is_fresh(stat) for _, stat in stats)
