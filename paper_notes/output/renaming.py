"""Moves, rewrites and removes files of notes, all or nothing. What was killed half way is finished by the next run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import pack, unpack
from paper_notes.engine.user_cache import cache_folder, make_cache_folder, may_use
from paper_notes.output.disk import apply_whole, named_problems, refuse_read_only
from paper_notes.output.guarded import beside, place_of, put
from paper_notes.output.plan import Plan
from paper_notes.sources.tree import SourceChanged
from paper_notes.values import Struct

JOURNAL = "unfinished-move"
"""The file beside the cache that holds a Renaming while it is carried out."""


class Rewrite(Struct, frozen=True):
    """New content for a file, named by its place after the renaming, and the SHA-256 that it must have before."""

    path: PurePosixPath
    before: str
    data: bytes


class Renaming(Struct, frozen=True):
    """Changes that belong together."""

    command: str
    """What the user typed after `paper-notes`: again, it finishes this."""
    moves: tuple[tuple[PurePosixPath, PurePosixPath], ...]
    """Folders and files with their new names, in an order in which each new name is free; see `in_order`."""
    rewrites: tuple[Rewrite, ...]
    removed: tuple[PurePosixPath, ...] = ()
    """Folders and files that go, last of all."""

    def path_before(self, path: PurePosixPath) -> PurePosixPath:
        """Where a file is before the renaming."""
        for old, new in self.moves:
            if path.is_relative_to(new):
                return old / path.relative_to(new)
        return path


def in_order(moves: Mapping[PurePosixPath, PurePosixPath]) -> tuple[tuple[PurePosixPath, PurePosixPath], ...]:
    """The moves, each after the one that frees its new name. Raises UserError if they go in a circle."""
    left, ordered = dict(moves), list[tuple[PurePosixPath, PurePosixPath]]()
    while left:
        free = [old for old, new in left.items() if new not in left or new == old]
        if not free:
            names = ", ".join(map(str, left))
            raise UserError(f"these would have each other's names: {names}", "give one of them another name first")
        ordered += ((old, left.pop(old)) for old in free)
    return tuple(ordered)


def carry_out(root: Path, renaming: Renaming) -> None:
    """Rename, rewrite, then remove; an error or Ctrl-C undoes it. Hold the lock.

    Nothing is written over: what another program saves meanwhile stays, and raises SourceChanged. Raises UserError.
    """
    root = root.resolve()
    _refuse(root, renaming)
    moved: list[tuple[PurePosixPath, PurePosixPath]] = []
    rewritten = tuple(Artifact(rewrite.path, rewrite.data) for rewrite in renaming.rewrites)
    before = {rewrite.path: rewrite.before for rewrite in renaming.rewrites}
    with named_problems():
        _write_journal(root, renaming)
        try:
            for old, new in renaming.moves:
                _rename(root / old, root / new)
                moved.append((old, new))
            apply_whole(root, Plan(create=(), update=rewritten, delete=(), unchanged=(), before=before))
        except BaseException:
            _undo(root, moved)
            raise
        _remove(root, renaming)
        _remove_journal(root)


def _undo(root: Path, moved: list[tuple[PurePosixPath, PurePosixPath]]) -> None:
    """Restore the old names."""
    for old, new in reversed(moved):
        if not os.path.lexists(root / old):
            with suppress(OSError):
                _rename(root / new, root / old)
    _remove_journal(root)


def finish(root: Path) -> Renaming | None:
    """Finish what was killed after the first renaming, and give it; None if there is nothing to finish. Hold the lock.

    Files that were changed since are left as they are. Raises UserError.
    """
    root = root.resolve()
    with named_problems():
        renaming = unfinished(root)
        for old, new in renaming.moves if renaming else ():
            if not os.path.lexists(root / new):
                _rename(root / old, root / new)
        for rewrite in renaming.rewrites if renaming else ():
            place = place_of(root, rewrite.path)
            with suppress(SourceChanged):
                if place.is_file() and sha256(place.read_bytes()).hexdigest() == rewrite.before:
                    put(root, Artifact(rewrite.path, rewrite.data), rewrite.before)
        if renaming:
            _remove(root, renaming)
        _remove_journal(root)
        return renaming


def unfinished(root: Path) -> Renaming | None:
    """What was killed after its first renaming: before that nothing was done, or it was undone by hand."""
    renaming = _read_journal(root)
    moves = renaming.moves if renaming else ()
    news = {new for _, new in moves}
    for number, (old, new) in enumerate(moves):
        if os.path.lexists(root / new) and (old in news or not os.path.lexists(root / old)):
            continue
        return renaming if number and os.path.lexists(root / old) else None
    return renaming


def _remove(root: Path, renaming: Renaming) -> None:
    for path in renaming.removed:
        place = root / path
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)


def _refuse(root: Path, renaming: Renaming) -> None:
    """Raise UserError for what must not be done."""
    olds = {old for old, _ in renaming.moves}
    for path in (*(path for move in renaming.moves for path in move), *renaming.removed):
        real = Path(os.path.realpath((root / path).parent))
        if real != (root / path).parent:
            raise UserError(f"{path} is behind a symbolic link; move it where it really is")
    for old, new in renaming.moves:
        if new not in olds and os.path.lexists(root / new) and not _is_same(root / old, root / new):
            raise UserError(f"{new} is there already", "choose another number or name")
        if link := _broken_link(root, old, new):
            raise UserError(f"the link {link} would lead nowhere then", "put the file itself there")
    for rewrite in renaming.rewrites:
        path = renaming.path_before(rewrite.path)
        refuse_read_only(place_of(root, path), path)


def _broken_link(root: Path, old: PurePosixPath, new: PurePosixPath) -> PurePosixPath | None:
    """A symbolic link into the folder or out of it that would have another target."""

    def after(path: Path) -> Path:
        return root / new / path.relative_to(root / old) if path.is_relative_to(root / old) else path

    for folder, folders, files in os.walk(root / old.parts[0]):
        for name in (*folders, *files):
            link = Path(folder, name)
            if link.is_symlink():
                then = os.path.normpath(after(link).parent / link.readlink())
                if Path(then) != after(Path(os.path.normpath(link.parent / link.readlink()))):
                    return PurePosixPath(link.relative_to(root).as_posix())
    return None


def _is_same(path: Path, other: Path) -> bool:
    """True on disks that do not tell case apart, for names that differ in nothing else."""
    return path.name.casefold() == other.name.casefold() and path.samefile(other)


def _rename(old: Path, new: Path) -> None:
    new.parent.mkdir(parents=True, exist_ok=True)
    old.rename(new)


def _write_journal(root: Path, renaming: Renaming) -> None:
    """Without a folder for it, a kill leaves the rest to the user, and `check` says what it is."""
    with suppress(OSError):
        file = make_cache_folder(root) / JOURNAL
        with beside(file, pack(renaming)) as temporary:
            os.replace(temporary, file)


def _read_journal(root: Path) -> Renaming | None:
    if not may_use(root):
        return None
    with suppress(OSError):
        return unpack(Renaming, (cache_folder(root) / JOURNAL).read_bytes())
    return None


def _remove_journal(root: Path) -> None:
    with suppress(OSError):
        (cache_folder(root) / JOURNAL).unlink()
