"""What the library and `export --data` give, as plain frozen values. Names and meanings are only ever added.

A text in several languages is a mapping by language tag: `note.title["en"]`.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

ByLanguage = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a note; the text before the first heading has the id `lead`."""

    id: str
    level: int
    number: str
    """`2.1` as on the page; empty for none."""
    heading: ByLanguage
    text: ByLanguage
    """Plain text in one line: formulas as one reads them, cells of tables separated by dots."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A claim of one note that another corrects; `note` is the other one."""

    note: str
    claim: ByLanguage
    correction: ByLanguage


@dataclass(frozen=True, slots=True)
class Note:
    """A note: its facts, its texts, and what it is linked with. Notes, papers and terms are named by their ids."""

    id: str
    topic: str
    number: int
    title: ByLanguage
    short: ByLanguage | None
    summary: ByLanguage | None
    kind: str
    status: str
    rating: int | None
    own: bool
    tags: tuple[str, ...]
    keywords: tuple[str, ...]
    created: datetime.date | None
    updated: datetime.date | None
    reading_source: str | None
    reviewed: bool
    draft: bool
    languages: tuple[str, ...]
    year: int | None
    """Of the paper, or of the note without one."""
    papers: tuple[str, ...]
    """Keys of the papers that it is about; the first is the main one."""
    source: str
    page: str
    cites: tuple[str, ...]
    links_to: tuple[str, ...]
    backlinks: tuple[str, ...]
    terms: tuple[str, ...]
    corrects: tuple[Correction, ...]
    corrected_by: tuple[Correction, ...]
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper of the `.bib` files."""

    key: str
    title: str
    authors: tuple[str, ...]
    team: str
    venue: str
    date: str
    """As precise as is known: `2025-10-30`, `2025-10`, `2025` or empty."""
    links: Mapping[str, str]
    arxiv: str | None
    doi: str | None
    abstract: str
    bibtex: str
    notes: tuple[str, ...]
    """The notes that are about it."""
    cited_by: tuple[str, ...]
    """The notes that cite it."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the glossary."""

    id: str
    name: ByLanguage
    aliases: tuple[str, ...]
    avoid: tuple[str, ...]
    definition: ByLanguage | None
    """Markdown."""
    notes: tuple[str, ...]
    """The notes that use it, the oldest first."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a cell of a table of a note, with the labels of its row and column."""

    note: str
    lang: str
    section: str
    table: int
    """Which table of the text, from 1."""
    row: str
    column: str
    text: str
    """The whole cell."""
    value: float
    """As written: 12.5 for `12.5%`, 1200000 for `1.2M`."""
    unit: str
    """`%`, `x`, `ms`, `GB` ...; empty if the cell has none."""


@dataclass(frozen=True, slots=True)
class Match:
    """A note that a search has found, with the section that answers best."""

    note: str
    title: ByLanguage
    score: int
    lang: str
    section: str
    heading: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What `paper-notes check` says of a place in a file."""

    path: str
    line: int
    column: int
    rule: str
    severity: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Data:
    """The whole collection, as `export --data` writes it."""

    title: ByLanguage
    languages: tuple[str, ...]
    notes: tuple[Note, ...]
    papers: tuple[Paper, ...]
    terms: tuple[Term, ...]
    numbers: tuple[Number, ...]


def typed(kind: type[Any], value: Mapping[str, object]) -> Any:
    """A value of this kind from the fields of a JSON object; it may have more. Raises msgspec.ValidationError."""
    return msgspec.convert(value, kind)


def as_json(value: object) -> bytes:
    """The value on one line: mappings keep their order, so the same value gives the same bytes."""
    return msgspec.json.encode(value)


def as_object(value: object) -> dict[str, Any]:
    """The same as a JSON object of Python."""
    fields: dict[str, Any] = msgspec.to_builtins(value)
    return fields


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of `Data`; a line of `.jsonl` is an item of one of its lists and has its `type`."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Data)}
    for definition in schema["$defs"].values():
        definition["additionalProperties"] = True  # later versions add to what there is
    return schema
