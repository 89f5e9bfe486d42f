"""The sentences of a text beside those of its translation, found by their lengths and by what both have."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from paper_notes.markdown.syntax.cjk import count
from paper_notes.patterns import regex
from paper_notes.values import Struct

NO_WORDS = "\ufffc"
"""Stands for a formula, a piece of code or a reference."""


END = regex(r"[。！？；]+[”’」』）)\]]*|[.!?;]+[”’\"')\]]*(?=\s|$)|\n+")
_ABBREVIATION = regex(
    r"(?:\b(?:e\.g|i\.e|cf|vs|etc|al|Figs?|Eqs?|Secs?|Apps?|Tabs?|Refs?|pp?|[Nn]o|resp|approx|Dr|St)|\b[A-Z])\.$"
)
_MARK = regex(rf"[A-Za-z][A-Za-z-]*|\d+(?:[.,]\d+)*|{NO_WORDS}")
_IDEOGRAPHS_IN_WORD = 1.6
_MOVES = ((1, 1, 0.0), (1, 2, 1.0), (2, 1, 1.0), (1, 3, 2.0), (3, 1, 2.0), (2, 2, 2.0), (1, 0, 3.5), (0, 1, 3.5))
"""How many sentences may be the translation of how many, and what it costs: people merge and split a few."""
_BAND = 12
"""Sentences that a text may be ahead of its translation."""


class Sentence(Struct, frozen=True):
    """A sentence, and what tells which one is its translation."""

    text: str
    start: int
    """Where it is in the text of which it is a part."""
    size: float
    """In words of English."""
    marks: Counter[str]
    """Words in Latin letters, numbers and formulas: most are the same in both languages."""


Pair = tuple[Sequence[Sentence], Sequence[Sentence]]


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text, and the parts of them that semicolons divide, with where each begins."""
    start = 0
    for end in (*END.finditer(text), None):
        if end and end[0].startswith(".") and _ABBREVIATION.search(text, max(0, end.start() - 8), end.start() + 1):
            continue
        part = text[start : end.end() if end else None]
        if shown := part.strip():
            yield start + part.index(shown[0]), shown
        start = end.end() if end else start


def read_sentences(text: str) -> list[Sentence]:
    """Those of a text."""
    every = []
    for start, sentence in sentences(text):
        words, ideographs = count(sentence)
        marks = Counter(mark.lower() for mark in _MARK.findall(sentence))
        wordless = sum(times for mark, times in marks.items() if not mark[0].isalpha())
        size = words + wordless + ideographs / _IDEOGRAPHS_IN_WORD + 1
        every.append(Sentence(sentence, start, size, marks))
    return every


def joined(side: Sequence[Sentence]) -> str:
    """Their text."""
    return " ".join(sentence.text for sentence in side)


def aligned(source: Sequence[Sentence], translation: Sequence[Sentence]) -> list[Pair]:
    """The way through both texts that costs least: by lengths, as Gale and Church do, and by what both have."""
    sizes = [[0.0, *accumulate(sentence.size for sentence in side)] for side in (source, translation)]
    rows, columns = len(source), len(translation)
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    for row in range(rows + 1):
        middle = row * columns // max(rows, 1)
        for column in range(max(0, middle - _BAND), min(columns, middle + _BAND) + 1):
            if (row, column) not in best:
                continue
            for down, right, price in _MOVES:
                to = (row + down, column + right)
                if to[0] > rows or to[1] > columns:
                    continue
                lengths = sizes[0][to[0]] - sizes[0][row], sizes[1][to[1]] - sizes[1][column]
                price += best[row, column][0] + _cost(lengths, source[row : to[0]], translation[column : to[1]])
                if to not in best or price < best[to][0]:
                    best[to] = price, (row, column)
    end, pairs = (rows, columns), list[Pair]()
    if end not in best:
        return [(source, translation)]
    while end != (0, 0):
        start = best[end][1]
        pairs.append((source[start[0] : end[0]], translation[start[1] : end[1]]))
        end = start
    return pairs[::-1]


def _cost(lengths: tuple[float, float], ours: Sequence[Sentence], theirs: Sequence[Sentence]) -> float:
    if not ours or not theirs:
        return 0.12 * sum(lengths)
    common = sum((marks_of(ours) & marks_of(theirs)).values())
    return abs(lengths[0] - lengths[1]) / math.sqrt(sum(lengths)) - 0.6 * min(common, 4)


def marks_of(side: Sequence[Sentence]) -> Counter[str]:
    """What they have that most languages write alike."""
    return side[0].marks if len(side) == 1 else sum((sentence.marks for sentence in side), Counter[str]())
