"""The sum behind a number as a formula for readers, in which each of its numbers can be marked."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from html import escape
from xml.etree import ElementTree

from paper_notes.features.verify.arithmetic import NoArithmetic, as_python, plain_signs
from paper_notes.features.verify.readings import REFERENCE
from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.markdown.math.lines import fits_a_phone
from paper_notes.patterns import regex

_SIGNS: Mapping[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", 1),
    ast.Sub: ("-", 1),
    ast.Mult: (r"\times ", 2),
}
_UNARY, _PRODUCT, _POWER, _WHOLE = 1, 2, 3, 4
"""How tightly an expression holds together."""
_FIRST = 970_000
"""Stands for the first number while the formula is made, and so on: no expression is long enough for a thousand."""
_STAND_IN = regex(r"<mn>970(\d{3})</mn>")


def formula_of(expression: str, shown: Callable[[str], str], result: str = "") -> str:
    """The expression and its result, `=7.1`, as MathML; empty if it is no arithmetic.

    `shown` gives the element of a number, or of a binding such as `F7[step 3]`, by how it is written.
    """
    atoms: list[str] = []

    def stand_in(written: str, value: float = 0.0) -> float:
        if _FIRST <= value < _FIRST + len(atoms):
            return value  # a binding, which has one already
        atoms.append(written)
        return float(_FIRST + len(atoms) - 1)

    try:
        hidden = REFERENCE.sub(lambda match: f"{stand_in(match[0]):.0f}", expression)
        tree = ast.parse(as_python(plain_signs(hidden).strip(), stand_in), mode="eval")
        formula = mathml(_tex(tree.body)[0] + result, display=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, TexProblem):
        return ""
    formula = _STAND_IN.sub(lambda match: shown(atoms[int(match[1])]), formula)
    if fits_a_phone(formula):
        return formula
    try:
        return f'<span class="sum">{_in_text(ElementTree.fromstring(formula))}</span>'  # noqa: S314 -- our own MathML
    except (NoArithmetic, ElementTree.ParseError):  # a root or a function
        return formula


def _in_text(element: ElementTree.Element) -> str:
    """Text, which a browser breaks into lines: it does not break formulas."""
    inside = list(element)
    match element.tag:
        case "mn" | "mi" | "mtext" if not inside:
            text = escape(element.text or "")
            return f'<span class="op">{text}</span>' if element.get("class") == "op" else text
        case "mo":
            sign = escape(element.text or "")
            return sign if sign in ("(", ")", "%", ",") else f" {sign} "
        case "mfrac":
            return "/".join(f"({_in_text(part)})" if len(part) else _in_text(part) for part in inside)
        case "msup":
            base, power = map(_in_text, inside)
            return f"{base}<sup>{power}</sup>"
        case "math" | "mrow":
            return "".join(map(_in_text, inside))
    raise NoArithmetic


def _tex(node: ast.expr) -> tuple[str, int]:
    match node:
        case ast.Constant(value=float(stand_in)):
            return f"{stand_in:.0f}", _WHOLE
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_within(operand, _PRODUCT)}", _UNARY
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
            return rf"\sqrt{{{_tex(argument)[0]}}}", _WHOLE
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return rf"\{name}({_tex(argument)[0]})", _WHOLE
        case ast.BinOp(op=ast.Div()):
            return rf"\frac{{{_tex(node.left)[0]}}}{{{_tex(node.right)[0]}}}", _PRODUCT
        case ast.BinOp(op=ast.Pow()):
            return f"{{{_within(node.left, _WHOLE)}}}^{{{_tex(node.right)[0]}}}", _POWER
        case ast.BinOp() if type(node.op) in _SIGNS:
            sign, level = _SIGNS[type(node.op)]
            right = level + isinstance(node.op, ast.Sub)
            return f"{_within(node.left, level)}{sign}{_within(node.right, right)}", level
    raise NoArithmetic


def _within(node: ast.expr, level: int) -> str:
    tex, own = _tex(node)
    return tex if own >= level else f"({tex})"
