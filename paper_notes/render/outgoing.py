"""What a page leads to and what it asks for, read off its bytes: to be checked where all files are known."""

from __future__ import annotations

import re

_ID = re.compile(rb' id="([^"]+)"')
_HREF = re.compile(rb' href="([^"]*)"')
_LOADER = re.compile(
    rb"<(?:script|img|image|feimage|iframe|frame|source|track|video|audio|embed|object|input|link)\b[^>]*",
    re.IGNORECASE,
)
_HARMLESS_LINK = re.compile(
    rb"<link\b.*\brel=[\"']?(?:canonical|alternate|author|license|next|prev|me)\b", re.IGNORECASE | re.DOTALL
)
_ADDRESS = re.compile(
    rb"""\s(?:src|srcset|href|xlink:href|data|poster)\s*=\s*["']?(?!data:|["'#>\s])([^"'>\s]+)""", re.IGNORECASE
)
_STYLE_START = re.compile(rb"<style\b[^>]*>", re.IGNORECASE)
_STYLE_END = re.compile(rb"</style", re.IGNORECASE)
_STYLE_LOADS = re.compile(rb"""(?:\burl\(|@import)\s*["']?(?!data:|["'#\s])([^"')\s]+)""", re.IGNORECASE)


def ids(page: bytes) -> frozenset[bytes]:
    """The ids of the page's elements, as they stand in it."""
    return frozenset(_ID.findall(page))


def leads_to(page: bytes, *, absolute: bool) -> tuple[str, ...]:
    """Values of `href` that are not within the page or outside of the site; with `absolute`, `https:` ones too."""
    known = ids(page)
    skipped = (b"data:",) if absolute else (b"data:", b"https:", b"http:")
    found = (raw for raw in dict.fromkeys(_HREF.findall(page)) if not (raw[:1] == b"#" and raw[1:] in known))
    return tuple(raw.decode() for raw in found if not raw.startswith(skipped))


def asks_for(page: bytes) -> str:
    """The address of a file that the page would load, or empty: pages are complete in themselves."""
    rest, styles = _parted(page)
    for tag in _LOADER.findall(rest):
        found = _ADDRESS.search(tag)
        if found and not _HARMLESS_LINK.match(tag):
            return found[1].decode(errors="replace")
    loaded = _STYLE_LOADS.search(styles)
    return loaded[1].decode(errors="replace") if loaded else ""


def _parted(page: bytes) -> tuple[bytes, bytes]:
    """The page without its style sheets, and these."""
    rest, styles = [], []
    done = 0
    for start in _STYLE_START.finditer(page):
        if start.start() >= done:
            end = _STYLE_END.search(page, start.end())
            stop = end.start() if end else len(page)
            rest.append(page[done : start.start()])
            styles.append(page[start.end() : stop])
            done = stop
    return b" ".join((*rest, page[done:])), b" ".join(styles)
