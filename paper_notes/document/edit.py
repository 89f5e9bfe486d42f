"""Changes of a text by spans: what no edit names stays, character for character."""

from __future__ import annotations

from collections.abc import Iterable

from paper_notes.document.nodes import Span
from paper_notes.values import Struct


class Edit(Struct, frozen=True):
    """Writes `text` where `span` is; an empty span is a place between two characters."""

    span: Span
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after these edits. Those at the same place stand in their order. Raises ValueError if two overlap."""
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if not done <= edit.span.start <= edit.span.end <= len(text):
            raise ValueError(f"{edit} overlaps another edit, or the end of the text")
        parts += [text[done : edit.span.start], edit.text]
        done = edit.span.end
    return "".join((*parts, text[done:]))
