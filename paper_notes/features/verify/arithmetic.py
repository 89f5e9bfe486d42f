"""Plain arithmetic of numbers in texts: what an expression is, and whether a number shown is its value rounded."""

from __future__ import annotations

import ast
import math
import operator
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from decimal import Decimal

from paper_notes.features.verify.quantities import SCALES
from paper_notes.patterns import regex

MAX_LENGTH = 200
_LETTERS = "KkMBGT千万亿"
"""Of the powers of ten in expressions."""
_FUNCTIONS = {"sqrt": math.sqrt, "ln": math.log, "log": math.log, "exp": math.exp}
_OPERATIONS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_TOKEN = regex(
    r"\s*(?:(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)"
    rf"(?:\s*(?:(?P<percent>%)|(?P<scale>[{_LETTERS}])(?![A-Za-z])))?"
    rf"|(?P<sign>\*\*|[-+*/^()\[\]]|{'|'.join(_FUNCTIONS)}|x(?=\s*[\d(.])))"
)
_IN_PYTHON = {"^": "**", "x": "*", "[": "(", "]": ")"}
_UNIT = regex(r"\s*(?P<name>[^\W\d_]+\b\.?|°C?)")
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
        value = _value(ast.parse(as_python(text), mode="eval").body)
    except (SyntaxError, ArithmeticError, ValueError, RecursionError, MemoryError):
        raise NoArithmetic from None
    if not math.isfinite(value):
        raise NoArithmetic
    return value


def as_python(text: str, number_of: Callable[[str, float], float] = lambda _written, value: value) -> str:
    """The expression in Python's grammar: numbers without units, and each product with its sign. Raises NoArithmetic.

    `number_of` gives what stands for a number, by how it is written and its value.
    """
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
            value = number_of(token[0].strip(), value)
            tokens.append(f"({value!r})" if tokens[-1] in _FUNCTIONS else repr(value))
        elif token["sign"] == "(" and (tokens[-1][-1:].isdigit() or tokens[-1][-1:] == ")"):
            tokens += "*("
        else:
            tokens.append(_IN_PYTHON.get(token["sign"], token["sign"]))
    if text[done:].strip():
        raise NoArithmetic
    return " ".join(tokens).strip()


def numbers_of(text: str) -> Iterator[tuple[str, Decimal]]:
    """The numbers of an expression as written, and their values."""
    text = plain_signs(text)
    for match in _TOKEN.finditer(text[:MAX_LENGTH]):
        if number := match["number"]:
            power = -2 if match["percent"] else SCALES.get(match["scale"] or "", 0)
            yield match[0].strip(), Decimal(number.replace(",", "")).scaleb(power).normalize()


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


def is_rounded(value: float, shown: str, *, percent: bool = False, scale: int = 0) -> bool:
    """Whether the number `shown`, with its digits after the point, is the value rounded, up or down at a tie.

    With `percent` it may be a hundred times the value; `scale` is the power of ten that it is written in.
    """
    number = Decimal(shown.replace(",", ""))
    exponent = number.as_tuple().exponent
    unit = 10.0**exponent if isinstance(exponent, int) else 1.0
    if "." not in shown:
        unit = 1.0
    factors = [1.0, *([100.0] if percent else []), *([10.0**-scale] if scale else [])]
    return any(abs(value * factor - float(number)) <= unit * 0.5000001 for factor in factors)


_RESULT = regex(r"[=≈]\s*(?:\\approx\s*)?(?:about |约\s?|~)?\$?$|\\approx\s*$")
"""Between arithmetic and its result."""
_LONGEST = 90
_START = regex(r"[\d(.\[]|sqrt|ln|log|exp|\\frac|\\sqrt|-")
_OPERATOR = regex(r"[-+*/^(]")


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
