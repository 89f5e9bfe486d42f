"""The only writer: compares wanted files with the disk and applies the plan, each file in one step."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Container, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path, PurePosixPath
from stat import S_ISREG

from paper_notes.artifacts import Artifact, ExistingFile
from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import Cache
from paper_notes.engine.file_stats import is_coarse, is_fresh, stamp
from paper_notes.engine.user_cache import cache_folder
from paper_notes.output.guarded import beside, discard, permissions, place_of, put, take_back, temporary_folder
from paper_notes.output.plan import Plan, plan
from paper_notes.output.staging import Stage, Staged
from paper_notes.sources.tree import Source, SourceChanged
from paper_notes.values import replace

MANIFEST = PurePosixPath("site", ".manifest")
"""Lists the files in `site/` that are ours; nothing else is ever deleted."""
_LARGEST = 256 * 1024 * 1024
"""Bytes: more than any file of ours has. Of a larger file only the beginning is read, which is enough to differ."""
_SHOWN = 20
"""Files that a message names at most."""
_AT_ONCE = 16
"""So many new files wait for the disk together, which syncs many in the time of one."""


class Disk:
    """Hashes of the files on disk. A file is read only if it changed since it was last read or written."""

    def __init__(self, root: Path, cache: Cache | None = None, *, drafts: bool = False) -> None:
        """`drafts` are shown to the writer only, so a site that has them is below `place_of_drafts`."""
        root = place_of_drafts(root) if drafts else root
        self.root, self.drafts, self._start = root, drafts, f"{root}{os.sep}"
        self.variant = " with drafts" if drafts else ""
        self._table = (cache or Cache()).table(f"hashes of what was written to {root.resolve()}")
        self._digests: dict[PurePosixPath, tuple[str, int] | None] = {}

    def digest(self, path: PurePosixPath) -> str | None:
        """SHA-256 of a file as hex; None if it does not exist. Found once per file. Raises UserError."""
        known = self._found(path)
        return known[0] if known else None

    def _found(self, path: PurePosixPath) -> tuple[str, int] | None:
        if path not in self._digests:
            self._digests[path] = self._read_digest(path)
        return self._digests[path]

    def _read_digest(self, path: PurePosixPath) -> tuple[str, int] | None:
        """The SHA-256 of a file as hex, and its size in bytes."""
        place = f"{self._start}{path}"
        try:
            stat = os.lstat(place)
        except (OSError, ValueError):
            return None
        if S_ISREG(stat.st_mode) and (known := self._table.get(str(path), stamp(stat), bytes)):
            return known.hex(), stat.st_size
        data = _read(Path(place))
        if data is None:
            return None
        digest = hashlib.sha256(data).digest()
        if S_ISREG(stat.st_mode) and not is_fresh(stat):
            self._table.put(str(path), stamp(stat), digest)
        return digest.hex(), len(data)

    def existing(self, path: PurePosixPath, sha256: str) -> Artifact | None:
        """The file as an artifact, if it has this hash."""
        known = self._found(path)
        if known is None or known[0] != sha256:
            return None
        return Artifact(path, ExistingFile(sha256, known[1], lambda: (self.root / path).read_bytes()))

    def wrote(self, artifact: Artifact) -> None:
        """Record the hash of a file that has just been written."""
        with suppress(OSError):
            stat = os.lstat(f"{self._start}{artifact.path}")
            if not is_coarse(stat):
                self._table.put(str(artifact.path), stamp(stat), bytes.fromhex(artifact.sha256))

    def save(self) -> None:
        """Keep the hashes of the files that were read or written."""
        self._table.save()


def read_manifest(root: Path, manifest: PurePosixPath, wanted: Container[str] = ()) -> tuple[PurePosixPath, ...]:
    """The files that an earlier build wrote, by its manifest, except those that are `wanted`; empty without a manifest.

    Lines that lead out of `site/` are ignored.
    """
    inside = _Inside(root)
    paths = (
        PurePosixPath(line)
        for line in _lines(root, manifest)
        if line not in wanted and line not in ("", str(manifest)) and "\0" not in line
    )
    return tuple(path for path in paths if path.parts[:-1][:1] == manifest.parts[:1] and inside.has(path))


def _lines(root: Path, manifest: PurePosixPath) -> list[str]:
    try:
        return (_read(root / manifest) or b"").decode().splitlines()
    except (UserError, UnicodeDecodeError):
        return []


class _Inside:
    """Whether paths really are below the folder that they start with: a symbolic link may lead elsewhere."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._folders: dict[PurePosixPath, bool] = {}

    def has(self, path: PurePosixPath) -> bool:
        if path.parent not in self._folders:
            self._folders[path.parent] = self._stays(path)
        return self._folders[path.parent] and ".." not in path.parts

    def _stays(self, path: PurePosixPath) -> bool:
        first = (self.root / path.parts[0]).resolve() if len(path.parts) > 1 else self.root
        folder = (self.root / path).parent.resolve()
        return ".." not in path.parts and first.is_relative_to(self.root) and folder.is_relative_to(first)

    def refuse_others(self, path: PurePosixPath) -> None:
        if not self.has(path):
            raise UserError(f"{path} is behind a symbolic link that leads elsewhere; remove the link")


def compare(
    root: Path,
    wanted: Iterable[Artifact],
    manifest: PurePosixPath | None = None,
    disk: Disk | None = None,
    read: Iterable[Source] | None = None,
    ours: Iterable[Source] = (),
    *,
    adopt: bool = False,
) -> Plan:
    """The Plan for `wanted` below `root`, where `manifest` lists (and will list) the files that are ours.

    Without a manifest no file is ours: files are created and updated, none is deleted. Files outside of its folder are
    the user's: they are written only over what was `read`, or if `read` is None, over what is there now. Of these
    `ours` were written by an earlier build, so they are deleted if they are not wanted. With `adopt`, files in its
    folder that it does not list become ours.
    """
    artifacts, disk, ours = tuple(wanted), disk or Disk(root), tuple(ours)
    owned = read_manifest(root, manifest, {str(artifact.path) for artifact in artifacts}) if manifest else ()
    owned = (*owned, *(source.path for source in ours))
    on_disk: dict[PurePosixPath, str] = {}
    for path in (*(artifact.path for artifact in artifacts), *owned):
        digest = disk.digest(path)
        if digest is not None:
            on_disk[path] = digest
    changes = plan(artifacts, on_disk, owned)
    folder = manifest.parts[:1] if manifest else None
    users = {artifact.path for artifact in artifacts if artifact.path.parts[:1] != folder}
    known = on_disk if read is None else {source.path: source.sha256 for source in (*read, *ours)}
    users |= {source.path for source in ours}
    changes = replace(changes, before={path: known.get(path) for path in users})
    if manifest is None:
        return changes
    foreign = () if adopt else _foreign(root, changes, manifest)
    listed = sorted(str(artifact.path) for artifact in artifacts if artifact.path not in users)
    listing = Artifact.text(manifest, "".join(f"{path}\n" for path in listed))
    return replace(changes, foreign=foreign, manifest=None if _read(root / manifest) == listing.data else listing)


def _foreign(root: Path, changes: Plan, manifest: PurePosixPath) -> tuple[PurePosixPath, ...]:
    """Files that would be overwritten, although they are neither in the manifest nor the user's own texts."""
    written = [artifact.path for artifact in (*changes.create, *changes.update) if artifact.path not in changes.before]
    known = frozenset(_lines(root, manifest)) if written else frozenset()
    return tuple(path for path in written if str(path) not in known and os.path.lexists(root / path))


def _read(path: Path) -> bytes | None:
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(_LARGEST) if path.stat().st_size > _LARGEST else file.read()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from error


def place_of_drafts(root: Path) -> Path:
    """The folder for a site with drafts: in the user's cache folder, so that nobody publishes it by mistake."""
    return cache_folder(root) / "drafts"


def apply(root: Path, plan: Plan, disk: Disk | None = None, stage: Stage | None = None) -> None:
    """Write and delete files by the plan. Each file is replaced whole or not at all.

    Raises UserError, and SourceChanged if a file of the user's is not as it was read: those are written first.

    The manifest is widened before the first new file and narrowed after the last deletion, so that a build that is
    killed leaves no file that a later one would not know as its own.

    The files can be built again, so they are not synced to disk: after a loss of power, the next build fixes them.
    """
    stage, inside = stage or Stage(root), _Inside(root)
    _refuse(inside, plan)
    written = (*plan.create, *plan.update)
    with named_problems():
        for artifact in written:
            if artifact.path in plan.before:
                put(inside.root, artifact, plan.before[artifact.path])
        if plan.manifest:
            _place(inside.root, _widened(plan.manifest, plan), stage)
        for artifact in written:
            if artifact.path not in plan.before:
                _place(inside.root, artifact, stage)
                if disk:
                    disk.wrote(artifact)
        for path in plan.delete:
            _delete(inside.root, path, plan)
        if plan.manifest:
            _place(inside.root, plan.manifest, stage)


@contextmanager
def named_problems() -> Iterator[None]:
    """Raise OSError as UserError."""
    try:
        yield
    except OSError as error:
        name = error.filename2 or error.filename or "a file"
        raise UserError(f"cannot write {name}: {error.strerror or error}") from error


def _delete(root: Path, path: PurePosixPath, plan: Plan) -> None:
    """Remove a file, and its folders as far as they are empty then."""
    if path in plan.before:
        discard(root, path, plan.before[path])
    else:
        (root / path).unlink(missing_ok=True)
    for folder in (root / path).parents:
        if folder == root or any(folder.iterdir()):
            break
        folder.rmdir()


def _refuse(inside: _Inside, plan: Plan) -> None:
    """Raise UserError for a plan that must not be applied."""
    written = [artifact.path for artifact in (*plan.create, *plan.update)]
    for path in (*written, *plan.delete):
        inside.refuse_others(path)
    if plan.foreign:
        raise in_the_way(plan.foreign)
    places: dict[Path, PurePosixPath] = {}
    for path in (*written, *plan.delete, *((plan.manifest.path,) if plan.manifest else ())):
        place = inside.root / path
        if path in plan.before:
            place = place_of(inside.root, path)
            if (other := places.setdefault(place, path)) != path:
                raise UserError(f"{other} and {path} are one file by a link; write one of them only")
        refuse_read_only(place, path)


def refuse_read_only(place: Path, path: PurePosixPath) -> None:
    """Raise UserError for a file without write permission, even if its folder would let us replace it."""
    with suppress(OSError):
        if not os.lstat(place).st_mode & 0o222:
            hint = f"if that may be, make it writable (chmod u+w {path}) and run the command again"
            raise UserError(f"{path} is read-only, so it is not written over", hint)


def in_the_way(paths: tuple[PurePosixPath, ...]) -> UserError:
    """The error for a plan that has these `foreign` files."""
    count = "1 file is" if len(paths) == 1 else f"{len(paths)} files are"
    shown = ", ".join(map(str, paths[:_SHOWN])) + (f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else "")
    hint = "move them away; if they may be written over, as when site/.manifest was lost: paper-notes build --adopt"
    return UserError(f"{count} in the way that no earlier build has written: {shown}; nothing was written", hint)


def apply_whole(root: Path, plan: Plan) -> None:
    """Create and update files by the plan, all or none: an error or Ctrl-C undoes what was written.

    For plans without deletions, of files that cannot be built again: each is synced to disk. What another program
    saves meanwhile always stays, and raises SourceChanged. Raises UserError.
    """
    inside = _Inside(root)
    _refuse(inside, plan)
    folders = {folder for artifact in plan.create for folder in (inside.root / artifact.path).parents}
    new_folders = sorted((folder for folder in folders if not folder.exists()), reverse=True)
    originals: dict[Artifact, bytes | None] = {}
    foreign: set[Artifact] = set()

    def write(artifact: Artifact, temporary: Path | None = None) -> None:
        before = plan.before[artifact.path]
        originals[artifact] = None if before is None else _read(inside.root / artifact.path)
        try:
            put(inside.root, artifact, before, temporary)
        except SourceChanged:
            foreign.add(artifact)  # it has, or has again, what the other program saved
            raise

    try:
        with named_problems(), ExitStack() as stack:
            folder = stack.enter_context(temporary_folder(first)) if (first := _first(inside.root, plan)) else None
            with ThreadPoolExecutor(_AT_ONCE) as threads:
                places = (folder and folder / str(number) for number in count())
                written = [threads.submit(write, *job) for job in zip(plan.create, places, strict=False)]
                try:
                    for future in written:
                        future.result()
                except BaseException:
                    threads.shutdown(cancel_futures=True)
                    raise
            for artifact in plan.update:
                write(artifact)
    except BaseException:
        for artifact, data in originals.items():
            with suppress(OSError, UserError):
                if artifact not in foreign:
                    take_back(inside.root, artifact, data)
        for folder in new_folders:
            with suppress(OSError):
                folder.rmdir()
        raise


def _first(root: Path, plan: Plan) -> Path | None:
    """A new file or folder of the plan in a folder that exists, if there are several."""
    paths = [root / artifact.path for artifact in plan.create[:2]]
    above = ((path, path.parent) for path in (paths[0], *paths[0].parents)) if len(paths) > 1 else ()
    return next((path for path, parent in above if parent.exists()), None)


def _widened(manifest: Artifact, plan: Plan) -> Artifact:
    lines = {*manifest.data.decode().splitlines(), *(str(path) for path in plan.delete if path not in plan.before)}
    return Artifact.text(manifest.path, "".join(f"{line}\n" for line in sorted(lines)))


def _place(root: Path, artifact: Artifact, stage: Stage) -> None:
    """Write a file in the stage, usually on the same disk, and move it to its place."""
    content, target = artifact.content, root / artifact.path
    if (mode := permissions(target)) is None and target.parent not in stage.folders:
        target.parent.mkdir(parents=True, exist_ok=True)
        stage.folders.add(target.parent)
    file = content.file if isinstance(content, Staged) else stage.write(artifact.data)
    if file is None:
        _write(root, artifact)
        return
    if mode is not None:
        os.chmod(file, mode)
    try:
        os.replace(file, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _write(root, artifact, durable=False)


def _write(root: Path, artifact: Artifact, *, durable: bool = True) -> None:
    """Write a file beside its place and move it there when it is complete; if `durable`, sync it to disk first."""
    target = root / artifact.path
    with beside(target, artifact.data, durable=durable) as file:
        os.replace(file, target)
