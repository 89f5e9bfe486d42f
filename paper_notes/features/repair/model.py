"""How likely a character is after the two before it: interpolated counts with absolute discounting.

The counts are those of the program's tables, and those of the user's own collection.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from paper_notes.features.repair.detect import is_plain
from paper_notes.features.repair.tables import ORDER, REST, REST_KINDS, CountTables

_DISCOUNT = 0.85
_OWN = 2.0
"""How much a sequence in the user's collection counts, against one in the tables."""
_UNSEEN = 1000.0
"""Counts that are set aside for characters that were never seen."""
_RUNS = re.compile(r"(?P<word>[A-Za-z]+(?:[ \t'/_.-]*[A-Za-z0-9]+)*)|(?P<number>[0-9]+(?:[.,][0-9]+)*)|[ \t]+|\*+")
_TELLING = re.compile("[^\x00-\x7f]")

Counts = Mapping[str, Mapping[str, float]]
"""From the characters before (none to two) to those that follow, with their counts."""


def folded(text: str) -> str:
    """The text as it is counted: words in Latin letters are one `a`, a number is `0`; spaces and `**` are left out.

    So what is before a name is near what is after it, with or without spaces around it.
    """
    return _RUNS.sub(lambda run: "a" if run["word"] else "0" if run["number"] else "", text)


def counted(texts: Iterable[str], folds: Mapping[str, str]) -> dict[str, Counter[str]]:
    """The sequences in the lines of the texts that are not plain ASCII."""
    following: dict[str, Counter[str]] = defaultdict(Counter)
    table = str.maketrans(dict(folds))
    for text in texts:
        for line in text.split("\n"):
            if not _TELLING.search(line):
                continue
            signs = "\n" + folded(line).translate(table) + "\n"
            for length in range(ORDER):
                for end in range(length, len(signs)):
                    following[signs[end - length : end]][signs[end]] += 1
    return dict(following)


@dataclass
class _Followers:
    counts: dict[str, float]
    total: float
    kinds: float


@dataclass
class CharacterModel:
    """The probabilities. Remembers what was asked."""

    tables: CountTables
    own: Counts = field(default_factory=dict)
    traditional: float = 0.01
    """The share of traditional characters, among those that are written in two ways."""
    _followers: dict[str, _Followers] = field(default_factory=dict)
    _known: dict[tuple[str, str], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._simplified = frozenset(self.tables.folds.values())
        self._folded: dict[str, str] = {}

    def fold(self, text: str) -> str:
        """A sign, a word in Latin letters or a number as it is counted."""
        known = self._folded.get(text)
        if known is None:
            known = self._folded[text] = self.tables.folds.get(text) or folded(text)
        return known

    def probability(self, history: str, sign: str) -> float:
        """Of the sign after the (at most two) signs before it, folded."""
        known = self._known.get((history, sign))
        if known is None:
            known = self._known[history, sign] = self._as_written(sign) * self._interpolated(
                history, self.tables.folds.get(sign, sign)
            )
        return known

    def _as_written(self, sign: str) -> float:
        if sign in self.tables.folds:
            return self.traditional
        return 1 - self.traditional if sign in self._simplified else 1.0

    def _interpolated(self, history: str, sign: str) -> float:
        followers = self._after(history)
        if not history:
            return (followers.counts.get(sign, 0.0) + _rare(sign)) / (followers.total + _UNSEEN)
        shorter = self._interpolated(history[1:], sign)
        if not followers.total:
            return shorter
        count = followers.counts.get(sign, 0.0)
        back = min(0.98, _DISCOUNT * followers.kinds / followers.total)
        return (count - _DISCOUNT * min(count, 1.0)) / followers.total + back * shorter

    def _after(self, history: str) -> _Followers:
        known = self._followers.get(history)
        if known is None:
            counts = self.tables.followers(history)
            rest, kinds = counts.pop(REST, 0.0), counts.pop(REST_KINDS, 0.0)
            for sign, count in self.own.get(history, {}).items():
                counts[sign] = counts.get(sign, 0.0) + _OWN * count
            kinds += sum(min(count, 1.0) for count in counts.values())
            known = self._followers[history] = _Followers(counts, rest + sum(counts.values()), kinds)
        return known


def _rare(sign: str) -> float:
    """The count that a sign is taken to have beside its real one."""
    if "\u4e00" <= sign <= "\u9fff":
        return 0.05
    return 0.02 if is_plain(sign) else 0.001
