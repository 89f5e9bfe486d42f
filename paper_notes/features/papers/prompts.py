"""What `paper-notes new` writes for the writer to replace: readers never see what is left of it.

Lines are blanked, so that all others keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import lru_cache

from paper_notes.languages.language import Language, Message
from paper_notes.markdown.parser import WithoutPrompts
from paper_notes.patterns import regex
from paper_notes.values import Struct

_PROMPT = regex(r"(?<!\*)\*[^*]+\*(?!\*)")
_PLACE = regex(r"\\\{\w+\\\}")
_FENCE = regex(r" {0,3}(`{3,}|~{3,})")
_OPEN, _CLOSE = re.compile(r":{3,} *\w"), re.compile(r":{3,}\s*")
_HEADING = regex(r"(#{1,6})\s")
_MARK = regex(r"#{1,6}\s|:{3,} *\w|(?::{3,}\s*|\$\$)$")
"""Begins or ends something, or ends a formula."""
_NUMBERED = "paper-"
"""Begins the ids of sections that are named after those of the paper."""


class _Skeleton(Struct, frozen=True):
    """What a new note in one language may hold, line by line."""

    prompts: frozenset[str]
    around: frozenset[str]
    """All other lines, such as a symbol to be explained."""
    prompt: re.Pattern[str]
    """Prompts that name something of the paper."""
    listed: re.Pattern[str]
    """A subsection of the paper, as a list item."""

    def is_prompt(self, line: str) -> bool:
        return line in self.prompts or bool(self.prompt.fullmatch(line))

    def is_around(self, line: str) -> bool:
        return line in self.around or bool(self.listed.fullmatch(line))


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
    if not any(map(skeleton.is_prompt, stripped)):  # as in nearly all texts
        return WithoutPrompts(tuple(lines))
    code = _in_code(lines)
    prompts = {row for row, line in enumerate(stripped) if row not in code and skeleton.is_prompt(line)}
    around = {row for row, line in enumerate(stripped) if row not in code | prompts and skeleton.is_around(line)}
    for row in prompts:
        lines[row] = ""
        while (row := row - 1) in around and not _MARK.match(stripped[row]):
            lines[row] = ""  # the symbol that was to be explained
    opened = list[int]()
    for row, line in enumerate(stripped):
        if row not in code and _OPEN.match(line):
            opened.append(row)
        elif row not in code and _CLOSE.fullmatch(line) and opened:
            start = opened.pop()
            inner = range(start + 1, row)
            left = any(lines[at].strip() and at not in around for at in inner)
            if start in around and not left and not prompts.isdisjoint(inner):
                lines[start : row + 1] = [""] * (row + 1 - start)
    return WithoutPrompts(tuple(lines), len(prompts), _unwritten(lines, code, prompts, skeleton))


def _unwritten(lines: list[str], code: Container[int], prompts: Container[int], skeleton: _Skeleton) -> frozenset[int]:
    """Headings of the skeleton over prompts, and nothing else that is left."""
    unwritten = set[int]()
    below, deeper, count = False, 0, 0
    for row in range(len(lines) - 1, -1, -1):
        line = lines[row].strip()
        heading = None if row in code else _HEADING.match(line)
        if heading is None:
            below |= bool(line) and not skeleton.listed.fullmatch(line)
            count += row in prompts
            continue
        level = len(heading[1])
        of_skeleton = line in skeleton.around or f"{{#{_NUMBERED}" in line
        if of_skeleton and count and not below and deeper <= level:
            unwritten.add(row)
        else:
            deeper = level
        below, count = False, 0
    return frozenset(unwritten)


def _in_code(lines: Sequence[str]) -> set[int]:
    """The lines of fenced code, with their fences."""
    code, fence = set[int](), ""
    for row, line in enumerate(lines):
        mark = _FENCE.match(line)
        if fence or mark:
            code.add(row)
        if not fence and mark:
            fence = mark[1]
        elif fence and mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    return code
