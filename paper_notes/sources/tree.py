"""The only reader: everything below `notes_src/` as values, in a fixed order."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from paper_notes.diagnostics import Diagnostic, Location

if TYPE_CHECKING:
    from paper_notes.cache import Cache

TEXT_SUFFIXES = frozenset({".yaml", ".yml", ".md", ".bib", ".svg"})
"""What is read as UTF-8 text; every other file is a blob."""

SOURCE_FOLDER = "notes_src"
MAX_NOTE_BYTES = 1024 * 1024
"""Of Markdown: a hundred times the size of a long note, and some seconds of work."""
MAX_TEXT_BYTES = 8 * 1024 * 1024
MAX_BLOB_BYTES = 64 * 1024 * 1024
LAZY_BYTES = 128 * 1024
"""Blobs from this size on stay on disk until somebody asks for their bytes."""

_IGNORED_NAMES = frozenset({"Thumbs.db", "desktop.ini", "__pycache__", "node_modules"})


class SourceChanged(Exception):
    """A file was changed or removed while a run was at work; the message says which."""


@dataclass(frozen=True)
class OnDisk:
    """The bytes of a large file, which stay on disk: its hash is known, and whoever wants the bytes gets these."""

    sha256: str
    size: int
    file: str = field(compare=False, repr=False)
    """Its absolute path."""

    def read(self) -> bytes:
        """The bytes. Raises SourceChanged if the file does not hold them any more."""
        try:
            data = Path(self.file).read_bytes()
        except OSError as error:
            raise SourceChanged(f"cannot read {self.file}: {error.strerror or error}") from error
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise SourceChanged(f"{self.file} was changed while it was being used; run the command again")
        return data


@dataclass(frozen=True)
class Source:
    """A file as read: `path` is relative to the collection's root, with `/`; `content` holds or lends its bytes."""

    path: PurePosixPath
    content: bytes | OnDisk = field(repr=False)

    @property
    def data(self) -> bytes:
        """The bytes: those of a large file are read anew each time, and not kept."""
        return self.content if isinstance(self.content, bytes) else self.content.read()

    @property
    def size(self) -> int:
        """In bytes."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.size

    @cached_property
    def text(self) -> str:
        r"""The content as text, with `\n` line ends and without a byte order mark. Only for valid UTF-8."""
        return _with_plain_ends(self.data.decode("utf-8-sig"))

    @cached_property
    def sha256(self) -> str:
        """Hex digest of the bytes."""
        return hashlib.sha256(self.content).hexdigest() if isinstance(self.content, bytes) else self.content.sha256


def read_tree(root: Path, cache: Cache | None = None) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """Read all files below `root/notes_src`, sorted by path.

    Large blobs are only hashed, and only if `cache` does not know them as they are.

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
    paths, unreadable = _files_below(base)
    for error in unreadable:
        where = Location(_printable(PurePosixPath(Path(error.filename).relative_to(root).as_posix())))
        message = f"cannot read the folder: {error.strerror}"
        problems.append(Diagnostic(where, "unreadable-file", message, "check its permissions"))
    for path in paths:
        relative = PurePosixPath(path.relative_to(root).as_posix())
        source = _read(path, relative, inside, cache)
        if isinstance(source, Source):
            sources.append(source)
        else:
            problems.append(source)
    return tuple(sources), tuple(problems)


def read_readmes(root: Path, paths: Iterable[PurePosixPath]) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """The Markdown files outside of `notes_src/` that have regions to keep; one that is not there is a Diagnostic."""
    sources: list[Source] = []
    problems: list[Diagnostic] = []
    for path in dict.fromkeys(paths):
        if not (root / path).exists():
            hint = "write one with <!-- paper-notes:begin --> and <!-- paper-notes:end --> in it"
            message = f"site.yaml wants regions of this file kept, but there is no {path}"
            problems.append(Diagnostic(Location(path), "readme-markers", message, hint))
            continue
        found = _read(root / path, path, root.resolve(), None)
        if isinstance(found, Source):
            sources.append(found)
        else:
            problems.append(found)
    return tuple(sources), tuple(problems)


def _files_below(base: Path) -> tuple[list[Path], list[OSError]]:
    """All files, links to folders included (for `_read` to refuse), and the folders that cannot be listed."""
    found: list[Path] = []
    unreadable: list[OSError] = []
    for folder, subfolders, names in os.walk(base, onerror=unreadable.append):
        subfolders[:] = [name for name in subfolders if not _ignored(name)]
        links = [name for name in subfolders if Path(folder, name).is_symlink()]
        found += [Path(folder, name) for name in (*names, *links) if not _ignored(name)]
    return sorted(found, key=lambda path: path.relative_to(base).as_posix()), unreadable


def _printable(path: PurePosixPath) -> PurePosixPath:
    """The path with a question mark for all that a terminal cannot show on one line."""
    return PurePosixPath(_UNPRINTABLE.sub("?", str(path).encode(errors="replace").decode()))


def _ignored(name: str) -> bool:
    return name.startswith(".") or name.endswith("~") or name in _IGNORED_NAMES


def _read(path: Path, relative: PurePosixPath, inside: Path, cache: Cache | None) -> Source | Diagnostic:
    where = Location(relative)
    is_text = relative.suffix.lower() in TEXT_SUFFIXES
    is_note = relative.suffix.lower() == ".md"
    limit = MAX_NOTE_BYTES if is_note else MAX_TEXT_BYTES if is_text else MAX_BLOB_BYTES
    if (shown := _printable(relative)) != relative:
        message = "the name of the file is not valid UTF-8, or holds a control character"
        return Diagnostic(Location(shown), "unreadable-file", message, "rename it")
    try:
        if not path.resolve().is_relative_to(inside):
            return Diagnostic(where, "outside-collection", "this link leads out of the collection", "copy the file in")
        if path.is_dir():
            message = "this is a link to a folder, which is not followed"
            return Diagnostic(where, "unreadable-file", message, "copy the folder in")
        if path.exists() and not path.is_file():
            return Diagnostic(where, "unreadable-file", "this is not a regular file", "remove it")
        size = path.stat().st_size
        if size > limit:
            message = f"the file has {size:,} bytes, more than the {limit:,} allowed"
            return Diagnostic(where, "file-too-large", message, "make it smaller or move it out of notes_src/")
        if not is_text and size >= LAZY_BYTES:
            return Source(relative, _on_disk(path, cache))
        data = path.read_bytes()
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, before Python 3.13
        reason = getattr(error, "strerror", None) or "the link leads in a circle"
        hint = "remove the link" if path.is_symlink() else "check its permissions"
        return Diagnostic(where, "unreadable-file", f"cannot read the file: {reason}", hint)
    return _checked_text(Source(relative, data)) if is_text else Source(relative, data)


def _on_disk(path: Path, cache: Cache | None) -> OnDisk:
    """The file with its hash, which is that of last time if nothing about the file says otherwise."""
    real = path.resolve()
    stamp = _stamp(real)
    known = cache.get(stamp) if cache else None
    if known is None:
        with real.open("rb") as file:
            known = hashlib.file_digest(file, "sha256").digest()
        if cache and _stamp(real) == stamp:
            cache.put(stamp, known)
    return OnDisk(known.hex(), real.stat().st_size, str(real))


def _stamp(path: Path) -> str:
    """All that changes when a file does: who writes to a file cannot choose its time of change."""
    facts = path.stat()
    times = f"{facts.st_mtime_ns} {facts.st_ctime_ns}"
    return f"hash of {path} {facts.st_dev} {facts.st_ino} {facts.st_size} {times}"


def _checked_text(source: Source) -> Source | Diagnostic:
    try:
        text = source.text
    except UnicodeDecodeError as error:
        before = _with_plain_ends(error.object[: error.start].decode())
        where = Location(source.path, *text_position(before, len(before)))
        byte = error.object[error.start]
        hint = "save the file as UTF-8" + (" (it looks like UTF-16)" if source.data[:2] in _UTF16_MARKS else "")
        return Diagnostic(where, "invalid-utf8", f"byte 0x{byte:02X} is not valid UTF-8", hint)
    if bad := UNUSABLE.search(text):
        where = Location(source.path, *text_position(text, bad.start()))
        message = f"the character U+{ord(bad[0]):04X} cannot stand in a text file"
        hint = "save the file as UTF-8" if bad[0] == "\0" else "delete it"
        return Diagnostic(where, "control-character", message, hint)
    return source


_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
UNUSABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""Control characters, and noncharacters, some of which mark the slots of rendered bodies."""
_UNPRINTABLE = re.compile(f"{UNUSABLE.pattern}|[\t\n\r\u2028\u2029]")


def text_position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of a character offset."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
