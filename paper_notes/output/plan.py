"""The Plan: wanted artifacts against what is on disk. A pure diff by hash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.values import Struct, field


class Plan(Struct, frozen=True):
    """The changes that bring the disk to the wanted state. Paths are relative to the collection's root."""

    create: tuple[Artifact, ...]
    update: tuple[Artifact, ...]
    delete: tuple[PurePosixPath, ...]
    unchanged: tuple[PurePosixPath, ...]
    manifest: Artifact | None = None
    """The new list of the files that are ours, if it differs from the one on disk."""
    before: Mapping[PurePosixPath, str | None] = field(default_factory=dict)
    """For files of the user: the SHA-256 of what was read, None if the file did not exist.

    They are written only if this is still so.
    """
    foreign: tuple[PurePosixPath, ...] = ()
    """Files in the way that no earlier build wrote: if there are any, nothing may be written."""

    @property
    def empty(self) -> bool:
        """True if nothing has to be changed."""
        return not (self.create or self.update or self.delete or self.manifest)

    @property
    def size(self) -> int:
        """The number of files after the plan was applied."""
        return len(self.create) + len(self.update) + len(self.unchanged)


def plan(wanted: Iterable[Artifact], on_disk: Mapping[PurePosixPath, str], owned: Iterable[PurePosixPath]) -> Plan:
    """Compare `wanted` with the SHA-256 digests `on_disk` (of every wanted or owned file that exists).

    Only files that are `owned` (listed in the manifest of an earlier build) and no longer wanted are deleted.
    """
    create, update, unchanged = [], [], []
    paths = set()
    for artifact in sorted(wanted, key=lambda artifact: str(artifact.path)):
        paths.add(artifact.path)
        digest = on_disk.get(artifact.path)
        if digest is None:
            create.append(artifact)
        elif digest != artifact.sha256:
            update.append(artifact)
        else:
            unchanged.append(artifact.path)
    delete = tuple(sorted((path for path in owned if path not in paths and path in on_disk), key=str))
    return Plan(tuple(create), tuple(update), delete, tuple(unchanged))
