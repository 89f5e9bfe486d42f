"""Numbers that are spelled out, `fifty`, `六成`, `一千五百`: one language may have words where another has digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split()
    )
} | {word: 10 * value for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_LARGE = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "dozen": 12}
_OTHERS = {"half": "0.5", "quarter": "0.25", "third": "0.33", "tenth": "0.1"}
_WORDS = re.compile(rf"\b(?:(?:{'|'.join((*_SMALL, *_LARGE))})(?:[\s-]+(?:and\s)?|\b))+", re.IGNORECASE)
_DIGITS = dict(zip("零〇一二三四五六七八九两", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2), strict=True))
_UNITS = {"十": 10, "百": 100, "千": 1_000}
_RANGE = re.compile("([一二三四五六七八九])[到至、]?([一二三四五六七八九])成")
_CJK = re.compile("([零〇一二三四五六七八九十百千两]+)([万亿成倍]?)")


def values_in_words(text: str) -> Iterator[Decimal]:
    """The values of spelled-out numbers of a text."""
    for match in _WORDS.finditer(text):
        yield Decimal(_english(match[0].lower())).normalize()
    for word, part in _OTHERS.items():
        if re.search(rf"\b{word}", text, re.IGNORECASE):
            yield from (Decimal(part).normalize(), (Decimal(part) * 100).normalize())
    for match in _RANGE.finditer(text):
        yield Decimal(_DIGITS[match[1]] * 10).normalize()
    for match in _CJK.finditer(text):
        value = _chinese(match[1])
        yield Decimal(value).normalize()
        if match[2] == "成":  # tenths
            yield from (Decimal(value * 10).normalize(), (Decimal(value) / 10).normalize())
        elif match[2] in ("万", "亿"):
            yield Decimal(value * (10**4 if match[2] == "万" else 10**8)).normalize()


def _english(text: str) -> int:
    total = part = 0
    for word in re.findall("[a-z]+", text):
        if word in _SMALL:
            part += _SMALL[word]
        elif word in _LARGE:
            part = max(part, 1) * _LARGE[word]
            if _LARGE[word] >= 1_000:
                total, part = total + part, 0
    return total + part


def _chinese(text: str) -> int:
    if not any(sign in _UNITS for sign in text):
        return int("".join(str(_DIGITS[sign]) for sign in text))
    total = digit = 0
    for sign in text:
        if sign in _UNITS:
            total, digit = total + (digit or 1) * _UNITS[sign], 0
        else:
            digit = _DIGITS[sign]
    return total + digit
