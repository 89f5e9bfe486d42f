"""A formula that a draft quotes is the one that the PDF prints, whatever the order in which that prints its parts."""

from __future__ import annotations

import pytest

from paper_notes.features.drafting.formulas import difference

SWAPPED = "a fraction is the other way round than in the quoted formula"
ORDER = "the quoted formula has other symbols or another order at "


@pytest.mark.parametrize(
    ("tex", "printed", "said"),
    [
        ("x", "we set x", ""),
        (r"\beta", "α is", "the quoted formula has no β"),
        ("abc", "cba", ""),
        ("abcd", "dcba", f"{ORDER}abcd"),
        ("a+b", "b+a", f"{ORDER}a+b"),
        (r"\frac{a}{b}", "b a", ""),
        (r"\frac{a}{b}=c", "a b = c", ""),
        (r"\frac{a}{b}=c", "b a = c", SWAPPED),
        (r"\frac{a}{b}=c", "b a = c with a b", ""),
        (r"\dfrac {a}{b}=c", "b a = c", SWAPPED),
        (r"a=\frac{b+c}{d}", "a = b + c d", ""),
        (r"a=\frac{b+c}{d}", "a = d b + c", SWAPPED),
        (r"\frac{{a}}{b}=c", "b a = c", SWAPPED),
        (r"c=\frac{a}{a}", "c = a a", ""),
        (r"c=\frac{a}{}", "c = a", ""),
        (r"c=\frac{}{a}+d", "c = a + d", ""),
        ("a=b+c", "a = b + c - d", "the quoted formula goes on with -d"),
        ("a=b+c", "a = b + c -", ""),
        ("a=b+c", "a = b + c and d", ""),
        ("a=bc", "a = b + c", f"{ORDER}a=bc"),
        ("abcd=e", "abcde = e", f"{ORDER}abcd=e"),
        (r"x_i^2+y=z", "x2i + y = z", ""),
        (r"x_i^2+y=z", "xi2 + y = z", ""),
        (r"x_i+y=z", "xy + i = z", f"{ORDER}xi+y=z"),
        (r"\sum_{i}^{n} a_i = b", "n i Σ a i = b (1)", "the quoted formula has more: Σ"),
        ("1+2=3", "1 + 2 = 3 (12)", ""),
    ],
)
def test_a_difference_from_what_is_printed_is_said(tex: str, printed: str, said: str) -> None:
    assert difference(tex, printed) == said
