"""Files as values: what they hold, read when it is needed, and its hash. An Artifact is one that a build writes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Protocol

from paper_notes.values import Struct


class Blob(Protocol):
    """Bytes read on demand, whose hash is known in advance: a large source file."""

    @property
    def data(self) -> bytes: ...

    @property
    def sha256(self) -> str: ...

    @property
    def size(self) -> int: ...


@dataclass(frozen=True)
class ExistingFile:
    """A file that is on disk already with the wanted content."""

    sha256: str
    size: int
    read: Callable[[], bytes] = field(compare=False, repr=False)

    @property
    def data(self) -> bytes:
        return self.read()


class File(Struct, frozen=True, dict=True):
    """A file. `path` is relative to the collection's root, `content` its bytes or the Blob that has them."""

    path: PurePosixPath
    content: bytes | Blob

    @property
    def data(self) -> bytes:
        """The bytes. Those of a Blob are read anew each time."""
        return self.content if isinstance(self.content, bytes) else self.content.data

    @property
    def size(self) -> int:
        """Size of the content in bytes."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.size

    @cached_property
    def sha256(self) -> str:
        """Hex digest of the content."""
        return hashlib.sha256(self.content).hexdigest() if isinstance(self.content, bytes) else self.content.sha256


class Artifact(File, frozen=True):
    """One output file."""

    @classmethod
    def text(cls, path: PurePosixPath | str, content: str) -> Artifact:
        r"""A text file: UTF-8, `\n` line ends."""
        return cls(PurePosixPath(path), content.encode())
