"""Headings of a page: their level, their id, and the number that its author typed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from paper_notes.foreign.html.inline import Inline, Words, plain
from paper_notes.foreign.html.read_back import read_back

_TYPED = re.compile(r"\s*(?:§\s*)?(\d+(?:\.\d+)*)(\s*[·.、:：)）—–-]\s*|\s+)(?=\S)")


@dataclass
class Numbering:
    """Counts sections as our pages do."""

    counts: list[int] = field(default_factory=lambda: [0, 0])
    above: list[int] = field(default_factory=list)
    """The levels in the original of the headings that the last one is below, its own included."""

    def level(self, tag: str) -> int:
        """Our level for a heading: none is left out on the way down."""
        while self.above and self.above[-1] >= int(tag[1]):
            self.above.pop()
        self.above.append(int(tag[1]))
        level = min(len(self.above) + 1, 4)
        if level == 2:
            self.counts = [self.counts[0] + 1, 0]
        elif level == 3:
            self.counts[1] += 1
        return level

    def number(self, level: int) -> str:
        """The number that the page gives to the last heading."""
        return {2: str(self.counts[0]), 3: f"{self.counts[0]}.{self.counts[1]}"}.get(level, "")


def without_number(parts: tuple[Inline, ...], number: str) -> tuple[tuple[Inline, ...], str]:
    """The heading without the number that its author typed, and what `{...}` has to say for it."""
    first = parts[0] if parts and isinstance(parts[0], Words) else None
    found = _TYPED.match(first.text) if first else None
    if not first or not found or not plain(parts[1:]) and not first.text[found.end() :].strip():
        return parts, ""
    is_number = "." in found[1] or found[2].strip()
    rest = (Words(first.text[found.end() :]), *parts[1:])
    if found[1] == number and is_number:
        return rest, ""
    if is_number and number and own_numbers():
        return rest, f"n={found[1]}"
    return parts, ""


@cache
def own_numbers() -> bool:
    """Whether our syntax has headings with a number of their own."""
    return not read_back("## x {#y n=7}", "en", inline=False).problems


def bare_words(text: str) -> str:
    """The words of a heading or of its entry in the contents, to compare: without number, spaces and case."""
    text = " ".join(text.split())
    found = _TYPED.match(text)
    return re.sub(r"\s", "", text[found.end() :] if found else text).casefold()
