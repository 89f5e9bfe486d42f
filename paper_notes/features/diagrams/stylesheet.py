"""A style sheet's rules as attributes of the elements they match, because figures may not bring style sheets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from xml.etree.ElementTree import Element

_RULE = re.compile(r"(?<![^{}])([^{}]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NESTED = re.compile(r"@[^{};@]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})")
_COMPOUND = re.compile(r"(?P<tag>[A-Za-z][\w-]*|\*)?(?P<rest>(?:[.#][\w-]+|\[[^\]]*\])*)")
_SIMPLE = re.compile(r"""([.#])([\w-]+)|\[\s*([\w-]+)\s*(?:([$^*]?=)\s*["']?([^"'\]]*)["']?\s*)?\]""")
_OPERATORS: Mapping[str, Callable[[str, str], bool]] = {
    "=": str.__eq__,
    "^=": str.startswith,
    "$=": str.endswith,
    "*=": str.__contains__,
}


@dataclass(frozen=True)
class _Compound:
    """One part of a selector: `g.node[data-look="neo"]`. `child` if only a parent may match it, not any ancestor."""

    tag: str
    needs: tuple[tuple[str, str, str], ...]
    """Conditions on attributes: name, operator, value."""
    child: bool

    def matches(self, element: Element) -> bool:
        if self.tag not in ("", "*", element.tag):
            return False
        return all(_has(element, *need) for need in self.needs)


@dataclass(frozen=True)
class _Rule:
    parts: tuple[_Compound, ...]
    """Its compounds from the innermost element outwards."""
    weight: tuple[int, int]
    declarations: tuple[tuple[str, str, bool], ...]
    """Property, value, and whether it is `!important`."""


def resolve(root: Element, css: str, properties: frozenset[str], above: tuple[Element, ...] = ()) -> None:
    """Write what the sheet, the `style` attributes and the attributes say into the attributes of all elements.

    Only `properties` are kept. `above` is what the root stands in, the outermost first. Selectors of types, classes,
    ids and attributes are understood, with descendants and children; rules with any other selector are left out, as
    are those for media and animations.
    """
    _resolve(root, above, _rules(css), properties)


def declarations(text: str) -> Iterator[tuple[str, str, bool]]:
    """Property, value and importance of each declaration in a block or a `style` attribute."""
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        value, bang, _ = value.strip().partition("!important")
        if colon and value:
            yield name.strip().lower(), value.strip(), bool(bang)


def _resolve(element: Element, above: tuple[Element, ...], rules: Sequence[_Rule], properties: frozenset[str]) -> None:
    applied = [found for rule in rules if _applies(rule.parts, element, above) for found in rule.declarations]
    applied += declarations(element.attrib.pop("style", ""))
    for name, value, _ in (*applied, *(found for found in applied if found[2])):
        if name in properties:
            element.set(name, value)
    for child in element:
        _resolve(child, (*above, element), rules, properties)


def _applies(parts: tuple[_Compound, ...], element: Element, above: tuple[Element, ...]) -> bool:
    first, *outer = parts
    if not first.matches(element):
        return False
    if not outer:
        return True
    places = range(len(above) - 1, len(above) - 2 if first.child else -1, -1)
    return any(_applies(tuple(outer), above[place], above[:place]) for place in places if place >= 0)


@lru_cache(maxsize=16)
def _rules(css: str) -> Sequence[_Rule]:
    """The rules of a sheet, the weakest first."""
    rules: list[_Rule] = []
    css = _NESTED.sub("", _COMMENT.sub("", css))
    for place, (selectors, block) in enumerate(_RULE.findall(css)):
        found = tuple(declarations(block))
        for selector in selectors.split(","):
            parts = _parse(selector.strip())
            if parts and found:
                ids = sum(need[0] == "id" and need[1] == "=" for part in parts for need in part.needs)
                others = sum(len(part.needs) for part in parts) - ids
                tags = sum(part.tag not in ("", "*") for part in parts)
                rules.append(_Rule(parts, (ids * 10_000 + others * 100 + tags, place), found))
    return sorted(rules, key=lambda rule: rule.weight)


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
        needs = tuple(_need(*found) for found in _SIMPLE.findall(match["rest"]))
        parts.append(_Compound(match["tag"] or "", needs, child))
        child = False
    return tuple(reversed(parts))


def _need(sign: str, name: str, attribute: str, operator: str, value: str) -> tuple[str, str, str]:
    if sign:
        return ("id", "=", name) if sign == "#" else ("class", "~=", name)
    return attribute, operator, value


def _has(element: Element, attribute: str, operator: str, value: str) -> bool:
    actual = element.get(attribute)
    if actual is None:
        return False
    if operator == "~=":
        return value in actual.split()
    return not operator or _OPERATORS[operator](actual, value)
