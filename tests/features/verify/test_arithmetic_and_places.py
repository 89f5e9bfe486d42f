"""Numbers in texts, in digits and spelled out; and plain arithmetic of them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from paper_notes.features.verify.arithmetic import NoArithmetic, is_rounded, value_of
from paper_notes.features.verify.quantities import quantities_in, values_in_words
from paper_notes.features.verify.statements import places_in

SHORT = {0: "", 3: "K", 4: "万", 6: "M"}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("83%–86% of steps", "83% 86%"),
        ("1.50–1.84×", "1.50 1.84"),
        ("26,031 to 1,764", "26031 1764"),
        (r"32{,}000", "32000"),
        (".80 and 5.2±0.3", "0.80 5.2 0.3"),
        ("２.６万，约 45 万", "2.6万 45万"),
        ("450 thousand and 1.2 million", "450K 1.2M"),
        ("2K lines, 464K entries", "2K 464K"),
        ("8192-token rollouts, 10-fold", "8192 10"),
        ("（k = 2，256）", "2 256"),
        # names, dates, versions and ids are none
        ("Qwen2.5-7B, EAGLE-3, R@5, APPS@100, H100, GPT-4, 7B and 14B", ""),
        ("2026-05-09, 2023, v0.8, 3.1.0, arXiv 2510.26475, 10.1000/182, the 3rd, 2024 年 5 月", ""),
        ("#26312 and x2", ""),
    ],
)
def test_these_are_the_numbers(text: str, numbers: str) -> None:
    shown = [f"{one.digits}{'%' if one.percent else SHORT[one.scale]}" for one in quantities_in(text)]
    assert " ".join(shown) == numbers


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("(Table 2)", "Table 2"),
        ("Tables S7, S13 and A.1", "Table S7|Table S13|Table A.1"),
        ("Fig. 3 and §5.3.1, App. B", "Fig. 3|§5.3.1|§B"),
        ("表 2、图 13、附录 L.3、第 3.2 节、第 5 页", "Table 2|Fig. 13|§L.3|§3.2|p. 5"),
        ("p. 5, pp. 3-4", "p. 5|p. 3|p. 4"),
        ("in the abstract; 摘要里", "abstract|abstract"),
        ("写摘要任务的 0.76（摘要）", "abstract"),
        ("Figs. 7–8 (14B)", "Fig. 7|Fig. 8"),
        ("词表 15 万 and the table of 20% gains; Section heads", ""),
        ("Eq. 3, 定理 2", ""),
    ],
)
def test_these_are_the_places(text: str, names: str) -> None:
    assert "|".join(place.name for place in places_in(text, "", 0)) == names


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
        ("120 百万和 3 亿，12 million", "120 百万 3 亿 12 million", "120000000 300000000 12000000"),
        ("7B, EAGLE-3, a2, the 3rd, 007", "", ""),
        ("2024, 2024-05-01, 2024 年 5 月, v1.2.3, arXiv:2510.26475", "", ""),
    ],
)
def test_numbers_are_the_same_however_they_are_written(text: str, written: str, value: str) -> None:
    numbers = list(quantities_in(text))
    assert " ".join(number.text for number in numbers) == written
    assert [number.plain for number in numbers] == [Decimal(number) for number in value.split()]


def test_only_small_whole_numbers_without_a_unit_are_trivial() -> None:
    text = "3 or 3× or 3% or 3K or 13 or 3.0"
    assert [number.is_trivial for number in quantities_in(text)] == [True, False, False, False, False, False]


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
        ("十五万", "15 150000"),
        ("none of them", ""),
        ("four and three levels", "4 3"),
        ("two hundred and five", "205"),
        pytest.param("九" * 5_000, "1E+99 " * 50 + "1E+50", id="more than Python makes a number of"),
    ],
)
def test_numbers_that_are_spelled_out_have_values(text: str, values: str) -> None:
    assert list(values_in_words(text)) == [Decimal(value) for value in values.split()]


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
        (26_031, "26", {"scale": 3}, True),
        (26_031, "26.1", {"scale": 3}, False),
        (120_000, "12", {"scale": 4}, True),
        (2357.9, "2,358", {}, True),
    ],
)
def test_a_number_is_the_value_rounded_to_its_digits(
    value: float, shown: str, options: dict[str, object], fits: bool
) -> None:
    assert is_rounded(value, shown, **options) is fits  # type: ignore[arg-type] # percent and scale
