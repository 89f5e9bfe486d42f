"""The interface of importers: recognise a reference to a paper, and fetch the paper's facts."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Generic, NoReturn, TypeVar

from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, UserError
from paper_notes.features.papers.annotations import PdfAnnotation
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.pdf_facts import PdfFacts
from paper_notes.features.papers.web import Web
from paper_notes.values import Struct

T = TypeVar("T")
_NOTHING = Draft("id")


class PaperReference(Struct, Generic[T], frozen=True):
    """A reference to a paper, as one importer reads it."""

    id: T
    """The id with which the importer finds the paper."""
    draft: Draft = _NOTHING
    """The facts in the reference itself."""
    file: str = ""
    """The file that it names: if that does not exist, other importers are tried."""


class Fetched(Struct, frozen=True):
    """The result of fetching a paper."""

    draft: Draft
    diagnostics: tuple[Diagnostic, ...] = ()
    """Problems in an entry of another .bib file."""
    pdf: bytes | None = None
    """The PDF itself, if the reference was a PDF file, or names one."""
    pdf_file: str = ""
    """Where that was read."""
    marks: tuple[PdfAnnotation, ...] = ()
    """What a reader marked in it."""
    tags: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """PDFs that the reference names and that cannot be read, and why."""


class Choice(Struct, frozen=True):
    """One of several papers that a reference may mean."""

    reference: str
    """What names just this one: `2510.26475`, `refs.bib:egg`."""
    draft: Draft
    likeness: float | None = None
    """Of its title to the one that was looked for, from 0 to 1."""


class UnreadablePdf(UserError):
    """The PDF that was named is none, or is damaged."""


def nobody_chooses(choices: Sequence[Choice], problem: UserError) -> NoReturn:
    """The `choose` of Services where nobody can be asked."""
    raise problem


class Services(Struct, frozen=True):
    """All that importers may use. `web` is None offline; exceptions of `read_file` and `read_pdf` are passed on."""

    web: Web | None
    papers: Mapping[BibKey, Paper]
    """The papers of the collection."""
    read_file: Callable[[str], bytes]
    read_pdf: Callable[[bytes], PdfFacts]
    say: Callable[[str], None]
    choose: Callable[[Sequence[Choice], UserError], int] = nobody_chooses
    """The index of the paper that the user chooses. Raises the error if nobody can be asked, or chooses none."""
    named: bool = True
    """False if a file of the collection names the paper: no page in the user's own network is then asked."""

    def text_of(self, path: str) -> str:
        """The text of a file of the user's, without a mark at its start. Raises UserError."""
        try:
            return self.read_file(path).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UserError(f"{path} is not UTF-8 text", "save it as UTF-8") from error


class Importer(Struct, Generic[T], frozen=True):
    """A row of IMPORTERS (`papers.resolve`): one way to name a paper."""

    recognise: Callable[[str, Container[BibKey]], PaperReference[T] | None]
    """The reference that a text means to this importer, or None; the keys are those of the collection's papers."""
    fetch: Callable[[PaperReference[T], Services], Fetched]
    """Fetch the paper's facts. Raises UserError."""
    form: str
    """The form of a reference, for hints: `a DOI`."""
    help: tuple[tuple[str, str], ...]
    """Examples for `--help`, each with its meaning."""
    is_local: bool = False
    """Whether it reads the user's own files: these come first."""
    members: Callable[[PaperReference[T], Services], tuple[PaperReference[T], ...]] | None = None
    """References to each of the papers in a file that may hold several. Raises UserError."""
