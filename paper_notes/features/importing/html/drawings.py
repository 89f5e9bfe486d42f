"""A drawing as its author meant it: SVG in HTML forgives much that SVG in a file does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from paper_notes.features.importing.html.elements import KNOWN
from paper_notes.features.importing.html.preparing import CutDrawing, Report
from paper_notes.markdown.figures.svg import ATTRIBUTES, ELEMENTS

NAMES = {name.lower(): name for name in ELEMENTS}
ATTRIBUTE_NAMES = {name.lower(): name for name in ATTRIBUTES}
_SIGN = "\ufdda"
_OTHER_DRAWN = frozenset("style script metadata foreignobject a image".split())
_PIECE = re.compile(
    r"""<!\[CDATA\[(?P<cdata>.*?)\]\]>|(?P<unseen><!--.*?-->|<[?!][^>]*>?)
    |</?(?P<name>[A-Za-z][\w:-]*)
     (?:\s+[A-Za-z_:@][\w:.@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?|\s*/(?!>)|["'])*\s*/?>
    |<""",
    re.DOTALL | re.VERBOSE,
)
_SHAPES = frozenset("path rect circle ellipse line polyline polygon use image stop".split())
"""Elements that hold nothing but animations and titles."""
_IN_SHAPES = frozenset("animate animateTransform animateMotion mpath set title desc".split())
_TEXTS = frozenset({"text", "tspan", "textPath"})
MAX_DEPTH = 60
"""Elements that are deeper are beside each other."""


@dataclass(slots=True)
class Drawn:
    """An element of a drawing; its name and attributes are written as SVG writes them."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Drawn | str] = field(default_factory=list)

    def elements(self) -> Iterator[Drawn]:
        yield self
        for child in self.children:
            if isinstance(child, Drawn):
                yield from child.elements()

    def words(self) -> str:
        """All text in it, as it is."""
        return "".join(child if isinstance(child, str) else child.words() for child in self.children)


def parse_drawing(cut: CutDrawing, report: Report) -> Drawn:
    """The elements of a drawing; mistakes are put right and reported, each kind once."""
    builder = _Builder(cut, report)
    builder.feed(_PIECE.sub(_with_sign, cut.source))
    builder.close()
    if not cut.closed:
        builder.tell("ill-formed-svg", "the drawing is not closed")
    return builder.root


def _with_sign(piece: re.Match[str]) -> str:
    """A piece of a drawing, where a `<` that begins no tag is a sign."""
    if piece["cdata"] is not None:
        return piece["cdata"].replace("<", _SIGN).replace("&", "&amp;")
    name = (piece["name"] or "").lower().rpartition(":")[2]
    is_tag = name in NAMES or name in KNOWN or name in _OTHER_DRAWN
    return "" if piece["unseen"] else piece[0] if is_tag else piece[0].replace("<", _SIGN)


class _Builder(HTMLParser):
    def __init__(self, cut: CutDrawing, report: Report) -> None:
        super().__init__(convert_charrefs=True)
        self.cut, self.report = cut, report
        self.root = Drawn("svg")
        self.stack = [self.root]
        self.started = False
        self.said: set[str] = set()

    def tell(self, kind: str, message: str) -> None:
        if message in self.said:
            return
        self.said.add(message)
        line, column = self.getpos()
        column += self.cut.column if line == 1 else 1
        self.report(kind, message, self.cut.line + line - 1, column)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open(tag, attrs, closed=False)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open(tag, attrs, closed=True)

    def open(self, tag: str, attrs: list[tuple[str, str | None]], *, closed: bool) -> None:
        space, _, bare = tag.rpartition(":")
        name = NAMES.get(bare, bare)
        attributes: dict[str, str] = {}
        for key, value in attrs:
            key = ATTRIBUTE_NAMES.get(key, key)
            if key in attributes:
                self.tell("ill-formed-svg", f'<{name}> has the attribute "{key}" twice')
            attributes.setdefault(key, (value or "").replace(_SIGN, "<"))
        if name == "svg" and not self.started:
            self.started = True
            self.root.attributes = attributes
            return
        self.make_room(name)
        self.end_definitions(name, is_named="id" in attributes)
        if space and space != "svg":
            name = "metadata"
        element = Drawn(name, attributes)
        self.stack[-1].children.append(element)
        if not closed and name not in ("br", "img", "hr", "wbr", "input") and len(self.stack) < MAX_DEPTH:
            self.stack.append(element)

    def make_room(self, name: str) -> None:
        """End shapes that nobody ended, and texts before what no text holds."""
        while self.stack[-1].name in _SHAPES and name not in _IN_SHAPES:
            self.stack.pop()
        drawn = name in NAMES.values() and name not in (
            "tspan",
            "textPath",
            "title",
            "desc",
            "animate",
            "set",
            "use",
            "switch",
        )
        if drawn and any(element.name in ("text", "foreignobject") for element in self.stack):
            first = next(place for place, element in enumerate(self.stack) if element.name in ("text", "foreignobject"))
            if self.stack[first].name == "text":
                self.tell("ill-formed-svg", f"a <text> is not closed before <{name}>")
                del self.stack[first:]

    def end_definitions(self, name: str, *, is_named: bool) -> None:
        """End `<defs>` and `<marker>` before what is drawn: nothing could refer to it there."""
        markers = [place for place, element in enumerate(self.stack) if element.name == "marker"]
        if markers and name in ("text", "marker"):
            self.tell("ill-formed-svg", "<marker> is not closed")
            del self.stack[markers[0] :]
        if self.stack[-1].name == "defs" and not is_named and name in (*_SHAPES, "text", "g"):
            self.tell("ill-formed-svg", "<defs> is not closed")
            self.stack.pop()

    def handle_endtag(self, tag: str) -> None:
        bare = tag.rpartition(":")[2]
        name = NAMES.get(bare, bare)
        for depth in range(len(self.stack) - 1, 0, -1):
            if self.stack[depth].name == name:
                if any(element.name not in _SHAPES for element in self.stack[depth + 1 :]):
                    self.tell("ill-formed-svg", f"<{self.stack[-1].name}> is not closed")
                del self.stack[depth:]
                return
        if name != "svg" and name not in _SHAPES:
            self.tell("ill-formed-svg", f"</{name}> ends nothing")

    def handle_data(self, data: str) -> None:
        while self.stack[-1].name in _SHAPES and data.strip():
            self.stack.pop()
        if "<" in (words := data.replace(_SIGN, "<")):
            self.tell("ill-formed-svg", "a bare < in a drawing becomes a sign")
        if self.started:
            self.stack[-1].children.append(words)
