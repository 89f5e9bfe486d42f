"""Finds what of a text is garbled, how, and which characters it may have been; nothing in text as it should be."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, groupby, product

_HIGH = range(0x80, 0x100)
_SOFT_HYPHEN = 0xAD


@dataclass(frozen=True)
class Garbling:
    """One way to garble. `signs[byte]` is what stands for a byte of UTF-8 in the damaged text, empty if it is lost."""

    name: str
    signs: tuple[str, ...]

    def garble(self, text: str) -> str:
        """The text as this damages it."""
        return "".join(map(self.signs.__getitem__, text.encode()))

    def after(self, inner: Garbling) -> Garbling:
        """The garbling of a text that `inner` had garbled before."""
        return Garbling(f"{self.name} after {inner.name}", tuple(map(self.garble, inner.signs)))

    @cached_property
    def lost(self) -> tuple[int, ...]:
        """Continuation bytes of UTF-8 of which nothing is left."""
        return tuple(byte for byte in range(0x80, 0xC0) if not self.signs[byte])

    @cached_property
    def bytes_of(self) -> dict[str, tuple[int, ...]]:
        """From sign to the bytes it may stand for; only those that are no ASCII."""
        by_sign: dict[str, tuple[int, ...]] = {}
        for byte in _HIGH:
            if sign := self.signs[byte]:
                by_sign[sign] = (*by_sign.get(sign, ()), byte)
        return by_sign

    @cached_property
    def _sign(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(self.bytes_of, key=len, reverse=True))))

    def signs_in(self, text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Start, end and possible bytes of each sign in a damaged text."""
        for match in self._sign.finditer(text):
            yield match.start(), match.end(), self.bytes_of[match[0]]


def _single(name: str, encoding: str, undefined: str, *, hyphen: bool, controls: bool = True) -> Garbling:
    signs = [chr(byte) for byte in range(256)]
    for byte in _HIGH:
        try:
            sign = bytes([byte]).decode(encoding)
        except UnicodeDecodeError:
            sign = chr(byte) if undefined == "kept" else undefined
        if (byte == _SOFT_HYPHEN and not hyphen) or ("\x80" <= sign <= "\x9f" and not controls):
            sign = ""
        signs[byte] = sign
    return Garbling(name, tuple(signs))


GARBLINGS = (
    _single("cp1254", "cp1254", "", hyphen=False),
    _single("cp1252", "cp1252", "", hyphen=False),
    _single("cp1254 with soft hyphens", "cp1254", "", hyphen=True),
    _single("cp1252 with soft hyphens", "cp1252", "", hyphen=True),
    _single("cp1254 with controls", "cp1254", "kept", hyphen=True),
    _single("cp1252 with controls", "cp1252", "kept", hyphen=True),
    _single("cp1254 with replacements", "cp1254", "\ufffd", hyphen=True),
    _single("cp1252 with replacements", "cp1252", "\ufffd", hyphen=True),
    _single("latin-1", "latin-1", "", hyphen=True),
    _single("latin-1 without controls", "latin-1", "", hyphen=True, controls=False),
    _single("latin-1 without controls and soft hyphens", "latin-1", "", hyphen=False, controls=False),
)
"""The known ways. Of those that fit equally well, the first is taken: it loses more bytes, so it allows for more."""


def garbled_alike(first: str, second: str, damaged: str) -> bool:
    """True if there is a way, single or double, that makes `damaged` of both."""
    ways = (*GARBLINGS, *(outer.after(inner) for outer in GARBLINGS for inner in GARBLINGS))
    return any(way.garble(first) == damaged == way.garble(second) for way in ways)


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
    once = _best(text)
    if not once:
        return None
    halfway = _as_far_as_certain(text, once)
    again = _best(halfway)
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


def _best(text: str) -> Damage | None:
    damages = filter(None, (_damage(text, garbling) for garbling in GARBLINGS))
    return max(damages, key=lambda damage: round(_likelihood(damage), 6), default=None)


def _likelihood(damage: Damage) -> float:
    """How well the garbling explains what is there and what is lost, on a logarithmic scale."""
    rare = math.log(max(len(damage.garbling.lost), 0.01) / 64)
    return sum(6.0 * (unit.end - unit.start) + unit.lost * rare for unit in damage.units)


def _damage(text: str, garbling: Garbling) -> Damage | None:
    """What is garbled in this way, line by line; all that can be if nothing in the whole text speaks against it."""
    all_units = list(units_in(text, garbling))
    lines = [units for _, units in by_line(all_units, text)]
    garbled = [units for units in lines if sum(_weight(unit, text) for unit in units) >= _ENOUGH]
    if not garbled:
        return None
    letters = sum(_is_letter_of_a_word(unit, text) for unit in all_units)
    whole = 3 * len(garbled) > len(lines) and 10 * letters <= len(all_units) and _is_nothing_else(text, all_units)
    garbled = lines if whole else garbled
    units = tuple(unit for line in garbled for unit in line if whole or not _is_letter_of_a_word(unit, text))
    return Damage(garbling, units) if units else None


def by_line(units: Iterable[Unit], text: str) -> Iterator[tuple[int, list[Unit]]]:
    """Offset of each line that holds damaged characters, with them."""
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    for line, of_line in groupby(units, key=lambda unit: bisect_right(starts, unit.start)):
        yield starts[line - 1], list(of_line)


def _is_nothing_else(text: str, units: Iterable[Unit]) -> bool:
    """True if all that is not ASCII belongs to damaged characters."""
    return sum(1 for _ in _HAS_HIGH.finditer(text)) == _covered(units)


def _is_letter_of_a_word(unit: Unit, text: str) -> bool:
    """True for a letter such as the é of café, which may be what is left of a character, but hardly is."""
    if unit.seen:
        return False
    around = text[max(0, unit.start - 1) : unit.start] + text[unit.end : unit.end + 1]
    return any(sign.isascii() and sign.isalpha() for sign in around)


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
