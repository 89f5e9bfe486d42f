"""A drawing from a page as a figure of ours: well-formed, in our colours, and only with what figures may have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import escape

from paper_notes.corpus.model import Lang
from paper_notes.features.importing.html.drawings import Drawn
from paper_notes.features.importing.html.drawn_attributes import LOCAL
from paper_notes.features.importing.html.drawn_elements import Maker
from paper_notes.features.importing.html.preparing import Report
from paper_notes.features.importing.html.styles import Sheet, declarations
from paper_notes.markdown.figures.svg import inline_svg
from paper_notes.sources.characters import UNUSABLE

_NUMBER = re.compile(r"-?\d*\.?\d+")


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing as a file of the note."""

    source: str
    words: str
    """Its text, in order."""
    label: str = ""
    """What its author says of it, in `<title>`, `<desc>` or `aria-label`."""


def mended(
    root: Drawn, sheet: Sheet, shared: Mapping[str, Drawn], report: Report, place: tuple[int, int]
) -> Figure | None:
    """The figure; None if it draws nothing, or is still none after all was put right."""
    label = _label(root)
    maker = Maker(sheet, report, place)
    maker.box = _box(root)
    body = maker.element(root, Drawn("", {}))
    if body is None or not any(element.name not in ("svg", "defs", "g") for element in _outside_defs(body)):
        return None
    _complete(body, shared, maker)
    source = _written(body) + "\n"
    return Figure(source, "\n".join(_texts(body)), label) if is_drawing(source) else None


def is_drawing(source: str) -> bool:
    """Whether our pages can show a drawing as it is."""
    problems: list[str] = []
    inline_svg(
        source, lang=Lang("en"), prefix="x", label="x", report=lambda *it: problems.append(it[2]), counters=Counter()
    )
    return not problems


def texts(root: Drawn) -> str:
    """The words of a drawing that cannot be one of ours, a line for each text."""
    return "\n".join(_texts(root)) or " ".join(root.words().split())


def _texts(root: Drawn) -> Iterable[str]:
    for element in root.elements():
        if element.name == "text" and (words := " ".join(element.words().split())):
            yield words


def _label(root: Drawn) -> str:
    said = [root.attributes.get("aria-label", "")]
    said += [
        " ".join(element.words().split())
        for element in root.children
        if isinstance(element, Drawn) and element.name in ("title", "desc")
    ]
    return next(filter(None, said), "")


def _outside_defs(body: Drawn) -> Iterable[Drawn]:
    yield body
    for child in body.children:
        if isinstance(child, Drawn) and child.name not in ("defs", "marker", "symbol", "clipPath", "mask", "pattern"):
            yield from _outside_defs(child)


def named(root: Drawn) -> dict[str, Drawn]:
    """The elements of a drawing by their ids."""
    return {element.attributes["id"]: element for element in root.elements() if element.attributes.get("id")}


def _complete(body: Drawn, shared: Mapping[str, Drawn], maker: Maker) -> None:
    """Bring along what the drawing uses of other drawings of its page, such as arrowheads."""
    own = named(body)
    lacking = _used(body) - own.keys()
    brought: list[Drawn | str] = []
    while lacking:
        name = min(lacking)
        lacking.discard(name)
        if name in shared and name not in own and (copy := maker.element(shared[name], Drawn(""))):
            own[name] = copy
            brought.append(copy)
            lacking |= _used(copy) - own.keys()
    if brought:
        body.children.insert(0, Drawn("defs", {}, brought))
    for element in body.elements():
        for key, value in list(element.attributes.items()):
            if any(name not in own for name in LOCAL.findall(value)):
                del element.attributes[key]


def _used(body: Drawn) -> set[str]:
    used = set()
    for element in body.elements():
        for key, value in element.attributes.items():
            used.update(LOCAL.findall(value))
            if key == "href" and value.startswith("#"):
                used.add(value[1:])
    return used


def _box(root: Drawn) -> str:
    """The `viewBox`: its own, or that of its width and height, or what its elements take."""
    own = root.attributes.get("viewBox", "")
    if len(numbers := _NUMBER.findall(own)) == 4:
        return " ".join(numbers)
    style = declarations(root.attributes.get("style", ""))
    sides = [
        re.fullmatch(r"\s*([\d.]+)(?:px)?\s*", root.attributes.get(side) or style.get(side, ""))
        for side in ("width", "height")
    ]
    wide, high = _extent(root)
    width = float(sides[0][1]) if sides[0] else wide
    height = float(sides[1][1]) if sides[1] else high
    return f"0 0 {width:g} {height:g}"


def _extent(root: Drawn) -> tuple[float, float]:
    wide = high = 0.0

    def number(element: Drawn, name: str) -> float:
        written = _NUMBER.match(element.attributes.get(name, "").strip())
        return float(written[0]) if written else 0.0

    for element in root.elements():
        wide = max(
            wide,
            number(element, "x") + number(element, "width"),
            number(element, "x2"),
            number(element, "cx") + max(number(element, "r"), number(element, "rx")),
        )
        high = max(
            high,
            number(element, "y") + number(element, "height"),
            number(element, "y2"),
            number(element, "cy") + max(number(element, "r"), number(element, "ry")),
        )
        if element.name == "text":
            wide = max(wide, number(element, "x") + 8 * len(element.words().strip()))
        points = [float(point) for point in _NUMBER.findall(element.attributes.get("points", ""))]
        wide, high = max([wide, *points[::2]]), max([high, *points[1::2]])
    return (wide + 10 if wide else 300.0), (high + 10 if high else 150.0)


def _written(element: Drawn) -> str:
    attributes = "".join(f' {key}="{_escaped(value)}"' for key, value in element.attributes.items())
    inside = "".join(_escaped(child) if isinstance(child, str) else _written(child) for child in element.children)
    return f"<{element.name}{attributes}>{inside}</{element.name}>" if inside else f"<{element.name}{attributes}/>"


def _escaped(text: str) -> str:
    return str(escape(UNUSABLE.sub("", text)))
