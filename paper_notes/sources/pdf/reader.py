"""PDFs of a collection, each read once: results are cached by the file's content."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from paper_notes.diagnostics import Diagnostic, Location, naming
from paper_notes.engine.cache import Cache, pack, unpack
from paper_notes.engine.sandboxed_process import Limits, Stopped, limited
from paper_notes.sources.pdf.document import draw, shown
from paper_notes.sources.pdf.figures import find_figures
from paper_notes.sources.pdf.identity import identify
from paper_notes.sources.pdf.model import Box, PdfFigures, PdfIdentity, PdfProblem
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.tree import Source
from paper_notes.values import replace

V = TypeVar("V")

_LIMITS = Limits("PDF", seconds=5)
_BYTES_A_SECOND = 500_000
"""Large files may take longer: this many bytes add a second. Papers full of drawings take a third of that."""
_HINT = "use another copy, or print the pages you need to a new PDF"


class PdfStopped(PdfProblem):
    """Reading the PDF exceeded the limits. It is not cached, because it may work another time."""


def within_limits(work: Callable[..., V], data: bytes, *arguments: object) -> V:
    """The result of `work` on a PDF, in a process with limits. Raises PdfProblem."""
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
        return self.read(source, "identity", PdfIdentity, identify)

    def figures(self, source: Source) -> PdfFigures | PdfProblem:
        """The figures and tables of the PDF."""
        return self.read(source, "figures", PdfFigures, find_figures)

    def picture(
        self, source: Source, page: int, box: Box | None, *, width: int, height: int, limit: int
    ) -> Picture | PdfProblem:
        """A part of a page, or the whole page; see `Document.picture`."""
        what = f"picture {page} {shown(box) if box else 'whole'} {width} {height} {limit}"
        return self.read(source, what, Picture, draw, page, box, width, height, limit)

    def read(
        self, source: Source, what: str, kind: type[V], work: Callable[..., V], *arguments: object
    ) -> V | PdfProblem:
        """The result of `work` on the PDF, of this `kind`, or its cached result under the name `what`."""
        key = f"pdf {source.sha256} {what}"
        kept = self._cache.get(key) or b""
        if kept[:1] == b"!" and (words := unpack(tuple[str, str], kept[1:])):
            return PdfProblem(*words)
        if kept[:1] == b"=" and (known := unpack(kind, kept[1:])) is not None:
            return known
        if source.sha256 in self.stopped:
            return self.stopped[source.sha256][1]
        try:
            with naming(source.path):
                value = within_limits(work, source.data, *arguments)
        except PdfStopped as problem:
            self.stopped[source.sha256] = (source, problem)
            return problem
        except PdfProblem as problem:
            self._cache.put(key, b"!" + pack((problem.message, problem.hint)))
            return problem
        self._cache.put(key, b"=" + pack(value))
        return value

    def warnings(self) -> tuple[Diagnostic, ...]:
        """A warning for each PDF that exceeded the limits."""
        return tuple(
            Diagnostic(Location(source.path), "bad-pdf", problem.message, problem.hint, "warning")
            for source, problem in self.stopped.values()
        )
