"""The only reader of sources: all files below `notes_src/` as values, in a fixed order; and files named by commands."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from types import MappingProxyType
from typing import TYPE_CHECKING

from paper_notes.artifacts import File
from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.engine.file_stats import is_fresh, stamp
from paper_notes.sources.characters import bad_character, likely_encoding, may_be_bad
from paper_notes.sources.conflicts import may_be_unmerged, read_conflicts
from paper_notes.sources.filenames import invisible
from paper_notes.sources.inside import Border, LinkRefused, open_file

if TYPE_CHECKING:
    from paper_notes.engine.cache import Cache, CacheTable


TEXT_SUFFIXES = frozenset({".yaml", ".yml", ".md", ".bib", ".svg"})
"""Suffixes of files that are read as UTF-8 text; every other file is a blob."""

SOURCE_FOLDER = "notes_src"
NOTHING_UNSAVED: Mapping[PurePosixPath, bytes] = MappingProxyType({})
_IGNORED_NAMES = frozenset({"Thumbs.db", "desktop.ini", "__pycache__", "node_modules"})
OWN_FILES = "static"
"""The folder of files that the site has as they are."""
_LINK = "this is a link, and files of the site as they are may be no links"
MAX_NOTE_BYTES = 512 * 1024
"""The most bytes of Markdown: fifty times the size of a long note, and some seconds of work."""
MAX_TEXT_BYTES = 8 * 1024 * 1024
MAX_BLOB_BYTES = 64 * 1024 * 1024
LAZY_BYTES = 128 * 1024
"""Blobs from this size on stay on disk until their bytes are needed, and so does every file with a known hash."""


class SourceChanged(UserError):
    """A file was changed or removed during a run; the message says which."""


@dataclass(frozen=True)
class OnDisk:
    """The bytes of a file that stay on disk until they are needed. Its hash is known, so others are never returned."""

    sha256: str
    size: int
    file: str = field(compare=False, repr=False)
    """Its absolute path."""

    @property
    def data(self) -> bytes:
        """The bytes. Raises SourceChanged if the file does not hold them any more."""
        try:
            with open_file(self.file) as file:
                data = file.read(self.size + 1)
        except OSError as error:
            raise SourceChanged(f"cannot read {self.file}: {error.strerror or error}") from error
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise SourceChanged(f"{self.file} was changed while it was being used; run the command again")
        return data


class Source(File, frozen=True):
    """A file as read."""

    content: bytes | OnDisk

    @property
    def text(self) -> str:
        r"""The content as text, with `\n` line ends and without a byte order mark. Only for valid UTF-8."""
        return with_plain_ends(self.data.decode("utf-8-sig"))


def nearest_collection(start: Path) -> Path:
    """The first of this folder and those above it that is a collection of the user's own; without one the folder.

    Above, only a `site.yaml` makes a collection, and a folder of another user is passed over: nobody meant that one.
    """
    if (start / SOURCE_FOLDER).exists():
        return start
    below = Path(os.path.abspath(start))  # noqa: PTH100 -- as the user came here, over links too
    for steps, folder in enumerate(below.parents, 1):
        with suppress(OSError):
            status = (folder / SOURCE_FOLDER / "site.yaml").stat()
            if os.name == "nt" or status.st_uid == os.geteuid():
                return start.joinpath(*[".."] * steps)
    return start


def read_tree(
    root: Path,
    cache: Cache | None = None,
    unsaved: Mapping[PurePosixPath, bytes] = NOTHING_UNSAVED,
    *,
    own_files: bool = False,
) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """Read all files below `root/notes_src`, sorted by path. Accents in paths are composed (NFC).

    With `own_files` those of `root/static`, too. With a `cache` a file is only read if its size or times have changed
    since it was last read, or somebody wants its text.

    Hidden files are ignored; symbolic links are followed to other files of `notes_src/` that are not hidden.
    A file that cannot be read (bad UTF-8, too large, no permission) is reported and missing from the result. So is a
    merge conflict, of which the result has one side. `unsaved` is what an editor has in place of what is on disk.
    """
    sources: list[Source] = []
    problems: list[Diagnostic] = []
    base = root / SOURCE_FOLDER
    if not base.is_dir():
        return (), ()  # `corpus.load` says so, as it misses the site.yaml
    if base.is_symlink():
        try:
            Border(root).real(base, Location(PurePosixPath(SOURCE_FOLDER)))
        except LinkRefused as refused:
            return (), (refused.diagnostic,)
    known = cache.table(f"hashes of {root.resolve()}") if cache else None
    names: dict[str, str] = {}
    paths, unlisted = _listed(root, own_files=own_files)
    problems += unlisted
    border = Border(root, SOURCE_FOLDER)
    for path, name in paths:
        normal = unicodedata.normalize("NFC", name)
        relative = _path(normal)
        if names.setdefault(normal, path) != path:
            message = "two files have this name, with accents written in two ways"
            problems.append(Diagnostic(Location(relative), "unreadable-file", message, "rename one of them"))
            continue
        source: Source | Diagnostic | None = as_read(relative, unsaved[relative]) if relative in unsaved else None
        source = source or (_known(path, relative, known) if known else None) or _read(path, relative, border, known)
        if isinstance(source, Diagnostic):
            problems.append(source)
            continue
        if isinstance(source.content, bytes) and _is_text(relative) and may_be_unmerged(source.content):
            conflicts = read_conflicts(relative, source.text)
            problems += conflicts.problems
            source = Source(relative, conflicts.ours.encode()) if conflicts.problems else source
        sources.append(source)
    if known:
        known.save()
    return tuple(sources), tuple(problems)


def _listed(root: Path, *, own_files: bool) -> tuple[list[tuple[str, str]], list[Diagnostic]]:
    """The files of the collection as `files_below` gives them, and what cannot be listed."""
    paths, unreadable = files_below(root / SOURCE_FOLDER)
    problems, own = list[Diagnostic](), root / OWN_FILES
    if own_files and own.is_symlink():
        where = Location(PurePosixPath(OWN_FILES))
        problems.append(Diagnostic(where, "outside-collection", _LINK, "copy the folder in"))
    elif own_files and own.is_dir():
        more, unreadable_too = files_below(own)
        paths, unreadable = [*paths, *more], [*unreadable, *unreadable_too]
    for error in unreadable:
        where = Location(printable(PurePosixPath(Path(error.filename).relative_to(root).as_posix())))
        message = f"cannot read the folder: {error.strerror}"
        problems.append(Diagnostic(where, "unreadable-file", message, "check its permissions"))
    return paths, problems


def files_below(base: Path) -> tuple[list[tuple[str, str]], list[OSError]]:
    """All files and their names, with links to folders (which `_read` refuses), and folders that cannot be listed.

    The names start with that of `base`, and have `/` between their parts.
    """
    files: list[tuple[str, str]] = []
    unreadable: list[OSError] = []
    for folder, subfolders, names in os.walk(base, onerror=unreadable.append):
        subfolders[:] = [name for name in subfolders if not ignored(name)]
        links = [name for name in subfolders if Path(folder, name).is_symlink()]
        start = f"{base.name}{folder[len(str(base)) :].replace(os.sep, '/')}/"
        files += [(os.path.join(folder, name), start + name) for name in (*names, *links) if not ignored(name)]
    return sorted(files, key=lambda file: file[1]), unreadable


def printable(path: PurePosixPath) -> PurePosixPath:
    """The path with escapes for invisible characters, and question marks for bytes that are not UTF-8."""
    text = str(path).encode(errors="replace").decode()
    shown = (sign.encode("unicode_escape").decode() if invisible(sign) else sign for sign in text)
    return PurePosixPath("".join(shown))


def ignored(name: str) -> bool:
    """True for files and folders that are not sources: hidden ones, backups of editors, system files."""
    return name.startswith(".") or name.endswith("~") or name in _IGNORED_NAMES


_path = lru_cache(maxsize=100_000)(PurePosixPath)
"""Cached for `serve`, which builds the same paths again and again."""


def _known(path: str, relative: PurePosixPath, table: CacheTable) -> Source | None:
    """The file without reading it, if it has not changed since it was read without problems."""
    try:
        stat = os.lstat(path)
    except OSError:
        return None
    if not S_ISREG(stat.st_mode):
        return None
    digest = table.get(str(relative), stamp(stat), bytes)
    return Source(relative, OnDisk(digest.hex(), stat.st_size, path)) if digest else None


def read_readmes(root: Path, paths: Iterable[PurePosixPath]) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """The Markdown files outside of `notes_src/` with regions that builds write; a missing one is a Diagnostic."""
    sources: list[Source] = []
    problems: list[Diagnostic] = []
    for path in dict.fromkeys(paths):
        if not (root / path).exists():
            hint = "write one with <!-- paper-notes:begin --> and <!-- paper-notes:end --> in it"
            message = f"site.yaml wants regions of this file kept, but there is no {path}"
            problems.append(Diagnostic(Location(path), "readme-markers", message, hint))
            continue
        folder = SOURCE_FOLDER if path.parts[0] == SOURCE_FOLDER else ""
        readme = _read(root / path, path, Border(root, folder))
        if isinstance(readme, Source):
            sources.append(readme)
        else:
            problems.append(readme)
    return tuple(sources), tuple(problems)


def _read(
    path: Path | str, relative: PurePosixPath, border: Border, table: CacheTable | None = None
) -> Source | Diagnostic:
    path = Path(path)
    where = Location(relative)
    if problem := _bad_name(relative):
        return problem
    if relative.parts[0] == OWN_FILES and path.is_symlink():
        return Diagnostic(where, "outside-collection", _LINK, "copy the file in")
    is_text = _is_text(relative)
    try:
        real = border.real(path, where)
        if not S_ISREG(os.lstat(real).st_mode):
            return Diagnostic(where, "unreadable-file", "this is not a regular file", "remove it")
        with open_file(real) as file:
            before = os.fstat(file.fileno())
            size = before.st_size
            if problem := _too_large(relative, size):
                return problem
            if not is_text and size >= LAZY_BYTES:
                digest = hashlib.file_digest(file, "sha256").digest()
                source = Source(relative, OnDisk(digest.hex(), size, str(real)))
            else:
                source = Source(relative, file.read(MAX_BLOB_BYTES))
    except LinkRefused as refused:
        return refused.diagnostic
    except OSError as error:
        hint = "remove the link" if path.is_symlink() else "check its permissions"
        return Diagnostic(where, "unreadable-file", f"cannot read the file: {error.strerror}", hint)
    checked = checked_text(source) if is_text else source
    if table is None or isinstance(checked, Diagnostic) or (is_text and may_be_unmerged(checked.data)):
        return checked
    if real == path and not is_fresh(before):
        table.put(str(relative), stamp(before), bytes.fromhex(checked.sha256))
    return Source(relative, OnDisk(checked.sha256, checked.size, str(real)))


def as_read(path: PurePosixPath, data: bytes) -> Source | Diagnostic:
    """The result of reading a file that is not written yet."""
    if problem := _bad_name(path) or _too_large(path, len(data)):
        return problem
    source = Source(path, data)
    return checked_text(source) if _is_text(path) else source


def _is_text(path: PurePosixPath) -> bool:
    return path.parts[0] != OWN_FILES and path.suffix.lower() in TEXT_SUFFIXES


def _too_large(relative: PurePosixPath, size: int) -> Diagnostic | None:
    kind = relative.suffix.lower() if _is_text(relative) else ""
    limit = MAX_NOTE_BYTES if kind == ".md" else MAX_TEXT_BYTES if kind in TEXT_SUFFIXES else MAX_BLOB_BYTES
    if size <= limit:
        return None
    message = f"the file has {size:,} bytes, more than the {limit:,} allowed"
    return Diagnostic(
        Location(relative), "file-too-large", message, f"make it smaller or move it out of {relative.parts[0]}/"
    )


def _bad_name(relative: PurePosixPath) -> Diagnostic | None:
    try:
        str(relative).encode()
    except UnicodeEncodeError:
        shown = Location(printable(relative))
        return Diagnostic(shown, "unreadable-file", "the name of the file is not valid UTF-8", "rename it")
    if sign := invisible(str(relative)):
        shown = Location(printable(relative))
        message = f"the name of the file holds the invisible character U+{ord(sign):04X}"
        return Diagnostic(shown, "unreadable-file", message, "rename it")
    return None


def checked_text(source: Source) -> Source | Diagnostic:
    """The file again, if it is a text; else what is wrong with it."""
    try:
        text = source.text
    except UnicodeDecodeError as error:
        before = with_plain_ends(error.object[: error.start].decode())
        where = Location(source.path, *text_position(before, len(before)))
        message = f"byte 0x{error.object[error.start]:02X} is not valid UTF-8"
        return Diagnostic(where, "invalid-utf8", message, _save_as_utf8(error.object, error.start))
    if may_be_bad(source.data) and (bad := bad_character(text, inside="a text file")):
        where = Location(source.path, *text_position(text, bad.offset))
        hint = _save_as_utf8(source.data, 0) if text[bad.offset] == "\0" else "delete it"
        return Diagnostic(where, "control-character", bad.message, hint)
    return source


def _save_as_utf8(data: bytes, wrong: int) -> str:
    looks = likely_encoding(data, wrong)
    return "save the file as UTF-8" + (f" (it looks like {looks})" if looks else "")


def text_position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of a character offset."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def with_plain_ends(text: str) -> str:
    r"""The text with `\n` at the end of each line."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_input_file(path: Path) -> bytes:
    """The bytes of a file that a user named, inside or outside of the collection. Raises UserError."""
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


def present(root: Path, *paths: PurePosixPath) -> list[Source]:
    """Files of a collection that are no sources of it: those of them that are there. Raises UserError."""
    return [Source(path, read_input_file(root / path)) for path in paths if (root / path).is_file()]


def read_input_text(path: Path) -> str:
    r"""Its text, with `\n` line ends. Raises UserError, also if it is not UTF-8."""
    try:
        return with_plain_ends(read_input_file(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text", "save it as UTF-8") from error
