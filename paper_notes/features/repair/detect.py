"""Finds which stretches of a text are garbled, and how; none in text that is as it should be."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from paper_notes.features.repair.garbling import GARBLINGS, Garbling
from paper_notes.features.repair.units import Unit, units_in

_ENOUGH = 5.0
"""Evidence that a line is garbled: what one whole damaged Chinese character gives, or a `Ã©` inside a word."""
_PLAIN_RANGES = (
    (0x00A0, 0x017F),  # Latin letters with accents, and signs
    (0x0391, 0x03CE),  # Greek
    (0x0410, 0x0451),  # Cyrillic
    (0x2010, 0x2049),  # dashes, quotes
    (0x20AC, 0x20AC),
    (0x2100, 0x27BF),  # arrows, mathematics, boxes, dingbats
    (0x27E6, 0x27F9),
    (0x2B00, 0x2B5F),
    (0x3000, 0x30FF),  # CJK punctuation, kana
    (0x3400, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xFE0E, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFF01, 0xFFE5),
    (0x1F300, 0x1FAFF),
)
_HAS_HIGH = re.compile("[^\x00-\x7f]")


@dataclass(frozen=True)
class Damage:
    """How a text is garbled, and its damaged characters in order."""

    garbling: Garbling
    units: tuple[Unit, ...]


def find_damage(text: str) -> Damage | None:
    """What is garbled in the text; None if nothing is."""
    if not _HAS_HIGH.search(text):
        return None
    once = _best(text, GARBLINGS)
    if not once:
        return None
    halfway = _as_far_as_certain(text, once)
    again = _best(halfway, GARBLINGS)
    if again:
        twice = _damage(text, once.garbling.after(again.garbling))
        if twice and _covered(twice.units) > 0.9 * _covered(once.units):
            return twice
    return once


def _covered(units: Iterable[Unit]) -> int:
    return sum(unit.end - unit.start for unit in units)


def _as_far_as_certain(text: str, damage: Damage) -> str:
    """The text with what is certain repaired; for the rest a candidate that single bytes have, if there is one."""
    parts, done = [], 0
    alphabet = GARBLINGS[0].bytes_of.keys() | GARBLINGS[1].bytes_of.keys()
    for unit in damage.units:
        parts += [text[done : unit.start], next((c for c in unit.candidates if c in alphabet), unit.candidates[0])]
        done = unit.end
    return "".join([*parts, text[done:]])


def _best(text: str, garblings: Iterable[Garbling]) -> Damage | None:
    best, most = None, 0.0
    for garbling in garblings:
        damage = _damage(text, garbling)
        if not damage:
            continue
        likelihood = _likelihood(damage)
        if best is None or likelihood > most + 1e-6:
            best, most = damage, likelihood
    return best


def _likelihood(damage: Damage) -> float:
    """How well the garbling explains what is there and what is lost, on a logarithmic scale."""
    rare = math.log(max(len(damage.garbling.lost), 0.01) / 64)
    return sum(6.0 * (unit.end - unit.start) + unit.lost * rare for unit in damage.units)


def _damage(text: str, garbling: Garbling) -> Damage | None:
    """What is garbled in this way, line by line; all that can be if nothing in the whole text speaks against it."""
    units_found = list(units_in(text, garbling))
    lines = [list(units) for _, units in groupby(units_found, _line_of(text))]
    garbled = [units for units in lines if _evidence(units, text) >= _ENOUGH]
    if not garbled:
        return None
    letters = sum(_is_letter_of_a_word(unit, text) for unit in units_found)
    whole = 3 * len(garbled) > len(lines) and 10 * letters <= len(units_found) and _is_nothing_else(text, units_found)
    garbled = lines if whole else garbled
    units = tuple(unit for line in garbled for unit in line if whole or not _is_letter_of_a_word(unit, text))
    return Damage(garbling, units) if units else None


class _line_of:  # noqa: N801 -- a key function with a memory of where the last line ended
    def __init__(self, text: str) -> None:
        self._text, self._start, self._end = text, 0, -1

    def __call__(self, unit: Unit) -> int:
        if unit.start > self._end:
            self._start = self._text.rfind("\n", 0, unit.start) + 1
            end = self._text.find("\n", unit.start)
            self._end = len(self._text) if end < 0 else end
        return self._start


def _is_nothing_else(text: str, units: Iterable[Unit]) -> bool:
    """True if all that is not ASCII belongs to damaged characters."""
    return sum(1 for _ in _HAS_HIGH.finditer(text)) == _covered(units)


def _is_letter_of_a_word(unit: Unit, text: str) -> bool:
    """True for a letter such as the é of café, which may be what is left of a character, but hardly is."""
    if unit.seen:
        return False
    around = text[max(0, unit.start - 1) : unit.start] + text[unit.end : unit.end + 1]
    return any(sign.isascii() and sign.isalpha() for sign in around)


def _evidence(units: list[Unit], text: str) -> float:
    return sum(_weight(unit, text) for unit in units)


def _weight(unit: Unit, text: str) -> float:
    """How much a damaged character speaks for a line being garbled; less than zero speaks against it."""
    before = text[max(0, unit.start - 1) : unit.start]
    inside = before.isascii() and before.islower()
    likely = any(is_plain(candidate) for candidate in unit.candidates)
    if not likely:
        return -3.0
    if not unit.seen:
        return -1.5
    first = text[unit.start]
    if unit.lost:
        return -1.0 if inside else 1.5
    if unit.end - unit.start > 2:
        return 2.5 if inside and first not in "âï" else 6.0
    if first in "ÃÂ":
        return 6.0 if inside or first == "Â" else 3.0
    return 1.0 if inside else 2.0


def is_plain(sign: str) -> bool:
    """True for characters of the writing and signs that notes are likely to hold."""
    code = ord(sign)
    return any(first <= code <= last for first, last in _PLAIN_RANGES)


def damaged_lines(damage: Damage, text: str) -> Iterator[tuple[int, list[Unit]]]:
    """Offset of each line that holds damaged characters, with them."""
    for start, units in groupby(damage.units, _line_of(text)):
        yield start, list(units)
