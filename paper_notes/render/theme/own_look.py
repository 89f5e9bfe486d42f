"""The look that a collection gives itself, ready for pages: colours and fonts as CSS, logo and icon as data."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from paper_notes.corpus.model import Accent, FontUse, Look, NamedFile, NoteText
from paper_notes.diagnostics import Diagnostic
from paper_notes.languages.language import Words
from paper_notes.markdown.context import Context
from paper_notes.markdown.figures.images import inline_image
from paper_notes.render.theme.contrast import Shades, shades

_ICO = b"\0\0\1\0"
_LARGE = 32 * 1024
"""Bytes from which on a picture that is in all pages is reported."""
_STACKS: Mapping[FontUse, str] = MappingProxyType({"text": "--sans:", "headings": "--serif:", "code": "--mono:"})
"""Where the style sheets define the fonts."""
_GENERIC = frozenset("serif sans-serif monospace system-ui ui-serif ui-sans-serif ui-monospace ui-rounded".split())
_OTHER_FIGURES = 10_000
"""The number of our pictures among those of a text: no figure of a note has their ids."""


@dataclass(frozen=True, slots=True)
class OwnLook:
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
        fonts=tuple((_STACKS[use], ",".join(map(_family, names))) for use, names in look.fonts.items()),
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


def _family(name: str) -> str:
    return name if name in _GENERIC else f'"{name}"'


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


def _picture(file: NamedFile, words: Words, place: int, problems: list[Diagnostic]) -> str:
    """A picture as figures of notes are inlined: SVG only with what is allowed, pixels only if they can be decoded."""
    source, where = file.source, file.location
    name = source.path.name
    context = Context(NoteText(words.tags[0], where.path, ""), words, {name: source})
    context.counters["svg"] = _OTHER_FIGURES + place
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
