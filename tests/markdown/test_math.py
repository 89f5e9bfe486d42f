"""TeX that would bring the converter or a browser down is refused with a reason."""

from __future__ import annotations

import pytest

from paper_notes.markdown.math.convert import TexProblem, is_self_contained, mathml

TOO_MUCH = [
    ("x" * 10_001, "the formula has 10,001 characters, more than the 10,000 allowed", 0),
    ("a + " + "{" * 101 + "x" + "}" * 101, "more than 100 braces within each other", 104),
    ("√" * 9_999, "the formula has 59,994 characters, more than the 10,000 allowed", 0),
    ("√" * 1_600 + "x", "more than 100 things within each other", 0),
    ("{" * 5_000, "more than 100 braces within each other", 100),
    (r"\sqrt" * 150 + " x", "more than 100 things within each other", 0),
    (r"\frac" * 1_000 + "1" * 1_001, "more than 100 things within each other", 0),
    ("y = " + r"\{" * 200, "more than 16 brackets are never closed", 4),
    (r"\min(" * 40 + ")", "more than 16 brackets are never closed", 4),
    (r"x + \def\a{(}\let\b=\a" + r"\a" * 20, "more than 16 brackets are never closed", 22),
    (r"\left(" * 500 + "x" + r"\right)" * 500, "more than 100 things within each other", 0),
]


@pytest.mark.parametrize(("tex", "message", "offset"), TOO_MUCH, ids=range(len(TOO_MUCH)))
def test_a_formula_that_is_too_large_or_too_deep_is_refused(tex: str, message: str, offset: int) -> None:
    with pytest.raises(TexProblem) as caught:
        mathml(tex, display=True)
    assert (caught.value.message, caught.value.offset) == (message, offset)


@pytest.mark.parametrize(
    "tex", [r"\{x\}" * 200, "[0, 1) " * 50, r"\left[ x \right) \big( " * 50, "{x}" * 200, r"\sqrt" * 90 + " x"]
)
def test_many_things_beside_each_other_are_fine(tex: str) -> None:
    assert mathml(tex, display=True).startswith("<math")


FORMULAS = {
    "x^2": True,
    r"\begin{aligned} a &= b \\ c &< d \end{aligned}": True,
    r"\text{[sound:x]}": True,
    r"\E[x] \operatorname{softmax}(\theta)": True,
    r"\href{javascript:pwned=1}{x}": False,
    r"\text{\href{javascript:pwned=1}{x}}": False,
    r"\url{http://evil.example}": False,
    r"\class{a}{x} \cssId{a}{x}": False,
    r"\style{background:url(http://evil.example)}{x}": False,
    r"\bbox[background:url(http://evil.example)]{x}": False,
    r"\require{html} x": False,
    r"\unicode{65}": False,
    r"\htmlData{a=b}{x}": False,
    r"\def\alpha{\href{javascript:pwned=1}{x}}": False,
    r"\newcommand{\beta}{\style{color:red}{x}}": False,
    r"\let\alpha=\beta": False,
    r"x \tag{$\href{javascript:pwned=1}{x}$}": False,
    r"x\) \[y": False,
}


def test_a_stranger_is_shown_only_formulas_that_our_own_converter_draws() -> None:
    assert {tex: is_self_contained(tex, display=True) for tex in FORMULAS} == FORMULAS
