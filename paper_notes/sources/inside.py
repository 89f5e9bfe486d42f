"""Which files of a collection may be read: a link may lead anywhere, and a file may be replaced by a link."""

from __future__ import annotations

import os
from io import BufferedReader
from pathlib import Path
from stat import S_ISREG

from paper_notes.diagnostics import Diagnostic, Location

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Links are not followed, and opening a pipe does not block. Windows has neither flag."""


class LinkRefused(Exception):
    """A link leads to a file that may not be read."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Border:
    """Follows links from files in `folder` of the collection at `root`: to other files in it that are not hidden.

    Links to folders are not followed. Without a `folder`, links may lead to all of the collection but hidden files.
    """

    def __init__(self, root: Path, folder: str = "") -> None:
        self._root, self._folder = root, folder
        self._real_root = os.path.realpath(root)
        self._plain: dict[str, bool] = {}
        """For each folder, True if its path has no link below the root."""

    def real(self, path: Path, where: Location) -> Path:
        """The file or folder at `path`, or the file that a link there leads to. Raises LinkRefused and OSError."""
        folder = str(path.parent)
        if folder not in self._plain:
            expected = os.path.join(self._real_root, os.path.relpath(folder, self._root))
            self._plain[folder] = os.path.realpath(folder) == os.path.normpath(expected)
        if self._plain[folder] and not path.is_symlink():
            return path
        real = Path(os.path.realpath(path))
        if refused := self._refused(real, where):
            raise LinkRefused(refused)
        return Path(os.path.realpath(path, strict=True))

    def _refused(self, real: Path, where: Location) -> Diagnostic | None:
        if not real.is_relative_to(self._real_root):
            message = "this link leads out of the collection"
        elif any(part.startswith(".") for part in real.relative_to(self._real_root).parts):
            message = "this link leads to a hidden file or folder"
        elif not real.is_relative_to(Path(self._real_root, self._folder)):
            message = f"this link leads out of {self._folder}/"
        elif real.is_dir():
            message = "this is a link to a folder, which is not followed"
            return Diagnostic(where, "unreadable-file", message, "copy the folder in")
        else:
            return None
        return Diagnostic(where, "outside-collection", message, "copy the file in")


def open_file(path: str | Path) -> BufferedReader:
    """Open a file that `Border` has found. Raises OSError, also if it has become a link or something else meanwhile."""
    file = os.fdopen(os.open(path, _FLAGS), "rb")
    if not S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(None, "this is not a regular file")
    return file
