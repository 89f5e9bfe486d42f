"""The HTML of a body as XML, element by element: cards and books have no browser that forgives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from markupsafe import escape

_TAG = re.compile(r'<(/?)([A-Za-z][\w:-]*)((?:[^>"]|"[^"]*")*?)(/?)>')
_ATTRIBUTE = re.compile(r'([^\s=/"]+)(?:="([^"]*)")?')
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot);)[A-Za-z][A-Za-z0-9]*;")
_VOID = frozenset("br col hr img input wbr".split())
SVG, MATH = "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"


@dataclass
class StartTag:
    """A start tag, which may be changed."""

    name: str
    attributes: dict[str, str]
    """Names and values, without escapes."""
    above: Sequence[str] = ()
    """The names of the elements that it is in; empty for one that was left out."""

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(self.attributes.get("class", "").split())


LEFT_OUT = StartTag("", {})
"""In place of a tag: the element is not there, with all that is in it."""
Change = Callable[[StartTag], StartTag | None]


def as_xml(html: str, change: Change) -> str:
    """The HTML as XML. `change` gives each start tag as it is to be; without it (None) the content stays.

    Only for HTML that we have made: all elements but the void ones are closed.
    """
    made: list[str] = []
    names: list[str] = []
    """What is open; empty for a tag that was left out."""
    done = skipped = 0
    for found in _TAG.finditer(html):
        closed = bool(found[4]) or found[2] in _VOID
        if skipped:
            skipped += -1 if found[1] else 0 if closed else 1
            done = found.end()
            continue
        made.append(_text(html[done : found.start()]))
        done = found.end()
        if found[1]:
            name = names.pop() if names else ""
            made.append(f"</{name}>" if name else "")
            continue
        tag = change(_tag(found, names))
        if tag is LEFT_OUT:
            skipped = not closed
            continue
        if not closed:
            names.append(tag.name if tag else "")
        if tag:
            made.append(_written(tag, closed=closed))
    made.append(_text(html[done:]))
    return "".join(made)


def _tag(found: re.Match[str], above: Sequence[str]) -> StartTag:
    pairs = ((name, name if value is None else unescape(value)) for name, value in _pairs(found[3]))
    return StartTag(found[2], dict(pairs), above)


def _pairs(written: str) -> Iterator[tuple[str, str | None]]:
    for found in _ATTRIBUTE.finditer(written):
        yield found[1], found[2]


def _written(tag: StartTag, *, closed: bool) -> str:
    attributes = dict(tag.attributes)
    if tag.name in ("svg", "math"):
        attributes.setdefault("xmlns", SVG if tag.name == "svg" else MATH)
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag.name}{written}/>" if closed else f"<{tag.name}{written}>"


def _text(text: str) -> str:
    """Text with named characters as they are: XML knows the names of five."""
    return _NAMED.sub(lambda found: str(escape(unescape(found[0]))), text) if "&" in text else text


def with_pictures(html: str, made: Callable[[str], str]) -> str:
    """The HTML with each outermost `<svg>` element replaced by what `made` gives for it."""
    parts: list[str] = []
    done = depth = start = 0
    for found in re.finditer(r"<(/?)svg\b", html):
        if not found[1]:
            start = start if depth else found.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                end = html.index(">", found.end()) + 1
                parts += [html[done:start], made(html[start:end])]
                done = end
    return "".join((*parts, html[done:]))


def blocks(xml: str) -> list[str]:
    """The outermost elements, and words between them, of XML that `as_xml` has made."""
    found: list[str] = []
    start = depth = 0
    for tag in _TAG.finditer(xml):
        if not depth and xml[start : tag.start()].strip():
            found.append(xml[start : tag.start()].strip())
        start = start if depth else tag.start()
        depth += -1 if tag[1] else 0 if tag[4] else 1
        if not depth:
            found.append(xml[start : tag.end()])
            start = tag.end()
    rest = xml[start:].strip()
    return [*found, rest] if rest else found
