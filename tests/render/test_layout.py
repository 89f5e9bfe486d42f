"""Where nodes stand: apart, inside, the same every time, and near what they belong to."""

from __future__ import annotations

import itertools
import math

import pytest

from paper_notes.render.layout import GAP, Box, Placed, place


def apart(boxes: list[Box], placed: Placed) -> bool:
    pairs = itertools.combinations(zip(boxes, placed.centres, strict=True), 2)
    return all(
        abs(p[0] - q[0]) >= (a.width + b.width) / 2 + GAP - 2 or abs(p[1] - q[1]) >= (a.height + b.height) / 2 + GAP - 2
        for (a, p), (b, q) in pairs
    )


def ring(count: int) -> list[tuple[int, int]]:
    return [(place, (place + 1) % count) for place in range(count)]


def test_nothing_takes_no_room() -> None:
    assert place([], [], 900) == Placed((), 0)


@pytest.mark.parametrize("count", [1, 2, 3, 11, 40])
@pytest.mark.parametrize("width", [340, 960])
def test_no_two_boxes_overlap_and_all_are_inside(count: int, width: int) -> None:
    boxes = [Box(60 if width == 340 else 90 + place % 5 * 20, 28, place % 3) for place in range(count)]
    placed = place(boxes, ring(count) if count > 2 else [], width)
    assert apart(boxes, placed)
    for box, (x, y) in zip(boxes, placed.centres, strict=True):
        assert box.width / 2 <= x <= width - box.width / 2
        assert box.height / 2 <= y <= placed.height - box.height / 2
    assert placed.height < 2400


def test_it_is_the_same_every_time() -> None:
    boxes = [Box(100, 28, place % 4) for place in range(20)]
    assert place(boxes, ring(20), 900) == place(boxes, ring(20), 900)


def test_what_is_linked_is_nearer_than_what_is_not() -> None:
    boxes = [Box(60, 28, 0) for _ in range(12)]
    edges = [(a, b) for half in (range(6), range(6, 12)) for a, b in itertools.combinations(half, 2)]
    centres = place(boxes, edges, 900).centres
    linked = [math.dist(centres[a], centres[b]) for a, b in edges]
    others = [math.dist(centres[a], centres[b]) for a in range(6) for b in range(6, 12)]
    assert sum(linked) / len(linked) < 0.75 * sum(others) / len(others)


def test_a_box_wider_than_the_drawing_is_in_its_middle() -> None:
    assert place([Box(500, 20, 0)], [], 300).centres[0][0] == 150
