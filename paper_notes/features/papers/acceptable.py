"""Markdown that somebody else wrote, changed so little that a note can hold it: no character of it is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.diagnostics import Location
from paper_notes.languages.language import Words
from paper_notes.markdown.parser import parse_text

ROUNDS, _ESCAPES = 60, 20
"""How often what is refused is made plain before the whole text becomes code, and how often only by a sign of it."""
_FENCE = re.compile(r"[ >]*(`{3,}|~{3,})")
_BLOCK = re.compile(r"[ >]*(?:`{3,}|~{3,}|:::|\$\$)")
_MARKER = re.compile(r"\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*")
_MEANING = re.compile(r"\\[!-/:-@\[-`{-~]|[\\`*_\[\]<>$#{}@!~=^&%]|:(?!//)|(?P<bar>\|)")
_HEADING = re.compile(r"(?m)^( {0,3})#{1,3}(?= )")
_FORMULA = re.compile(r"(?<!\\)(\$\$?)((?:\\.|[^$\\])+)\1")
_TAGS = re.compile(r"(`+)[^`]*\1|(?<!\\)<(?=[A-Za-z/])")
_FENCES = re.compile(r"(?m)^[ >]*(`{3,}|~{3,})")


def acceptable(text: str, lang: Lang, words: Words) -> str:
    """The text without mistakes that would stop a build, and without references to notes and papers.

    Headings become those of the fourth level. What is refused gets a backslash, formulas that are no TeX become code;
    if that does not help, its line and then its paragraph lose their marks, and at last they become a block of code.
    """
    text = whole = _HEADING.sub(r"\1####", text)
    for number in range(ROUNDS):
        refused = list(_refused(text, lang, words))
        if not refused:
            return text
        changed = escaped(text, refused) if number < _ESCAPES else text
        if changed == text:
            changed, _ = plainer(text, refused[0][1].line)
        text = changed
    return _fenced(whole)


def _refused(text: str, lang: Lang, words: Words) -> Iterable[tuple[str, Location]]:
    """Rules and places of what is wrong, and of references."""
    made = parse_text(NoteText(lang, PurePosixPath("text.md"), text), words).snippet
    for found in made.diagnostics:
        if found.severity == "error" and (found.rule != "html-not-allowed" or _is_tag(text, found.location)):
            yield found.rule, found.location
        elif found.severity == "error":  # a tag that is not closed, somewhere
            yield from ((found.rule, place) for place in _tags(text))
    yield from (("reference", slot.location) for slot in made.slots if slot.kind != "plain")


def _is_tag(text: str, where: Location) -> bool:
    return text.split("\n")[where.line - 1][where.column - 1 :].startswith("<")


def _tags(text: str) -> Iterable[Location]:
    """The places of all tags outside of code."""
    for found in _TAGS.finditer(text):
        if not found[1]:
            start = text.rfind("\n", 0, found.start()) + 1
            yield Location(PurePosixPath("text.md"), text.count("\n", 0, start) + 1, found.start() - start + 1)


def escaped(text: str, refused: Iterable[tuple[str, Location]]) -> str:
    """The text with a backslash before each place that is refused, from the last one to the first."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    places = {starts[min(where.line, len(starts) - 1) - 1] + where.column - 1: rule for rule, where in refused}
    for place in sorted(places, reverse=True):
        rule = places[place]
        if rule == "bad-tex":
            formula = next((found for found in _FORMULA.finditer(text) if found.start() <= place < found.end()), None)
            if formula:
                text = text[: formula.start()] + _code(formula[0]) + text[formula.end() :]
                continue
        if (
            place < len(text)
            and not text[place].isalnum()
            and not text[place].isspace()
            and text[place - 1 : place] != "\\"
        ):
            text = f"{text[:place]}\\{text[place:]}"
    return text


def plainer(text: str, line: int) -> tuple[str, bool]:
    """The text with less meaning at a line, by the smallest step that changes it, and whether that is a block of code.

    The signs of the line are escaped, or those of its paragraph, or that becomes code.
    """
    lines = text.split("\n")
    at = min(max(line - 1, 0), len(lines) - 1)
    start = end = at
    while start > 0 and lines[start - 1].strip():
        start -= 1
    while end + 1 < len(lines) and lines[end + 1].strip():
        end += 1
    block = _whole_fences(lines, start, end)
    if block == (start, end) and not any(map(_BLOCK.match, lines[start : end + 1])):
        for first, last in ((at, at), (start, end)):
            made = [*lines[:first], *map(_plain_line, lines[first : last + 1]), *lines[last + 1 :]]
            if made != lines:
                return "\n".join(made), False
    start, end = block
    return "\n".join([*lines[:start], _fenced("\n".join(lines[start : end + 1])), *lines[end + 1 :]]), True


def _plain_line(line: str) -> str:
    """A line in its list or quote whose signs mean nothing; those that have a backslash already keep it."""
    found = _MARKER.match(line)
    start = found.end() if found else 0
    is_row = line[start : start + 1] == "|"
    plain = lambda sign: sign[0] if sign[0][1:] or (sign["bar"] and is_row) else f"\\{sign[0]}"  # noqa: E731
    return line[:start] + _MEANING.sub(plain, line[start:])


def _whole_fences(lines: list[str], start: int, end: int) -> tuple[int, int]:
    """The same lines, and more so that no fence is cut in two."""
    opened: int | None = None
    for number, line in enumerate(lines):
        if not _FENCE.match(line):
            continue
        if opened is None:
            opened = number
        else:
            if opened <= end and number >= start:
                start, end = min(start, opened), max(end, number)
            opened = None
    return (min(start, opened), len(lines) - 1) if opened is not None and opened <= end else (start, end)


def _fenced(text: str) -> str:
    """The text as a block of code."""
    fence = "`" * max((len(found[1]) + 1 for found in _FENCES.finditer(text)), default=3)
    return f"{fence}text\n{text}\n{fence}"


def _code(text: str) -> str:
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks}{text}{ticks}"
