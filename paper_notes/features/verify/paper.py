"""A paper as it is searched: a PDF cut into passages that people name, with the numbers and words of each row."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Literal

from paper_notes.features.papers.pdf_facts import OutlineItem, outline
from paper_notes.features.verify.arithmetic import is_rounded
from paper_notes.features.verify.quantities import Quantity, folded, quantities_in
from paper_notes.identifiers import folded_title
from paper_notes.sources.pdf.captions import style_of
from paper_notes.sources.pdf.document import PdfLine, PdfPage, opened
from paper_notes.sources.pdf.figures import figures_on
from paper_notes.sources.pdf.model import Box, PdfFigure, PdfProblem
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.pdf.text import cleaned, joined, title_text
from paper_notes.sources.tree import Source

PassageKind = Literal["front", "section", "table", "figure"]
_HEADING_NUMBER = re.compile(
    r"^(?:appendix\s+)?(\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){0,3}|[IVX]{1,4})[.:]?\s+(?=\S)", re.IGNORECASE
)
_REFERENCES = re.compile(r"^(?:[\dIVX]+\.?\s+)?(?:references|bibliography|参考文献)\W*$", re.IGNORECASE)
_SAME_ROW = 0.55
"""Words whose middles are closer than this part of their height are on one row."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its left and right edge in points."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class PassageRow:
    """Words on one line, from left to right in tables and as they are read in sections."""

    page: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a paper that has a name. What comes before the first section is the `front`."""

    kind: PassageKind
    number: str
    """`2`, `A.1`; may be empty."""
    title: str
    """Heading or caption."""
    page: int
    rows: tuple[PassageRow, ...]


@dataclass(frozen=True, slots=True)
class Passages:
    """All of a paper but its list of references, in the order of sections, then of tables and figures."""

    parts: tuple[Passage, ...]
    pages: int
    first: str
    """The text of page 1."""


def passages_of(source: Source, reader: PdfReader) -> Passages | PdfProblem:
    """The text of a PDF of the collection, cut into the passages that people name."""
    return reader.read(source, "passages", Passages, read_passages)


def read_passages(data: bytes) -> Passages:
    """The passages of a PDF. Raises PdfProblem."""
    with opened(data) as document:
        pages = document.every_page()
        figures = figures_on(pages)
        headings = outline(document, pages, style_of(pages).size)
        words = {page.number: document.words(page.number) for page in pages}
    beside = [_beside(figure, words[figure.page]) for figure in figures]
    boxes = {page.number: [figure.box for figure in figures if figure.page == page.number] for page in pages}
    first = joined(line.text for line in pages[0].lines if line.upright) if pages else ""
    return Passages((*_sections(pages, boxes, headings), *beside), len(pages), first)


def _beside(figure: PdfFigure, words: Sequence[tuple[str, Box]]) -> Passage:
    """A figure or table with its words in rows."""
    inside = [(text, box) for text, box in words if _inside(box, figure.box)]
    rows = tuple(PassageRow(figure.page, row) for row in _rows(inside))
    return Passage(figure.kind, figure.number, figure.caption, figure.page, rows)


def _rows(words: Sequence[tuple[str, Box]]) -> Iterator[tuple[Word, ...]]:
    """The words as they stand side by side, from the top; raised and lowered signs go with their row."""
    ordered = sorted(words, key=lambda word: (word[1][1] + word[1][3]) / 2)
    row: list[tuple[str, Box]] = []
    middle = height = 0.0
    for text, box in ordered:
        here, size = (box[1] + box[3]) / 2, box[3] - box[1]
        if row and here - middle > _SAME_ROW * min(height, size or height):
            yield _in_line(row)
            row = []
        if not row:
            middle, height = here, size
        row.append((text, box))
    if row:
        yield _in_line(row)


def _in_line(row: Sequence[tuple[str, Box]]) -> tuple[Word, ...]:
    return tuple(
        Word(cleaned(text), round(box[0], 1), round(box[2], 1))
        for text, box in sorted(row, key=lambda word: word[1][0])
        if cleaned(text)
    )


def _sections(
    pages: Sequence[PdfPage], boxes: dict[int, list[Box]], outline: Sequence[OutlineItem]
) -> Iterator[Passage]:
    """The running text, cut at headings; without the list of references."""
    wanted: dict[int, list[str]] = {}
    for item in outline:
        wanted.setdefault(item.page, []).append(item.title)
    kind: PassageKind = "front"
    number = title = ""
    page_of, rows, listing = 1, list[PassageRow](), False
    for page in pages:
        for line in page.lines:
            if not line.upright or any(_inside(line.box, box) for box in boxes[page.number]):
                continue
            heading = _heading(line, wanted, page.number)
            if heading is not None:
                if rows and not listing:
                    yield Passage(kind, number, title, page_of, tuple(rows))
                kind, (number, title) = "section", heading
                page_of, rows, listing = page.number, [], bool(_REFERENCES.match(title))
            text = cleaned(line.text)
            rows.append(PassageRow(page.number, (Word(text, round(line.box[0], 1), round(line.box[2], 1)),)))
    if rows and not listing:
        yield Passage(kind, number, title, page_of, tuple(rows))


def _heading(line: PdfLine, wanted: dict[int, list[str]], page: int) -> tuple[str, str] | None:
    """Number and title if the line begins a heading of the outline, which may be named on the page before or after."""
    text = title_text([line])
    if len(text) > 150:
        return None
    match = _HEADING_NUMBER.match(text)
    bare = folded_title(text[match.end() :] if match else text)
    if len(bare) < 3:
        return None
    if _REFERENCES.match(text):
        return "", text
    for near in (page, page - 1, page + 1):
        for title in wanted.get(near, ()):
            said = _HEADING_NUMBER.match(title)
            whole = folded_title(title[said.end() :] if said else title)
            same_number = not (said and match) or said[1].lower() == match[1].lower()
            if same_number and (whole == bare or (len(bare) > 12 and whole.startswith(bare))):
                wanted[near].remove(title)
                return (match or said)[1] if (match or said) else "", title  # type: ignore[index] # one of them is there
    return None


def _inside(box: Box, frame: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return frame[0] <= x <= frame[2] and frame[1] - 1 <= y <= frame[3] + 1


_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-.+][A-Za-z0-9]+)*|\d+(?:\.\d+)?[A-Za-z]+")
_COMMON = frozenset(
    "the a an of in on at to for and or is are was with by from as than that this it its we our be not only all each "
    "per over under vs figure fig table section no yes which when while about but if so do does".split()
)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A number in a passage."""

    quantity: Quantity
    row: int
    middle: float
    """Where it is on its line, in points from the left; the beginning of the line in running text."""

    @property
    def digits(self) -> str:
        return self.quantity.digits

    @property
    def value(self) -> Decimal:
        return self.quantity.value


@dataclass(frozen=True)
class Searched:
    """A passage with its numbers."""

    passage: Passage

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The texts of its rows; the caption or heading is the last."""
        return (*(folded(row.text) for row in self.passage.rows), folded(self.passage.title))

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        return tuple(self._all())

    def _all(self) -> Iterator[Occurrence]:
        for number, row in enumerate(self.passage.rows):
            if self.passage.kind in ("table", "figure"):
                for word, after in zip(row.words, (*row.words[1:], None), strict=True):
                    text = f"{word.text}%" if after and after.text == "%" else word.text
                    yield from _numbers(folded(text), number, (word.left + word.right) / 2)
            else:
                yield from _numbers(folded(row.text), number, row.words[0].left)
        yield from _numbers(folded(self.passage.title), len(self.passage.rows), -1.0)

    @cached_property
    def by_value(self) -> Mapping[Decimal, tuple[Occurrence, ...]]:
        """Occurrences by value without trailing zeros, as printed and as what percent and letters stand for."""
        by_value: dict[Decimal, dict[Occurrence, None]] = defaultdict(dict)
        for occurrence in self.occurrences:
            by_value[occurrence.value.normalize()][occurrence] = None
            if occurrence.quantity.scale or occurrence.quantity.percent:
                by_value[occurrence.quantity.plain.normalize()][occurrence] = None
        return {value: tuple(ones) for value, ones in by_value.items()}

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The words of each row in lower case, without those that all texts have."""
        return tuple(map(words_of, self.rows))

    @cached_property
    def shapes(self) -> Mapping[tuple[int, int], int]:
        """How many different numbers there are of each shape."""
        digits: dict[tuple[int, int], set[str]] = defaultdict(set)
        for occurrence in self.occurrences:
            digits[_shape(occurrence.digits)].add(occurrence.digits)
        return {shape: len(ones) for shape, ones in digits.items()}

    def find(self, figures: Quantity) -> tuple[Occurrence, ...]:
        """Where the number is, in any of its spellings."""
        value = figures.value.normalize()
        occurrences = list(self.by_value.get(value, ()))
        if figures.percent:
            parts = self.by_value.get((value / 100).normalize(), ())
            occurrences += (occurrence for occurrence in parts if not occurrence.quantity.percent)
        if figures.scale:
            occurrences += self.by_value.get(figures.plain.normalize(), ())
            occurrences += [occurrence for occurrence in self.occurrences if _is_short_for(figures, occurrence)]
        if not occurrences and figures.decimals:
            occurrences += [occurrence for occurrence in self.occurrences if _is_rounded(figures, occurrence)]
        return tuple(dict.fromkeys(occurrences))

    def chance(self, figures: Quantity) -> float:
        """How likely it is, from 0 to 1, that a number of this shape that is not in the paper is found here."""
        whole, part = _shape(figures.digits)
        longer = sum(count for (size, more), count in self.shapes.items() if size == whole and more > part > 0)
        return min((self.shapes.get((whole, part), 0) + longer) / _room((whole, part)), 1.0)


def _is_short_for(figures: Quantity, occurrence: Occurrence) -> bool:
    """Whether the number is one that is printed in full, rounded to thousands or the like: `26K` for 26,031."""
    long = len(occurrence.digits.partition(".")[0]) > 3 and not occurrence.quantity.scale
    return long and is_rounded(float(occurrence.value), figures.digits, scale=figures.scale)


def _is_rounded(figures: Quantity, occurrence: Occurrence) -> bool:
    """Whether the paper has the number with more digits: 1.464 for 1.46."""
    longer = len(occurrence.digits.partition(".")[2]) > figures.decimals and not occurrence.quantity.scale
    return longer and is_rounded(float(occurrence.value), figures.digits)


def _numbers(text: str, row: int, middle: float) -> Iterator[Occurrence]:
    return (Occurrence(quantity, row, middle) for quantity in quantities_in(text, in_paper=True))


def _shape(digits: str) -> tuple[int, int]:
    whole, _, part = digits.partition(".")
    return len(whole.lstrip("0")), len(part)


def _room(shape: tuple[int, int]) -> int:
    """How many numbers there are of a shape."""
    whole, part = shape
    room: int = (9 * 10 ** (whole - 1) if whole else 1) * 10**part
    return room


def words_of(text: str) -> frozenset[str]:
    """The words that tell a row from others."""
    whole = [word.lower().rstrip(".") for word in _WORD.findall(text)]
    parts = [part for word in whole if "-" in word for part in word.split("-")]
    return frozenset(word for word in (*whole, *parts) if len(word) > 1 and word not in _COMMON)


class PaperIndex:
    """The passages of a paper by their names."""

    def __init__(self, passages: Passages) -> None:
        self.passages = passages
        self.all = tuple(Searched(passage) for passage in passages.parts)

    def named(self, kind: str, number: str) -> tuple[Searched, ...]:
        """The passages of that name, a section with those below it; empty if there is none."""
        if kind == "page":
            return tuple(_on_page(self.all, int(number))) if number.isdecimal() else ()
        if number == "abstract":
            return tuple(part for part in self.all if part.passage.kind == "front")
        if number == "introduction":
            return tuple(part for part in self.all if number in part.passage.title.lower())
        wanted = _plain(number)
        same = [part for part in self.all if part.passage.kind == kind and _plain(part.passage.number) == wanted]
        if kind != "section":
            return tuple(same)
        sections = (part for part in self.all if part.passage.kind == kind)
        below = [part for part in sections if _plain(part.passage.number).startswith(f"{wanted}.")]
        if same or below or "." not in number:
            return (*same, *below)
        return self.named(kind, number.rpartition(".")[0])  # the outline of the PDF may not go that deep


def _on_page(passages: Iterable[Searched], page: int) -> Iterator[Searched]:
    for part in passages:
        rows = tuple(row for row in part.passage.rows if row.page == page)
        if rows:
            title = part.passage.title if part.passage.page == page else ""
            yield Searched(Passage(part.passage.kind, part.passage.number, title, page, rows))


def _plain(number: str) -> str:
    return number.upper().rstrip(".")
