"""The math font a page carries: which characters it needs, which tier covers them.

The font files are made in advance by ``assets/math-font/subset.py``; nothing here
touches the disk or needs fontTools. Coverage is read from the range lists beside them.
"""

from __future__ import annotations

import base64
import html as html_module
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

FAMILY = "PN Math"

# Comments, scripts and styles are matched first so that "<math" inside them is skipped.
_MATH = re.compile(
    r"<!--.*?-->|<(script|style|textarea)\b.*?</\1\s*>"
    r"|<math\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*>(?P<body>.*?)</math\s*>",
    re.DOTALL | re.IGNORECASE,
)
# Text boxes take the font of the page; annotations are not shown.
_NOT_MATH = re.compile(r"<(mtext|annotation(?:-xml)?)\b[^>]*(?<!/)>.*?</\1\s*>", re.DOTALL)
_IDENTIFIER = re.compile(r"<mi\b([^>]*)>([^<]*)</mi\s*>")
_UPRIGHT = re.compile(r"\bmathvariant\s*=\s*[\"']?normal\b", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_RANGE = re.compile(r"([0-9A-F]{4,6})(?:-([0-9A-F]{4,6}))?")

# Spaces and invisible operators (U+2061 and so on) need no glyph.
_NO_GLYPH = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})


def _italic_map() -> dict[str, str]:
    """The ``text-transform: math-auto`` mapping of MathML Core."""
    pairs = {ord("A") + i: 0x1D434 + i for i in range(26)}
    pairs |= {ord("a") + i: 0x1D44E + i for i in range(26)}
    pairs |= {0x391 + i: 0x1D6E2 + i for i in range(25) if i != 17}
    pairs |= {0x3B1 + i: 0x1D6FC + i for i in range(25)}
    pairs |= {ord("h"): 0x210E, 0x131: 0x1D6A4, 0x237: 0x1D6A5, 0x3F4: 0x1D6F3}
    pairs |= {0x2207: 0x1D6FB, 0x2202: 0x1D715, 0x3F5: 0x1D716, 0x3D1: 0x1D717}
    pairs |= {0x3F0: 0x1D718, 0x3D5: 0x1D719, 0x3F1: 0x1D71A, 0x3D6: 0x1D71B}
    return {chr(plain): chr(italic) for plain, italic in pairs.items()}


ITALIC: Mapping[str, str] = _italic_map()


@dataclass(frozen=True)
class MathFont:
    """One tier of the math font: its WOFF2 bytes and the characters it can show."""

    name: str
    data: bytes
    characters: frozenset[str]


def parse_ranges(text: str) -> frozenset[str]:
    """Read a coverage list: code points or ranges in hexadecimal, ``#`` for comments."""
    characters: set[str] = set()
    for line in text.splitlines():
        entry = line.partition("#")[0].strip()
        if not entry:
            continue
        match = _RANGE.fullmatch(entry)
        if match is None:
            raise ValueError(f"not a code point range: {entry!r}")
        first = int(match[1], 16)
        last = int(match[2] or match[1], 16)
        characters.update(map(chr, range(first, last + 1)))
    return frozenset(characters)


def load_tiers(files: Mapping[str, bytes]) -> tuple[MathFont, ...]:
    """Pair each ``NAME.woff2`` with its ``NAME.txt``; the smallest font comes first."""
    tiers = []
    for filename, data in files.items():
        name, dot, suffix = filename.rpartition(".")
        if not dot or suffix != "woff2":
            continue
        if f"{name}.txt" not in files:
            raise ValueError(f"{filename} has no coverage list {name}.txt beside it")
        coverage = parse_ranges(files[f"{name}.txt"].decode("utf-8"))
        tiers.append(MathFont(name, data, coverage))
    return tuple(sorted(tiers, key=lambda tier: (len(tier.data), tier.name)))


def _bodies(html: str) -> Iterator[str]:
    """Yield what is between the tags of every math element of the page."""
    for match in _MATH.finditer(html):
        body: str | None = match["body"]
        if body is not None:
            yield body


def _shown(attributes: str, content: str) -> str:
    """The text of an identifier as the browser shows it: one lone letter is italic."""
    text = html_module.unescape(content)
    if _UPRIGHT.search(attributes):
        return text
    return ITALIC.get(text.strip(), text)


def math_characters(html: str) -> frozenset[str]:
    """The characters the math font has to show on this page.

    A single letter in ``<mi>`` counts as its mathematical italic, as browsers draw it.
    ``<mtext>`` is left out (it uses the font of the page, hence text in any language),
    as are annotations, spaces and invisible operators.
    """
    return _characters(_bodies(html))


def _characters(bodies: Iterable[str]) -> frozenset[str]:
    characters: set[str] = set()
    for body in bodies:
        math = _NOT_MATH.sub("", body)
        for attributes, content in _IDENTIFIER.findall(math):
            characters.update(_shown(attributes, content))
        rest = _TAG.sub("", _IDENTIFIER.sub("", math))
        characters.update(html_module.unescape(rest))
    return frozenset(c for c in characters if unicodedata.category(c) not in _NO_GLYPH)


def missing(html: str, tiers: Sequence[MathFont]) -> frozenset[str]:
    """The characters of the page's math that no tier can show."""
    return math_characters(html).difference(*(tier.characters for tier in tiers))


def choose(html: str, tiers: Sequence[MathFont]) -> MathFont | None:
    """The first tier that shows all that any tier can; none if the page has no math."""
    bodies = dict.fromkeys(_bodies(html)) if tiers and "<math" in html else {}
    if not bodies:
        return None
    shown = frozenset[str]().union(*(tier.characters for tier in tiers))
    needed = _characters(bodies) & shown
    return next((tier for tier in tiers if needed <= tier.characters), tiers[-1])


def font_face(html: str, tiers: Sequence[MathFont]) -> str:
    """The ``@font-face`` rule with the font the page needs, or an empty string."""
    tier = choose(html, tiers)
    if tier is None:
        return ""
    data = base64.b64encode(tier.data).decode("ascii")
    return (
        f'@font-face{{font-family:"{FAMILY}";'
        f'src:url(data:font/woff2;base64,{data}) format("woff2");'
        "font-display:block}"
    )
