"""The HTML of a body as XML, element by element: programs that show cards and books accept no mistakes."""

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
    parts: list[str] = []
    names: list[str] = []
    """What is open; empty for a tag that was left out."""
    done = skipped = 0
    for match in _TAG.finditer(html):
        closed = bool(match[4]) or match[2] in _VOID
        if skipped:
            skipped += -1 if match[1] else 0 if closed else 1
            done = match.end()
            continue
        parts.append(_text(html[done : match.start()]))
        done = match.end()
        if match[1]:
            name = names.pop() if names else ""
            parts.append(f"</{name}>" if name else "")
            continue
        tag = change(_tag(match, names))
        if tag is LEFT_OUT:
            skipped = not closed
            continue
        if not closed:
            names.append(tag.name if tag else "")
        if tag:
            parts.append(_written(tag, closed=closed))
    parts.append(_text(html[done:]))
    return "".join(parts)


def _tag(match: re.Match[str], above: Sequence[str]) -> StartTag:
    pairs = ((name, name if value is None else unescape(value)) for name, value in _pairs(match[3]))
    return StartTag(match[2], dict(pairs), above)


def _pairs(written: str) -> Iterator[tuple[str, str | None]]:
    for match in _ATTRIBUTE.finditer(written):
        yield match[1], match[2]


def _written(tag: StartTag, *, closed: bool) -> str:
    attributes = dict(tag.attributes)
    if tag.name in ("svg", "math"):
        attributes.setdefault("xmlns", SVG if tag.name == "svg" else MATH)
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag.name}{written}/>" if closed else f"<{tag.name}{written}>"


def _text(text: str) -> str:
    """Text with named characters as they are: XML knows the names of five."""
    return _NAMED.sub(lambda match: str(escape(unescape(match[0]))), text) if "&" in text else text


def with_pictures(html: str, drawn: Callable[[str], str]) -> str:
    """The HTML with each outermost `<svg>` element replaced by what `made` gives for it."""
    parts: list[str] = []
    done = depth = start = 0
    for match in re.finditer(r"<(/?)svg\b", html):
        if not match[1]:
            start = start if depth else match.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                end = html.index(">", match.end()) + 1
                parts += [html[done:start], drawn(html[start:end])]
                done = end
    return "".join((*parts, html[done:]))


def blocks(xml: str) -> list[str]:
    """The outermost elements, and words between them, of XML that `as_xml` has made."""
    outermost: list[str] = []
    start = depth = 0
    for tag in _TAG.finditer(xml):
        if not depth and xml[start : tag.start()].strip():
            outermost.append(xml[start : tag.start()].strip())
        start = start if depth else tag.start()
        depth += -1 if tag[1] else 0 if tag[4] else 1
        if not depth:
            outermost.append(xml[start : tag.end()])
            start = tag.end()
    rest = xml[start:].strip()
    return [*outermost, rest] if rest else outermost
