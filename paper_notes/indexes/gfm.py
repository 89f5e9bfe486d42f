"""GitHub's Markdown: texts escaped for paragraphs, cells, links and addresses; headings and their anchors."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

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


_CIRCLED = (range(0x24B6, 0x24EA), range(0x1F130, 0x1F14A), range(0x1F150, 0x1F16A), range(0x1F170, 0x1F18A))
"""Letters in circles and squares: Unicode counts them as letters although their category is So."""


@dataclass(frozen=True, slots=True)
class AnchoredHeading:
    """A heading with its Markdown source, and its anchor without `#`."""

    level: int
    markdown: str
    anchor: str


def slug(text: str) -> str:
    """The anchor of a heading on GitHub, `#-动机一` of `## 🔵 动机（一）`, without a number for repetitions.

    GitHub lowers the visible text, keeps letters, marks, digits, connectors such as `_`, hyphens and spaces (which
    become hyphens), and drops all else. The rule is that of html-pipeline's table of contents, as github-slugger 2
    implements it; the tests compare with that.
    """
    return "".join("-" if character == " " else character for character in text.lower() if _stays(character))


def _stays(character: str) -> bool:
    category = unicodedata.category(character)
    return (
        category[0] in "LM"
        or category in ("Nd", "Nl", "Pc")
        or character in "- "
        or any(ord(character) in letters for letters in _CIRCLED)
    )


def anchors(texts: Iterable[str]) -> tuple[str, ...]:
    """The anchors of the headings of a file, in their order: a repeated one gets `-1`, `-2`."""
    used: dict[str, int] = {}
    names = []
    for text in texts:
        name = first = slug(text)
        while name in used:
            used[first] += 1
            name = f"{first}-{used[first]}"
        used[name] = 0
        names.append(name)
    return tuple(names)


def headings(markdown: str) -> tuple[AnchoredHeading, ...]:
    """All headings of a Markdown file."""
    tokens = _parser().parse(markdown.removeprefix("\ufeff"))
    opened = [
        (int(opening.tag[1]), tokens[place + 1])
        for place, opening in enumerate(tokens)
        if opening.type == "heading_open"
    ]
    names = anchors(_visible_text(inline) for _, inline in opened)
    return tuple(
        AnchoredHeading(level, inline.content, name) for (level, inline), name in zip(opened, names, strict=True)
    )


@lru_cache(maxsize=8)
def _links(markdown: str) -> frozenset[str]:
    inlines = (child for token in _parser().parse(markdown) for child in token.children or ())
    return frozenset(str(child.attrs["href"]) for child in inlines if child.type == "link_open")


def is_link(markdown: str, address: str) -> bool:
    r"""Whether a Markdown file really links to the address, unlike `f\[i\](x)`."""
    return _parser().normalizeLink(address) in _links(markdown)


def _visible_text(inline: Token) -> str:
    """The visible text of a line: words and code, no pictures."""
    shown = ("text", "text_special", "code_inline")
    return "".join(
        child.content if child.type in shown else " " * child.type.endswith("break") for child in inline.children or ()
    )


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])
