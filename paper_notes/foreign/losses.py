"""Findings for words of an original that have not arrived."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paper_notes.diagnostics import Location
from paper_notes.foreign.kept import Kept, words_of
from paper_notes.foreign.values import Finding, Original

_MOST_MOVED = 20
"""More lines in another order than these say nothing new."""


def lost_words(original: Original, kept: Kept) -> Iterator[Finding]:
    """A finding for each word that is lost and each line that is not together any more, at their places."""
    lines = [(line, frozenset(words_of(line))) for line in original.text.split("\n")] if kept.lost else []
    places = {word: _places(lines, word) for word in dict.fromkeys(kept.lost)}
    for word in kept.lost:
        where = places[word].pop() if len(places[word]) > 1 else places[word][0]
        yield Finding("lost", "lost-word", f'"{word}" is lost', Location(original.path, *where))
    for line in kept.moved[:_MOST_MOVED]:
        yield Finding(
            "doubtful", "moved-words", f'the words of "{line[:60]}" are in another order', _line(original, line)
        )


def _places(lines: list[tuple[str, frozenset[str]]], word: str) -> list[tuple[int, int]]:
    """Line and column of each place of a word; the last ones are those that are lost."""
    return [
        (number, found.start() + 1)
        for number, (line, words) in enumerate(lines, 1)
        if word in words
        for found in re.finditer(re.escape(word), line, re.IGNORECASE)
    ] or [(1, 1)]


def _line(original: Original, text: str) -> Location:
    """The line of the original whose words begin like these."""
    wanted = words_of(text)[:6]
    for number, line in enumerate(original.text.split("\n"), 1):
        if wanted and wanted == words_of(re.sub("<[^>]*>", "", line))[: len(wanted)]:
            return Location(original.path, number)
    return Location(original.path)
