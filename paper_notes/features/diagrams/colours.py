"""The colours of figures: their CSS variables, and the nearest of them to any other colour."""

from __future__ import annotations

import colorsys
import re
from functools import lru_cache

INK = "#1b1d22"
MUTED, LINE, PAPER, SOFT = "#5b6270", "#9aa1ad", "#ffffff", "#f1f2f5"
HUES = {
    "blue": ("#2457c5", "#e3ebfc"),
    "orange": ("#b4480f", "#fbe9dc"),
    "green": ("#1b7445", "#dff2e6"),
    "red": ("#b3303b", "#fbe3e4"),
    "purple": ("#6b3fb5", "#ece4fa"),
    "teal": ("#0f6f78", "#dbf1f2"),
}
"""For each hue its strong and its pale colour in light mode; the pages' style sheet has those of dark mode."""
STRONG = tuple(strong for strong, _ in HUES.values())
PALE = tuple(pale for _, pale in HUES.values())

_NAMES = {MUTED: "muted", LINE: "line", PAPER: "paper", SOFT: "soft"}
_NAMES |= {strong: name for name, (strong, _) in HUES.items()}
_NAMES |= {pale: f"{name}-soft" for name, (_, pale) in HUES.items()}
_DEGREES = (("red", 12), ("orange", 75), ("green", 165), ("teal", 190), ("blue", 245), ("purple", 325), ("red", 360))
"""Nearest hues, each with the degree of the colour circle up to which it is."""
_WORDS = {
    "black": "#000000", "white": "#ffffff", "gray": "#808080", "grey": "#808080", "silver": "#c0c0c0",
    "lightgray": "#d3d3d3", "lightgrey": "#d3d3d3", "darkgray": "#a9a9a9", "darkgrey": "#a9a9a9",
    "red": "#ff0000", "darkred": "#8b0000", "maroon": "#800000", "crimson": "#dc143c", "tomato": "#ff6347",
    "salmon": "#fa8072", "coral": "#ff7f50", "orange": "#ffa500", "darkorange": "#ff8c00", "gold": "#ffd700",
    "yellow": "#ffff00", "lightyellow": "#ffffe0", "olive": "#808000", "brown": "#a52a2a", "beige": "#f5f5dc",
    "green": "#008000", "lime": "#00ff00", "lightgreen": "#90ee90", "darkgreen": "#006400", "teal": "#008080",
    "cyan": "#00ffff", "aqua": "#00ffff", "lightcyan": "#e0ffff", "turquoise": "#40e0d0", "blue": "#0000ff",
    "navy": "#000080", "lightblue": "#add8e6", "skyblue": "#87ceeb", "steelblue": "#4682b4", "purple": "#800080",
    "violet": "#ee82ee", "magenta": "#ff00ff", "fuchsia": "#ff00ff", "pink": "#ffc0cb", "lavender": "#e6e6fa",
    "indigo": "#4b0082",
}  # fmt: skip


def variable(colour: str) -> str:
    """The CSS variable for one of our own colours; any other colour comes back as it is."""
    colour = colour.strip().lower()
    colour = PAPER if colour in ("#fff", "white") else colour
    if colour == INK:
        return "currentColor"
    return f"var(--fig-{_NAMES[colour]}, {colour})" if colour in _NAMES else colour


@lru_cache(maxsize=1000)
def nearest(colour: str, *, line: bool = False) -> str:
    """The CSS variable of our colour nearest to any colour. Lines are never pale.

    Pale colours become pale ones, dark ones dark ones, so what could be read before can be read in light and dark.
    A text that we cannot read as a colour comes back as it is.
    """
    parts = _parse(colour)
    if parts is None:
        return colour
    red, green, blue, alpha = parts
    if alpha == 0:
        return "none"
    exact = f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
    if exact in _NAMES or exact == INK:
        return variable(exact)
    hue, light, _ = colorsys.rgb_to_hls(red, green, blue)
    if max(red, green, blue) - min(red, green, blue) < 0.07 or light < 0.13:
        steps = ((0.25, INK), (0.5, MUTED), (0.86, LINE), (0.975, LINE if line else SOFT), (1.1, PAPER))
        return variable(next(grey for limit, grey in steps if light < limit))
    strong, pale = HUES[next(name for name, limit in _DEGREES if hue * 360 <= limit)]
    return variable(pale if light > 0.72 and not line else strong)


def _parse(colour: str) -> tuple[float, float, float, float] | None:
    """Red, green, blue and opacity, each from 0 to 1, of a colour as CSS writes it."""
    colour = _WORDS.get(colour.strip().lower(), colour.strip().lower())
    if colour == "transparent":
        return 0, 0, 0, 0
    if match := re.fullmatch(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", colour):
        digits = match[1] if len(match[1]) > 4 else "".join(2 * digit for digit in match[1])
        red, green, blue, alpha = (int(digits.ljust(8, "f")[at : at + 2], 16) / 255 for at in (0, 2, 4, 6))
        return red, green, blue, alpha
    if match := re.fullmatch(r"(rgb|hsl)a?\(\s*([^()]+)\)", colour):
        numbers = re.findall(r"(-?\d*\.?\d+(?:e-?\d+)?)(%?)", match[2])
        if len(numbers) not in (3, 4):
            return None
        values = [float(number) / 100 if percent else float(number) for number, percent in numbers]
        alpha = values[3] if len(values) == 4 else 1.0
        if match[1] == "hsl":
            red, green, blue = colorsys.hls_to_rgb(values[0] / 360 % 1, values[2], values[1])
        else:
            scaled = (value if sign else value / 255 for value, (_, sign) in zip(values, numbers, strict=True))
            red, green, blue, *_ = (min(max(value, 0.0), 1.0) for value in scaled)
        return red, green, blue, alpha
    return None
