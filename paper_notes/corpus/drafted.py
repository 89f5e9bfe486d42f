"""Sections that a model wrote: the record in `drafted:` of `note.yaml`, by which a text is known as still its own."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paper_notes.languages.text import Lang

if TYPE_CHECKING:
    from paper_notes.corpus.schema import NoteFile


@dataclass(frozen=True, slots=True)
class Drafted:
    """The record of one section in one language."""

    digest: str
    """Of the text as it was written, see `markdown.sections.digest`: a text with another one is a person's."""
    model: str
    prompt: str
    """Id of the prompt, such as `translate-1`."""
    date: datetime.date
    source: str
    """What it was made from: `zh 0123456789`, the language and digest of a text, or `pdf` and that of a file."""


DraftedSections = Mapping[str, Mapping[Lang, Drafted]]
"""By id of the section and language."""


def read_drafted(file: NoteFile) -> DraftedSections:
    """`drafted` of a `note.yaml`."""
    return {
        section: {
            Lang(lang): Drafted(value.digest, value.model, value.prompt, value.date, value.source)
            for lang, value in values.items()
        }
        for section, values in file.drafted.items()
    }
