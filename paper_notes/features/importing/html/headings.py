"""Headings of a page: their level, their id, and the number that its author typed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from paper_notes.document import nodes
from paper_notes.features.importing.html.inlines import plain
from paper_notes.features.importing.html.page import Inlines

_TYPED = re.compile(r"^\s*(?:§\s*)?(\d+(?:\.\d+)*)(\s*[·.、:：)）—–-]\s*|\s+)(?=\S)")


@dataclass
class Numbering:
    """Counts sections as our pages do."""

    typed: bool = False
    """Whether the author numbers the sections, so that one without a number is meant to have none."""
    first: int = 0
    second: int = 0
    above: str = ""
    """The number of the last section of level 2."""
    levels: list[int] = field(default_factory=list)
    """The levels in the original of the headings that the last one is below, its own included."""

    def level(self, original: int) -> int:
        """Our level for a heading: none is left out on the way down."""
        while self.levels and self.levels[-1] >= original:
            self.levels.pop()
        self.levels.append(original)
        return min(len(self.levels) + 1, 4)

    def number(self, level: int, parts: Inlines) -> tuple[Inlines, str | None]:
        """A heading without the number that its author typed, and the number as nodes have it."""
        usual = self._next(level)
        typed, rest = _typed(parts)
        if typed == usual:
            return rest, None
        if typed and usual:
            self._take(level, typed)
            return rest, typed
        if not typed and level == 2 and self.typed:
            self.first, self.above = self.first - 1, ""
            return parts, ""
        return parts, None

    def own_number(self, level: int, typed: str) -> str:
        """The number that an author typed before the next section, unless pages give it the same one."""
        usual = self._next(level)
        if not typed or not usual or typed == usual:
            return ""
        self._take(level, typed)
        return typed

    def _next(self, level: int) -> str:
        if level == 2:
            self.first, self.second = self.first + 1, 0
            self.above = str(self.first)
            return self.above
        if level == 3 and self.above:
            self.second += 1
            return f"{self.above}.{self.second}"
        return ""

    def _take(self, level: int, typed: str) -> None:
        """Go on from a number of the author's."""
        if level == 2:
            self.above = typed
            self.first = int(typed) if typed.isdecimal() else self.first
        elif typed.startswith(f"{self.above}.") and (last := typed[len(self.above) + 1 :]).isdecimal():
            self.second = int(last)


def _typed(parts: Inlines) -> tuple[str, Inlines]:
    """The number that a heading begins with, and the rest; `3 methods` has none."""
    if not parts or not isinstance(first := parts[0], nodes.Text):
        return "", parts
    number, words = _typed_number(first.text)
    rest = (*([nodes.Text(words)] if words else []), *parts[1:])
    return (number, rest) if number and plain(rest) else ("", parts)


def _typed_number(text: str) -> tuple[str, str]:
    typed = _TYPED.match(text)
    return (typed[1], text[typed.end() :]) if typed and ("." in typed[1] or typed[2].strip()) else ("", text)


def is_numbered(text: str) -> bool:
    """Whether a heading begins with a number that its author typed."""
    return bool(_typed_number(" ".join(text.split()))[0])


def bare_words(text: str) -> str:
    """The words of a heading or of its entry in the contents, to compare: without number, spaces and case."""
    return "".join(_TYPED.sub("", " ".join(text.split()), count=1).split()).casefold()
