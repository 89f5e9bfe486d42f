"""Markdown that somebody else wrote, changed so little that a note can hold it: no character of it is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Location
from paper_notes.languages.language import Words
from paper_notes.markdown.render import render_snippet

ROUNDS = 40
"""How often what is refused is escaped, before the whole text becomes code: parsing a text takes a millisecond."""
_HEADING = re.compile(r"(?m)^( {0,3})#{1,3}(?= )")
_FORMULA = re.compile(r"(?<!\\)(\$\$?)((?:\\.|[^$\\])+)\1")
_FENCES = re.compile(r"(?m)^[ >]*(`{3,}|~{3,})")


def acceptable(text: str, lang: Lang, words: Words) -> str:
    """The text without mistakes that would stop a build, and without references to notes and papers.

    Headings become those of the fourth level. What is refused gets a backslash, formulas that are no TeX become code;
    if that does not help, all of it becomes a block of code.
    """
    text = _HEADING.sub(r"\1####", text)
    for _ in range(ROUNDS):
        refused = list(_refused(text, lang, words))
        if not refused:
            return text
        changed = escaped(text, refused)
        if changed == text:
            break
        text = changed
    fence = "`" * max((len(found[1]) + 1 for found in _FENCES.finditer(text)), default=3)
    return f"{fence}text\n{text}\n{fence}"


def _refused(text: str, lang: Lang, words: Words) -> Iterable[tuple[str, Location]]:
    """Rules and places of what is wrong, and of references."""
    made = render_snippet(text, lang, Location(PurePosixPath("text.md")), words)
    yield from ((found.rule, found.location) for found in made.diagnostics if found.severity == "error")
    yield from (("reference", slot.location) for slot in made.slots if slot.kind != "plain")


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


def _code(text: str) -> str:
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks}{text}{ticks}"
