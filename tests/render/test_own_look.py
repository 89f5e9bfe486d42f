"""The look that a collection gives itself: shades that can be read, fonts, logo and icon."""

from __future__ import annotations

import base64
import re
from itertools import product
from pathlib import PurePosixPath

import making_pictures
import pytest
from building import said, source

from paper_notes.corpus.model import Accent, Look, NamedFile
from paper_notes.diagnostics import Location
from paper_notes.languages.language import Words
from paper_notes.render.theme.own_look import DARK_GROUND, ENOUGH, LIGHT_GROUND, OwnLook, contrast, own_look, shades
from paper_notes.render.theme.theme import theme_files

WORDS = Words.of("ja", "en")
AT = Location(PurePosixPath("notes_src/site.yaml"), 3, 9)
LEVELS = ("00", "55", "aa", "ff")
COLOURS = [f"#{''.join(levels)}" for levels in product(LEVELS, LEVELS, LEVELS)]
SVG = '<svg viewBox="0 0 2 1"><defs><path id="a" d="M0 0"/></defs><use href="#a"/></svg>'


def file(name: str, data: str | bytes) -> NamedFile:
    return NamedFile(source(f"notes_src/{name}", data), AT)


def accent(light: str, dark: str | None = None) -> Look:
    return Look(accent=Accent(light, dark, AT, AT))


def shown(look: Look) -> tuple[OwnLook, str]:
    made, problems = own_look(look, WORDS)
    return made, said(problems)


def grounds(position: int) -> list[str]:
    """The grounds of our style sheets that an accent does not change, on light (1) or dark (2) pages."""
    css = (theme_files("assets") / "css" / "10-base.css").read_text("utf-8")
    found = re.findall(r"--(?:bg|card|raised|fig-paper|fig-(?:\w+-)?soft):light-dark\((#\w+),(#\w+)\)", css)
    assert len(found) > 8
    colours = [pair[position - 1] for pair in found]
    return [f"#{''.join(sign * 2 for sign in colour[1:])}" if len(colour) == 4 else colour for colour in colours]


def test_the_grounds_that_shades_are_made_for_are_those_with_the_least_contrast() -> None:
    assert min(grounds(1), key=lambda ground: contrast(ground, "#000000")) == LIGHT_GROUND
    assert min(grounds(2), key=lambda ground: contrast(ground, "#ffffff")) == DARK_GROUND


def test_every_colour_has_shades_that_can_be_read_on_all_grounds() -> None:
    for colour in COLOURS:
        for dark in (None, colour):
            made = shades(colour, dark)
            assert min(contrast(made.light, ground) for ground in (*grounds(1), made.soft_light)) >= ENOUGH, colour
            assert min(contrast(made.dark, ground) for ground in (*grounds(2), made.soft_dark)) >= ENOUGH, colour
            assert contrast(made.soft_light, "#1b1d22") > 7, "text on a soft ground"
            assert contrast(made.soft_dark, "#e2e5ea") > 5


def test_a_colour_that_can_be_read_is_shown_as_it_is() -> None:
    made, problems = shown(accent("#004191"))
    assert "--acc:light-dark(#004191,#" in made.colours
    assert "--link:light-dark(#004191,#" in made.colours
    assert problems == ""


@pytest.mark.parametrize("look", [accent("#ffd400"), accent("#888888", "#222222")], ids=["one", "two"])
def test_what_the_hint_says_needs_no_other_hint(look: Look) -> None:
    _, problems = shown(look)
    light, dark = re.findall(r"#\w{6}", problems[problems.index("hint:") :])[:2]
    assert shown(accent(light, dark))[1] == ""


def test_fonts_come_before_the_usual_ones_in_every_script() -> None:
    look = Look(fonts={"text": ("Inter", "源ノ角ゴシック"), "headings": ("serif",), "code": ("Fira Code",)})
    made, _ = shown(look)
    style = ":root{--sans:a;--serif:b;--mono:c}:lang(ja){--sans:d}p{font:1em var(--sans)}"
    assert made.with_fonts(style) == (
        ':root{--sans:"Inter","源ノ角ゴシック",a;--serif:serif,b;--mono:"Fira Code",c}'
        ':lang(ja){--sans:"Inter","源ノ角ゴシック",d}p{font:1em var(--sans)}'
    )


def test_a_logo_is_in_the_page_with_ids_of_its_own() -> None:
    made, problems = shown(Look(logo=file("mark.svg", SVG), logo_dark=file("mark-dark.png", making_pictures.png())))
    assert problems == ""
    assert re.search(r'<span class="logo by-day"><svg viewBox="0 0 2 1" aria-hidden="true">', made.logo)
    assert re.search(r'id="ja-1000\d+mark-a"', made.logo)
    assert '<span class="logo by-night"><img src="data:image/png;base64,' in made.logo


@pytest.mark.parametrize(
    ("name", "data", "start"),
    [
        ("a.svg", SVG, b'<svg xmlns="http://www.w3.org/2000/svg"'),
        ("a.ico", b"\0\0\1\0\0\0", b"\0\0\1\0"),
        ("a.png", making_pictures.png(), b"\x89PNG"),
    ],
)
def test_an_icon_is_data(name: str, data: str | bytes, start: bytes) -> None:
    made, problems = shown(Look(favicon=file(name, data)))
    assert problems == ""
    kind, _, content = made.favicon.partition(";base64,")
    assert kind.startswith("data:image/")
    assert base64.b64decode(content).startswith(start)


def test_a_large_picture_is_reported_as_it_is_in_every_page() -> None:
    _, problems = shown(Look(favicon=file("a.ico", b"\0\0\1\0".ljust(40_000, b"\0"))))
    assert 'warning[large-image]: "a.ico" makes each page 40,000 bytes larger' in problems


def test_nothing_given_is_nothing_shown() -> None:
    assert shown(Look()) == (OwnLook(), "")
