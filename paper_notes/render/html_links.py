"""Finds the links of a page, by searching its bytes."""

from __future__ import annotations

import re

_ID = re.compile(rb' id="([^"]+)"')
_HREF = re.compile(rb' href="([^"]*)"')


def ids(page: bytes) -> frozenset[bytes]:
    """The ids of the page's elements, not unescaped."""
    return frozenset(_ID.findall(page))


def links_of(page: bytes, *, absolute: bool) -> tuple[str, ...]:
    """Values of `href` that lead to other files of the site; with `absolute`, also `http:` and `https:` addresses."""
    known = ids(page)
    skipped = (b"data:",) if absolute else (b"data:", b"https:", b"http:")
    outward = (raw for raw in dict.fromkeys(_HREF.findall(page)) if not (raw[:1] == b"#" and raw[1:] in known))
    return tuple(raw.decode() for raw in outward if not raw.startswith(skipped))
