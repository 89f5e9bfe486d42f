"""What our parser refuses, or what a page would lose: escaped, and at last a block of plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paper_notes.diagnostics import Diagnostic
from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.lines import FENCE, Line, fence_end
from paper_notes.features.importing.markdown.words import Piece

_FORMULA = re.compile(r"(?<!\\)(\$\$?)((?:\\.|[^$\\])+)\1")
_PICTURE = re.compile(r"!\[([^\[\]]*)\]\(([^()\s]*)[^()]*\)")
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}")
_OWN_LINK = re.compile(r"\[((?:\\.|[^\[\]])*)\]\(#[^()\s]*\)|\[\[#\^([\w-]+)\]\]")


def escaped(
    conversion: Conversion,
    original: Sequence[Line],
    made: Sequence[Line],
    problems: Sequence[Diagnostic],
    *,
    hard: bool,
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
        changed = "" if hard and problem.severity == "error" else _with_escape(text, column, problem)
        if changed and changed != text:
            lines[at] = lines[at].with_text(changed)
        elif problem.severity == "error":
            blocks.append(at)
            number = lines[_blocks(lines)[at][0]].number
            conversion.report("unmapped", "as-text", f"this is kept as text: {problem.message}", number)
    return _as_text(original, lines, blocks)


def _with_escape(text: str, column: int, problem: Diagnostic) -> str:
    """The line without what is wrong at a column; empty if it cannot be helped."""
    if problem.rule == "bad-tex":
        found = next((one for one in _FORMULA.finditer(text) if one.start() <= column < one.end()), None)
        return f"{text[: found.start()]}{_code(found[0])}{text[found.end() :]}" if found else ""
    if problem.rule == "duplicate-id":
        if text[column : column + 1] == "^":
            return text[:column].rstrip()
        return _LABEL.sub("", text)
    if problem.rule == "unknown-anchor" and (found := _OWN_LINK.match(text, column)):
        return f"{text[:column]}{found[1] or found[2]}{text[found.end() :]}"
    if picture := _PICTURE.match(text, column):
        return f"{text[:column]}{picture[1]} {_code(picture[2])}{text[picture.end() :]}"
    sign = text[column : column + 1]
    if sign and not sign.isalnum() and not sign.isspace() and text[column - 1 : column] != "\\":
        return f"{text[:column]}\\{text[column:]}"
    return ""


def with_lost(
    conversion: Conversion, original: Sequence[Line], made: Sequence[Line], lost: Sequence[Piece]
) -> list[Line]:
    """The lines, with each block that lost a word as the text that it was."""
    lines = [*made]
    blocks: list[int] = []
    starts: dict[int, int] = {}
    for at, line in enumerate(lines):
        if line.words:
            starts.setdefault(line.number, at)
    for number in sorted({number for number, _ in lost}, reverse=True):
        words = " ".join(word for at, word in lost if at == number)
        conversion.report("unmapped", "as-text", f'this is kept as text: "{words[:60]}" would be lost', number)
        if number in starts:
            blocks.append(starts[number])
        else:
            after = next((at for at, line in enumerate(lines) if line.number > number), len(lines))
            text = next((line.text for line in original if line.number == number), "")
            lines[after:after] = [Line(number, part) for part in ("", "```text", text, "```", "")]
            blocks = [at + 5 if at >= after else at for at in blocks]
    return _as_text(original, lines, blocks)


def _as_text(original: Sequence[Line], lines: list[Line], places: Sequence[int]) -> list[Line]:
    """The lines, with the blocks that have one of these places as blocks of text: what the original has there."""
    made = [*lines]
    by_number = {line.number: line for line in original} if places else {}
    ranges = _blocks(lines) if places else []
    for first, last in sorted({ranges[place] for place in places}, reverse=True):
        numbers = [line.number for line in lines[first:last]]
        text = [by_number[number].text for number in range(min(numbers), max(numbers) + 1) if number in by_number]
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


def as_code(original: Sequence[Line]) -> list[Line]:
    """The lines as one block of text."""
    first, last = original[0].number, original[-1].number
    longest = max((len(run) for line in original for run in re.findall("`{3,}", line.text)), default=2)
    fence = "`" * max(longest + 1, 3)
    return [Line(first, f"{fence}text"), *original, Line(last, fence)]


def _blocks(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """For each line the first line of its block, and the line after that."""
    inner = [line.with_text(line.text.lstrip("> ")) for line in lines]
    made: list[tuple[int, int]] = []
    while (first := len(made)) < len(lines):
        words = inner[first].words
        end = first + 1
        if words.startswith(("```", "~~~")) and FENCE.match(words):
            end = fence_end(inner, first)
        elif words == "$$":
            end = next((at + 1 for at in range(end, len(lines)) if inner[at].words == "$$"), end)
        elif words and not _alone(lines[first]):
            while end < len(lines) and _goes_on(inner[end].words) and lines[end].words:
                end += 1
        made += [(first, end)] * (end - first)
    return made


def _goes_on(words: str) -> bool:
    """Whether a line belongs to the block above it."""
    return bool(words) and words != "$$" and not words.startswith((":::", "#", "```", "~~~"))


def _alone(line: Line) -> bool:
    return line.words.startswith((":::", "#"))


def _code(text: str) -> str:
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks}{text}{ticks}"
