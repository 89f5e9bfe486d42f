r"""Macros of TeX: `\newcommand` and its kin, written out in formulas."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paper_notes.macros import Macro, MacroProblem, definitions, written_out


def written(tex: str, **bodies: str) -> str:
    """The formula with all macros written out."""
    edits, _ = written_out(tex, {name: Macro.of(body) for name, body in bodies.items()})
    for start, end, new in reversed(edits):
        tex = tex[:start] + new + tex[end:]
    return " ".join(tex.split())


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\newcommand{\R}{\mathbb{R}} x \in \R^n", r"x \in \mathbb{R}^n"),
        (r"\newcommand\R{r}\alpha\R x", r"\alpha r x"),  # not \alphar
        (r"\newcommand{\a}{\alpha}\a x + \a", r"\alpha x + \alpha"),
        (r"\newcommand*{\f}[2]{\frac{#1}{#2}}\f{a}{b} + \f1\alpha", r"\frac{a}{b} + \frac{1}{\alpha}"),
        (r"\newcommand{\E}[2][p]{E_{#1}(#2)} \E{x} + \E[q]{y}", "E_{p}(x) + E_{q}(y)"),
        (r"\def\f#1#2{#2#1}\f ab", "ba"),
        (r"\let\x=\alpha\x y", r"\alpha y"),
        (r"\DeclareMathOperator*{\am}{arg\,max}\am_x", r"\operatorname*{arg\,max}_x"),
        (r"\renewcommand{\vec}[1]{\mathbf{#1}}\vec{x}", r"\mathbf{x}"),
        (r"\def\a{\b}\def\b{c}\a", "c"),  # what it stands for is looked up where it is used, as in TeX
        (r"\def\a{\{}\a x \}", r"\{x \}"),
        ("\\def\\a{b}\\a % \\a\n\\a", "b % \\a b"),
        ("\\newcommand {\\f} [2] [p] \n {#1-#2} \\f {x} + \\f [q] \n y", "p-x + q-y"),
        ("\\def \\f #1 {#1-} \\f {x} \\f y \\let \\x = y \\x", "x- y- y"),
    ],
)  # fmt: skip
def test_a_definition_holds_after_it(tex: str, expected: str) -> None:
    assert written(tex) == " ".join(expected.split()) or written(tex).replace(" ", "") == expected.replace(" ", "")


def test_letters_do_not_go_on_with_the_name_of_a_command() -> None:
    assert written(r"\alpha\R x", R="r") == r"\alpha r x"
    assert written(r"\R x", R=r"\beta") == r"\beta x"
    assert written(r"\R{}x\f{\beta}", f="#1y") == r"\R{}x\beta y"


@pytest.mark.parametrize(
    ("tex", "message", "offset"),
    [
        (r"x \def\a{\a}\a", 'the macro "\\a" is defined by itself', 12),
        (r"\def\a{\b}\def\b{\a}\a", 'the macro "\\b" is defined by itself', 20),
        (r"\newcommand{\f}[1]{#1} \f", 'the macro "\\f" lacks its argument 1 of 1', 25),
        (r"\newcommand{\R}", 'the definition of "\\R" has no end', 0),
        (r"a \newcommand R", '"\\newcommand" defines nothing here', 2),
        (r"\def\f#1.{x}", 'the definition of "\\f" has no #1, #2 and braces after it', 0),
    ],
)
def test_a_mistake_says_which_macro(tex: str, message: str, offset: int) -> None:
    with pytest.raises(MacroProblem) as caught:
        written(tex)
    assert (caught.value.message, caught.value.offset) == (message, offset)


DOUBLING = "".join(rf"\def\{a}{{\{b}\{b}}}" for a, b in pairwise("abcdefghijklmnopqr"))
BOMBS = {
    "doubling": DOUBLING + r"\def\r{x}\a",
    "doubling nothing": DOUBLING + r"\def\r{}\a",
    "arguments": r"\def\a#1{#1#1#1#1#1#1#1#1#1}" + r"\a{" * 40 + "x" + "}" * 40,
    "long arguments": r"\def\a#1{}" + (r"\a{" + "x" * 2_000 + "}") * 2_000,
    "open arguments": r"\def\a#1{}" + r"\a{" * 3_000,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_little_is_written_for_little_time(bomb: str) -> None:
    start = time.process_time()
    with pytest.raises(MacroProblem):
        written(BOMBS[bomb][:100_000])
    assert time.process_time() - start < 1


def test_a_text_of_definitions_holds_nothing_else() -> None:
    macros = definitions("% signs\n\\newcommand{\\R}{\\mathbb{R}}\n\\def\\f#1{#1^2}  % square\n")
    assert macros == {"R": Macro(r"\mathbb{R}"), "f": Macro("#1^2", 1)}
    with pytest.raises(MacroProblem):
        definitions(r"\R \newcommand{\R}{\mathbb{R}}")


@given(st.text(alphabet=r"\ab{}[]#12 newcomd%" "\n", max_size=80))
def test_any_text_is_written_out_or_refused(tex: str) -> None:
    for known in ({}, {"a": "#1b", "ab": r"\a{c}"}):
        with suppress(MacroProblem):
            assert "\\newcommand{\\" not in written(tex, **known).replace(" ", "").partition("%")[0]
