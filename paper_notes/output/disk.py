"""The only writer: read what is on disk for the plan, and apply the plan through temporary files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.output.plan import Plan, digest, plan

MANIFEST = PurePosixPath("site", ".manifest")
"""Lists the files in `site/` that are ours; nothing else is ever deleted."""


class OutputProblem(Exception):
    """The disk cannot be written or read as planned; the message says which file and why."""


def read_manifest(root: Path, manifest: PurePosixPath) -> tuple[PurePosixPath, ...]:
    """The files an earlier build wrote, by its manifest; empty without one. Lines that leave `site/` are not ours."""
    try:
        lines = (root / manifest).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ()
    inside = root.resolve()
    paths = (PurePosixPath(line) for line in lines if line and line != str(manifest) and "\0" not in line)
    return tuple(path for path in paths if path.parts[:-1][:1] == manifest.parts[:1] and _stays_inside(inside, path))


def _stays_inside(root: Path, path: PurePosixPath) -> bool:
    """True if the folder of `path` really is below the folder of the collection that the path starts with.

    A symbolic link in between may lead elsewhere; `root` is resolved already.
    """
    first = (root / path.parts[0]).resolve() if len(path.parts) > 1 else root
    folder = (root / path).parent.resolve()
    return ".." not in path.parts and first.is_relative_to(root) and folder.is_relative_to(first)


def compare(root: Path, wanted: Iterable[Artifact], manifest: PurePosixPath | None = None) -> Plan:
    """The Plan for `wanted` below `root`, where `manifest` lists (and will list) the files that are ours.

    Without a manifest nothing is ours: files are created and updated, none is deleted.
    """
    artifacts = tuple(wanted)
    owned = read_manifest(root, manifest) if manifest else ()
    on_disk: dict[PurePosixPath, str] = {}
    for path in {artifact.path for artifact in artifacts} | set(owned):
        data = _read(root / path)
        if data is not None:
            on_disk[path] = digest(data)
    made = plan(artifacts, on_disk, owned)
    if manifest is None:
        return made
    ours = sorted(str(artifact.path) for artifact in artifacts if artifact.path.parts[:1] == manifest.parts[:1])
    listing = Artifact.text(manifest, "".join(f"{path}\n" for path in ours))
    return made if _read(root / manifest) == listing.data else replace(made, manifest=listing)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise OutputProblem(f"cannot read {path}: {error.strerror or error}") from error


def apply(root: Path, plan: Plan) -> None:
    """Write and delete what the plan says. Each file is replaced whole or not at all. Raises OutputProblem.

    The manifest is widened before the first new file and narrowed after the last deletion, so that a build that is
    killed leaves nothing behind that a later one would not know as its own.
    """
    inside = root.resolve()
    written = [artifact.path for artifact in (*plan.create, *plan.update)]
    for path in {path.parent: path for path in (*written, *plan.delete)}.values():
        _refuse_outside(inside, path)
    try:
        if plan.manifest:
            _write(inside, _widened(inside, plan.manifest, plan.delete))
        for artifact in (*plan.create, *plan.update):
            _write(inside, artifact)
        for path in plan.delete:
            _refuse_outside(inside, path)
            (inside / path).unlink(missing_ok=True)
            for folder in (inside / path).parents:
                if folder == inside or any(folder.iterdir()):
                    break
                folder.rmdir()
        if plan.manifest:
            _write(inside, plan.manifest)
    except OSError as error:
        name = error.filename2 or error.filename or "the site"
        raise OutputProblem(f"cannot write {name}: {error.strerror or error}") from error


def apply_whole(root: Path, plan: Plan) -> None:
    """Create and update what the plan says, or nothing of it: whatever stops this takes back what was written.

    For plans without deletions. Raises OutputProblem.
    """
    inside = root.resolve()
    folders = {folder for artifact in plan.create for folder in (inside / artifact.path).parents}
    new_folders = sorted((folder for folder in folders if not folder.exists()), reverse=True)
    before = {artifact.path: _read(inside / artifact.path) for artifact in plan.update}
    try:
        apply(root, plan)
    except BaseException:
        for artifact in plan.create:
            with suppress(OSError):
                (inside / artifact.path).unlink()
        for path, data in before.items():
            if data is not None and _read(inside / path) != data:
                _write(inside, Artifact(path, data))
        for folder in new_folders:
            with suppress(OSError):
                folder.rmdir()
        raise


def _widened(root: Path, manifest: Artifact, deleted: tuple[PurePosixPath, ...]) -> Artifact:
    lines = {*manifest.data.decode().splitlines(), *(str(path) for path in deleted)}
    return Artifact.text(manifest.path, "".join(f"{line}\n" for line in sorted(lines)))


def _write(root: Path, artifact: Artifact) -> None:
    _refuse_outside(root, artifact.path)
    target = root / artifact.path
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(artifact.data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _refuse_outside(root: Path, path: PurePosixPath) -> None:
    if not _stays_inside(root, path):
        raise OutputProblem(f"{path} is behind a symbolic link that leads elsewhere; remove the link")


def _mode(target: Path) -> int:
    """The permissions a rewritten file keeps; a new one gets what the umask allows."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
