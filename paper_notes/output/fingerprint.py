"""Whether anything changed since the last build, by `os.stat` alone: no file is opened.

It imports nothing that builds, so a build with nothing to do costs little more than starting Python.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from paper_notes.diagnostics import Diagnostic
from paper_notes.engine.cache import Cache, pack, unpack
from paper_notes.engine.file_stats import FRESH, Stat, any_fresh, stats_below, stats_digest
from paper_notes.engine.program import program_stats
from paper_notes.sources.tree import OWN_FILES, SOURCE_FOLDER
from paper_notes.values import Struct

if TYPE_CHECKING:
    from paper_notes.output.plan import Plan
    from paper_notes.sources.tree import Source

FOLDERS = (SOURCE_FOLDER, "templates", "assets", OWN_FILES)
"""What a build reads, besides the files whose marked regions it keeps."""
OUTPUT = "site"


class BuildRecord(Struct, frozen=True):
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
    return stats_digest(stats_below(root, FOLDERS))


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
    sources, written = list(stats_below(root, FOLDERS)), list(stats_below(root, (OUTPUT,)))
    if stats_digest(sources) != before or any_fresh(sources):
        return
    if any_fresh(written):
        time.sleep(FRESH / 1e9)  # our own files: wait, so that a later change by others will show
        written = list(stats_below(root, (OUTPUT,)))
        if any_fresh(written):
            return  # times on this disk are coarse: the next build compares all files, and remembers then
    rest = list(_rest(root, left))
    if any(_sha256(root / name) != digest for name, digest in left):
        return
    build = BuildRecord(stats_digest([*sources, *written, *rest]), counts[0], plan.size, left, diagnostics, counts[1])
    cache.put(_name(root), pack(build), of_any_program=True)


def unchanged(root: Path, cache: Cache) -> BuildRecord | None:
    """The result of the last build, if another one would have the same and write nothing."""
    record = unpack(BuildRecord, cache.get(_name(root), of_any_program=True) or b"")
    if record is None:
        return None
    now = stats_digest([*stats_below(root, (*FOLDERS, OUTPUT)), *_rest(root, record.readmes)])
    return record if record.stats == now else None


def _sha256(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def _name(root: Path) -> str:
    return f"last build of {root.resolve()}"


def _rest(root: Path, readmes: Iterable[tuple[str, str]]) -> Iterator[tuple[str, Stat]]:
    yield from stats_below(root, (name for name, _ in readmes))
    yield from program_stats()
