"""Changes in the folders of the sources, as the operating system reports them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath

import watchfiles

from paper_notes.diagnostics import UserError
from paper_notes.engine.file_stats import stamp
from paper_notes.output.fingerprint import FOLDERS
from paper_notes.sources.tree import ignored

_STEP = 25
"""Milliseconds without a change after which earlier ones are reported; the wait is one to two of these."""
_LONGEST = 1000
"""Milliseconds after which changes are reported even if more follow."""
_TICK = 200
"""Milliseconds after which an empty set is reported."""

Stamp = bytes | None
"""The parts of a file's stat that change when it does; None if it does not exist."""


def stamp_of(path: Path) -> Stamp:
    """The stamp of a file or folder as it is now."""
    try:
        return stamp(path.stat())
    except OSError:
        return None


def watch(
    root: Path, say: Callable[[str], None], outside: Callable[[], tuple[Path, ...]] = tuple
) -> Generator[frozenset[PurePosixPath], None, None]:
    """Yield the paths that changed since the last time, without end, several times a second, most often none.

    The first set comes when watching has started. Changes are collected also between two calls. `say` is called if the
    system cannot watch so many files, which are then polled. `outside` gives other folders that are watched as well.
    Raises UserError.
    """
    root = root.resolve()
    polling: bool | None = None
    while True:
        folders, others = _folders(root), outside()
        try:
            with closing(_events(root, folders, others, polling)) as events:
                for changed in events:
                    now = _folders(root)
                    yield changed | {PurePosixPath(name) for name in FOLDERS if now.get(name) != folders.get(name)}
                    if now != folders or outside() != others:
                        break
        except FileNotFoundError:
            continue  # a folder was removed just now
        except (OSError, RuntimeError) as error:  # RuntimeError: what notify calls an internal error
            if polling:
                raise UserError(f"the sources cannot be watched: {error}") from error
            say(f"the system does not report changes ({error}); looking for them every 300 ms instead")
            polling = True


def _folders(root: Path) -> dict[str, tuple[int, int]]:
    """Device and inode of each of FOLDERS that exists: a folder that is created again gets others."""
    ids = {}
    for name in FOLDERS:
        place = root / name
        if place.is_dir():
            facts = place.stat()
            ids[name] = facts.st_dev, facts.st_ino
    return ids


def _events(
    root: Path, names: Iterable[str], others: Sequence[Path], polling: bool | None
) -> Generator[frozenset[PurePosixPath], None, None]:
    batches = watchfiles.watch(
        *(root / name for name in names),
        *others,
        watch_filter=None,
        debounce=_LONGEST,
        step=_STEP,
        rust_timeout=_TICK,
        yield_on_timeout=True,
        force_polling=polling,
        ignore_permission_denied=True,
    )
    with closing(batches):
        for changes in batches:
            paths = (_below(root, others, Path(path)) for _, path in changes)
            yield frozenset(path for path in paths if matters(path))


def _below(root: Path, others: Iterable[Path], path: Path) -> PurePosixPath:
    """A path relative to `root`, or with the name of another folder; only its name if it is behind a symbolic link."""
    for place in (root, *(other.parent for other in others if path.is_relative_to(other))):
        if path.is_relative_to(place):
            return PurePosixPath(path.relative_to(place).as_posix())
    return PurePosixPath(path.name)


def matters(path: PurePosixPath) -> bool:
    """False for files of editors and version control, which a build does not read."""
    return not any(ignored(part) or part == _VIM_TRIES or part.startswith("#") for part in path.parts)


_VIM_TRIES = "4913"
"""A file that Vim creates and removes before saving, to test whether it may."""
