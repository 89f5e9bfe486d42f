"""The rules of style sheets that a page has a use for.

Most pages have few of the classes that style sheets know, and each page carries its styles itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from paper_notes.patterns import regex
from paper_notes.values import Struct

_TOKEN = regex(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|[{};]', re.DOTALL)
_GROUP = regex(r"^@(?:media|supports|layer|container)\b")
"""Rules that hold other rules; those of `@page` and the like stay as they are."""
_SELECTOR = regex(r"(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\]|[^,()\[])+")
_UNUSUAL = regex(r"[\"'\\]|/\*")
_INSIDE = regex(r"\([^()]*\)|\[[^\]]*\]|::?[\w-]+|#[\w-]+")
_NAME = regex(r"\.[\w-]+|(?<![\w.-])[a-z][\w-]*", re.IGNORECASE)
_TAG = regex(r"<([a-zA-Z][\w-]*)")
_WORD = regex(r"[a-zA-Z][\w-]*")
_CLASSES = regex(r"""class=(?<!\wclass=)(?:"([^"]*)"|'([^']*)'|([\w-]+))""")
"""It begins with letters of one case, which are found ten times as fast as those of any."""
_ANY_CASE = regex(_CLASSES.pattern, re.IGNORECASE)


class _Rule(Struct, frozen=True):
    """A rule by its selectors, each with the classes (`.note`) and elements (`table`) that it cannot do without."""

    selectors: tuple[tuple[str, frozenset[str]], ...]
    body: str


class _Group(Struct, frozen=True):
    prelude: str
    rules: tuple[_Rule | _Group | str, ...]


class _Sheet(Struct, frozen=True):
    """A style sheet, and the classes and elements that its selectors cannot do without."""

    rules: tuple[_Rule | _Group | str, ...]
    classes: tuple[str, ...]
    elements: tuple[str, ...]


def used_rules(styles: Iterable[str], html: str, scripts: str) -> str:
    """Style sheets, joined, without rules for classes and elements that the page and its scripts do not name.

    What a selector says in parentheses and brackets, and ids, are taken as being there. What is not understood stays.
    """
    words, beginnings = _words(scripts)
    attributes = _CLASSES if html.count("class=") == html.lower().count("class=") else _ANY_CASE
    classes = {name for values in set(attributes.findall(html)) for name in " ".join(values).split()} | words
    tags = " ".join(("", "html", "body", *set(_TAG.findall(html))))

    def used(style: str) -> Iterator[str]:
        sheet = _sheet(style)
        yield from (f".{name}" for name in sheet.classes if name in classes or name.startswith(beginnings))
        yield from (name for name in sheet.elements if name in words or f" {name}" in tags)

    return "".join(_written(style, frozenset(used(style))) for style in styles)


@lru_cache(maxsize=64)
def _words(scripts: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The words of scripts, and those that may be the beginning of others: 'kind-' + kind."""
    words = _WORD.findall(scripts)
    both = frozenset({*words, *map(str.lower, words)})  # `new Option`
    return both, tuple(sorted(word for word in both if word.endswith("-")))


@lru_cache(maxsize=256)
def _sheet(style: str) -> _Sheet:
    rules = tuple(_rules(style))
    names = sorted(set(_names(rules)))
    return _Sheet(
        rules,
        tuple(name.removeprefix(".") for name in names if name.startswith(".")),
        tuple(name for name in names if not name.startswith(".")),
    )


@lru_cache(maxsize=1024)
def _written(style: str, present: frozenset[str]) -> str:
    return "".join(_kept(_sheet(style).rules, present))


def _kept(rules: Collection[_Rule | _Group | str], present: frozenset[str]) -> Iterator[str]:
    for rule in rules:
        if isinstance(rule, str):
            yield rule
        elif isinstance(rule, _Group):
            if inside := "".join(_kept(rule.rules, present)):
                yield f"{rule.prelude}{{{inside}}}"
        elif selectors := [text for text, names in rule.selectors if names <= present]:
            yield f"{','.join(selectors)}{{{rule.body}}}"


def _names(rules: Collection[_Rule | _Group | str]) -> Iterator[str]:
    for rule in rules:
        if isinstance(rule, _Group):
            yield from _names(rule.rules)
        elif isinstance(rule, _Rule):
            for _, names in rule.selectors:
                yield from names


def _rules(style: str) -> Iterator[_Rule | _Group | str]:
    depth = start = inside = 0
    for token in _TOKEN.finditer(style):
        if token[0] == "{":
            depth += 1
            inside = token.end() if depth == 1 else inside
        elif token[0] == "}":
            depth -= 1
            if depth == 0:
                yield _rule(style[start : inside - 1], style[inside : token.start()])
        if depth == 0 and token[0] in "};":
            if token[0] == ";":
                yield style[start : token.end()]
            start = token.end()
    yield style[start:]


def _rule(prelude: str, body: str) -> _Rule | _Group | str:
    text = prelude.strip()
    if _GROUP.match(text):
        return _Group(text, tuple(_rules(body)))
    if text.startswith("@") or _UNUSUAL.search(text):
        return f"{prelude}{{{body}}}"
    return _Rule(tuple((selector.strip(), _needed(selector)) for selector in _SELECTOR.findall(text)), body)


def _needed(selector: str) -> frozenset[str]:
    while (bare := _INSIDE.sub("", selector)) != selector:
        selector = bare
    return frozenset(_NAME.findall(selector))
