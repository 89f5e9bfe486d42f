"""How text is garbled: its UTF-8 bytes are read in an encoding of one byte a character, and some of them get lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

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
