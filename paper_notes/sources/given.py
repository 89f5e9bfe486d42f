"""A file that a command was asked to read, from wherever it is."""

from __future__ import annotations

from pathlib import Path
from stat import S_ISREG

from paper_notes.sources.tree import MAX_BLOB_BYTES


class GivenFileProblem(Exception):
    """The file cannot be read. `hint` says what the user can do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def read_given(path: Path) -> bytes:
    """The bytes of the file. Raises GivenFileProblem."""
    try:
        if path.is_dir():
            raise GivenFileProblem(f'"{path}" is a folder', "name a file in it")
        if not S_ISREG(path.stat().st_mode):
            raise GivenFileProblem(f'"{path}" is not a regular file', "save what it holds to a file")
        size = path.stat().st_size
        if size > MAX_BLOB_BYTES:
            message = f'"{path}" has {size:,} bytes, more than the {MAX_BLOB_BYTES:,} allowed'
            raise GivenFileProblem(message, "make it smaller")
        return path.read_bytes()
    except OSError as error:
        raise GivenFileProblem(f'"{path}" cannot be read: {error.strerror}', "check its permissions") from error
