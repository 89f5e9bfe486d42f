"""Folders that are no collection of ours: their files, listed and read for `import`."""

from __future__ import annotations

import os
import unicodedata
from collections import deque
from collections.abc import Container, Iterator, Mapping
from functools import partial
from itertools import chain, count, islice
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
    problem: OSError | None = None
    for path, place in _walk(folder):
        if isinstance(place, str):
            files[free_path(path, files)] = place
        else:
            left[_composed(path)] = "unreadable" if place else "link"
            problem = problem or place
        if len(files) > MAX_FILES:
            raise UserError(f'"{folder}" has more than {MAX_FILES:,} files', "name the folder of the notes in it")
    if problem and not files:
        raise UserError(f'"{problem.filename}" cannot be read: {problem.strerror}', "check its permissions")
    return files, left


def list_near(folder: Path, most: int) -> Mapping[PurePosixPath, str]:
    """Like `list_folder`, but at most so many files, the nearest ones first; what cannot be read is passed over."""
    files: dict[PurePosixPath, str] = {}
    for path, place in islice(((path, place) for path, place in _walk(folder) if isinstance(place, str)), most):
        files[free_path(path, files)] = place
    return files


def _walk(folder: Path) -> Iterator[tuple[PurePosixPath, str | OSError | None]]:
    """All files by their paths, the nearest first, and where each is: None for links, an error for closed folders."""
    waiting = deque([(folder, PurePosixPath())])
    while waiting:
        place, below = waiting.popleft()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: _composed_first(entry.name))
        except OSError as error:
            yield below, error
            continue
        for entry in entries:
            if entry.is_dir() and entry.name in _LEFT_OUT:
                continue
            if entry.is_symlink():
                yield below / entry.name, None
            elif entry.is_dir():
                waiting.append((Path(entry.path), below / entry.name))
            elif entry.is_file():
                yield below / entry.name, entry.path


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
