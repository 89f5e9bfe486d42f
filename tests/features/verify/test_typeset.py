"""A sum as a formula: nothing of it is lost, brackets only where they are needed, and marks on its numbers."""

from __future__ import annotations

import re

import pytest

from paper_notes.features.verify.typeset import formula_of


def plain(formula: str) -> str:
    return re.sub(r"<[^>]*>", "", formula).replace("&ApplyFunction;", "")


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("(1+0.2)*3", "([1]+[0.2])×[3]"),
        ("1-(2-3)", "[1]−([2]−[3])"),
        ("(1-2)-3", "[1]−[2]−[3]"),
        ("2(3+4)", "[2]×([3]+[4])"),
        ("ln(1.48)", "ln([1.48])"),
        ("100*(F7[step 3]-T1[a, b])", "[100] × ([F7[step 3]] − [T1[a, b]])"),
        ("product(F7)", "[product(F7)]"),
        ("68K+464K", "[68K]+[464K]"),
        ("5 s × 86%", "[5]×[86%]"),
        (r"\frac{1}{2}", "[1][2]"),
        ("tea", ""),
        ("1 +", ""),
        ("(" * 300 + "1" + ")" * 300, ""),
    ],
)
def test_every_number_of_a_sum_is_shown_once(expression: str, shown: str) -> None:
    assert plain(formula_of(expression, lambda written: f"<mn>[{written}]</mn>")) == shown


def test_fractions_roots_and_powers_are_typeset() -> None:
    formula = formula_of("(1/(1-0.86)+sqrt(2))^2", lambda written: f"<mn>{written}</mn>", "=7")
    assert {*re.findall(r"<(m(?:frac|sqrt|sup))>", formula)} == {"mfrac", "msqrt", "msup"}
    assert formula.endswith("<mo>=</mo><mn>7</mn></math>")


def test_a_sum_that_is_wider_than_a_phone_is_text_that_breaks() -> None:
    terms = "+".join(f"1.{number}/2" for number in range(30))
    formula = formula_of(f"({terms})/30", lambda written: f'<mn class="op">{written}</mn>')
    assert "<math" not in formula
    assert plain(formula).startswith("(1.0/2 + 1.1/2 + ")
    assert plain(formula).endswith("1.29/2)/30")
    assert formula.count('<span class="op">') == 61
