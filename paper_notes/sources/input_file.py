"""Input files named on the command line, inside or outside of the collection."""

from __future__ import annotations

from pathlib import Path
from stat import S_ISREG

from paper_notes.diagnostics import UserError
from paper_notes.sources.tree import MAX_BLOB_BYTES, with_plain_ends


def read_input_file(path: Path) -> bytes:
    """The bytes of the file. Raises UserError."""
    try:
        if path.is_dir():
            raise UserError(f'"{path}" is a folder', "name a file in it")
        if not S_ISREG(path.stat().st_mode):
            raise UserError(f'"{path}" is not a regular file', "save what it holds to a file")
        size = path.stat().st_size
        if size > MAX_BLOB_BYTES:
            message = f'"{path}" has {size:,} bytes, more than the {MAX_BLOB_BYTES:,} allowed'
            raise UserError(message, "make it smaller")
        return path.read_bytes()
    except OSError as error:
        raise UserError(f'"{path}" cannot be read: {error.strerror}', "check its permissions") from error


def read_input_text(path: Path) -> str:
    r"""The text of the file, with `\n` line ends. Raises UserError, also if it is not UTF-8."""
    try:
        return with_plain_ends(read_input_file(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text", "save it as UTF-8") from error
