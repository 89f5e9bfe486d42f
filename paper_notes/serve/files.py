"""The files of `site/` for the server: which one a request means, and never one outside of it."""

from __future__ import annotations

import os
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import unquote_to_bytes

from paper_notes.citation.formats import FORMATS
from paper_notes.output.disk import MANIFEST
from paper_notes.patterns import regex
from paper_notes.render.theme.theme import inline_text, theme_files
from paper_notes.serve.pages import MISSING, digest
from paper_notes.sources.inside import open_file
from paper_notes.values import Struct

EVENTS = "/.paper-notes/events"
"""The address of the event stream. It starts with a dot, so it is never a file of the site."""
_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
_IMPLIED = 80
"""The port that addresses and Host headers omit."""
_UNUSABLE = regex(r"[\x00-\x1f\x7f\\/]")


def is_ours(host: str, port: int) -> bool:
    """True if a Host header names this machine and this port.

    Another site may have a name that resolves to this machine (DNS rebinding); its requests carry that name.
    """
    name, _, port_text = host.lower().rpartition(":")
    return (name in _HOSTS and port_text == str(port)) or (port == _IMPLIED and host.lower() in _HOSTS)


def wanted_path(target: str) -> PurePosixPath | None:
    """The path below `site/` for the path of an address: `topic/index.html` for `/topic/`.

    None if there can be no such file. Nothing is normalised: paths that lead upwards, are hidden, or could mean
    something else on another system are refused.
    """
    if not target.startswith("/"):
        return None
    try:
        parts = [unquote_to_bytes(part).decode() for part in target[1:].split("/")]
    except UnicodeDecodeError:
        return None
    if parts[-1] == "":
        parts[-1] = "index.html"
    if any(not part or part.startswith(".") or _UNUSABLE.search(part) for part in parts):
        return None
    return PurePosixPath(*parts)


_TEXT = "text/plain; charset=utf-8"
_TYPES = {
    **{PurePosixPath(f"papers.{form.suffix}").suffix: _TEXT for form in FORMATS},  # overridden below for `.json`
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".xml": "application/xml; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    **dict.fromkeys((".txt", ".md"), _TEXT),
}
"""Content types by suffix. Not those of the operating system, which differ between systems."""
HTML = _TYPES[".html"]
LARGEST_PAGE = 8 * 1024 * 1024
"""Bytes: larger pages are sent from disk as they are, without the live reload script."""


def listening_script() -> str:
    """The live reload script, which is added to served pages only."""
    return str(inline_text((theme_files("assets") / "serve.js").read_text("utf-8")))


class ServedFile(Struct, frozen=True):
    """A file of the site, read when it is sent."""

    place: Path
    type: str
    """Value of the Content-Type header."""

    def open(self) -> BufferedReader:
        """Open the file. Raises OSError if it is gone, or no longer a file."""
        return open_file(self.place)


def size_of(file: BufferedReader) -> int:
    """Size of an open file in bytes."""
    return os.fstat(file.fileno()).st_size


class ServedSite:
    """The files in `site/` of the collection at `root`; the folder need not exist."""

    def __init__(self, root: Path) -> None:
        self.show(root)

    def show(self, place: Path) -> None:
        """Show the `site/` of another folder from now on."""
        self._folder = place.resolve() / MANIFEST.parent

    @property
    def exist(self) -> bool:
        """True if there is a home page."""
        return isinstance(self.find(PurePosixPath("index.html")), ServedFile)

    def find(self, path: PurePosixPath) -> ServedFile | Literal["folder"] | None:
        """The file at a path below `site/`, or "folder"; None if it must not or cannot be read.

        Symbolic links are followed only to files of the site that are not hidden.
        """
        try:
            place = (self._folder / path).resolve(strict=True)
            inside = place.relative_to(self._folder)
            if any(part.startswith(".") for part in inside.parts):
                return None
            if place.is_dir():
                return "folder"
            if not place.is_file():
                return None
            return ServedFile(place, _TYPES.get(path.suffix.lower(), "application/octet-stream"))
        except (OSError, RuntimeError, ValueError):  # RuntimeError: circular links, before Python 3.13
            return None

    def version(self, path: PurePosixPath | None) -> str:
        """The digest of the page at a path, or MISSING."""
        page = self.find(path) if path else None
        if not isinstance(page, ServedFile):
            return MISSING
        try:
            with page.open() as file:
                return digest(file.read(LARGEST_PAGE))
        except OSError:
            return MISSING
