"""What a build works with besides its sources: cache, workers, and the disk that it writes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.engine.cache import Cache, CacheTable
from paper_notes.engine.workers import Workers


@dataclass(frozen=True)
class BuildContext:
    """Cache, workers and disk of a build. By default all is computed again, in this process, in memory."""

    cache: Cache = field(default_factory=Cache)
    workers: Workers = field(default_factory=lambda: Workers(1))
    existing: Callable[[PurePosixPath, str], Artifact | None] = lambda path, sha256: None
    """The file of the site on disk, if it has that SHA-256: then it need not be rendered."""
    spill: Callable[[Artifact], Artifact] = lambda artifact: artifact
    """Moves the bytes of an artifact from memory to disk."""
    variant: str = ""
    """Tells records of files of one build from those of another of the same collection, which has drafts."""

    def table(self, name: str) -> CacheTable:
        """The table of this name for files of the site, see `Cache.table`."""
        return self.cache.table(f"{name}{self.variant}")

    def remembering(self) -> BuildContext:
        """The same, but a file that was made already need not be made again either."""
        rendered: dict[tuple[PurePosixPath, str], Artifact] = {}

        def spill(artifact: Artifact) -> Artifact:
            spilled = self.spill(artifact)
            return rendered.setdefault((spilled.path, spilled.sha256), spilled)

        def existing(path: PurePosixPath, sha256: str) -> Artifact | None:
            return rendered.get((path, sha256)) or self.existing(path, sha256)

        return replace(self, existing=existing, spill=spill)
