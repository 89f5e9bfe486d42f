"""What a number of a text means: its value with sign, unit and scale, however it is written; and whether two agree.

`120 万`, `1.2 million` and `1,200,000` are the same quantity; 4.86 is 4.9 in one digit, not 4.8.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from types import MappingProxyType
from typing import Literal

from paper_notes.features.verify.wording import saying
from paper_notes.identifiers import ARXIV, DOI_START
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace

Bound = Literal["exact", "about", "least", "most", "range"]
Agreement = Literal["same", "value", "rounding", "sign", "unit", "scale", "points"]
"""How a claim and a printed number agree: `same`, or the first in which they differ."""

SCALES: Mapping[str, int] = MappingProxyType(
    {
        word: power
        for power, words in (
            (3, "K k thousand 千"),
            (4, "万 萬"),
            (6, "M million 百万 百萬"),
            (7, "千万 千萬"),
            (8, "亿 億"),
            (9, "B G billion 十亿 十億"),
            (12, "T trillion 万亿 兆"),
        )
        for word in words.split()
    }
)
"""Powers of ten that letters and words after a number stand for."""
_UNITS = (
    ("%", "share", 1, re.compile(r"\s?\\?%|\s?percent\b(?! point)|\s?per cent\b")),
    (
        "points",
        "points",
        1,
        re.compile(r"[\s-]?(?:percentage[\s-])?points?\b|\s?(?:pp|pts?|p\.p\.)(?![A-Za-z])|\s?(?:个\s?)?百分点|\s?个点"),
    ),
    (
        "x",
        "times",
        1,
        re.compile(r"\s?(?:×|\\times)(?!\s*[\d(])|\s?[xX](?![A-Za-z]|\s*\d)|\s?倍|\stimes\b(?!\s*\d)|[\s-]?fold\b"),
    ),
    ("µs", "time", Decimal("0.000001"), re.compile(r"\s?[µμu]s\b|\s?微秒|\smicroseconds?\b")),
    ("ms", "time", Decimal("0.001"), re.compile(r"\s?ms\b|\s?毫秒|[\s-]milliseconds?\b")),
    ("tokens/s", "speed", 1, re.compile(r"\s?tok(?:ens?)?\s?/\s?s(?:ec)?\b|\stokens per second\b")),
    ("s", "time", 1, re.compile(r"\s?s\b(?!\.t\.)|\s?秒|[\s-]?sec(?:ond)?s?\b")),
    ("min", "time", 60, re.compile(r"\s?min(?:ute)?s?\b|\s?分钟")),
    ("h", "time", 3600, re.compile(r"\s?h\b|\s?小时|[\s-](?:hours?|hrs?)\b")),
    ("days", "time", 86400, re.compile(r"[\s-]days?\b|\s?天")),
    ("weeks", "time", 604_800, re.compile(r"[\s-]weeks?\b|\s?周(?![岁年])")),
    ("months", "time", 2_629_800, re.compile(r"[\s-]months?\b|\s?个月")),
    ("years", "time", 31_557_600, re.compile(r"[\s-]years?\b|\s?周?岁|(?<!\d{4})\s?年(?![\d代级])")),
    ("Hz", "frequency", 1, re.compile(r"\s?(?:Hz|赫兹)")),
    ("kHz", "frequency", 1000, re.compile(r"\s?(?:kHz|千赫)")),
    ("MHz", "frequency", 1_000_000, re.compile(r"\s?(?:MHz|兆赫)")),
    ("GHz", "frequency", 10**9, re.compile(r"\s?(?:GHz|吉赫)")),
    ("l", "volume", 1, re.compile(r"\s?(?:[lL](?![A-Za-z])|升(?![到至为高降级值]))|\slit(?:er|re)s?\b")),
    ("dl", "volume", Decimal("0.1"), re.compile(r"\s?(?:d[lL](?![A-Za-z])|分升)")),
    ("ml", "volume", Decimal("0.001"), re.compile(r"\s?(?:m[lL](?![A-Za-z])|毫升)|\smillilit(?:er|re)s?\b")),
    ("miles", "length", Decimal("1609.344"), re.compile(r"[\s-]miles?\b|\s?英里")),
    ("KB", "bytes", Decimal("0.000001"), re.compile(r"\s?Ki?B\b")),
    ("MB", "bytes", Decimal("0.001"), re.compile(r"\s?Mi?B\b")),
    ("GB", "bytes", 1, re.compile(r"\s?Gi?B\b")),
    ("TB", "bytes", 1000, re.compile(r"\s?Ti?B\b")),
    ("km²", "area", 1_000_000, re.compile(r"\s?(?:km[²2]|平方公里|平方千米)|\ssquare kilomet(?:er|re)s?\b")),
    ("ha", "area", 10_000, re.compile(r"\s?(?:ha(?![A-Za-z])|公顷)|\shectares?\b")),
    ("m²", "area", 1, re.compile(r"\s?(?:m[²2]|平方米)|\ssquare met(?:er|re)s?\b")),
    ("km", "length", 1000, re.compile(r"\s?(?:km(?![A-Za-z])|千米|公里)")),
    ("m", "length", 1, re.compile(r"\s?(?:m(?![A-Za-z])|米)")),
    ("cm", "length", Decimal("0.01"), re.compile(r"\s?(?:cm(?![A-Za-z])|厘米)")),
    ("mm", "length", Decimal("0.001"), re.compile(r"\s?(?:mm(?![A-Za-z])|毫米)")),
    ("µm", "length", Decimal("0.000001"), re.compile(r"\s?(?:[µμ]m(?![A-Za-z])|微米)")),
    ("kg", "mass", 1000, re.compile(r"\s?(?:kg(?![A-Za-z])|公斤|千克)")),
    ("g", "mass", 1, re.compile(r"\sg(?![A-Za-z(])|\s?克")),
    ("mg", "mass", Decimal("0.001"), re.compile(r"\s?(?:mg(?![A-Za-z])|毫克)")),
    ("µg", "mass", Decimal("0.000001"), re.compile(r"\s?(?:[µμ]g(?![A-Za-z])|微克)")),
    ("tokens", "tokens", 1, re.compile(r"[\s-]?tokens?\b|\s?[个枚]\s?(?:tokens?|词元)")),
    ("steps", "steps", 1, re.compile(r"[\s-]steps?\b|\s?步")),
    ("requests/s", "requests", 1, re.compile(r"\s?req(?:uest)?s?\s?/\s?s(?:ec)?\b|\srequests per second\b")),
    ("characters", "characters", 1, re.compile(r"[\s-]characters?\b|\s?个?\s?字符")),
    ("words", "words", 1, re.compile(r"[\s-]words?\b|\s?个?单词")),
    ("lines", "lines", 1, re.compile(r"[\s-]lines?\b|\s?行")),
    ("layers", "layers", 1, re.compile(r"[\s-]layers?\b|\s?层")),
    ("epochs", "epochs", 1, re.compile(r"[\s-]epochs?\b|\s?个\s?epochs?\b")),
)  # fmt: skip
"""Units with their dimension, their size in it, and how they are written after a number; `km/day` is in km."""
_UNIT = regex("|".join(f"(?P<u{place}>{pattern.pattern})" for place, (*_, pattern) in enumerate(_UNITS)))
_SIZES = {unit: (dimension, Decimal(size)) for unit, dimension, size, _ in _UNITS}
THOUSANDTHS = frozenset(("ms", "s", "MB", "GB"))
"""Units of which one is a thousand times another."""
_DIMENSIONS = frozenset(("time", "bytes", "length", "mass", "frequency", "volume", "area"))
SIZED = frozenset(unit for unit, (dimension, _) in _SIZES.items() if dimension in _DIMENSIONS)
"""Units that a table may leave to its caption or its text."""
COUNTED = frozenset(("", "tokens", "steps", "characters", "words", "lines", "layers", "epochs"))
"""Units of what is counted; numbers often stand without one."""
_LEFT_OUT = frozenset(unit for unit, (dimension, _) in _SIZES.items() if dimension in ("frequency", "volume", "area"))
OPTIONAL = COUNTED | _LEFT_OUT | {"x", "weeks", "months", "years"}
"""Units that numbers of sentences need not have."""
_DIGITS = r"(?:\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+"
_NUMBER = regex(
    rf"(?P<digits>{_DIGITS})(?P<percent>\s?\\?%)?"
    r"(?P<scale>[eE][-+]?\d{1,3}(?![\w.])|[KkMGBT](?![A-Za-z])|\s?(?:[百千][万萬]|十[亿億]|万亿|[千万亿萬億兆])(?!一)|\s(?:thousand|million|billion|trillion)\b)?"
)
_DATE = regex(r"(?<!\d)(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}(?:\s?[-/.月]\s?\d{1,2}\s?日?)?(?!\d)")
_YEAR = regex(r"(?:19[5-9]|20[0-4])\d")
_ID = regex(rf"(?<![\d.]){ARXIV}(?!\d)|(?<!\d)\d+(?:\.\d+){{2,}}|{DOI_START}\S+")
_IN_NAME = regex(
    r"(?<![A-Za-z])(?!(?<=\d)[eE][-+]?\d{1,3}(?![\w.])|(?<=\d\s)k?m2(?!\w))(?!(?:points?|percent|steps?|tokens?|to)[-‑–])[^\W\d_][\w.+]*(?:[-‑–@][^\W\d_]*)?[-‑@]?\d[\w.]*(?:[-‑]\d+(?:\.\d+)?[A-Za-z]\w*)?"
    r"|#\d+|@\d+|(?<![A-Za-z])[A-Z][A-Za-z-]+\s\d(?:\.\d+)?(?=\s\d+(?:\.\d+)?B(?![A-Za-z]))",
    re.ASCII,
)
"""A word with letters before its digits, as `Qwen2.5-7B`, `EAGLE-3`, `R@5`."""
_SIZE = regex(r"(?<!\d)\d+(?:\.\d+)?B(?![A-Za-z])")
"""Sizes of models are names: `7B`."""
_ORDINAL = regex(r"(?<!\d)\d+(?:st|nd|rd|th)\b")
_SIGN = regex(r"(?:^|(?<=[\s(\[|$：:，,、=~（*≈]))(?:\\?[-+±]\s?)$|(?<=[^\x00-\x7f\0])[-+]$")
_TO = regex(r"(?!\s-$)\s?(?:-|~|to|到|至|and)\s?$")
_BEFORE: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (
        "about",
        re.compile(
            r"(?:\b(?:about|around|roughly|approximately|nearly|almost|close to)"
            r"|约|大约|大概|将近|接近|近|~|≈|≃|\\approx)\s?\$?$",
            re.IGNORECASE,
        ),
    ),
    (
        "least",
        re.compile(
            r"(?:\b(?:at least|more than|over|above|larger than)"
            r"|至少|超过|不止|多于|高于|大于|不少于|逾|[>≥]=?|\\geq?)\s?\$?$",
            re.IGNORECASE,
        ),
    ),
    (
        "most",
        re.compile(
            r"(?:\b(?:at most|less than|under|below|fewer than)"
            r"|至多|最多|不到|不足|少于|低于|小于|不超过|[<≤]=?|\\leq?)\s?\$?$",
            re.IGNORECASE,
        ),
    ),
)
_AFTER: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    ("about", re.compile(r"\s?(?:左右|上下|or so)")),
    ("least", re.compile(r"\s?(?:多(?!数)|余|以上|\+(?!\d)|or more)")),
    ("most", re.compile(r"\s?(?:以下|以内|or less|or fewer)")),
)
_NEAR = 16
"""Characters before a number in which a word such as `about` is looked for."""
_LOOSE = Decimal("0.1")
"""The part of a printed number by which `about`, `over` and `under` may be off."""


class Quantity(Struct, frozen=True):
    """A number as it is written, and what it means."""

    start: int
    end: int
    text: str
    """With percent sign or scale, without its sign and other units."""
    digits: str
    """Without separators."""
    sign: int = 0
    """1 or -1 if it is written, else 0."""
    unit: str = ""
    """`%`, `points`, `x`, `ms`, `s`, `GB`, `tokens` ...; empty if none is written."""
    scale: int = 0
    """The power of ten that a letter or a word after it stands for."""
    bound: Bound = "exact"
    in_words: bool = False

    @property
    def value(self) -> Decimal:
        """Of its digits."""
        return Decimal(self.digits)

    @property
    def decimals(self) -> int:
        return len(self.digits.partition(".")[2])

    @property
    def percent(self) -> bool:
        return self.unit == "%"

    @property
    def plain(self) -> Decimal:
        """The number that its digits, percent sign and scale stand for, without its sign."""
        value = self.value.scaleb(self.scale)
        return value / 100 if self.percent else value

    @property
    def significant(self) -> str:
        """Its digits without the point and zeros around them: of 0.856 those of 85.6."""
        return self.digits.replace(".", "").strip("0")

    @property
    def is_round(self) -> bool:
        """Whether it has but one digit that is not 0, as many others do."""
        return len(self.significant) < 2

    @property
    def is_any(self) -> bool:
        """Whether it is a round whole number without a unit, which may be of anything."""
        return self.is_round and not self.unit and not self.decimals

    @property
    def is_trivial(self) -> bool:
        """Whether it is a small whole number, which is found anywhere."""
        return self.decimals == 0 and len(self.digits) == 1 and self.unit in COUNTED and not self.scale


def agreement(claim: Quantity, printed: Quantity) -> Agreement:
    """Whether a claim says what is printed, rounded to the digits that it has."""
    if {claim.unit, printed.unit} == {"%", "points"}:
        return "points"
    if claim.unit and printed.unit and _SIZES[claim.unit][0] != _SIZES[printed.unit][0]:
        return "unit"
    if not claim.unit and not claim.scale:  # a heading of the note may say them
        scale = 0 if claim.value == printed.value else printed.scale
        printed = replace(printed, unit="%" if printed.percent else "", scale=scale)
    if not printed.unit and claim.unit != "%":
        claim = replace(claim, unit="")
    if _agrees(claim, printed):
        # a minus that only one has is a difference, a plus is not
        return "same" if claim.sign == printed.sign or -1 not in (claim.sign, printed.sign) else "sign"
    if claim.value == printed.value:
        return "scale" if claim.scale != printed.scale else "unit"
    apart = abs(_meant(claim) - _meant(printed))
    near = apart < _step(claim) and apart < abs(_meant(printed)) / 2 and claim.scale == printed.scale
    return "rounding" if near and claim.decimals < printed.decimals else "value"


def in_unit(claim: Quantity, unit: str) -> bool:
    """Whether a claim is in one that could be meant where numbers are in this unit: minutes for seconds."""
    rates = claim.unit.endswith("/s") and unit.endswith("/s")
    return rates or (claim.unit in SIZED and unit in SIZED and _SIZES[claim.unit][0] == _SIZES[unit][0])


def is_exactly(claim: Quantity, printed: Quantity) -> bool:
    """Whether they have the same digits, not just about the same."""
    return agreement(replace(claim, bound="exact"), printed) == "same"


def _agrees(claim: Quantity, printed: Quantity) -> bool:
    said, meant = _meant(claim), _meant(printed)
    if {claim.unit, printed.unit} == {"%", ""}:  # a share may be printed as 0.26, as 26, and as 26%
        return any(_is_rounded(claim, shown) for shown in (meant, meant.scaleb(2), meant.scaleb(-2)))
    if _is_rounded(claim, meant):
        return True
    if claim.bound == "about":
        return abs(said - meant) <= abs(meant) * _LOOSE / 2
    if claim.bound == "least":
        return said <= meant <= said * (1 + 2 * _LOOSE)
    return claim.bound == "most" and said * (1 - 2 * _LOOSE) <= meant <= said


def _meant(quantity: Quantity) -> Decimal:
    """Its value in the unit of its dimension, without its sign; a percentage is left as it is."""
    size = _SIZES[quantity.unit][1] if quantity.unit else 1
    return quantity.value.scaleb(quantity.scale) * size


def _step(quantity: Quantity) -> Decimal:
    """What one more in its last digit means."""
    size = _SIZES[quantity.unit][1] if quantity.unit else Decimal(1)
    return Decimal(1).scaleb(quantity.scale - quantity.decimals) * size


def _is_rounded(claim: Quantity, meant: Decimal) -> bool:
    """Whether the claim is the number in as many digits, either way at a tie."""
    step, said = _step(claim), _meant(claim)
    return any((meant / step).to_integral_value(way) * step == said for way in (ROUND_HALF_UP, ROUND_HALF_DOWN))


def quantities_in(text: str, *, in_paper: bool = False) -> Iterator[Quantity]:
    """The numbers of a text in order. Those in names, dates, versions and ids are none, except in a paper's tables."""
    blanked = folded(text)
    for pattern in (_IN_NAME,) if in_paper else (_DATE, _ID, _IN_NAME, _SIZE, _ORDINAL):
        blanked = pattern.sub(lambda match: "\0" * len(match[0]), blanked)
    before: Quantity | None = None
    for match in _NUMBER.finditer(blanked):
        if (quantity := _quantity(match, blanked, text, in_paper=in_paper)) is None:
            continue
        if before and quantity.start - before.end < 6 and _TO.fullmatch(blanked[before.end : quantity.start]):
            quantity = replace(quantity, bound="range", sign=0)
        if before:
            yield before if quantity.bound != "range" else _start_of_range(before, quantity)
        before = quantity
    if before:
        yield before


def _start_of_range(first: Quantity, last: Quantity) -> Quantity:
    """The first end of a range, which has the unit of the last: `1.50–1.84×`."""
    unit = first.unit or last.unit
    return replace(first, bound="range", unit=unit, scale=first.scale or (0 if first.unit else last.scale))


def _quantity(match: re.Match[str], blanked: str, text: str, *, in_paper: bool) -> Quantity | None:
    written = match["digits"]
    digits = written.replace("{,}", "").replace(",", "")
    start = match.start("digits")
    previous = blanked[start - 1 : start]
    if previous == "\0" or (previous.isalnum() and previous.isascii()):
        return None
    scale = (match["scale"] or "").strip()
    end = match.end() if (match["percent"] or scale) else match.end("digits")
    following = blanked[match.end("digits") :]
    written_unit = _UNIT.match(blanked, match.end("digits") if match["percent"] and not scale else end)
    unit = _unit_named(written_unit)
    unit = "%" if match["percent"] else unit
    if unit not in ("%", "points") and re.search(r"百分之\s?$", blanked[max(0, start - 4) : start]):
        unit = "%"
    is_year = "," not in written and bool(_YEAR.fullmatch(digits))
    if following[:1] == "\0" or (not in_paper and is_year and not (unit or scale)):
        return None
    if len(digits) > 1 and digits.isdecimal() and digits[0] == "0":
        return None
    if re.match(r"[A-Za-z]", following) and not (scale or unit) and not _is_unit(following):
        return None
    return Quantity(
        start,
        end,
        text[start:end],
        digits if not digits.startswith(".") else f"0{digits}",
        _sign(blanked[max(0, start - 4) : start]),
        unit,
        int(scale[1:]) if scale[:1] in "eE" and scale else SCALES.get(scale, 0),
        _bound(blanked, start, written_unit.end() if written_unit else end),
    )


_IN_LABEL = regex(r"[(（\[]\s*(?P<scale>[KMBG](?![A-Za-z])|×?\s?10\^?\d+)?\s*(?P<unit>[^)）\]]*)[)）\]]")
_IN_UNITS = regex(r"\bin\s(?P<unit>[A-Za-zµμ]{2,12})\b")
_SPEEDUP = regex(r"\bspeed-?\s?ups?\b", re.IGNORECASE)


def _unit_named(written: re.Match[str] | None) -> str:
    """The unit that is written; empty if there is none."""
    return _UNITS[int(written.lastgroup[1:])][0] if written and written.lastgroup else ""


def unit_of_label(label: str) -> tuple[str, int]:
    """The unit and the scale that a label gives to the numbers below it: `Latency (ms)`, `Tokens (M)`, `Speedup`."""
    for match in _IN_LABEL.finditer(folded(label)):
        unit = _UNIT.match(match["unit"]) if match["unit"] else None
        whole = unit is not None and unit.end() == len(match["unit"].rstrip())
        if whole or match["scale"] in SCALES:
            return _unit_named(unit if whole else None), SCALES.get(match["scale"] or "", 0)
    for match in _IN_UNITS.finditer(folded(label)):  # `Time in seconds`
        unit = _UNIT.match(f" {match['unit']}")
        if unit and unit.end() > len(match["unit"]) and (named := _unit_named(unit)) in SIZED:
            return named, 0
    return ("x", 0) if _SPEEDUP.search(label) else ("%", 0) if label.rstrip().endswith("%") else ("", 0)


def _sign(before: str) -> int:
    sign = _SIGN.search(before)
    return 0 if not sign or "±" in sign[0] else -1 if "-" in sign[0] else 1


def _bound(text: str, start: int, end: int) -> Bound:
    before = text[max(0, start - _NEAR) : start].rstrip("-+")
    for bound, pattern in _BEFORE:
        if pattern.search(before):
            return bound
    return next((bound for bound, pattern in _AFTER if pattern.match(text, end)), "exact")


def _is_unit(following: str) -> bool:
    """Whether letters right after a number are a unit, as in `80GB` or `1.5x`."""
    return bool(re.match(r"[A-Za-zµμ]{1,5}(?![\dA-Za-z])", following))


def folded(text: str) -> str:
    """The text with full-width signs as usual ones, and each kind of dash and minus as one; of the same length."""
    return text if text.isascii() else "".join(map(_folded, text))


def _folded(sign: str) -> str:
    if sign.isascii():
        return sign
    if sign in "−–‐‑‒":
        return "-"
    if sign in "，。；":
        return sign
    plain = unicodedata.normalize("NFKC", sign)
    return plain if len(plain) == 1 and plain.isascii() else sign


FROM_TO = regex(
    r"\$?\s?(?:[%×xX倍]|个?百分点|points?|ms|s)?\s?(?:[(（][^()（）]{1,24}[)）])?\s?"
    r"(?:[^\s,，;；]{0,2}[到至]|(?:up |down )?to|→|->)\s?(?:only |about |just |约|只有|仅)?\$?[+-]?"
)
_CHANGED_BY = regex(r"(?:\bby|了)\s?(?:about |only |约|仅|近)?$")
"""Before a difference: `drops by 0.6 to 3.5` goes from neither to the other."""
_REACH = 24
"""Characters before the first of two numbers in which a word may say which way they go."""
CLAUSE = regex(r"[,;:，；：。、()（）—]|\s-\s|\.\s|\b(?:while|but|whereas|and)\b|而|但")


def direction(text: str, quantity: Quantity) -> int:
    """1 if the words of a clause say that something rises by or to the number, -1 if it falls, 0 if neither or both."""
    return _way(("rises",), ("falls",), clause_of(text, quantity))


def clause_of(text: str, quantity: Quantity) -> str:
    """The part of a sentence that a number is in."""
    cuts = [0, *(cut.end() for cut in CLAUSE.finditer(text, 0, quantity.start))]
    end = CLAUSE.search(text, quantity.end)
    return text[cuts[-1] : end.start() if end else len(text)]


def _way(up: Sequence[str], down: Sequence[str], text: str) -> int:
    """1 if a text has words of the first rows, -1 of the second, 0 if of neither or both."""
    return bool(saying(*up).search(text)) - bool(saying(*down).search(text))


def way_of(text: str) -> int:
    """1 if words say that something gets larger, -1 if smaller; whether that is better, they do not tell."""
    return _way(("up", "higher"), ("down", "lower"), text)


def says_change(text: str) -> bool:
    """Whether the words say that one thing is more or less than another."""
    return bool(saying("rises", "falls", "change").search(text))


def says_less(text: str) -> bool:
    """Whether words may stand for the minus of a number."""
    return bool(saying("falls", "minus").search(text))


_SLOWER_BEFORE = regex(r"(?:\bslower (?:by )?|\bslows? (?:\w+ )?by |慢了?约?)\s?$", re.IGNORECASE)
_SLOWER_AFTER = regex(r"\s?(?:[×x%倍]|times)?\s?(?:as )?slow(?:er)?\b", re.IGNORECASE)


def is_slower(text: str, quantity: Quantity) -> bool:
    """Whether the words right beside a number say that something is so many times slower."""
    before = _SLOWER_BEFORE.search(text[max(0, quantity.start - _REACH) : quantity.start])
    return bool(before or _SLOWER_AFTER.match(text, quantity.end))


def goes_from(text: str, first: Quantity, last: Quantity) -> int:
    """Which way the words say that `from 31.4 to 27.9` goes: 1 up, -1 down, 0 if they do not, or it is none."""
    gap = text[first.end : last.start]
    if not FROM_TO.fullmatch(gap) or _CHANGED_BY.search(text[: first.start]):
        return 0
    before = CLAUSE.split(text[max(0, first.start - _REACH) : first.start])[-1]
    return _way(("up",), ("down",), gap if saying("up", "down").search(gap) else before)


_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split()
    )
} | {word: 10 * value for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_LARGE = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "dozen": 12}
_OTHERS = {"half": "0.5", "quarter": "0.25", "third": "0.33", "tenth": "0.1"}
_TENS = [word for word, value in _SMALL.items() if value > 19]
_PLAIN = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-]+(?:{'|'.join([*_SMALL][1:10])}))?|{'|'.join(_SMALL)})\b"
_SPELLED = regex(
    rf"\b(?:(?:{_PLAIN}[\s-]+)?(?:{'|'.join(_LARGE)})\b(?:[\s-]+(?:and\s+)?)?)+(?:{_PLAIN})?|\b{_PLAIN}", re.IGNORECASE
)
"""A number in words, but not two of them: `four and three`."""
_CJK_DIGITS = dict(zip("零〇一二三四五六七八九两", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2), strict=True))
_CJK_UNITS = {"十": 10, "百": 100, "千": 1_000}
_TENTHS = regex("([一二三四五六七八九])[到至、]?([一二三四五六七八九])成")
_CJK = regex("([零〇一二三四五六七八九十百千两]{1,99})([万亿成倍]?)")


def values_in_words(text: str) -> Iterator[Decimal]:
    """The values of spelled-out numbers of a text."""
    for match in _SPELLED.finditer(text):
        yield Decimal(english_value(match[0].lower())).normalize()
    for word, part in _OTHERS.items():
        if re.search(rf"\b{word}", text, re.IGNORECASE):
            yield from (Decimal(part).normalize(), (Decimal(part) * 100).normalize())
    for match in _TENTHS.finditer(text):
        yield Decimal(_CJK_DIGITS[match[1]] * 10).normalize()
    for match in _CJK.finditer(text):
        value = chinese_value(match[1])
        yield Decimal(value).normalize()
        if match[2] == "成":  # tenths
            yield from (Decimal(value * 10).normalize(), (Decimal(value) / 10).normalize())
        elif match[2] in ("万", "亿"):
            yield Decimal(value * (10**4 if match[2] == "万" else 10**8)).normalize()


def english_value(text: str) -> int:
    """Of a number in lower-case words: `twenty-four`."""
    total = part = 0
    for word in re.findall("[a-z]+", text):
        if word in _SMALL:
            part += _SMALL[word]
        elif word in _LARGE:
            part = max(part, 1) * _LARGE[word]
            if _LARGE[word] >= 1_000:
                total, part = total + part, 0
    return total + part


def chinese_value(text: str) -> int:
    """Of a number in signs: `二十四`."""
    if not any(sign in _CJK_UNITS for sign in text):
        return int("".join(str(_CJK_DIGITS[sign]) for sign in text))
    total = digit = 0
    for sign in text:
        if sign in _CJK_UNITS:
            total, digit = total + (digit or 1) * _CJK_UNITS[sign], 0
        else:
            digit = _CJK_DIGITS[sign]
    return total + digit
