"""Texts in GitHub's Markdown: what is plain stays plain, what stands in a cell or a link does not end it."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[\\`*\[\]<|~$]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown would read in a text that means none: an underscore between letters is safe."""
_CLOSING_MARKS = re.compile(r"(^| )(#+)$")
"""Would end a heading and be lost."""
_IN_ADDRESS = {" ": "%20", "|": "%7C", "<": "%3C", ">": "%3E", "(": "%28", ")": "%29"}


def plain(text: str) -> str:
    """A text without markup (a title, a team) as Markdown that shows it as it is, in one line."""
    escaped = _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))
    return _CLOSING_MARKS.sub(r"\1\\\2", escaped)


def cell(markdown: str) -> str:
    """Markdown as a cell of a table: one line, and no bar that would end the cell."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(markdown.split()))


def link(label: str, address: str) -> str:
    """A link; `label` is Markdown."""
    label = re.sub(r"(?<!\\)([\[\]])", r"\\\1", label)
    return f"[{label}]({''.join(_IN_ADDRESS.get(character, character) for character in address)})"
