"""Headings of a page: their level, their id, and the number that its author typed."""

from __future__ import annotations

from collections.abc import Iterator

from paper_notes.document import nodes
from paper_notes.features.importing.html.inlines import plain, tidy
from paper_notes.features.importing.html.page import Inlines
from paper_notes.patterns import regex
from paper_notes.values import Struct, field, replace

_TYPED = regex(
    r"[\s\0]*(?:§\s*)?((?>\d{1,6}(?:\.\d{1,6})*))([\s\0]*[·.、:：)）—–-][\s\0]*|\0*\s[\s\0]*|(?<=\.\d)\0+)(?=[^\s\0])"
)
"""A number that begins a heading. NUL stands for the border of an element."""
_OTHER_SCHEME = regex(
    r"\s*(?:第\s*)?(?:[零一二三四五六七八九十百]+|[IVX]+|[A-Z])\s*[、.．:：·章节節]\s*\S|\s*[(（][一二三四五六七八九十\d]+[)）]"
)
"""Sections counted otherwise than by figures: `三、方法`, `IV. Method`, `A. Proofs`."""


class Numbering(Struct):
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
        typed, rest = _typed(parts, usual)
        if typed == usual:
            return rest, None
        if typed and usual:
            self._take(level, typed)
            return rest, typed
        if typed or not usual or not (self.typed or _OTHER_SCHEME.match(plain(parts))):
            return parts, None
        if level == 2:
            self.first, self.above = self.first - 1, ""
        else:
            self.second -= 1
        return parts, ""

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
            self.first = int(typed) if typed.isdecimal() else self.first - 1
        else:
            last = typed.removeprefix(f"{self.above}.")
            self.second = int(last) if last != typed and last.isdecimal() else self.second - 1


def _typed(parts: Inlines, usual: str) -> tuple[str, Inlines]:
    """The number that a heading begins with, maybe in a mark, and the rest; `3 methods` has it as the third."""
    text = "".join(_borders(parts))
    number, words = _typed_number(text, usual)
    if not number:
        return "", parts
    return number, tidy(_without_first(parts, len(text[: len(text) - len(words)].replace("\0", "")))[0])


def _borders(parts: Inlines) -> Iterator[str]:
    for part in parts:
        match part:
            case nodes.Text(text):
                yield text
            case nodes.Styled() | nodes.Element() | nodes.Marked() | nodes.Link():
                yield from ("\0", *_borders(part.inlines), "\0")
            case _:
                yield f"\0{plain((part,))}\0"


def _without_first(parts: Inlines, count: int) -> tuple[Inlines, int]:
    """The words without so many characters at their beginning, and how many of these are left."""
    kept: list[nodes.Inline] = []
    for part in parts:
        if count and isinstance(part, nodes.Text):
            kept += [nodes.Text(part.text[count:])] if part.text[count:] else []
            count = max(count - len(part.text), 0)
        elif count and isinstance(part, nodes.Styled | nodes.Element | nodes.Marked | nodes.Link):
            inside, count = _without_first(part.inlines, count)
            kept += [replace(part, inlines=inside)] if inside else []
        else:
            kept.append(part)
    return tuple(kept), count


def _typed_number(text: str, usual: str) -> tuple[str, str]:
    typed = _TYPED.match(text)
    is_number = typed and ("." in typed[1] or typed[2].strip("\0 ") or typed[1] == usual)
    return (typed[1], text[typed.end() :]) if typed and is_number else ("", text)


def is_numbered(text: str, usual: str) -> bool:
    """Whether a heading begins with a number that its author typed, which may be `usual` without a sign behind it."""
    return bool(_typed_number(" ".join(text.split()), usual)[0])
