"""Drawings of a few lines that a browser would draw for hours, because their elements refer to each other."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from building import note, said

from paper_notes.markdown.figures import svg
from paper_notes.markdown.render import render_body

NAMES = [f"a{number}" for number in range(14)]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n'
WHERE = "notes_src/topic/01_Note/a.svg"


def problems(drawing: str, text: str = "![a](a.svg)\n") -> str:
    return said(render_body(note({"en": text}, {"a.svg": f"{SVG}{drawing}</svg>"})).diagnostics)


def levels(inner: str, reference: str) -> str:
    """A rectangle, and 13 elements that draw the one before ten times each."""
    steps = "".join(inner.format(name, "".join([reference.format(before)] * 10)) for before, name in pairwise(NAMES))
    return f"<defs>{inner.format(NAMES[0], '<rect/>')}{steps}</defs>\n{reference.format(NAMES[-1])}\n"


BOMBS = {
    "use": levels('<g id="{}">{}</g>', '<use href="#{}"/>'),
    "use with the old attribute": levels('<g id="{}">{}</g>', '<use xlink:href="#{}"/>').replace(
        "<defs>", '<defs xmlns:xlink="http://www.w3.org/1999/xlink">'
    ),
    "symbols": levels('<symbol id="{}">{}</symbol>', '<use href="#{}"/>'),
    "patterns": levels('<pattern id="{}">{}</pattern>', '<rect fill="url(#{})"/>'),
    "patterns of a stroke in a style": levels('<pattern id="{}">{}</pattern>', '<rect style="stroke:url(#{})"/>'),
    "patterns that inherit": levels('<pattern id="{}">{}</pattern>', '<pattern href="#{}"/>'),
    "masks": levels('<mask id="{}">{}</mask>', '<rect mask="url(#{})"/>'),
    "clip paths": levels('<clipPath id="{}">{}</clipPath>', '<rect clip-path="url(#{})"/>'),
    "markers": levels('<marker id="{}">{}</marker>', '<path marker-end="url(#{})" d="M0 0L1 1"/>'),
    "markers of many points": f'<marker id="m">{"<rect/>" * 100}</marker><g marker-mid="url(#m)">'
    f'<polyline points="{"0,0 " * 1_000}"/></g>',
    "a pattern for all that is in a group": f'<pattern id="m">{"<rect/>" * 500}</pattern>\n'
    f'<g fill="url(#m)">{"<rect/>" * 500}</g>',
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_drawing_of_millions_of_elements_is_refused(name: str) -> None:
    before = time.process_time()
    found = problems(BOMBS[name])
    assert time.process_time() - before < 1
    assert f"{WHERE}:" in found
    message = "error[bad-svg]: with all that is drawn again, the figure would have more than 50,000 elements\n"
    assert found.endswith(message + "  hint: repeat less, or use a pixel image instead\n")


def test_the_element_that_draws_the_most_is_named() -> None:
    assert problems('<g id="a"><rect/></g>\n' + BOMBS["use"]).startswith(f"{WHERE}:4:1: error[bad-svg]: ")


@pytest.mark.parametrize(
    ("drawing", "where"),
    [
        ('<g id="a">\n<use href="#a"/></g>', "3:1"),
        ('<g id="a"><use href="#b"/></g>\n<g id="b"><use href="#a"/></g>', "2:11"),
        ('<mask id="a"><rect mask="url(#a)"/></mask>', "2:14"),
        ('<pattern id="a"><rect fill="url(#a)"/></pattern>', "2:17"),
    ],
)
def test_a_drawing_that_draws_itself_is_refused(drawing: str, where: str) -> None:
    assert problems(drawing) == (
        f"{WHERE}:{where}: error[bad-svg]: this element is drawn inside of itself\n"
        "  hint: let it refer to another one\n"
    )


FINE = (
    '<linearGradient id="g"><stop/></linearGradient><g fill="url(#g)"><g fill="url(#g)">'
    + "<rect/>" * 999
    + "</g></g>",
    '<symbol id="s"><rect/><text>a</text></symbol>' + '<use href="#s"/>' * 5_000,
    '<marker id="m"><path d="M0 0"/></marker><path marker-mid="url(#m)" d="' + "L1 1" * 5_000 + '"/>',
    '<path id="p" d="M0 0L1 1"><animateMotion><mpath href="#p"/></animateMotion></path>',
    '<path id="p"/><circle id="c"><animate attributeName="r" href="#c"/></circle><text><textPath href="#p"/></text>',
    '<use href="#nowhere"/><rect mask="url(#nowhere)"/>',
    "<g>" * 5_000 + "</g>" * 5_000,
)


@pytest.mark.parametrize("drawing", FINE, ids=range(len(FINE)))
def test_drawings_that_people_make_are_fine(drawing: str) -> None:
    assert problems(drawing) == ""


def test_an_animation_paints_with_colours_only() -> None:
    found = problems('<pattern id="a"/><rect><animate attributeName="fill" to="url(#a)"/></rect>')
    assert found.startswith(f'{WHERE}:2:24: error[bad-svg]: to="url(#a)" is not allowed in a figure\n')


def test_the_figures_of_a_text_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(svg, "MAX_DRAWN_IN_ALL", 30)
    found = problems("<rect/>" * 9, "![a](a.svg) " * 4)
    assert found == (
        f"{WHERE}:1:1: error[bad-svg]: "
        "with all that is drawn again, the text's figures together would have more than 30 elements\n"
        "  hint: repeat less, or use a pixel image instead\n"
    )


def test_figures_cannot_refer_to_each_other() -> None:
    files = {"1a.svg": f'{SVG}<use href="#b"/></svg>', "a.svg": f'{SVG}<rect id="b"/></svg>'}
    html = render_body(note({"en": "![a](1a.svg) " + "![a](a.svg) " * 10}, files)).halves["en"].lead
    assert 'href="#en-1a-b"' in html
    assert 'id="en-1a-b"' not in html
    assert 'id="en-11a-b"' in html
