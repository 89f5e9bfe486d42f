"""Arithmetic that a text writes out with its result: `28.5 s / 16.1 s = 1.77×`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from paper_notes.features.verify.arithmetic import NoArithmetic, is_rounded, plain_signs, value_of
from paper_notes.features.verify.statements import Number, Statement

_LONGEST = 90
_START = re.compile(r"[\d(.\[]|sqrt|ln|log|exp|\\frac|\\sqrt|-")
_OPERATOR = re.compile(r"[-+*/^(]")


@dataclass(frozen=True, slots=True)
class Calculation:
    """A number that is the result of arithmetic written before it."""

    number: Number
    expression: str
    value: float
    right: bool


def calculations_in(statement: Statement) -> Iterator[Calculation]:
    """The sums of a statement whose results are numbers of it."""
    text = statement.text
    for number in statement.numbers:
        before = re.search(r"[=≈]\s*(?:\\approx\s*)?(?:about |约\s?|~)?\$?$|\\approx\s*$", text[: number.figures.start])
        if not before:
            continue
        expression = _expression(text[: before.start()])
        if not expression:
            continue
        value = value_of(expression)
        figures = number.figures
        right = is_rounded(value, figures.digits, percent=figures.percent, scale=figures.scale)
        yield Calculation(number, expression, value, right)


def _expression(text: str) -> str:
    """The longest arithmetic at the end of the text, with an operator in it; empty if there is none."""
    begin = max(0, len(text) - _LONGEST)
    for match in _START.finditer(text, begin):
        start = match.start()
        if start and (text[start - 1].isalnum() or text[start - 1] in "._^{"):
            continue
        expression = text[start:].strip()
        shown = plain_signs(expression)
        if not _OPERATOR.search(shown.lstrip("-(")) or not re.search(r"\d", shown):
            return ""
        try:
            value_of(expression)
        except NoArithmetic:
            continue
        return expression
    return ""
