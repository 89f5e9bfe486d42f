"""Text whose UTF-8 was read as an encoding of two bytes a character, such as GBK: back to the bytes, line by line."""

from __future__ import annotations

import math
from functools import cache

from paper_notes.features.repair.damage import Damage
from paper_notes.features.repair.garbling import Garbling, Unit, is_plain, units_in
from paper_notes.features.repair.model import CharacterModel, load_tables
from paper_notes.patterns import regex
from paper_notes.values import Struct

_ENCODINGS = ("gb18030", "big5hkscs", "cp950", "cp932", "cp949")
"""GBK is a part of the first, Shift-JIS of `cp932`."""
_LOST = "\ufffd"
_HIGH = regex("[\x80-\xff]")
_UTF_8 = regex("[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_LEFT = regex("[\xc2-\xdf\ufffd][\x80-\xbf]|[\xe0-\xef\ufffd][\x80-\xbf\ufffd]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_SHARE = 0.6
"""Of the bytes of a garbled line, those that belong to characters in UTF-8; Chinese that is in order has less."""
_LOSS = 0.2
"""Of the bytes of a line, those that may be lost: of three Chinese characters about two are whole then."""
_ENOUGH, _ENOUGH_BESIDE = 15.0, 2.0
"""Evidence that a line is garbled, and that a line is in a text where another one certainly is."""
_RARE = -12.0
"""Logarithm of the probability of what texts do not hold."""


class Misread(Struct, frozen=True):
    """A text with garbled lines spelled out: a character for each byte, and U+FFFD for one that was lost."""

    text: str
    damage: Damage | None
    """None if too much was lost in each of the lines."""
    encoding: str
    hopeless: int
    """Garbled lines of which too much was lost; they are as they were."""


def find_misread(text: str) -> Misread | None:
    """Which lines of the text are garbled in such a way; None if none is."""
    misread = filter(None, (_misread(text, encoding) for encoding in _ENCODINGS))
    return max(misread, key=lambda each: (len(each.damage.units) if each.damage else 0, each.hopeless), default=None)


def _misread(text: str, encoding: str) -> Misread | None:
    garbling = Garbling(encoding, tuple(map(chr, range(256))), _LOST)
    lines = text.split("\n")
    spelled = {number: bytes_ for number, line in enumerate(lines) if (bytes_ := _spelled_out(line, encoding))}
    evidence = {number: _evidence(lines[number], line) for number, line in spelled.items()}
    if max(evidence.values(), default=0.0) < _ENOUGH:
        return None
    units: list[Unit] = []
    start = hopeless = 0
    for number in range(len(lines)):
        if evidence.get(number, 0.0) > _ENOUGH_BESIDE:
            inside = list(units_in(spelled[number], garbling))
            lost = spelled[number].count(_LOST)
            covered = sum(unit.end - unit.start for unit in inside)
            if covered == len(_HIGH.findall(spelled[number])) + lost and lost <= _LOSS * covered:
                units += (unit.moved(start) for unit in inside)
                lines[number] = spelled[number]
            else:
                hopeless += 1
        start += len(lines[number]) + 1
    return Misread("\n".join(lines), Damage(garbling, tuple(units)) if units else None, encoding, hopeless)


def _spelled_out(line: str, encoding: str) -> str | None:
    """The bytes of the line, a character each; None if they are no UTF-8 for the most part."""
    if line.isascii():
        return None
    try:
        spelled = _LOST.join(part.encode(encoding).decode("latin-1") for part in line.split(_LOST))
    except UnicodeEncodeError:
        return None
    left = sum(map(len, _LEFT.findall(spelled)))
    return spelled if left > _SHARE * (len(_HIGH.findall(spelled)) + spelled.count(_LOST)) else None


def _evidence(line: str, spelled: str) -> float:
    """How much likelier the line is as UTF-8, as a logarithm."""
    meant = [match[0].encode("latin-1").decode("utf-8", "replace") for match in _UTF_8.finditer(spelled)]
    if not all(len(sign) == 1 and is_plain(sign) for sign in meant):
        return _RARE
    rest = len(_HIGH.findall(spelled)) - sum(len(sign.encode()) for sign in meant)
    return sum(map(_likelihood, meant)) + rest / 3 * _RARE - sum(map(_likelihood, line))


@cache
def _likelihood(sign: str) -> float:
    return 0.0 if sign.isascii() else max(_RARE, math.log(_model().probability("", sign)))


@cache
def _model() -> CharacterModel:
    return CharacterModel(load_tables())
