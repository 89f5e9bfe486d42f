"""A paper as it is searched: a PDF cut into passages that people name, with the numbers and words of each row."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Literal

from paper_notes.features.papers.pdf_facts import OutlineItem, outline
from paper_notes.identifiers import folded_title
from paper_notes.patterns import regex
from paper_notes.sources.pdf.captions import style_of
from paper_notes.sources.pdf.document import PdfLine, PdfPage, PdfWord, opened
from paper_notes.sources.pdf.figures import captioned, figures_on, is_continued
from paper_notes.sources.pdf.model import Box, PdfFigure, PdfProblem, united
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.pdf.text import cleaned, joined, title_text
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, replace

PassageKind = Literal["front", "section", "table", "figure"]
_HEADING_NUMBER = regex(
    r"^(?:appendix\s+)?(\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){0,3}|[IVX]{1,4})[.:]?\s+(?=\S)", re.IGNORECASE
)
_REFERENCES = regex(r"^(?:[\dIVX]+\.?\s+)?(?:references|bibliography|参考文献)\W*$", re.IGNORECASE)
_SAME_ROW = 0.3
"""Words that stand apart by up to this part of their size are on one row; cells merged over two rows stand at half."""
PAGE = 20_000.0
"""How far down the next page of a table that goes on begins: no page is that long."""
_MARK = 0.85
"""Smaller letters than this part of the next line's, right above it, are signs that are raised."""
_OFTEN = 3
"""A line that more pages have is a running head."""
_THIN, _DASH = 2.5, 8.0
"""The thickest a line is, and the longest a dash of one is and a space between dashes, in points."""
_FOOTNOTE = regex(r"[*∗†‡§¶⋆★☆♯♭•◦,]+|\(?[a-z]\)?")
"""Raised signs that say nothing of a number."""


class Word(Struct, frozen=True):
    """A word and its left and right edge in points."""

    text: str
    left: float
    right: float
    bold: bool = False


class PassageRow(Struct, frozen=True):
    """Words on one line, from left to right in tables and as they are read in sections."""

    page: int
    words: tuple[Word, ...]
    base: float = 0.0
    """Where its letters stand, in points from the top of the page; 0 in sections. A `PAGE` more for each page after the
    first of a table."""
    size: float = 10.0
    """The size of its letters."""

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


class Passage(Struct, frozen=True):
    """A part of a paper that has a name. What comes before the first section is the `front`."""

    kind: PassageKind
    number: str
    """`2`, `A.1`; may be empty."""
    title: str
    """Heading or caption."""
    page: int
    rows: tuple[PassageRow, ...]
    rules: tuple[Box, ...] = ()
    """The lines drawn in a table or figure: flat boxes, or narrow ones."""

    @property
    def name(self) -> str:
        """Its number, or how its title begins."""
        return self.number or self.title[:60]


class Passages(Struct, frozen=True):
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
        all_figures = list(captioned(pages))
        figures = figures_on(pages)
        headings = outline(document, pages, style_of(pages).size)
        words = {number: document.words(number) for number in {figure.page for figure in all_figures}}
    graphics = {page.number: page.graphics for page in pages}
    beside = []
    for figure in figures:
        later = (other for other in all_figures if other.anchor == figure.anchor and is_continued(other))
        parts = [_beside(part, words[part.page], graphics[part.page]) for part in (figure, *later)]
        beside.append(reduce(_followed, parts))
    boxes = {page.number: [figure.box for figure in figures if figure.page == page.number] for page in pages}
    first = joined(line.text for line in pages[0].lines if line.upright) if pages else ""
    return Passages((*_sections(pages, boxes, headings), *beside), len(pages), first)


def _beside(figure: PdfFigure, words: Sequence[PdfWord], graphics: Sequence[Box]) -> Passage:
    """A figure or table with its words in rows."""
    inside = [word for word in words if _inside(word.box, figure.box)]
    rows = tuple(_in_line(figure.page, row) for row in _rows(inside))
    rules = tuple(_rules(graphics, figure.box))
    return Passage(figure.kind, figure.number, figure.caption, figure.page, rows, rules)


def _followed(first: Passage, other: Passage) -> Passage:
    """A table with what there is of it on a later page."""
    down = PAGE * (other.page - first.page)
    rows = (replace(row, base=row.base + down) for row in other.rows)
    rules = ((left, top + down, right, bottom + down) for left, top, right, bottom in other.rules)
    return replace(first, rows=(*first.rows, *rows), rules=(*first.rules, *rules))


def _rules(graphics: Sequence[Box], frame: Box) -> Iterator[Box]:
    """The lines drawn in a frame, each whole, whatever pieces it is drawn in: dashes, or one for each cell."""
    area = frame[0] - 4, frame[1] - 4, frame[2] + 4, frame[3] + 4
    inside = [box for box in dict.fromkeys(graphics) if area[0] <= box[0] and box[2] <= area[2]]
    inside = [box for box in inside if area[1] <= box[1] and box[3] <= area[3]]
    for across in (0, 1):  # flat ones, then narrow ones
        along = 1 - across
        lines = [box for box in inside if box[2 + along] - box[along] < _THIN < box[2 + across] - box[across]]
        ordered = sorted(lines, key=lambda box: (round(box[along]), box[across]))
        line: Box | None = None
        for box in ordered:
            reach = _DASH if box[2 + across] - box[across] < _DASH else 1.5
            if line and abs(box[along] - line[along]) < 1 and box[across] - line[2 + across] < reach:
                line = united((line, box))
            else:
                yield from (line,) if line else ()
                line = box
        yield from (line,) if line else ()


def _rows(words: Sequence[PdfWord]) -> Iterator[list[PdfWord]]:
    """The words as they stand side by side, from the top; raised and lowered signs go with their row."""
    lines: list[list[PdfWord]] = []
    for word in sorted(words, key=lambda word: (word.base, word.box[0])):
        if lines and word.base - lines[-1][0].base <= _SAME_ROW * max(lines[-1][0].size, word.size):
            lines[-1].append(word)
        else:
            lines.append([word])
    row: list[PdfWord] = []
    for line in lines:
        if row and max(word.size for word in row) < _MARK * line[0].size and line[0].base - row[0].base < line[0].size:
            row += line  # the row so far is signs that are raised beside this line
        else:
            yield from (row,) if row else ()
            row = line
    yield from (row,) if row else ()


def _in_line(page: int, row: Sequence[PdfWord]) -> PassageRow:
    words: list[Word] = []
    largest = max(row, key=lambda word: word.size)
    for word in sorted(row, key=lambda word: word.box[0]):
        text, off = cleaned(word.text), largest.base - word.base
        script = word.script or (word.size < _MARK * largest.size and abs(off) > 1 and (1 if off > 0 else -1))
        before = words[-1] if words else None
        beside = before and word.box[0] - before.right < 0.2 * word.size
        if before and beside and (word.glued or script):
            text = _with_script(before.text, text, script) if script else before.text + text
            words[-1] = Word(text, before.left, round(word.box[2], 1), before.bold)
        elif text:
            words.append(Word(text, round(word.box[0], 1), round(word.box[2], 1), word.bold))
    return PassageRow(page, tuple(words), round(largest.base, 1), round(largest.size, 1))


def _with_script(text: str, script: str, raised: int) -> str:
    """A word with what is raised or lowered beside it. Marks of footnotes are left out: they would change numbers."""
    if raised > 0 and _FOOTNOTE.fullmatch(script):
        return text
    if raised > 0 and re.fullmatch(r"[-+−–]?\d+", script):
        if re.search(r"(?<![\d.,])(?:10|e)$", text) or (len(script) > 1 and re.search(r"(?<![\d.,])2$", text)):
            return f"{text}^{script}"
        is_unit = re.search(r"(?:^|\d)[a-zA-Zµ]{1,3}$", text)
        return text + script if is_unit or not script.isdecimal() else text
    return f"{text} {script}" if text[-1:].isdecimal() and script[:1].isdecimal() else text + script


def _sections(
    pages: Sequence[PdfPage], boxes: dict[int, list[Box]], outline: Sequence[OutlineItem]
) -> Iterator[Passage]:
    """The running text, cut at headings; without the list of references."""
    wanted: dict[int, list[OutlineItem]] = {}
    for item in outline:
        wanted.setdefault(item.page, []).append(item)
    times = Counter(text for page in pages for text in {line.text for line in page.lines})
    around = "", 0
    kind: PassageKind = "front"
    number = title = ""
    page_of, rows, listing = 1, list[PassageRow](), False
    for page in pages:
        before: PdfLine | None = None
        if listing and boxes[page.number] and page.number > page_of:  # tables and figures come after it
            kind, number, title, page_of, rows, listing = "section", "", "", page.number, [], False
        for line in page.lines:
            if not line.upright or any(_inside(line.box, box) for box in boxes[page.number]):
                continue
            heading = _heading(line, wanted, page.number) if times[line.text] <= _OFTEN else None
            if heading is not None:
                if rows and not listing:
                    yield Passage(kind, number, title, page_of, tuple(rows))
                kind, (number, title, level) = "section", heading
                around = _numbered(number, level, around)
                number = around[0]
                page_of, rows, listing = page.number, [], bool(_REFERENCES.match(title))
            word = Word(cleaned(line.text), round(line.box[0], 1), round(line.box[2], 1))
            if rows and before and _goes_on(before, line):
                rows[-1] = PassageRow(page.number, (*rows[-1].words, word))
            else:
                rows.append(PassageRow(page.number, (word,)))
            before = line
    if rows and not listing:
        yield Passage(kind, number, title, page_of, tuple(rows))


def _goes_on(before: PdfLine, line: PdfLine) -> bool:
    """Whether a line goes on with the one before after a wide space, as lines of a listing do."""
    apart = abs(line.box[1] + line.box[3] - before.box[1] - before.box[3])
    return line.block == before.block and apart < before.size / 2 and line.box[0] >= before.box[2]


def _numbered(number: str, level: int, around: tuple[str, int]) -> tuple[str, int]:
    """The number of a section, and the level of what has it: without one of its own it is that of the one around."""
    outer, depth = around
    is_own = not outer or level <= depth or "." in number
    return (number, level) if is_own else around


def _heading(line: PdfLine, wanted: dict[int, list[OutlineItem]], page: int) -> tuple[str, str, int] | None:
    """Number, title and level if the line begins a heading of the outline, named on its page or the next or last."""
    text = title_text([line])
    if len(text) > 150:
        return None
    match = _HEADING_NUMBER.match(text)
    bare = folded_title(text[match.end() :] if match else text)
    if len(bare) < 3:
        return None
    if _REFERENCES.match(text):
        return "", text, 0
    for near in (page, page - 1, page + 1):
        for item in wanted.get(near, ()):
            title = item.title
            said = _HEADING_NUMBER.match(title)
            whole = folded_title(title[said.end() :] if said else title)
            same_number = not (said and match) or said[1].lower() == match[1].lower()
            if not same_number and folded_title(title) == bare:  # `3.3. A Logistic Estimator`
                whole, same_number = bare, True
            if same_number and (whole == bare or (len(bare) > 12 and whole.startswith(bare))):
                wanted[near].remove(item)
                number = match or said
                return number[1] if number else "", title, item.level
    return None


def _inside(box: Box, frame: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return frame[0] <= x <= frame[2] and frame[1] - 1 <= y <= frame[3] + 1


def folded_letters(text: str) -> str:
    """Only letters and digits in lower case, without accents: neither hyphens at ends of lines nor ligatures tell."""
    if text.isascii():  # nearly all is, and this is quicker
        return "".join(sign for sign in text if sign.isalnum()).lower()
    return "".join(sign for sign in unicodedata.normalize("NFKD", text).lower() if sign.isalnum())
