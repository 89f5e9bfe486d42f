"""Maps as graphs: the layout of boxes in columns with lines that avoid them, and their SVG."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from markupsafe import Markup

from paper_notes.render.signs import colour_of
from paper_notes.values import Struct

WIDTH = 1000
BOX, GAP = 44, 20
"""The height of a box, and of the gap below it."""
ROW = BOX + GAP
HEAD = 8
"""The length of an arrowhead."""
_MARGIN = 54
"""Margin beside an outer column that has lines within it."""
_GUTTER = {2: 260, 3: 82, 4: 68}
"""Least space between columns, by their number."""
_WIDEST = 300
_PORTS, _LANES = 8, 4
"""Distance between two lines at the side of a box, and in the gap between two rows; less if there are many."""
_KEEP = 12
"""Least distance of curves beside a column from the next column."""

Point = tuple[float, float]
Curve = tuple[Point, Point, Point, Point]
"""A cubic Bézier curve: start, two control points, end."""
_Pair = tuple[int, int]


class End(Struct, frozen=True):
    """An end of a line at a box: at `x`, `y`, on its left (`side` -1) or right (1); `pointed` with an arrowhead."""

    x: float
    y: float
    side: int
    pointed: bool


class DrawnLine(Struct, frozen=True):
    """A line from the box `start` to the box `end`, or both ways if both ends are pointed."""

    start: int
    end: int
    curves: tuple[Curve, ...]
    """From arrowhead to arrowhead."""
    ends: tuple[End, End]


class Layout(Struct, frozen=True):
    """Positions of columns and lines. A box is as wide as its column."""

    columns: tuple[tuple[float, float], ...]
    """Left and right edge of each column."""
    height: float
    lines: tuple[DrawnLine, ...]


class _Place(Struct, frozen=True):
    column: int
    row: int

    @property
    def y(self) -> float:
        return self.row * ROW + BOX / 2


class _Route(Struct, frozen=True):
    """A line before its exact position is known: its `left` and `right` box, and a gap at each column between.

    Within a column `left` is the upper box, and there are no gaps.
    """

    left: int
    right: int
    gaps: tuple[int, ...]


def arrange(columns: Sequence[Sequence[int | None]], edges: Sequence[_Pair]) -> Layout:
    """Lay out columns of boxes, given by number (None for a heading), and lines for the edges."""
    where = {box: _Place(x, y) for x, rows in enumerate(columns) for y, box in enumerate(rows) if box is not None}
    height = max(map(len, columns), default=0)
    directed = dict.fromkeys(edges)
    pairs = [(a, b) for a, b in directed if a != b and not ((b, a) in directed and b < a)]
    inner = {where[a].column for a, b in pairs if where[a].column == where[b].column}
    sides = _sides(len(columns), inner, Counter(_crossed(where, pairs)))
    sized = _sized(len(columns), left=sides.get(0) == -1, right=sides.get(len(columns) - 1) == 1)
    routes = _routes(where, pairs, height)
    lanes, ports = _lanes(where, routes), _ports(where, routes, sides)
    lines = []
    for (start, end), route in zip(pairs, routes, strict=True):
        left_column, other = where[route.left].column, where[route.right].column
        side = sides[left_column] if left_column == other else 1
        meets = ((route.left, left_column, side), (route.right, other, side if left_column == other else -1))
        first, last = (
            End(sized[column][side == 1], ports[route, box], side, box == end or (end, start) in directed)
            for box, column, side in meets
        )
        if left_column == other:
            rows = where[route.right].row - where[route.left].row
            curves: tuple[Curve, ...] = (_arc(first, last, _reach(left_column, side, sized, rows)),)
        else:
            between = [(x, lanes[route, column]) for column in range(left_column + 1, other) for x in sized[column]]
            curves = _across([_tail(first), *between, _tail(last)])
        lines.append(DrawnLine(start, end, curves, (first, last)))
    return Layout(sized, height * ROW, tuple(lines))


def _crossed(where: Mapping[int, _Place], pairs: Sequence[_Pair]) -> list[int]:
    """The spaces between columns that each line crosses: 0 is the one after the first column."""
    ends = [sorted((where[a].column, where[b].column)) for a, b in pairs]
    return [space for first, last in ends for space in range(first, last)]


def _sides(count: int, inner: Iterable[int], crossed: Mapping[int, int]) -> dict[int, int]:
    """The side of lines within a column, -1 left or 1 right: the outer one, or that with fewer other lines."""
    return {
        column: -1 if column == 0 < count - 1 or (column < count - 1 and crossed[column - 1] < crossed[column]) else 1
        for column in inner
    }


def _sized(count: int, *, left: bool, right: bool) -> tuple[tuple[float, float], ...]:
    """Left and right edge of each column."""
    room = WIDTH - _MARGIN * (left + right)
    gutter: float = _GUTTER.get(count, 60)
    width = min((room - (count - 1) * gutter) / count, _WIDEST) if count else 0
    if count > 1:
        gutter = (room - count * width) / (count - 1)
    start = _MARGIN if left else 0
    return tuple(
        (round(start + index * (width + gutter), 2), round(start + index * (width + gutter) + width, 2))
        for index in range(count)
    )


def _routes(where: Mapping[int, _Place], pairs: Sequence[_Pair], rows: int) -> list[_Route]:
    """Choose the gap nearest to the straight line at each column between; a crowded gap costs more."""
    taken: Counter[_Pair] = Counter()
    routes = []
    for pair in pairs:
        left, right = sorted(pair, key=lambda box: (where[box].column, where[box].row))
        start, other = where[left], where[right]
        gaps = []
        for column in range(start.column + 1, other.column):
            wanted = start.y + (other.y - start.y) * (column - start.column) / (other.column - start.column)
            costs = {gap: abs(_gap(gap) - wanted) + 12 * taken[column, gap] for gap in range(rows + 1)}
            gaps.append(min(costs, key=lambda gap: (costs[gap], gap)))
            taken[column, gaps[-1]] += 1
        routes.append(_Route(left, right, tuple(gaps)))
    return routes


def _gap(number: int) -> float:
    """The middle of the gap above the row of this number."""
    return number * ROW - GAP / 2


def _lanes(where: Mapping[int, _Place], routes: Sequence[_Route]) -> Mapping[tuple[_Route, int], float]:
    """The y of each route at each column that it passes; routes in the same gap are spread."""
    bundles: defaultdict[_Pair, list[_Route]] = defaultdict(list)
    for route in routes:
        for index, gap in enumerate(route.gaps):
            bundles[where[route.left].column + 1 + index, gap].append(route)
    lanes = {}
    for (column, gap), together in bundles.items():
        together.sort(key=lambda route: where[route.left].y + where[route.right].y)
        step = min(_LANES, (GAP - 8) / max(len(together) - 1, 1))
        for index, route in enumerate(together):
            lanes[route, column] = _gap(gap) + (index - (len(together) - 1) / 2) * step
    return lanes


def _ports(
    where: Mapping[int, _Place], routes: Sequence[_Route], sides: Mapping[int, int]
) -> Mapping[tuple[_Route, int], float]:
    """The y of each route at each of its two boxes, in the order with the fewest crossings."""
    arrivals: defaultdict[_Pair, list[tuple[tuple[int, float], _Route]]] = defaultdict(list)
    for route in routes:
        left, right = where[route.left], where[route.right]
        if left.column == right.column:
            side = sides[left.column]
            arrivals[route.left, side].append(((2, left.row - right.row), route))
            arrivals[route.right, side].append(((0, right.row - left.row), route))
        else:
            after, before = (_gap(route.gaps[0]), _gap(route.gaps[-1])) if route.gaps else (right.y, left.y)
            arrivals[route.left, 1].append(((1, after), route))
            arrivals[route.right, -1].append(((1, before), route))
    ports = {}
    for (box, _), ends in arrivals.items():
        ends.sort(key=lambda end: end[0])
        step = min(_PORTS, (BOX - 12) / max(len(ends) - 1, 1))
        for index, (_, route) in enumerate(ends):
            ports[route, box] = where[box].y + (index - (len(ends) - 1) / 2) * step
    return ports


def _tail(end: End) -> Point:
    return end.x + end.side * HEAD * end.pointed, end.y


def _reach(column: int, side: int, sized: Sequence[Point], rows: int) -> float:
    """The x that an arc over so many rows reaches, which is before the next column."""
    edge = sized[column][side == 1]
    beyond = column + side
    room = abs(sized[beyond][side == -1] - edge) if 0 <= beyond < len(sized) else _MARGIN
    deep = HEAD + (min(room, 110) - _KEEP - HEAD) * min(0.3 + 0.14 * (rows - 1), 1)
    return edge + side * deep


def _arc(first: End, last: End, reach: float) -> Curve:
    """A curve up to `reach`: it goes three quarters of the way to its control points, so they are farther out."""
    (x, top), (to_x, bottom) = _tail(first), _tail(last)
    out = max(abs(x - first.x), abs(to_x - last.x))
    towards = first.x + first.side * (out + (abs(reach - first.x) - out) / 0.75)
    return (x, top), (towards, top), (towards, bottom), (to_x, bottom)


def _across(points: Sequence[Point]) -> tuple[Curve, ...]:
    """Curves from column to column, and straight lines through gaps."""
    curves = []
    for (x, y), (to_x, to_y) in itertools.pairwise(points):
        middle = (x + to_x) / 2
        curves.append(((x, y), (middle, y), (middle, to_y), (to_x, to_y)))
    return tuple(curves)


HUES = ("blue", "orange", "green", "purple", "teal", "red", "yellow")
"""Colours. They are never used without a name beside them."""


def hues(signs: Sequence[str]) -> tuple[int, ...]:
    """For each topic the colour of its sign. Those whose sign has none of `HUES` take the others by turns."""
    names = [colour_of(sign) for sign in signs]
    free = itertools.cycle([hue for hue, name in enumerate(HUES) if name not in names] or range(len(HUES)))
    return tuple(HUES.index(name) if name in HUES else next(free) for name in names)


def drawn(layout: Layout, hues: Sequence[int], widths: Mapping[tuple[int, int], int] = MappingProxyType({})) -> Markup:
    """The lines as SVG, each in the hue of the box where it starts. Its classes `t0 t1` name the boxes at its ends.

    `widths` are levels of lines, by their boxes: the class of level 3 is `w3`.
    """
    template = Markup(
        '<g class="line h{} t{} t{}{}"><path vector-effect="non-scaling-stroke" d="{}"/><path class="tip" d="{}"/></g>'
    )
    lines = (
        template.format(
            hues[line.start],
            line.start,
            line.end,
            f" w{level}" if (level := widths.get((line.start, line.end))) else "",
            _path(line.curves),
            "".join(_head(end) for end in line.ends if end.pointed),
        )
        for line in layout.lines
    )
    frame = Markup('<svg viewBox="0 0 {} {:g}" preserveAspectRatio="none" aria-hidden="true">{}</svg>')
    return frame.format(WIDTH, layout.height, Markup("").join(lines))


def highlights(boxes: int) -> Markup:
    """Styles for a drawing of so many boxes: what touches the box under the pointer does not fade like all else."""
    at = (f".graph:has(.n{box}:is(:hover,:focus-visible)) .t{box}" for box in range(boxes))
    return Markup(",".join(at) + "{opacity:1;--e:var(--acc)}")


def _path(curves: Sequence[Curve]) -> str:
    (x, y), *_ = curves[0]
    path = f"M{_number(x)} {_number(y)}"
    for (_, y), first, second, (to_x, to_y) in curves:
        points = " ".join(f"{_number(x)} {_number(y)}" for x, y in (first, second, (to_x, to_y)))
        path += f"H{_number(to_x)}" if y == to_y else f"C{points}"
    return path


def _head(end: End) -> str:
    tip, neck = end.x + end.side, end.x + end.side * HEAD
    return f"M{_number(tip)} {_number(end.y)}L{_number(neck)} {_number(end.y - 4)}v8z"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
