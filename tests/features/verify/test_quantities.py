"""What a number means, in both languages: sign, unit, scale, bound; and whether a claim agrees with what is printed."""

from __future__ import annotations

import pytest

from paper_notes.features.verify.quantities import (
    Quantity,
    agreement,
    direction,
    is_slower,
    quantities_in,
    unit_of_label,
)


def read(text: str, *, in_paper: bool = False) -> Quantity:
    return next(iter(quantities_in(text, in_paper=in_paper)))


@pytest.mark.parametrize(
    ("claim", "printed", "said"),
    [
        # scale, however it is written
        ("120 万", "1.2 million", "same"),
        ("120 万", "1,200,000", "same"),
        ("1.2M", "1,200,000", "same"),
        ("3.5 亿", "350M", "same"),
        ("450 thousand", "0.45M", "same"),
        ("1.3 十亿", "1.3B", "same"),
        ("26K", "26,031", "same"),
        ("2.6 万", "26,031", "same"),
        ("26.1K", "26,031", "value"),
        ("1.2 million", "1.2 billion", "scale"),
        ("120 万", "120K", "scale"),
        ("0.08130357", "8.130357e-02", "same"),
        ("4.6e-2", "0.046", "same"),
        ("4.6e-2", "4.6e-3", "scale"),
        # units
        ("28.5 s", "28.5 ms", "unit"),
        ("12 周", "12 months", "unit"),
        ("2 年", "24 months", "same"),
        ("70 岁", "70 years", "same"),
        ("56.4 ha", "56.4 km²", "unit"),
        ("500 毫升", "0.5 l", "same"),
        ("2.67 GHz", "2.67 MHz", "unit"),
        ("200 miles", "200 km", "unit"),
        ("1.5 秒", "1500 ms", "same"),
        ("2 小时", "120 minutes", "same"),
        ("6.1×", "6.1x", "same"),
        ("6.1 倍", "6.1×", "same"),
        ("6.1 倍", "6.1%", "unit"),
        ("80 GB", "80 MB", "unit"),
        ("512 tokens", "512 ms", "unit"),
        ("512 tokens", "512 characters", "unit"),
        ("72 行", "72 lines", "same"),
        ("72 行", "72", "same"),
        ("32 层", "32 steps", "unit"),
        ("115 req/s", "115 tok/s", "unit"),
        ("118 m/天", "118 km/day", "unit"),
        ("每天 118 公里", "118 km/day", "same"),
        ("22 mg/m³", "22 µg/m³", "unit"),
        ("2 kg", "2000 g", "same"),
        ("71.2", "71.2%", "same"),
        ("26.3%", "0.263", "same"),
        ("26.3%", ".263", "same"),
        # percent against percentage points
        ("5.2 个百分点", "5.2%", "points"),
        ("5.2 points", "5.2 %", "points"),
        ("5.2%", "5.2 percentage points", "points"),
        ("5.2 个点", "5.2 points", "same"),
        ("百分之 5", "5%", "same"),
        # rounding to the digits written
        ("4.9", "4.86", "same"),
        ("4.8", "4.86", "rounding"),
        ("5", "4.86", "same"),
        ("0.25", "0.245", "same"),
        ("0.24", "0.245", "same"),
        ("0.24", "0.246", "rounding"),
        ("4.86", "4.9", "value"),
        ("7.1", "7.4", "value"),
        # about, over, under
        ("about 90%", "88.7%", "same"),
        ("约 90%", "88.7%", "same"),
        ("约 90%", "70%", "value"),
        ("over 100", "104", "same"),
        ("超过 6 倍", "6.49×", "same"),
        ("超过 6 倍", "5.9×", "same"),  # 5.9 is 6 in one digit
        ("over 100", "96", "value"),
        ("不到 5%", "4.9%", "same"),
        ("under 5%", "5.4%", "same"),  # 5.4 is 5 in one digit
        ("不足 50", "57", "value"),
        # signs
        ("−1.4%", "−1.4%", "same"),
        ("-1.4", "1.4", "sign"),
        ("+1.4", "−1.4", "sign"),
        ("1.4", "+1.4", "same"),
        ("1.4", "−1.4", "sign"),
    ],
)
def test_a_claim_agrees_with_what_is_printed_or_differs_in_this(claim: str, printed: str, said: str) -> None:
    assert agreement(read(claim), read(printed, in_paper=True)) == said


@pytest.mark.parametrize(
    ("text", "signs", "units", "bounds"),
    [
        ("(−1.4%) and +2.0 points", "-1 1", "% points", "exact exact"),
        ("1.50–1.84×", "0 0", "x x", "range range"),
        ("from 3 to 5 s", "0 0", "s s", "range range"),
        ("3 到 5 天", "0 0", "days days", "range range"),
        ("71.2 ± 0.3", "0 0", " ", "exact exact"),
        ("3 × 4", "0 0", " ", "exact exact"),
        ("至少 5.5 步、不到 3 分钟", "0 0", "steps min", "least most"),
        ("10 多个，5 左右", "0 0", " ", "least about"),
        ("10-fold, 4 times, 3 times 4", "0 0 0 0", "x x  ", "exact exact exact exact"),
    ],
)
def test_a_number_has_sign_unit_and_bound(text: str, signs: str, units: str, bounds: str) -> None:
    quantities = list(quantities_in(text))
    assert " ".join(str(quantity.sign) for quantity in quantities) == signs
    assert " ".join(quantity.unit for quantity in quantities) == units
    assert " ".join(quantity.bound for quantity in quantities) == bounds


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("It rises by 3.1 points", 1),
        ("It drops by 3.1 points, and speed rises", -1),
        ("显存降低 3.1 GB", -1),
        ("准确率提高了 3.1 个百分点，延迟不变", 1),
        ("It is 3.1 there", 0),
        ("It gains, then loses 3.1", -1),
        ("3.1% faster", 1),
    ],
)
def test_words_of_the_clause_say_which_way_a_number_goes(text: str, way: int) -> None:
    assert direction(text, read(text)) == way


@pytest.mark.parametrize(
    ("text", "slower"),
    [("代码上慢 3.05 倍", True), ("It is 3.05x slower", True), ("3.05 倍，比慢的快", False), ("3.05x faster", False)],
)
def test_words_right_beside_a_number_say_that_it_is_a_slowdown(text: str, slower: bool) -> None:
    assert is_slower(text, read(text)) == slower


def test_words_that_end_as_units_begin_are_none() -> None:
    said = "从 3.5 升到 4.1", "70 年代", "3 周年", "12 m2k"
    assert [read(text).unit for text in said] == ["", "", "", ""]
    assert list(quantities_in("2007 年")) == []


def test_a_minus_after_another_number_makes_no_range() -> None:
    assert [one.sign for one in quantities_in("hosp 0.165 -0.362 0.027", in_paper=True)] == [0, -1, 0]
    assert [one.bound for one in quantities_in("from 20 - 40 and 3-5")] == ["range"] * 4


@pytest.mark.parametrize(
    ("label", "unit"),
    [
        ("Time in seconds", "s"),
        ("Latency (ms)", "ms"),
        ("Size in MB", "MB"),
        ("Difference in income", ""),
        ("In use", ""),
    ],
)
def test_a_label_has_the_unit_of_the_numbers_below_it(label: str, unit: str) -> None:
    assert unit_of_label(label)[0] == unit
