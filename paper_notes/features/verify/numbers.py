"""Numbers in words, in digits and spelled out: what counts as one, and how it is compared, however it is written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from paper_notes.features.verify.arithmetic import SCALES
from paper_notes.identifiers import ARXIV, DOI_START

_DIGITS = r"(?:\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+"
_NUMBER = re.compile(
    rf"(?P<digits>{_DIGITS})(?P<unit>\s?\\?%)?(?P<scale>[KkMGT](?![A-Za-z])|\s?[千万亿萬億](?!一)|\s(?:thousand|million|billion|trillion)\b)?"
)
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}(?:\s?[-/.月]\s?\d{1,2}\s?日?)?(?!\d)")
_YEAR = re.compile(r"(?:19[5-9]|20[0-4])\d")
_ID = re.compile(rf"(?<![\d.]){ARXIV}(?!\d)|\d+(?:\.\d+){{2,}}|{DOI_START}\S+")
_IN_NAME = re.compile(
    r"[^\W\d_][\w.+]*(?:[-‑–@][^\W\d_]*)?[-‑@]?\d[\w.]*(?:[-‑]\d+(?:\.\d+)?[A-Za-z]\w*)?"
    r"|#\d+|@\d+",
    re.ASCII,
)
"""A word with letters before its digits, as `Qwen2.5-7B`, `EAGLE-3`, `R@5`."""
_SIZE = re.compile(r"\d+(?:\.\d+)?B(?![A-Za-z])")
"""Sizes of models are names: `7B`."""
_SCALES = {"萬": "万", "億": "亿", "thousand": "K", "million": "M", "billion": "G", "trillion": "T"}
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)\b")


@dataclass(frozen=True, slots=True)
class Figures:
    """A number as it is written. Two are the same number if their `value` is, whatever their `digits` look like."""

    start: int
    end: int
    text: str
    """With its unit, without its sign."""
    digits: str
    """Without separators."""
    percent: bool
    scale: str
    """A letter that stands for a power of ten, or nothing."""
    times: bool = False
    """Whether it says how many times: `1.84×`."""

    @property
    def value(self) -> Decimal:
        return Decimal(self.digits)

    @property
    def decimals(self) -> int:
        return len(self.digits.partition(".")[2])

    @property
    def plain(self) -> Decimal:
        """The number that percent sign and letter stand for."""
        value = self.value.scaleb(SCALES.get(self.scale, 0))
        return value / 100 if self.percent else value

    @property
    def is_trivial(self) -> bool:
        """Whether it is a small whole number, which is found anywhere."""
        return self.decimals == 0 and len(self.digits) == 1 and not (self.percent or self.scale or self.times)


def numbers_in(text: str) -> Iterator[Figures]:
    """The numbers of a text in order. Those in names, dates, versions and ids are none."""
    blanked = folded(text)
    for pattern in (_DATE, _ID, _IN_NAME, _SIZE, _ORDINAL):
        blanked = pattern.sub(lambda match: "\0" * len(match[0]), blanked)
    for match in _NUMBER.finditer(blanked):
        digits = match["digits"].replace("{,}", "").replace(",", "")
        start = match.start("digits")
        if start and ((blanked[start - 1].isalnum() and blanked[start - 1].isascii()) or blanked[start - 1] == "\0"):
            continue
        following = blanked[match.end("digits") :]
        percent = bool(match["unit"])
        scale = (match["scale"] or "").strip()
        end = match.end() if (percent or scale) else match.end("digits")
        times = bool(re.match(r"\s?(?:×|x(?![A-Za-z])|倍|times\b|\\times)", blanked[end:]))
        if following[:1] == "\0" or (not percent and not scale and not times and _is_year(digits, match["digits"])):
            continue
        if len(digits) > 1 and digits.isdecimal() and digits[0] == "0":
            continue
        if re.match(r"[A-Za-z]", following) and not scale and not _is_unit(following):
            continue
        yield Figures(
            start,
            end,
            text[start:end],
            digits if not digits.startswith(".") else f"0{digits}",
            percent,
            _SCALES.get(scale, scale),
            times,
        )


def _is_year(digits: str, written: str) -> bool:
    return "," not in written and bool(_YEAR.fullmatch(digits))


def _is_unit(following: str) -> bool:
    """Whether letters right after a number are a unit, as in `80GB` or `1.5x`."""
    return bool(re.match(r"[A-Za-zµμ]{1,5}(?![\dA-Za-z])", following))


def folded(text: str) -> str:
    """The text with full-width signs as usual ones, and each kind of dash and minus as one; of the same length."""
    return "".join(map(_folded, text))


def _folded(sign: str) -> str:
    if sign.isascii():
        return sign
    if sign in "−–‐‑‒":
        return "-"
    if sign in "，。；":
        return sign
    plain = unicodedata.normalize("NFKC", sign)
    return plain if len(plain) == 1 and plain.isascii() else sign


_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split()
    )
} | {word: 10 * value for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_LARGE = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "dozen": 12}
_OTHERS = {"half": "0.5", "quarter": "0.25", "third": "0.33", "tenth": "0.1"}
_SPELLED = re.compile(rf"\b(?:(?:{'|'.join((*_SMALL, *_LARGE))})(?:[\s-]+(?:and\s)?|\b))+", re.IGNORECASE)
_CJK_DIGITS = dict(zip("零〇一二三四五六七八九两", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2), strict=True))
_CJK_UNITS = {"十": 10, "百": 100, "千": 1_000}
_RANGE = re.compile("([一二三四五六七八九])[到至、]?([一二三四五六七八九])成")
_CJK = re.compile("([零〇一二三四五六七八九十百千两]+)([万亿成倍]?)")


def values_in_words(text: str) -> Iterator[Decimal]:
    """The values of spelled-out numbers of a text."""
    for match in _SPELLED.finditer(text):
        yield Decimal(_english(match[0].lower())).normalize()
    for word, part in _OTHERS.items():
        if re.search(rf"\b{word}", text, re.IGNORECASE):
            yield from (Decimal(part).normalize(), (Decimal(part) * 100).normalize())
    for match in _RANGE.finditer(text):
        yield Decimal(_CJK_DIGITS[match[1]] * 10).normalize()
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
    if not any(sign in _CJK_UNITS for sign in text):
        return int("".join(str(_CJK_DIGITS[sign]) for sign in text))
    total = digit = 0
    for sign in text:
        if sign in _CJK_UNITS:
            total, digit = total + (digit or 1) * _CJK_UNITS[sign], 0
        else:
            digit = _CJK_DIGITS[sign]
    return total + digit
