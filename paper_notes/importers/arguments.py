"""What `paper-notes new` may be given, and how each kind is known by its looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass

from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import UserError, closest
from paper_notes.importers.arxiv import ArxivReference, parse_arxiv_id
from paper_notes.importers.doi import parse_doi

_BIB = re.compile(r"(?P<path>.*\.bib)(?::(?P<key>[^\\/]+))?", re.IGNORECASE)
_FORMS = "an arXiv id (2510.26475) or address, a DOI, a PDF file, a .bib file (refs.bib:key), or a key of library.bib"


@dataclass(frozen=True, slots=True)
class Doi:
    """A paper by its DOI."""

    doi: str

    def __str__(self) -> str:
        return f"doi:{self.doi}"


@dataclass(frozen=True, slots=True)
class PdfFile:
    """A paper as a file."""

    path: str


@dataclass(frozen=True, slots=True)
class BibFile:
    """A paper in somebody's .bib file; without `key`, the only one in it."""

    path: str
    key: str


@dataclass(frozen=True, slots=True)
class KnownPaper:
    """A paper that the collection has an entry of."""

    key: BibKey


Argument = ArxivReference | Doi | PdfFile | BibFile | KnownPaper


def parse_argument(text: str, keys: Iterable[BibKey], is_file: Callable[[str], bool]) -> Argument:
    """What the argument means. Raises UserError. A file that is there goes before what looks the same."""
    known = frozenset(keys)
    for kind in KINDS:
        if found := kind(text.strip(), known, is_file):
            return found
    close = closest(text, known)
    hint = f'did you mean "{close}"?' if close else f"give {_FORMS}"
    raise UserError(f'"{text}" is nothing that a note can be made of', hint)


def _file(text: str, keys: Container[BibKey], is_file: Callable[[str], bool]) -> Argument | None:
    if text.lower().endswith(".pdf"):
        return PdfFile(text) if is_file(text) else None
    bib = _BIB.fullmatch(text)
    return BibFile(bib["path"], bib["key"] or "") if bib and is_file(bib["path"]) else None


def _key(text: str, keys: Container[BibKey], is_file: Callable[[str], bool]) -> Argument | None:
    return KnownPaper(BibKey(text)) if text in keys else None


def _arxiv(text: str, keys: Container[BibKey], is_file: Callable[[str], bool]) -> Argument | None:
    return parse_arxiv_id(text)


def _doi(text: str, keys: Container[BibKey], is_file: Callable[[str], bool]) -> Argument | None:
    doi = parse_doi(text)
    return Doi(doi) if doi else None


def _missing_file(text: str, keys: Container[BibKey], is_file: Callable[[str], bool]) -> None:
    if "://" not in text and (text.lower().endswith(".pdf") or _BIB.fullmatch(text)):
        raise UserError(f'there is no file "{text}"', "check its name and its folder")


def _other_address(text: str, keys: Container[BibKey], is_file: Callable[[str], bool]) -> None:
    if re.match(r"https?://", text, re.IGNORECASE):
        hint = "give its DOI or arXiv id; or save its PDF and name the file"
        raise UserError(f'"{text}" is neither at arXiv, at Hugging Face papers nor at doi.org', hint)


KINDS: tuple[Callable[[str, Container[BibKey], Callable[[str], bool]], Argument | None], ...] = (
    _file,
    _key,
    _arxiv,
    _doi,
    _missing_file,
    _other_address,
)
"""Each says what the argument means to it, or None; asked in this order."""
