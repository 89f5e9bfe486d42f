"""Where formulas may break into lines."""

from __future__ import annotations

import re

import pytest

from paper_notes.markdown.math.convert import mathml
from paper_notes.markdown.math.lines import with_breaks

LONG = "f(x_1, x_2, x_3) + g(x_1, x_2, x_3)"
CASES = [
    # a display formula, and its parts (|) and pieces (/) as text
    (r"a = b", "a=b"),
    (r"a = b, \quad c = d", "a=b,|c=d"),
    (r"a, \qquad b \qquad", "a,|b"),
    (rf"{LONG} = {LONG}", "f(x1,x2,x3)+g(x1,x2,x3)/=f(x1,x2,x3)+g(x1,x2,x3)"),
    (rf"y = {LONG} + {LONG}", "y/=f(x1,x2,x3)/+g(x1,x2,x3)/+f(x1,x2,x3)/+g(x1,x2,x3)"),
    (rf"h(a = b) \le {LONG}", "h(a=b)/≤f(x1,x2,x3)+g(x1,x2,x3)"),
    (rf"({LONG})_+ = {LONG}", "(f(x1,x2,x3)+g(x1,x2,x3))+/=f(x1,x2,x3)+g(x1,x2,x3)"),
    (rf"{LONG} = -{LONG}", "f(x1,x2,x3)+g(x1,x2,x3)/=−f(x1,x2,x3)+g(x1,x2,x3)"),
    (rf"y = -{LONG} + {LONG}", "y/=−f(x1,x2,x3)/+g(x1,x2,x3)/+f(x1,x2,x3)/+g(x1,x2,x3)"),
    (rf"{LONG} + n! + {LONG}", "f(x1,x2,x3)/+g(x1,x2,x3)/+n!/+f(x1,x2,x3)/+g(x1,x2,x3)"),
    (rf"\left( {LONG} = {LONG} \right)", "(f(x1,x2,x3)+g(x1,x2,x3)=f(x1,x2,x3)+g(x1,x2,x3))"),
    (rf"\begin{{aligned}} a &= {LONG} \\ b &= {LONG} \end{{aligned}}", None),
]


def shown(html: str) -> str:
    parts = re.split(r"</span><span[^>]*>", html)
    return "|".join(re.sub(r"<[^>]*>|&ApplyFunction;", "", part.replace("<wbr>", "/")) for part in parts)


@pytest.mark.parametrize(("tex", "expected"), CASES)
def test_a_display_formula_breaks_between_its_parts_and_before_operators(tex: str, expected: str | None) -> None:
    whole = mathml(tex, display=True)
    broken = with_breaks(whole, display=True)
    if expected is None or not re.search(r"[|/]", expected):
        assert broken == whole
    if expected is not None:
        assert shown(broken) == expected


def test_a_part_is_a_whole_formula_of_its_own() -> None:
    html = with_breaks(mathml(r"a = b \quad c", display=True), display=True)
    assert html == (
        '<span class="part"><math display="block"><mi>a</mi><mo>=</mo><mi>b</mi></math></span>'
        '<span class="part"><math display="block"><mi>c</mi></math></span>'
    )


def test_an_operator_at_the_start_of_a_line_keeps_its_spaces() -> None:
    html = with_breaks(mathml(rf"{LONG} + {LONG} = 1", display=True), display=True)
    assert html.endswith('<wbr><math display="block"><mo form="infix">=</mo><mn>1</mn></math></span>')


def test_a_formula_in_a_line_of_text_breaks_only_if_it_is_long() -> None:
    short, long = mathml("a = b + c", display=False), mathml(rf"p = {LONG}", display=False)
    assert with_breaks(short, display=False) == short
    assert shown(with_breaks(long, display=False)) == "p/=f(x1,x2,x3)/+g(x1,x2,x3)"


def test_a_wide_gap_within_a_line_of_text_stays() -> None:
    whole = mathml(r"a \quad b", display=False)
    assert with_breaks(whole, display=False) == whole
