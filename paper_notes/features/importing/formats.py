"""The formats of notes that can be imported, those of other packages among them: which one a file has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from paper_notes.extensions import brought
from paper_notes.features.importing.markdown.reading import FORMAT as MARKDOWN
from paper_notes.features.importing.markdown.source import ForeignText
from paper_notes.features.importing.types import Folder, NoteFormat, Original


@cache
def formats() -> tuple[NoteFormat, ...]:
    """All of them. The first that recognises a file reads it."""
    return brought("formats")


def written_as_markdown(name: str, suffixes: tuple[str, ...], convert: Callable[[str], str]) -> NoteFormat:
    """A kind of notes that is read as Markdown after `convert` has written the text of a file as such.

    `convert` is a function of a module, which works in processes of its own, and must not raise.
    """
    known, parsed = partial(_recognises, convert), partial(_parsed, convert)
    return replace(MARKDOWN, name=name, suffixes=suffixes, recognises=known, parse=parsed)


def _recognises(convert: Callable[[str], str], original: Original) -> bool:
    return MARKDOWN.recognises(_converted(convert, original))


def _parsed(convert: Callable[[str], str], original: Original, folder: Folder) -> ForeignText:
    return MARKDOWN.parse(_converted(convert, original), folder)  # type: ignore[no-any-return]


def _converted(convert: Callable[[str], str], original: Original) -> Original:
    return replace(original, text=convert(original.text))
