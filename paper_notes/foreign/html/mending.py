"""A drawing from a page as a figure of ours: well-formed, in our colours, and only with what figures may have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import escape

from paper_notes.corpus.model import Lang
from paper_notes.foreign.html.drawings import ATTRIBUTE_NAMES, Drawn
from paper_notes.foreign.html.preparing import Report
from paper_notes.foreign.html.styles import Sheet, declarations
from paper_notes.markdown.figures.colours import LINE, MUTED, nearest, variable
from paper_notes.markdown.figures.svg import ATTRIBUTES, ELEMENTS, PRESENTATION, inline_svg
from paper_notes.sources.characters import UNUSABLE

_DROPPED = frozenset("style script metadata title desc image link meta iframe video audio".split())
_TSPANS: dict[str, dict[str, str]] = {
    "b": {"font-weight": "bold"},
    "strong": {"font-weight": "bold"},
    "i": {"font-style": "italic"},
    "em": {"font-style": "italic"},
    "sub": {"baseline-shift": "sub", "font-size": "70%"},
    "sup": {"baseline-shift": "super", "font-size": "70%"},
    "code": {"font-family": "monospace"},
    "kbd": {"font-family": "monospace"},
}
_PAINTS = ("fill", "stroke", "stop-color", "flood-color", "color")
_MONO = re.compile(r"mono|menlo|consolas|courier|code", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d*\.?\d+")
_TEXTS = frozenset({"text", "tspan", "textPath"})
_URL = re.compile(r"url\(\s*['\"]?#([^'\"()\s]+)['\"]?\s*\)")
_WHITE = re.compile(r"#fff(?:fff)?|white", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing as a file of the note."""

    source: str
    words: str
    """Its text, in order."""
    label: str = ""
    """What its author says of it, in `<title>`, `<desc>` or `aria-label`."""


def mended(root: Drawn, sheet: Sheet, shared: Mapping[str, Drawn], report: Report, place: tuple[int, int]) -> Figure | None:
    """The figure; None if it draws nothing, or is still none after all was put right."""
    label = _label(root)
    maker = _Maker(sheet, report, place)
    maker.box = _box(root)
    body = maker.element(root, Drawn("", {}))
    if body is None or not any(one.name not in ("svg", "defs", "g") for one in _outside_defs(body)):
        return None
    _complete(body, shared, maker)
    source = _written(body) + "\n"
    problems: list[str] = []
    inline_svg(source, lang=Lang("en"), prefix="x", label="x", report=lambda *it: problems.append(it[2]), counters=Counter())
    return None if problems else Figure(source, "\n".join(_texts(body)), label)


def texts(root: Drawn) -> str:
    """The words of a drawing that cannot be one of ours, a line for each text."""
    return "\n".join(_texts(root)) or " ".join(root.words().split())


def _texts(root: Drawn) -> Iterable[str]:
    for one in root.elements():
        if one.name == "text" and (words := " ".join(one.words().split())):
            yield words


def _label(root: Drawn) -> str:
    said = [root.attributes.get("aria-label", "")]
    said += [" ".join(one.words().split()) for one in root.children if isinstance(one, Drawn) and one.name in ("title", "desc")]
    return next(filter(None, said), "")


def _outside_defs(body: Drawn) -> Iterable[Drawn]:
    yield body
    for child in body.children:
        if isinstance(child, Drawn) and child.name not in ("defs", "marker", "symbol", "clipPath", "mask", "pattern"):
            yield from _outside_defs(child)


def named(root: Drawn) -> dict[str, Drawn]:
    """The elements of a drawing by their ids."""
    return {one.attributes["id"]: one for one in root.elements() if one.attributes.get("id")}


def _complete(body: Drawn, shared: Mapping[str, Drawn], maker: _Maker) -> None:
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
    for one in body.elements():
        for key, value in list(one.attributes.items()):
            if any(name not in own for name in _URL.findall(value)):
                del one.attributes[key]


def _used(body: Drawn) -> set[str]:
    used = set()
    for one in body.elements():
        for key, value in one.attributes.items():
            used.update(_URL.findall(value))
            if key == "href" and value.startswith("#"):
                used.add(value[1:])
    return used


def _box(root: Drawn) -> str:
    """The `viewBox`: its own, or that of its width and height, or what its elements take."""
    own = root.attributes.get("viewBox", "")
    if len(numbers := _NUMBER.findall(own)) == 4:
        return " ".join(numbers)
    style = declarations(root.attributes.get("style", ""))
    sides = [re.fullmatch(r"\s*([\d.]+)(?:px)?\s*", root.attributes.get(side) or style.get(side, "")) for side in ("width", "height")]
    wide, high = _extent(root)
    width = float(sides[0][1]) if sides[0] else wide
    height = float(sides[1][1]) if sides[1] else high
    return f"0 0 {width:g} {height:g}"


def _extent(root: Drawn) -> tuple[float, float]:
    wide = high = 0.0

    def number(one: Drawn, name: str) -> float:
        found = _NUMBER.match(one.attributes.get(name, "").strip())
        return float(found[0]) if found else 0.0

    for one in root.elements():
        wide = max(wide, number(one, "x") + number(one, "width"), number(one, "x2"), number(one, "cx") + max(number(one, "r"), number(one, "rx")))
        high = max(high, number(one, "y") + number(one, "height"), number(one, "y2"), number(one, "cy") + max(number(one, "r"), number(one, "ry")))
        if one.name == "text":
            wide = max(wide, number(one, "x") + 8 * len(one.words().strip()))
        points = [float(found) for found in _NUMBER.findall(one.attributes.get("points", ""))]
        wide, high = max([wide, *points[::2]]), max([high, *points[1::2]])
    return (wide + 10 if wide else 300.0), (high + 10 if high else 150.0)


class _Maker:
    def __init__(self, sheet: Sheet, report: Report, place: tuple[int, int]) -> None:
        self.sheet, self.report, self.place = sheet, report, place
        self.box = ""
        self.said: set[str] = set()
        self.last = ("0", "0")
        """Where the last text stands."""

    def tell(self, group_kind: str, message: str) -> None:
        if message not in self.said:
            self.said.add(message)
            self.report(group_kind, message, *self.place)

    def element(self, one: Drawn, parent: Drawn) -> Drawn | None:
        name = one.name
        if name in _DROPPED:
            if name in ("image", "script", "iframe", "video", "audio"):
                self.tell("dropped-in-svg", f"<{name}> in a drawing is left out")
            return None
        attributes = self.attributes(one)
        if name == "foreignobject":
            return self.foreign(one, attributes)
        in_text = parent.name in _TEXTS
        if name == "svg" and parent.name:
            return self.nested(one, attributes, parent)
        if name == "a":
            name = "tspan" if in_text else "g"
            self.tell("dropped-in-svg", f'the link in a drawing to "{one.attributes.get("href") or one.attributes.get("xlink:href", "")}"')
            attributes.pop("href", None)
        elif name not in ELEMENTS:
            self.tell("html-in-svg", f"<{name}> in a drawing")
            attributes = {key: value for key, value in attributes.items() if key in PRESENTATION} | _TSPANS.get(name, {})
            name = "tspan" if in_text else "text"
            if not in_text:
                attributes |= {"x": self.last[0], "y": self.last[1]}
        elif name == "text" and in_text:
            name = "tspan"
        elif name == "tspan" and not in_text:
            name = "text"
        if name == "text":
            self.last = attributes.get("x", self.last[0]), attributes.get("y", self.last[1])
        if name == "svg":
            attributes = self.root(attributes)
        made = Drawn(name, attributes)
        self.fill(made, one.children)
        if name in _TEXTS and not made.words().strip() and not made.children:
            return None
        return made

    def fill(self, made: Drawn, children: Iterable[Drawn | str]) -> None:
        """Add what is inside of an element: words only where texts are, line ends as lines."""
        line: Drawn | None = None
        for child in children:
            if isinstance(child, str):
                if made.name in _TEXTS:
                    (line or made).children.append(child)
                elif child.strip():
                    self.tell("html-in-svg", f'the words "{child.strip()[:40]}" outside of <text>')
                    made.children.append(Drawn("text", {"x": self.last[0], "y": _plus(self.last[1], 16)}, [child.strip()]))
                elif made.name in ("svg", "g", "defs"):
                    made.children.append(child)
            elif child.name == "br":
                self.tell("html-in-svg", "<br> in a drawing")
                if made.name in _TEXTS:
                    line = Drawn("tspan", {"x": made.attributes.get("x", self.last[0]), "dy": "1.25em"})
                    made.children.append(line)
            elif (inside := self.element(child, line or made)) is not None:
                (line or made).children.append(inside)

    def nested(self, one: Drawn, attributes: dict[str, str], parent: Drawn) -> Drawn:
        """A drawing within a drawing: figures have groups for that."""
        x, y = attributes.get("x", "0"), attributes.get("y", "0")
        shown = {key: value for key, value in attributes.items() if key in PRESENTATION}
        if any(_NUMBER.fullmatch(side) and float(side) for side in (x, y)):
            shown["transform"] = f"translate({x} {y})"
        made = Drawn("g", shown)
        self.fill(made, one.children)
        return made

    def foreign(self, one: Drawn, attributes: dict[str, str]) -> Drawn | None:
        """HTML inside of a drawing as lines of text."""
        self.tell("html-in-svg", "<foreignObject> in a drawing becomes text")
        x, y = attributes.get("x", "0"), attributes.get("y", "0")
        lines = [line for part in _lines(one) if (line := " ".join(part.split()))]
        if not lines:
            return None
        width = float(attributes["width"]) if _NUMBER.fullmatch(attributes.get("width", "")) else 300.0
        size = 13
        wrapped = [row for line in lines for row in _wrapped(line, width / size)]
        spans: list[Drawn | str] = [
            Drawn("tspan", {"x": x, "y": _plus(y, size * (1.1 + 1.3 * number))}, [row + " "]) for number, row in enumerate(wrapped)
        ]
        return Drawn("text", {"x": x, "y": y, "font-size": str(size), "fill": "currentColor"}, spans)

    def root(self, attributes: dict[str, str]) -> dict[str, str]:
        kept = {key: value for key, value in attributes.items() if key in PRESENTATION or key == "preserveAspectRatio"}
        for side in ("overflow", "display", "visibility"):
            kept.pop(side, None)
        return {"xmlns": "http://www.w3.org/2000/svg", "viewBox": self.box, "fill": "currentColor"} | kept

    def attributes(self, one: Drawn) -> dict[str, str]:
        """The attributes that figures may have, with what style sheets say, in our colours."""
        given = {key: value for key, value in one.attributes.items() if key not in ("style", "class")}
        given |= self.sheet.declared(one.name, one.attributes.get("class", "").split(), one.attributes.get("id", ""))
        given |= declarations(one.attributes.get("style", ""))
        kept: dict[str, str] = {}
        for written, value in given.items():
            name = ATTRIBUTE_NAMES.get(written.removeprefix("xlink:").lower(), written)
            value = self.sheet.resolved(value)  # noqa: PLW2901 -- without variables
            if name == "font-family":
                if _MONO.search(value):
                    kept[name] = "monospace"
            elif name == "font" and (size := re.search(r"([\d.]+)px", value)):
                kept["font-size"] = size[1]
                if re.search(r"\b(bold|[6-9]00)\b", value):
                    kept["font-weight"] = "bold"
                if _MONO.search(value):
                    kept["font-family"] = "monospace"
            elif name not in ATTRIBUTES or (name == "href" and not value.startswith("#")):
                continue
            elif name in _PAINTS:
                kept |= _painted(name, value, one.name)
            elif value and not re.search(r"\\|\b(?:src|image)\s*\(|url\((?!\s*['\"]?#)", value):
                kept[name] = value
        if one.name in ("svg",):
            kept.pop("id", None)
        for offset in ("width", "height", "x", "y", "r", "rx", "ry", "cx", "cy"):
            if kept.get(offset) in ("auto", "", "inherit"):
                del kept[offset]
        return kept


def _painted(name: str, value: str, element: str) -> dict[str, str]:
    if _URL.search(value) or value in ("none", "inherit", "currentColor", "context-stroke", "context-fill"):
        return {name: value}
    if value.lower() == "currentcolor":
        return {name: "currentColor"}
    text = element in _TEXTS
    made = {name: nearest(value, line=name == "stroke" or (text and not _WHITE.fullmatch(value.strip())))}
    if text and made[name] == variable(LINE):
        made[name] = variable(MUTED)  # grey words are to be read
    if alpha := re.fullmatch(r"(?:rgb|hsl)a?\([^()]*[,/]\s*(0?\.\d+|\d+%)\s*\)", value.strip()):
        if value.strip().startswith(("rgba", "hsla")) or "/" in value:
            made[f"{name}-opacity"] = alpha[1]
    return made if re.fullmatch(r"[-#\w(), .%]+", made[name]) else {}


def _lines(one: Drawn) -> Iterable[str]:
    line = ""
    for child in one.children:
        if isinstance(child, str):
            line += child
        elif child.name in ("b", "strong", "i", "em", "span", "code", "sub", "sup", "a", "small", "u"):
            line += child.words()
        else:
            yield line
            line = ""
            yield from _lines(child)
    yield line


def _wrapped(line: str, width: float) -> list[str]:
    """The line in rows of a width in em."""
    rows, row, used = [], "", 0.0
    for part in re.findall(r"[\u2e80-\uffff]|[^\s\u2e80-\uffff]+\s*|\s+", line):
        long = sum(1.0 if letter > "\u2e7f" else 0.55 for letter in part)
        if row and used + long > max(width, 4):
            rows.append(row.strip())
            row, used = "", 0.0
        row, used = row + part, used + long
    return [*rows, row.strip()]


def _plus(number: str, more: float) -> str:
    found = _NUMBER.match(number)
    return f"{float(found[0]) + more:g}" if found else number


def _written(one: Drawn) -> str:
    attributes = "".join(f' {key}="{_escaped(value)}"' for key, value in one.attributes.items())
    inside = "".join(_escaped(child) if isinstance(child, str) else _written(child) for child in one.children)
    return f"<{one.name}{attributes}>{inside}</{one.name}>" if inside else f"<{one.name}{attributes}/>"


def _escaped(text: str) -> str:
    return str(escape(UNUSABLE.sub("", text)))
