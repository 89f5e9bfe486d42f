#!/usr/bin/env python3
"""Make the math font from the original STIX Two Math.

    python assets/math-font/subset.py STIXTwoMath-Regular.otf

Writes PNMath.otf beside this script: the same bytes on each run with the same fontTools
and math-core. Each page carries what its formulas need of it.

The original is STIX Two Math 2.12 b168 (OTF, SIL Open Font License 1.1, see OFL.txt) as
in the Debian package texlive-fonts-extra 2022.20230122-4:

    apt-get download texlive-fonts-extra
    dpkg --fsys-tarfile texlive-fonts-extra_*.deb | tar -xO --wildcards \\
        '*/stix2-otf/STIXTwoMath-Regular.otf' > STIXTwoMath-Regular.otf

Needs ``pip install fonttools`` and the dependencies of paper-notes. The result is
a modified version and so bears another name, "PN Math". What differs from the original:

* only the characters below; UNITS units to the em instead of 1000: numbers of one byte, and
  each page carries them; only roots keep their hints: without, their pieces miss the bar by
  a pixel or two;
* no GSUB and GPOS: browsers take size variants and assemblies from the MATH table;
* primes are the script-size forms, as they always stand in a superscript and Chromium
  does not apply ``ssty``;
* accents that stand alone in ``<mo>`` are spacing glyphs: Chromium centres the advance,
  not the ink, and would put a combining mark at the right edge of its base;
* U+0332 (``\\overline``, ``\\underline``) is assembled to the exact width, "~" and U+02C7
  stretch like the combining tilde and caron (``\\widetilde``, ``\\widecheck``);
* the connectors of the right arrowhead are no longer swapped, so that arrows stretch;
* the ladders of delimiter sizes have fewer steps; where an assembly fits, it takes over;
* U+FE01 selects the roundhand script capitals (``\\mathscr``).
"""

from __future__ import annotations

import argparse
import hashlib
import io
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from fontTools.cffLib import FDArrayIndex, FDSelect, FontDict
from fontTools.misc.roundTools import otRound
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.roundingPen import RoundingPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.ttLib.tables import otTables
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
from math_core import LatexError, LatexToMathML

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from paper_notes.render.theme.fonts import FAMILY, ITALIC, math_characters  # noqa: E402

SHA256 = "95bc2729e41faf93b0bcae9e96c4dc4da45855067fd0581e621e30734fe8d90b"
UNITS = 500
BAR_WIDTH = 250

SCRIPT_CAPITALS = "𝒜ℬ𝒞𝒟ℰℱ𝒢ℋℐ𝒥𝒦ℒℳ𝒩𝒪𝒫𝒬ℛ𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵"
PRIMES = "′″‴‵‶‷⁗"
LONE_ACCENTS = "\u0302\u0303\u0332\u20d7\u20db\u20dc"
CHANCERY, ROUNDHAND = 0xFE00, 0xFE01

COMMON = (
    # Spaces, invisible operators, ASCII, Latin-1 signs, upright Greek.
    "\u00a0\u2002\u2003\u2004\u2009\u200b\u205f\u2061\u2062\u2063\u2064"
    + "".join(map(chr, range(0x20, 0x7F)))
    + "¬±×÷·°§´¨¯ıȷ"
    + "ΓΔΘΛΞΠΣΥΦΨΩ"
    # Alphabets: italic, bold, bold italic, script, double-struck; Fraktur in part.
    + "".join(map(chr, (*range(0x1D434, 0x1D455), *range(0x1D456, 0x1D468), 0x210E, 0x1D6A4, 0x1D6A5)))
    + "".join(map(chr, range(0x1D6FC, 0x1D71C)))
    + "".join(map(chr, (*range(0x1D400, 0x1D434), *range(0x1D7CE, 0x1D7D8))))
    + "".join(map(chr, range(0x1D468, 0x1D49C)))
    + "𝜶𝜷𝜸𝜹𝜺𝜻𝜼𝜽𝜿𝝀𝝁𝝂𝝃𝝅𝝆𝝈𝝉𝝋𝝌𝝍𝝎𝝐𝝓"
    + SCRIPT_CAPITALS
    + "𝔸𝔹ℂ𝔻𝔼𝔽𝔾ℍ𝕀𝕁𝕂𝕃𝕄ℕ𝕆ℙℚℝ𝕊𝕋𝕌𝕍𝕎𝕏𝕐ℤ𝟙"
    + "ℑℜ𝔞𝔟𝔤𝔥𝔩𝔪𝔫𝔬𝔭𝔮𝔰𝔲"
    + "ℓℏ℘ℵ"
    # Operators and relations.
    + "∀∂∃∅∇∈∉∋∏∐∑−∓∖∗∘∙√∝∞∠∣∤∥∧∨∩∪∫∬∭∮∴∵∶∼≃≅≈≉≐≔≜≟≠≡≢≤≥≦≧≪≫≮≯≰≱≲≳"
    + "≺≻≼≽⊂⊃⊄⊆⊇⊈⊊⊋⊎⊏⊑⊓⊔⊕⊖⊗⊘⊙⊠⊢⊣⊤⊥⊨⊩⊬⊭⊲⊳⊴⊵⋀⋁⋂⋃⋄⋅⋆⋈⋉⋊⋮⋯⋰⋱…"
    + "⨀⨁⨂⨆⩽⩾⪯⪰′″‴†•◦□■△▽◁▷♯∎"
    # Delimiters, accents, horizontal braces.
    + "⌈⌉⌊⌋⟨⟩⟦⟧‖"
    + "ˆ˜˙ˇ˘˚‾\u0302\u0303\u0304\u0332\u0338\u20d7\u20db"
    + "⏞⏟"
    # Arrows.
    + "←↑→↓↔↕↖↗↘↙⇐⇑⇒⇓⇔⇕↦↤↩↪⇀⇁↼↽⇌⟵⟶⟷⟸⟹⟺⟼↠⇄"
)
# What math-core makes in text, or authors in operator names; the rest is its mathematics.
EXTRA = "".join(map(chr, range(0xC0, 0x100))) + (
    "®¡¿ŁłŒœđŊŋ–—‘’“”\u0300\u0301\u0306\u0307\u0308\u030a\u030b\u030c\u0327"
)


def latex_samples(commands: Iterable[str]) -> Iterable[str]:
    """Every command by itself, with arguments, as a delimiter, negated; every alphabet."""
    forms = (
        r"\%s", r"a\%s b", r"\%s{a}", r"\%s{abc}{b}", r"\%s[a]{abc}",
        r"\left\%s a\right\%s", r"\big\%s", r"\not\%s ",
    )  # fmt: skip
    commands = list(commands)
    for name in commands:
        for form in forms:
            yield form.replace(r"\%s", "\\" + name)
    letters = [chr(c) for c in range(0x21, 0x7F) if chr(c) not in r"\{}$#%&^_~"]
    yield from letters
    letters += ["\\" + name for name in commands if len(name) < 11]
    alphabets = [name for name in commands if name.startswith("math") or name == "boldsymbol"]
    for outer in alphabets:
        for letter in letters:
            yield rf"\{outer}{{{letter}}}"
            yield rf"\boldsymbol{{\{outer}{{{letter}}}}}"
            yield rf"\{outer}{{\mathbf{{{letter}}}}}"
            yield rf"\{outer}{{\boldsymbol{{{letter}}}}}"
    for count in range(1, 8):
        yield "x" + "'" * count
    for name in ("p", "b", "B", "v", "V", ""):
        yield rf"\begin{{{name}matrix}}a&b\\c&d\end{{{name}matrix}}"
    for name in ("cases", "rcases", "aligned"):
        yield rf"\begin{{{name}}}a&b\\c&d\end{{{name}}}"


def math_core_characters() -> set[int]:
    """What math-core can put into a formula, the italics of browsers included."""
    commands = (HERE / "commands.txt").read_text("utf-8").split()
    converters = [
        LatexToMathML(
            fancy_error=False,
            allow_unreliable_rendering=True,
            unicode_substitution=substitution,
        )
        for substitution in ("conventional", "never")
    ]
    found: set[str] = set()
    for tex in latex_samples(commands):
        for converter in converters:
            try:
                mathml = converter.convert_with_local_state(tex, displaystyle=True)
            except LatexError:
                continue
            found |= math_characters(mathml)
    return {ord(c) for c in found}


def substitutions(font: TTFont, feature: str) -> dict[str, str]:
    """Glyph by glyph, the first replacement a GSUB feature offers."""
    table = font["GSUB"].table
    result: dict[str, str] = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == feature:
            for index in record.Feature.LookupListIndex:
                for subtable in table.LookupList.Lookup[index].SubTable:
                    if hasattr(subtable, "alternates"):
                        result |= {g: a[0] for g, a in subtable.alternates.items()}
                    else:
                        result |= subtable.mapping
    return result


def set_character_map(font: TTFont) -> None:
    """One Unicode subtable with script-size primes, one for variation sequences."""
    ssty, ss01 = substitutions(font, "ssty"), substitutions(font, "ss01")
    cmap = dict(font.getBestCmap())
    for prime in PRIMES:
        cmap[ord(prime)] = ssty[cmap[ord(prime)]]
    unicode_map = CmapSubtable.newSubtable(12)
    unicode_map.platformID, unicode_map.platEncID, unicode_map.language = 3, 10, 0
    unicode_map.cmap = cmap
    original = next(t for t in font["cmap"].tables if t.format == 14).uvsDict
    slashed_zero = next(pair for pair in original[CHANCERY] if pair[0] == 0x2205)
    capitals = [ord(c) for c in SCRIPT_CAPITALS]
    sequences = {CHANCERY: [slashed_zero, *((c, None) for c in capitals)]}
    sequences[ROUNDHAND] = [(c, ss01[cmap[c]]) for c in capitals]
    variations = CmapSubtable.newSubtable(14)
    variations.platformID, variations.platEncID, variations.language = 0, 5, 0xFF
    variations.cmap, variations.uvsDict = {}, sequences
    font["cmap"].tables = [variations, unicode_map]


def least_assembly(construction: Any) -> int:
    """The size of a glyph assembly without its extenders."""
    parts = [p for p in construction.GlyphAssembly.PartRecords if not p.PartFlags & 1]
    overlap = sum(min(a.EndConnectorLength, b.StartConnectorLength) for a, b in pairwise(parts))
    return sum(p.FullAdvance for p in parts) - overlap


def thin_ladders(variants: Any) -> None:
    """Of the dozen sizes of a delimiter keep those of ``\\big`` to ``\\Bigg``, then assemble."""
    for construction in variants.VertGlyphConstruction:
        ladder = construction.MathGlyphVariantRecord
        if len(ladder) > 7:
            ladder = [record for i, record in enumerate(ladder) if i < 4 or i % 2 == 1]
            if construction.GlyphAssembly is not None:
                limit = max(2700, least_assembly(construction))
                ladder = [record for record in ladder if record.AdvanceMeasurement < limit]
            construction.MathGlyphVariantRecord = ladder
            construction.VariantCount = len(ladder)


def set_horizontal_stretching(font: TTFont) -> None:
    """Exact bars from U+0332, sizes for the plain tilde and caron, sound arrowheads."""
    variants = font["MATH"].table.MathVariants
    glyphs = variants.HorizGlyphCoverage.glyphs
    table = dict(zip(glyphs, variants.HorizGlyphConstruction, strict=True))
    cmap = font.getBestCmap()

    bar = table[cmap[0x332]]
    bar.MathGlyphVariantRecord = bar.MathGlyphVariantRecord[:1]
    bar.MathGlyphVariantRecord[0].AdvanceMeasurement = BAR_WIDTH + 1
    bar.VariantCount = 1
    for part in bar.GlyphAssembly.PartRecords:
        part.glyph = cmap[0x332]
        part.StartConnectorLength = part.EndConnectorLength = BAR_WIDTH * 4 // 5
        part.FullAdvance = BAR_WIDTH + 1

    for construction in table.values():
        if construction.GlyphAssembly is not None:
            for part in construction.GlyphAssembly.PartRecords[-1:]:
                if part.StartConnectorLength == 0:
                    connectors = part.StartConnectorLength, part.EndConnectorLength
                    part.EndConnectorLength, part.StartConnectorLength = connectors

    vector = table[cmap[0x20D7]]
    vector.MathGlyphVariantRecord = vector.MathGlyphVariantRecord[:2]
    vector.VariantCount = 2

    for plain, combining in ((0x7E, 0x303), (0x2C7, 0x30C)):
        first = otTables.MathGlyphVariantRecord()
        first.VariantGlyph = cmap[plain]
        first.AdvanceMeasurement = font["hmtx"][cmap[plain]][0] + 1
        larger = table[cmap[combining]].MathGlyphVariantRecord[1:]
        construction = otTables.MathGlyphConstruction()
        construction.GlyphAssembly = None
        construction.MathGlyphVariantRecord = [first, *larger]
        construction.VariantCount = len(larger) + 1
        table[cmap[plain]] = construction

    variants.HorizGlyphCoverage.glyphs = sorted(table, key=font.getGlyphID)
    variants.HorizGlyphConstruction = [table[g] for g in variants.HorizGlyphCoverage.glyphs]
    variants.HorizGlyphCount = len(table)


def radical_glyphs(font: TTFont) -> set[str]:
    """The pieces of roots: without their hints they miss the bar by a pixel or two."""
    variants, cmap = font["MATH"].table.MathVariants, font.getBestCmap()
    roots = {cmap[code] for code in (0x221A, 0x221B, 0x221C) if code in cmap}
    pieces = set()
    covered = variants.VertGlyphCoverage.glyphs
    for name, construction in zip(covered, variants.VertGlyphConstruction, strict=True):
        if name in roots:
            pieces |= {record.VariantGlyph for record in construction.MathGlyphVariantRecord}
            pieces |= {part.glyph for part in construction.GlyphAssembly.PartRecords}
    return pieces


def redraw(font: TTFont) -> None:
    """Outlines as they will be scaled, no widths in them; lone accents as spacing glyphs."""
    glyph_set, metrics, cmap = font.getGlyphSet(), font["hmtx"], font.getBestCmap()
    grid = 1000 // UNITS
    accents = {cmap[ord(c)] for c in LONE_ACCENTS if ord(c) in cmap}
    charstrings = font["CFF "].cff.topDictIndex[0].CharStrings
    programs = {}
    for name in set(font.getGlyphOrder()) - radical_glyphs(font):
        drawing = RecordingPen()
        glyph_set[name].draw(drawing)
        if name in accents:
            bounds = ControlBoundsPen(None)
            drawing.replay(bounds)
            left, bottom, right, top = bounds.bounds
            metrics[name] = (round(right - left), 0)
            if name == cmap[0x332]:
                metrics[name] = (BAR_WIDTH, 0)
                left, drawing = 0, rectangle(BAR_WIDTH, bottom, top)
            drawing, moved = RecordingPen(), drawing
            moved.replay(TransformPen(drawing, (1, 0, 0, 1, -left, 0)))
        pen = T2CharStringPen(None, None)
        drawing.replay(RoundingPen(pen, lambda value: grid * otRound(value / grid)))
        programs[name] = pen.getCharString().program
    for name, program in programs.items():
        charstrings[name].program, charstrings[name].bytecode = program, None

    # Without GDEF classes HarfBuzz goes by Unicode and takes the advance off again.
    font["GDEF"] = newTable("GDEF")
    font["GDEF"].table = gdef = otTables.GDEF()
    gdef.Version = 0x00010000
    gdef.AttachList = gdef.LigCaretList = gdef.MarkAttachClassDef = None
    gdef.GlyphClassDef = otTables.GlyphClassDef()
    gdef.GlyphClassDef.classDefs = dict.fromkeys(sorted(accents), 1)

    attachment = font["MATH"].table.MathGlyphInfo.MathTopAccentAttachment
    glyphs, values = attachment.TopAccentCoverage.glyphs, attachment.TopAccentAttachment
    pairs = [pair for pair in zip(glyphs, values, strict=True) if pair[0] not in accents]
    attachment.TopAccentCoverage.glyphs = [glyph for glyph, _ in pairs]
    attachment.TopAccentAttachment = [value for _, value in pairs]
    attachment.TopAccentAttachmentCount = len(pairs)


def rectangle(width: int, bottom: float, top: float) -> RecordingPen:
    """The drawing of a bar that starts at the origin."""
    pen = RecordingPen()
    pen.moveTo((0, bottom))
    for point in ((width, bottom), (width, top), (0, top)):
        pen.lineTo(point)
    pen.closePath()
    return pen


def drop_glyph_names(font: TTFont) -> None:
    """Make the CFF table CID-keyed: names and texts would cost two kilobytes."""
    top = font["CFF "].cff.topDictIndex[0]
    order, charstrings, private = font.getGlyphOrder(), top.CharStrings, top.Private
    numbered = [".notdef", *(f"cid{i:05d}" for i in range(1, len(order)))]
    outlines = {new: charstrings[old] for new, old in zip(numbered, order, strict=True)}
    for outline in outlines.values():
        outline.fdSelectIndex = 0

    part = FontDict()
    part.strings, part.Private, part.FontName = top.strings, private, "PNMath"
    parts = FDArrayIndex()
    parts.append(part)
    select = FDSelect()
    select.format, select.gidArray = 3, [0] * len(order)
    charstrings.charStringsAreIndexed, charstrings.charStrings = 0, outlines
    charstrings.fdArray, charstrings.fdSelect = parts, select

    kept = {"FontBBox", "charset", "CharStrings"}
    for key in [*top.rawDict]:
        if key not in kept:
            del top.rawDict[key]
            top.__dict__.pop(key, None)
    top.order = ("ROS", *(key for key in top.order if key != "ROS"))
    top.ROS, top.CIDCount = ("Adobe", "Identity", 0), len(order)
    top.FDArray, top.FDSelect, top.charset = parts, select, numbered
    font["CFF "].cff.fontNames = ["PNMath"]


def rename(font: TTFont) -> None:
    """The new name; copyright and licence stay, as pages carry the font by itself."""
    names = font["name"]
    version = names.getDebugName(5)
    kept = {i: names.getDebugName(i) for i in (0, 13, 14)}
    new = {
        1: FAMILY,
        2: "Regular",
        3: f"{version};PNMath",
        4: FAMILY,
        5: f"{version}; modified",
        6: "PNMath-Regular",
    }
    names.names = []
    for name_id, text in sorted((kept | new).items()):
        names.setName(text, name_id, 3, 1, 0x409)


def build(original: bytes, characters: set[int]) -> bytes:
    """The font with these characters."""
    font = TTFont(io.BytesIO(original), recalcTimestamp=False, recalcBBoxes=False)
    math = font["MATH"].table
    set_horizontal_stretching(font)
    set_character_map(font)
    thin_ladders(math.MathVariants)
    math.MathGlyphInfo.MathKernInfo = None

    options = Options()
    options.layout_features = []
    options.hinting = True
    options.desubroutinize = True
    options.notdef_outline = True
    options.name_IDs = ["*"]
    options.drop_tables += ["GDEF", "GPOS", "GSUB", "DSIG"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters | {CHANCERY})
    subsetter.subset(font)

    redraw(font)
    drop_glyph_names(font)
    rename(font)
    scale_upem(font, UNITS)
    font["head"].flags |= 1 << 11  # it goes through WOFF2
    output = io.BytesIO()
    font.save(output)
    return output.getvalue()


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the math font.")
    parser.add_argument("original", type=Path, help="STIXTwoMath-Regular.otf")
    parser.add_argument("--output", type=Path, default=HERE, help="folder (default: here)")
    arguments = parser.parse_args()
    original = arguments.original.read_bytes()
    if hashlib.sha256(original).hexdigest() != SHA256:
        print("warning: not the STIX Two Math that PNMath.otf was made from", file=sys.stderr)

    available = set(TTFont(io.BytesIO(original)).getBestCmap())
    wanted = {ord(c) for c in COMMON + EXTRA + "".join(ITALIC.values())} | math_core_characters() | {ROUNDHAND}
    for character in sorted(wanted - available - {CHANCERY, ROUNDHAND}):
        print(f"warning: the original has no U+{character:04X}", file=sys.stderr)
    data = build(original, wanted)
    (arguments.output / "PNMath.otf").write_bytes(data)
    print(f"{len(data):,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
