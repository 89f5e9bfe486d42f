"""The formats of notes that can be imported, those of other packages among them: which one a file has."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from paper_notes.extensions import brought
from paper_notes.features.importing.markdown.reading import FORMAT as MARKDOWN
from paper_notes.features.importing.types import NoteFormat, Original
from paper_notes.values import replace


@cache
def formats() -> tuple[NoteFormat, ...]:
    """All of them. The first that recognises a file reads it."""
    return brought("formats")


def written_as_markdown(name: str, suffixes: tuple[str, ...], convert: Callable[[str], str]) -> NoteFormat:
    """A kind of notes that is read as Markdown after `convert` has written the text of a file as such.

    `convert` is a function of a module, which works in processes of its own, and must not raise.
    """
    recognises, parse = (partial(_converted, step, convert) for step in (MARKDOWN.recognises, MARKDOWN.parse))
    return replace(MARKDOWN, name=name, suffixes=suffixes, recognises=recognises, parse=parse)


def _converted(step: Callable[..., Any], convert: Callable[[str], str], original: Original, *known: object) -> Any:
    return step(replace(original, text=convert(original.text)), *known)
