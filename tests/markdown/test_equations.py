"""amsmath as people write it: its environments in both displays, with numbers, labels and references."""

from __future__ import annotations

import re
from contextlib import suppress
from xml.etree import ElementTree

import pytest
from fixtures import body
from running import EXAMPLES, PROJECT

from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.markdown.math.lines import with_breaks

ALIGNED = ["align", "align*", "aligned", "split", "flalign", "flalign*", "alignat{2}", "alignat*{2}", "alignedat{2}"]
CENTRED = ["gather", "gather*", "gathered", "multline", "multline*", "equation", "equation*"]
MATRICES = ["matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "psmallmatrix"]
OTHERS = ["cases", "dcases", "rcases", "cases*", "pmatrix*[r]", "array[t]{cc}", "array{|c|c|}", "subarray{c}"]
FORMULAS = [
    *[rf"\begin{{{name}}}{more} x &= 1 \\ y &= \frac{{a}}{{b}} \end{{{name}}}" for name, more in
      (re.fullmatch(r"([A-Za-z]+\*?)(.*)", name).groups() for name in [*ALIGNED, *MATRICES, *OTHERS])],  # type: ignore[union-attr]
    *[rf"\begin{{{name}}} x = 1 \\ y = 2 \end{{{name}}}" for name in CENTRED],
    *[rf"\begin{{{name}}} x &=& 1 \\ y &=& 2 \end{{{name}}}" for name in ("eqnarray", "eqnarray*")],
    r"\begin{equation}\begin{split} a &= 1 \\ &= 2 \end{split}\end{equation}",
    r"\begin{array}{|c|c|}\hline a & b \\[2pt] \hline\end{array}",
    r"\begin{multline} a \\ \shoveleft{b} \\ c \end{multline}".replace(r"\shoveleft", ""),
    r"\hspace{1cm} \hspace*{2pt} \hspace{-3mm} \kern1cm \mkern3mu \hskip 1em \quad \,",
    r"\alpha*x \* y \times* z",
    r"√2 + √x + √{a+b}, A^⊤, a ⊥ b, ∅, ∴ x",
    r"\mathop{\mathbb{E}}\limits_{x \sim p}^n f, \mathop{\arg\min}\limits_\theta L, \mathop{a}\nolimits_b",
    r"x_\text{if $x_{1}$, 5\$ and $\text{b $c$}$ 中文} = \mbox{$y$}",
    r"\mathop{\mathop{a}\limits_b}\limits_c",
    r"\accentset{\circ}{b} \underaccent{a}{b} \smash{x} \smash[b]{x} \overunderset{a}{b}{c} \boxed{x} \cfrac12",
    r"\operatorname*{arg\,max}_x \sum\limits_a^b \sideset{}{'}\sum \xrightarrow[a]{b} \overset{a}{b} \binom12",
    r"\iint \iiint \idotsint \dddot x \pmod{n} \bmod m \genfrac(){0pt}{}{1}{2} \dotsm \dotso",
]  # fmt: skip


def well_formed(html: str) -> None:
    ElementTree.fromstring(f"<p>{re.sub('&[A-Za-z]+;', '', html.replace('<wbr>', ''))}</p>")


@pytest.mark.parametrize("tex", FORMULAS)
@pytest.mark.parametrize("display", [True, False], ids=["display", "inline"])
def test_common_amsmath_is_well_formed_and_breaks_into_lines(tex: str, display: bool) -> None:
    made = with_breaks(mathml(tex, display=display), display=display)
    well_formed(made)
    assert "??" not in made


@pytest.mark.parametrize("name", ["align", "gather", "equation", "multline", "eqnarray", "alignat"])
def test_a_formula_in_a_line_of_text_is_never_as_wide_as_the_page(name: str) -> None:
    more = "{1}" if name == "alignat" else ""
    assert "%" not in mathml(rf"\begin{{{name}}}{more} x = 1 \end{{{name}}}", display=False)


PLACES = [
    (r"\begin{eqnarray} a &=& 1 \\ b &=& \foo \end{eqnarray}", True),
    (r"\begin{split} a \foo \end{split}", False),
    (r"√2 + ⊤ \foo", False),
    (r"\alpha*x \foo", False),
    (r"a \tag{1} \foo", True),
    (r"\begin{alignat}{2} a \label{x} \foo \end{alignat}", True),
    (r"\eqref{some long label} \foo", True),
    (r"\mathop{a}\limits_b \foo", True),
    (r"\text{if $x$ and $\foo$ else}", True),
]


@pytest.mark.parametrize(("tex", "display"), PLACES)
def test_a_mistake_in_what_was_rewritten_is_reported_where_it_was_written(tex: str, display: bool) -> None:
    with pytest.raises(TexProblem) as caught:
        mathml(tex, display=display)
    assert (caught.value.message, caught.value.offset) == ('Unknown command "\\foo"', tex.index("\\foo"))


def numbers(text: str) -> list[str]:
    """What the formulas of a note show beside them."""
    return re.findall(r"\((?:\d+|[A-Z′★])\)", re.sub(r"<[^>]*>", "", body(text)))


NUMBERED = [
    ("$$x \\tag{3}$$", ["(3)"]),
    ("$$x \\label{a}$$", ["(1)"]),
    (
        "$$\\begin{align} a \\\\ b \\notag \\\\ c \\end{align}$$\n\n$$\\begin{equation} d \\end{equation}$$",
        ["(1)", "(2)", "(3)"],
    ),
    ("$$\\begin{align*} a \\\\ b \\end{align*}$$", []),
    ("$$\\begin{align*} a \\tag{7} \\\\ b \\end{align*}$$", ["(7)"]),
    ("$$\\begin{aligned} a \\\\ b \\end{aligned} \\tag{A}$$", ["(A)"]),
    ("$$\\begin{split} a \\tag{1} \\\\ b \\tag{2} \\end{split}$$", ["(1)", "(2)"]),
    ("$$\\begin{align} a \\end{align} \\tag{9}$$\n\n$$b \\label{b}$$", ["(9)", "(1)"]),
    ("$$\\begin{gather} a \\tag*{(B)} \\\\ b \\end{gather}$$", ["(B)", "(1)"]),
    ("行内 $\\begin{align} a \\end{align}$", []),
    ("> 引 $$\\begin{gather} a \\end{gather}$$\n\n- $$b \\label{x}$$", ["(1)", "(2)"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NUMBERED)
def test_what_latex_would_number_is_numbered_through_the_text(text: str, expected: list[str]) -> None:
    assert numbers(text) == expected


COMMANDS = (PROJECT / "assets/math-font/commands.txt").read_text("utf-8").split()
FORMS = ["{0}", "{0}{{x}}{{y}} = 1", "{0} 1cm + \\sum{0}_a^b", "\\begin{{align}} x &= 1 {0}{{y}} \\end{{align}}"]
LONG = "+ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa = b"


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("form", FORMS)
def test_every_command_of_the_converter_is_a_formula_or_a_mistake(form: str) -> None:
    """In `make test` with half of the forms each."""
    for command in COMMANDS if EXAMPLES else COMMANDS[FORMS.index(form) % 2 :: 2]:
        for display in (True, False):
            with suppress(TexProblem):
                well_formed(with_breaks(mathml(form.format(f"\\{command}") + LONG, display=display), display=display))
