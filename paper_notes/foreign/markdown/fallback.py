"""What our parser refuses, or what a page would lose: escaped, and at last a block of plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paper_notes.diagnostics import Diagnostic
from paper_notes.foreign.markdown.conversion import Conversion
from paper_notes.foreign.markdown.lines import Line, fence_end
from paper_notes.foreign.markdown.words import Piece

_FORMULA = re.compile(r"(?<!\\)(\$\$?)((?:\\.|[^$\\])+)\1")
_PICTURE = re.compile(r"!\[([^\[\]]*)\]\(([^()\s]*)[^()]*\)")
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")


def escaped(
    conversion: Conversion, original: Sequence[Line], made: Sequence[Line], problems: Sequence[Diagnostic], *, hard: bool
) -> list[Line]:
    """The lines without what is refused: a sign gets a backslash, a formula that is no TeX becomes code.

    Where there is nothing to escape, and everywhere if `hard`, the whole block becomes text.
    """
    lines = [*made]
    blocks: list[int] = []
    places = {(one.location.line - 1, one.location.column - 1): one for one in problems}
    for (at, column), problem in sorted(places.items(), reverse=True):
        at = min(max(at, 0), len(lines) - 1)
        text = lines[at].text
        changed = "" if hard else _with_escape(text, column, problem)
        if changed and changed != text:
            lines[at] = lines[at].with_text(changed)
        else:
            blocks.append(at)
            message = f"this is kept as text: {problem.message}"
            conversion.report("unmapped", "as-text", message, lines[at].number)
    return _as_text(original, lines, blocks)


def _with_escape(text: str, column: int, problem: Diagnostic) -> str:
    """The line without what is wrong at a column; empty if it cannot be helped."""
    if problem.rule == "bad-tex":
        found = next((one for one in _FORMULA.finditer(text) if one.start() <= column < one.end()), None)
        return f"{text[: found.start()]}{_code(found[0])}{text[found.end() :]}" if found else ""
    if problem.rule == "duplicate-id":
        return _LABEL.sub("", text)
    if picture := _PICTURE.match(text, column):
        return f"{text[:column]}{picture[1]} {_code(picture[2])}{text[picture.end() :]}"
    sign = text[column : column + 1]
    if sign and not sign.isalnum() and not sign.isspace() and text[column - 1 : column] != "\\":
        return f"{text[:column]}\\{text[column:]}"
    return ""


def with_lost(conversion: Conversion, original: Sequence[Line], made: Sequence[Line], lost: Sequence[Piece]) -> list[Line]:
    """The lines, with each block that lost a word as the text that it was."""
    lines = [*made]
    blocks: list[int] = []
    for number in sorted({number for number, _ in lost}, reverse=True):
        words = " ".join(word for at, word in lost if at == number)
        conversion.report("unmapped", "as-text", f'this is kept as text: "{words[:60]}" would be lost', number)
        place = next((at for at, line in enumerate(lines) if line.number == number and line.words), -1)
        if place >= 0:
            blocks.append(place)
        else:
            after = next((at for at, line in enumerate(lines) if line.number > number), len(lines))
            text = next((line.text for line in original if line.number == number), "")
            lines[after:after] = [Line(number, part) for part in ("", "```text", text, "```", "")]
            blocks = [at + 5 if at >= after else at for at in blocks]
    return _as_text(original, lines, blocks)


def _as_text(original: Sequence[Line], lines: list[Line], places: Sequence[int]) -> list[Line]:
    """The lines, with the blocks that have one of these places as blocks of text: what the original has there."""
    made = [*lines]
    by_number = {line.number: line for line in original}
    for first, last in sorted({_block(lines, place) for place in places}, reverse=True):
        numbers = [line.number for line in lines[first:last]]
        following = next((line.number for line in lines[last:] if line.words), max(by_number, default=0) + 1)
        stop = max(max(numbers) + 1, min(following, max(numbers) + 1))
        text = [by_number[number].text for number in range(min(numbers), stop) if number in by_number]
        longest = max((len(run) for line in text for run in re.findall("`{3,}", line)), default=2)
        fence = "`" * max(longest + 1, 3)
        inside = [Line(min(numbers) + at, line) for at, line in enumerate(text)]
        while inside and not inside[0].words:
            del inside[0]
        made[first:last] = [
            Line(numbers[0], ""),
            Line(numbers[0], f"{fence}text"),
            *inside,
            Line(numbers[-1], fence),
            Line(numbers[-1], ""),
        ]
    return made


def _block(lines: Sequence[Line], place: int) -> tuple[int, int]:
    """The first line of the block at a place, and the line after it."""
    at = 0
    while at < len(lines):
        words = lines[at].words.lstrip("> ")
        end = at + 1
        if words.startswith(("```", "~~~")):
            inner = [line.with_text(line.text.lstrip("> ")) for line in lines]
            end = fence_end(inner, at)
        elif words == "$$":
            end = next((number + 1 for number in range(at + 1, len(lines)) if lines[number].words.lstrip("> ") == "$$"), at + 1)
        if at <= place < end and end > at + 1:
            return at, end
        at = end
    if _alone(lines[place]):
        return place, place + 1
    first, last = place, place + 1
    while first > 0 and lines[first - 1].words and not _alone(lines[first - 1]):
        first -= 1
    while last < len(lines) and lines[last].words and not _alone(lines[last]):
        last += 1
    return first, last


def _alone(line: Line) -> bool:
    return line.words.startswith((":::", "#"))


def _code(text: str) -> str:
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks}{text}{ticks}"
