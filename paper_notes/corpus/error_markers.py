"""The mistakes that a build goes on with: each is marked in the pages of the files that have it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from paper_notes.corpus.load import SITE_FILE
from paper_notes.corpus.model import NoteId, TopicId
from paper_notes.diagnostics import NO_SEVERITIES, Diagnostic, Severities, in_file_order
from paper_notes.sources.tree import SOURCE_FOLDER
from paper_notes.values import Struct

MAX_MARKS = 100
"""The most mistakes that one note marks; more are like them, and the terminal has all."""
_OF_ALL_PAGES = frozenset({"templates", "assets", "site"})
"""First parts of paths. A finding in a file of the site says that it cannot be what it should be."""


class ErrorMarkers(Struct, frozen=True, dict=True):
    """The errors of a build that goes on in spite of them; in any other build there are none."""

    errors: tuple[Diagnostic, ...] = ()
    """In file order."""
    severities: Severities | None = None
    """How much each finding matters; None if a build does not go on."""

    @cached_property
    def _by_folder(self) -> Mapping[str, tuple[Diagnostic, ...]]:
        by_folder: dict[str, list[Diagnostic]] = {}
        for error in self.errors:
            by_folder.setdefault(_folder(error.location.path), []).append(error)
        return {folder: tuple(errors) for folder, errors in by_folder.items()}

    def of_note(self, note: NoteId) -> tuple[Diagnostic, ...]:
        """Those in the files of a note, as its page numbers them."""
        return self._by_folder.get(note, ())[:MAX_MARKS]

    def of_topic(self, topic: TopicId) -> tuple[Diagnostic, ...]:
        """Those in the folder of a topic, with all of its notes."""
        return tuple(error for error in self.errors if error.location.path.parts[:2] == (SOURCE_FOLDER, topic))

    def errors_among(self, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The findings that are errors in this collection, as pages show them."""
        return errors_among((self.severities or NO_SEVERITIES).judged(findings))


def errors_among(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The errors in file order. What the last good build knew is in no hint yet: no page depends on it."""
    return tuple(error for error in in_file_order(findings) if error.severity == "error")


def concern_all(errors: Iterable[Diagnostic]) -> bool:
    """Whether one of these is no mistake of one note or one file: then there is nothing to go on with."""
    return any(
        error.location.path == SITE_FILE
        or error.rule == "bad-template"
        or (error.rule != "dead-link" and not _OF_ALL_PAGES.isdisjoint(error.location.path.parts[:1]))
        for error in errors
    )


def _folder(path: PurePosixPath) -> str:
    """The id that a note in this place has: `topic/01_Name` for a file in its folder, and for the single file."""
    parts = path.parts[1:3] if path.parts[:1] == (SOURCE_FOLDER,) else ()
    return "/".join(parts).removesuffix(".md")


NO_MARKERS = ErrorMarkers()
"""Those of a build that stops at mistakes."""
