"""Where files wait, complete, until all of them are ready: then each takes its place in one step."""

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
from paper_notes.cache import CACHE_FILE, make_folder

SMALL = 4096
"""Bytes: smaller files wait in memory."""
_PREFIX = "waiting-"


class OutputProblem(Exception):
    """The disk cannot be written or read as planned; the message says which file and why, the hint what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True)
class Staged:
    """The bytes of a file that waits."""

    sha256: str
    size: int
    file: Path = field(compare=False)
    stage: Stage = field(compare=False, repr=False)
    """Its folder is there as long as somebody may want a file in it."""

    @property
    def data(self) -> bytes:
        return self.file.read_bytes()


class Stage:
    """A folder beside the cache, on the disk of the collection. It goes when nobody needs its files any more."""

    def __init__(self, root: Path) -> None:
        self._parent = root / CACHE_FILE.parent
        self._folder: Path | None = None
        self._count = 0
        self._usable = True
        self.folders: set[Path] = set()
        """Of the site: those that are known to be there."""

    def keep(self, artifact: Artifact) -> Artifact:
        """The same artifact, its bytes on disk; in memory if they are few, or nothing can be written there.

        Raises OutputProblem if the disk is full.
        """
        if not isinstance(artifact.content, bytes) or artifact.size < SMALL or not self._usable:
            return artifact
        file = self.write(artifact.content)
        return Artifact(artifact.path, Staged(artifact.sha256, artifact.size, file, self)) if file else artifact

    def write(self, data: bytes) -> Path | None:
        """A new file with these bytes; None if no files can be made there."""
        try:
            if self._folder is None:
                make_folder(self._parent)
                self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=self._parent))
                weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            self._count += 1
            file = self._folder / str(self._count)
            file.write_bytes(data)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
                raise OutputProblem(f"cannot write {self._parent}: {error.strerror}") from error
            self._usable = False
            return None
        return file


def sweep(root: Path) -> None:
    """Remove what builds that were killed have left. Only for who has the lock."""
    with suppress(OSError):
        for name in os.listdir(root / CACHE_FILE.parent):
            if name.startswith(_PREFIX):
                shutil.rmtree(root / CACHE_FILE.parent / name, ignore_errors=True)
