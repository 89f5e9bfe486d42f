"""Elements of drawings as figures have them: HTML within becomes text, what no figure may have is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from paper_notes.features.importing.html.drawings import Drawn
from paper_notes.features.importing.html.drawn_attributes import TEXTS, attributes_of
from paper_notes.features.importing.html.preparing import Report
from paper_notes.features.importing.html.styles import Sheet
from paper_notes.markdown.figures.svg import ELEMENTS, PRESENTATION

_DROPPED = frozenset("style script metadata title desc image link meta iframe video audio".split())
_MISSED = frozenset("image script iframe video audio".split())
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
_LEAST = 8
"""The smallest letters for HTML that has to fit into its frame."""
_NUMBER = re.compile(r"-?\d*\.?\d+")


class Maker:
    """Makes the elements of one figure; `place` is where its drawing begins."""

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

    def element(self, drawn: Drawn, parent: Drawn) -> Drawn | None:
        if drawn.name in _DROPPED:
            if drawn.name in _MISSED:
                self.tell("dropped-in-svg", f"<{drawn.name}> in a drawing is left out")
            return None
        attributes = attributes_of(drawn, self.sheet)
        if drawn.name == "foreignobject":
            return self.foreign(drawn, attributes)
        if drawn.name == "svg" and parent.name:
            return self.nested(drawn, attributes)
        name = self.name(drawn, in_text=parent.name in TEXTS)
        if drawn.name not in ELEMENTS:
            attributes = {key: value for key, value in attributes.items() if key in PRESENTATION}
            attributes |= _TSPANS.get(drawn.name, {})
            if name == "text":
                attributes |= {"x": self.last[0], "y": self.last[1]}
        if name == "text":
            self.last = attributes.get("x", self.last[0]), attributes.get("y", self.last[1])
        target = Drawn(name, self.root(attributes) if name == "svg" else attributes)
        self.fill(target, drawn.children)
        return None if name in TEXTS and not target.children else target

    def name(self, drawn: Drawn, *, in_text: bool) -> str:
        """The element of figures for an element of a drawing."""
        if drawn.name == "a":
            address = drawn.attributes.get("href") or drawn.attributes.get("xlink:href", "")
            self.tell("dropped-in-svg", f'the link in a drawing to "{address}" is left out')
            return "tspan" if in_text else "g"
        if drawn.name not in ELEMENTS:
            self.tell("html-in-svg", f"<{drawn.name}> in a drawing becomes a part of its text")
            return "tspan" if in_text else "text"
        if drawn.name in ("text", "tspan"):
            return "tspan" if in_text else "text"
        return drawn.name

    def fill(self, target: Drawn, children: Iterable[Drawn | str]) -> None:
        """Add what is inside of an element: words only where texts are, line ends as lines."""
        line: Drawn | None = None
        for child in children:
            if isinstance(child, str):
                self.words(target, line or target, child)
            elif child.name == "br":
                self.tell("html-in-svg", "<br> in a drawing begins a line")
                if target.name in TEXTS:
                    line = Drawn("tspan", {"x": target.attributes.get("x", self.last[0]), "dy": "1.25em"})
                    target.children.append(line)
            elif (inside := self.element(child, line or target)) is not None:
                (line or target).children.append(inside)

    def words(self, target: Drawn, line: Drawn, words: str) -> None:
        """Add words to the line of a text, or as a text of their own."""
        if target.name in TEXTS:
            line.children.append(words)
        elif words.strip():
            self.tell("html-in-svg", f'the words "{words.strip()[:40]}" outside of <text>')
            below = {"x": self.last[0], "y": _plus(self.last[1], 16)}
            target.children.append(Drawn("text", below, [words.strip()]))
        elif target.name in ("svg", "g", "defs"):
            target.children.append(words)

    def nested(self, drawn: Drawn, attributes: dict[str, str]) -> Drawn:
        """A drawing within a drawing: figures have groups for that."""
        x, y = attributes.get("x", "0"), attributes.get("y", "0")
        shown = {key: value for key, value in attributes.items() if key in PRESENTATION}
        if any(_NUMBER.fullmatch(side) and float(side) for side in (x, y)):
            shown["transform"] = f"translate({x} {y})"
        target = Drawn("g", shown)
        self.fill(target, drawn.children)
        return target

    def foreign(self, drawn: Drawn, attributes: dict[str, str]) -> Drawn | None:
        """HTML inside of a drawing as lines of text."""
        self.tell("html-in-svg", "<foreignObject> in a drawing becomes text")
        x, y = attributes.get("x", "0"), attributes.get("y", "0")
        lines = [line for part in _lines(drawn) if (line := " ".join(part.split()))]
        if not lines:
            return None
        width, height = (_length(attributes.get(side, "")) or 300.0 for side in ("width", "height"))
        size = 13
        while (rows := [row for line in lines for row in _wrapped(line, width / size)]) and size > _LEAST:
            if len(rows) * 1.3 * size <= height:
                break
            size -= 1
        spans: list[Drawn | str] = [
            Drawn("tspan", {"x": x, "y": _plus(y, round(size * (1.1 + 1.3 * number), 1))}, [f"{row} "])
            for number, row in enumerate(rows)
        ]
        return Drawn("text", {"font-size": str(size), "fill": "currentColor"}, spans)

    def root(self, attributes: dict[str, str]) -> dict[str, str]:
        kept = {key: value for key, value in attributes.items() if key in PRESENTATION or key == "preserveAspectRatio"}
        for side in ("overflow", "display", "visibility"):
            kept.pop(side, None)
        return {"xmlns": "http://www.w3.org/2000/svg", "viewBox": self.box, "fill": "currentColor"} | kept


def _lines(drawn: Drawn) -> Iterable[str]:
    line = ""
    for child in drawn.children:
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


def _length(written: str) -> float:
    return float(written) if _NUMBER.fullmatch(written) else 0.0


def _plus(number: str, more: float) -> str:
    digits = _NUMBER.match(number)
    return f"{float(digits[0]) + more:g}" if digits else number
