"""Drawings outside of our pages, in plain colours, those of books with colours of the night; pictures as files."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from paper_notes.features.diagrams.colours import INK
from paper_notes.sources.pdf.picture import for_every_program

_COLOUR = re.compile(r"var\(--fig-([\w-]+), (#[0-9a-f]+)\)")
_TAG = re.compile(r'<([A-Za-z]+)((?:[^>"]|"[^"]*")*?)(/?)>')
_PAINT = re.compile(r' (fill|stroke|stop-color|flood-color|color)="(?:var\(--fig-([\w-]+), #[0-9a-f]+\)|currentColor)"')
_BOX = re.compile(r' viewBox="\s*(-?[\d.]+)[\s,]+(-?[\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)')
_PAIR = re.compile(r"--([\w-]+):light-dark\(((?:[^(),]|\([^()]*\))+),((?:[^()]|\([^()]*\))+)\)")


@dataclass(frozen=True)
class Palette:
    """The colours of pages: by the name of a variable that of the day and that of the night."""

    colours: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, style: str) -> Palette:
        """Those that a style sheet defines."""
        return cls({name: (day.strip(), night.strip()) for name, day, night in _PAIR.findall(style)})

    def __call__(self, name: str, *, night: bool = False) -> str:
        return self.colours.get(name, (INK, "#e2e5ea"))[night]

    def rules(self) -> Iterator[str]:
        """The rules that give drawings `for_book` the colours of the night."""
        for name in ("ink", *(name for name in self.colours if name.startswith("fig-"))):
            for attribute, letter in _LETTERS.items():
                yield f".{letter}-{name}{{{attribute}:{self(name, night=True)}}}"


_LETTERS = {"fill": "f", "stroke": "s", "stop-color": "p", "flood-color": "d", "color": "c"}


def for_file(svg: str) -> str:
    """A drawing in the colours of paper, for a file of its own."""
    plain = _COLOUR.sub(r"\2", svg).replace("var(--mono)", "monospace").replace("var(--sans)", "sans-serif")
    return re.sub(r"^<svg\b", f'<svg color="{INK}" font-family="sans-serif"', plain, count=1)


def for_book(svg: str, palette: Palette) -> str:
    """A drawing on a ground of its own: no reader's theme makes its words as dark as what is behind them."""

    def tag(match: re.Match[str]) -> str:
        classes: list[str] = []

        def paint(attribute: re.Match[str]) -> str:
            name = f"fig-{attribute[2]}" if attribute[2] else "ink"
            classes.append(f"{_LETTERS[attribute[1]]}-{name}")
            return f' {attribute[1]}="{palette(name)}"'

        attributes = _PAINT.sub(paint, match[2])
        attributes = _COLOUR.sub(lambda attribute: palette(f"fig-{attribute[1]}"), attributes).replace(
            "currentColor", palette("ink")
        )
        attributes = attributes.replace("var(--mono)", "monospace").replace("var(--sans)", "sans-serif")
        written = f' class="{" ".join(classes)}"' if classes else ""
        return f"<{match[1]}{attributes}{written}{match[3]}>"

    drawing = _TAG.sub(tag, svg)
    end = drawing.index(">") + 1
    return drawing[:end] + _ground(drawing[:end], palette) + drawing[end:]


def _ground(opening: str, palette: Palette) -> str:
    box = _BOX.search(opening)
    if not box:
        return ""
    x, y, width, height = box.groups()
    return (
        f'<rect class="f-fig-paper" x="{x}" y="{y}" width="{width}" height="{height}" fill="{palette("fig-paper")}"/>'
    )


_DATA = re.compile(r"data:image/([a-z]+);base64,(.+)")
_EVERYWHERE = frozenset({"png", "jpg", "gif", "svg"})
"""Formats that every reader of books knows."""


@dataclass
class PictureFiles:
    """Files by name."""

    for_all: bool = False
    """Whether newer formats are made pictures that every program can show."""
    files: dict[str, bytes] = field(default_factory=dict)

    def keep(self, data: bytes, suffix: str) -> str:
        """Keep a picture, and give its name."""
        if self.for_all and suffix not in _EVERYWHERE:
            data, suffix = for_every_program(data)
        name = f"pn-{sha256(data).hexdigest()[:16]}.{suffix}"
        self.files[name] = data
        return name

    def of_address(self, src: str) -> str | None:
        """Keep the picture of a `data:` address, and give its name; None for any other address."""
        data = _DATA.fullmatch(src)
        return self.keep(base64.b64decode(data[2]), "jpg" if data[1] == "jpeg" else data[1]) if data else None
