"""`sources:` of `site.yaml`: folders of notes that another program keeps, from which each build takes what changed.

The originals are only read. The notes in `notes_src/` follow them as at an `import` that is done again.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path, PurePosixPath

from paper_notes.commands.terminal import say, say_diagnostics, say_problem
from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import Cache, open_cache, pack, unpack
from paper_notes.engine.file_stats import is_fresh, stamp
from paper_notes.engine.outside_folders import may_read
from paper_notes.features.importing.outside import list_folder
from paper_notes.sources.tree import SOURCE_FOLDER, ignored, present
from paper_notes.values import Struct, replace

_SETTINGS, _RECORD = (PurePosixPath(SOURCE_FOLDER, name) for name in ("site.yaml", ".imported.json"))
Stamps = Mapping[str, bytes]
"""Of files by their paths in the folder. One that had just been written, or could not be taken in, has an empty one."""


class _Folder(Struct, frozen=True):
    path: str
    topic: str | None
    stamps: Stamps


class _LastTime(Struct, frozen=True):
    """The state of all that takes part, when notes had been brought in."""

    settings: str
    """The SHA-256 of `site.yaml` before."""
    record: bytes
    """The stamp of the record of what was taken in, afterwards."""
    folders: tuple[_Folder, ...]


def bring_in(root: Path, *, write: bool) -> None:
    """Take in what has changed in the folders of `sources:`; without `write`, fail if something has.

    What cannot be taken in is said, and tried again the next time; the build goes on with the notes that there are.
    """
    settings = next(iter(present(root, _SETTINGS)), None)
    if settings is None or b"sources" not in settings.data:
        return
    key, digest = f"sources:{root.resolve()}", settings.sha256
    with closing(open_cache(root)) as kept:
        last = unpack(_LastTime, kept.get(key) or b"") or _LastTime("", b"", ())
        named = last.folders if last.settings == digest else tuple(_named(root, kept))
        known = {(folder.path, folder.topic): folder for folder in last.folders if last.record == _record(root)}
        folders = (known.get((folder.path, folder.topic), replace(folder, stamps={})) for folder in named)
        now = _LastTime(digest, b"", tuple(_brought_in(root, folder, kept, write=write) for folder in folders))
        if write:
            kept.put(key, pack(replace(now, record=_record(root))))
            kept.write()


def _record(root: Path) -> bytes:
    file = root / _RECORD
    return stamp(file.stat()) if file.is_file() else b""


def _named(root: Path, kept: Cache) -> Iterator[_Folder]:
    from paper_notes.features.importing.commands.changed_originals import named_folders

    return (_Folder(folder.path, folder.topic, {}) for folder in named_folders(root, kept))


def _brought_in(root: Path, folder: _Folder, kept: Cache, *, write: bool) -> _Folder:
    """The folder as it is now, when its notes have been taken in."""
    place = root / Path(folder.path).expanduser()
    if not place.is_dir():
        _say_once(f'There is no folder "{folder.path}" on this machine: its notes stay as they were taken in.')
        return folder
    if not may_read(root, place, kept):
        command = shlex.join(["import", folder.path, *(["--topic", folder.topic] if folder.topic else [])])
        _say_once(f'"{folder.path}" is outside of this collection: `paper-notes {command}` lets builds read it.')
        return replace(folder, stamps={})
    now, changed = dict[str, bytes](), set[str]()
    try:
        listed = list_folder(place)[0].items()
        files = {str(path): file for path, file in listed if not any(map(ignored, path.parts))}
        now = {name: _stamp(Path(file)) for name, file in files.items()}
        changed = {name for name, known in now.items() if not known or known != folder.stamps.get(name)}
        changed |= folder.stamps.keys() - now.keys()
        if changed or not now:
            # most builds find nothing changed, and what follows is slow to import
            from paper_notes.features.importing.commands.changed_originals import take_in_changed, to_read

            paths = to_read(files, changed, folder.stamps) if now and folder.stamps else None
            take_in_changed(root, folder.path, folder.topic, [place] if paths is None else paths, write=write)
    except UserError as problem:
        say_diagnostics(problem.diagnostics)
        say_problem(f"{folder.path}: {problem.message}", problem.hint)
        now = {name: b"" if name in changed else known for name, known in now.items()} if folder.stamps else {}
    return _Folder(folder.path, folder.topic, now)


def _stamp(file: Path) -> bytes:
    try:
        stat = file.stat()
    except OSError:
        return b""  # it was removed just now
    return b"" if is_fresh(stat) else stamp(stat)


@cache
def _say_once(words: str) -> None:
    say(words)
