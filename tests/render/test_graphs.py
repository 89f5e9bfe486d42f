"""Where boxes and lines of the map are: lines go around boxes, and everything is inside the drawing."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from paper_notes.render.graphs import BOX, GAP, HEAD, HUES, ROW, WIDTH, Curve, DrawnLine, Layout, Point, arrange, hues

Rows = list[list[int | None]]


def graph(seed: int) -> tuple[Rows, list[tuple[int, int]]]:
    """Columns with headings here and there, and references between any notes, mutual ones among them."""
    dice = random.Random(seed)
    columns: Rows = []
    boxes = 0
    for _ in range(dice.randint(1, 4)):
        rows: list[int | None] = []
        for _ in range(dice.randint(1, 14)):
            if dice.random() < 0.2:
                rows.append(None)
            rows.append(boxes)
            boxes += 1
        columns.append(rows)
    edges = [(dice.randrange(boxes), dice.randrange(boxes)) for _ in range(dice.randint(0, 4 * boxes))]
    return columns, edges + [(b, a) for a, b in edges if dice.random() < 0.3]


def rectangles(columns: Rows, layout: Layout) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every box and heading."""
    return [
        (left, row * ROW, right, row * ROW + BOX)
        for (left, right), rows in zip(layout.columns, columns, strict=True)
        for row in range(len(rows))
    ]


def along(curve: Curve) -> Iterator[Point]:
    a, b, c, d = curve
    for step in range(41):
        t = step / 40
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        x, y = (sum(w * p[axis] for w, p in zip(weights, (a, b, c, d), strict=True)) for axis in (0, 1))
        yield x, y


def points(line: DrawnLine) -> list[Point]:
    """Of a line with its arrowheads."""
    heads = [
        (end.x + end.side * out, end.y + up)
        for end in line.ends
        if end.pointed
        for out, up in ((1, 0), (HEAD, -4), (HEAD, 4))
    ]
    return [*heads, *(point for curve in line.curves for point in along(curve))]


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("seed", range(60))
def test_no_line_crosses_a_box_or_heading_and_all_are_inside(seed: int) -> None:
    columns, edges = graph(seed)
    layout = arrange(columns, edges)
    boxes = rectangles(columns, layout)
    assert layout.height == max(map(len, columns)) * ROW
    assert all(0 <= left < right <= WIDTH for left, right in layout.columns)
    for line in layout.lines:
        for x, y in points(line):
            assert -0.1 <= x <= WIDTH + 0.1
            assert -GAP <= y <= layout.height
            crossed = [box for box in boxes if box[0] + 0.1 < x < box[2] - 0.1 and box[1] < y < box[3]]
            assert not crossed, (line, x, y)


@pytest.mark.parametrize("seed", range(20))
def test_a_line_joins_its_boxes_and_leads_to_what_is_referred_to(seed: int) -> None:
    columns, edges = graph(seed)
    layout = arrange(columns, edges)
    place = {box: (x, y) for x, rows in enumerate(columns) for y, box in enumerate(rows) if box is not None}
    assert {frozenset((line.start, line.end)) for line in layout.lines} == {frozenset(e) for e in edges if e[0] != e[1]}
    for line in layout.lines:
        pointed = set()
        for end in line.ends:
            [box] = {
                box
                for box in (line.start, line.end)
                if end.x == layout.columns[place[box][0]][end.side == 1]
                and abs(end.y - place[box][1] * ROW - BOX / 2) <= BOX / 2 - 4
            }
            pointed |= {box} if end.pointed else set()
        assert pointed == {line.end} | ({line.start} if (line.end, line.start) in edges else set())
        curves = line.curves
        assert all(one[3] == other[0] for one, other in itertools.pairwise(curves)), "no gap in it"
        assert all(a[1] == b[1] and c[1] == d[1] for a, b, c, d in curves), "sideways wherever two curves meet"


def test_lines_meet_a_box_at_places_of_their_own() -> None:
    layout = arrange([[0, 1, 2, 3, 4], [5, 6, 7]], [(a, b) for a in range(5) for b in range(8) if a != b])
    ends = [(end.x, end.y) for line in layout.lines for end in line.ends]
    assert len(set(ends)) == len(ends)


def test_a_mutual_reference_is_one_line() -> None:
    [line] = arrange([[0], [1]], [(0, 1), (1, 0), (0, 1)]).lines
    assert [end.pointed for end in line.ends] == [True, True]


def test_a_long_line_goes_straight_through_the_nearest_gap() -> None:
    [line] = arrange([[0, 1], [2, 3], [4, 5]], [(0, 5)]).lines
    assert {y for _, y in line.curves[1]} == {ROW - GAP / 2}


def test_lines_in_the_same_gap_are_beside_each_other() -> None:
    lines = arrange([[0, 1, 2], [None, None, None], [3, 4, 5]], [(1, 4), (0, 4), (2, 4), (1, 3)]).lines
    gaps = [line.curves[1][0][1] for line in lines]
    assert len(set(gaps)) == len(gaps)


def test_lines_in_a_gap_are_spread_around_its_middle_and_stay_inside() -> None:
    layout = arrange([[*range(6)], [], [*range(6, 12)]], itertools.product(range(6), range(6, 12)))
    by_gap: dict[int, list[float]] = {}
    for y in sorted(line.curves[1][0][1] for line in layout.lines):
        by_gap.setdefault(round((y + GAP / 2) / ROW), []).append(y - round((y + GAP / 2) / ROW) * ROW + GAP / 2)
    assert max(map(len, by_gap.values())) > 4, "more than have room four apart"
    for lanes in by_gap.values():
        assert sum(lanes) == pytest.approx(0)
        assert lanes[-1] - lanes[0] == pytest.approx(min(4 * (len(lanes) - 1), GAP - 8))
        assert len({round(b - a, 3) for a, b in itertools.pairwise(lanes)}) <= 1


@pytest.mark.parametrize("count", range(2, 8))
def test_columns_are_as_wide_as_each_other_and_reach_both_edges(count: int) -> None:
    columns = arrange([[box] for box in range(count)], []).columns
    assert (columns[0][0], columns[-1][1]) == (0, WIDTH)
    for distances in ([right - left for left, right in columns], [b[0] - a[1] for a, b in itertools.pairwise(columns)]):
        assert min(distances) == pytest.approx(max(distances), abs=0.03)


def test_lines_within_an_outer_column_are_outside() -> None:
    layout = arrange([[0, 1], [2, 3], [4, 5]], [(0, 1), (4, 5), (0, 2)])
    sides = {line.start: line.ends[0].side for line in layout.lines if line.end == line.start + 1}
    assert sides == {0: -1, 4: 1}


def test_without_lines_beside_them_columns_begin_at_the_margin() -> None:
    assert arrange([[0], [1]], [(0, 1)]).columns[0][0] == 0
    assert arrange([[0, 1], [2]], [(0, 1)]).columns[0][0] > 0


def test_nothing_takes_no_room() -> None:
    assert arrange([], []) == Layout((), 0, ())


def test_it_is_the_same_every_time() -> None:
    assert arrange(*graph(7)) == arrange(*graph(7))


@pytest.mark.parametrize(
    ("signs", "colours"),
    [
        ("🔵 🟡 🟢 🟠 🟣", "blue yellow green orange purple"),
        ("📘 ❤️ 📗", "blue red orange"),
        ("⚪ 🔵", "orange blue"),
        ("- - - - - - - -", "blue orange green purple teal red yellow blue"),
    ],
)
def test_a_topic_has_the_colour_of_its_sign_and_others_one_that_no_sign_has(signs: str, colours: str) -> None:
    assert " ".join(HUES[hue] for hue in hues(signs.split())) == colours
