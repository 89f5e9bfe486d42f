"""A PDF's own facts as a Draft: what a note can be made of where nobody else knows the paper."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from paper_notes.corpus.model import ArxivId
from paper_notes.draft import Draft, OutlineEntry, person_name
from paper_notes.importers.arxiv import ArxivReference, offline_draft
from paper_notes.importers.markup import folded

_NO_SECTION = re.compile(
    r"(?:[A-Z\d.]+\s+)?(?:abstract|contents|references|bibliography|acknowledge?ments?|appendi(?:x|ces)|index"
    r"|supplementary materials?|author contributions?|参考文献|致谢|目录|摘要|附录)\W*",
    re.IGNORECASE,
)
_APPENDIX = re.compile(r"appendi(?:x|ces)\b|附录|supplementary|references$|bibliography$|参考文献$", re.IGNORECASE)
MAX_SECTIONS = 40


class _Heading(Protocol):
    @property
    def level(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def page(self) -> int: ...


class Facts(Protocol):
    """What is asked of the facts that `sources.pdf` reads."""

    @property
    def arxiv(self) -> ArxivId | None: ...
    @property
    def version(self) -> int | None: ...
    @property
    def date(self) -> datetime.date | None: ...
    @property
    def doi(self) -> str | None: ...
    @property
    def title(self) -> str: ...
    @property
    def authors(self) -> tuple[str, ...]: ...
    @property
    def abstract(self) -> str: ...
    @property
    def outline(self) -> Sequence[_Heading]: ...


def draft_from(facts: Facts) -> Draft:
    """What the PDF alone tells about its paper."""
    names = (person_name(folded(name)) for name in facts.authors)
    known = offline_draft(ArxivReference(facts.arxiv, facts.version)) if facts.arxiv else Draft("pdf")
    return replace(
        known,
        source="pdf",
        title=folded(facts.title) or None,
        authors=tuple(name for name in names if name),
        abstract=folded(facts.abstract),
        doi=facts.doi,
        updated=facts.date,
        outline=outline_of(facts),
    )


def outline_of(facts: Facts) -> tuple[OutlineEntry, ...]:
    """The sections that a reader goes through, two levels deep: not the references, nor what comes after them."""
    found: list[OutlineEntry] = []
    for heading in facts.outline:
        title = folded(heading.title)
        if heading.level == 1 and _APPENDIX.search(title):
            break
        if title and heading.level <= 2 and not _NO_SECTION.fullmatch(title):
            found.append(OutlineEntry(heading.level if found else 1, title, heading.page))
    return tuple(found[:MAX_SECTIONS])
