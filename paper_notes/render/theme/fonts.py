"""The math font of a page, subset to the characters that its formulas show.

The full font is made in advance by `assets/math-font/subset.py`.
"""

from __future__ import annotations

import base64
import html as html_module
import re
import struct
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import brotli
import uharfbuzz

FAMILY = "PN Math"

# Comments, scripts and styles are matched first so that "<math" inside them is skipped.
_MATH = re.compile(
    r"<!--.*?-->|<(script|style|textarea)\b.*?</\1\s*>"
    r"|<math\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*>(?P<body>.*?)</math\s*>",
    re.DOTALL | re.IGNORECASE,
)
_ANNOTATION = re.compile(r"<(annotation(?:-xml)?)\b[^>]*(?<!/)>.*?</\1\s*>", re.DOTALL)
_IDENTIFIER = re.compile(r"<mi\b([^>]*)>([^<]*)</mi\s*>")
_UPRIGHT = re.compile(r"\bmathvariant\s*=\s*[\"']?normal\b", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_ROOT = re.compile(r"<m(?:sqrt|root)\b")


_ITALICS = (0x210E, *range(0x1D434, 0x1D468), 0x1D6A4, 0x1D6A5, *range(0x1D6E2, 0x1D71C))
ITALIC: Mapping[str, str] = {
    chr(int(plain, 16)): chr(italic)
    for italic in _ITALICS
    for plain in unicodedata.decomposition(chr(italic)).removeprefix("<font>").split()
}
"""The ``text-transform: math-auto`` mapping of MathML Core."""


_NAMES = frozenset({0, 1, 2, 3, 4, 5, 6, 13, 14})
"""Ids of name records to keep: name, copyright and licence of the font."""


@dataclass(frozen=True)
class MathFont:
    """The math font: OpenType with CFF outlines and a MATH table."""

    data: bytes

    @cached_property
    def _face(self) -> uharfbuzz.Face:
        return uharfbuzz.Face(uharfbuzz.Blob(self.data))

    @cached_property
    def characters(self) -> frozenset[str]:
        """Characters that the font has."""
        return frozenset(map(chr, (*self._face.unicodes, *self._face.variation_selectors)))

    def subset(self, characters: Iterable[str]) -> bytes:
        """The font with the glyphs of these characters, with their larger sizes and parts for stretching, as WOFF2."""
        wanted = uharfbuzz.SubsetInput()
        wanted.unicode_set.update(map(ord, characters))
        wanted.name_id_set.update(_NAMES)
        wanted.flags = uharfbuzz.SubsetFlags.NOTDEF_OUTLINE | uharfbuzz.SubsetFlags.NO_BIDI_CLOSURE
        return woff2(uharfbuzz.subset(self._face, wanted).blob.data)


def math_characters(html: str) -> frozenset[str]:
    """The characters the math font has to show on this page.

    A single letter in `<mi>` counts as its mathematical italic too, as browsers draw it. Annotations are not shown.
    """
    characters: set[str] = set()
    for body in dict.fromkeys(match["body"] for match in _MATH.finditer(html)):
        math = _ANNOTATION.sub("", body or "")
        for attributes, content in _IDENTIFIER.findall(math):
            characters.update(_shown(attributes, content))
        rest = html_module.unescape(_TAG.sub("", _IDENTIFIER.sub("", math)))
        characters.update(rest)
        if not rest.isascii():
            characters.update(unicodedata.normalize("NFC", rest))  # browsers compose combining strokes
        if _ROOT.search(math):
            characters.add("√")
    if "-" in characters:
        characters.add("−")  # browsers show a hyphen as operator like this
    return frozenset(characters)


def _shown(attributes: str, content: str) -> str:
    """The text of an identifier, and the italic that browsers show for a single letter.

    The letter itself is needed, too: Chromium measures the box of the italic one by it, and the bar of a root is
    detached from its sign if a font has only one of them.
    """
    text = html_module.unescape(content)
    return text if _UPRIGHT.search(attributes) else text + ITALIC.get(text.strip(), "")


def font_face(html: str, font: MathFont) -> str:
    """The `@font-face` rule with the subset for the page's formulas; empty if there are none."""
    characters = math_characters(html) & font.characters if "<math" in html else frozenset()
    return _font_face(characters, font) if characters else ""


@lru_cache(maxsize=256)
def _font_face(characters: frozenset[str], font: MathFont) -> str:
    data = base64.b64encode(font.subset(characters | {" "})).decode("ascii")
    return (
        f'@font-face{{font-family:"{FAMILY}";'
        f'src:url(data:font/woff2;base64,{data}) format("woff2");'
        "font-display:block}"
    )


_KNOWN = (
    "cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX"
    " vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH"
)
_NUMBERS = {_KNOWN[place : place + 4].encode(): number for number, place in enumerate(range(0, len(_KNOWN), 5))}
"""Numbers of known tables, which are written instead of their names."""
QUALITY = 5
"""Quality of Brotli, up to 11: higher ones take 30 to 90 times as long and save a tenth at most."""


def woff2(font: bytes) -> bytes:
    """An OpenType font with CFF outlines, packed for the web.

    No table is transformed: WOFF2 has transformations for TrueType's outlines only. Bit 11 of the font's `head.flags`
    should be set, which marks a font that was converted.
    """
    flavor, count = struct.unpack_from(">4sH", font)
    records = [struct.unpack_from(">4sLLL", font, 12 + 16 * number) for number in range(count)]
    directory, data = bytearray(), bytearray()
    for tag, _, offset, length in records:
        number = _NUMBERS.get(tag, 63)
        directory += bytes((number,)) + (tag if number == 63 else b"") + _base128(length)
        data += font[offset : offset + length]
    packed: bytes = brotli.compress(bytes(data), mode=brotli.MODE_FONT, quality=QUALITY)
    size = 48 + len(directory) + len(packed)
    padding = -size % 4
    sfnt = 12 + 16 * count + sum(length + -length % 4 for *_, length in records)
    header = struct.pack(">4s4sLHHLLHH20x", b"wOF2", flavor, size + padding, count, 0, sfnt, len(packed), 1, 0)
    return header + bytes(directory) + packed + bytes(padding)


def _base128(number: int) -> bytes:
    """Seven bits in each byte, the highest first; all bytes but the last have the eighth bit set."""
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(number & 0x7F | 0x80)
    return bytes(reversed(digits))
