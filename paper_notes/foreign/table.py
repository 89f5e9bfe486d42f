"""The kinds of notes that can be taken in."""

from __future__ import annotations

from paper_notes.foreign import html, markdown
from paper_notes.foreign.values import Format

FORMATS: tuple[Format, ...] = (html.FORMAT, markdown.FORMAT)
"""The first that recognises a file reads it."""
