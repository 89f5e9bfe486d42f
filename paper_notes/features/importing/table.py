"""The kinds of notes that can be taken in."""

from __future__ import annotations

from paper_notes.features.importing.html.format import FORMAT as HTML
from paper_notes.features.importing.markdown.reading import FORMAT as MARKDOWN
from paper_notes.features.importing.values import Format

FORMATS: tuple[Format, ...] = (HTML, MARKDOWN)
"""The first that recognises a file reads it."""
