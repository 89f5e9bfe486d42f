"""An argument of `paper-notes new` to a Draft: who is asked for each kind, and who else if that fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TypeVar

from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, UserError
from paper_notes.draft import Draft
from paper_notes.identifiers import folded_title
from paper_notes.importers import arxiv, bibtex, datacite, doi, pdf
from paper_notes.importers.arguments import Argument, BibFile, Doi, KnownPaper, PdfFile
from paper_notes.importers.arxiv import ARXIV, ArxivReference
from paper_notes.importers.datacite import DATACITE
from paper_notes.importers.doi import DOI
from paper_notes.importers.web import NoAnswer, Service, Web
from paper_notes.sources.pdf.model import PdfFacts
from paper_notes.sources.tree import Source

A = TypeVar("A", bound=Argument)


@dataclass(frozen=True)
class Outside:
    """All that may be asked. `web` is None offline; What `read_file` and `read_pdf` raise goes through."""

    web: Web | None
    papers: Mapping[BibKey, Paper]
    read_file: Callable[[str], bytes]
    read_pdf: Callable[[bytes], PdfFacts]
    say: Callable[[str], None]
    arxiv: Service = ARXIV
    datacite: Service = DATACITE
    doi: Service = DOI


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of a paper now."""

    draft: Draft
    diagnostics: tuple[Diagnostic, ...] = ()
    """What is wrong with the entry that somebody else wrote."""
    pdf: bytes | None = None
    """The paper itself, where a file was given."""


def gather(argument: Argument, outside: Outside) -> Found:
    """Find out about the paper, and say what had to be left out. Raises UserError."""
    found = _gathered(argument, outside)
    for what in found.draft.left_out:
        outside.say(f"Left out: {what}.")
    return found


def _gathered(argument: Argument, outside: Outside) -> Found:
    match argument:
        case ArxivReference():
            return Found(_from_arxiv(argument, outside))
        case Doi():
            return Found(_from_doi(argument.doi, outside))
        case PdfFile():
            return _from_pdf(argument, outside)
        case BibFile():
            source = Source(PurePosixPath(argument.path), outside.read_file(argument.path))
            return Found(*bibtex.draft_from(_text(source), argument.key))
        case KnownPaper():
            return Found(_from_entry(outside.papers[argument.key], outside))


def _from_arxiv(reference: ArxivReference, outside: Outside) -> Draft:
    if outside.web is None:
        return arxiv.offline_draft(reference)
    outside.say(f"Asking arXiv for {reference} ...")
    try:
        return arxiv.fetch(outside.web, reference, outside.arxiv)
    except NoAnswer as problem:
        outside.say(f"{problem.message}. Asking DataCite instead ...")
        try:
            return datacite.fetch(outside.web, reference, outside.datacite)
        except UserError as other:
            raise UserError(f"{problem.message}; {other.message}", problem.hint) from other


def _from_doi(name: str, outside: Outside) -> Draft:
    if outside.web is None:
        return doi.offline_draft(name)
    outside.say(f"Asking doi.org for {name} ...")
    return doi.fetch(outside.web, name, outside.doi)


def _from_pdf(argument: PdfFile, outside: Outside) -> Found:
    data = outside.read_file(argument.path)
    facts = outside.read_pdf(data)
    own = pdf.draft_from(facts)
    if outside.web is None or not (facts.arxiv or facts.doi):
        return Found(own, pdf=data)
    try:
        told = _known_elsewhere(facts.arxiv, facts.version, facts.doi, outside)
    except UserError as problem:
        outside.say(f"{problem.message}. The facts are those of the PDF alone")
        return Found(own, pdf=data)
    if not facts.arxiv and not _same_title(own, told):
        outside.say(f'The DOI on its first page is that of "{told.title}": the facts are those of the PDF alone')
        return Found(replace(own, doi=None), pdf=data)
    told = replace(
        told,
        outline=own.outline,
        title=told.title or own.title,
        authors=told.authors or own.authors,
        abstract=told.abstract or own.abstract,
    )
    return Found(told, pdf=data)


def _known_elsewhere(arxiv_id: ArxivId | None, version: int | None, name: str | None, outside: Outside) -> Draft:
    return _from_arxiv(ArxivReference(arxiv_id, version), outside) if arxiv_id else _from_doi(name or "", outside)


def _same_title(own: Draft, other: Draft) -> bool:
    titles = [folded_title(draft.title or "") for draft in (own, other)]
    return not all(titles) or titles[0] in titles[1] or titles[1] in titles[0]


def _from_entry(paper: Paper, outside: Outside) -> Draft:
    """The collection's own entry is what counts; only an abstract is asked for, if that can be done."""
    draft = bibtex.draft_of(paper)
    if draft.abstract or not draft.arxiv or outside.web is None:
        return draft
    try:
        told = _from_arxiv(ArxivReference(draft.arxiv, paper.version), outside)
    except UserError as problem:
        outside.say(f"{problem.message}. The note is made without the abstract")
        return draft
    return replace(draft, abstract=told.abstract)


def _text(source: Source) -> Source:
    try:
        source.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{source.path} is not UTF-8 text", "save it as UTF-8") from error
    return source
