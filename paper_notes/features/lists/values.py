"""What a document says of its papers, whatever its form."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Literal

from paper_notes.diagnostics import Location
from paper_notes.identifiers import ArxivId

Form = Literal["report", "list"]
"""A report of a day, or a list."""
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Part:
    """A section about a paper."""

    id: str
    """`area`, `contribution` ...: what is appended to the id of the paper's own section."""
    name: str
    """Its heading: `应用领域`."""
    text: str
    """Markdown, not indented."""
    head: str = ""
    """How the document writes the heading, with `{}` for the name: `### 1. {}`. Empty if it is the usual way."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A paper of a document."""

    title: str
    """Markdown."""
    location: Location
    address: str
    """The link that the document gives, as it stands there."""
    arxiv: ArxivId | None
    version: int | None = None
    month: str = ""
    """`25/09`, as a list says it."""
    anchor: str = ""
    """The heading of its section, as links name it."""
    code: str = ""
    """The address of its code, as it stands there."""
    source: str = ""
    """What was read: `HTML`."""
    preface: str = ""
    """Headings above its parts that a model made up."""
    lead: str = ""
    """Text before the first part."""
    abstract: str = ""
    parts: tuple[Part, ...] = ()
    fenced: bool = False
    """Whether the parts are in a fence of code, by mistake."""


@dataclass(frozen=True, slots=True)
class PaperDocument:
    """A report of a day, or a list of papers."""

    format: Form
    title: str
    papers: tuple[Listed, ...]
    date: datetime.date | None = None
    address: str = ""
    bib: str = ""
    terms: tuple[str, ...] = ()


def same_text(text: str, other: str) -> bool:
    """Whether two texts differ in white space only."""
    return _SPACE.sub("", text) == _SPACE.sub("", other)
