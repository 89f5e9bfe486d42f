"""The drawn cover of a book: its title, what is in it, and the name of the collection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import escape

from paper_notes.features.epub.drawings import Palette
from paper_notes.typography import is_cjk

WIDTH, HEIGHT, MARGIN = 1200, 1800, 110
_SERIF = "'Noto Serif CJK SC', 'Songti SC', 'Source Han Serif SC', Georgia, 'Noto Serif', serif"
_SANS = "'Noto Sans CJK SC', 'PingFang SC', 'Noto Sans', sans-serif"
_LISTED = 12
"""Notes that a cover names at most."""


def drawn_cover(titles: Sequence[str], notes: Sequence[str], site: str, emoji: str, palette: Palette) -> str:
    """The cover as SVG. `titles` are the title in each language; `notes` are names of what is in the book."""
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{palette("bg")}"/>',
        f'<rect width="{WIDTH}" height="26" fill="{palette("acc")}"/>',
    ]
    y = 330
    if emoji:
        out.append(_text(emoji, MARGIN, y - 100, 90, _SANS, palette("ink")))
    for index, title in enumerate(titles):
        size = (84 if index == 0 else 52) * (1 if len(titles[0]) < 40 else 0.85)
        for line in wrapped(title, (WIDTH - 2 * MARGIN) / size):
            y += round(size * 1.3)
            out.append(_text(line, MARGIN, y, size, _SERIF, palette("ink" if index == 0 else "quiet"), bold=index == 0))
        y += 40
    y = max(y + 60, 900)
    for name in [*notes[:_LISTED], *(["…"] if len(notes) > _LISTED else [])]:
        line = next(wrapped(name, (WIDTH - 2 * MARGIN) / 38), "")
        y += 58
        if y > HEIGHT - 260:
            break
        out.append(_text(line, MARGIN, y, 38, _SANS, palette("quiet")))
    rule = f'<rect x="{MARGIN}" y="{HEIGHT - 200}" width="90" height="6" fill="{palette("acc")}"/>'
    out += [rule, _text(site, MARGIN, HEIGHT - 120, 40, _SANS, palette("ink")), "</svg>"]
    return "".join(out)


def _text(words: str, x: float, y: float, size: float, family: str, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-family="{family}" fill="{colour}"{weight}>'
        f"{escape(words)}</text>"
    )


def wrapped(text: str, room: float) -> Iterator[str]:
    """The lines of a text; `room` is the width of a line in em."""
    line, width = "", 0.0
    for piece in _pieces(text):
        wide = sum(1.0 if is_cjk(sign) or ord(sign) > 0x2E80 else 0.56 for sign in piece)
        if line and width + wide > room:
            yield line.strip()
            line, width = "", 0.0
        line, width = line + piece, width + wide
    if line.strip():
        yield line.strip()


def _pieces(text: str) -> Iterator[str]:
    """Where a line may break: after spaces, and after characters that need none between them."""
    word = ""
    for sign in text:
        if is_cjk(sign) and word:
            yield word
            word = ""
        word += sign
        if sign == " " or is_cjk(sign):
            yield word
            word = ""
    if word:
        yield word
