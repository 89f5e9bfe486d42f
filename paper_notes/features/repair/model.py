"""How likely each character is that a damaged text may have had: by the two before it, and by all of its line.

The counts behind it are those of the program, as `tests/features/repair/making_tables.py` packed them, and those of
the user's own collection.
"""

from __future__ import annotations

import lzma
import struct
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path

from paper_notes.features.repair.garbling import is_plain
from paper_notes.patterns import regex
from paper_notes.values import Struct, field

ORDER = 3
"""The longest sequences that are counted."""
BITS = 14
"""Of the number of a character: there are fewer than 16,384."""
STEP = 1.0
"""Counts are stored as levels: each is two to the power of this times the one before."""
SMALLEST = 0.125
"""The count of level 0."""
REST, REST_KINDS = "\ue000", "\ue001"
"""Stand for the sequences that are left out after a history: their counts together, and how many there are."""
PLACE = Path(__file__).parent / "counts.bin"


class CountTables(Struct, frozen=True):
    """Sequences are sorted numbers, made of the numbers of their characters; `levels` has their counts."""

    characters: str
    folds: dict[str, str]
    """From a traditional character to the simplified one that it is counted as."""
    keys: tuple[array[int], ...]
    levels: tuple[bytes, ...]
    numbers: dict[str, int]

    def followers(self, history: str) -> dict[str, float]:
        """Each character that was seen after these (at most two), with its count."""
        order, prefix = len(history), 0
        for character in history:
            number = self.numbers.get(character)
            if number is None:
                return {}
            prefix = prefix << BITS | number
        keys, levels = self.keys[order], self.levels[order]
        start = bisect_left(keys, prefix << BITS)
        end = bisect_left(keys, (prefix + 1) << BITS, start)
        mask = (1 << BITS) - 1
        return {self.characters[keys[i] & mask]: COUNTS[levels[i]] for i in range(start, end)}


COUNTS = tuple(SMALLEST * 2 ** (STEP * level) for level in range(64))
"""The counts of the levels."""


@cache
def load_tables() -> CountTables:
    """The tables of the program: a tenth of a second."""
    return unpacked(PLACE.read_bytes())


def unpacked(data: bytes) -> CountTables:
    """The tables of a file that `packed` of `tests/repair/making_tables.py` has made."""
    (count,) = struct.unpack_from("<I", data)
    sizes = struct.unpack_from(f"<{count}I", data, 4)
    body = lzma.decompress(data[4 + 4 * count :])
    ends = [0, *accumulate(sizes)]
    parts = [body[start:end] for start, end in pairwise(ends)]
    characters, folded = parts[0].decode(), parts[1].decode()
    keys, levels = [], []
    for first in range(2, count, 7):
        raw = bytearray(8 * sizes[first])
        for place in range(6):
            raw[place::8] = parts[first + place]
        steps = array("Q", bytes(raw))
        if array("H", [1]).tobytes() == b"\0\1":
            steps.byteswap()  # they are stored with the low byte first
        keys.append(array("Q", accumulate(steps)))
        levels.append(parts[first + 6])
    numbers = {character: number for number, character in enumerate(characters)}
    folds = dict(zip(folded[::2], folded[1::2], strict=True))
    return CountTables(characters, folds, tuple(keys), tuple(levels), numbers)


_DISCOUNT = 0.85
_OWN = 2.0
"""How much a sequence in the user's collection counts, against one in the tables."""
_UNSEEN = 1000.0
"""Counts that are set aside for characters that were never seen."""
_RUNS = regex(r"(?P<word>[A-Za-z]+(?:[ \t'/_.-]*[A-Za-z0-9]+)*)|(?P<number>[0-9]+(?:[.,][0-9]+)*)|[ \t]+|\*+")
_TELLING = regex("[^\x00-\x7f]")

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


class _Followers(Struct):
    counts: dict[str, float]
    total: float
    kinds: float


class CharacterModel(Struct, dict=True):
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


_HISTORY = ORDER - 1
_BEAM = 1e-5
"""A way of reading the text that is this much less likely than the best one so far is given up."""
_WIDEST = 60
"""Ways that are followed at a time."""
_MANY = 40
"""Candidates of a character that are looked at: the most frequent ones."""

Ranked = tuple[tuple[str, float], ...]
"""Characters with their probabilities, the likeliest first."""


def read_line(model: CharacterModel, cells: Sequence[tuple[str, ...]]) -> list[Ranked]:
    """For each cell of the line, which has one or more candidates, those candidates with their probabilities.

    The probability of a character is settled by the two before and the two after it, so each run of doubtful cells
    is read by itself.
    """
    cells = [_frequent(model, cell) for cell in cells]
    ranked_cells: list[Ranked] = [((cell[0], 1.0),) for cell in cells]
    doubtful = [index for index, cell in enumerate(cells) if len(cell) > 1]
    position = 0
    while position < len(doubtful):
        last = position
        while last + 1 < len(doubtful) and doubtful[last + 1] - doubtful[last] <= _HISTORY:
            last += 1
        first, end = doubtful[position], min(len(cells), doubtful[last] + 1 + _HISTORY)
        history = "".join(model.fold(cell[0]) for cell in cells[max(0, first - _HISTORY) : first])
        for index, ranked in zip(range(first, end), _read_run(model, history, cells[first:end]), strict=True):
            if len(cells[index]) > 1:
                ranked_cells[index] = ranked
        position = last + 1
    return ranked_cells


def _read_run(model: CharacterModel, history: str, cells: Sequence[tuple[str, ...]]) -> list[Ranked]:
    ahead: dict[str, float] = {history: 1.0}
    steps: list[tuple[dict[str, float], list[tuple[str, str, str, float]]]] = []
    for cell in cells:
        signs = [(sign, model.fold(sign)) for sign in cell]
        edges: list[tuple[str, str, str, float]] = []
        after: dict[str, float] = defaultdict(float)
        for before, weight in ahead.items():
            for sign, fold in signs:
                likely = model.probability(before, sign if len(cell) > 1 else fold)
                then = (before + fold)[-_HISTORY:]
                after[then] += weight * likely
                edges.append((before, sign, then, likely))
        steps.append((ahead, edges))
        ahead = _pruned(after)
    behind = dict.fromkeys(ahead, 1.0)
    ranked_cells: list[Ranked] = []
    for weights, edges in reversed(steps):
        total: dict[str, float] = defaultdict(float)
        nearer: dict[str, float] = defaultdict(float)
        for before, sign, then, likely in edges:
            rest = behind.get(then, 0.0) * likely
            nearer[before] += rest
            total[sign] += weights[before] * rest
        everything = sum(total.values())
        ranked = sorted(((sign, weight / everything) for sign, weight in total.items()), key=lambda entry: -entry[1])
        ranked_cells.append(tuple(ranked))
        best = max(nearer.values())
        behind = {key: weight / best for key, weight in nearer.items()}
    return ranked_cells[::-1]


def _frequent(model: CharacterModel, cell: tuple[str, ...]) -> tuple[str, ...]:
    if len(cell) <= _MANY:
        return cell
    return tuple(sorted(cell, key=lambda sign: -model.probability("", sign))[:_MANY])


def _pruned(ways: dict[str, float]) -> dict[str, float]:
    best = max(ways.values())
    kept = {way: weight / best for way, weight in ways.items() if weight >= best * _BEAM}
    if len(kept) > _WIDEST:
        kept = dict(sorted(kept.items(), key=lambda entry: -entry[1])[:_WIDEST])
    return kept
