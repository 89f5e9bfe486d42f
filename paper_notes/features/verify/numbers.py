"""Numbers in texts, in digits and spelled out, however they are written; and plain arithmetic of them."""

from __future__ import annotations

import ast
import math
import operator
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal

from paper_notes.identifiers import ARXIV, DOI_START

MAX_LENGTH = 200
SCALES = {"K": 3, "k": 3, "M": 6, "B": 9, "G": 9, "T": 12, "千": 3, "万": 4, "亿": 8}
"""Powers of ten that letters after a number stand for."""
_FUNCTIONS = {"sqrt": math.sqrt, "ln": math.log, "log": math.log, "exp": math.exp}
_OPERATIONS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)"
    rf"(?:\s*(?:(?P<percent>%)|(?P<scale>[{''.join(SCALES)}])(?![A-Za-z])))?"
    rf"|(?P<sign>\*\*|[-+*/^()\[\]]|{'|'.join(_FUNCTIONS)}|x(?=\s*[\d(.])))"
)
_IN_PYTHON = {"^": "**", "x": "*", "[": "(", "]": ")"}
_UNIT = re.compile(r"\s*(?P<name>[^\W\d_]+\b\.?|°C?)")
"""Words after a number, such as `s`, `GB` or `tokens`: they do not change its value."""
_SIGNS = str.maketrans("−–—×·⋅÷∕（）", "---***//()")
_TEX = (
    (re.compile(r"\\(?:d|t)?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\(?:times|cdot|ast)(?![A-Za-z])"), "*"),
    (re.compile(r"\\div\b"), "/"),
    (re.compile(r"\\(?:left|right|[bB]igg?[lrm]?|,|;|!|:|quad)"), " "),
    (re.compile(r"\\(?:text|mathrm|operatorname|textbf)\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"\\(sqrt|ln|log|exp)\b"), r"\1"),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\{,\}"), ","),
)


class NoArithmetic(ValueError):
    """The text is no arithmetic of plain numbers."""


def plain_signs(text: str) -> str:
    """The text in the signs that arithmetic here is read in: NFKC, `*` and `/`, hyphens for minus, no TeX."""
    text = unicodedata.normalize("NFKC", text)
    for pattern, replacement in _TEX:
        text = pattern.sub(replacement, text)
    return text.translate(_SIGNS).replace("{", "(").replace("}", ")")


def value_of(text: str) -> float:
    """The value of an expression of numbers, `+ - * / ^`, roots, logarithms and brackets. Raises NoArithmetic."""
    text = plain_signs(text).strip()
    if not text or len(text) > MAX_LENGTH:
        raise NoArithmetic
    try:
        value = _value(ast.parse(_as_python(text), mode="eval").body)
    except (SyntaxError, ArithmeticError, ValueError, RecursionError, MemoryError):
        raise NoArithmetic from None
    if not math.isfinite(value):
        raise NoArithmetic
    return value


def _as_python(text: str) -> str:
    """The expression in Python's grammar: numbers without units, and each product with its sign."""
    tokens, done = [""], 0
    while token := _TOKEN.match(text, done):
        done = token.end()
        if number := token["number"]:
            value = float(number.replace(",", ""))
            if token["percent"]:
                value /= 100
            elif token["scale"]:
                value *= 10.0 ** SCALES[token["scale"]]
            elif (unit := _UNIT.match(text, done)) and unit["name"] not in ("x", *_FUNCTIONS):
                done = unit.end()
            tokens.append(f"({value!r})" if tokens[-1] in _FUNCTIONS else repr(value))
        elif token["sign"] == "(" and (tokens[-1][-1:].isdigit() or tokens[-1][-1:] == ")"):
            tokens += "*("
        else:
            tokens.append(_IN_PYTHON.get(token["sign"], token["sign"]))
    if text[done:].strip():
        raise NoArithmetic
    return " ".join(tokens).strip()


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=float(number)):
            return number
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return -_value(operand) if isinstance(node.op, ast.USub) else _value(operand)
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return _FUNCTIONS[name](_value(argument))
        case ast.BinOp(op=ast.Pow()):
            base, exponent = _value(node.left), _value(node.right)
            if (base < 0 and exponent != int(exponent)) or abs(exponent) > 1000:
                raise NoArithmetic
            return float(base**exponent)
        case ast.BinOp() if operation := _OPERATIONS.get(type(node.op)):
            return operation(_value(node.left), _value(node.right))
    raise NoArithmetic


def is_rounded(value: float, shown: str, *, percent: bool = False, scale: str = "") -> bool:
    """Whether the number `shown`, with its digits after the point, is the value rounded, up or down at a tie.

    With `percent` it may be a hundred times the value; `scale` is a letter after it, such as `K` or `M`.
    """
    number = Decimal(shown.replace(",", ""))
    exponent = number.as_tuple().exponent
    unit = 10.0**exponent if isinstance(exponent, int) else 1.0
    if "." not in shown:
        unit = 1.0
    factors = [1.0, *([100.0] if percent else []), *([10.0 ** -SCALES[scale]] if scale in SCALES else [])]
    return any(abs(value * factor - float(number)) <= unit * 0.5000001 for factor in factors)


_RESULT = re.compile(r"[=≈]\s*(?:\\approx\s*)?(?:about |约\s?|~)?\$?$|\\approx\s*$")
"""Between arithmetic and its result."""
_LONGEST = 90
_START = re.compile(r"[\d(.\[]|sqrt|ln|log|exp|\\frac|\\sqrt|-")
_OPERATOR = re.compile(r"[-+*/^(]")


def expression_before_result(text: str) -> str:
    """The longest arithmetic at the end of a text, before a sign such as `=`; empty if there is none."""
    result = _RESULT.search(text)
    text = text[: result.start()] if result else ""
    for match in _START.finditer(text, max(0, len(text) - _LONGEST)):
        start = match.start()
        if start and (text[start - 1].isalnum() or text[start - 1] in "._^{"):
            continue
        expression = text[start:].strip()
        shown = plain_signs(expression)
        if not _OPERATOR.search(shown.lstrip("-(")) or not re.search(r"\d", shown):
            return ""
        with suppress(NoArithmetic):
            value_of(expression)
            return expression
    return ""


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
