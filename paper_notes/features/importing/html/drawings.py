"""Drawings of pages as figures of ours: well-formed, in our colours, and only with what figures may have.

SVG in HTML forgives much that SVG in a file does not. `parse_drawing` reads what its author meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html.parser import HTMLParser
from xml.etree.ElementTree import Element, SubElement

from markupsafe import escape

from paper_notes.corpus.model import Lang
from paper_notes.features.diagrams.colours import LINE, MUTED, PALE, PAPER, SOFT, nearest, variable
from paper_notes.features.diagrams.svg import declarations, resolve
from paper_notes.features.importing.html.tree import KNOWN, MAX_DEPTH, OPENING, VOID, HtmlNode, Report
from paper_notes.markdown.figures.svg import ATTRIBUTES, ELEMENTS, PRESENTATION, inline_svg
from paper_notes.patterns import regex
from paper_notes.sources.characters import UNUSABLE, short_references
from paper_notes.values import Struct


class PageStyle(Struct, frozen=True):
    """What drawings share with their page."""

    css: str
    variables: Mapping[str, str]
    """Of light mode, which stands first."""
    named: Mapping[str, HtmlNode]
    """The elements of all its drawings by their ids."""


def page_style(css: str, drawings: Sequence[HtmlNode]) -> PageStyle:
    """What the drawings of a page share: its style sheets and their own, and what they define."""
    elements = [element for drawing in drawings for element in drawing.elements()]
    css = "\n".join([css, *(element.text() for element in elements if element.tag == "style")])
    named = {name: element for element in reversed(elements) if (name := element.attributes.get("id"))}
    return PageStyle(css, dict(reversed(_VARIABLE.findall(css))), named)


def drawing_file(data: bytes, report: Report) -> bytes | None:
    """The file of a drawing, without what no page can show; None if it cannot be one of ours."""
    source = data.decode("utf-8-sig", "replace")
    if _is_shown(source):
        return data
    start = re.search(r"<svg(?=[\s/>])", source, re.IGNORECASE)
    if not start:
        return None
    root = parse_drawing(HtmlNode("drawing", {"source": source[start.start() :].rstrip()}, 1, 1), report)
    figure = figure_of(root, page_style("", [root]), report)
    return figure.encode() if figure else None


def _is_shown(source: str) -> bool:
    """Whether our pages can show a drawing as it is."""
    problems: list[str] = []
    inline_svg(
        source, lang=Lang("en"), prefix="x", label="x", report=lambda *it: problems.append(it[2]), counters=Counter()
    )
    return not problems


def label_of(root: HtmlNode) -> str:
    """What the author says of a drawing, in `aria-label`, `<title>` or `<desc>`."""
    said = [root.attributes.get("aria-label", "")]
    said += [" ".join(element.text().split()) for element in root.elements_of("title", "desc")]
    return next(filter(None, said), "")


def texts_of(node: HtmlNode) -> str:
    """The words of a drawing, a line for each text."""
    if node.tag in ("", "text", "foreignobject"):
        return " ".join(node.text().split())
    return "" if node.tag in _DROPPED else "\n".join(filter(None, map(texts_of, node.children)))


# Reading

_NAMES = {name.lower(): name for name in ELEMENTS}
_ATTRIBUTE_NAMES = {name.lower(): name for name in ATTRIBUTES}
_OTHER_DRAWN = frozenset("style script metadata foreignobject a image".split())
_PIECE = regex(
    r"""<!\[CDATA\[(?P<cdata>(?:(?!<!\[CDATA).)*?)\]\]>|(?P<unseen><!--(?:(?!<!--).)*?-->|<[?!][^>]*>?)
    |</?(?P<name>[A-Za-z][\w:-]*)
     (?:\s+[A-Za-z_:@][\w:.@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?|\s*/(?!>)|["'])*\s*/?>
    |<""",
    re.DOTALL | re.VERBOSE,
)
_CLOSED = regex(r"(?:</svg\s*|^<svg[^>]*/)>$", re.IGNORECASE)
_FILTER = "fe"
"""Begins the names of parts of filters."""
_SHAPES = frozenset("path rect circle ellipse line polyline polygon use image stop".split())
"""Elements that hold nothing but animations and titles."""
_IN_SHAPES = frozenset("animate animateTransform animateMotion mpath set title desc".split())
_IN_TEXTS = frozenset("tspan textPath title desc animate set use switch".split())
_TEXTS = frozenset({"text", "tspan", "textPath"})


def parse_drawing(drawing: HtmlNode, report: Report) -> HtmlNode:
    """The tree of an element `drawing`, names as SVG writes them. Mistakes are put right and each reported once."""
    parser = _DrawingParser(drawing, report)
    source = drawing.attributes["source"]
    parser.feed(short_references(_PIECE.sub(_with_sign, source)))
    parser.close()
    if not _CLOSED.search(source):
        parser.tell("the drawing is not closed")
    return parser.root


def _with_sign(piece: re.Match[str]) -> str:
    """A piece of a drawing, where a `<` that begins no tag is a sign."""
    if piece["cdata"] is not None:
        return piece["cdata"].replace("<", OPENING).replace("&", "&amp;")
    name = (piece["name"] or "").lower().rpartition(":")[2]
    is_tag = name in _NAMES or name in KNOWN or name in _OTHER_DRAWN or name.startswith(_FILTER)
    return "" if piece["unseen"] else piece[0] if is_tag else piece[0].replace("<", OPENING)


class _DrawingParser(HTMLParser):
    def __init__(self, drawing: HtmlNode, report: Report) -> None:
        super().__init__(convert_charrefs=True)
        self.drawing, self.report = drawing, report
        self.root = HtmlNode("svg", {}, drawing.line, drawing.column)
        self.stack = [self.root]
        self.started = False
        self.said: set[str] = set()

    def tell(self, message: str) -> None:
        if message not in self.said:
            self.said.add(message)
            line, column = self.getpos()
            column += self.drawing.column if line == 1 else 1
            self.report("ill-formed-svg", message, self.drawing.line + line - 1, column)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open(tag, attrs, is_closed=False)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open(tag, attrs, is_closed=True)

    def open(self, tag: str, attrs: list[tuple[str, str | None]], *, is_closed: bool) -> None:
        space, _, bare = tag.rpartition(":")
        name = _NAMES.get(bare, bare)
        attributes: dict[str, str] = {}
        for key, value in attrs:
            key = _ATTRIBUTE_NAMES.get(key, key)
            if key in attributes:
                self.tell(f'<{name}> has the attribute "{key}" twice')
            attributes.setdefault(key, (value or "").replace(OPENING, "<"))
        if name == "svg" and not self.started:
            self.started = True
            self.root.attributes = attributes
            return
        self.make_room(name, is_named="id" in attributes)
        element = HtmlNode("metadata" if space not in ("", "svg") else name, attributes)
        self.stack[-1].children.append(element)
        if not is_closed and name not in VOID and len(self.stack) < MAX_DEPTH:
            self.stack.append(element)

    def make_room(self, name: str, *, is_named: bool) -> None:
        """End what its author did not end: shapes, texts and definitions before what they cannot hold."""
        while self.stack[-1].tag in _SHAPES and name not in _IN_SHAPES:
            self.stack.pop()
        first = self.first("text", "foreignobject")
        if name in ELEMENTS - _IN_TEXTS and self.stack[first].tag == "text":
            self.tell(f"a <text> is not closed before <{name}>")
            del self.stack[first:]
        if name in ("text", "marker") and (first := self.first("marker")):
            self.tell("<marker> is not closed")
            del self.stack[first:]
        if self.stack[-1].tag == "defs" and not is_named and name in (*_SHAPES, "text", "g"):
            self.tell("<defs> is not closed")  # nothing could refer to it there
            self.stack.pop()

    def first(self, *tags: str) -> int:
        """The depth of the outermost open element with one of these tags; 0 if none is open."""
        return next((depth for depth, element in enumerate(self.stack) if element.tag in tags), 0)

    def handle_endtag(self, tag: str) -> None:
        bare = tag.rpartition(":")[2]
        name = _NAMES.get(bare, bare)
        depth = max((depth for depth, element in enumerate(self.stack) if depth and element.tag == name), default=0)
        if depth:
            if any(element.tag not in _SHAPES for element in self.stack[depth + 1 :]):
                self.tell(f"<{self.stack[-1].tag}> is not closed")
            del self.stack[depth:]
        elif name != "svg" and name not in _SHAPES:
            self.tell(f"</{name}> ends nothing")

    def handle_data(self, data: str) -> None:
        while self.stack[-1].tag in _SHAPES and data.strip():
            self.stack.pop()
        if OPENING in data:
            self.tell("a bare < in a drawing becomes a sign")
        if self.started:
            self.stack[-1].children.append(HtmlNode(words=data.replace(OPENING, "<")))


# Making figures

_DROPPED = frozenset("style script metadata title desc image link meta iframe video audio".split())
_MISSED = frozenset("image script iframe video audio".split())
_TSPANS: Mapping[str, dict[str, str]] = {
    **{name: {"font-weight": "bold"} for name in ("b", "strong")},
    **{name: {"font-style": "italic"} for name in ("i", "em")},
    "sub": {"baseline-shift": "sub", "font-size": "70%"},
    "sup": {"baseline-shift": "super", "font-size": "70%"},
    **{name: {"font-family": "monospace"} for name in ("code", "kbd")},
}
_UNDRAWN = frozenset("defs marker symbol clipPath mask pattern".split())
"""Elements that are drawn only where another one refers to them."""
_LEAST, _USUAL = 8, 13
"""The smallest and the largest letters for HTML that has to fit into its frame."""
_NUMBER = regex(r"-?\d*\.?\d+")
_LOCAL = regex(r"url\(\s*['\"]?#([^'\"()\s]+)['\"]?\s*\)")
"""A reference to an element of the same drawing."""


def figure_of(root: HtmlNode, style: PageStyle, report: Report, above: tuple[Element, ...] = ()) -> str | None:
    """The file of a figure; None if it draws nothing, or is still none after all was put right.

    `above` is what the drawing stands in, the outermost first.
    """
    maker = _Maker(style, report, root, above)
    figure = maker.element(root, "")
    assert figure is not None
    if not _draws(figure):
        return None
    maker.paint(figure)
    maker.complete(figure)
    source = _written(figure) + "\n"
    return source if _is_shown(source) else None


def _draws(element: Element) -> bool:
    """Whether there is something to see, not only groups and what others refer to."""
    inside = (child for child in element if child.tag not in _UNDRAWN)
    return element.tag not in ("svg", "g") or any(map(_draws, inside))


class _Maker:
    """Makes the elements of one figure."""

    def __init__(self, style: PageStyle, report: Report, drawing: HtmlNode, above: tuple[Element, ...]) -> None:
        self.style, self.report, self.drawing, self.above = style, report, drawing, above
        self.said: set[str] = set()
        self.last = ("0", "0")
        """Where the last text stands."""

    def tell(self, kind: str, message: str) -> None:
        if message not in self.said:
            self.said.add(message)
            self.report(kind, message, self.drawing.line, self.drawing.column)

    def element(self, drawn: HtmlNode, inside: str) -> Element | None:
        """What becomes of an element within one of ours, its style sheets not applied; None if nothing."""
        name, attributes = drawn.tag, drawn.attributes
        if name in _DROPPED or (name.startswith(_FILTER) and name not in ELEMENTS):
            if name in _MISSED:
                self.tell("dropped-in-svg", f"<{name}> in a drawing is left out")
            return None
        if name == "foreignobject":
            return self.foreign(drawn)
        if name == "svg" and inside:
            x, y = attributes.get("x", "0"), attributes.get("y", "0")
            is_moved = any(_NUMBER.fullmatch(side) and float(side) for side in (x, y))
            name, attributes = "g", _shown(attributes) | ({"transform": f"translate({x} {y})"} if is_moved else {})
        elif name == "a":
            address = attributes.get("href") or attributes.get("xlink:href", "")
            self.tell("dropped-in-svg", f'the link in a drawing to "{address}" is left out')
            name, attributes = "tspan" if inside in _TEXTS else "g", _shown(attributes)
        elif name not in ELEMENTS or name in ("text", "tspan"):
            name = "tspan" if inside in _TEXTS else "text"
            if drawn.tag not in ELEMENTS:
                self.tell("html-in-svg", f"<{drawn.tag}> in a drawing becomes a part of its text")
                here = {"x": self.last[0], "y": self.last[1]} if name == "text" else {}
                attributes = _shown(attributes) | _TSPANS.get(drawn.tag, {}) | here
        if name == "text":
            self.last = attributes.get("x", self.last[0]), attributes.get("y", self.last[1])
        element = Element(name, attributes)
        self.fill(element, drawn.children)
        return None if name in _TEXTS and not element.text and not len(element) else element

    def fill(self, element: Element, children: Iterable[HtmlNode]) -> None:
        """Add what is inside of an element: words only where texts are, line ends as lines."""
        line = element
        for child in children:
            if not child.tag:
                self.words(element, line, child.words)
            elif child.tag == "br":
                self.tell("html-in-svg", "<br> in a drawing begins a line")
                if element.tag in _TEXTS:
                    line = SubElement(element, "tspan", {"x": element.get("x", self.last[0]), "dy": "1.25em"})
            elif (inside := self.element(child, line.tag)) is not None:
                line.append(inside)

    def words(self, element: Element, line: Element, words: str) -> None:
        """Add words to the line of a text, or as a text of their own."""
        if element.tag not in _TEXTS and words.strip():
            self.tell("html-in-svg", f'the words "{words.strip()[:40]}" outside of <text>')
            below = {"x": self.last[0], "y": _plus(self.last[1], 16)}
            SubElement(element, "text", below).text = words.strip()
        elif element.tag not in _TEXTS and element.tag not in ("svg", "g", "defs"):
            return
        elif len(line):
            line[-1].tail = (line[-1].tail or "") + words
        else:
            line.text = (line.text or "") + words

    def foreign(self, drawn: HtmlNode) -> Element | None:
        """HTML inside of a drawing as lines of text."""
        self.tell("html-in-svg", "<foreignObject> in a drawing becomes text")
        lines = [line for part in drawn.lines().split("\n") if (line := " ".join(part.split()))]
        if not lines:
            return None
        x, y = drawn.attributes.get("x", "0"), drawn.attributes.get("y", "0")
        width, height = (_number(drawn.attributes.get(side, "")) or 300.0 for side in ("width", "height"))
        rows: list[str] = []
        for size in range(_USUAL, _LEAST - 1, -1):
            rows = [row for line in lines for row in _wrapped(line, width / size)]
            if len(rows) * 1.3 * size <= height:
                break
        text = Element("text", {"style": f"font-size: {size}; fill: currentColor"})  # no style sheet changes the size
        for number, row in enumerate(rows):
            line_y = _plus(y, round(size * (1.1 + 1.3 * number), 1))
            SubElement(text, "tspan", {"x": x, "y": line_y}).text = f"{row} "
        return text

    def paint(self, element: Element) -> None:
        """Make what style sheets say attributes, in our colours, and leave only those that figures may have."""
        resolve(element, self.style.css, _STYLED, self.above)
        for inner in element.iter():
            kept: dict[str, str] = {}
            for name, value in inner.attrib.items():
                kept |= _attribute(inner.tag, name.removeprefix("xlink:"), self.value(value))
            inner.attrib.clear()
            inner.attrib |= kept

    def value(self, value: str) -> str:
        """A value without variables of the page; our own stay as they are."""
        for _ in range(5):
            if "var(" not in value or "--fig-" in value:
                break
            value = _USE.sub(lambda use: self.style.variables.get(use[1], use[2] or "currentColor").strip(), value)
        return value.strip()

    def complete(self, figure: Element) -> None:
        """Set what the root says, and bring along what the drawing uses of other ones, such as arrowheads."""
        root = {key: value for key, value in figure.attrib.items() if key in _OF_ROOT}
        if figure.find(".//text") is None and _PIXELS.fullmatch(width := figure.get("width", "")):
            root["width"] = width  # of others the letters say how large they are to be
        figure.attrib.clear()
        figure.attrib |= {"xmlns": "http://www.w3.org/2000/svg", "viewBox": _box(self.drawing), "fill": "currentColor"}
        figure.attrib |= root
        own = {name for element in figure.iter() if (name := element.get("id"))}
        brought = Element("defs")
        lacking = _used(figure) - own
        while lacking:
            name = min(lacking)
            lacking.discard(name)
            if name in self.style.named and name not in own:
                copy = self.element(self.style.named[name], "")
                if copy is not None:
                    self.paint(copy)
                    own.add(name)
                    brought.append(copy)
                    lacking |= _used(copy) - own
        if len(brought):
            brought.tail, figure.text = figure.text, None
            figure.insert(0, brought)
        for element in figure.iter():
            for key, value in list(element.attrib.items()):
                if not own.issuperset(_named(key, value)):
                    del element.attrib[key]


def _shown(attributes: Mapping[str, str]) -> dict[str, str]:
    """Attributes that say how something looks."""
    return {key: value for key, value in attributes.items() if key in PRESENTATION or key in ("class", "style")}


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
    digits = _NUMBER.match(number)
    return f"{float(digits[0]) + more:g}" if digits else number


def _used(figure: Element) -> set[str]:
    """The ids that something in a figure refers to."""
    return {name for element in figure.iter() for item in element.attrib.items() for name in _named(*item)}


def _named(key: str, value: str) -> list[str]:
    return [value[1:]] if key == "href" and value.startswith("#") else _LOCAL.findall(value)


def _written(element: Element) -> str:
    """The element as text. Not by ElementTree: files that were written before stay what they are."""
    attributes = "".join(f' {key}="{_escaped(value)}"' for key, value in element.attrib.items())
    inside = _escaped(element.text) + "".join(_written(child) + _escaped(child.tail) for child in element)
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>" if inside else f"<{element.tag}{attributes}/>"


def _escaped(text: str | None) -> str:
    return str(escape(UNUSABLE.sub("", text or "")))


# Attributes

_STYLED = PRESENTATION | frozenset("font font-family x y width height r rx ry cx cy".split())
"""What style sheets may say of drawings."""
_OF_ROOT = (PRESENTATION | {"preserveAspectRatio"}) - {"overflow", "display", "visibility"}
_PIXELS = regex(r"\d*\.?\d+(?:px)?")
_VARIABLE = regex(r"(?<![\w-])(--[\w-]+)\s*:\s*([^;{}]*)")
_USE = regex(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]*(?:\([^()]*\))?[^()]*))?\)")
_PAINTS = ("fill", "stroke", "stop-color", "flood-color", "color")
_MONO = regex(r"mono|menlo|consolas|courier|code", re.IGNORECASE)
_PALE = frozenset(map(variable, (PAPER, SOFT, *PALE)))
"""Letters of these colours stand on something dark."""
_AS_IS = frozenset({"none", "inherit", "context-stroke", "context-fill"})
_ALPHA = regex(r"(?:rgba|hsla)\([^()]*[,/]\s*(0?\.\d+|\d+%)\s*\)|(?:rgb|hsl)\([^()]*/\s*(0?\.\d+|\d+%)\s*\)")
_OUTSIDE = regex(r"\\|\b(?:src|image)\s*\(|url\((?!\s*['\"]?#)")
_LENGTHS = frozenset("width height x y r rx ry cx cy".split())


def _attribute(element: str, name: str, value: str) -> dict[str, str]:
    """What becomes of one attribute."""
    if name in ("font", "font-family"):
        return _font(name, value)
    if name not in ATTRIBUTES or (name == "href" and not value.startswith("#")) or (element, name) == ("svg", "id"):
        return {}
    if name in _LENGTHS and value in ("auto", "inherit"):
        return {}
    if name in _PAINTS:
        return _painted(name, value, is_text=element in _TEXTS)
    return {name: value} if value and not _OUTSIDE.search(value) else {}


def _font(name: str, value: str) -> dict[str, str]:
    """Of a font only whether it is monospaced; of the shorthand also size and weight."""
    kept = {"font-family": "monospace"} if _MONO.search(value) else {}
    if name == "font" and (size := re.search(r"([\d.]+)px", value)):
        kept["font-size"] = size[1]
        if re.search(r"\b(?:bold|[6-9]00)\b", value):
            kept["font-weight"] = "bold"
    return kept


def _painted(name: str, value: str, *, is_text: bool) -> dict[str, str]:
    """A colour as our nearest variable, and its opacity."""
    if _LOCAL.search(value) or value in _AS_IS:
        return {name: value}
    if value.lower() == "currentcolor":
        return {name: "currentColor"}
    colour = nearest(value, line=name == "stroke")
    if is_text and name != "stroke":
        colour = variable(PAPER) if colour in _PALE else nearest(value, line=True)
        colour = variable(MUTED) if colour == variable(LINE) else colour  # grey words are to be read
    opacity = _ALPHA.fullmatch(value)
    kept = {name: colour} | ({f"{name}-opacity": opacity[1] or opacity[2]} if opacity else {})
    return kept if re.fullmatch(r"[-#\w(), .%]+", colour) else {}


# The box

_AXES = (("x", "width", "x2", "cx", "rx"), ("y", "height", "y2", "cy", "ry"))
_ROOM = 10
"""Around what is drawn, in units of the drawing."""


def _box(root: HtmlNode) -> str:
    """The `viewBox`: its own, or that of its width and height, or what its elements take."""
    if len(numbers := _NUMBER.findall(root.attributes.get("viewBox", ""))) == 4:
        return " ".join(numbers)
    style = {name: value for name, value, _ in declarations(root.attributes.get("style", ""))}
    sides = []
    for axis, (name, usual) in enumerate((("width", 300), ("height", 150))):
        said = re.fullmatch(r"\s*(\d*\.?\d+)(?:px)?\s*", root.attributes.get(name) or style.get(name, ""))
        end = max((_end(element, axis) for element in root.elements()), default=0)
        sides.append(float(said[1]) if said else end + _ROOM if end > 0 else usual)
    return f"0 0 {sides[0]:g} {sides[1]:g}"


def _end(element: HtmlNode, axis: int) -> float:
    """How far to the right or down an element reaches, as far as its attributes say so."""
    start, size, other, centre, radius = (_number(element.attributes.get(name, "")) for name in _AXES[axis])
    words = 8 * len(element.text().strip()) if element.tag == "text" and axis == 0 else 0
    points = [float(point) for point in _NUMBER.findall(element.attributes.get("points", ""))][axis::2]
    radius = max(radius, _number(element.attributes.get("r", "")))
    return max([start + size, start + words, other, centre + radius, *points])


def _number(written: str) -> float:
    number = _NUMBER.match(written.strip())
    return float(number[0]) if number else 0.0
