"""Shades of a colour that can be read on all grounds of the pages (WCAG 2.2, contrast AA)."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

ENOUGH = 4.5
"""The ratio that text needs."""
_AT_EASE = 6.0
"""That of a shade for dark pages that we choose ourselves."""
LIGHT_GROUND, DARK_GROUND = "#ece4fa", "#11363b"
"""The grounds of our style sheets on which light and dark pages have the least contrast."""
_PAPER, _NIGHT = "#fdfdfc", "#131519"
_SHARE = {"light": 0.14, "dark": 0.26}
"""The most of a colour in the soft ground made of it."""
_STEPS = 100


@dataclass(frozen=True, slots=True)
class Shades:
    """A colour for text and a soft ground, each for light and for dark pages."""

    light: str
    dark: str
    soft_light: str
    soft_dark: str


def shades(light: str, dark: str | None) -> Shades:
    """The nearest readable shades of two colours; without the second, of one."""
    made_light = _readable(light, LIGHT_GROUND, darker=True)
    made_dark = _readable(dark or light, DARK_GROUND, darker=False, enough=ENOUGH if dark else _AT_EASE)
    return Shades(
        made_light,
        made_dark,
        _soft(made_light, _PAPER, _SHARE["light"]),
        _soft(made_dark, _NIGHT, _SHARE["dark"]),
    )


def contrast(colour: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21."""
    low, high = sorted((_luminance(colour), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _readable(colour: str, ground: str, *, darker: bool, enough: float = ENOUGH) -> str:
    """The colour itself, or the first of its darker or lighter shades that has enough contrast."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(colour))
    shade, end = colour, 0.0 if darker else 1.0
    for step in range(1, _STEPS + 1):
        if contrast(shade, ground) >= enough:
            break
        shade = _hex(colorsys.hls_to_rgb(hue, lightness + (end - lightness) * step / _STEPS, saturation))
    return shade


def _soft(shade: str, ground: str, share: float) -> str:
    """The ground with some of the shade in it, as much as lets text in the shade be read on it."""
    while contrast(shade, soft := _mixed(shade, ground, share)) < ENOUGH:
        share *= 0.9
    return soft


def _mixed(colour: str, ground: str, share: float) -> str:
    pairs = zip(_channels(colour), _channels(ground), strict=True)
    return _hex(tuple(front * share + other * (1 - share) for front, other in pairs))


def _channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of `#rrggbb`, from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _hex(channels: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in channels)


def _luminance(colour: str) -> float:
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _channels(colour))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
