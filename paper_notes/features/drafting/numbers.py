"""The numbers of a text by their values: `1,000`, `1K` and `1 千` are one. Small ones may be words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

_WIDE = str.maketrans("０１２３４５６７８９．％", "0123456789.%")
_TIMES: Mapping[str, int] = MappingProxyType(
    {
        word: power
        for power, words in (
            (3, "k K thousand 千"),
            (4, "万 萬"),
            (6, "M million 百万 百萬"),
            (7, "千万 千萬"),
            (8, "亿 億"),
            (9, "B billion 十亿 十億"),
            (12, "T trillion 万亿 兆"),
        )
        for word in words.split()
    }
)
"""Powers of ten that words and letters behind a number stand for."""
_POWER = "|".join(sorted(map(re.escape, _TIMES), key=len, reverse=True))
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.\\])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    rf"(?:[ \u00a0-]?(?P<power>{_POWER})(?![A-Za-z]))?"
)
_NAME = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9_]*(?:[-.][A-Za-z0-9]+)*", re.ASCII)
_COUNTED = re.compile(r"[a-z]+-\d+(?:\.\d+)?")
"""A word before a number, as in `top-64`: no name."""
_WORDS = (
    "zero none no 零 没有",
    "one first once single a an January 一 首 单 個 个",
    "two second twice double half halves pair both February 二 两 兩 双 对 半",
    "three third thirds triple thrice March 三",
    "four fourth fourths quarter quarters April 四",
    "five fifth May 五",
    "six sixth June half-dozen 六",
    "seven seventh July 七",
    "eight eighth August 八",
    "nine ninth September 九",
    "ten tenth October 十",
    "eleven eleventh November 十一",
    "twelve twelfth dozen December 十二",
)
"""Words for the numbers from 0 on, and for their ordinals, fractions and months."""


def numbers(text: str) -> Counter[Decimal]:
    """The values of the numbers in digits; those that are part of a name such as `Qwen3` are none."""
    values = Counter[Decimal]()
    text = _NAME.sub(lambda match: " " if _is_name(match[0]) else match[0].replace("-", " "), text.translate(_WIDE))
    for match in _NUMBER.finditer(text):
        value = Decimal(match["digits"].replace(",", ""))
        values[(value.scaleb(_TIMES[match["power"]]) if match["power"] else value).normalize()] += 1
    return values


def names(text: str) -> Counter[str]:
    """Names with digits in them, such as `Qwen3-8B`."""
    return Counter(name for name in _NAME.findall(text) if _is_name(name))


def _is_name(word: str) -> bool:
    return any(map(str.isdigit, word)) and not _COUNTED.fullmatch(word)


def changed(source: str, translation: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Numbers of `source` that the translation lacks, and those that only it has. Small ones may be words."""
    before, after = numbers(source), numbers(translation)
    return _only(before, after, translation), _only(after, before, source)


def _only(these: Counter[Decimal], others: Counter[Decimal], text: str) -> tuple[str, ...]:
    """The numbers that the other text, of which `others` are the numbers in digits, has not."""
    lowered = text.lower()
    missing = []
    for value, count in these.items():
        if count <= others[value] or (value == value.to_integral_value() and _in_words(int(value), lowered)):
            continue
        if others[value] and value == value.to_integral_value() and value < len(_WORDS):
            continue  # "Tables 2 and 3" for "Table 2, Table 3": how often a small one is repeated is style
        missing.append(f"{value:f}")
    return tuple(missing)


def _in_words(value: int, lowered: str) -> bool:
    words = _WORDS[value].lower().split() if 0 <= value < len(_WORDS) else ()
    return any(re.search(rf"\b{word}\b", lowered) if word.isascii() else word in lowered for word in words)
