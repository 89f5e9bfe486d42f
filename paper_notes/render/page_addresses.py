"""The addresses in a rendered page: links that have to be checked, and files that it would load."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from paper_notes.patterns import regex
from paper_notes.sources.characters import short_references

_ID = regex(rb' id="([^"]+)"')
_HREF = regex(rb' href="([^"]*)"')


def ids(page: bytes) -> frozenset[bytes]:
    """The ids of the page's elements, not unescaped."""
    return frozenset(_ID.findall(page))


def links_of(page: bytes, *, absolute: bool) -> tuple[str, ...]:
    """Values of `href` that lead to other files of the site; with `absolute`, also `http:` and `https:` addresses."""
    known = ids(page)
    skipped = (b"data:",) if absolute else (b"data:", b"https:", b"http:")
    outward = (raw for raw in dict.fromkeys(_HREF.findall(page)) if not (raw[:1] == b"#" and raw[1:] in known))
    return tuple(raw.decode() for raw in outward if not raw.startswith(skipped))


_HARMLESS = rb"\s*+(?:\"(?:[\"#]|data:)|'(?:['#]|data:)|data:|#)"
"""A value that loads nothing: the page itself, or data."""
_TAGS = tuple(b"<" + name for name in b"script image feimage object use link".split())
"""Elements that load something by an attribute which others have for something else."""
_TAG = regex(rb"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+""")
_OWN_LINK = regex(rb'<link rel="(?:canonical|alternate|author|license|next|prev|me)" ')
_ADDRESS = regex(rb"[\s/\"'](?:href|data)\s*+=(?!" + _HARMLESS + rb")")
_ELSEWHERE = tuple(  # one by one: a pattern that begins with letters is searched for ten times as fast
    map(
        re.compile,
        (
            rb"src(?:(?:set|doc)\s*+=|(?<=[\s/\"']src)\s*+=(?!" + _HARMLESS + rb"))",
            rb"poster\s*+=(?!" + _HARMLESS + rb")",
            rb"xlink:href\s*+=(?!" + _HARMLESS + rb")",
            rb"url\((?<![a-z]url\()(?!\"?(?:#|data:)|'(?:#|data:))",
            rb"@import",
            rb"image-set\(",
            rb"style(?<=[\s/\"']style)\s*+=\s*+(?!\"[^\"&\\]*+\"|'[^'&\\]*+')",
            rb"http-equiv(?!=\"content-security-policy\")",
            rb"background\s*+=",
            rb"&(?:#(?:x0*(?:[57]5|[57]2|[46]c|28)|0*(?:85|117|82|114|76|108|40))(?![0-9a-f])|lpar;)",  # of `url(`
        ),
    )
)
"""What loads, or may, whatever element it is in."""
_ESCAPED = regex(rb"\\(?:0{0,4}[4-7][0-9a-f](?![0-9a-f])|[g-z])")
"""A letter of `url` or `@import` as a style sheet may write it."""
_SPOKEN_OF = frozenset("canonical alternate author license next prev me".split())
"""Relations of links that a browser does not load."""
_ADDRESSES = frozenset("src poster data background href xlink:href".split())
_LEADING = frozenset("a area base".split())
"""Elements whose `href` is followed, or others are, but not loaded."""
_PAINTS = frozenset("style fill stroke filter mask clip-path cursor marker marker-start marker-mid marker-end".split())
_CANDIDATE = regex(r"[\s,]*([^\s,]\S*)[^,]*")
_REFRESH = regex(r"[\s\d.]*[;,]?\s*(?:url\s*=)?\s*[\"']?([^\"']*)", re.IGNORECASE)
_OUTWARD = regex(r"\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*:|[/\\]{2})")
_CSS = regex(
    r"""/\*.*?(?:\*/|\Z)|(?P<string>"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?)"""
    r"""|(?P<name>@?(?:[-\w]|\\[0-9a-fA-F]{1,6}\s?|\\[^\n])++\(?+)|[;{}]""",
    re.DOTALL,
)
_CSS_ESCAPE = regex(r"\\(?:([0-9a-fA-F]{1,6})\s?|([^\n]))")
_BARE = regex(r"\s*([^\"'\s)][^)]*)")


def loaded_file(page: bytes) -> str:
    """The address of a file that the page would load; empty if it is self-contained, as it should be."""
    if not _in_doubt(page.lower()):  # case-insensitive patterns are slow on a long page
        return ""
    reader = _Reader()
    text = f"{page.decode(errors='replace')}</style>"  # browsers use one that is not closed; the parser drops it
    reader.feed(short_references(text))
    return next(filter(None, reader.addresses), "")


def _in_doubt(page: bytes) -> bool:
    """Whether anything in the page, in small letters, may be an address that is loaded."""
    if any(pattern.search(page) for pattern in _ELSEWHERE):
        return True
    for name in _TAGS:
        start = page.find(name)
        while start >= 0:
            tag = _TAG.match(page, start)
            if tag and _ADDRESS.search(tag[0]) and not (name == b"<link" and _OWN_LINK.match(page, start)):
                return True
            start = page.find(name, start + 1)
    start = page.find(b"<style")
    while start >= 0:
        end = page.find(b"</style", start)
        end = end if end >= 0 else len(page)
        if _ESCAPED.search(page, start, end):
            return True
        start = page.find(b"<style", end)
    return False


class _Reader(HTMLParser):
    """Collects the addresses that the elements of a page load."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in reversed(attrs)}  # of two with one name the first counts
        for name, value in values.items():
            self._add(*_in_attribute(tag, name, value, values))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":
            self._add(*_in_css(data))

    def _add(self, *addresses: str) -> None:
        self.addresses += [
            address for address in map(str.strip, addresses) if not address.lower().startswith(("data:", "#"))
        ]


def _in_attribute(tag: str, name: str, value: str, others: dict[str, str]) -> Iterator[str]:
    if name in _ADDRESSES:
        spoken_of = tag == "link" and set(others.get("rel", "x").lower().split()) <= _SPOKEN_OF
        if not (name.endswith("href") and (tag in _LEADING or spoken_of)):
            yield value
    elif name in ("srcset", "imagesrcset"):
        yield from _CANDIDATE.findall(value)
    elif name == "srcdoc":
        yield loaded_file(value.encode(errors="replace"))
    elif name in _PAINTS:
        yield from _in_css(value)
    elif name == "content" and others.get("http-equiv", "").strip().lower() == "refresh":
        refresh = _REFRESH.match(value)
        yield (
            refresh[1] if refresh and _OUTWARD.match(refresh[1]) else ""
        )  # the pages of moved notes lead on within the site


def _in_css(css: str) -> Iterator[str]:
    """The addresses in a style sheet, or in the value of an attribute with style."""
    position, takes, takes_all = 0, False, False
    while token := _CSS.search(css, position):
        position = token.end()
        if token["string"] and (takes or takes_all):
            yield _unescaped(token["string"]).strip("\"'")
        takes = False
        if token["name"]:
            name = _unescaped(token["name"]).lower()
            takes = name in ("url(", "src(", "image(")
            takes_all |= name.endswith("image-set(") or name == "@import"
            if name == "url(" and (bare := _BARE.match(css, position)):
                yield _unescaped(bare[1])
                position, takes = bare.end(), False
        elif token[0] in ";{}":
            takes_all = False


def _unescaped(css: str) -> str:
    return _CSS_ESCAPE.sub(lambda sign: chr(min(int(sign[1], 16), 0x10FFFF)) if sign[1] else sign[2], css)
