"""Notes as read: folders with `note.yaml` and texts such as `en.md`, and single files with front matter."""

from __future__ import annotations

import re

from paper_notes.corpus.model import Alias, Lang, Note
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.patterns import regex
from paper_notes.sources.yaml import Written
from paper_notes.values import Struct

NOTE_FILE = "note.yaml"
PAGES = "pages"
"""The folder, unless the collection has a topic of this name."""
FRONT_MATTER = regex(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)

_KEY = regex(r"\s*[A-Za-z][\w-]*[ \t]*[:：]")
"""How front matter begins; between rulers there are words."""


class UnresolvedNote(Struct, frozen=True):
    """A note whose references to papers, tags and other notes are not resolved yet."""

    note: Note
    papers: tuple[Location, ...]
    """The place of each of the note's papers in the file."""
    tags: Written
    corrects: tuple[Location, ...]
    """The place of the note in each of its corrections."""
    publish_pdf: Location
    """Where the note says `publish_pdf`."""
    aliases: tuple[Alias, ...] = ()


class ReadNote(Struct, frozen=True):
    """The content of a note's own files, and its diagnostics."""

    draft: UnresolvedNote | None
    """The note without texts and files; None without a usable name or front matter."""
    texts: tuple[tuple[Lang, str, int, int], ...]
    """Language, name of the file below the note's folder, first line, and offset of the text."""
    diagnostics: tuple[Diagnostic, ...]
    form: bytes = b""
    """Digest of all that it was read from: of texts only what is not their words."""


def below_front_matter(text: str) -> tuple[int, int]:
    """First line and offset of a text that has a file for its facts; front matter on top of it is a mistake."""
    match = FRONT_MATTER.match(text)
    start = match.end() if match and _KEY.match(match[1]) else 0
    return text.count("\n", 0, start) + 1, start
