"""Where the nodes of a drawn graph stand: springs and repulsion, then no two boxes over each other. No chance in it.

Everything after the first positions, which are rounded, is plain arithmetic and square roots: the same bytes anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ROUNDS = 150
GAP = 14.0
"""Kept free between two boxes, in units of the drawing."""
_ROOM = 6
"""How much larger than all boxes together the drawing is."""


@dataclass(frozen=True, slots=True)
class Box:
    """A node: its size, and the group whose nodes it stays near."""

    width: float
    height: float
    group: int


@dataclass(frozen=True, slots=True)
class Placed:
    """Centres of the boxes, in whole units, and the height of the drawing."""

    centres: tuple[tuple[int, int], ...]
    height: int


def place(boxes: Sequence[Box], edges: Sequence[tuple[int, int]], width: float) -> Placed:
    """A drawing of this width; it is as high as the boxes need. Takes time by the square of their number."""
    if not boxes:
        return Placed((), 0)
    wanted = _ROOM * sum((box.width + GAP) * (box.height + GAP) for box in boxes)
    height = max(wanted / width, max(box.height for box in boxes) + 2 * GAP)
    points = _fitted(_settled(boxes, edges, width / height), boxes, width, height)
    _part(points, boxes, width)
    top = min(point[1] - box.height / 2 for point, box in zip(points, boxes, strict=True)) - GAP
    bottom = max(point[1] + box.height / 2 for point, box in zip(points, boxes, strict=True)) + GAP
    return Placed(tuple((round(x), round(y - top)) for x, y in points), math.ceil(bottom - top))


def _settled(boxes: Sequence[Box], edges: Sequence[tuple[int, int]], aspect: float) -> list[list[float]]:
    """Fruchterman and Reingold's springs, in a space where the wanted distance of two nodes is 1."""
    points = _first(boxes)
    count = len(points)
    for step in range(ROUNDS):
        moves = [[0.0, 0.0] for _ in points]
        for one, (x, y) in enumerate(points):  # most of the time goes by here
            move = moves[one]
            for other in range(one + 1, count):
                dx, dy, back = x - points[other][0], y - points[other][1], moves[other]
                square = dx * dx + dy * dy
                force = 1 / (square if square > 0.01 else 0.01)  # noqa: FURB136 -- twice as fast as max()
                dx *= force
                dy *= force
                move[0] += dx
                move[1] += dy
                back[0] -= dx
                back[1] -= dy
        for one, other in edges:
            dx, dy = points[one][0] - points[other][0], points[one][1] - points[other][1]
            pull = -math.sqrt(dx * dx + dy * dy) * 0.6
            _push(moves, one, other, dx * pull, dy * pull)
        middles = _middles(points, boxes)
        heat = 0.6 * math.sqrt(count) * (1 - step / ROUNDS) / 4 + 0.02
        for point, move, box in zip(points, moves, boxes, strict=True):
            middle = middles[box.group]
            mx = move[0] - (point[0] - middle[0]) * 0.35 - point[0] * 0.12 / aspect
            my = move[1] - (point[1] - middle[1]) * 0.35 - point[1] * 0.12 * aspect
            length = math.sqrt(mx * mx + my * my)
            part = min(length, heat) / length if length else 0.0
            point[0] += mx * part
            point[1] += my * part
    return points


def _first(boxes: Sequence[Box]) -> list[list[float]]:
    """Groups around a circle, the nodes of each in a spiral like the seeds of a sunflower."""
    groups = sorted({box.group for box in boxes})
    seen = dict.fromkeys(groups, 0)
    radius = math.sqrt(len(boxes)) if len(groups) > 1 else 0.0
    points = []
    for box in boxes:
        turn = 2 * math.pi * groups.index(box.group) / len(groups)
        place = seen[box.group]
        seen[box.group] += 1
        angle, far = place * 2.399963, 0.7 * math.sqrt(place)
        x = radius * math.cos(turn) + far * math.cos(angle)
        y = radius * math.sin(turn) + far * math.sin(angle)
        points.append([round(x, 3), round(y, 3)])
    return points


def _middles(points: list[list[float]], boxes: Sequence[Box]) -> dict[int, tuple[float, float]]:
    members: dict[int, list[list[float]]] = {}
    for point, box in zip(points, boxes, strict=True):
        members.setdefault(box.group, []).append(point)
    return {
        group: (sum(x for x, _ in inside) / len(inside), sum(y for _, y in inside) / len(inside))
        for group, inside in members.items()
    }


def _pairs(count: int) -> Iterator[tuple[int, int]]:
    return ((one, other) for one in range(count) for other in range(one + 1, count))


def _push(moves: list[list[float]], one: int, other: int, x: float, y: float) -> None:
    moves[one][0] += x
    moves[one][1] += y
    moves[other][0] -= x
    moves[other][1] -= y


def _fitted(points: list[list[float]], boxes: Sequence[Box], width: float, height: float) -> list[list[float]]:
    """The points stretched to the drawing, each box inside of it."""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)

    def spread(value: float, low: float, high: float, room: float, size: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return size / 2 + GAP / 2 + share * max(room - size - GAP, 0)

    return [
        [spread(x, left, right, width, box.width), spread(y, top, bottom, height, box.height)]
        for (x, y), box in zip(points, boxes, strict=True)
    ]


def _part(points: list[list[float]], boxes: Sequence[Box], width: float) -> None:
    """Move boxes that overlap apart, the shorter way; what cannot go sideways any more goes up or down."""
    for step in range(400):
        clear = True
        for one, other in _pairs(len(points)):
            a, b, p, q = boxes[one], boxes[other], points[one], points[other]
            dx, dy = q[0] - p[0], q[1] - p[1]
            over_x = (a.width + b.width) / 2 + GAP - abs(dx)
            over_y = (a.height + b.height) / 2 + GAP - abs(dy)
            if over_x <= 0.01 or over_y <= 0.01:
                continue
            clear = False
            axis, over, delta = (0, over_x, dx) if over_x < over_y and step < 60 else (1, over_y, dy)
            half = over / 2 if delta >= 0 else -over / 2
            p[axis] -= half
            q[axis] += half
        for point, box in zip(points, boxes, strict=True):
            side = min(box.width / 2 + GAP / 2, width / 2)
            point[0] = min(max(point[0], side), width - side)
        if clear:
            return
