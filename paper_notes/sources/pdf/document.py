"""PDF files by PyMuPDF: opened with all checks, pages as plain values, and pictures of parts of pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple

from paper_notes.patterns import regex
from paper_notes.sources.pdf.bombs import refuse_bombs, refuse_huge_drawings
from paper_notes.sources.pdf.model import Box, PdfProblem, united
from paper_notes.sources.pdf.picture import Picture, webp
from paper_notes.values import Struct

MAX_BYTES = 64 * 1024 * 1024
MAX_PAGES = 5_000
MAX_SIDE = 14_400.0
"""The longest side of a page that the format allows, in points."""
_DOTS = 200
"""Of a drawing, to the inch."""
_WHITE = 248
"""Grey values from this on are white. The largest is 255."""

_UPRIGHT = 0.99
"""The least cosine of the angle of an upright line."""
_MOST = 0.7
"""The part of a page's letters, at least, that goes up or down if the page is to be turned."""
_SMALLER, _SHIFTED = 0.85, 0.12
"""Raised and lowered letters are smaller than the line's by this factor, and off its base by this part of its size."""

_ON_WORDS = frozenset({8, 9, 10, 11})
"""PDF's numbers of highlights, underlines, squiggly lines and strike-outs."""

_WORDS_OF_HTML = regex(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)
_BOLD = regex(r"bold|medi|heavy|black|\b(?:CM|SF|EC)B[X\d]", re.IGNORECASE)


class PdfSpan(Struct, frozen=True):
    """Letters of one font."""

    text: str
    size: float
    font: str
    bold: bool
    box: Box


class PdfLine(Struct, frozen=True, dict=True):
    """A line of text on a page; `block` is the number of the block that MuPDF put it into."""

    spans: tuple[PdfSpan, ...]
    box: Box
    block: int
    upright: bool

    @cached_property
    def text(self) -> str:
        return " ".join("".join(span.text for span in self.spans).split())

    @cached_property
    def size(self) -> float:
        """The size of most of its letters."""
        sizes: dict[float, int] = {}
        for span in self.spans:
            size = round(span.size, 1)
            sizes[size] = sizes.get(size, 0) + len(span.text.strip())
        return max(sizes, key=lambda size: (sizes[size], size)) if sizes else 0.0

    @cached_property
    def largest(self) -> float:
        return max((span.size for span in self.spans if span.text.strip()), default=0.0)

    @cached_property
    def bold(self) -> bool:
        """True if it starts in bold."""
        return next((span.bold for span in self.spans if span.text.strip()), False)

    @cached_property
    def font(self) -> str:
        fonts: dict[str, int] = {}
        for span in self.spans:
            fonts[span.font] = fonts.get(span.font, 0) + len(span.text.strip())
        return max(fonts, key=lambda font: (fonts[font], font)) if fonts else ""


class PdfPage(Struct, frozen=True):
    """The content of a page. Boxes are in points from its top left."""

    number: int
    """From 1."""
    width: float
    height: float
    lines: tuple[PdfLine, ...]
    graphics: tuple[Box, ...]
    """Boxes of images, lines and areas."""


Strokes = tuple[tuple[tuple[float, float], ...], ...]
"""Lines of a pen, by their points."""


class Letter(NamedTuple):
    """A character, and the middle of its box."""

    text: str
    middle: tuple[float, float]


class PdfMark(Struct, frozen=True):
    """An annotation. Its boxes are those of the page before it is turned, as those of letters."""

    kind: str
    """PDF's name: `Highlight`."""
    id: int
    replies_to: int
    """The id of the one that it answers, or 0."""
    boxes: tuple[Box, ...]
    """Of marked words, one for each line."""
    box: Box
    text: str
    colour: tuple[float, ...]


class PdfWord(NamedTuple):
    """Letters without a space between them, or the part of them that is raised or lowered."""

    text: str
    box: Box
    base: float
    """Where its line stands, in points from the top; that of the whole word for a raised or lowered part."""
    size: float
    """Of the line's letters."""
    bold: bool
    script: int
    """1 if raised, -1 if lowered."""
    glued: bool
    """Whether no space is between it and the part before it."""


class PdfDocument:
    """An open PDF."""

    def __init__(self, raw: Any, pymupdf: Any) -> None:
        self._raw = raw
        self._pymupdf = pymupdf
        self._seen: set[int] = set()
        """The pages that are turned as they have to be: the document keeps that."""
        self._read: dict[int, list[dict[str, Any]]] = {}
        """The text of the page that was turned last."""

    @property
    def pages(self) -> int:
        return int(self._raw.page_count)

    @property
    def repaired(self) -> bool:
        return bool(self._raw.is_repaired)

    @property
    def metadata(self) -> dict[str, str]:
        return {key: str(value).strip() for key, value in (self._raw.metadata or {}).items() if value}

    @property
    def outline(self) -> tuple[tuple[int, str, int], ...]:
        """Level, title and page of the items of the PDF's outline."""
        try:
            rows = self._raw.get_toc(simple=True)
        except Exception:  # an outline that is broken or goes in circles: as if there were none
            return ()
        return tuple((int(level), " ".join(str(title).split()), int(page)) for level, title, page in rows)

    def size(self, number: int) -> tuple[float, float]:
        """Width and height of a page in points. Raises PdfProblem if it cannot be read."""
        with self._loaded(number) as page:
            return float(page.rect.width), float(page.rect.height)

    def page(self, number: int) -> PdfPage:
        """A page by its number from 1. Raises PdfProblem if it cannot be read."""
        with self._loaded(number) as page:
            has_less = _without_free_text(page)
            blocks = self._read.pop(number, None)
            lines = tuple(_lines(self._blocks(page, "dict") if blocks is None or has_less else blocks))
            painted = [
                _box(item[1])
                for item in page.get_bboxlog()
                if item[0] in ("fill-path", "stroke-path", "fill-image", "fill-imgmask", "fill-shade")
            ]
            area = page.rect
            return PdfPage(number, float(area.width), float(area.height), lines, tuple(painted))

    def every_page(self) -> list[PdfPage]:
        """All pages in order. Raises PdfProblem if one cannot be read."""
        return [self.page(number) for number in range(1, self.pages + 1)]

    def words(self, number: int) -> tuple[PdfWord, ...]:
        """The upright words of a page in the order of its text. Raises PdfProblem if it cannot be read."""
        with self._loaded(number) as page:
            blocks = self._blocks(page, "rawdict")
            lines = [line["spans"] for block in blocks for line in block.get("lines", ()) if line["dir"][0] > _UPRIGHT]
            return tuple(word for spans in lines for word in _words(spans))

    def marks(self, number: int) -> tuple[PdfMark, ...]:
        """The annotations of a page that are not hidden. Raises PdfProblem if it cannot be read."""
        with self._loaded(number, upright=False) as page:
            annotations = page.annots() if page.first_annot else ()
            return tuple(_mark(item) for item in annotations if not item.flags & self._pymupdf.PDF_ANNOT_IS_HIDDEN)

    def letters(self, number: int) -> tuple[tuple[Letter, ...], ...]:
        """The lines of a page, in the order of its text. Raises PdfProblem if it cannot be read."""
        with self._loaded(number, upright=False) as page:
            _without_free_text(page)
            blocks = self._blocks(page, "rawdict")
            lines = [[char for span in line["spans"] for char in span["chars"]] for b in blocks for line in b["lines"]]
            return tuple(tuple(map(_letter, line)) for line in lines if line)

    def as_seen(
        self, number: int, box: Box, *, width: int, height: int, limit: int, strokes: Strokes | None = None
    ) -> Picture | None:
        """A part of a page with its annotations, as `picture`; the box is one of a mark. None outside of the page.

        With `strokes`, these are drawn on it, and they and the box count from the bottom left, as the PDF itself does.
        """
        with self._loaded(number, upright=False) as page:
            area = self._pymupdf.Rect(box)
            if strokes is not None:
                area *= page.transformation_matrix
                for stroke in strokes:
                    points = [tuple(self._pymupdf.Point(point) * page.transformation_matrix) for point in stroke]
                    page.add_ink_annot([points]).update()
            clip = area * page.rotation_matrix & page.rect
            if clip.width < 1 or clip.height < 1:
                return None
            refuse_huge_drawings(self._raw, page)
            zoom = min(width / clip.width, height / clip.height, 3)
            pixels = page.get_pixmap(matrix=self._pymupdf.Matrix(zoom, zoom), clip=clip, alpha=False)
            return webp(pixels.width, pixels.height, pixels.samples, limit)

    def picture(self, number: int, box: Box, *, width: int, height: int, limit: int) -> Picture:
        """The part of a page, scaled to fit `width` times `height` pixels, in about `limit` bytes at most.

        Raises PdfProblem if it cannot be drawn.
        """
        with self._loaded(number) as page:
            clip = self._pymupdf.Rect(box) & page.rect
            if clip.width < 1 or clip.height < 1:
                raise PdfProblem(f"the box {shown(box)} is outside of page {number}")
            refuse_huge_drawings(self._raw, page)
            zoom = min(width / clip.width, height / clip.height)
            matrix = self._pymupdf.Matrix(zoom, zoom)
            pixels = page.get_pixmap(matrix=matrix, clip=clip, alpha=False, annots=False)
            return webp(pixels.width, pixels.height, pixels.samples, limit)

    def ink(self, number: int, box: Box) -> Box:
        """The part of a box of a page that is not white; the whole box if all or nothing is."""
        with self._loaded(number) as page:
            clip = self._pymupdf.Rect(box) & page.rect
            refuse_huge_drawings(self._raw, page)
            pixels = page.get_pixmap(clip=clip, colorspace=self._pymupdf.csGRAY, alpha=False, annots=False)
            samples, stride, width = pixels.samples, pixels.stride, pixels.width
            rows = [y for y in range(pixels.height) if min(samples[y * stride : y * stride + width]) < _WHITE]
            columns = [x for x in range(width) if min(samples[x::stride]) < _WHITE]
            if not rows or not columns:
                return box
            left, top = pixels.x, pixels.y
            return left + columns[0], top + rows[0], left + columns[-1] + 1.0, top + rows[-1] + 1.0

    def _blocks(self, page: Any, form: str) -> list[dict[str, Any]]:
        flags = self._pymupdf.TEXT_PRESERVE_WHITESPACE | self._pymupdf.TEXT_MEDIABOX_CLIP
        blocks: list[dict[str, Any]] = page.get_text(form, flags=flags)["blocks"]
        return blocks

    def _turn(self, page: Any) -> None:
        """Turn a page so that most of its text is upright: a table that is wide may be printed along its side.

        The text that is read for it is kept for `page`, which asks for it right after.
        """
        letters = Counter[int]()
        blocks = self._blocks(page, "dict")
        for block in blocks:
            for line in block.get("lines", ()):
                letters[round(line["dir"][1])] += sum(len(span["text"]) for span in line["spans"])
        way, most = letters.most_common(1)[0] if letters else (0, 0)
        if way and most > _MOST * letters.total():
            page.set_rotation(90 if way < 0 else 270)
            page.remove_rotation()
            blocks = self._blocks(page, "dict")
        self._read = {page.number + 1: blocks}

    @contextmanager
    def _loaded(self, number: int, *, upright: bool = True) -> Iterator[Any]:
        try:
            page = self._raw.load_page(number - 1)
            if page.rotation and upright:
                page.remove_rotation()
            refuse_bombs(self._raw, page)
            if upright and number not in self._seen:
                self._seen.add(number)
                self._turn(page)
            yield page
        except PdfProblem:
            raise
        except Exception as error:  # MuPDF fails in many ways on damaged pages
            if "alloc" in str(error):  # `malloc (30000 bytes) failed`: perhaps not the page's fault
                raise MemoryError from error
            raise PdfProblem(f"page {number} of the PDF cannot be read", "download the PDF again") from error


@contextmanager
def opened(data: bytes) -> Iterator[PdfDocument]:
    """Open the PDF in `data`. Raises PdfProblem if it is not a PDF, or cannot be used."""
    _check_bytes(data)
    pymupdf = _pymupdf()
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        raw = pymupdf.open(stream=data, filetype="pdf")
    except Exception as error:  # MuPDF's own errors have no more specific base class
        raise _damaged(data) from error
    try:
        if raw.needs_pass:
            hint = "save it without a password, or use another copy"
            raise PdfProblem("the PDF is encrypted and asks for a password", hint)
        if not raw.is_pdf:
            raise _damaged(data)
        if raw.is_repaired and b"%%EOF" not in data[-2048:]:
            raise PdfProblem("the PDF is truncated: its end is missing", "download it again")
        try:
            count = raw.page_count
        except Exception as error:
            raise _damaged(data) from error
        if count < 1:
            if raw.is_repaired:
                raise _damaged(data)
            raise PdfProblem("the PDF has no pages", "use another copy")
        if count > MAX_PAGES:
            raise PdfProblem(f"the PDF has {count:,} pages, more than the {MAX_PAGES:,} allowed", "keep the paper only")
        yield PdfDocument(raw, pymupdf)
    finally:
        raw.close()
        pymupdf.TOOLS.store_shrink(100)
        pymupdf.TOOLS.reset_mupdf_warnings()


def draw(data: bytes, page: int, box: Box | None, width: int, height: int, limit: int) -> Picture:
    """A part of a page, or the whole page; see `PdfDocument.picture`. Raises PdfProblem."""
    with opened(data) as document:
        area = box or (0.0, 0.0, *document.size(page))
        return document.picture(page, area, width=width, height=height, limit=limit)


def _pymupdf() -> Any:
    """The library, loaded when the first PDF is opened: it is large, and most runs open none."""
    import pymupdf

    return pymupdf


def _check_bytes(data: bytes) -> None:
    if not data.strip(b"\0 \t\r\n"):
        raise PdfProblem("the file is empty", "download the PDF again")
    if len(data) > MAX_BYTES:
        raise PdfProblem(f"the PDF has {len(data):,} bytes, more than the {MAX_BYTES:,} allowed", "make it smaller")
    if b"%PDF-" not in data[:1024]:
        if _WORDS_OF_HTML.match(data):
            hint = "open its address in a browser, and save the PDF itself"
            raise PdfProblem("this is not a PDF but a web page, saved under its name", hint)
        raise PdfProblem("this is not a PDF", 'a PDF starts with "%PDF-"; download it again')


def _damaged(data: bytes) -> PdfProblem:
    if b"%%EOF" not in data[-2048:]:
        return PdfProblem("the PDF is truncated: its end is missing", "download it again")
    return PdfProblem("the PDF is damaged and cannot be read", "download it again")


def _lines(blocks: list[dict[str, Any]]) -> Iterator[PdfLine]:
    for number, block in enumerate(blocks):
        pieces: list[PdfLine] = []
        for line in block.get("lines", ()):
            spans = tuple(
                PdfSpan(
                    text=span["text"],
                    size=float(span["size"]),
                    font=str(span["font"]),
                    bold=bool(span["flags"] & 16) or bool(_BOLD.search(span["font"])),
                    box=_box(span["bbox"]),
                )
                for span in line["spans"]
            )
            if any(span.text.strip() for span in spans):
                piece = PdfLine(spans, _box(line["bbox"]), number, upright=abs(line["dir"][0]) > _UPRIGHT)
                joined = _joined(pieces[-1], piece) if pieces else None
                pieces[-1:] = [joined] if joined else [*pieces[-1:], piece]
        yield from pieces


def _words(spans: list[dict[str, Any]]) -> Iterator[PdfWord]:
    """The words of a line; letters that are raised or lowered are words of their own."""
    chars = [(char, span) for span in spans for char in span["chars"]]
    printed = [(char, span) for char, span in chars if not char["c"].isspace()]
    if not printed:
        return
    weights: dict[tuple[float, float], float] = {}
    for char, span in printed:
        style = round(float(span["size"]), 1), round(float(char["origin"][1]), 1)
        weights[style] = weights.get(style, 0.0) + style[0]  # large letters tell more
    size, base = max(weights, key=lambda style: (weights[style], style[0]))
    size = max(size, max((of for of, at in weights if abs(at - base) < _SHIFTED * size), default=size))
    word: list[tuple[Any, Any]] = []
    script, glued = 0, False

    def ended() -> PdfWord:
        boxes = united(_box(char["bbox"]) for char, _ in word)
        bold = bool(word[0][1]["flags"] & 16) or bool(_BOLD.search(word[0][1]["font"]))
        return PdfWord("".join(char["c"] for char, _ in word), boxes, base, size, bold, script, glued)

    for char, span in chars:
        off = base - float(char["origin"][1])
        small = float(span["size"]) < _SMALLER * size and abs(off) > _SHIFTED * size
        shift = (1 if off > 0 else -1) if small else 0
        apart = bool(word) and float(char["bbox"][0]) - float(word[-1][0]["bbox"][2]) > 0.25 * size
        if word and (char["c"].isspace() or shift != script or apart):
            yield ended()
            glued = not char["c"].isspace() and not apart
            word = []
        elif char["c"].isspace():
            glued = False
        if not char["c"].isspace():
            script = shift
            word.append((char, span))
    if word:
        yield ended()


def _joined(left: PdfLine, right: PdfLine) -> PdfLine | None:
    """Two pieces as one line, such as a number and its heading, or None if they are not on one line."""
    same_row = abs(left.box[1] - right.box[1]) < 2 or abs(left.box[3] - right.box[3]) < 2
    gap = right.box[0] - left.box[2]
    limit = 2.4 if len(left.text) <= 6 else 1.2
    if not (left.upright and right.upright and same_row and -1 <= gap <= limit * max(left.largest, right.largest)):
        return None
    space = PdfSpan(" ", right.spans[0].size, right.spans[0].font, right.spans[0].bold, right.spans[0].box)
    spans = (*left.spans, *((space,) if gap > 0.15 * left.size else ()), *right.spans)
    return PdfLine(spans, united((left.box, right.box)), left.block, upright=True)


def _without_free_text(page: Any) -> bool:
    """Take what a reader wrote on the page from it: it would be read as the paper's own words, such as its title.

    Whether there was anything.
    """
    item, has_less = page.first_annot, False
    while item:
        is_text = item.type[1] == "FreeText"
        item, has_less = page.delete_annot(item) if is_text else item.next, has_less or is_text
    return has_less


def _mark(item: Any) -> PdfMark:
    points = item.vertices or [] if item.type[0] in _ON_WORDS else []
    quads = [points[at : at + 4] for at in range(0, len(points) - 3, 4)]
    boxes = [(min(x), min(y), max(x), max(y)) for x, y in (zip(*quad, strict=True) for quad in quads)]
    text = str(item.info.get("content") or "").replace("\r\n", "\n").replace("\r", "\n")
    colour = tuple(map(float, item.colors.get("stroke") or ()))
    return PdfMark(item.type[1], item.xref, item.irt_xref, tuple(map(_box, boxes)), _box(item.rect), text, colour)


def _letter(char: Any) -> Letter:
    left, top, right, bottom = char["bbox"]
    return Letter(str(char["c"]), ((left + right) / 2, (top + bottom) / 2))


def _box(values: Any) -> Box:
    left, top, right, bottom = (max(-MAX_SIDE, min(MAX_SIDE, float(value))) for value in tuple(values)[:4])
    return left, top, right, bottom


def shown(box: Box) -> str:
    """The box in the syntax of notes: `72,90.5,300,410`."""
    return ",".join(f"{value:g}" for value in box)


def drawing_png(svg: str) -> bytes:
    """A drawing as pixels, for programs that show no SVG. Raises ValueError. For a process with limits."""
    pymupdf = _pymupdf()
    try:
        with pymupdf.open(stream=svg.encode(), filetype="svg") as drawing:
            return bytes(drawing[0].get_pixmap(dpi=_DOTS).tobytes("png"))
    except (RuntimeError, pymupdf.mupdf.FzErrorBase) as error:
        raise ValueError(str(error)) from error
