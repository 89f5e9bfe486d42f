"""Whether anything changed since the last build, by `os.stat` alone: no file is opened.

It imports nothing that builds, so a build with nothing to do costs little more than starting Python.
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
from paper_notes.engine.cache import Cache, pack, unpack
from paper_notes.extensions import code_of_others
from paper_notes.sources.tree import FRESH, OWN_FILES, SOURCE_FOLDER, is_fresh, stamp

if TYPE_CHECKING:
    from paper_notes.output.plan import Plan
    from paper_notes.sources.tree import Source

FOLDERS = (SOURCE_FOLDER, "templates", "assets", OWN_FILES)
"""What a build reads, besides the files whose marked regions it keeps."""
OUTPUT = "site"
_Stat = os.stat_result | str
"""The stat of a file; if there is none, an error number or another text that takes part in the digest."""


@dataclass(frozen=True, slots=True)
class BuildRecord:
    """The result of the last successful build."""

    stats: bytes
    """Digest of the stats of all files that take part in it."""
    notes: int
    files: int
    """Number of files of the site, READMEs included."""
    readmes: tuple[tuple[str, str], ...]
    """The files outside of the site whose marked regions are kept, and the SHA-256 of each after the build."""
    diagnostics: tuple[Diagnostic, ...]
    drafts: int = 0


def snapshot(root: Path) -> bytes:
    """The state of the sources. Call it before a build reads anything."""
    return _digest(_stats(root, FOLDERS))


def remember(
    root: Path,
    cache: Cache,
    before: bytes,
    plan: Plan,
    readmes: Iterable[Source],
    counts: tuple[int, int],
    diagnostics: tuple[Diagnostic, ...],
) -> None:
    """Keep the result of a build, unless a source or README was changed during the build or just before.

    `before` is the snapshot of the sources; `counts` are the notes, and the drafts that were left out.
    """
    updated = {artifact.path: artifact.sha256 for artifact in plan.update}
    left = tuple((str(source.path), updated.get(source.path, source.sha256)) for source in readmes)
    sources, written = list(_stats(root, FOLDERS)), list(_stats(root, (OUTPUT,)))
    if _digest(sources) != before or _is_fresh(sources):
        return
    if _is_fresh(written):
        time.sleep(FRESH / 1e9)  # our own files: wait, so that a later change by others will show
        written = list(_stats(root, (OUTPUT,)))
        if _is_fresh(written):
            return  # times on this disk are coarse: the next build compares all files, and remembers then
    rest = list(_rest(root, left))
    if any(_sha256(root / name) != digest for name, digest in left):
        return
    build = BuildRecord(_digest([*sources, *written, *rest]), counts[0], plan.size, left, diagnostics, counts[1])
    cache.put(_name(root), pack(build), of_any_program=True)


def unchanged(root: Path, cache: Cache) -> BuildRecord | None:
    """The result of the last build, if another one would have the same and write nothing."""
    record = unpack(BuildRecord, cache.get(_name(root), of_any_program=True) or b"")
    if record is None:
        return None
    now = _digest([*_stats(root, (*FOLDERS, OUTPUT)), *_rest(root, record.readmes)])
    return record if record.stats == now else None


def _sha256(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def _name(root: Path) -> str:
    return f"last build of {root.resolve()}"


def _rest(root: Path, readmes: Iterable[tuple[str, str]]) -> Iterator[tuple[str, _Stat]]:
    yield from _stats(root, (name for name, _ in readmes))
    yield from _program()


def _program() -> Iterator[tuple[str, _Stat]]:
    """This program, packages that add to it, and the folders of its libraries, which change when one is installed."""
    yield from _stats(Path(__file__).parents[2], ("paper_notes", "templates", "assets", *map(str, code_of_others())))
    yield sys.version, ""
    for place in sys.path:
        try:
            yield place, str(os.stat(place).st_mtime_ns)
        except OSError:
            continue


def _stats(root: Path, names: Iterable[str]) -> Iterator[tuple[str, _Stat]]:
    """Each file below these folders (or the named file itself), with its stat."""
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
    digest = hashlib.sha256()
    for path, stat in stats:
        digest.update(path.encode(errors="surrogateescape"))
        digest.update(b"\0%b\n" % (stat.encode() if isinstance(stat, str) else stamp(stat)))
    return digest.digest()


def _is_fresh(stats: Iterable[tuple[str, _Stat]]) -> bool:
    """True if a file was changed just now."""
    return any(not isinstance(stat, str) and is_fresh(stat) for _, stat in stats)
