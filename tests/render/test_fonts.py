"""The math font: its subset for a page, its coverage, its licence."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from math_core import LatexError, LatexToMathML

from paper_notes.engine.cache import Cache
from paper_notes.render.theme import font_subset, fonts

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "math-font"
FONT = fonts.MathFont((FOLDER / "PNMath.otf").read_bytes())

ORDINARY = [
    r"\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}",
    r"\sum_{n\ge 1} \frac1{n^2},\ \prod_p (1-p^{-s})^{-1},\ \lim_{h\to 0} f'(x+h)",
    r"\left\lVert \begin{pmatrix} a & b \\ c & d \end{pmatrix} \right\rVert \le \hat h",
    r"f(x) = \begin{cases} \alpha & x \in \mathbb{R} \\ \Gamma & x \notin \mathcal{L} \end{cases}",
    r"\overline{abc}\ \vec v\ \widehat{xyz}\ \underbrace{a+\cdots+z}_{26}\ \dot q\ \tilde y",
    r"A \xrightarrow{f} B \iff \forall \epsilon > 0\ \exists \delta: \mathbf{x}^\top \boldsymbol\theta",
    r"\mathfrak{g} \supset \mathfrak{sl}_n,\ \langle u, v\rangle \oplus \nabla\cdot \partial_t \hbar \ell",
]


def mathml(tex: str) -> str:
    return LatexToMathML(fancy_error=False).convert_with_local_state(tex, displaystyle=True)


def carried(html: str) -> TTFont:
    """The font that a page embeds."""
    rule = fonts.font_face(html, FONT)
    head, tail = (
        '@font-face{font-family:"PN Math";src:url(data:font/woff2;base64,',
        ') format("woff2");font-display:block}',
    )
    assert rule.startswith(head)
    assert rule.endswith(tail)
    return TTFont(io.BytesIO(base64.b64decode(rule.removeprefix(head).removesuffix(tail))))


def test_licence_is_kept_and_the_name_is_new() -> None:
    text = (FOLDER / "OFL.txt").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in text
    assert "STIX Fonts Project Authors" in text
    assert "STIX" not in fonts.FAMILY
    names = carried("<math><mi>x</mi></math>")["name"]
    assert names.getDebugName(1) == fonts.FAMILY
    assert "STIX Fonts Project Authors" in names.getDebugName(0)
    assert "Open Font License" in names.getDebugName(13)


@pytest.mark.parametrize("tex", ORDINARY)
def test_a_page_carries_the_glyphs_of_its_formulas_only(tex: str) -> None:
    page = f"<p>{mathml(tex)}</p>"
    needed = fonts.math_characters(page) - {"\ufe00", "\n"}  # the one selects what is shown anyway
    assert needed <= FONT.characters
    font = carried(page)
    plain = {letter for letter, italic in fonts.ITALIC.items() if italic in needed}
    assert {chr(code) for code in font.getBestCmap()} == needed | plain | {" "}
    whole, names = TTFont(io.BytesIO(FONT.data)), font.getBestCmap()
    for direction in ("VertGlyphConstruction", "HorizGlyphConstruction"):
        for code, name in names.items():
            there = of_glyph(whole, direction, whole.getBestCmap()[code])
            assert len(of_glyph(font, direction, name)) == len(there), f"the sizes of U+{code:04X}"


def of_glyph(font: TTFont, direction: str, name: str) -> list[object]:
    """The sizes of a glyph, and the parts that it is assembled from."""
    variants = font["MATH"].table.MathVariants
    covered = getattr(variants, direction.replace("Construction", "Coverage"))
    for glyph, construction in zip(covered.glyphs if covered else (), getattr(variants, direction), strict=True):
        if glyph == name:
            assembly = construction.GlyphAssembly
            return [*construction.MathGlyphVariantRecord, *(assembly.PartRecords if assembly else ())]
    return []


def test_what_is_shown_but_not_written_is_carried() -> None:
    assert fonts.math_characters("<math><msqrt><mn>2</mn></msqrt></math>") == {"√", "2"}
    assert fonts.math_characters("<math><mo>-</mo></math>") == {"-", "−"}
    assert fonts.math_characters("<math><mo>=\u0338</mo></math>") == {"=", "\u0338", "≠"}
    roundhand = next(table for table in carried(mathml(r"\mathscr{A}"))["cmap"].tables if table.format == 14)
    assert [[code for code, _ in pairs] for pairs in roundhand.uvsDict.values()] == [[ord("𝒜")]]


def test_the_font_covers_all_that_math_core_makes() -> None:
    converter = LatexToMathML(fancy_error=False, allow_unreliable_rendering=True)
    commands = (FOLDER / "commands.txt").read_text("utf-8").split()
    made: set[str] = set()
    failed = 0
    for command in commands:
        for form in ("\\{}", "\\{}{{a}}", "\\{}{{a}}{{b}}", "\\not\\{}", "\\boldsymbol{{\\{}}}"):
            try:
                html = converter.convert_with_local_state(form.format(command), displaystyle=True)
            except LatexError:
                failed += 1
                continue
            made |= fonts.math_characters(html)
    assert failed < 3 * len(commands)
    assert len(made) > 600
    assert not made - FONT.characters


def test_a_lone_letter_is_italic_unless_upright() -> None:
    assert fonts.math_characters("<math><mi>h</mi><mi>x</mi></math>") == set("ℎ𝑥")
    assert fonts.math_characters("<math><mi>&alpha;</mi></math>") == set("𝛼")
    assert fonts.math_characters('<math><mi mathvariant="normal">x</mi></math>') == {"x"}
    assert fonts.math_characters("<math><mi>sin</mi><mn>1</mn></math>") == set("sin1")
    assert fonts.ITALIC["\u03c9"] == "\U0001d714"
    assert fonts.ITALIC["\u03a9"] == "\U0001d6fa"
    assert set(fonts.ITALIC.values()) <= FONT.characters


def test_a_letter_that_is_italic_everywhere_has_no_upright_glyph() -> None:
    font = carried(mathml(r"\mathscr{A}") + "<math><mi>x</mi><mi>h</mi><mi>q</mi><mi>aq</mi></math>")
    glyphs = font.getBestCmap()
    assert glyphs[ord("x")] == glyphs[ord("𝑥")]
    assert glyphs[ord("h")] == glyphs[ord("ℎ")]
    assert glyphs[ord("q")] != glyphs[ord("𝑞")]
    assert len(font.getGlyphOrder()) == len({*glyphs.values()}) + 2, ".notdef, and the other form of 𝒜"
    roundhand = next(table for table in font["cmap"].tables if table.format == 14)
    assert [[code for code, _ in pairs] for pairs in roundhand.uvsDict.values()] == [[ord("𝒜")]]


def test_only_mathematics_counts() -> None:
    page = (
        '<p title="a">\u4e2d</p><!-- <math><mo>\u2a0c</mo></math> --><script>"<math>"</script>'
        '<math alttext="1 > 0"><mo stretchy="false">&lt;</mo><mo>&InvisibleTimes;</mo>\n'
        "<mtext>\u6587 caf\u00e9</mtext><mtext/><mo>+</mo>"
        '<annotation encoding="application/x-tex">\\alpha</annotation></math><p>z</p>'
    )
    assert fonts.math_characters(page) == set("<+\n\u2062\u6587 caf\u00e9")


def test_a_page_without_mathematics_has_no_font() -> None:
    assert fonts.font_face("<p>x</p><script>'<math></math>'</script>", FONT) == ""


def test_what_the_font_has_not_is_left_to_other_fonts() -> None:
    page = "<math><mi>\u4e2d\u6587</mi><mi>x</mi></math>"
    assert {chr(code) for code in carried(page).getBestCmap()} == set(" x𝑥")


def test_the_rule_depends_on_the_characters_only_and_ends_no_element() -> None:
    first, again = (fonts.font_face(f"<math><mi>x</mi>{more}</math>", FONT) for more in ("<mn>1</mn>", "<mi>1</mi>"))
    assert first == again
    assert "</" not in first


def test_the_whole_font_stretches() -> None:
    font = TTFont(io.BytesIO(FONT.data))
    variants = font["MATH"].table.MathVariants
    names = font.getBestCmap()
    for stretchy in "()[]{}|\u221a\u2211\u222b\u2191\u27e8\u230a":
        assert names[ord(stretchy)] in variants.VertGlyphCoverage.glyphs
    for stretchy in "\u0302\u0303\u0332\u203e\u20d7\u2190\u2192\u21d2\u23de\u23df":
        assert names[ord(stretchy)] in variants.HorizGlyphCoverage.glyphs
    overlap = variants.MinConnectorOverlap
    for construction in (*variants.VertGlyphConstruction, *variants.HorizGlyphConstruction):
        if construction.GlyphAssembly is not None:
            parts = construction.GlyphAssembly.PartRecords
            for left, right in pairwise(parts):
                assert min(left.EndConnectorLength, right.StartConnectorLength) >= overlap


def test_rules_of_the_latest_pages_are_kept_from_run_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[str]()

    def noted(name: str, function: Callable[..., object]) -> Callable[..., object]:
        return lambda *given: made.append(name) or function(*given)

    for name in ("characters_of", "subset"):
        monkeypatch.setattr(font_subset, name, noted(name, getattr(font_subset, name)))
    monkeypatch.setattr(fonts, "_FACES", 4)
    monkeypatch.setattr(fonts, "_KEPT_FACES", 2)

    def rules(*pages: str) -> list[str]:
        font = fonts.MathFont(FONT.data)
        with closing(Cache(tmp_path / "cache.sqlite")) as cache, font.kept(cache):
            found = [fonts.font_face(f"<math><mn>{page}</mn></math>", font) for page in pages]
        assert len(font.faces) <= 5
        return found

    first = rules(*"1234567")
    assert made == ["characters_of", *["subset"] * 7]
    assert rules("7", "6", "7") == [first[6], first[5], first[6]]
    assert len(made) == 8, "nothing is made again"
    assert rules("1", "7") == [first[0], first[6]]
    assert made[8:] == ["subset"], "what was not among the latest"
    assert rules("1", "7") == [first[0], first[6]]
    assert len(made) == 9
