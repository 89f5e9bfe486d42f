"""Plots: their scale, their words, and what each bar says."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from paper_notes.render.charts import Chart, Datum, bars, ceiling, columns, short
from paper_notes.render.views import Bi

SVG = "{http://www.w3.org/2000/svg}"


def chart(*rows: tuple[str, tuple[int, ...]], **how: bool) -> Chart:
    data = tuple(Datum(Bi(name, name), values) for name, values in rows)
    series = tuple(Bi(f"系{n}", f"s{n}") for n in range(len(rows[0][1]) if rows else 1))
    return Chart("c", Bi("题 <1>", "Title"), Bi("说", "About"), series, data, ("zh", "en"), **how)


def rects(svg: str, series: int) -> list[tuple[float, float]]:
    """Position along the plot and length of each mark of a series: per cent of the bars, pixels of the columns."""
    found = re.findall(rf'<rect class="s{series}" x="([\d.]+)%" y="[\d.]+" width="([\d.]+)%" height="([\d.]+)"', svg)
    return [(float(x), float(width)) for x, width, _ in found]


def heights(svg: str, series: int) -> list[float]:
    return [float(height) for height in re.findall(rf'<rect class="s{series}" [^>]*height="([\d.]+)"', svg)]


@pytest.mark.parametrize(
    ("value", "top"),
    [(0, 2), (1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (10, 10), (11, 20), (25, 30), (74, 80), (99, 100), (4321, 5000)],
)
def test_the_top_of_the_scale_is_round_and_even(value: int, top: int) -> None:
    assert ceiling(value) == top if value else ceiling(value) % 2 == 0
    assert ceiling(value) % 2 == 0


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (950, "950"), (1000, "1k"), (1250, "1.2k"), (40_000, "40k"), (3_000_000, "3M")]
)
def test_short_numbers(value: int, text: str) -> None:
    assert short(value) == text


def test_columns_are_as_high_as_their_values() -> None:
    svg = columns(chart(("a", (5, 5)), ("b", (10, 0)), ("c", (0, 0))))
    assert heights(svg, 0) == [75.0, 150.0]
    assert heights(svg, 1) == [75.0]
    beside = columns(chart(("a", (5, 10)), apart=True))
    assert (heights(beside, 0), heights(beside, 1)) == ([75.0], [150.0])
    (one, width), (other, _) = rects(beside, 0)[0], rects(beside, 1)[0]
    assert other == pytest.approx(one + width, abs=0.02)


def test_bars_are_as_long_as_their_values_or_shares() -> None:
    rows = (("a", (3, 1)), ("b", (1, 1)))
    assert rects(bars(chart(*rows)), 0) == [(0, 75), (0, 25)]
    assert rects(bars(chart(*rows)), 1) == [(75, 25), (25, 25)]
    assert rects(bars(chart(*rows, shares=True)), 0) == [(0, 75), (0, 50)]


def test_a_plot_has_a_title_a_description_and_a_value_on_each_mark() -> None:
    for svg in (columns(chart(("<a>", (1200,)))), bars(chart(("<a>", (1200,))))):
        tree = ElementTree.fromstring(str(svg).replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" '))
        names = {element.get("id"): element.text for element in tree if element.get("id")}
        assert names == {"c-t": "题 <1> · Title", "c-d": "说 · About"}
        assert tree.get("aria-labelledby") == "c-t c-d"
        assert [title.text for title in tree.findall(f"{SVG}rect/{SVG}title")] == ["<a>: 1,200"]


@pytest.mark.parametrize("count", [1, 2, 7, 8, 60])
def test_a_phone_has_room_for_the_names_below_the_columns(count: int) -> None:
    svg = columns(chart(*((f"{n:02}", (1,)) for n in range(count))))
    names = re.findall(r'<text class="mid"[^>]*>(\d\d)<', svg)
    assert 1 <= len(names) <= 7
    assert names[-1] == f"{count - 1:02}", "the last one always has its name"


def test_names_in_two_languages_are_both_there() -> None:
    svg = bars(Chart("c", Bi("a", "a"), Bi("a", "a"), (Bi("a", "a"),), (Datum(Bi("中", "En"), (1,)),), ("zh", "en")))
    assert '<text class="zh ui" lang="zh-CN" x="0" y="16">中</text><text class="en ui" lang="en"' in svg


def test_a_site_in_one_language_shows_that_one() -> None:
    both = Chart("c", Bi("题", "T"), Bi("说", "A"), (Bi("系", "s"),), (Datum(Bi("中", "En"), (1,)),), ("en",))
    for svg in (bars(both), columns(both)):
        assert "En" in svg
        assert not set("题说系中") & set(svg)


def test_nothing_to_plot() -> None:
    assert "<rect" not in columns(chart())
    assert "<rect" not in bars(chart())
