"""PDFs of a collection, each read once: results are cached by the file's content."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from paper_notes.diagnostics import Diagnostic, Location, naming
from paper_notes.engine.cache import Cache
from paper_notes.engine.codec import pack, unpack
from paper_notes.engine.limited import Limits, Stopped, limited
from paper_notes.sources.pdf.document import shown
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
from paper_notes.sources.pdf.passages import Passages, read_passages
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.pdf.read import draw, identify, read_pdf
from paper_notes.sources.tree import Source

V = TypeVar("V")

_SIZE = struct.Struct(">II")
_LIMITS = Limits("PDF", seconds=5)
_BYTES_A_SECOND = 500_000
"""Large files may take longer: this many bytes add a second. Papers full of drawings take a third of that."""
_HINT = "use another copy, or print the pages you need to a new PDF"


class PdfStopped(PdfProblem):
    """Reading the PDF exceeded the limits. It is not cached, because it may work another time."""


def facts_of(data: bytes) -> PdfFacts:
    """All facts and figures of a PDF, read within limits. Raises PdfProblem."""
    return _limited(read_pdf, data)


def _limited(work: Callable[..., V], data: bytes, *arguments: object) -> V:
    seconds = _LIMITS.seconds + len(data) / _BYTES_A_SECOND
    try:
        return limited(replace(_LIMITS, seconds=seconds), work, data, *arguments)
    except Stopped as stopped:
        raise PdfStopped(f"reading the PDF {stopped}", _HINT) from None


class PdfReader:
    """Reads the PDFs among the sources. Results depend on their bytes only, and not on the cache."""

    def __init__(self, cache: Cache | None = None) -> None:
        self._cache = cache or Cache()
        self.stopped: dict[str, tuple[Source, PdfProblem]] = {}
        """PDFs that exceeded the limits, by SHA-256: they are not read again in this run, and not cached."""

    def identity(self, source: Source) -> PdfIdentity | PdfProblem:
        """Which paper the PDF is: reads its first page only."""
        read = lambda: _limited(identify, source.data)  # noqa: E731
        return self._cached(source, "identity", read, identity_as_json, identity_from_json)

    def facts(self, source: Source) -> PdfFacts | PdfProblem:
        """All facts and figures of the PDF."""
        read = lambda: facts_of(source.data)  # noqa: E731
        return self._cached(source, "facts", read, facts_as_json, facts_from_json)

    def passages(self, source: Source) -> Passages | PdfProblem:
        """The text of the PDF, cut into the passages that people name."""
        read = lambda: _limited(read_passages, source.data)  # noqa: E731
        return self._cached(source, "passages", read, pack, _passages_from_bytes)

    def picture(
        self, source: Source, page: int, box: Box | None, *, width: int, height: int, limit: int
    ) -> Picture | PdfProblem:
        """A part of a page, or the whole page; see `Document.picture`."""
        read = lambda: _limited(draw, source.data, page, box, width, height, limit)  # noqa: E731
        what = f"picture {page} {shown(box) if box else 'whole'} {width} {height} {limit}"
        return self._cached(source, what, read, _picture_as_bytes, _picture_from_bytes)

    def warnings(self) -> tuple[Diagnostic, ...]:
        """A warning for each PDF that exceeded the limits."""
        return tuple(
            Diagnostic(Location(source.path), "bad-pdf", problem.message, problem.hint, "warning")
            for source, problem in self.stopped.values()
        )

    def _cached(
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
            except (ValueError, TypeError, KeyError, struct.error):  # not a value of ours: read again
                pass
        if source.sha256 in self.stopped:
            return self.stopped[source.sha256][1]
        try:
            with naming(source.path):
                value = read()
        except PdfStopped as problem:
            self.stopped[source.sha256] = (source, problem)
            return problem
        except PdfProblem as problem:
            self._cache.put(key, b"!" + problem_as_json(problem))
            return problem
        self._cache.put(key, b"=" + pack(value))
        return value


def _passages_from_bytes(data: bytes) -> Passages:
    passages = unpack(Passages, data)
    if passages is None:
        raise ValueError
    return passages


def _picture_as_bytes(picture: Picture) -> bytes:
    return _SIZE.pack(picture.width, picture.height) + picture.data


def _picture_from_bytes(data: bytes) -> Picture:
    return Picture(data[_SIZE.size :], *_SIZE.unpack(data[: _SIZE.size]))
