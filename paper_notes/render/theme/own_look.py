"""The look that a collection gives itself, ready for pages: colours and fonts as CSS, logo and icon as data."""

from __future__ import annotations

import base64
import colorsys
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from paper_notes.corpus.model import Accent, FontUse, Look, NamedFile, NoteText
from paper_notes.diagnostics import Diagnostic
from paper_notes.languages.language import Words
from paper_notes.markdown.context import Context
from paper_notes.markdown.figures.images import inline_image
from paper_notes.values import Struct

_ICO = b"\0\0\1\0"
_LARGE = 32 * 1024
"""Bytes from which on a picture that is in all pages is reported."""
_STACKS: Mapping[FontUse, str] = MappingProxyType({"text": "--sans:", "headings": "--serif:", "code": "--mono:"})
"""Where the style sheets define the fonts."""
_GENERIC = frozenset("serif sans-serif monospace system-ui ui-serif ui-sans-serif ui-monospace ui-rounded".split())
_OTHER_FIGURES = 10_000
"""The number of our pictures among those of a text: no figure of a note has their ids."""


class OwnLook(Struct, frozen=True):
    """All of it is empty where nothing is given."""

    colours: str = ""
    """CSS rules."""
    fonts: tuple[tuple[str, str], ...] = ()
    """Beginnings of definitions in style sheets, and what follows them first."""
    logo: str = ""
    """HTML."""
    favicon: str = ""
    """A `data:` address."""

    def with_fonts(self, style: str) -> str:
        """A style sheet with the collection's fonts before the usual ones."""
        for start, names in self.fonts:
            style = style.replace(start, f"{start}{names},")
        return style


def own_look(look: Look, words: Words) -> tuple[OwnLook, tuple[Diagnostic, ...]]:
    """What pages show of a look, and what is wrong with its colours and pictures."""
    problems: list[Diagnostic] = []
    result = OwnLook(
        colours=_colours(look.accent, problems) if look.accent else "",
        fonts=tuple(
            (_STACKS[use], ",".join(name if name in _GENERIC else f'"{name}"' for name in names))
            for use, names in look.fonts.items()
        ),
        logo=_logo(look.logo, look.logo_dark, words, problems) if look.logo else "",
        favicon=_favicon(look.favicon, words, problems) if look.favicon else "",
    )
    return result, tuple(problems)


def _colours(accent: Accent, problems: list[Diagnostic]) -> str:
    chosen = shades(accent.light, accent.dark)
    problems += _too_pale(accent, chosen)
    acc = f"light-dark({chosen.light},{chosen.dark})"
    soft = f"light-dark({chosen.soft_light},{chosen.soft_dark})"
    return f":root{{--acc:{acc};--acc-soft:{soft};--link:{acc}}}.pill,.new{{--h:var(--acc)}}"


def _too_pale(accent: Accent, chosen: Shades) -> Iterable[Diagnostic]:
    """Report a colour that is not shown as it is written."""
    written = (
        ("light", accent.light, chosen.light, accent.light_location),
        ("dark", accent.dark, chosen.dark, accent.dark_location),
    )
    for ground, colour, shown, where in written:
        if colour and colour != shown:
            message = f"{colour} has too little contrast for text on {ground} pages; {shown} is shown instead"
            hint = f"write accent: {{light: '{chosen.light}', dark: '{chosen.dark}'}}"
            yield Diagnostic(where, "low-contrast", message, hint, "warning")


def _logo(light: NamedFile, dark: NamedFile | None, words: Words, problems: list[Diagnostic]) -> str:
    """The logo, or both for the style sheet to choose from. It stands beside the title, so it has no text."""
    picture = _picture(light, words, 0, problems)
    if dark is None:
        return f'<span class="logo">{picture}</span>' if picture else ""
    other = _picture(dark, words, 1, problems)
    return f'<span class="logo by-day">{picture}</span><span class="logo by-night">{other}</span>'


def _favicon(file: NamedFile, words: Words, problems: list[Diagnostic]) -> str:
    if file.source.path.suffix.lower() == ".ico":
        data = file.source.data
        if not data.startswith(_ICO):
            message = f'the content of "{file.source.path.name}" is not an icon'
            problems.append(Diagnostic(file.location, "bad-image", message, "save it again as ICO, or as SVG or PNG"))
        _report_large(file, problems)
        return _data("image/x-icon", data)
    picture = _picture(file, words, 2, problems)
    if picture.startswith("<svg"):
        return _data("image/svg+xml", picture.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1).encode())
    source = re.search(r'src="([^"]+)"', picture)
    return source[1] if source else ""


def _data(mime: str, data: bytes) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def _picture(file: NamedFile, words: Words, number: int, problems: list[Diagnostic]) -> str:
    """A picture as figures of notes are inlined: SVG only with what is allowed, pixels only if they can be decoded."""
    source, where = file.source, file.location
    name = source.path.name
    context = Context(NoteText(words.tags[0], where.path, ""), words, {name: source})
    context.counters["svg"] = _OTHER_FIGURES + number
    html = inline_image(context, name, "", where)
    problems += [problem for problem in context.problems if problem.rule not in ("missing-alt", "large-image")]
    _report_large(file, problems)
    return html


def _report_large(file: NamedFile, problems: list[Diagnostic]) -> None:
    if file.source.size > _LARGE:
        message = f'"{file.source.path.name}" makes each page {file.source.size:,} bytes larger'
        hint = f"make it smaller: {_LARGE:,} bytes are plenty for a picture of this size"
        problems.append(Diagnostic(file.location, "large-image", message, hint, "warning"))


NO_OWN_LOOK = OwnLook()


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


class Shades(Struct, frozen=True):
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
