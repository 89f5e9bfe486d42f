"""What changes in the folders of the sources, as the operating system tells it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from pathlib import Path, PurePosixPath

import watchfiles

from paper_notes.diagnostics import UserError
from paper_notes.output.fingerprint import FOLDERS
from paper_notes.sources.tree import ignored, stamp

_STEP = 25
"""Milliseconds without a change after which a change is told of; the wait is one to two of these."""
_LONGEST = 1000
"""Milliseconds after which changes are told of, even if there are more and more."""
_TICK = 200
"""Milliseconds after which it is told that nothing changed."""

Stamp = bytes | None
"""All that changes when a file does, without reading it; None if it is not there."""


def stamp_of(path: Path) -> Stamp:
    """The stamp of a file or folder as it is now."""
    try:
        return stamp(path.stat())
    except OSError:
        return None


def watch(root: Path, tell: Callable[[str], None]) -> Generator[frozenset[PurePosixPath], None, None]:
    """Without an end: the paths that changed since the last time, several times a second, most often none.

    The first answer comes when watching has begun. Changes are noticed also while nobody asks. `tell` hears if the
    system cannot watch so many files, and they are compared again and again instead. Raises UserError.
    """
    root = root.resolve()
    polling: bool | None = None
    while True:
        folders = _folders(root)
        try:
            with closing(_events(root, folders, polling)) as events:
                for changed in events:
                    now = _folders(root)
                    yield changed | {PurePosixPath(name) for name in FOLDERS if now.get(name) != folders.get(name)}
                    if now != folders:
                        break
        except FileNotFoundError:
            continue  # a folder went away just now
        except (OSError, RuntimeError) as error:  # RuntimeError: what notify calls an internal error
            if polling:
                raise UserError(f"the sources cannot be watched: {error}") from error
            tell(f"the system does not tell of changes ({error}); looking for them every 300 ms instead")
            polling = True


def _folders(root: Path) -> dict[str, tuple[int, int]]:
    """Those of FOLDERS that are there, and which they are: one that is made anew is another."""
    found = {}
    for name in FOLDERS:
        place = root / name
        if place.is_dir():
            facts = place.stat()
            found[name] = facts.st_dev, facts.st_ino
    return found


def _events(root: Path, names: Iterable[str], polling: bool | None) -> Generator[frozenset[PurePosixPath], None, None]:
    found = watchfiles.watch(
        *(root / name for name in names),
        watch_filter=None,
        debounce=_LONGEST,
        step=_STEP,
        rust_timeout=_TICK,
        yield_on_timeout=True,
        force_polling=polling,
        ignore_permission_denied=True,
    )
    with closing(found):
        for changes in found:
            paths = (_below(root, Path(path)) for _, path in changes)
            yield frozenset(path for path in paths if matters(path))


def _below(root: Path, path: Path) -> PurePosixPath:
    """Relative to `root`; a path that is told in another way, as behind a symbolic link, keeps its name only."""
    return PurePosixPath(path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name)


def matters(path: PurePosixPath) -> bool:
    """False for files that a build does not read: what editors and version control keep beside the texts."""
    return not any(ignored(part) or part == _VIM_TRIES or part.startswith("#") for part in path.parts)


_VIM_TRIES = "4913"
"""Made and removed by Vim before it saves, to learn whether it may."""
