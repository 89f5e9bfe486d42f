"""The captions of a page, and its running text, which bound the figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from paper_notes.patterns import regex
from paper_notes.sources.pdf.document import PdfLine, PdfPage
from paper_notes.sources.pdf.model import Box, united
from paper_notes.values import Struct

_NUMBER = r"(?P<number>(?:[A-Z]{1,2}\.?)?\d{1,3}(?:[.-]\d{1,3})*(?:[a-z](?![a-z]))?|[IVX]{1,5}(?![A-Za-z]))"
_CAPTION = regex(
    r"(?:(?:supplementary|extended data|appendix|附)\s*)?"
    r"(?:(?P<figure>figure|fig\b\.?|图)|(?P<table>table|tab\b\.?|表))"
    rf"\s*{_NUMBER}\s*(?P<end>[:：.|｜\u2014\u2013-]|$|\s)\s*",
    re.IGNORECASE,
)
_MAX_CAPTIONS = 100
"""The most captions of one page. Papers have a dozen; those of a list of figures have nothing beside them anyway."""
_MAX_LINES = 200
"""The most lines of one caption."""
_SLACK = 6
"""How far apart the middles of what stands in one row may be, in half points."""
_EQUATION_NUMBER = regex(r"\(\d{1,2}(?:\.\d{1,2})?[a-z]?\)")
_HEADING = regex(r"^(?:\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){1,3}|[IVX]{1,4}\.)\.?\s+[^\W\d_]")


class Caption(Struct, frozen=True):
    """A caption on a page."""

    kind: Literal["figure", "table"]
    number: str
    lines: tuple[PdfLine, ...]
    start: int
    """The length of `Figure 3:` in the first line, in characters."""
    box: Box


class Style(Struct, frozen=True):
    """The look of a paper's running text. Lengths are in points."""

    size: float
    fonts: frozenset[str]
    column: float
    """The width of a column."""
    left: float
    right: float
    """Left and right edge of the text on most pages."""
    heads: frozenset[tuple[object, ...]]
    """Keys of running heads and feet, from `head_key`."""


def style_of(pages: Sequence[PdfPage]) -> Style:
    """The style of a paper: the most frequent size, fonts and widths, by letters and lines."""
    sizes: Counter[float] = Counter()
    fonts: Counter[tuple[float, str]] = Counter()
    lines = [line for page in pages for line in page.lines if line.upright]
    for line in lines:
        sizes[round(line.size * 2) / 2] += len(line.text)
        fonts[round(line.size * 2) / 2, line.font] += len(line.text)
    size = max(sizes, key=lambda size: (sizes[size], size), default=10.0)
    names = frozenset(font for (of, font), count in fonts.items() if abs(of - size) < 0.6 and count > 0.1 * sizes[size])
    widths: Counter[int] = Counter()
    edges: Counter[tuple[int, int]] = Counter()
    for line in lines:
        if abs(line.size - size) < 0.6 and len(line.text) > 25:
            widths[round((line.box[2] - line.box[0]) / 4) * 4] += 1
            edges[round(line.box[0] / 4) * 4, round(line.box[2] / 4) * 4] += 1
    column = float(max(widths, key=lambda width: (widths[width], width), default=400))
    usual = [edge for edge, count in edges.items() if count > 0.03 * sum(edges.values())] or list(edges)
    left = float(min((edge[0] for edge in usual), default=60))
    right = float(max((edge[1] for edge in usual), default=540))
    return Style(size, names, column, left, right, _heads(pages))


def _heads(pages: Sequence[PdfPage]) -> frozenset[tuple[object, ...]]:
    counts: Counter[tuple[object, ...]] = Counter()
    for page in pages:
        keys = {head_key(page, line.box, line.text) for line in page.lines}
        keys |= {head_key(page, box) for box in page.graphics}
        counts.update(key for key in keys if key)
    return frozenset(key for key, count in counts.items() if count > max(1, min(0.2 * len(pages), 4)))


def head_key(page: PdfPage, box: Box, text: str = "") -> tuple[object, ...]:
    """The same key for a running head, page number or rule on all its pages; empty in the middle of a page."""
    middle = (box[1] + box[3]) / 2
    if 0.11 * page.height < middle < 0.92 * page.height or box[3] - box[1] > 0.05 * page.height:
        return ()
    if not text:
        return tuple(round(value / 2) for value in box)
    letters = "".join(filter(str.isalpha, text))
    return (letters, round(middle / 2)) if letters else ()


def captions_of(page: PdfPage, style: Style) -> tuple[Caption, ...]:
    """The captions of a page in the order of its text."""
    lines = [line for line in page.lines if line.upright]
    captions: list[Caption] = []
    taken: set[int] = set()
    for place, line in enumerate(lines):
        match = _CAPTION.match(line.text)
        if match is None or place in taken or not _begins(lines, place, match, style):
            continue
        last = place
        while last + 1 < min(len(lines), place + _MAX_LINES) and _goes_on(lines[place : last + 1], lines[last + 1]):
            last += 1
        taken.update(range(place, last + 1))
        own = tuple(lines[place : last + 1])
        kind: Literal["figure", "table"] = "figure" if match["figure"] else "table"
        captions.append(Caption(kind, match["number"], own, match.end(), united(item.box for item in own)))
        if len(captions) == _MAX_CAPTIONS:
            break
    return tuple(captions)


def _begins(lines: Sequence[PdfLine], place: int, match: re.Match[str], style: Style) -> bool:
    """True if the line is the first of a caption, and not one of running text that starts with `Figure 3`."""
    line = lines[place]
    before = lines[place - 1] if place else None
    gap = line.box[1] - before.box[3] if before and before.block == line.block else 99.0
    apart = gap > 0.6 * line.size or gap < -line.size
    other_look = line.bold or line.size < style.size - 0.4 or not style.fonts & {line.font}
    if match["end"].strip(" -"):
        return apart or (other_look and match["end"] != ".")
    rest = line.text[match.end() :]
    lower = rest[:1].islower()
    if not rest:
        return apart
    return apart and (line.bold or (other_look and not lower))


def _goes_on(own: Sequence[PdfLine], line: PdfLine) -> bool:
    first, last = own[0], own[-1]
    if _CAPTION.match(line.text) and line.box[1] > last.box[1] + 2 and not _same_row(last, line):
        return False
    gap = line.box[1] - last.box[3]
    if _same_row(last, line):
        return line.block == last.block and 0 <= line.box[0] - last.box[2] < 3 * last.size
    overlaps = line.box[0] < max(item.box[2] for item in own) and line.box[2] > min(item.box[0] for item in own)
    alike = abs(line.size - last.size) < 0.6 or line.size < 0.8 * last.size
    close = gap < (0.75 if line.block == last.block else 0.35) * first.size and gap > -0.8 * first.size
    return (
        overlaps
        and alike
        and close
        and not (line.bold and not first.bold and not last.bold and _HEADING.match(line.text))
    )


def _same_row(line: PdfLine, other: PdfLine) -> bool:
    """Whether their middles are at one height but for what fonts of different shape make of it."""
    return abs((line.box[1] + line.box[3]) - (other.box[1] + other.box[3])) < _SLACK


def running_text(page: PdfPage, style: Style, captions: Sequence[Caption], frames: Sequence[Box]) -> tuple[Box, ...]:
    """The boxes of the lines outside of figures: paragraphs, headings, running heads and feet.

    `frames` are boxes with a drawn border or ground: text inside belongs to them.
    """
    of_captions = {id(line) for caption in captions for line in caption.lines}
    lines = [line for line in page.lines if line.upright and id(line) not in of_captions]
    full: dict[int, list[PdfLine]] = {}
    boxes: list[Box] = []
    rest: list[PdfLine] = []
    for line in lines:
        middle = (line.box[1] + line.box[3]) / 2
        is_head = head_key(page, line.box, line.text) in style.heads
        in_margin = is_head or middle < 0.065 * page.height or (middle > 0.935 * page.height and len(line.text) < 60)
        if in_margin:
            boxes.append(line.box)
        elif _EQUATION_NUMBER.fullmatch(line.text):  # with its formula
            boxes.append((line.box[2] - style.column, line.box[1] - 8, line.box[2], line.box[3] + 8))
        elif any(_inside(line.box, frame) for frame in frames):
            continue
        elif (
            _is_heading(line, style)
            or (_is_full(line, style) and not _has_cells(line, lines))
            or _is_footnote(line, page, style)
        ):
            full.setdefault(line.block, []).append(line)
            boxes.append(line.box)
        else:
            rest.append(line)
    for line in rest:  # the short lines of a paragraph
        near = (
            abs(line.box[1] - other.box[3]) < 0.8 * style.size
            or abs(other.box[1] - line.box[3]) < 0.8 * style.size
            or _same_row(line, other)
            for other in full.get(line.block, ())
        )
        if abs(line.size - style.size) < 0.8 and any(near):
            boxes.append(line.box)
    return tuple(boxes)


def _is_heading(line: PdfLine, style: Style) -> bool:
    large = line.largest > style.size + 1.4 and sum(map(str.isalpha, line.text)) > 3
    numbered = line.largest > style.size - 0.3 and _HEADING.match(line.text)
    return line.bold and bool(large or numbered)


def _is_full(line: PdfLine, style: Style) -> bool:
    wide = line.box[2] - line.box[0] > 0.45 * style.column and len(line.text) > 22
    letters = sum(map(str.isalpha, line.text)) > 0.6 * len(line.text.replace(" ", ""))
    return wide and letters and abs(line.size - style.size) < 0.6 and line.font in style.fonts


def _has_cells(line: PdfLine, lines: Sequence[PdfLine]) -> bool:
    """Whether others of its block stand apart on its row, as cells of a table do."""
    mates = (other for other in lines if other.block == line.block and _same_row(other, line))
    return any(max(line.box[0] - other.box[2], other.box[0] - line.box[2]) > line.size for other in mates)


def _is_footnote(line: PdfLine, page: PdfPage, style: Style) -> bool:
    low = line.box[1] > 0.8 * page.height
    wide = line.box[2] - line.box[0] > 0.6 * style.column and len(line.text) > 40
    return low and wide and line.size < style.size and line.text.count(" ") > 4


def _inside(box: Box, frame: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return frame[0] - 2 <= x <= frame[2] + 2 and frame[1] - 1 <= y <= frame[3] + 1 and box[0] > frame[0] - 4
