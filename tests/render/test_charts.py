"""Plots: how high and long they are, which words have room, and the calendar's weeks."""

from __future__ import annotations

import datetime
import itertools

import pytest

from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang, Text
from paper_notes.render.charts import Column, Datum, bars, calendar, columns, enough, room, short

WORDS, EN = Words.of("zh", "en"), Lang("en")
SERIES = (Text.of(zh="读过", en="read"), Text.of(zh="在库", en="in the library"))


def data(*values: tuple[int, ...], ticks: tuple[str, ...] = ()) -> list[Datum]:
    return [
        Datum(Text.of(zh=f"名{place}", en=f"n{place}"), value, ticks[place] if ticks else "")
        for place, value in enumerate(values)
    ]


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (950, "950"), (1000, "1k"), (1250, "1.2k"), (40_000, "40k"), (3_000_000, "3M")]
)
def test_short_numbers(value: int, text: str) -> None:
    assert short(value) == text


def test_three_points_are_enough_for_a_drawing() -> None:
    assert enough(data((1,), (0,), (2,), (3,)))
    assert not enough(data((1,), (0,), (0,), (3,)))


def test_columns_are_as_high_as_their_values() -> None:
    shown = columns(data((5, 5), (3, 0), (0, 0)), SERIES, WORDS)
    assert [column.heights for column in shown] == [(50, 50), (30, 0), (0, 0)]
    assert [column.value for column in shown] == ["10", "3", ""]


def test_a_column_says_all_to_who_points_at_it() -> None:
    two, one = columns(data((1200, 0), (1, 2)), SERIES, WORDS)
    assert (two.tip, one.tip) == (
        Text.of(zh="名0：读过 1,200", en="n0: 1,200 read"),
        Text.of(zh="名1：读过 1，在库 2", en="n1: 1 read, 2 in the library"),
    )
    assert columns(data((1200,)), SERIES[:1], WORDS)[0].tip == Text.of(zh="名0: 1,200", en="n0: 1,200")


@pytest.mark.parametrize(
    ("words", "places", "where"),
    [
        (["2015"] * 10, 10, "always"),
        (["2015"] * 12, 12, "wide"),
        (["2015"] * 30, 30, "never"),
        (["12", "2026", "2"], 13, "always"),
        ([], 0, "always"),
    ],
)
def test_words_are_shown_where_two_beside_each_other_have_room(words: list[str], places: int, where: str) -> None:
    assert room(words, places) == where


@pytest.mark.parametrize("count", [3, 7, 12, 60])
def test_some_words_have_room_on_a_phone(count: int) -> None:
    def always(column: Column) -> bool:
        return column.tick_room == "always"

    years = tuple(str(1960 + place) for place in range(count))
    shown = columns(data(*((7,) for _ in years), ticks=years), SERIES[:1], WORDS)
    named = [place for place, column in enumerate(shown) if always(column)]
    assert named[-1] == count - 1, "the last one always has its name"
    assert 2 <= len(named) <= 10
    assert len({b - a for a, b in itertools.pairwise(named)}) == 1
    assert any(column.value_room == "always" for column in shown)
    assert count < 60 or sum(column.value_room == "always" for column in shown) == 1, "the highest"


def test_bars_are_as_long_as_their_values_or_shares() -> None:
    rows = data((3, 1), (1, 1), (0, 2))
    assert [[part.width for part in bar.segments] for bar in bars(rows, SERIES)] == [[75, 25], [25, 25], [50]]
    shares = bars(rows, SERIES, shares=True)
    assert [[part.width for part in bar.segments] for bar in shares] == [[75, 25], [50, 50], [100]]
    assert [(bar.total, [(part.series, part.value) for part in bar.segments]) for bar in shares[1:]] == [
        ("2", [(0, "1"), (1, "1")]),
        ("2", [(1, "2")]),
    ]


class TestCalendar:
    def test_weeks_have_rows_by_year_and_end_with_the_newest(self) -> None:
        day = datetime.date.fromisoformat
        days = ["2024-12-30", "2025-01-05", "2025-03-03", "2026-01-12", "2026-01-14", "2026-01-15"]
        made = calendar(map(day, days), WORDS)
        assert made is not None
        assert [(year, len(weeks)) for year, weeks in made.years] == [("2025", 52), ("2026", 3)]
        cells = {tip: level for _, weeks in made.years for level, tip in weeks if level}
        assert cells == {"2024-12-30 – 01-05: 2": 3, "2025-03-03 – 03-09: 1": 2, "2026-01-12 – 01-18: 3": 4}
        assert made.about[EN].endswith("6 in all, the most in the week of 2026-01-12: 3.")
        assert made.months[0] == (1, Text.of(zh="1月", en="Jan"))

    def test_of_a_long_history_the_last_years_are_shown(self) -> None:
        made = calendar((datetime.date(year, 6, 1) for year in range(2010, 2027)), WORDS)
        assert made is not None
        assert [year for year, _ in made.years] == ["2022", "2023", "2024", "2025", "2026"]

    def test_years_that_are_not_shown_do_not_count(self) -> None:
        busy = [datetime.date(2018, 1, 1)] * 9
        made = calendar([*busy, *(datetime.date(2026, month, 6) for month in (1, 2, 3))], WORDS)
        assert made is not None
        assert "3 in all, the most in the week of 2026-01-05: 1" in made.about[EN]

    def test_a_year_can_have_53_weeks(self) -> None:
        made = calendar((datetime.date(2026, 12, day) for day in (7, 14, 31)), WORDS)
        assert made is not None
        assert len(made.years[0][1]) == 53

    def test_too_few_weeks_are_not_drawn(self) -> None:
        assert calendar([datetime.date(2026, 11, 21)] * 14, WORDS) is None
