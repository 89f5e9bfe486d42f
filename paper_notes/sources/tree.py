"""The only reader: everything below `notes_src/` as values, in a fixed order."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from paper_notes.diagnostics import Diagnostic, Location

TEXT_SUFFIXES = frozenset({".yaml", ".yml", ".md", ".bib", ".svg"})
"""What is read as UTF-8 text; every other file is a blob."""

SOURCE_FOLDER = "notes_src"
MAX_TEXT_BYTES = 8 * 1024 * 1024
MAX_BLOB_BYTES = 64 * 1024 * 1024

_IGNORED_NAMES = frozenset({"Thumbs.db", "desktop.ini", "__pycache__", "node_modules"})


@dataclass(frozen=True)
class Source:
    """A file as read. `path` is relative to the collection's root, with `/`; `data` holds its bytes."""

    path: PurePosixPath
    data: bytes = field(repr=False)

    @cached_property
    def text(self) -> str:
        r"""The content as text, with `\n` line ends and without a byte order mark. Only for valid UTF-8."""
        return self.data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")

    @cached_property
    def sha256(self) -> str:
        """Hex digest of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


def read_tree(root: Path) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """Read all files below `root/notes_src`, sorted by path.

    Hidden files are left alone; symbolic links are followed only when they stay inside the collection.
    What cannot be read (bad UTF-8, too large, no permission) is a Diagnostic and is missing from the result.
    """
    sources: list[Source] = []
    problems: list[Diagnostic] = []
    base = root / SOURCE_FOLDER
    if not base.is_dir():
        where = Location(PurePosixPath(SOURCE_FOLDER))
        hint = f'make a folder "{SOURCE_FOLDER}" with a site.yaml, or name the collection with --root'
        return (), (Diagnostic(where, "no-collection", f"there is no folder {SOURCE_FOLDER}/ here", hint),)
    inside = root.resolve()
    for path in _files_below(base):
        relative = PurePosixPath(path.relative_to(root).as_posix())
        source = _read(path, relative, inside)
        if isinstance(source, Source):
            sources.append(source)
        else:
            problems.append(source)
    return tuple(sources), tuple(problems)


def read_readme(root: Path) -> tuple[Source | None, tuple[Diagnostic, ...]]:
    """The README at the root of the collection, if there is one."""
    path = PurePosixPath("README.md")
    if not (root / path).exists():
        return None, ()
    source = _read(root / path, path, root.resolve())
    return (source, ()) if isinstance(source, Source) else (None, (source,))


def _files_below(base: Path) -> list[Path]:
    found: list[Path] = []
    for folder, subfolders, names in os.walk(base):
        subfolders[:] = sorted(name for name in subfolders if not _ignored(name))
        found += [Path(folder, name) for name in names if not _ignored(name)]
    return sorted(found, key=lambda path: path.relative_to(base).as_posix())


def _ignored(name: str) -> bool:
    return name.startswith(".") or name.endswith("~") or name in _IGNORED_NAMES


def _read(path: Path, relative: PurePosixPath, inside: Path) -> Source | Diagnostic:
    where = Location(relative)
    is_text = relative.suffix.lower() in TEXT_SUFFIXES
    limit = MAX_TEXT_BYTES if is_text else MAX_BLOB_BYTES
    try:
        if not path.resolve().is_relative_to(inside):
            return Diagnostic(where, "outside-collection", "this link leads out of the collection", "copy the file in")
        if not path.is_file():
            return Diagnostic(where, "unreadable-file", "this is not a regular file", "remove it")
        size = path.stat().st_size
        if size > limit:
            message = f"the file has {size:,} bytes, more than the {limit:,} allowed"
            return Diagnostic(where, "file-too-large", message, "make it smaller or move it out of notes_src/")
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        return Diagnostic(where, "unreadable-file", f"cannot read the file: {reason}", "check its permissions")
    return _checked_text(Source(relative, data)) if is_text else Source(relative, data)


def _checked_text(source: Source) -> Source | Diagnostic:
    try:
        text = source.text
    except UnicodeDecodeError as error:
        line, column = _byte_position(source.data, error.start)
        where = Location(source.path, line, column)
        byte = source.data[error.start]
        hint = "save the file as UTF-8" + (" (it looks like UTF-16)" if source.data[:2] in _UTF16_MARKS else "")
        return Diagnostic(where, "invalid-utf8", f"byte 0x{byte:02X} is not valid UTF-8", hint)
    if bad := _UNUSABLE.search(text):
        where = Location(source.path, *text_position(text, bad.start()))
        message = f"the character U+{ord(bad[0]):04X} cannot stand in a text file"
        return Diagnostic(where, "control-character", message, "delete it")
    return source


_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UNUSABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufdd0-\ufdef]")
"""Control characters, and the noncharacters that rendered bodies use to mark their slots."""


def text_position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of a character offset."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _byte_position(data: bytes, offset: int) -> tuple[int, int]:
    before = data[:offset]
    line_start = before.rfind(b"\n") + 1
    return before.count(b"\n") + 1, len(before[line_start:].decode("utf-8", "replace")) + 1
