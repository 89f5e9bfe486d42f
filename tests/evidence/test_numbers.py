"""What counts as a number in words, and which number it is, in digits and spelled out."""

from __future__ import annotations

from decimal import Decimal

import pytest

from paper_notes.features.verify.numbers import numbers_in
from paper_notes.features.verify.spelled import values_in_words


@pytest.mark.parametrize(
    ("text", "written", "value"),
    [
        ("1,024 cups", "1,024", "1024"),
        ("{1{,}024}", "1{,}024", "1024"),
        ("80GB of 3", "80 3", "80 3"),
        ("it takes .27 s, 12.50 at most", ".27 12.50", "0.27 12.5"),
        ("−5", "5", "5"),
        ("26.3% or 5％", "26.3% 5％", "0.263 0.05"),
        ("2K, 12 million", "2K 12 million", "2000 12000000"),
        ("3.5 万和 3千", "3.5 万 3千", "35000 3000"),
        ("1.84× and 0.5 倍", "1.84 0.5", "1.84 0.5"),
        ("2024% of 2,024", "2024% 2,024", "20.24 2024"),
        ("7B, EAGLE-3, a2, the 3rd, 007", "", ""),
        ("2024, 2024-05-01, 2024 年 5 月, v1.2.3, arXiv:2510.26475", "", ""),
    ],
)
def test_numbers_are_the_same_however_they_are_written(text: str, written: str, value: str) -> None:
    numbers = list(numbers_in(text))
    assert " ".join(number.text for number in numbers) == written
    assert [number.plain for number in numbers] == [Decimal(number) for number in value.split()]


def test_only_small_whole_numbers_without_a_unit_are_trivial() -> None:
    text = "3 or 3× or 3% or 3K or 13 or 3.0"
    assert [number.is_trivial for number in numbers_in(text)] == [True, False, False, False, False, False]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("twenty-one of nineteen", "21 19"),
        ("one hundred and five", "105"),
        ("two thousand three hundred", "2300"),
        ("a dozen, half of it", "12 0.5 50"),
        ("十二", "12"),
        ("三百零五", "305"),
        ("一千五百", "1500"),
        ("二十", "20"),
        ("零四五六", "456"),
        ("七八九", "789"),
        ("二〇二四", "2024"),
        ("六成", "6 60 0.6"),
        ("三到五成", "30 3 5 50 0.5"),
        ("两倍", "2"),
        ("五万", "5 50000"),
        ("三亿", "3 300000000"),
        ("none of them", ""),
    ],
)
def test_numbers_that_are_spelled_out_have_values(text: str, values: str) -> None:
    assert list(values_in_words(text)) == [Decimal(value) for value in values.split()]
