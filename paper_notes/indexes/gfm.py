"""Escapes texts for GitHub's Markdown: in paragraphs, cells of tables, links and addresses."""

from __future__ import annotations

import re

_TEXT_SPECIAL = re.compile(r"[\\`*\[\]<~$]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")
"""Characters of a plain text that Markdown would interpret; an underscore between letters is safe."""
_CLOSING_MARKS = re.compile(r"(^| )(#+)$")
"""Marks at the end of a heading, which would be dropped."""
_BLOCK_START = re.compile(r"^(?:[#>+=-]|[:|](?=[\s:|-]*$)|\d+(?=[.)]))")
_BRACKET = re.compile(r"(?<!\\)[\[\]]")
_BARS = re.compile(r"(\\*)\|")
FENCE = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*$.*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*\r?$|\Z)", re.DOTALL | re.MULTILINE
)
_ENTITY = re.compile(r"&(?=#?\w+;)")
_IN_ADDRESS = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "\\` |<>()"})


def plain(text: str) -> str:
    """A text without markup (a title, a team) as one line of Markdown that shows it unchanged."""
    return _CLOSING_MARKS.sub(r"\1\\\2", escaped(" ".join(text.split())).replace("|", "\\|"))


def paragraph(text: str) -> str:
    """A text without markup as a paragraph, never read as a list, heading or quotation."""
    return line_start(plain(text))


def escaped(text: str) -> str:
    """A text without markup as Markdown outside of tables: bars and spaces are kept."""
    return _TEXT_SPECIAL.sub(r"\\\g<0>", text)


def line_start(markdown: str) -> str:
    """Markdown at the start of a line, escaped if it would begin a list, heading or quotation."""
    return _BLOCK_START.sub(lambda start: f"{start[0]}\\" if start[0].isdigit() else f"\\{start[0]}", markdown)


def cell(markdown: str) -> str:
    """Markdown as a cell of a table: in one line, with bars escaped."""
    return _BARS.sub(_kept_bar, " ".join(markdown.split()))


def _kept_bar(bar: re.Match[str]) -> str:
    return f"{bar[1]}\\|" if not bar[1] else bar[0] if len(bar[1]) % 2 else f"{bar[1]}&#124;"


def closed(markdown: str) -> str:
    """The Markdown with its last code fence closed, so that nothing after it becomes code."""
    content = f"{markdown}\n\n"
    opened = [fence["fence"] for fence in FENCE.finditer(content) if fence.end() == len(content)]
    return "\n".join((content.rstrip("\n"), *opened))


def link(label: str, address: str) -> str:
    """A link; `label` is Markdown."""
    label = _BRACKET.sub(r"\\\g<0>", label)
    return f"[{label}]({in_address(address)})"


def in_address(address: str) -> str:
    """An address escaped as the target of a link."""
    return _ENTITY.sub("&amp;", address.translate(_IN_ADDRESS))
