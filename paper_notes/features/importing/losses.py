"""Findings for words of an original that have not arrived."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from paper_notes.diagnostics import Location
from paper_notes.features.importing.kept import Kept, words_of
from paper_notes.features.importing.values import Finding, Original

_MOST_MOVED = 20
"""More lines in another order than these say nothing new."""


def lost_words(original: Original, kept: Kept) -> Iterator[Finding]:
    """A finding for each word that is lost and each line that is not together any more, at their places."""
    seen: Counter[str] = Counter()
    for word in kept.lost:
        where = _last(original, word, seen[word])
        seen[word] += 1
        yield Finding("lost", "lost-word", f'"{word}" is lost', where)
    for line in kept.moved[:_MOST_MOVED]:
        yield Finding(
            "doubtful", "moved-words", f'the words of "{line[:60]}" are in another order', _line(original, line)
        )


def _last(original: Original, word: str, besides: int) -> Location:
    """The last place of a word but so many."""
    places = [
        (number, found.start() + 1)
        for number, line in enumerate(original.text.split("\n"), 1)
        for found in re.finditer(re.escape(word), line, re.IGNORECASE)
        if word in words_of(line)
    ]
    line, column = places[max(len(places) - 1 - besides, 0)] if places else (1, 1)
    return Location(original.path, line, column)


def _line(original: Original, text: str) -> Location:
    """The line of the original whose words begin like these."""
    wanted = words_of(text)[:6]
    for number, line in enumerate(original.text.split("\n"), 1):
        if wanted and wanted == words_of(re.sub("<[^>]*>", "", line))[: len(wanted)]:
            return Location(original.path, number)
    return Location(original.path)
