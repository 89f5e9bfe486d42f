"""Reads the papers that a note lists: `source` and `entries` of `note.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paper_notes.corpus.model import EntriesFrom, Entry, Text
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.corpus.schema import NoteFile
from paper_notes.diagnostics import Diagnostic, Suggestions
from paper_notes.sources.yaml import YamlDocument


def read_source(file: NoteFile) -> EntriesFrom | None:
    """`source` of a `note.yaml`."""
    value = file.source
    if value is None:
        return None
    return EntriesFrom(value.format, value.url, value.date, value.bib, value.terms, value.as_found)


def read_entries(file: NoteFile, document: YamlDocument, problems: list[Diagnostic]) -> tuple[Entry, ...]:
    """`entries` of a `note.yaml`. A paper that is listed twice is reported, and taken once."""
    found: dict[BibKey, Entry] = {}
    for place, value in enumerate(file.entries):
        where = document.location(("entries", place, "paper"))
        key = BibKey(value.paper)
        if key in found:
            message = f'the paper "{key}" is among the entries already, on line {found[key].location.line}'
            problems.append(Diagnostic(where, "duplicate-entry", message, "delete one of the two"))
            continue
        headline: Text | None = value.headline.text() if value.headline else None
        found[key] = Entry(key, value.reading_source, value.upvotes, value.keywords, headline, where, value.as_found)
    if file.entries and file.papers:
        where = document.location(("papers",), key=True)
        message = "a note with `entries:` lists papers, and is about none of them"
        problems.append(
            Diagnostic(where, "bad-value", message, "delete `papers:`, or move them to a note of their own")
        )
    return tuple(found.values())


def known_entries(
    entries: Iterable[Entry], papers: Mapping[BibKey, Paper], suggestions: Suggestions, problems: list[Diagnostic]
) -> tuple[Entry, ...]:
    """The entries whose papers exist; the others are reported."""
    found = []
    for entry in entries:
        if entry.paper in papers:
            found.append(entry)
            continue
        hint = suggestions.did_you_mean(entry.paper, papers) or "add it to library.bib"
        message = f'no entry "{entry.paper}" in the .bib files'
        about = f"paper {entry.paper}"
        problems.append(Diagnostic(entry.location, "unknown-bibkey", message, hint, about=about))
    return tuple(found)
