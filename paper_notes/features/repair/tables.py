"""Counts of characters and of sequences of two and three, as `tests/features/repair/making_tables.py` packed them."""

from __future__ import annotations

import lzma
import struct
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path

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


@dataclass(frozen=True)
class CountTables:
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
