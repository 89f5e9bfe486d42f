"""Changes of a text by spans."""

from __future__ import annotations

import pytest

from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Span


def at(start: int, end: int, text: str) -> Edit:
    return Edit(Span(start, end), text)


def test_what_no_edit_names_stays() -> None:
    assert apply("one two three", [at(4, 7, "2"), at(0, 3, "1")]) == "1 2 three"
    assert apply("one\r\n", []) == "one\r\n"


def test_texts_are_put_between_characters_and_at_both_ends_in_their_order() -> None:
    assert apply("ab", [at(2, 2, "]"), at(0, 0, "["), at(1, 1, "-"), at(1, 1, "+")]) == "[a-+b]"
    assert apply("ab", [at(1, 2, "B"), at(1, 1, "-")]) == "a-B"


@pytest.mark.parametrize("edits", [[at(0, 2, "x"), at(1, 3, "y")], [at(2, 4, "x")], [at(-1, 0, "x")], [at(2, 1, "x")]])
def test_edits_that_overlap_or_are_outside_of_the_text_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="overlaps"):
        apply("abc", edits)
