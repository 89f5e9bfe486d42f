"""Folders that are no collection of ours: their files, listed and read for `import`."""

from __future__ import annotations

import os
import unicodedata
from collections import deque
from collections.abc import Container, Mapping
from functools import partial
from itertools import chain, count
from pathlib import Path, PurePosixPath

from paper_notes.diagnostics import UserError
from paper_notes.sources.inside import open_file
from paper_notes.sources.tree import MAX_BLOB_BYTES

_LEFT_OUT = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".trash", ".cache"})
"""Folders of programs, in which nobody writes notes."""
MAX_FILES = 200_000


def list_folder(folder: Path) -> tuple[Mapping[PurePosixPath, str], Mapping[PurePosixPath, str]]:
    """The files below a folder and where each is, by their paths in it; and what is left out, and why.

    Links are left out: `link`; so is what cannot be read: `unreadable`. Raises UserError.
    """
    files: dict[PurePosixPath, str] = {}
    left: dict[PurePosixPath, str] = {}
    unreadable: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=unreadable.append):
        below = PurePosixPath(os.path.relpath(place, folder).replace(os.sep, "/"))
        folders[:] = sorted((name for name in folders if name not in _LEFT_OUT), key=_composed_first)
        links = [name for name in folders if Path(place, name).is_symlink()]
        folders[:] = [name for name in folders if name not in links]
        left |= {_composed(below / name): "link" for name in links}
        for name in sorted(names, key=_composed_first):
            path = Path(place, name)
            if path.is_symlink():
                left[_composed(below / name)] = "link"
            elif path.is_file():
                files[free_path(below / name, files)] = str(path)
        if len(files) > MAX_FILES:
            raise UserError(f'"{folder}" has more than {MAX_FILES:,} files', "name the folder of the notes in it")
    if unreadable and not files:
        problem = unreadable[0]
        raise UserError(f'"{problem.filename}" cannot be read: {problem.strerror}', "check its permissions")
    for problem in unreadable:
        closed = PurePosixPath(os.path.relpath(problem.filename or folder, folder).replace(os.sep, "/"))
        left[_composed(closed)] = "unreadable"
    return files, left


def list_near(folder: Path, most: int) -> Mapping[PurePosixPath, str]:
    """Like `list_folder`, but at most so many files, the nearest ones first; what cannot be read is passed over."""
    files: dict[PurePosixPath, str] = {}
    waiting = deque([(folder, PurePosixPath())])
    while waiting and len(files) < most:
        place, below = waiting.popleft()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: _composed_first(entry.name))
        except OSError:
            continue
        for entry in entries[:most]:
            if entry.is_symlink():
                continue
            if entry.is_dir() and entry.name not in _LEFT_OUT:
                waiting.append((Path(entry.path), below / entry.name))
            elif entry.is_file() and len(files) < most:
                files[free_path(below / entry.name, files)] = entry.path
    return files


def reader(places: Mapping[PurePosixPath, str]) -> partial[bytes | None]:
    """A function that reads one of the files; processes can be sent it."""
    return partial(_read, places)


def _read(places: Mapping[PurePosixPath, str], path: PurePosixPath) -> bytes | None:
    """The content of a file; None if it cannot be read or is too large."""
    place = places.get(path)
    if place is None:
        return None
    try:
        with open_file(place) as file:
            data = file.read(MAX_BLOB_BYTES + 1)
    except OSError:
        return None
    return data if len(data) <= MAX_BLOB_BYTES else None


def free_path(path: PurePosixPath, taken: Container[PurePosixPath]) -> PurePosixPath:
    """The path with composed accents; where another file has that, as the disk has it, and at last with a number."""
    written = PurePosixPath(str(path).encode(errors="replace").decode())
    numbered = (written.with_stem(f"{written.stem}-{number}") for number in count(2))
    return next(candidate for candidate in chain((_composed(path), written), numbered) if candidate not in taken)


def spelled(path: PurePosixPath, files: Container[PurePosixPath]) -> PurePosixPath:
    """The path as the listing of a folder has it: links may be written with other accents than it."""
    return path if path in files else _composed(path)


def _composed_first(name: str) -> tuple[bool, str]:
    return not unicodedata.is_normalized("NFC", name), name


def _composed(path: PurePosixPath) -> PurePosixPath:
    """The path with composed accents, and question marks for bytes that are not UTF-8."""
    text = str(path).encode(errors="replace").decode()
    return PurePosixPath(unicodedata.normalize("NFC", text))
