"""What GitHub makes of a Markdown file: its headings with their anchors, its links, and code that is left open."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from paper_notes.patterns import regex
from paper_notes.values import Struct

FENCE = regex(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*$.*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*\r?$|\Z)", re.DOTALL | re.MULTILINE
)


def closed(markdown: str) -> str:
    """The Markdown with its last code fence closed, so that nothing after it becomes code."""
    content = f"{markdown}\n\n"
    opened = [fence["fence"] for fence in FENCE.finditer(content) if fence.end() == len(content)]
    return "\n".join((content.rstrip("\n"), *opened))


_CIRCLED = (range(0x24B6, 0x24EA), range(0x1F130, 0x1F14A), range(0x1F150, 0x1F16A), range(0x1F170, 0x1F18A))
"""Letters in circles and squares: Unicode counts them as letters although their category is So."""


class AnchoredHeading(Struct, frozen=True):
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
