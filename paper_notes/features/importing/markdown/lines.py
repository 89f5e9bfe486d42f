"""Lines of a text with their numbers in the original, and which of them are code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

FENCE = re.compile(r"(?P<fence>`{3,}+(?!.*`)|~{3,})[ \t]*(?P<info>.*)")
ITEM = re.compile(r"(?P<marker>[-*+]|\d{1,9}[.)])(?P<space>[ \t]+|$)")
TAB = 4


class Line(NamedTuple):
    """A line of a text; `number` is that of the line of the original, from 1, that it comes from."""

    number: int
    text: str

    @property
    def indent(self) -> int:
        """The width of the blanks before its words."""
        return len(self.text) - len(self.text.lstrip(" "))

    @property
    def words(self) -> str:
        """Without blanks around."""
        return self.text.strip()

    def with_text(self, text: str) -> Line:
        """The line with other text."""
        return Line(self.number, text)


def lines_of(text: str, first: int = 1) -> list[Line]:
    """The lines of a text, the blanks before them without tabs."""
    return [Line(number, _without_tabs(line)) for number, line in enumerate(text.split("\n"), first)]


def _without_tabs(line: str) -> str:
    if "\t" not in line[: len(line) - len(line.lstrip(" \t"))]:
        return line
    words = line.lstrip(" \t")
    return line[: len(line) - len(words)].expandtabs(TAB) + words


def fence_end(lines: Sequence[Line], start: int) -> int:
    """The index after the fence that begins at `start`; without an end all lines are in it."""
    opened = FENCE.match(lines[start].words)
    assert opened
    mark, indent = opened["fence"], lines[start].indent
    for place in range(start + 1, len(lines)):
        words = lines[place].words
        if words.startswith(mark) and not words.strip(mark[0]):
            return place + 1
        if words and lines[place].indent < indent and indent >= 2 and _leaves(words):
            return place
    return len(lines)


def _leaves(words: str) -> bool:
    """Whether such words at a smaller indentation end a list, and the code in it."""
    return words.startswith("#") or bool(ITEM.match(words))


def indented(lines: Sequence[Line], start: int, indent: int) -> int:
    """The index after the lines from `start` on that are blank or indented; blank ones at the end are left out."""
    end = start
    for place in range(start, len(lines)):
        if lines[place].words:
            if lines[place].indent < indent:
                break
            end = place + 1
    return end


def dedented(lines: Sequence[Line], by: int) -> list[Line]:
    """The lines without so many blanks before them."""
    return [line.with_text(line.text[min(by, line.indent) :]) for line in lines]


def shifted(lines: Sequence[Line], by: int) -> list[Line]:
    """The lines with so many blanks before them."""
    return [line.with_text(" " * by + line.text if line.words else "") for line in lines]


def prose(lines: Sequence[Line]) -> Iterator[tuple[int, Line]]:
    """The lines with their indexes that are not in fences, comments, formulas or indented code."""
    place, floor, was_blank, was_code = 0, 0, True, False
    while place < len(lines):
        line = lines[place]
        words, indent = line.words, line.indent
        if not words:
            was_blank, place = True, place + 1
            continue
        if indent < floor:
            floor = 0 if was_blank else floor
        if indent >= floor + TAB and (was_blank or was_code):
            was_code, place = True, place + 1
            continue
        was_blank = was_code = False
        if FENCE.match(words):
            place = fence_end(lines, place)
            continue
        if words.startswith("<!--"):
            place = _until(lines, place, "-->", words[4:])
            continue
        if words.startswith("$$"):
            place = _until(lines, place, "$$", words[2:])
            continue
        if item := ITEM.match(words):
            floor = indent + len(item["marker"]) + max(min(len(item["space"]), 4), 1)
        yield place, line
        place += 1


def _until(lines: Sequence[Line], start: int, mark: str, rest: str) -> int:
    """The index after the line that has the mark; if none has it, that of the next line."""
    if mark in rest:
        return start + 1
    return next((place + 1 for place in range(start + 1, len(lines)) if mark in lines[place].text), start + 1)
