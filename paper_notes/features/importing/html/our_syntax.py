"""What our own syntax can say: each is tried once on our parser, so that pages use what there is."""

from __future__ import annotations

from functools import cache

from paper_notes.features.importing.html.read_back import read_back


@cache
def has_own_numbers() -> bool:
    """`## Appendix {n=A}`, and `{-}` for none."""
    return _letters("## x {#y n=7}\n\n## x {-}") == "xx"


@cache
def has_merged_cells() -> bool:
    """`^^` for a cell that is one with the cell above it, `<<` with the one on its left."""
    return _shows("| a | b |\n|---|---|\n| c | d |\n| ^^ | e |\n| f | << |", "abcdef")


@cache
def has_row_marks() -> bool:
    """`{.best}` at the end of a row's first cell."""
    return "{" not in _letters("| a | b |\n|---|---|\n| c {.best} | d |")


@cache
def has_plain_formulas() -> bool:
    """A fence of the language `formula`."""
    return _shows("```formula\nx\n```", "x")


def _shows(markdown: str, letters: str) -> bool:
    seen = read_back(markdown, "en", inline=False)
    return not seen.problems and _letters(markdown) == letters


def _letters(markdown: str) -> str:
    return "".join(letter for letter, _ in read_back(markdown, "en", inline=False).letters)
