"""Artifact: one output file as a value."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Artifact:
    """A file to be written: `path` is relative to the collection's root, `data` its whole content."""

    path: PurePosixPath
    data: bytes = field(repr=False)

    @classmethod
    def text(cls, path: PurePosixPath | str, content: str) -> Artifact:
        r"""A text file: UTF-8, `\n` line ends."""
        return cls(PurePosixPath(path), content.encode())

    @cached_property
    def sha256(self) -> str:
        """Hex digest of the content."""
        return hashlib.sha256(self.data).hexdigest()
