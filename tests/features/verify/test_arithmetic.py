"""Arithmetic as people write it: its value, and whether a number is that value rounded."""

from __future__ import annotations

import pytest

from paper_notes.features.verify.numbers import NoArithmetic, is_rounded, value_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/(1-0.86)", 7.142857),
        ("28.5 s / 16.1 s", 1.770186),
        ("2^10", 1024),
        ("-3 + 5 × 2", 7),
        ("8192 * 150000 * 2", 2_457_600_000),
        (r"\frac{3}{4}", 0.75),
        (r"1.7\times 2", 3.4),
        (r"0.30+0.30\times0.50", 0.45),
        ("32{,}000 / 2", 16_000),
        ("26K / 2", 13_000),
        (r"77\text{M}/11\text{B}", 0.007),
        ("86% - 70%", 0.16),
        ("sqrt(16)", 4),
        ("3（1−0.5）", 1.5),
        ("6.39/2.71", 2.357934),
        ("3 x 4", 12),
        (".5 + .25", 0.75),
        ("sqrt 16 x (1 + 1)", 8),
        ("[2 + 4] / 3", 2),
        ("-2^2", -4),
    ],
)
def test_an_expression_has_this_value(text: str, value: float) -> None:
    assert value_of(text) == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize(
    "text", ["", "p/q", "1 +", "(1", "1/0", "9^9^9^9", "(" * 99 + "1" + ")" * 98, "1" * 300, "__import__('os')", "1 2"]
)
def test_anything_else_is_no_arithmetic(text: str) -> None:
    with pytest.raises(NoArithmetic):
        value_of(text)


@pytest.mark.parametrize(
    ("value", "shown", "options", "fits"),
    [
        (7.142857, "7.1", {}, True),
        (7.142857, "7.2", {}, False),
        (7.142857, "7", {}, True),
        (0.25, "0.3", {}, True),
        (0.25, "0.2", {}, True),
        (0.2, "20", {"percent": True}, True),
        (0.2, "20", {}, False),
        (26_031, "26", {"scale": "K"}, True),
        (26_031, "26.1", {"scale": "K"}, False),
        (120_000, "12", {"scale": "万"}, True),
        (2357.9, "2,358", {}, True),
    ],
)
def test_a_number_is_the_value_rounded_to_its_digits(
    value: float, shown: str, options: dict[str, object], fits: bool
) -> None:
    assert is_rounded(value, shown, **options) is fits  # type: ignore[arg-type] # percent and scale
