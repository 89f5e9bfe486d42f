"""What `paper-notes new` writes for the writer to replace: readers never see what is left of it.

Lines are blanked, so that all others keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from paper_notes.languages.language import Language, Message
from paper_notes.markdown.parser import WithoutPrompts

_PROMPT = re.compile(r"(?<!\*)\*[^*]+\*(?!\*)")
_PLACE = re.compile(r"\\\{\w+\\\}")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_OPEN, _CLOSE = re.compile(r":{3,} *\w"), re.compile(r":{3,}\s*")
_HEADING = re.compile(r"(#{1,6})\s")
_NUMBERED = "paper-"
"""Begins the ids of sections that are named after those of the paper."""


@dataclass(frozen=True, slots=True)
class _Skeleton:
    """What a new note in one language may hold, line by line."""

    prompts: frozenset[str]
    around: frozenset[str]
    """All other lines, such as a symbol to be explained."""
    prompt: re.Pattern[str]
    """Prompts that name something of the paper."""
    listed: re.Pattern[str]
    """A subsection of the paper, as a list item."""


@lru_cache(maxsize=8)
def _skeleton(language: Language) -> _Skeleton:
    lines = [line.strip() for line in _text(language.words["new.note"]).splitlines() if line.strip()]
    prompts = {line for line in lines if _PROMPT.search(line)}
    walk = f"## {_text(language.words['new.walk'])} {{#section-by-section}}"
    ask = f"*{_text(language.words['new.walk-ask'])}*"
    varying = (f"*{_text(language.words['new.claims'])}*", _text(language.words["new.missing"]))
    return _Skeleton(
        frozenset({*prompts, ask}),
        frozenset({*lines, walk, ":::note"} - prompts),
        re.compile("|".join(map(_pattern, varying))),
        re.compile(rf"- .+ \({_pattern(_text(language.words['new.page']))}\)"),
    )


def _text(message: Message) -> str:
    return message if isinstance(message, str) else message["other"]


def _pattern(message: str) -> str:
    return _PLACE.sub(".+", re.escape(message))


def without_prompts(text: str, language: Language) -> WithoutPrompts:
    """The text, without what is left in it of a new note's skeleton in its language."""
    lines = text.split("\n")
    skeleton = _skeleton(language)
    stripped = [line.strip() for line in lines]
    if not any(line in skeleton.prompts or skeleton.prompt.fullmatch(line) for line in stripped):
        return WithoutPrompts(tuple(lines))
    return _Blanking(stripped, lines, skeleton).done()


class _Blanking:
    def __init__(self, stripped: Sequence[str], lines: Sequence[str], skeleton: _Skeleton) -> None:
        self._stripped, self._lines, self._skeleton = stripped, list(lines), skeleton
        self._code = _in_code(lines)
        self._prompts = [place for place in range(len(lines)) if self._is_prompt(place)]

    def done(self) -> WithoutPrompts:
        for place in self._prompts:
            self._blank(place)
            above = place - 1
            while above >= 0 and self._is_around(above) and not self._is_mark(above):
                self._blank(above)  # the symbol that was to be explained
                above -= 1
        for start, end in self._containers():
            if self._is_around(start) and self._is_left(start + 1, end):
                for place in range(start, end + 1):
                    self._blank(place)
        return WithoutPrompts(tuple(self._lines), len(self._prompts), self._unwritten())

    def _is_prompt(self, place: int) -> bool:
        line = self._stripped[place]
        known = line in self._skeleton.prompts or bool(self._skeleton.prompt.fullmatch(line))
        return known and place not in self._code

    def _is_around(self, place: int) -> bool:
        line = self._stripped[place]
        known = line in self._skeleton.around or bool(self._skeleton.listed.fullmatch(line))
        return known and place not in self._code

    def _is_mark(self, place: int) -> bool:
        """A line that begins or ends something, or ends a formula."""
        line = self._stripped[place]
        return bool(_HEADING.match(line) or _OPEN.match(line) or _CLOSE.fullmatch(line) or line == "$$")

    def _blank(self, place: int) -> None:
        self._lines[place] = ""

    def _containers(self) -> list[tuple[int, int]]:
        """Those that hold prompts, the inner ones first: lines of beginning and end."""
        found, opened = list[tuple[int, int]](), list[int]()
        for place, line in enumerate(self._stripped):
            if place in self._code:
                continue
            if _OPEN.match(line):
                opened.append(place)
            elif _CLOSE.fullmatch(line) and opened:
                start = opened.pop()
                if any(start < prompt < place for prompt in self._prompts):
                    found.append((start, place))
        return found

    def _is_left(self, start: int, end: int) -> bool:
        """Whether nothing but lines of the skeleton is left between two lines."""
        return all(not self._lines[place].strip() or self._is_around(place) for place in range(start, end))

    def _unwritten(self) -> frozenset[int]:
        """Headings of the skeleton over prompts, and nothing else that is left."""
        found = set[int]()
        below, deeper, prompts = False, 0, 0
        for place in range(len(self._lines) - 1, -1, -1):
            line = self._lines[place].strip()
            heading = None if place in self._code else _HEADING.match(line)
            if heading is None:
                below |= bool(line) and not self._skeleton.listed.fullmatch(line)
                prompts += place in self._prompts
                continue
            level = len(heading[1])
            of_skeleton = line in self._skeleton.around or f"{{#{_NUMBERED}" in line
            if of_skeleton and prompts and not below and deeper <= level:
                found.add(place)
            else:
                deeper = level
            below, prompts = False, 0
        return frozenset(found)


def _in_code(lines: Sequence[str]) -> frozenset[int]:
    """The lines of fenced code, with their fences."""
    found, fence = set[int](), ""
    for place, line in enumerate(lines):
        mark = _FENCE.match(line)
        if fence or mark:
            found.add(place)
        if not fence and mark:
            fence = mark[1]
        elif fence and mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    return frozenset(found)
