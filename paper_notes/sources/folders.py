"""The files in folders of the collection, and their names."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from paper_notes.sources.filenames import invisible

_IGNORED_NAMES = frozenset({"Thumbs.db", "desktop.ini", "__pycache__", "node_modules"})


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
