"""What a hand-kept README says: its topics, the rows of its lists, and its reading paths. Lines count from 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from paper_notes.features.importing.readme.blocks import FoundLink

Kind = Literal["notes", "papers", ""]
"""Of a table: what of ours can take its place. Empty: nothing says all that it has."""


@dataclass(frozen=True, slots=True)
class ReadmeNote:
    """A row that leads to a note."""

    line: int
    number: int | None
    label: str
    """Plain text."""
    address: str
    summary: str
    """Markdown; may be empty."""
    own: bool
    others: Mapping[str, str]
    """Cells of columns that we have not, as Markdown, by the head of the column."""
    words: str = ""
    """All that the row says but for its number and the size of the note's page, as plain text."""


@dataclass(frozen=True, slots=True)
class ListedPaper:
    """A row about a paper."""

    line: int
    title: str
    own: bool
    badges: tuple[str, ...]
    team: str
    versions: tuple[str, ...]
    """Each begins with its date: `2025-01 (v1)`."""
    venue: str
    links: tuple[FoundLink, ...]
    remarks: tuple[str, ...]
    """Words between the links."""
    about: str
    """Markdown; may be empty."""
    note: str = ""
    """The address of a note in the same row."""
    words: str = ""
    """All that the row says, as plain text."""


@dataclass(frozen=True, slots=True)
class ReadmeTable:
    """A table or list with rows of ours."""

    start: int
    end: int
    kind: Kind
    notes: tuple[ReadmeNote, ...]
    papers: tuple[ListedPaper, ...]
    rows: tuple[int, ...]
    """The lines of all its rows, of ours and others."""
    unmapped: tuple[str, ...] = ()
    """Heads of columns that we have not."""
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class ReadmeStep:
    """A step of a reading path."""

    words: str
    """Plain text: what is said of it."""
    number: int | None = None
    """Of the note in its topic."""
    address: str = ""
    name: str = ""
    """What may be its label, or short for it."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A reading path: in which order to read, and why."""

    start: int
    end: int
    title: str
    steps: tuple[ReadmeStep, ...]
    line: str
    """Markdown of the steps, if they are a line; else they are in the text."""
    text: str
    """Markdown of all the rest."""


@dataclass(frozen=True, slots=True)
class ReadmeSection:
    """A heading with the lists below it, up to the next heading with lists of its own."""

    line: int
    heading: str
    """Plain text, as written."""
    folder: str
    """As the heading says: `spec-rl`; may be empty."""
    emoji: str
    title: str
    counted: bool
    """The heading says how many there are."""
    intro: str
    """Markdown before the first list."""
    tables: tuple[ReadmeTable, ...]
    guides: tuple[Guide, ...]


@dataclass(frozen=True, slots=True)
class HandKeptReadme:
    """A README as it is read."""

    path: PurePosixPath
    text: str
    """Lines end with a line feed."""
    sections: tuple[ReadmeSection, ...]
