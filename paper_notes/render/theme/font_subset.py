"""The glyphs that a page needs of a font, packed for the web. Its libraries are slow to import: see `MathFont.kept`."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from functools import lru_cache

import brotli
import uharfbuzz

_KNOWN = (
    "cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX"
    " vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH"
)
_NUMBERS = {_KNOWN[place : place + 4].encode(): number for number, place in enumerate(range(0, len(_KNOWN), 5))}
"""Numbers of known tables, which are written instead of their names."""
QUALITY = 5
"""Quality of Brotli, up to 11: higher ones take 30 to 90 times as long and save a tenth at most."""


_NAMES = frozenset({0, 1, 2, 3, 4, 5, 6, 13, 14})
"""Ids of name records to keep: name, copyright and licence of the font."""


def characters_of(font: bytes) -> str:
    """The characters that a font has."""
    face = _face(font)
    return "".join(map(chr, sorted({*face.unicodes, *face.variation_selectors})))


def subset(font: bytes, characters: Iterable[str], same: Mapping[str, str]) -> bytes:
    """The font with the glyphs of these characters, with their larger sizes and parts for stretching, as WOFF2.

    `same` are further characters, each with the one of `characters` whose glyph it has.
    """
    wanted = uharfbuzz.SubsetInput()
    wanted.unicode_set.update(map(ord, characters))
    wanted.name_id_set.update(_NAMES)
    wanted.flags = uharfbuzz.SubsetFlags.NOTDEF_OUTLINE | uharfbuzz.SubsetFlags.NO_BIDI_CLOSURE
    face = uharfbuzz.subset(_face(font), wanted)
    return woff2(face.blob.data, {b"cmap": _cmap(face, same)} if same else {})


def _cmap(face: uharfbuzz.Face, same: Mapping[str, str]) -> bytes:
    """The table from characters to glyphs, with those of `same` as well; variations (platform 0), if any, as before."""
    glyph, before = uharfbuzz.Font(face).get_nominal_glyph, face.reference_table("cmap").data
    glyphs = {code: glyph(code) for code in face.unicodes} | {ord(own): glyph(ord(of)) for own, of in same.items()}
    groups = b"".join(struct.pack(">LLL", code, code, number) for code, number in sorted(glyphs.items()))
    table = struct.pack(">HHLLL", 12, 0, 16 + len(groups), 0, len(glyphs)) + groups
    count, platform, _, offset = struct.unpack_from(">HHHL", before, 2)
    varied = b"" if platform else struct.pack(">HHL", 0, 5, 4 + 8 * count + len(table))
    header = struct.pack(">HH", 0, count) + varied + struct.pack(">HHL", 3, 10, 4 + 8 * count)
    return header + table + (before[offset:] if varied else b"")


@lru_cache(maxsize=2)
def _face(font: bytes) -> uharfbuzz.Face:
    return uharfbuzz.Face(uharfbuzz.Blob(font))


def woff2(font: bytes, tables: Mapping[bytes, bytes]) -> bytes:
    """An OpenType font with CFF outlines, packed for the web, with `tables` instead of its own ones.

    No table is transformed: WOFF2 has transformations for TrueType's outlines only. Bit 11 of the font's `head.flags`
    should be set, which marks a font that was converted.
    """
    flavor, count = struct.unpack_from(">4sH", font)
    records = [struct.unpack_from(">4sLLL", font, 12 + 16 * number) for number in range(count)]
    contents = [(tag, tables.get(tag, font[offset : offset + length])) for tag, _, offset, length in records]
    directory, data = bytearray(), bytearray()
    for tag, content in contents:
        number = _NUMBERS.get(tag, 63)
        directory += bytes((number,)) + (tag if number == 63 else b"") + _base128(len(content))
        data += content
    packed: bytes = brotli.compress(bytes(data), mode=brotli.MODE_FONT, quality=QUALITY)
    size = 48 + len(directory) + len(packed)
    padding = -size % 4
    sfnt = 12 + 16 * count + sum(len(content) + -len(content) % 4 for _, content in contents)
    header = struct.pack(">4s4sLHHLLHH20x", b"wOF2", flavor, size + padding, count, 0, sfnt, len(packed), 1, 0)
    return header + bytes(directory) + packed + bytes(padding)


def _base128(number: int) -> bytes:
    """Seven bits in each byte, the highest first; all bytes but the last have the eighth bit set."""
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(number & 0x7F | 0x80)
    return bytes(reversed(digits))
