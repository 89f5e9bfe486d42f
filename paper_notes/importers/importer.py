"""The interface of importers: recognise a reference to a paper, and fetch the paper's facts."""

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
    """A reference to a paper, as one importer reads it."""

    id: T
    """The id with which the importer finds the paper."""
    draft: Draft = _NOTHING
    """The facts in the reference itself."""
    file: str = ""
    """The file that it names: if that does not exist, other importers are tried."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of fetching a paper."""

    draft: Draft
    diagnostics: tuple[Diagnostic, ...] = ()
    """Problems in an entry of another .bib file."""
    pdf: bytes | None = None
    """The PDF itself, if the reference was a PDF file."""


@dataclass(frozen=True)
class Services:
    """All that importers may use. `web` is None offline; exceptions of `read_file` and `read_pdf` are passed on."""

    web: Web | None
    papers: Mapping[BibKey, Paper]
    """The papers of the collection."""
    read_file: Callable[[str], bytes]
    read_pdf: Callable[[bytes], PdfFacts]
    say: Callable[[str], None]


@dataclass(frozen=True)
class Importer(Generic[T]):
    """A row of IMPORTERS (`importers.resolve`): one way to name a paper."""

    recognise: Callable[[str, Container[BibKey]], Reference[T] | None]
    """The reference that a text means to this importer, or None; the keys are those of the collection's papers."""
    fetch: Callable[[Reference[T], Services], Found]
    """Fetch the paper's facts. Raises UserError."""
    form: str
    """The form of a reference, for hints: `a DOI`."""
    help: tuple[tuple[str, str], ...]
    """Examples for `--help`, each with its meaning."""
    services: tuple[Service, ...] = ()
    """The services that it asks itself."""
    sites: tuple[str, ...] = ()
    """Names of the sites whose addresses it recognises; empty if it reads the user's own files."""
