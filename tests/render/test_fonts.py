"""The math font: coverage, choice of the tier, budget, licence."""

from __future__ import annotations

import base64
import io
from itertools import pairwise
from pathlib import Path

import pytest
from math_core import LatexError, LatexToMathML

from paper_notes.render import fonts

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "math-font"
FILES = {name: (FOLDER / name).read_bytes() for name in ("core.woff2", "core.txt", "full.woff2", "full.txt")}
TIERS = fonts.load_tiers(FILES)
CORE, FULL = TIERS

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


def face_of(tier: fonts.MathFont) -> str:
    return fonts.font_face("<math></math>", (tier,))


def test_budget() -> None:
    assert [tier.name for tier in TIERS] == ["core", "full"]
    assert len(base64.b64encode(CORE.data)) <= 60 * 1024
    assert len(base64.b64encode(FULL.data)) <= 130 * 1024


def test_licence_is_kept_and_the_name_is_new() -> None:
    text = (FOLDER / "OFL.txt").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in text
    assert "STIX Fonts Project Authors" in text
    assert "STIX" not in fonts.FAMILY


def test_core_is_part_of_full() -> None:
    assert CORE.characters < FULL.characters


@pytest.mark.parametrize("tex", ORDINARY)
def test_ordinary_mathematics_needs_core_only(tex: str) -> None:
    page = f"<p>{mathml(tex)}</p>"
    assert fonts.math_characters(page) <= CORE.characters
    assert fonts.font_face(page, TIERS) == face_of(CORE)


@pytest.mark.parametrize("tex", [r"\mathsf{A}", r"\mathscr{A}", r"\mathfrak{Z}", r"\gtreqqless"])
def test_rare_characters_need_full(tex: str) -> None:
    page = mathml(tex)
    assert not fonts.missing(page, TIERS)
    assert fonts.font_face(page, TIERS) == face_of(FULL)


def test_full_covers_all_that_math_core_makes() -> None:
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
    assert not made - FULL.characters


def test_a_lone_letter_is_italic_unless_upright() -> None:
    assert fonts.math_characters("<math><mi>h</mi><mi>x</mi></math>") == {"\u210e", "\U0001d465"}
    assert fonts.math_characters("<math><mi>&alpha;</mi></math>") == {"\U0001d6fc"}
    assert fonts.math_characters('<math><mi mathvariant="normal">x</mi></math>') == {"x"}
    assert fonts.math_characters("<math><mi>sin</mi><mn>1</mn></math>") == set("sin1")
    assert fonts.ITALIC["\u03c9"] == "\U0001d714"
    assert fonts.ITALIC["\u03a9"] == "\U0001d6fa"
    assert set(fonts.ITALIC.values()) <= FULL.characters


def test_only_mathematics_counts() -> None:
    page = (
        '<p title="a">\u4e2d</p><!-- <math><mo>\u2a0c</mo></math> --><script>"<math>"</script>'
        '<math alttext="1 > 0"><mo stretchy="false">&lt;</mo><mo>&InvisibleTimes;</mo>\n'
        "<mtext>\u6587 caf\u00e9</mtext><mtext/><mo>+</mo>"
        '<annotation encoding="application/x-tex">\\alpha</annotation></math><p>z</p>'
    )
    assert fonts.math_characters(page) == {"<", "+"}


def test_a_page_without_mathematics_has_no_font() -> None:
    assert fonts.font_face("<p>x</p><script>'<math></math>'</script>", TIERS) == ""
    assert fonts.font_face("<math><mi>x</mi></math>", ()) == ""


def test_what_no_tier_has_is_told_and_does_not_force_a_larger_font() -> None:
    page = "<math><mi>\u4e2d\u6587</mi><mi>x</mi></math>"
    assert fonts.missing(page, TIERS) == {"\u4e2d", "\u6587"}
    assert fonts.font_face(page, TIERS) == face_of(CORE)


def test_the_choice_does_not_depend_on_order() -> None:
    backwards = fonts.load_tiers(dict(reversed(FILES.items())))
    assert backwards == TIERS
    pages = [mathml(tex) for tex in ORDINARY]
    first = [fonts.font_face(page, TIERS) for page in pages]
    assert first == [fonts.font_face(page, backwards) for page in pages]
    rule = first[0]
    assert rule.startswith('@font-face{font-family:"PN Math";src:url(data:font/woff2;base64,')
    assert "</" not in rule


def test_a_bad_coverage_list_is_an_error() -> None:
    assert fonts.parse_ranges("# note\n0041-0043\n1D400 # bold A\n") == set("ABC\U0001d400")
    with pytest.raises(ValueError, match="code point range"):
        fonts.parse_ranges("U+41")
    with pytest.raises(ValueError, match=r"core\.txt"):
        fonts.load_tiers({"core.woff2": b""})


@pytest.mark.parametrize("tier", TIERS, ids=lambda tier: tier.name)
def test_the_font_files_are_as_listed(tier: fonts.MathFont) -> None:
    pytest.importorskip("brotli")
    font = pytest.importorskip("fontTools.ttLib").TTFont(io.BytesIO(tier.data))
    selectors = {"\ufe00", "\ufe01"}
    assert {chr(code) for code in font.getBestCmap()} - selectors == tier.characters - selectors
    assert font["name"].getDebugName(1) == fonts.FAMILY
    assert "Open Font License" in font["name"].getDebugName(13)
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
