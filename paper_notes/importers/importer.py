"""What an importer is: how it knows what somebody names a paper by, and how it finds out about that paper."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic
from paper_notes.importers.draft import Draft
from paper_notes.importers.web import Service, Web
from paper_notes.sources.pdf.model import PdfFacts

T = TypeVar("T")
_NOTHING = Draft("id")


@dataclass(frozen=True, slots=True)
class Reference(Generic[T]):
    """What somebody names a paper by, as one importer reads it."""

    id: T
    """What the importer needs to find the paper."""
    draft: Draft = _NOTHING
    """What the reference alone says about the paper."""
    file: str = ""
    """The file that it names: another importer is asked if there is no such file."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of a paper now."""

    draft: Draft
    diagnostics: tuple[Diagnostic, ...] = ()
    """What is wrong with the entry that somebody else wrote."""
    pdf: bytes | None = None
    """The paper itself, where a file was given."""


@dataclass(frozen=True)
class Services:
    """All that importers may ask. `web` is None offline; what `read_file` and `read_pdf` raise goes through."""

    web: Web | None
    papers: Mapping[BibKey, Paper]
    """Those of the collection."""
    read_file: Callable[[str], bytes]
    read_pdf: Callable[[bytes], PdfFacts]
    say: Callable[[str], None]


@dataclass(frozen=True)
class Importer(Generic[T]):
    """A row of IMPORTERS (`importers.resolve`): one way to name a paper."""

    recognise: Callable[[str, Container[BibKey]], Reference[T] | None]
    """What a text means to this importer, or None; the keys are those of the collection's papers."""
    fetch: Callable[[Reference[T], Services], Found]
    """Find out about the paper. Raises UserError."""
    form: str
    """What may be given, for hints: `a DOI`."""
    help: tuple[tuple[str, str], ...]
    """The same for `--help`: examples, each with its meaning."""
    services: tuple[Service, ...] = ()
    """Those that it asks itself."""
    sites: tuple[str, ...] = ()
    """Where the addresses lead that it knows, for people; none if it is about what the user has."""
