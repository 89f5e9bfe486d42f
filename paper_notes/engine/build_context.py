"""What a build works with besides its sources: a memory, somebody to do the work, and the disk that it writes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.engine.cache import Cache
from paper_notes.engine.workers import Workers


@dataclass(frozen=True)
class BuildContext:
    """All of it may be left out: then everything is done anew, here, in memory."""

    cache: Cache = field(default_factory=Cache)
    workers: Workers = field(default_factory=lambda: Workers(1))
    existing: Callable[[PurePosixPath, str], Artifact | None] = lambda path, sha256: None
    """The file of the site as it is on disk, if it has that hash: then it need not be made."""
    spill: Callable[[Artifact], Artifact] = lambda artifact: artifact
    """Puts what was made somewhere else than in memory."""
