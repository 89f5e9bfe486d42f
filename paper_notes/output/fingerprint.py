"""Whether anything changed since the last build, from nothing but the stats of files: no file is opened.

It stands apart from all that builds, so that a build with nothing to do costs little more than starting Python.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paper_notes.diagnostics import Diagnostic
from paper_notes.engine.cache import Cache
from paper_notes.engine.codec import pack, unpack
from paper_notes.sources.tree import FRESH, SOURCE_FOLDER, is_fresh, stamp

if TYPE_CHECKING:
    from paper_notes.output.plan import Plan
    from paper_notes.sources.tree import Source

FOLDERS = (SOURCE_FOLDER, "templates", "assets")
"""What a build reads, besides the files whose marked regions it keeps."""
OUTPUT = "site"
_Stat = os.stat_result | str
"""Of a file; where there is none, what else tells how things stand."""


@dataclass(frozen=True, slots=True)
class BuildRecord:
    """A build that ended well."""

    notes: int
    files: int
    """Of the site, and READMEs."""
    readmes: tuple[tuple[str, str], ...]
    """The files outside of the site whose marked regions are kept, and the SHA-256 that they were left with."""
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Record:
    stats: bytes
    seen: BuildRecord


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The sources as they were at a moment."""

    root: Path
    sources: bytes


def snapshot(root: Path) -> Snapshot:
    """To be called before a build reads anything."""
    return Snapshot(root, _digest(_stats(root, FOLDERS)))


def remember(
    cache: Cache,
    before: Snapshot,
    plan: Plan,
    readmes: Iterable[Source],
    notes: int,
    diagnostics: tuple[Diagnostic, ...],
) -> None:
    """Keep what a build found and wrote, if nobody has changed a source or a README meanwhile, or a moment ago."""
    made = {artifact.path: artifact.sha256 for artifact in plan.update}
    left = tuple((str(source.path), made.get(source.path, source.sha256)) for source in readmes)
    seen = BuildRecord(notes, plan.size, left, diagnostics)
    root = before.root
    sources, written = list(_stats(root, FOLDERS)), list(_stats(root, (OUTPUT,)))
    if _digest(sources) != before.sources or _is_fresh(sources):
        return
    if _is_fresh(written):
        time.sleep(FRESH / 1e9)  # our own files, which we know: only nobody else may have touched them since
        written = list(_stats(root, (OUTPUT,)))
        if _is_fresh(written):
            return  # on a disk of coarse times, the next build looks at all files, and remembers then
    rest = list(_rest(root, seen.readmes))
    if any(_sha256(root / name) != digest for name, digest in left):
        return
    cache.put(_name(root), pack(_Record(_digest([*sources, *written, *rest]), seen)), of_any_program=True)


def unchanged(root: Path, cache: Cache) -> BuildRecord | None:
    """What the last build found, if another one would find the same and write nothing."""
    record = unpack(_Record, cache.get(_name(root), of_any_program=True) or b"")
    return record.seen if record and record.stats == _all(root, record.seen.readmes) else None


def _sha256(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def _name(root: Path) -> str:
    return f"last build of {root.resolve()}"


def _all(root: Path, readmes: Iterable[tuple[str, str]]) -> bytes:
    return _digest([*_stats(root, FOLDERS), *_stats(root, (OUTPUT,)), *_rest(root, readmes)])


def _rest(root: Path, readmes: Iterable[tuple[str, str]]) -> Iterator[tuple[str, _Stat]]:
    yield from _stats(root, (name for name, _ in readmes))
    yield from _program()


def _program() -> Iterator[tuple[str, _Stat]]:
    """This program and the folders of its libraries, which change when one is installed."""
    yield from _stats(Path(__file__).parents[2], ("paper_notes", "templates", "assets"))
    yield sys.version, ""
    for place in sys.path:
        try:
            yield place, str(os.stat(place).st_mtime_ns)
        except OSError:
            continue


def _stats(root: Path, names: Iterable[str]) -> Iterator[tuple[str, _Stat]]:
    """Each file below the folders (or each file itself), with all that changes when it does."""
    for name in names:
        yield from _below(os.path.join(root, name))


def _below(path: str) -> Iterator[tuple[str, _Stat]]:
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except NotADirectoryError:
        yield path, os.stat(path)
        return
    except OSError as error:
        yield path, str(error.errno)
        return
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False):
                yield from _below(entry.path)
            elif not entry.name.endswith(".pyc"):
                yield entry.path, entry.stat()
        except OSError as error:
            yield entry.path, str(error.errno)


def _digest(stats: Iterable[tuple[str, _Stat]]) -> bytes:
    found = hashlib.sha256()
    for path, stat in stats:
        found.update(path.encode(errors="surrogateescape"))
        found.update(b"\0%b\n" % (stat.encode() if isinstance(stat, str) else stamp(stat)))
    return found.digest()


def _is_fresh(stats: Iterable[tuple[str, _Stat]]) -> bool:
    """True if a file was changed just now."""
    return any(not isinstance(stat, str) and is_fresh(stat) for _, stat in stats)
