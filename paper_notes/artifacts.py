"""Artifact: one output file as a value."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Protocol


class Blob(Protocol):
    """Bytes that are had on demand, with a hash that is known before: a large source file."""

    @property
    def data(self) -> bytes: ...

    @property
    def sha256(self) -> str: ...

    @property
    def size(self) -> int: ...


@dataclass(frozen=True)
class ExistingFile:
    """A file that stands on disk already, just as it is wanted."""

    sha256: str
    size: int
    read: Callable[[], bytes] = field(compare=False, repr=False)

    @property
    def data(self) -> bytes:
        return self.read()


@dataclass(frozen=True)
class Artifact:
    """A file to be written: `path` is relative to the collection's root, `content` all it holds, or what lends it."""

    path: PurePosixPath
    content: bytes | Blob = field(repr=False)

    @classmethod
    def text(cls, path: PurePosixPath | str, content: str) -> Artifact:
        r"""A text file: UTF-8, `\n` line ends."""
        return cls(PurePosixPath(path), content.encode())

    @property
    def data(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else self.content.data

    @property
    def size(self) -> int:
        """In bytes."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.size

    @cached_property
    def sha256(self) -> str:
        """Hex digest of the content."""
        return hashlib.sha256(self.content).hexdigest() if isinstance(self.content, bytes) else self.content.sha256
