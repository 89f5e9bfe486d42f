"""An SVG file as part of a page: only allowed elements and attributes, unique ids, one language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from math import hypot
from typing import TYPE_CHECKING
from xml.parsers import expat

from markupsafe import escape

from paper_notes.diagnostics import Suggestions
from paper_notes.patterns import regex
from paper_notes.sources.characters import UNUSABLE
from paper_notes.values import Struct, field

if TYPE_CHECKING:  # else the process that draws would import the corpus package
    from paper_notes.corpus.model import Lang

Report = Callable[[int, int, str, str], None]
"""Called with line, column (both from 1), message and hint."""

MAX_ELEMENTS = 20_000
MAX_DRAWN = 50_000
"""Elements of a figure, each as often as `<use>` and its like draw it; browsers take a second for twice as many."""
MAX_DRAWN_IN_ALL = 200_000
"""The same for all figures of one text together."""

ELEMENTS = frozenset(
    "svg g defs title desc symbol use switch marker linearGradient radialGradient stop clipPath mask pattern filter"
    " feGaussianBlur feOffset feMerge feMergeNode feColorMatrix feFlood feComposite feBlend feDropShadow"
    " path rect circle ellipse line polyline polygon text tspan textPath"
    " animate animateTransform animateMotion mpath set".split()
)
PRESENTATION = frozenset(
    "fill fill-opacity fill-rule stroke stroke-width stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin"
    " stroke-miterlimit stroke-opacity opacity color font-size font-weight font-style font-variant text-anchor"
    " dominant-baseline alignment-baseline baseline-shift letter-spacing word-spacing text-decoration writing-mode"
    " clip-path clip-rule mask filter marker-start marker-mid marker-end stop-color stop-opacity paint-order"
    " vector-effect shape-rendering text-rendering visibility display overflow flood-color flood-opacity"
    " mix-blend-mode transform-origin transform-box".split()
)
ATTRIBUTES = PRESENTATION | frozenset(
    "id x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points width height viewBox preserveAspectRatio transform"
    " pathLength rotate textLength lengthAdjust startOffset offset gradientUnits gradientTransform spreadMethod"
    " patternUnits patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits markerWidth"
    " markerHeight markerUnits refX refY orient href in in2 result stdDeviation mode operator k1 k2 k3 k4 values type"
    " filterUnits primitiveUnits attributeName attributeType from to by begin dur end repeatCount repeatDur"
    " keyTimes keySplines keyPoints calcMode fill additive accumulate restart path min max role aria-hidden".split()
)
_IGNORED = frozenset("style class version baseProfile font-family xmlns lang systemLanguage enable-background".split())
"""Attributes that are dropped silently, or read by us (`style`, `systemLanguage`)."""
_ANIMATABLE = ATTRIBUTES - {"id", "href"}
_STEPS = frozenset({"from", "to", "by", "values"})
"""Attributes that hold the values of an animation."""
_HTML_HINTS = {
    "b": 'write <tspan font-weight="bold">',
    "strong": 'write <tspan font-weight="bold">',
    "i": 'write <tspan font-style="italic">',
    "em": 'write <tspan font-style="italic">',
    "sub": 'write <tspan baseline-shift="sub" font-size="70%">',
    "sup": 'write <tspan baseline-shift="super" font-size="70%">',
    "br": "write one <text> or <tspan x=... dy=...> for each line",
    "style": "put fill, stroke and so on into attributes: a style sheet would reach the whole page",
    "script": "figures cannot run programs",
    "foreignObject": "use <text> and <tspan>: HTML inside SVG is not safe to inline",
    "a": "figures hold no links: put them into the caption",
    "image": "pixel images go beside the SVG: ![...](picture.png)",
}
_LOCAL_URL = regex(r"""url\(\s*(['"]?)#([^'"()\s]+)\1\s*\)""")
_OUTSIDE = regex(r"\\|\b(?:url|src|image|image-set|cross-fade|element)\s*\(", re.IGNORECASE)
"""What could make a browser fetch something (`url()` that is not local, CSS images), and CSS escapes."""
_TEXT_ELEMENTS = frozenset({"text", "tspan", "textPath", "title", "desc"})
_PAGE_TEXT = 17
"""Pixels of the text around a figure: the default size of text in it, and its maximum."""
_USUAL, _LEAST = 15, 13
"""Pixels of most of a figure's text, about those of its caption, and their minimum if other text is large."""
_LARGEST = 24
"""Pixels of the largest text of a figure that is as wide as it was drawn: a title in it."""
_MONOSPACE = regex(r"mono|courier|consolas|menlo", re.IGNORECASE)
_SIZE = regex(r"\s*(\d*\.?\d+)\s*(px|pt|em|rem|%)?\s*")
_UNITS = {"px": 1.0, "pt": 4 / 3, "rem": 16.0}
_SCALE = regex(r"\b(?:scale\(\s*([-.\d]+)|matrix\(\s*([-.\d]+)[\s,]+([-.\d]+))")
_VIEW_BOX = regex(r"\s*[-.\d]+[\s,]+[-.\d]+[\s,]+(\d*\.?\d+)")


def inline_svg(
    text: str,
    *,
    lang: Lang,
    prefix: str,
    label: str,
    report: Report,
    name: str = "",
    counters: Counter[str],
    shown: int = 0,
) -> str:
    """The file's picture for one language as an `<svg>` element, `shown` so many pixels wide.

    Without that, its width is one that makes its text readable.

    `prefix` makes its ids unique in the page, `label` is its text for screen readers, `name` is its class. Elements
    whose `systemLanguage` is another language are left out; what is not allowed is left out and reported. `counters`
    are those of the text.
    """
    inliner = _Inliner(lang, prefix, label, report)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = inliner.start
    parser.EndElementHandler = inliner.end
    parser.CharacterDataHandler = inliner.text
    parser.StartDoctypeDeclHandler = inliner.doctype
    parser.SkippedEntityHandler = inliner.entity
    inliner.position = lambda: (parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
    try:
        parser.Parse(text, True)
        inliner.check_expansion(counters)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        hint = "SVG is XML: close every tag, quote every attribute, write & as &amp; and < as &lt;"
        report(error.lineno, error.offset + 1, f"the SVG is not well-formed: {reason}", hint)
        return ""
    except _Stop:
        return ""
    css_class = f' class="{name}"' if name else ""
    width = _in_em(shown) if shown else _width(inliner.box, inliner.letters, inliner.width)
    return "".join(inliner.out).replace("<svg", f"<svg{css_class}{width}", 1)


def _width(box: str, letters: Counter[float], width: str) -> str:
    """The attribute for the width of the `viewBox` if its text is readable and no larger than text around it.

    Else that of a width where most of its text is as large as a caption, and none larger than running text.
    It is in em, and grows with the text around the figure. A drawing without text, such as an icon, has its own.
    """
    match = _VIEW_BOX.match(box)
    if not (match and letters):
        pixels = re.fullmatch(r"(\d*\.?\d+)(?:px)?", width)
        return _in_em(float(pixels[1])) if pixels else ""
    usual = max(letters, key=lambda size: (letters[size], -size))
    as_drawn = 1.0 if usual <= _PAGE_TEXT and max(letters) <= _LARGEST else 0.0
    scale = max(min(_USUAL / usual, _PAGE_TEXT / max(letters)), _LEAST / usual, as_drawn)
    return _in_em(float(match[1]) * scale)


def _in_em(pixels: float) -> str:
    return f' width="{round(pixels / _PAGE_TEXT, 2):g}em"'


def _means(written: str, lang: Lang) -> bool:
    """Whether a tag is that of a language, of a variant of it, or of its parent: `zh-CN` and `zh` match."""
    longer, shorter = sorted((f"{written.lower()}-", f"{lang.lower()}-"), key=len, reverse=True)
    return longer.startswith(shorter)


class _Stop(Exception):
    """The figure cannot be used; the reason has been reported."""


class _Inliner:
    def __init__(self, lang: Lang, prefix: str, label: str, report: Report) -> None:
        self.lang, self.prefix, self.label, self.report = lang, prefix, label, report
        self.position: Callable[[], tuple[int, int]] = lambda: (1, 1)
        self.out: list[str] = []
        self.stack: list[str] = []
        self.skipping = 0
        """Depth inside an element that is left out; 0 outside."""
        self.chosen: list[bool] = []
        """For each open `<switch>`: whether one of its children was taken."""
        self.sizes = [(float(_PAGE_TEXT), 1.0)]
        """Font size and scale for the text around the drawing, then for each open element."""
        self.width = ""
        self.letters: Counter[float] = Counter()
        """Number of letters by size in units of the drawing."""
        self.box = ""
        """The `viewBox` of the drawing."""
        self.elements = 0
        self.expansion = Expansion()
        self.suggestions = Suggestions()

    def problem(self, message: str, hint: str = "") -> None:
        self.report(*self.position(), message, hint)

    def doctype(self, name: str, _system: str | None, _public: str | None, subset: bool) -> None:
        if subset:
            self.problem("a DOCTYPE with declarations is not allowed in a figure", "delete the DOCTYPE")
            raise _Stop

    def check_expansion(self, counters: Counter[str]) -> None:
        """Report and stop at a figure that would keep a browser busy for long. Raises _Stop."""
        try:
            total, position = self.expansion.total()
        except Cycle as cycle:
            message = "this element is drawn inside of itself"
            self.report(*cycle.position, message, "let it refer to another one")
            raise _Stop from None
        counters["drawn"] += total
        if total > MAX_DRAWN or counters["drawn"] > MAX_DRAWN_IN_ALL:
            most, what = (MAX_DRAWN, "figure") if total > MAX_DRAWN else (MAX_DRAWN_IN_ALL, "text's figures together")
            message = f"with all that is drawn again, the {what} would have more than {most:,} elements"
            counters["drawn"] -= total
            self.report(*position, message, "repeat less, or use a pixel image instead")
            raise _Stop

    def entity(self, name: str, parameter: bool) -> None:
        self.problem(f"the entity &{name}; is not defined", "write the character itself")

    def start(self, qualified: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            self.problem(f"the figure has more than {MAX_ELEMENTS:,} elements", "use a pixel image instead")
            raise _Stop
        space, _, name = qualified.rpartition(":")
        if not self.stack and not self.skipping and qualified != "svg":
            self.problem(f"the file starts with <{qualified}>, not with <svg>", "save the figure as plain SVG")
            raise _Stop
        if self.skipping or (self.stack and not self.wanted(space, name, attributes)):
            self.skipping += 1
            return
        if name not in ELEMENTS:
            hint = _HTML_HINTS.get(name) or self.suggestions.did_you_mean(name, ELEMENTS) or "delete it"
            self.problem(f"<{name}> is not allowed in a figure", hint)
            self.skipping = 1
            return
        kept = {} if name == "switch" else self.attributes(name, attributes)
        if "attributeName" in attributes and "attributeName" not in kept:
            self.skipping = 1
            return
        if not self.stack:
            kept = self.root(attributes, kept)
            self.box = kept.get("viewBox", "")
        self.expansion.start(name, kept, self.position())
        self.stack.append(name)
        self.sizes.append(_sizes(kept, *self.sizes[-1]))
        if name == "switch":
            self.chosen.append(False)
        else:
            written = "".join(f' {key}="{escape(value)}"' for key, value in kept.items())
            self.out.append(f"<{name}{written}>")

    def wanted(self, space: str, name: str, attributes: dict[str, str]) -> bool:
        """False for other namespaces, other languages, and what a `<switch>` does not choose."""
        if space not in ("", "svg") or name == "metadata":
            return False
        in_switch = bool(self.stack) and self.stack[-1] == "switch"
        if in_switch and self.chosen[-1]:
            return False
        languages = attributes.get("systemLanguage")
        if languages is not None and not any(_means(tag.strip(), self.lang) for tag in languages.split(",")):
            return False
        if in_switch:
            self.chosen[-1] = True
        return True

    def root(self, attributes: dict[str, str], kept: dict[str, str]) -> dict[str, str]:
        if "viewBox" not in attributes:
            width, height = (re.match(r"\s*([\d.]+)", attributes.get(side, "")) for side in ("width", "height"))
            if width and height:
                kept["viewBox"] = f"0 0 {width[1]} {height[1]}"
            else:
                self.problem("the SVG has no viewBox, so it cannot be scaled", 'add viewBox="0 0 480 300" to <svg>')
        self.width = kept.pop("width", "")
        kept.pop("height", None)
        hidden = {"role": "img", "aria-label": self.label} if self.label else {"aria-hidden": "true"}
        return {**kept, **hidden}

    def attributes(self, element: str, attributes: dict[str, str]) -> dict[str, str]:
        kept: dict[str, str] = {}
        for qualified, value in {**attributes, **_declarations(attributes.get("style", ""))}.items():
            space, _, name = qualified.rpartition(":")
            if name == "font-family" and _MONOSPACE.search(value):
                kept[name] = "var(--mono)"
            if name in _IGNORED or (space and space != "xlink") or name.startswith(("data-", "aria-")):
                continue
            if name not in ATTRIBUTES:
                hint = self.suggestions.did_you_mean(name, ATTRIBUTES) or "delete it"
                hint = _HTML_HINTS["script"] if name.lower().startswith("on") else hint
                self.problem(f'the attribute "{name}" of <{element}> is not allowed in a figure', hint)
            elif (safe := self.value(name, value)) is None:
                hint = "refer only to #ids of the same file"
                hint = "animate what is seen: x, opacity, transform ..." if name == "attributeName" else hint
                self.problem(f'{name}="{value[:60]}" is not allowed in a figure', hint)
            else:
                kept[name] = safe
        return kept

    def value(self, name: str, value: str) -> str | None:
        if name == "id":
            return self.own(value)
        if name == "href":
            return f"#{self.own(value[1:])}" if value.startswith("#") else None
        if name == "attributeName":
            return value if value in _ANIMATABLE else None
        if name in ("begin", "end"):
            return re.sub(r"(?<![\w-])([A-Za-z_][\w-]*+)\.(?=[a-z])", lambda match: f"{self.own(match[1])}.", value)
        if name in _STEPS and "url(" in value:
            return None  # `check_expansion` does not follow animated references
        local = _LOCAL_URL.sub(lambda match: f"url(#{self.own(match[2])})", value)
        return None if _OUTSIDE.search(_LOCAL_URL.sub("", value)) else local

    def own(self, name: str) -> str:
        return f"{self.prefix}-{name}"

    def end(self, qualified: str) -> None:
        if self.skipping:
            self.skipping -= 1
            return
        name = self.stack.pop()
        self.expansion.end()
        self.sizes.pop()
        if name == "switch":
            self.chosen.pop()
        else:
            self.out.append(f"</{name}>")

    def text(self, data: str) -> None:
        if self.skipping or not self.stack:
            return
        if self.stack[-1] in _TEXT_ELEMENTS:
            self.out.append(str(escape(UNUSABLE.sub("", data))))
            if self.stack[-1] not in ("title", "desc") and (count := len(data.strip())):
                size, scale = self.sizes[-1]
                self.letters[max(round(size * scale, 1), 0.1)] += count
        elif data.strip():
            self.problem(f'the text "{data.strip()[:40]}" is outside of <text>', "put it into <text>")


def _sizes(attributes: dict[str, str], size: float, scale: float) -> tuple[float, float]:
    """Font size and scale of an element, from those of its parent."""
    if match := _SIZE.fullmatch(attributes.get("font-size", "")):
        relative = {"em": size, "%": size / 100}
        size = float(match[1]) * {**_UNITS, **relative}.get(match[2] or "px", 1.0)
    for factor, across, down in _SCALE.findall(attributes.get("transform", "")):
        try:
            scale *= abs(float(factor)) if factor else hypot(float(across), float(down))
        except ValueError:
            continue
    return size, scale


def _declarations(style: str) -> dict[str, str]:
    """The properties of a `style` attribute that are attributes too; drawing programs write them this way."""
    pairs = (part.partition(":") for part in style.split(";") if ":" in part)
    declared = {name.strip(): value.strip() for name, _, value in pairs}
    return {name: value for name, value in declared.items() if name in PRESENTATION or name == "font-family"}


Position = tuple[int, int]
# How many elements a drawing has with every reference followed: ten lines of `<use>` can make a billion of them

_URL = regex(r"url\(#([^)]+)\)")
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


class _Element(Struct):
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
                waiting.pop()
        repeating = [place for place in counts if len(self._elements[place].parts) < len(self._needs(place))]
        most = max(repeating, key=lambda place: (counts[place][0], place), default=0)
        return (counts[0][0], self._elements[most].position) if counts else (0, (1, 1))

    def _needs(self, place: int) -> list[int]:
        element = self._elements[place]
        return [*element.parts, *self._targets(element.drawn + element.painted + element.marked)]

    def _targets(self, names: tuple[str, ...]) -> list[int]:
        """The elements of these ids; a gradient paints without drawing anything."""
        named = (self._places[name] for name in names if name in self._places)
        return [place for place in named if not self._elements[place].name.endswith("Gradient")]

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
