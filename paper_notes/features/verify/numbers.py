"""The numbers of a text and of its translation: by their values, in digits or in words, with their units."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal

from paper_notes.features.verify.quantities import Quantity, quantities_in, values_in_words
from paper_notes.patterns import regex

_NAME = regex(r"(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9_]*(?:[-.][A-Za-z0-9]+)*", re.ASCII)
_COUNTED = regex(r"[a-z]+-\d+(?:\.\d+)?")
"""A word before a number, as in `top-64`: no name."""
_WORDS = (
    "zero none no 零 没有",
    "one first once single a an January 一 首 单 個 个",
    "two second twice double half halves pair both either neither other dual February 二 两 兩 双 对 半 另 倍",
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
_IDIOMS = regex(
    r"十分(?!之)|万一|(?<![一二两三四五六七八九十几数])千万(?!\w*[元次个])|百分之?|[零〇一两三四五六七八九十]+(?=[一样般些直])|[一两](?=点)"
    r"|四分位|再三|七零八落|三番|[一二两三四五六七八](?=[二两三四五六七八九][个種种次天年倍项行条])"
)
"""Chinese words with numerals that say no number."""

_SHARES = regex(
    r"[一二两三四五六七八九]成|分之|\b(?:half|third|quarter|fifth|tenth)s?\b"
    r"|\b(?:one|two|three|four|nine) in (?:two|three|four|five|ten)\b",
    re.IGNORECASE,
)
"""Shares, of which each language has its own: 八成 is "four fifths"."""


_TWICE = regex(r"\b(?:twice|doubl(?:es?|ed|ing))\b", re.IGNORECASE)


def quantities(text: str) -> Iterator[Quantity]:
    """The numbers in digits; those that are part of a name such as `Qwen3` are none."""
    spaced = _NAME.sub(lambda match: " " if _is_name(match[0]) else match[0].replace("-", " "), text)
    return quantities_in(re.sub(r"(?<=\d)-(?=[A-Za-z])", " ", spaced), in_paper=True)


def value_of(quantity: Quantity) -> Decimal:
    """What it stands for; 20% is 20."""
    return quantity.value.scaleb(quantity.scale).normalize()


def numbers(text: str) -> Counter[Decimal]:
    """The values of the numbers in digits."""
    return Counter(map(value_of, quantities(text)))


def names(text: str) -> Counter[str]:
    """Names with digits in them, such as `Qwen3-8B`."""
    return Counter(name for name in _NAME.findall(text) if _is_name(name))


def _is_name(word: str) -> bool:
    return any(map(str.isdigit, word)) and not _COUNTED.fullmatch(word)


def changed(source: str, translation: str, *, in_words: bool = False) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Numbers in digits that the translation lacks, and those that only it has; words may say some of them.

    With `in_words` those in words, too, but of shares.
    """
    before, after = numbers(source), numbers(translation)
    lost, new = _only(before, after, translation), _only(after, before, source)
    if in_words and not (_SHARES.search(source) or _SHARES.search(translation)):
        lost_words, new_words = _spelled_only(source, translation), _spelled_only(translation, source)
        if bool(lost_words) != bool(new_words):  # "three and three" for "four and three"
            lost_words = lost_words or _spelled_more(source, translation)
            new_words = new_words or _spelled_more(translation, source)
        lost, new = (*lost, *lost_words), (*new, *new_words)
    return lost, new


def _only(these: Counter[Decimal], others: Counter[Decimal], text: str) -> tuple[str, ...]:
    """The numbers that the other text, of which `others` are the numbers in digits, has not."""
    missing = []
    spelled = {*values_in_words(text)}
    for value, count in these.items():
        if count <= others[value] or value in spelled or _says(value, text):
            continue
        if others[value] and value == value.to_integral_value() and value < len(_WORDS):
            continue  # "Tables 2 and 3" for "Table 2, Table 3": how often a small one is repeated is style
        missing.append(f"{value:f}")
    return tuple(missing)


def _says(value: Decimal, text: str) -> bool:
    """Whether a word of a text stands for a small number."""
    small = value == value.to_integral_value() and 0 <= value < len(_WORDS)
    words = _WORDS[int(value)].lower().split() if small else ()
    lowered = text.lower()
    return any(re.search(rf"\b{word}\b", lowered) if word.isascii() else word in lowered for word in words)


def changed_words(source: str, translation: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Spelled-out numbers from 2 on that the translation lacks, and those that it has instead; empty if either is."""
    if _SHARES.search(source) or _SHARES.search(translation):
        return (), ()
    lost, new = _spelled_only(source, translation), _spelled_only(translation, source)
    return (lost, new) if lost and new else ((), ())


def _spelled_only(text: str, other: str) -> tuple[str, ...]:
    known = {*numbers(other), *values_in_words(other)}
    return tuple(f"{value:f}" for value in sorted(_spelled(text)) if value not in known and not _says(value, other))


def _spelled_more(text: str, other: str) -> tuple[str, ...]:
    """What a text says in words more often than the other one does."""
    return tuple(f"{value:f}" for value in sorted(_spelled(text) - _spelled(other)))


def _spelled(text: str) -> Counter[Decimal]:
    """The whole numbers in words from 2 on."""
    values = values_in_words(_TWICE.sub(" two ", _IDIOMS.sub(" ", text)))
    return Counter(value for value in values if value >= 2 and value % 1 == 0)


def changed_units(source: str, translation: str) -> Iterator[tuple[str, str, str]]:
    """The numbers in digits whose unit is another one, or is gone: the value, the unit before and after."""
    before, after = _units(source), _units(translation)
    known = [set[str]().union(*units.values()) for units in (before, after)]
    for value in before.keys() & after.keys():
        lost, new = before[value] - after[value], after[value] - before[value]
        alone = (lost - known[1]) | (new - known[0])  # "1.8 and 14.1 ms" names it once for both
        if (lost and new) or alone & _NEVER_LEFT_OUT:
            yield f"{value:f}", min(lost, default="none"), min(new, default="none")


_NEVER_LEFT_OUT = frozenset({"%", "ms", "s", "KB", "MB", "GB", "TB"})
"""Units that languages have in common: a table of ten steps may be one of ten."""


def _units(text: str) -> dict[Decimal, set[str]]:
    units = defaultdict[Decimal, set[str]](set)
    for quantity in quantities(text):
        units[value_of(quantity)] |= {quantity.unit} - {""}
    return units
