"""Words of two languages that are each other's translation in a note, learned from it, and where one is of another."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from paper_notes.features.verify.quantities import folded
from paper_notes.patterns import regex

_WORD = regex(r"[a-z](?:[\w.+-]*\w)?", re.ASCII | re.IGNORECASE)
_RUN = regex(r"[\u4e00-\u9fff]+")
_SIZES = range(2, 5)
"""Ideographs of a word; one alone is a word where it stands alone."""
_TIMES, _BUT = 3, 2
"""In how many sentences both words have to be, and in how many one may be without the other."""


def words_apart(pairs: Sequence[tuple[str, str]], labels: Sequence[tuple[str, str]]) -> Iterator[tuple[int, str, str]]:
    """Sentences with a word for which the other one has not its translation, but that of another: where, and both.

    `pairs` are the sentences of a text, and their translations.
    """
    ours, theirs = (
        _places([pair[side] for pair in pairs], {*_words("\n".join(label[side] for label in labels))})
        for side in (0, 1)
    )
    grams = defaultdict[int, list[str]](list)
    for gram, places in theirs.items():
        for at in _bits(places):
            grams[at].append(gram)
    partners, back = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for word, places in ours.items():
        first = [*_bits(places)][: _BUT + 1]
        for gram in dict.fromkeys(gram for at in first for gram in grams[at]):
            if (places & theirs[gram]).bit_count() >= _TIMES and (places ^ theirs[gram]).bit_count() <= _BUT:
                partners[word].append(gram)
                back[gram].append(word)
    alone, instead = _alone(ours, partners, theirs), _alone(theirs, back, ours)
    for at in sorted(alone.keys() & instead.keys()):
        yield at, max(alone[at], key=len), max(instead[at], key=len)


def _alone(
    own: Mapping[str, int], partners: Mapping[str, Sequence[str]], other: Mapping[str, int]
) -> Mapping[int, list[str]]:
    """The sentences that have words without any of their partners."""
    alone = defaultdict[int, list[str]](list)
    for word, every in partners.items():
        known = 0
        for partner in every:
            known |= other[partner]
        for at in _bits(own[word] & ~known):
            alone[at].append(word)
    return alone


def _places(texts: Iterable[str], known: set[str]) -> Mapping[str, int]:
    """In which of the texts each word is, as bits; only of those that are in several."""
    places = defaultdict[str, int](int)
    for at, text in enumerate(texts):
        for word in known.intersection(_words(text)):
            places[word] |= 1 << at
    return {word: bits for word, bits in places.items() if bits.bit_count() >= _TIMES}


def _words(text: str) -> Iterator[str]:
    """The words in Latin letters, and all that may be one in ideographs."""
    yield from (word.lower() for word in _WORD.findall(folded(text)))
    for run in _RUN.findall(text):
        yield from (run[at : at + size] for size in _SIZES for at in range(len(run) - size + 1))
        if len(run) == 1:
            yield run


def _bits(places: int) -> Iterator[int]:
    while places:
        yield (places & -places).bit_length() - 1
        places &= places - 1
