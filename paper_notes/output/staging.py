"""Holds complete files outside the site until all are ready: then each is moved to its place in one step."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import weakref
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import UserError
from paper_notes.engine.user_cache import cache_folder, make_cache_folder, may_use
from paper_notes.sources.tree import SOURCE_FOLDER

SMALL = 4096
"""Bytes: smaller files stay in memory."""
_PREFIX = "waiting-"
TEMPORARY = ".pn-tmp"
"""Suffix of the hidden folders in which files are written beside their place."""


@dataclass(frozen=True)
class Staged:
    """The content of a file in the stage."""

    sha256: str
    size: int
    file: Path = field(compare=False)
    stage: Stage = field(compare=False, repr=False)
    """Keeps the folder of the file alive."""

    @property
    def data(self) -> bytes:
        return self.file.read_bytes()


class Stage:
    """A temporary folder beside the cache, so usually on the disk of the site. It is removed with this object."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder: Path | None = None
        self._count = 0
        self._usable = True
        self.folders: set[Path] = set()
        """Folders of the site that are known to exist."""

    def spill(self, artifact: Artifact) -> Artifact:
        """The same artifact with its bytes on disk; in memory if it is small or the stage cannot be written.

        Raises UserError if the disk is full.
        """
        if not isinstance(artifact.content, bytes) or artifact.size < SMALL or not self._usable:
            return artifact
        file = self.write(artifact.content)
        return Artifact(artifact.path, Staged(artifact.sha256, artifact.size, file, self)) if file else artifact

    def write(self, data: bytes) -> Path | None:
        """A new file with these bytes; None if the stage cannot be written."""
        try:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=make_cache_folder(self._root)))
                weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            self._count += 1
            file = self._folder / str(self._count)
            file.write_bytes(data)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
                raise UserError(f"cannot write {cache_folder(self._root)}: {error.strerror}") from error
            self._usable = False
            return None
        return file


def remove_stale(root: Path) -> None:
    """Delete staging folders of this build and of killed builds. Hold the lock."""
    if not may_use(root):
        return
    with suppress(OSError):
        for folder in cache_folder(root).iterdir():
            if folder.name.startswith(_PREFIX):
                shutil.rmtree(folder, ignore_errors=True)


def remove_temporary(root: Path) -> None:
    """Delete what commands that were killed have left beside the files that they were writing. Hold the lock."""
    places = [root / SOURCE_FOLDER, root / "site", *([cache_folder(root)] if may_use(root) else [])]
    with suppress(OSError):
        left = [path for path in root.iterdir() if _is_temporary(path.name)]
        for place in places:
            for folder, folders, names in () if place.is_symlink() else os.walk(place):
                left += [Path(folder, name) for name in (*folders, *names) if _is_temporary(name)]
        for path in left:
            shutil.rmtree(path, ignore_errors=True)
            with suppress(OSError):  # a link, or of an earlier version
                path.unlink()


def _is_temporary(name: str) -> bool:
    return name.startswith(".") and name.endswith(TEMPORARY)
