"""The math font of a page, subset to the characters that its formulas show.

The full font is made in advance by `assets/math-font/subset.py`.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from paper_notes.engine.cache import Cache, pack, unpack
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape

FAMILY = "PN Math"

# Comments, scripts and styles are matched first so that "<math" inside them is skipped.
_MATH = regex(
    r"<!--.*?-->|<(script|style|textarea)\b.*?</\1\s*>"
    r"|<math\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*>(?P<body>.*?)</math\s*>",
    re.DOTALL | re.IGNORECASE,
)
_ANNOTATION = regex(r"<(annotation(?:-xml)?)\b[^>]*(?<!/)>.*?</\1\s*>", re.DOTALL)
_IDENTIFIER = regex(r"<mi\b([^>]*)>([^<]*)</mi\s*>")
_UPRIGHT = regex(r"\bmathvariant\s*=\s*[\"']?normal\b", re.IGNORECASE)
_TAG = regex(r"<[^>]*>")
_ROOT = regex(r"<m(?:sqrt|root)\b")


_ITALICS = (0x210E, *range(0x1D434, 0x1D468), 0x1D6A4, 0x1D6A5, *range(0x1D6E2, 0x1D71C))
ITALIC: Mapping[str, str] = {
    chr(int(plain, 16)): chr(italic)
    for italic in _ITALICS
    for plain in unicodedata.decomposition(chr(italic)).removeprefix("<font>").split()
}
"""The ``text-transform: math-auto`` mapping of MathML Core."""


_FACES = 256
"""Rules that a process remembers."""
_KEPT_FACES = 32
"""Those of so many pages are kept from run to run: whoever writes builds the same few pages again and again."""


@dataclass(frozen=True)
class MathFont:
    """The math font: OpenType with CFF outlines and a MATH table."""

    data: bytes
    faces: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The rules made so far, by their characters. That of no characters holds all that the font has."""

    @property
    def characters(self) -> frozenset[str]:
        """Characters that the font has."""
        if "" not in self.faces:
            from paper_notes.render.theme.font_subset import characters_of  # loads HarfBuzz, see `kept`

            self.faces[""] = characters_of(self.data)
        return frozenset(self.faces[""])

    def subset(self, characters: frozenset[str]) -> bytes:
        """The font with the glyphs of these characters, with their larger sizes and parts for stretching, as WOFF2.

        A letter of which only the italic is shown has the glyph of that: Chromium measures the box of the italic one
        by the letter as it is written, and the bar of a root is detached from its sign if a font has only one of them.
        """
        from paper_notes.render.theme.font_subset import subset

        italics = {plain: ITALIC[plain] for plain in ITALIC.keys() - characters if ITALIC[plain] in characters}
        return subset(self.data, characters, italics)

    @contextmanager
    def kept(self, cache: Cache) -> Iterator[None]:
        """Take rules from the cache, and keep there the latest: HarfBuzz alone takes as long to import as a page."""
        name = f"math-font/{hashlib.sha256(self.data).hexdigest()}"
        before = cache.get(name) or b""
        for characters, rule in (unpack(dict[str, str], before) or {}).items():
            self.faces.setdefault(characters, rule)
        yield
        latest = sorted(key for key in list(self.faces)[-_KEPT_FACES:] if key)
        if latest and (now := pack({key: self.faces[key] for key in ("", *latest)})) != before:
            cache.put(name, now)


def math_characters(html: str) -> frozenset[str]:
    """The characters the math font has to show on this page.

    A single letter in `<mi>` counts as its mathematical italic, as browsers draw it. Annotations are not shown.
    """
    characters: set[str] = set()
    for body in dict.fromkeys(match["body"] for match in _MATH.finditer(html)):
        math = _ANNOTATION.sub("", body or "")
        for attributes, content in _IDENTIFIER.findall(math):
            characters.update(_shown(attributes, content))
        rest = unescape(_TAG.sub("", _IDENTIFIER.sub("", math)))
        characters.update(rest)
        if not rest.isascii():
            characters.update(unicodedata.normalize("NFC", rest))  # browsers compose combining strokes
        if _ROOT.search(math):
            characters.add("√")
    if "-" in characters:
        characters.add("−")  # browsers show a hyphen as operator like this
    return frozenset(characters)


def _shown(attributes: str, content: str) -> str:
    """The text of an identifier: of a single letter the italic that browsers show for it."""
    text = unescape(content)
    return text if _UPRIGHT.search(attributes) else ITALIC.get(text.strip(), text)


def font_face(html: str, font: MathFont) -> str:
    """The `@font-face` rule with the subset for the page's formulas; empty if there are none."""
    characters = math_characters(html) & font.characters if "<math" in html else frozenset()
    if not characters:
        return ""
    key = "".join(sorted(characters))
    rule = font.faces.pop(key, "") or _font_face(characters, font)
    if len(font.faces) > _FACES:
        font.faces.pop(next(known for known in font.faces if known))
    font.faces[key] = rule  # behind all others, as the latest
    return rule


def _font_face(characters: frozenset[str], font: MathFont) -> str:
    data = base64.b64encode(font.subset(characters | {" "})).decode("ascii")
    return (
        f'@font-face{{font-family:"{FAMILY}";'
        f'src:url(data:font/woff2;base64,{data}) format("woff2");'
        "font-display:block}"
    )
