"""Where a collection's cache, lock and staged files are: in the user's own cache folder, never in the collection.

A collection may be a stranger's repository, and nothing in a repository proves who made it: SQLite trusts the files
beside a database, and whoever writes to the cache writes our pages.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
import time
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

VARIABLE = "PAPER_NOTES_CACHE"
"""The environment variable that names another folder for the caches of all collections."""
CACHE_FILE, LOCK_FILE, NAME_FILE = "cache.sqlite", "build.lock", "collection"
DAYS_UNUSED = 90
"""The cache of a collection not built for so many days is removed when another collection gets its first."""
_DAY = 24 * 3600
_LOOKED_FILE = ".looked"
"""Its time is when unused caches were last looked for."""


def cache_folder(root: Path) -> Path:
    """The cache folder of the collection at `root`, by its real path. It need not exist: see `make_cache_folder`."""
    real = root.resolve()
    base = Path(os.environ.get(VARIABLE) or user_cache_path("paper-notes", appauthor=False))
    name = re.sub(r"[^\w.-]+", "-", real.name)[:40]
    return base / f"{name}-{hashlib.sha256(os.fsencode(real)).hexdigest()[:16]}"


def may_use(root: Path) -> bool:
    """True if only this user can have created the cache folder, or it does not exist yet.

    False where it belongs to somebody else, others may write to it, it is a link, or it would be in the collection.
    """
    folder = cache_folder(root)
    if not folder.is_absolute() or folder.resolve().is_relative_to(root.resolve()):
        return False
    try:
        status = os.lstat(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and _is_ours(status)


def _is_ours(status: os.stat_result) -> bool:
    """True by owner and permissions; Windows separates the folders of users itself."""
    return os.name == "nt" or (status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def make_cache_folder(root: Path) -> Path:
    """Create the cache folder for this user alone and return it. Raises OSError if it cannot be created or trusted."""
    folder = cache_folder(root)
    if not may_use(root):
        raise PermissionError(errno.EACCES, "it is not a folder of this user alone", str(folder))
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _remove_unused(folder.parent)
        folder.mkdir(exist_ok=True, mode=0o700)
        if not may_use(root):
            raise PermissionError(errno.EACCES, "it is not a folder of this user alone", str(folder))
        (folder / NAME_FILE).write_bytes(os.fsencode(root.resolve()) + b"\n")
    return folder


def _remove_unused(base: Path) -> None:
    """Remove the cache folders of collections that were not built for DAYS_UNUSED days; looks once a day."""
    now, looked = time.time(), base / _LOOKED_FILE
    with suppress(OSError):
        if looked.is_file() and 0 <= now - looked.lstat().st_mtime < _DAY:
            return
        looked.touch()
        for folder in base.iterdir():
            with suppress(OSError):
                used = max(file.lstat().st_mtime for file in (folder, *folder.iterdir()))
                if (folder / NAME_FILE).is_file() and used < now - DAYS_UNUSED * _DAY and _is_ours(folder.lstat()):
                    shutil.rmtree(folder, ignore_errors=True)
