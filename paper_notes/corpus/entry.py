"""The papers in a note that lists papers: a day's, or those of a BibTeX file."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Location
from paper_notes.languages.text import Text

ReadingSource = Literal["pdf", "html", "abstract", "code"]
EntriesFormat = Literal["hf-daily", "arxiv", "bib", "terms"]
"""What a list of papers was made from: a day of Hugging Face, of arXiv, a BibTeX file, words that were searched for."""
_OTHER = re.compile(r"[^a-z0-9]+")

PARTS = {
    "area": ("应用领域", "Area"),
    "contribution": ("一句话核心贡献", "In one sentence"),
    "usage": ("使用指南", "How to use it"),
    "innovations": ("主要创新点", "What is new"),
    "results": ("实验效果", "Results"),
}
"""What a report of a day says of each paper: the sections in their order, with their names."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper in a note that lists papers: a day's, or those of a `.bib` file. Its texts are a section of the note."""

    paper: BibKey
    reading_source: ReadingSource | None
    upvotes: int | None
    keywords: tuple[str, ...]
    headline: Text | None
    """What the paper is about in one sentence: Markdown."""
    location: Location
    as_found: Mapping[str, object] = field(default_factory=dict, repr=False)
    """What an imported document said where it cannot be derived, for the way back. No page shows it."""


@dataclass(frozen=True, slots=True)
class EntriesFrom:
    """What a note that lists papers was made from."""

    format: EntriesFormat
    url: str | None
    date: datetime.date | None
    bib: str | None
    """Name of the BibTeX file."""
    terms: tuple[str, ...]
    """Words that were searched for."""
    as_found: Mapping[str, object] = field(default_factory=dict, repr=False)


def entry_id(paper: Paper) -> str:
    """The id of the section of a paper in a note that lists it: `p-2601-05110`, of a part `p-2601-05110-area`.

    Without an arXiv id it is made from the BibTeX key.
    """
    return f"p-{_OTHER.sub('-', (paper.arxiv or paper.key).lower()).strip('-')}"
