"""What a reader has marked in a PDF, in reading order: words with their colour and comment, notes, and drawings."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from paper_notes.identifiers import folded_title
from paper_notes.sources.pdf.document import Letter, PdfDocument, PdfMark, Strokes, opened
from paper_notes.sources.pdf.model import Box, united
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.pdf.text import joined, words_in
from paper_notes.typography import is_ideographic
from paper_notes.values import Struct, replace

AnnotationKind = Literal["marked", "struck", "note", "drawn"]
_KINDS: dict[str, AnnotationKind] = {
    "Highlight": "marked",
    "Underline": "marked",
    "Squiggly": "marked",
    "StrikeOut": "struck",
    "Text": "note",
    "FreeText": "note",
    "Ink": "drawn",
    "Square": "drawn",
    "Circle": "drawn",
    "Polygon": "drawn",
    "PolyLine": "drawn",
}
"""By PDF's names of annotations. Links, stamps and fields of forms are no reader's words."""
MAX_ANNOTATIONS, MAX_LETTERS = 5_000, 20_000
"""The most annotations of a PDF, and letters of one: a page has 6,000."""
_HUES = ((15, "red"), (42, "orange"), (70, ""), (160, "green"), (190, "teal"), (250, "blue"), (335, "purple"))
"""Degrees of the colour circle below which a colour has this name. Yellow, which markers mostly are, says nothing."""
_NEAR, _MARGIN = 14.0, 5.0
"""Points: strokes so near to each other are one drawing; and what is shown around it."""
_WIDTH, _BYTES = 1_400, 80_000


class PdfAnnotation(Struct, frozen=True):
    """One mark."""

    kind: AnnotationKind
    page: int
    """From 1, as the PDF counts."""
    words: str
    """The paper's."""
    comment: str
    """The reader's; may have several lines."""
    box: Box
    colour: str = ""
    """One of `corpus.schema.COLOURS`; empty for yellow and none."""
    picture: Picture | None = None
    """What is drawn, with the page below it; and marked places that have no text."""


def read_annotations(data: bytes) -> tuple[PdfAnnotation, ...]:
    """The marks in a PDF. Raises PdfProblem."""
    with opened(data) as document:
        marks: list[PdfAnnotation] = []
        for number in range(1, document.pages + 1):
            if raw := [mark for mark in document.marks(number) if mark.kind in _KINDS]:
                marks += _on_page(document, number, raw[: MAX_ANNOTATIONS - len(marks)])
        return tuple(marks)


def draw_places(data: bytes, places: Sequence[tuple[int, Box, Strokes]]) -> tuple[Picture | None, ...]:
    """Parts of pages with strokes on them, all in points of the PDF from the bottom left. Raises PdfProblem."""
    with opened(data) as document:
        return tuple(
            document.as_seen(page, _around(box), width=_WIDTH, height=_WIDTH, limit=_BYTES, strokes=strokes)
            if 1 <= page <= document.pages
            else None
            for page, box, strokes in places
        )


def _around(box: Box) -> Box:
    return box[0] - _MARGIN, box[1] - _MARGIN, box[2] + _MARGIN, box[3] + _MARGIN


def _on_page(document: PdfDocument, number: int, raw: Sequence[PdfMark]) -> Iterator[PdfAnnotation]:
    lines = document.letters(number)
    known = words_in("".join(letter.text for letter in line) for line in lines)
    replies = [mark for mark in raw if mark.replies_to]
    placed: list[tuple[tuple[int, int], PdfAnnotation]] = []
    for mark in _drawings([mark for mark in raw if not mark.replies_to]):
        kind = _KINDS[mark.kind]
        comments = (mark.text, *(reply.text for reply in replies if reply.replies_to == mark.id))
        comment = "\n".join(filter(None, map(str.strip, comments)))[:MAX_LETTERS]
        start, words = _marked(lines, mark.boxes, known) if kind in ("marked", "struck") else (None, "")
        if folded_title(comment) == folded_title(words):
            comment = ""  # some programs keep the marked words there
        picture = None
        if kind == "drawn" or (kind != "note" and not words):
            picture = document.as_seen(number, _around(mark.box), width=_WIDTH, height=_WIDTH, limit=_BYTES)
            kind = "drawn"
        if words or comment or picture:
            annotation = PdfAnnotation(kind, number, words, comment, mark.box, colour_name(mark.colour), picture)
            placed.append((start or (_nearest(lines, mark.box), 0), annotation))
    yield from (annotation for _, annotation in sorted(placed, key=lambda pair: pair[0]))


def _drawings(raw: Sequence[PdfMark]) -> list[PdfMark]:
    """The marks, with strokes that are near to each other as one: handwriting has one for each letter."""
    marks: list[PdfMark] = []
    for mark in raw:
        near = [other for other in marks if mark.kind == other.kind == "Ink" and _touch(mark.box, other.box)]
        marks = [other for other in marks if other not in near]
        texts = dict.fromkeys(each.text for each in (*near, mark) if each.text)
        marks.append(replace(mark, box=united(each.box for each in (*near, mark)), text="\n".join(texts)))
    return marks


def _touch(box: Box, other: Box) -> bool:
    return all(box[side] - _NEAR <= other[side + 2] and other[side] - _NEAR <= box[side + 2] for side in (0, 1))


def _marked(
    lines: Sequence[Sequence[Letter]], boxes: Sequence[Box], known: frozenset[str]
) -> tuple[tuple[int, int] | None, str]:
    """Where the marked words begin, and the words; of one that is cut by the mark, if most of it is marked."""
    start, texts = None, list[str]()
    for row, line in enumerate(lines):
        text = ""
        for column, word in _words(line):
            inside = sum(any(_holds(box, letter.middle) for box in boxes) for letter in word)
            if inside * 2 > len(word):
                start = start or (row, column)
                text += "".join(letter.text for letter in word)
            elif text and not word[0].text.strip():
                text += " "
        if text.strip():
            texts.append(text)
    return start, joined(texts, known)[:MAX_LETTERS]


def _words(line: Sequence[Letter]) -> Iterator[tuple[int, Sequence[Letter]]]:
    """The words of a line with their places, each space and each Chinese character by itself."""
    start = 0
    for place, letter in enumerate(line):
        alone = not letter.text.strip() or is_ideographic(letter.text)
        if alone and start < place:
            yield start, line[start:place]
        if alone:
            yield place, line[place : place + 1]
            start = place + 1
    if start < len(line):
        yield start, line[start:]


def _holds(box: Box, point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _nearest(lines: Sequence[Sequence[Letter]], box: Box) -> int:
    """The line that a note stands beside."""

    def distance(row: int) -> float:
        (left, top), (right, bottom) = lines[row][0].middle, lines[row][-1].middle
        across = max(left - box[2], box[0] - right, 0)
        return across + 2 * max(min(top, bottom) - box[3], box[1] - max(top, bottom), 0)

    return min(range(len(lines)), key=distance, default=0)


def colour_name(parts: Iterable[float]) -> str:
    """The nearest of the named colours to one in grey, RGB or CMYK with parts from 0 to 1; empty for yellow."""
    values = tuple(parts)
    if len(values) == 4:
        values = tuple((1 - part) * (1 - values[3]) for part in values[:3])
    if len(values) == 1:
        values *= 3
    if len(values) != 3:
        return ""
    hue, saturation, value = colorsys.rgb_to_hsv(*values)
    if saturation < 0.15 or value < 0.2:
        return "grey" if 0.2 <= value < 0.95 else ""
    return next((name for limit, name in _HUES if hue * 360 < limit), "red")
