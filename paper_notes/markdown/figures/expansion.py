"""How many elements a drawing has with every reference followed: ten lines of `<use>` can make a billion of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

Position = tuple[int, int]

_URL = re.compile(r"url\(#([^)]+)\)")
_REPEATING = frozenset({"use", "pattern"})
"""Elements whose `href` draws another one again. Those of animations and of text on a path do not."""
_INHERITED = frozenset({"fill", "stroke"})
_MARKERS = frozenset({"marker-start", "marker-mid", "marker-end"})
_HUGE = 10**9
"""Counts are capped at this number."""


class Cycle(Exception):
    """An element refers to itself, perhaps by way of others."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self.position = position


@dataclass(slots=True)
class _Element:
    name: str
    position: Position
    points: int
    """Number of points of its line, each of which may have a marker."""
    parts: list[int] = field(default_factory=list)
    drawn: tuple[str, ...] = ()
    """Ids of elements drawn for it besides its parts: the target of `<use>`, masks, clip paths, filters."""
    painted: tuple[str, ...] = ()
    """Ids of patterns and gradients that each shape in it may be painted with."""
    marked: tuple[str, ...] = ()
    """Ids of markers that each point of each line in it may have."""


class Expansion:
    """Counts the elements of a drawing, which are added in document order."""

    def __init__(self) -> None:
        self._elements: list[_Element] = []
        self._open: list[int] = []
        self._places: dict[str, int] = {}

    def start(self, name: str, attributes: dict[str, str], position: Position) -> None:
        """Add an element inside of those that did not end."""
        place = len(self._elements)
        points = sum(_points(attributes[key]) for key in ("d", "points") if key in attributes)
        element = _Element(name, position, points or 2 * (name == "line"))
        for key, value in attributes.items():
            targets = tuple(_URL.findall(value)) if "url(" in value else ()
            if key in _MARKERS:
                element.marked += targets
            elif key in _INHERITED:
                element.painted += targets
            elif key == "href" and name in _REPEATING:
                element.drawn += (value.removeprefix("#"),)
            else:
                element.drawn += targets
        if "id" in attributes:
            self._places.setdefault(attributes["id"], place)
        if self._open:
            self._elements[self._open[-1]].parts.append(place)
        self._elements.append(element)
        self._open.append(place)

    def end(self) -> None:
        """End the element that started last."""
        self._open.pop()

    def total(self) -> tuple[int, Position]:
        """How many elements are drawn, and where the reference that draws most of them is. Raises Cycle."""
        counts: dict[int, tuple[int, int]] = {}
        underway: set[int] = set()
        waiting = [0] if self._elements else []
        while waiting:
            place = waiting[-1]
            if place in counts:
                waiting.pop()
                continue
            needed = [other for other in self._needs(place) if other not in counts]
            if needed and place not in underway:
                underway.add(place)
                waiting += needed
            elif needed:
                referring = next(other for other in reversed(waiting[:-1]) if other in underway)
                raise Cycle(self._elements[referring].position)
            else:
                counts[place] = self._count(place, counts)
                underway.discard(place)
                waiting.pop()
        repeating = [place for place in counts if len(self._elements[place].parts) < len(self._needs(place))]
        most = max(repeating, key=lambda place: (counts[place][0], place), default=0)
        return (counts[0][0], self._elements[most].position) if counts else (0, (1, 1))

    def _needs(self, place: int) -> list[int]:
        element = self._elements[place]
        return [*element.parts, *self._targets(element.drawn + element.painted + element.marked)]

    def _targets(self, names: tuple[str, ...]) -> list[int]:
        """The elements of these ids; a gradient paints without drawing anything."""
        found = (self._places[name] for name in names if name in self._places)
        return [place for place in found if not self._elements[place].name.endswith("Gradient")]

    def _count(self, place: int, counts: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """Number of elements and of points of lines that an element draws."""
        element = self._elements[place]
        inside = [counts[other] for other in (*element.parts, *self._targets(element.drawn))]
        elements, points = 1 + sum(count[0] for count in inside), element.points + sum(count[1] for count in inside)
        for target in self._targets(element.painted):
            elements *= 1 + counts[target][0]
        elements += points * sum(counts[target][0] for target in self._targets(element.marked))
        return min(elements, _HUGE), min(points, _HUGE)


def _points(line: str) -> int:
    """An upper estimate of the points of a line."""
    return sum(map(line.count, " ,-\nMmLlHhVvCcSsQqTtAaZz")) // 2 + 1
