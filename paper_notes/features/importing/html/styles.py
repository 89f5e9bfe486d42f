"""Style sheets of a page, as far as they colour its drawings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from paper_notes.markdown.figures.svg import PRESENTATION

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SIMPLE = re.compile(r"(?P<tag>[A-Za-z][\w-]*|\*)?(?P<rest>(?:[.#][\w-]+)*)$")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]*(?:\([^()]*\))?[^()]*))?\)")


@dataclass(frozen=True, slots=True)
class Rule:
    """What the last part of a selector says of the elements that it selects."""

    tag: str
    classes: frozenset[str]
    name: str
    """An id, or empty."""
    declared: Mapping[str, str]

    def selects(self, tag: str, classes: frozenset[str], name: str) -> bool:
        return (not self.tag or self.tag == tag) and self.classes <= classes and (not self.name or self.name == name)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rules for drawings in order, the weaker ones first, and the variables of the page in light mode."""

    rules: tuple[Rule, ...]
    variables: Mapping[str, str]

    def declared(self, tag: str, classes: Iterable[str], name: str) -> dict[str, str]:
        """What the sheet says of an element."""
        declared: dict[str, str] = {}
        for rule in self.rules:
            if rule.selects(tag, frozenset(classes), name):
                declared |= rule.declared
        return declared

    def resolved(self, value: str) -> str:
        """A value without variables of the page; our own stay as they are."""
        for _ in range(5):
            if not _VARIABLE.search(value) or "--fig-" in value:
                break
            value = _VARIABLE.sub(
                lambda variable: self.variables.get(variable[1], (variable[2] or "currentColor").strip()), value
            )
        return value.strip()


def declarations(style: str) -> dict[str, str]:
    """The properties of a `style` attribute."""
    pairs = (part.partition(":") for part in style.split(";") if ":" in part)
    return {name.strip().lower(): value.replace("!important", "").strip() for name, _, value in pairs}


def read_sheet(sources: Iterable[str], elements: Iterable[str]) -> Sheet:
    """The rules for elements of drawings, and all variables. Rules for dark mode and print are left out."""
    text = _without_media(_COMMENT.sub("", "\n".join(sources)))
    variables: dict[str, str] = {}
    rules: list[Rule] = []
    drawn = frozenset(elements)
    for selectors, body in _RULE.findall(text):
        declared = declarations(body)
        for name, value in declared.items():
            if name.startswith("--"):
                variables.setdefault(name, value)
        shown = {
            name: value for name, value in declared.items() if name in PRESENTATION or name in ("font", "font-family")
        }
        for selector in selectors.split(",") if shown else ():
            parts = re.split(r"[\s>+~]+", re.sub(r":[\w-]+(?:\([^)]*\))?", "", selector.strip()))
            simple = _SIMPLE.fullmatch(parts[-1]) if parts[-1] else None
            if not simple:
                continue
            tag = "" if simple["tag"] in (None, "*") else simple["tag"]
            names = re.findall(r"([.#])([\w-]+)", simple["rest"])
            if (tag and tag not in drawn) or not (tag or names):
                continue
            classes = frozenset(name for sign, name in names if sign == ".")
            rules.append(Rule(tag, classes, next((name for sign, name in names if sign == "#"), ""), shown))
    rules.sort(key=lambda rule: (bool(rule.name), len(rule.classes), bool(rule.tag)))
    return Sheet(tuple(rules), variables)


def _without_media(text: str) -> str:
    """The text without its `@media` and other blocks of rules."""
    kept, place = [], 0
    for opening in re.finditer(r"@[\w-]+[^{};]*\{", text):
        if opening.start() < place:
            continue
        kept.append(text[place : opening.start()])
        depth, place = 1, opening.end()
        while place < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            place += 1
    return "".join([*kept, text[place:]])
