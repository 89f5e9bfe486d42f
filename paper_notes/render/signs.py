"""Signs of topics: coloured circles, squares and hearts are drawn, since without an emoji font they are empty boxes."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup, escape

_COLOURS = dict(zip("red orange yellow green blue purple brown black white".split(), (
    "#d6433b #e07f1f #e5b52c #3f9f4f #3b6fd8 #8a55c8 #8c5a3c #4b4b4b #dcdcdc"
).split(), strict=True))  # fmt: skip
_SHAPES: Mapping[str, tuple[str, str]] = {
    "circle": ("🔴🟠🟡🟢🔵🟣🟤⚫⚪", '<circle cx="5" cy="5" r="5"/>'),
    "square": ("🟥🟧🟨🟩🟦🟪🟫⬛⬜", '<path d="M0 0h10v10H0z"/>'),
    "heart": ("❤🧡💛💚💙💜🤎🖤🤍", '<path d="M5 9.6 1 5.4a2.6 2.6 0 0 1 4-3.3 2.6 2.6 0 0 1 4 3.3z"/>'),
}
_DRAWN: Mapping[str, Markup] = {
    sign: Markup(f'<svg class="sign" viewBox="0 0 10 10" fill="{colour}" aria-hidden="true">{drawing}</svg>')
    for signs, drawing in _SHAPES.values()
    for sign, colour in zip(signs, _COLOURS.values(), strict=True)
}
_COLOUR_OF = {sign: name for signs, _ in _SHAPES.values() for sign, name in zip(signs, _COLOURS, strict=True)}
_VARIATION = "\ufe0f"
"""Asks for the form in colours of a sign that has another."""


def drawn(text: str) -> Markup:
    """The text as HTML, with the sign that it may begin with as a drawing, which stays with the word after it."""
    if drawing := _DRAWN.get(text[:1]):
        return drawing + text[1:].removeprefix(_VARIATION).replace(" ", "\u00a0", 1)
    return escape(text)


def colour_of(text: str) -> str:
    """The name of the colour of the sign that a text may begin with: `blue`; empty if it has none."""
    return _COLOUR_OF.get(text[:1], "")


def without_drawn(text: str) -> str:
    """The text without the sign that it may begin with, for where nothing can be drawn."""
    return text[1:].removeprefix(_VARIATION).strip() if text[:1] in _DRAWN else text
