"""A PDF's own facts as a Draft: what a note can be made of where nobody else knows the paper."""

from __future__ import annotations

import re
from dataclasses import replace

from paper_notes.draft import Draft, person_name
from paper_notes.importers.arxiv import ArxivReference, offline_draft
from paper_notes.sources.characters import one_line
from paper_notes.sources.pdf.model import OutlineItem, PdfFacts

_NO_SECTION = re.compile(
    r"(?:[A-Z\d.]+\s+)?(?:abstract|contents|references|bibliography|acknowledge?ments?|appendi(?:x|ces)|index"
    r"|supplementary materials?|author contributions?|参考文献|致谢|目录|摘要|附录)\W*",
    re.IGNORECASE,
)
_APPENDIX = re.compile(r"appendi(?:x|ces)\b|附录|supplementary|references$|bibliography$|参考文献$", re.IGNORECASE)
_LETTERED = re.compile(r"[A-H](?:[.:]|\s(?=[A-Z]))")
"""`A Proofs`: where the appendix has no heading of its own."""
MAX_SECTIONS = 40


def draft_from(facts: PdfFacts) -> Draft:
    """What the PDF alone tells about its paper."""
    names = (person_name(one_line(name)) for name in facts.authors)
    known = offline_draft(ArxivReference(facts.arxiv, facts.version)) if facts.arxiv else Draft("pdf")
    return replace(
        known,
        source="pdf",
        title=one_line(facts.title) or None,
        authors=tuple(name for name in names if name),
        abstract=one_line(facts.abstract),
        doi=facts.doi,
        updated=facts.date,
        outline=outline_of(facts),
    )


def outline_of(facts: PdfFacts) -> tuple[OutlineItem, ...]:
    """The sections that a reader goes through, two levels deep: not the references, nor what comes after them."""
    found: list[OutlineItem] = []
    for heading in facts.outline:
        title = one_line(heading.title)
        if heading.level == 1 and (_APPENDIX.search(title) or (found and _LETTERED.match(title))):
            break
        if title and heading.level <= 2 and not _NO_SECTION.fullmatch(title):
            found.append(replace(heading, level=heading.level if found else 1, title=title))
    return tuple(found[:MAX_SECTIONS])
