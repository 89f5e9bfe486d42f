"""SVG of drawing tools: without style sheets, and smaller by half or more without what is invisible."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from paper_notes.markdown.figures.svg import ATTRIBUTES
from paper_notes.patterns import regex
from paper_notes.values import Struct

_DROPPED = frozenset({"role", "filter", "lang", "mix-blend-mode"})
"""Attributes without effect inside a picture, and shadows."""
_ELSEWHERE = {
    **dict.fromkeys(("x", "y"), frozenset("g path circle ellipse line polyline polygon marker defs".split())),
    **dict.fromkeys(("width", "height"), frozenset("g path circle ellipse line polyline polygon text tspan".split())),
    **dict.fromkeys(("x1", "y1", "x2", "y2"), frozenset("g path rect circle ellipse text tspan".split())),
    **dict.fromkeys(
        ("font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "alignment-baseline"),
        frozenset("path rect circle ellipse line polyline polygon".split()),
    ),
}
"""Attributes that tools write on elements where they have no effect and are not valid."""
_DEFAULTS = {"opacity": "1", "display": "inline", "visibility": "inherit", "clip-path": "none", "mask": "none"}
"""Values that have no effect: defaults of properties that are not inherited, or `inherit`."""
_TEMPLATES = frozenset("symbol marker linearGradient radialGradient clipPath mask pattern filter".split())
"""Elements that are visible only where another one refers to them."""
_REFERENCE = regex(r"""url\(\s*["']?#([^"')\s]+)""")
_LONG_NUMBER = regex(r"-?\d*\.\d{3,}(?:e-?\d+)?|-?\d+(?:\.\d+)?e-?\d+")
_CURVES = regex(r"M\s*(\S+)\s+C\s*(\S+)\s+(\S+)\s+(\S+)")


class BadDiagram(Exception):
    """A tool cannot draw a diagram: the reason, the offset in the source in characters (-1: unknown), a hint."""

    def __init__(self, message: str, offset: int = -1, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.offset, self.hint = message, offset, hint


def parse(svg: str) -> Element:
    """The tree of an SVG, its names without namespaces."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - a tool's output: no DOCTYPE, no entities
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        for name in list(element.attrib):
            if name.startswith("{"):
                value = element.attrib.pop(name)
                if name.endswith("xlink}href"):
                    element.set("href", value)
    return root


def written(root: Element) -> str:
    """The tree as text without what is empty, unused or a default; numbers have two decimals."""
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            is_idle = name in _DROPPED or element.tag in _ELSEWHERE.get(name, ()) or value in ("", _DEFAULTS.get(name))
            if is_idle or name not in ATTRIBUTES:
                del element.attrib[name]
            elif name not in ("id", "href"):
                element.set(name, _LONG_NUMBER.sub(_rounded, value))
        if element.tag == "path":
            element.set("d", _simpler(element.get("d", "")))
    _drop_unused(root, _used(root))
    _number_ids(root, _used(root))
    _prune(root)
    return ElementTree.tostring(root, encoding="unicode")


def _used(root: Element) -> set[str]:
    """The ids that something in the drawing refers to."""
    used = {name for element in root.iter() for value in element.attrib.values() for name in _REFERENCE.findall(value)}
    return used | {element.attrib["href"][1:] for element in root.iter() if element.get("href", "").startswith("#")}


def _number_ids(root: Element, used: set[str]) -> None:
    """Number ids from 1: a tool may go on counting from one drawing of a process to the next."""
    ids: dict[str, str] = {}
    for element in root.iter():
        name = element.attrib.pop("id", None)
        if name in used:
            element.set("id", ids.setdefault(name, str(len(ids) + 1)))
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "href" and value[1:] in ids:
                element.set(name, f"#{ids[value[1:]]}")
            elif "url(" in value:
                element.set(name, _REFERENCE.sub(lambda match: f"url(#{ids.get(match[1], match[1])}", value))


def _prune(element: Element) -> None:
    """Remove empty groups and shapes."""
    for child in list(element):
        _prune(child)
        if _is_empty(child):
            element.remove(child)


def _is_empty(element: Element) -> bool:
    if element.tag == "rect":
        return not (element.get("width") and element.get("height")) or element.get("opacity") == "0"
    if element.tag == "path":
        return not element.get("d")
    if element.tag in ("text", "tspan"):
        return not "".join(element.itertext())
    return element.tag in ("g", "defs") and len(element) == 0 and not element.get("id")


def _drop_unused(element: Element, used: set[str]) -> None:
    for child in list(element):
        if child.get("id") in used or not (child.tag in _TEMPLATES or element.tag == "defs"):
            _drop_unused(child, used)
        else:
            element.remove(child)


def _rounded(match: re.Match[str]) -> str:
    short = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _simpler(path: str) -> str:
    """A path of separate curves, each drawn twice, as one line; any other path stays as it is."""
    pieces = _CURVES.findall(path)
    if not pieces or _CURVES.sub("", path).strip():
        return path
    drawn: list[str] = []
    at = last = ""
    for start, *controls, end in (tuple(point.rstrip(",") for point in piece) for piece in pieces):
        if last == f"{start} {end}":
            continue
        last = f"{start} {end}"
        drawn += [] if at == start else [f"M{start}"]
        drawn.append(f"L{end}" if _straight(start, *controls, end) else f"C{' '.join((*controls, end))}")
        at = end
    return "".join(drawn)


def _straight(*points: str) -> bool:
    (x, y), *middle, (to_x, to_y) = (tuple(float(number) for number in point.split(",")) for point in points)
    length = max(((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5, 0.01)
    away = [abs((to_x - x) * (y - b) - (x - a) * (to_y - y)) / length for a, b in middle]
    return all(distance < 0.06 for distance in away)


_RULE = regex(r"(?<![^{}])([^{}]+)\{([^{}]*)\}")
_COMMENT = regex(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_NESTED = regex(r"@[^{};@]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})")
_COMPOUND = regex(r"(?P<tag>[A-Za-z][\w-]*|\*)?(?P<rest>(?:[.#][\w-]+|\[[^\]]*\])*)")
_SIMPLE = regex(r"""([.#])([\w-]+)|\[\s*([\w-]+)\s*(?:([$^*]?=)\s*["']?([^"'\]]*)["']?\s*)?\]""")
_OPERATORS: Mapping[str, Callable[[str, str], bool]] = {
    "": lambda _actual, _value: True,
    "=": str.__eq__,
    "~=": lambda actual, value: value in actual.split(),
    "^=": str.startswith,
    "$=": str.endswith,
    "*=": str.__contains__,
}


class _Compound(Struct, frozen=True):
    """One part of a selector: `g.node[data-look="neo"]`. `child` if only a parent may match it, not any ancestor."""

    tag: str
    needs: tuple[tuple[str, str, str], ...]
    """Conditions on attributes: name, operator, value."""
    child: bool

    @property
    def name(self) -> str:
        """A class or an id that it needs, else its tag; empty if it has neither."""
        signs = {("class", "~="): ".", ("id", "="): "#"}
        named = (f"{signs[need[:2]]}{need[2]}" for need in self.needs if need[:2] in signs)
        return next(named, self.tag.removeprefix("*"))

    def matches(self, element: Element) -> bool:
        if self.tag not in ("", "*", element.tag):
            return False
        for name, operator, value in self.needs:  # a loop: it is asked hundreds of times of each element
            if (actual := element.get(name)) is None or not _OPERATORS[operator](actual, value):
                return False
        return True


class _Rule(Struct, frozen=True):
    parts: tuple[_Compound, ...]
    """Its compounds from the innermost element outwards."""
    outside: frozenset[str]
    """The names that what it stands in must have."""
    weight: tuple[int, int]
    declarations: tuple[tuple[str, str, bool], ...]
    """Property, value, and whether it is `!important`."""


def resolve(root: Element, css: str, properties: frozenset[str], above: tuple[Element, ...] = ()) -> None:
    """Write what the sheet, the `style` attributes and the attributes say into the attributes of all elements.

    Only `properties` are kept. `above` is what the root stands in, the outermost first. Selectors of types, classes,
    ids and attributes are understood, with descendants and children; rules with any other selector are left out, as
    are those for media and animations.
    """
    _resolve(root, _rules(css), properties, above, frozenset().union(*map(_names, above)))


def _resolve(
    root: Element,
    sheet: Mapping[str, Sequence[_Rule]],
    properties: frozenset[str],
    above: tuple[Element, ...],
    around: frozenset[str],
) -> None:
    """`around` are the names of what the root stands in: most rules for descendants need one that is not there."""
    names = _names(root)
    meant = (rule for name in ("", *names) for rule in sheet.get(name, ()))
    rules = [rule for rule in meant if rule.outside <= around and _applies(rule.parts, root, above, len(above))]
    rules.sort(key=lambda rule: rule.weight)
    applied = [declared for rule in rules for declared in rule.declarations]
    applied += declarations(root.attrib.pop("style", ""))
    for name, value, _ in (*applied, *(declared for declared in applied if declared[2])):
        if name in properties:
            root.set(name, value)
    above, around = (*above, root), around | names
    for child in root:
        _resolve(child, sheet, properties, above, around)


def _names(element: Element) -> frozenset[str]:
    """What a rule may call an element by."""
    return frozenset((element.tag, f"#{element.get('id')}", *(f".{name}" for name in element.get("class", "").split())))


def declarations(text: str) -> Iterator[tuple[str, str, bool]]:
    """Property, value and importance of each declaration in a block or a `style` attribute."""
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        value, bang, _ = value.strip().partition("!important")
        if colon and value:
            yield name.strip().lower(), value.strip(), bool(bang)


def _applies(parts: Sequence[_Compound], element: Element, above: tuple[Element, ...], depth: int, at: int = 0) -> bool:
    """Whether a selector means an element, which stands in so many of `above`."""
    if not parts[at].matches(element):
        return False
    if at + 1 == len(parts):
        return True
    last = max(depth - 2, -1) if parts[at].child else -1
    return any(_applies(parts, above[place], above, place, at + 1) for place in range(depth - 1, last, -1))


@lru_cache(maxsize=16)
def _rules(css: str) -> Mapping[str, Sequence[_Rule]]:
    """The rules of a sheet by a class, id or tag that each needs in its innermost element; empty if it needs none."""
    rules: dict[str, list[_Rule]] = {}
    css = _NESTED.sub("", _COMMENT.sub("", css))
    for place, (selectors, block) in enumerate(_RULE.findall(css)):
        declared = tuple(declarations(block))
        for selector in selectors.split(","):
            parts = _parse(selector.strip())
            if parts and declared:
                ids = sum(need[0] == "id" and need[1] == "=" for part in parts for need in part.needs)
                others = sum(len(part.needs) for part in parts) - ids
                tags = sum(part.tag not in ("", "*") for part in parts)
                outside = frozenset(part.name for part in parts[1:] if part.name)
                rule = _Rule(parts, outside, (ids * 10_000 + others * 100 + tags, place), declared)
                rules.setdefault(parts[0].name, []).append(rule)
    return rules


def _parse(selector: str) -> tuple[_Compound, ...]:
    """The parts of a selector from the innermost outwards; empty if we do not know some of its syntax."""
    parts: list[_Compound] = []
    child = False
    for word in re.sub(r"\s*>\s*", " > ", selector).split():
        if word == ">":
            child = True
            continue
        match = _COMPOUND.fullmatch(word)
        if not match:
            return ()
        needs = tuple(_need(*simple) for simple in _SIMPLE.findall(match["rest"]))
        parts.append(_Compound(match["tag"] or "", needs, child))
        child = False
    return tuple(reversed(parts))


def _need(sign: str, name: str, attribute: str, operator: str, value: str) -> tuple[str, str, str]:
    if sign:
        return ("id", "=", name) if sign == "#" else ("class", "~=", name)
    return attribute, operator, value
