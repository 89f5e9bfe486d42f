"""PDFs of a collection, read at most once: what was found is remembered by the file's content."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TypeVar

from paper_notes.cache import Cache
from paper_notes.sources.pdf import identify, read_pdf
from paper_notes.sources.pdf.document import opened, shown
from paper_notes.sources.pdf.model import (
    Box,
    PdfFacts,
    PdfIdentity,
    PdfProblem,
    facts_as_json,
    facts_from_json,
    identity_as_json,
    identity_from_json,
    problem_as_json,
    problem_from_json,
)
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.tree import Source

V = TypeVar("V")

_SIZE = struct.Struct(">II")


class PdfReader:
    """Reads the PDFs among the sources. What it gives depends on their bytes only, whatever the cache remembers."""

    def __init__(self, cache: Cache | None = None) -> None:
        self._cache = cache or Cache()

    def identity(self, source: Source) -> PdfIdentity | PdfProblem:
        """Which paper the PDF is: reads its first page only."""
        read = lambda: identify(source.data)  # noqa: E731
        return self._remembered(source, "identity", read, identity_as_json, identity_from_json)

    def facts(self, source: Source) -> PdfFacts | PdfProblem:
        """All that the PDF says about its paper, and its figures."""
        read = lambda: read_pdf(source.data)  # noqa: E731
        return self._remembered(source, "facts", read, facts_as_json, facts_from_json)

    def picture(
        self, source: Source, page: int, box: Box | None, *, width: int, height: int, limit: int
    ) -> Picture | PdfProblem:
        """A part of a page, or the whole page; see `Document.picture`."""

        def draw() -> Picture:
            with opened(source.data) as document:
                area = box or (0.0, 0.0, *document.size(page))
                return document.picture(page, area, width=width, height=height, limit=limit)

        what = f"picture {page} {shown(box) if box else 'whole'} {width} {height} {limit}"
        return self._remembered(source, what, draw, _picture_as_bytes, _picture_from_bytes)

    def _remembered(
        self,
        source: Source,
        what: str,
        read: Callable[[], V],
        pack: Callable[[V], bytes],
        unpack: Callable[[bytes], V],
    ) -> V | PdfProblem:
        key = f"pdf {source.sha256} {what}"
        kept = self._cache.get(key)
        if kept:
            try:
                return problem_from_json(kept[1:]) if kept[:1] == b"!" else unpack(kept[1:])
            except (ValueError, TypeError, KeyError, struct.error):  # not what we put there: read again
                pass
        try:
            value = read()
        except PdfProblem as problem:
            self._cache.put(key, b"!" + problem_as_json(problem))
            return problem
        self._cache.put(key, b"=" + pack(value))
        return value


def _picture_as_bytes(picture: Picture) -> bytes:
    return _SIZE.pack(picture.width, picture.height) + picture.data


def _picture_from_bytes(data: bytes) -> Picture:
    return Picture(data[_SIZE.size :], *_SIZE.unpack(data[: _SIZE.size]))
