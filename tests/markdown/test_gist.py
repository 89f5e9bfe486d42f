"""The sentence of a TL;DR card, which stands on the card beside links to the note."""

from __future__ import annotations

import pytest
from building import note

from paper_notes.markdown.render import render_body

CARD = ":::tldr\n{}\n\nA second paragraph.\n:::\n"


@pytest.mark.parametrize(
    ("text", "gist"),
    [
        ("**In one sentence**: it *halves* 4.5 GB & more. It is slow.", "It halves 4.5 GB & more."),
        ("**One** thing matters.", "One thing matters."),
        ("no full stop", "No full stop"),
        ("“It works.” So they say.", "“It works.”"),
        ("It costs $p/q$. More.", ""),
        ("See [[#2]]. More.", ""),
        ("It is free. See [[#2]].", "It is free."),
        ("long " * 100, ""),
    ],
)
def test_it_is_the_first_sentence_if_that_is_plain_words(text: str, gist: str) -> None:
    assert render_body(note({"en": CARD.format(text)})).halves["en"].gist == gist


def test_a_text_that_does_not_begin_with_the_card_has_none() -> None:
    assert render_body(note({"zh": "字。\n\n" + CARD.format("一。")})).outline.gists == {}
