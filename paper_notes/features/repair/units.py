"""Damaged characters: a lead byte and its continuation bytes, and which characters they may have been."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from paper_notes.features.repair.garbling import Garbling

_FORMATS = frozenset("\u200b\u200c\u200d\u200e\u200f\ufeff")
"""Invisible characters that texts really hold; of the others none is a candidate."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is left of one character, at `start` to `end` of the damaged text."""

    start: int
    end: int
    candidates: tuple[str, ...]
    """The characters it may have been: garbling any of them gives what is left."""
    seen: int
    """Continuation bytes that are left."""
    lost: int


def _length(lead: int) -> int:
    """Bytes of the character that the lead byte begins."""
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _is_lead(byte: int) -> bool:
    return 0xC2 <= byte <= 0xF4


def units_in(text: str, garbling: Garbling) -> Iterator[Unit]:
    """The damaged characters in a text, in order. Signs that belong to none are passed over."""
    signs = list(garbling.signs_in(text))
    position = 0
    while position < len(signs):
        start, end, leads = signs[position]
        position += 1
        leads = tuple(filter(_is_lead, leads))
        if not leads:
            continue
        rest: list[tuple[int, ...]] = []
        longest = max(map(_length, leads)) - 1
        while position < len(signs) and len(rest) < longest and signs[position][0] == end:
            tails = tuple(byte for byte in signs[position][2] if byte < 0xC0)
            if not tails:
                break
            rest.append(tails)
            end = signs[position][1]
            position += 1
        while True:
            candidates = _candidates(leads, tuple(rest), garbling)
            if candidates or not rest:
                break
            rest.pop()  # a sign of its own after a damaged character
            position -= 1
            end = signs[position][0]
        if candidates:
            yield Unit(start, end, candidates, len(rest), len(candidates[0].encode()) - 1 - len(rest))


@lru_cache(maxsize=50_000)
def _candidates(leads: tuple[int, ...], rest: tuple[tuple[int, ...], ...], garbling: Garbling) -> tuple[str, ...]:
    likely: set[str] = set()
    for lead in leads:
        lost = _length(lead) - 1 - len(rest)
        if lost < 0 or lost > 2 or (lost and not garbling.lost):
            continue
        for lost_at in combinations(range(lost + len(rest)), lost):
            tails: list[tuple[int, ...]] = list(rest)
            for index in lost_at:
                tails.insert(index, garbling.lost)
            for bytes_ in product(*tails):
                try:
                    sign = bytes([lead, *bytes_]).decode()
                except UnicodeDecodeError:
                    continue
                if is_likely(sign):
                    likely.add(sign)
    return tuple(sorted(likely))


@lru_cache(maxsize=50_000)
def is_likely(sign: str) -> bool:
    """True for characters that texts are made of: no control characters, no private or unassigned ones."""
    return sign in _FORMATS or unicodedata.category(sign) not in ("Cc", "Cf", "Cn", "Co", "Cs")
