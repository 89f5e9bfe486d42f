"""Papers as PDF files: facts from arXiv or a DOI if the file has one, or else from the file itself."""

from __future__ import annotations

import re
from collections.abc import Container

from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.arxiv import ArxivReference, offline_draft
from paper_notes.features.papers.doi import registered
from paper_notes.features.papers.draft import Draft, person_name
from paper_notes.features.papers.importer import Fetched, Importer, PaperReference, Services, UnreadablePdf
from paper_notes.features.papers.pdf_facts import OutlineItem, PdfFacts
from paper_notes.patterns import regex
from paper_notes.sources.characters import one_line
from paper_notes.values import replace

_NO_SECTION = regex(
    r"(?:[A-Z\d.]+\s+)?(?:abstract|contents|references|bibliography|acknowledge?ments?|appendi(?:x|ces)|index"
    r"|supplementary materials?|author contributions?|参考文献|致谢|目录|摘要|附录)\W*",
    re.IGNORECASE,
)
_APPENDIX = regex(r"appendi(?:x|ces)\b|附录|supplementary|references$|bibliography$|参考文献$", re.IGNORECASE)
_LETTERED = regex(r"[A-H](?:[.:]|\s(?=[A-Z]))")
"""`A Proofs`: the first section of an appendix without a heading of its own."""
MAX_SECTIONS = 40


def recognise(text: str, keys: Container[BibKey]) -> PaperReference[str] | None:
    """A PDF file, by its name."""
    return PaperReference(text, file=text) if text.lower().endswith(".pdf") else None


def fetch(reference: PaperReference[str], services: Services) -> Fetched:
    """Facts from elsewhere by the arXiv id or DOI on its first page, or else the PDF's own facts."""
    data = services.read_file(reference.file)
    try:
        facts = services.read_pdf(data)
    except UserError as problem:
        raise UnreadablePdf(f'"{reference.file}" cannot be read: {problem.message}', problem.hint) from problem
    own = draft_from(facts)
    return Fetched(registered(own, services, "the PDF"), pdf=data, pdf_file=reference.file)


def draft_from(facts: PdfFacts) -> Draft:
    """The facts from the PDF alone."""
    known = offline_draft(ArxivReference(facts.arxiv, facts.version)) if facts.arxiv else Draft("pdf")
    return replace(
        known,
        source="pdf",
        title=one_line(facts.title) or None,
        authors=tuple(filter(None, map(person_name, facts.authors))),
        abstract=one_line(facts.abstract),
        doi=facts.doi,
        updated=facts.date,
        outline=outline_of(facts),
    )


def outline_of(facts: PdfFacts) -> tuple[OutlineItem, ...]:
    """The sections to read, two levels deep, without the references and what comes after them."""
    items: list[OutlineItem] = []
    for heading in facts.outline:
        title = one_line(heading.title)
        if heading.level == 1 and (_APPENDIX.search(title) or (items and _LETTERED.match(title))):
            break
        if title and heading.level <= 2 and not _NO_SECTION.fullmatch(title):
            items.append(replace(heading, level=heading.level if items else 1, title=title))
    return tuple(items[:MAX_SECTIONS])


IMPORTER = Importer(
    recognise,
    fetch,
    form="a PDF file",
    is_local=True,
    help=(("paper.pdf", "a PDF file, which is copied into notes_src/pdfs/; a folder means all in it"),),
)
