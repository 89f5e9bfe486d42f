"""The ways to garble a text, and what each leaves of a character: which characters that may have been."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import combinations, product

from paper_notes.values import Struct, replace

_HIGH = range(0x80, 0x100)
_SOFT_HYPHEN = 0xAD
_UNKNOWN = (*range(0x80, 0xC0), *range(0xE2, 0xEA), 0xEF)
"""What most bytes are that are not ASCII."""


class Garbling(Struct, frozen=True, eq=False, dict=True):
    """One way to garble. `signs[byte]` is what stands for a byte of UTF-8 in the damaged text, empty if it is lost."""

    name: str
    signs: tuple[str, ...]
    unknown: str = ""
    """A sign that may stand for any byte."""

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
        return by_sign | ({self.unknown: _UNKNOWN} if self.unknown else {})

    @cached_property
    def _sign(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(self.bytes_of, key=len, reverse=True))))

    @cached_property
    def _roles(self) -> dict[str, tuple[tuple[int, ...], tuple[int, ...]]]:
        return {
            sign: (tuple(filter(is_lead, of)), tuple(byte for byte in of if byte < 0xC0))
            for sign, of in self.bytes_of.items()
        }

    def signs_in(self, text: str) -> Iterator[tuple[int, int, tuple[int, ...], tuple[int, ...]]]:
        """Start and end of each sign in a damaged text, and the bytes that it may be: leads, and continuations."""
        roles = self._roles
        for match in self._sign.finditer(text):
            yield *match.span(), *roles[match[0]]


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
    return any(_is_left(way.garble(first), damaged) and _is_left(way.garble(second), damaged) for way in ways)


def _is_left(garbled: str, damaged: str) -> bool:
    """True if the second is the first, where it does not say that a sign is unknown."""
    return len(garbled) == len(damaged) and all(
        sign in (other, "\ufffd") for other, sign in zip(garbled, damaged, strict=True)
    )


_FORMATS = frozenset("\u200b\u200c\u200d\u200e\u200f\ufeff")
"""Invisible characters that texts really hold; of the others none is a candidate."""


class Unit(Struct, frozen=True):
    """What is left of one character, at `start` to `end` of the damaged text."""

    start: int
    end: int
    candidates: tuple[str, ...]
    """The characters it may have been: garbling any of them gives what is left."""
    seen: int
    """Continuation bytes that are left."""
    lost: int

    def moved(self, distance: int) -> Unit:
        """The same further on in a text."""
        return replace(self, start=self.start + distance, end=self.end + distance)


def _length(lead: int) -> int:
    """Bytes of the character that the lead byte begins."""
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def is_lead(byte: int) -> bool:
    """True for a byte that begins a character in UTF-8."""
    return 0xC2 <= byte <= 0xF4


def units_in(text: str, garbling: Garbling, *, halfway: bool = False) -> Iterator[Unit]:
    """The damaged characters in a text, in order. Signs that belong to none are passed over.

    `halfway` is for text that was garbled more than once: its characters may be any that a single byte becomes.
    """
    signs = list(garbling.signs_in(text))
    position = 0
    while position < len(signs):
        start, end, leads, _ = signs[position]
        position += 1
        if not leads:
            continue
        rest: list[tuple[int, ...]] = []
        longest = _length(max(leads)) - 1
        while position < len(signs) and len(rest) < longest and signs[position][0] == end:
            _, last, _, tails = signs[position]
            if not tails:
                break
            rest.append(tails)
            end = last
            position += 1
        while True:
            candidates = _candidates(leads, tuple(rest), garbling, halfway)
            if candidates or not rest:
                break
            rest.pop()  # a sign of its own after a damaged character
            position -= 1
            end = signs[position][0]
        if candidates:
            lost = (
                text.count(garbling.unknown, start, end)
                if garbling.unknown
                else len(candidates[0].encode()) - 1 - len(rest)
            )
            yield Unit(start, end, candidates, len(rest), lost)


_MOST = 5000
"""Ways to read what is left of a character: with more, too much was lost."""


@lru_cache(maxsize=50_000)
def _candidates(
    leads: tuple[int, ...], rest: tuple[tuple[int, ...], ...], garbling: Garbling, halfway: bool
) -> tuple[str, ...]:
    likely: set[str] = set()
    if math.prod(map(len, (leads, *rest))) > _MOST:
        return ()
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
                if is_likely(sign) or (halfway and not lost and "\x80" <= sign <= "\xad"):
                    likely.add(sign)
    return tuple(sorted(likely))


@lru_cache(maxsize=50_000)
def is_likely(sign: str) -> bool:
    """True for characters that texts are made of: no control characters, no private or unassigned ones."""
    return sign in _FORMATS or unicodedata.category(sign) not in ("Cc", "Cf", "Cn", "Co", "Cs")


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


def is_plain(sign: str) -> bool:
    """True for characters of the writing and signs that notes are likely to hold."""
    code = ord(sign)
    return any(first <= code <= last for first, last in _PLAIN_RANGES)
