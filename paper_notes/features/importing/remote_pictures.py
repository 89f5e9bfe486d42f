"""Pictures that originals show from other sites, put into the folder as if they had been there."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from html import unescape
from pathlib import PurePosixPath

from paper_notes.features.importing.types import Folder

DOWNLOADED = PurePosixPath(".downloaded")
"""Where they are in the folder; no file there is among its own."""
_SHOWN = re.compile(
    r"!\[[^\]\n]*\]\(\s*<?((?:https?:)?//[^\s<>)]+)|<img\b[^>]*?\bsrc\s*=\s*[\"']?((?:https?:)?//[^\s\"'>]+)",
    re.IGNORECASE,
)


def addresses_in(text: str) -> tuple[str, ...]:
    """The addresses of pictures of other sites in Markdown or HTML, as they stand there."""
    return tuple(dict.fromkeys(match[1] or unescape(match[2]) for match in _SHOWN.finditer(text)))


def with_pictures(folder: Folder, pictures: Mapping[str, tuple[bytes, str]]) -> Folder:
    """The folder with pictures by their addresses, each with its bytes and suffix."""
    named: dict[str, PurePosixPath] = {}
    content: dict[PurePosixPath, bytes] = {}
    for address, (data, suffix) in pictures.items():
        stem = re.sub(r"[^\w-]+", "-", PurePosixPath(address.partition("?")[0]).stem).strip("-")[:40] or "picture"
        path = DOWNLOADED / f"{stem}-{hashlib.sha256(data).hexdigest()[:8]}{suffix}"
        named[address], content[path] = path, data
    return replace(
        folder, files=folder.files | frozenset(content), read=partial(_read, folder.read, content), remote=named
    )


def _read(
    read: Callable[[PurePosixPath], bytes | None], content: Mapping[PurePosixPath, bytes], path: PurePosixPath
) -> bytes | None:
    return content[path] if path in content else read(path)
