"""Plain arithmetic in texts, `1/(1-0.86) = 7.1`: evaluated without running anything, and compared as rounded."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

MAX_LENGTH = 200
MAX_DEPTH = 30
_LARGEST = 1e300
_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+")
_UNIT = re.compile(r"[^\W\d_]+\b\.?|°C?")
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
_FUNCTIONS = {"sqrt": math.sqrt, "ln": math.log, "log": math.log, "exp": math.exp}
SCALES = {"K": 3, "k": 3, "M": 6, "B": 9, "G": 9, "T": 12, "千": 3, "万": 4, "亿": 8}
"""Powers of ten that letters after a number stand for."""


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
    reading = _Reading(text)
    try:
        value = reading.sum()
    except (ArithmeticError, ValueError, InvalidOperation):
        raise NoArithmetic from None
    if reading.rest() or not math.isfinite(value):
        raise NoArithmetic
    return value


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


@dataclass
class _Reading:
    """A place in an expression."""

    text: str
    place: int = 0
    depth: int = 0
    _spaces: re.Pattern[str] = field(default=re.compile(r"\s*"), repr=False)

    def rest(self) -> str:
        self._skip()
        return self.text[self.place :]

    def _skip(self) -> None:
        match = self._spaces.match(self.text, self.place)
        self.place = match.end() if match else self.place

    def _take(self, signs: tuple[str, ...]) -> str:
        self._skip()
        for sign in signs:
            if self.text.startswith(sign, self.place):
                self.place += len(sign)
                return sign
        return ""

    def sum(self) -> float:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NoArithmetic
        value = self._product()
        while sign := self._take(("+", "-")):
            other = self._product()
            value = value + other if sign == "+" else value - other
        self.depth -= 1
        return value

    def _product(self) -> float:
        value = self._power()
        while sign := self._operator():
            other = self._power()
            value = value / other if sign == "/" else value * other
        return value

    def _operator(self) -> str:
        self._skip()
        if self.text.startswith("**", self.place):
            return ""
        if sign := self._take(("*", "/")):
            return sign
        match = re.compile(r"x(?=\s*[\d(.])").match(self.text, self.place)
        if match:
            self.place = match.end()
            return "*"
        return "*" if self.text.startswith("(", self.place) else ""

    def _power(self) -> float:
        if sign := self._take(("-", "+")):
            value = self._power()
            return -value if sign == "-" else value
        base = self._atom()
        if self._take(("**", "^")):
            exponent = self._power()
            if (base < 0 and exponent != int(exponent)) or abs(exponent) > 1000:
                raise NoArithmetic
            base = base**exponent
            if abs(base) > _LARGEST:
                raise NoArithmetic
        return base

    def _atom(self) -> float:
        self._skip()
        for name, function in _FUNCTIONS.items():
            if self.text.startswith(name, self.place):
                self.place += len(name)
                return function(self._atom())
        if self._take(("(", "[")):
            value = self.sum()
            if not self._take((")", "]")):
                raise NoArithmetic
            return value
        match = _NUMBER.match(self.text, self.place)
        if not match:
            raise NoArithmetic
        self.place = match.end()
        value = float(match[0].replace(",", ""))
        if self._take(("%",)):
            return value / 100
        return self._with_unit(value)

    def _with_unit(self, value: float) -> float:
        scale = self.text[self.place : self.place + 1]
        after = self.text[self.place + 1 : self.place + 2]
        if scale in SCALES and not (after.isascii() and after.isalpha()):
            self.place += 1
            return value * 10.0 ** SCALES[scale]
        self._skip()
        match = _UNIT.match(self.text, self.place)
        if match and not (match[0] == "x" or match[0] in _FUNCTIONS):
            self.place = match.end()
        return value
