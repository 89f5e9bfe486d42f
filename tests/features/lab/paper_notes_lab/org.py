"""Notes of Emacs, `*.org`, for `paper-notes import`."""

from __future__ import annotations

import re

from paper_notes.features.importing.formats import written_as_markdown


def to_markdown(text: str) -> str:
    """The text as Markdown: its title, headings and emphasis."""
    text = re.sub(r"(?im)^#\+title: *(.+)$", r"# \1", text)
    text = re.sub(r"(?m)^(\*+) ", lambda stars: "#" * (len(stars[1]) + 1) + " ", text)
    return re.sub(r"(?<!\w)/([^/\n]+)/(?!\w)", r"*\1*", text)


ORG = written_as_markdown("org", (".org",), to_markdown)
