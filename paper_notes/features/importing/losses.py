"""Words of an original that have not arrived: findings, what a reader calls their place, and marks in the note."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from paper_notes.diagnostics import Location
from paper_notes.features.importing.kept import Kept, words_of
from paper_notes.features.importing.values import Finding, Original
from paper_notes.languages.language import Language
from paper_notes.sources.tree import text_position

_MOST_MOVED = 20
"""More lines in another order than these say nothing new."""


_PARTS = re.compile(
    r"(?P<figure><svg\b(?:(?!<svg\b).)*?</svg\s*>|<img\b[^<>]*>|!\[[^\[\]\n]*\]\([^()\n]*\))"
    r"|(?P<table><table\b(?:(?!<table\b).)*?</table\s*>|(?m:^[ >]*\|.*(?:\n[ >]*\|.*)*))",
    re.DOTALL | re.IGNORECASE,
)
"""What a reader counts."""
_BEFORE = 6
"""So many words before a lost one say where it was."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Words of one part of an original that have not arrived."""

    part: str
    """`figure`, `table`, or empty for the text."""
    number: int
    """Of the figure or table, or of the line."""
    words: tuple[str, ...]
    location: Location
    """Of the first of them."""


def lost_parts(original: Original, kept: Kept) -> list[Lost]:
    """The lost words by the figure, the table or the line that they are in."""
    counts: Counter[str] = Counter()
    spans: list[tuple[tuple[int, int], tuple[int, int], str, int]] = []
    for found in _PARTS.finditer(original.text) if kept.lost else ():
        kind = found.lastgroup or ""
        counts[kind] += 1
        ends = text_position(original.text, found.start()), text_position(original.text, found.end())
        spans.append((*ends, kind, counts[kind]))
    parts: dict[tuple[str, int], Lost] = {}
    for word, where in _located(original, kept):
        at = (where.line, where.column)
        part = next(((kind, number) for start, end, kind, number in spans if start <= at < end), ("", where.line))
        before = parts.get(part)
        parts[part] = Lost(*part, (*(before.words if before else ()), word), before.location if before else where)
    return list(parts.values())


def with_lost_marked(body: str, original: Original, shown: str, kept: Kept, words: Language) -> str:
    """The text of a note with a box for each part that lost words, behind what is before them in the original."""
    file = f"`{original.path.name.replace('`', '')}`"
    for lost in reversed(lost_parts(original, kept)):
        part = words(f"lost.{lost.part or 'line'}", number=str(lost.number))
        said = words("lost.words", part=part, file=file, words=" ".join(lost.words))
        body = _with_box(body, said, _words_before(shown, lost.words[0], {*kept.lost}))
    return body


def _words_before(shown: str, word: str, lost: Collection[str]) -> list[str]:
    """The last words before the last place of a word, without those that are lost, too."""
    all_words = words_of(shown)
    place = len(all_words) - 1 - all_words[::-1].index(word) if word in all_words else 0
    return [one for one in all_words[:place] if one not in lost][-_BEFORE:]


def _with_box(body: str, said: str, before: Sequence[str]) -> str:
    """The text with a warning behind the block at its top that has most of these words, or else at its beginning."""
    blocks = _top_blocks(body)
    texts = [f" {' '.join(words_of(block))} " for block in blocks]
    ends = (f" {' '.join(before[start:])} " for start in range(len(before)))
    place = next((at for end in ends for at, text in enumerate(texts) if end in text), -1) + 1
    return "\n\n".join([*blocks[:place], f":::warning\n{said}\n:::", *blocks[place:]]) + "\n"


def _top_blocks(body: str) -> list[str]:
    """The text cut at blank lines outside of lists, boxes, formulas and code."""
    blocks: list[str] = []
    depth, fence = 0, ""
    for part in body.strip("\n").split("\n\n"):
        inside = bool(blocks) and (depth > 0 or bool(fence) or part.startswith((" ", "- ", "* ")) or part[:1].isdigit())
        for line in part.split("\n"):
            mark = re.match(r"[ >]*(`{3,}|~{3,}|\$\$$|:{3,}[ \t]*\S?)", line)
            if fence:
                fence = "" if mark and mark[1].startswith(fence) else fence
            elif mark and mark[1][0] in "`~$":
                fence = mark[1]
            elif mark:
                depth += 1 if mark[1].strip(" \t:") else -1
        if inside:
            blocks[-1] += f"\n\n{part}"
        else:
            blocks.append(part)
    return blocks


def lost_words(original: Original, kept: Kept) -> Iterator[Finding]:
    """A finding for each word that is lost and each line that is not together any more, at their places."""
    for word, where in _located(original, kept):
        yield Finding("lost", "lost-word", f'"{word}" is lost', where)
    for line in kept.moved[:_MOST_MOVED]:
        yield Finding(
            "doubtful", "moved-words", f'the words of "{line[:60]}" are in another order', _line(original, line)
        )


def _located(original: Original, kept: Kept) -> Iterator[tuple[str, Location]]:
    """Each lost word, and where it is."""
    lines = [(line, frozenset(words_of(line))) for line in original.text.split("\n")] if kept.lost else []
    places = {word: _places(lines, word) for word in dict.fromkeys(kept.lost)}
    for word in kept.lost:
        where = places[word].pop() if len(places[word]) > 1 else places[word][0]
        yield word, Location(original.path, *where)


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
