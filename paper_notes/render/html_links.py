"""Finds the links of a page and the files that it would load, by searching its bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ID = re.compile(rb' id="([^"]+)"')
_HREF = re.compile(rb' href="([^"]*)"')
_LOADERS = tuple(
    b"<" + name
    for name in b"script img image feimage iframe frame source track video audio embed object input link".split()
)
_HARMLESS_LINK = re.compile(
    rb"<link\b.*\brel=[\"']?(?:canonical|alternate|author|license|next|prev|me)\b", re.IGNORECASE | re.DOTALL
)
_ADDRESS = re.compile(
    rb"""\s(?:src|srcset|href|xlink:href|data|poster)\s*=\s*["']?(?!data:|["'#>\s])([^"'>\s]+)""", re.IGNORECASE
)
_STYLE_LOADS = re.compile(rb"""(?:\burl\(|@import)\s*["']?(?!data:|["'#\s])([^"')\s]+)""", re.IGNORECASE)


def ids(page: bytes) -> frozenset[bytes]:
    """The ids of the page's elements, not unescaped."""
    return frozenset(_ID.findall(page))


def links_of(page: bytes, *, absolute: bool) -> tuple[str, ...]:
    """Values of `href` that lead to other files of the site; with `absolute`, also `http:` and `https:` addresses."""
    known = ids(page)
    skipped = (b"data:",) if absolute else (b"data:", b"https:", b"http:")
    found = (raw for raw in dict.fromkeys(_HREF.findall(page)) if not (raw[:1] == b"#" and raw[1:] in known))
    return tuple(raw.decode() for raw in found if not raw.startswith(skipped))


def loaded_file(page: bytes) -> str:
    """The address of a file that the page would load; empty if it is self-contained, as it should be."""
    lower = page.lower()  # case-insensitive patterns are slow on a long page
    rest, styles = _spans(lower)
    for name in _LOADERS:
        for start, end in _tags(lower, name, rest):
            tag = page[start:end]
            found = _ADDRESS.search(tag)
            if found and not _HARMLESS_LINK.match(tag):
                return found[1].decode(errors="replace")
    for start, end in styles:
        for word in (b"url(", b"@import"):
            place = lower.find(word, start, end)
            while place >= 0:
                if found := _STYLE_LOADS.match(page, place, end):
                    return found[1].decode(errors="replace")
                place = lower.find(word, place + 1, end)
    return ""


def _tags(page: bytes, name: bytes, parts: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Start and end of each start tag of an element."""
    for start, end in parts:
        place = page.find(name, start, end)
        while place >= 0:
            stop = page.find(b">", place, end)
            if not page[place + len(name) : place + len(name) + 1].isalnum():
                yield place, stop if stop >= 0 else end
            place = page.find(name, place + 1, end)


def _spans(page: bytes) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The spans of the page outside of style sheets, and the spans of style sheets."""
    rest, styles = [], []
    done = 0
    while (start := page.find(b"<style", done)) >= 0:
        inside = page.find(b">", start) + 1 or len(page)
        stop = page.find(b"</style", inside)
        stop = stop if stop >= 0 else len(page)
        rest.append((done, start))
        styles.append((inside, stop))
        done = stop
    return [*rest, (done, len(page))], styles
