"""Names of a paper that stand for each other, and whether two sentences say the same number of the same names.

A paper's sentence has no row and column; but its tables and its lists say which names are of one kind: if a note says
of MATH what the paper says of GSM8K, the number is there, and the note is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from paper_notes.features.verify.cells import Grid, NearWords, stance_of
from paper_notes.features.verify.labels import Axis, Vocabulary

_NAME = r"(?:[A-Z][\w.+]*|\d[A-Z]\w+)(?:[-‑–][\w.+]+)*(?:\s?\((?:[^()]{1,40})\))?"
_LIST = re.compile(rf"{_NAME}(?:,\s{_NAME})*,?\s(?:and|or|vs\.?|versus|over|than)\s{_NAME}")
_NAMED = re.compile(r"(?:[A-Z][\w.+]*|\d[A-Z]\w+)(?:[-‑–][\w.+]+)*")
_IS_NAME = re.compile(r"[A-Z].*[A-Z\d]|\d.*[A-Z]|[a-z][A-Z]")
"""Two capitals, or one and a digit: `GSM8K`, `TriviaQA`; other words with a capital may begin a sentence."""
_MOST = 30
_WE = re.compile(r"\b(?:we|our|ours|us|proposed)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Siblings:
    """The kinds of names of a paper."""

    axes: Sequence[Axis]
    own: str
    """What the paper calls its method, of which its sentences need not speak."""

    def spoken_otherwise(self, words: NearWords, theirs: NearWords, around: str) -> tuple[str, ...]:
        """The names that a note's words say beside a number, where a paper's say others of that kind and not these.

        `around` is the paper's sentence with those beside it.
        """
        for axis in self.axes if not words.is_cell else ():
            said = stance_of(axis, words)
            clear = said.attached or said.near
            clear &= said.clear
            if (
                not any(map(_IS_NAME.search, clear))
                or 2 * len(clear) > len(axis.labels) + 1
                or any(map(self._is_own, clear))
            ):
                continue
            if clear & axis.named(around):
                continue
            printed = stance_of(axis, theirs)
            other = printed.attached or printed.near
            if other and not other & said.said and not any(map(self._is_own, other)):
                return tuple(sorted(clear))
        return ()

    def _is_own(self, label: str) -> bool:
        low = label.lower()
        return bool(self.own and self.own in low) or "ours" in low


def siblings_of(
    grids: Iterable[Grid], rows: Iterable[str], listed: Iterable[Sequence[str]], vocabulary: Vocabulary, own: str
) -> Siblings:
    """The labels of tables, level by level; the names that sentences list, and those that begin the lines `listed`."""
    kinds: list[set[str]] = []
    for row in rows:
        for match in _LIST.finditer(row):
            names = {name.rstrip(".") for name in _NAMED.findall(match[0]) if _IS_NAME.search(name)}
            if 1 < len(names) <= _MOST:
                joined = [kind for kind in kinds if kind & names]
                kinds = [kind for kind in kinds if not kind & names]
                kinds.append(names.union(*joined))
    kinds += [set(names) for names in listed if len(set(names)) > 1]
    named = [Axis(sorted(kind), vocabulary) for kind in kinds if len(kind) <= _MOST]
    axes = [axis for grid in grids for axis in grid.axes.values() if len(axis.labels) <= _MOST]
    return Siblings((*axes, *named), own.lower())
