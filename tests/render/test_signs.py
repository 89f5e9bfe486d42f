"""Signs of topics as drawings."""

from __future__ import annotations

import pytest

from paper_notes.render.signs import drawn, without_drawn


@pytest.mark.parametrize(
    ("sign", "shape", "colour"),
    [("🔵", "circle", "#3b6fd8"), ("🟥", "path", "#d6433b"), ("❤️", "path", "#d6433b"), ("🤍", "path", "#dcdcdc")],
)
def test_coloured_signs_are_drawn_beside_their_words_and_these_escaped(sign: str, shape: str, colour: str) -> None:
    html = drawn(f"{sign} #1 A & B")
    assert html.startswith(f'<svg class="sign" viewBox="0 0 10 10" fill="{colour}" aria-hidden="true"><{shape} ')
    assert html.endswith("</svg>\u00a0#1 A &amp; B")
    assert without_drawn(f"{sign} T") == "T"


@pytest.mark.parametrize("text", ["", "📘 Guide", "Models #1", "a 🔵"])
def test_other_signs_and_texts_stay(text: str) -> None:
    assert (drawn(text), without_drawn(text)) == (text, text)
