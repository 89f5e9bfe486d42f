"""What counts as a number in words, and which places of papers are named."""

from __future__ import annotations

import pytest

from paper_notes.features.verify.named_places import places_in
from paper_notes.features.verify.numbers import numbers_in
from paper_notes.features.verify.spelled import values_in_words


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
    shown = [f"{one.digits}{'%' if one.percent else one.scale}" for one in numbers_in(text)]
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
        ("Eq. 3, 定理 2", "3|2"),
    ],
)
def test_these_are_the_places(text: str, names: str) -> None:
    assert "|".join(place.name for place in places_in(text, "", 0)) == names


@pytest.mark.parametrize(
    ("text", "value"),
    [("fifty dialogues", 50), ("one hundred and twenty", 120), ("六成", 60), ("一千五百", 1500), ("十五万", 150_000),
     ("六到八成", 60), ("half of it", 50), ("两倍", 2)],
)  # fmt: skip
def test_numbers_may_be_spelled_out(text: str, value: int) -> None:
    assert value in set(values_in_words(text))
