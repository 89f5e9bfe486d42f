"""PDFs to test with, made here: no paper of somebody else is in this repository."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import pymupdf

from paper_notes.sources.pdf.crop_metadata import CropRecord, kept_file
from paper_notes.sources.pdf.picture import webp

TITLE = "A Small Paper About Nothing in Particular"
ABSTRACT = (
    "We study nothing in particular, and measure it with great care. Our low-cost method needs no data, and it is "
    "fast. On three synthetic tasks it finds nothing in every case, which agrees with theory. We release nothing."
)
WORDS = (
    "Nothing has been studied before, but never so thoroughly. The usual approach looks for something and reports what "
    "it finds, which leaves the most common case without any treatment. We begin with the empty set, and go on "
    "from there. "
)
SECOND = "Nothing before and after. " + " ".join(["Both panels show the same thing."] * 4)
LEFT, RIGHT = (72.0, 290.0), (306.0, 524.0)
STAMP = "arXiv:{id}v{version}  [cs.CL]  {day}"


def _write(page: Any, box: tuple[float, float, float, float], text: str, size: float = 10, font: str = "tiro") -> None:
    assert page.insert_textbox(pymupdf.Rect(box), text, fontsize=size, fontname=font, align=0) >= 0, text


def _column(page: Any, box: tuple[float, float, float, float]) -> None:
    """Running text, as many sentences as have room."""
    rectangle = pymupdf.Rect(box)
    count = int(rectangle.height / 50)  # it takes more lines than that, and to try takes long
    while page.insert_textbox(rectangle, WORDS * count, fontsize=10, fontname="tiro") < 0:
        count -= 1


def _bars(page: Any, left: float, top: float, count: int = 5) -> None:
    """A vector figure of 180 x 110 points."""
    page.draw_line((left, top + 110), (left + 180, top + 110))
    page.draw_line((left, top), (left, top + 110))
    for place in range(count):
        x = left + 12 + place * 34
        page.draw_rect((x, top + 100 - place * 20, x + 22, top + 110), fill=(0.2, 0.4, 0.8), color=None)
        page.insert_text((x + 4, top + 119), f"n={place}", fontsize=7, fontname="helv")


@cache
def paper(
    arxiv: str = "2601.00001", version: int = 2, day: str = "5 Jan 2026", title: str = TITLE, doi: str = ""
) -> bytes:
    """Three pages: title, abstract, running text, a vector figure, a wide one of two images, two tables."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    if arxiv:
        stamp = STAMP.format(id=arxiv, version=version, day=day)
        page.insert_text((32, 560), stamp, fontsize=20, fontname="tiro", rotate=90)
    page.insert_textbox((90, 70, 505, 112), title, fontsize=17, fontname="tibo", align=1)
    page.insert_text((220, 128), "Ann Author and Bo Writer", fontsize=11, fontname="tiro")
    if doi:
        page.insert_text((72, 790), f"https://doi.org/{doi}", fontsize=8, fontname="tiro")
    page.insert_text((160, 160), "Abstract", fontsize=12, fontname="tibo")
    _write(page, (90, 170, 275, 330), ABSTRACT)
    page.insert_text((72, 352), "1 Introduction", fontsize=12, fontname="tibo")
    _column(page, (LEFT[0], 362, LEFT[1], 780))
    _bars(page, 325, 90)
    _write(page, (RIGHT[0], 224, RIGHT[1], 250), "Figure 1: What was found, by the number n of attempts.", 9)
    _column(page, (RIGHT[0], 270, RIGHT[1], 780))

    page = document.new_page(width=595, height=842)
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 90, 60), False)
    for x in range(90):
        for y in range(60):
            picture.set_pixel(x, y, (x * 2, y * 4, 128))
    page.insert_image((90, 70, 280, 180), pixmap=picture)
    page.insert_image((315, 70, 505, 180), pixmap=picture)
    page.insert_text((170, 192), "(a) before", fontsize=8, fontname="tiro")
    page.insert_text((395, 192), "(b) after", fontsize=8, fontname="tiro")
    _write(
        page, (72, 204, 524, 240), "Figure 2: Nothing before and after. " + "Both panels show the same thing. " * 4, 9
    )
    _column(page, (LEFT[0], 262, LEFT[1], 500))
    _write(page, (LEFT[0], 520, LEFT[1], 545), "Table 1: Results on three tasks. Higher is better.", 9)
    _table(page, 80, 552, 200)
    _column(page, (LEFT[0], 640, LEFT[1], 780))
    page.insert_text((RIGHT[0], 275), "2 Method", fontsize=12, fontname="tibo")
    _column(page, (RIGHT[0], 285, RIGHT[1], 780))

    page = document.new_page(width=595, height=842)
    page.insert_text((LEFT[0], 80), "A Proofs", fontsize=12, fontname="tibo")
    _column(page, (LEFT[0], 95, LEFT[1], 300))
    _table(page, 80, 330, 200)
    _write(page, (LEFT[0], 405, LEFT[1], 430), "Table A.1: The same again, below its table.", 9)
    _column(page, (LEFT[0], 450, LEFT[1], 700))
    document.set_metadata({"title": title, "author": "Ann Author, Bo Writer"})
    return bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True))


def _table(page: Any, left: float, top: float, width: float) -> None:
    for y in (top, top + 16, top + 64):
        page.draw_line((left, y), (left + width, y))
    rows = (("Task", "Theirs", "Ours"), ("One", "0.0", "0.0"), ("Two", "0.0", "0.0"), ("Three", "0.0", "0.1"))
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            page.insert_text((left + 4 + place * 70, top + 12 + number * 16), cell, fontsize=9, fontname="tiro")


def _one_page(**sizes: float) -> Any:
    document = pymupdf.open()
    document.new_page(**sizes).insert_text((40, 80), "One line of text", fontsize=14)
    return document


def kept_figure(version: int | None = 2, part: str = "figure-1") -> bytes:
    """The picture that a collection keeps of a figure of `paper(version=version)`."""
    picture = webp(60, 40, bytes(range(240)) * 30, 9_000)
    digest = hashlib.sha256(paper(version=version or 2)).hexdigest()
    return kept_file(
        CropRecord(part, digest, version, 1, (320.5, 86.0, 507.0, 206.0), "figure", "1", "<“是”> & so"), picture
    )


def with_password() -> bytes:
    options = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "owner", "user_pw": "user"}
    return bytes(_one_page().tobytes(**options))


def with_damaged_index() -> bytes:
    """Its cross-reference table points to the wrong places; a reader can find the objects all the same."""
    data = paper()
    place = data.rindex(b"startxref")
    return data[:place] + b"startxref\n7\n%%EOF\n"


def without_pages() -> bytes:
    objects = (b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>")
    return from_objects(objects)


def from_objects(objects: tuple[bytes, ...]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalogue."""
    data, places = b"%PDF-1.5\n", []
    for number, item in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % count
    trailer = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (count, len(data))
    return data + head + table + trailer


def with_content(
    content: bytes, entries: bytes = b"", more: tuple[bytes, ...] = (), box: bytes = b"0 0 300 300"
) -> bytes:
    """A page of these drawing instructions; `more` objects are numbered from 5."""
    packed = zlib.compress(content, 9)
    return from_objects((
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents 4 0 R%s>>" % (box, entries),
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(packed), packed),
        *more,
    ))  # fmt: skip


def with_huge_image() -> bytes:
    """A gigapixel of white in a few kilobytes."""
    packed = zlib.compress(zlib.compress(bytes(1_250_000), 9), 9)
    image = (
        b"<</Type/XObject/Subtype/Image/Width 40000/Height 40000/BitsPerComponent 1/ColorSpace/DeviceGray"
        b"/Filter[/FlateDecode/FlateDecode]/Length %d>>stream\n%s\nendstream" % (len(packed), packed)
    )
    return with_content(b"q 300 0 0 300 0 0 cm /I Do Q", b"/Resources<</XObject<</I 5 0 R>>>>", (image,))


BROKEN: dict[str, Callable[[], bytes]] = {
    "empty file": lambda: b"",
    "nothing but blanks": lambda: b" \n\0\n",
    "a web page": lambda: b"\xef\xbb\xbf<!DOCTYPE html><title>Just a moment...</title>",
    "a web page without a doctype": lambda: b"\n <html><body>404",
    "a text file": lambda: b"Dear reader, the PDF is attached.",
    "a picture": lambda: b"\x89PNG\r\n\x1a\n" + bytes(50),
    "a compressed PDF": lambda: b"\x1f\x8b\x08" + zlib.compress(paper()),
    "the header far below": lambda: b"x" * 2_000 + paper(),
    "only a header": lambda: b"%PDF-1.5\n",
    "garbage after the header": lambda: b"%PDF-1.5\n" + bytes(range(256)) * 40 + b"%%EOF",
    "cut in the middle": lambda: paper()[: len(paper()) // 2],
    "cut near the end": lambda: paper()[:-40],
    "with a password": with_password,
    "without pages": without_pages,
    "a catalogue that leads nowhere": lambda: from_objects((b"<</Type/Catalog/Pages 9 0 R>>",)),
    "a page that unpacks without end": lambda: with_content(b"0 0 m 9 9 l S\n" * 6_000_000),
}
"""What cannot be used; `sources/pdf_broken.yaml` has what is said of each."""


RESULTS = (
    ("Tea", "Score", "Cost (s)", "Cups"),
    ("Green tea", "71.2", "0.48", "1,024"),
    ("Black tea", "64.5", "0.31", "2,048"),
    ("White tea", "58.9", ".27", "512"),
    ("Oolong", "66.0", "0.52", "4,096"),
)
OTHERS = (("Water", "Hot", "Cold"), ("Spring", "83%", "17.5%"), ("River", "61%", "39.4%"), ("Rain", "52%", "48.6%"))


@cache
def results(title: str = "The Classic of Tea", later: str = "") -> bytes:
    """A paper of two pages with numbered sections, a quotable sentence, two tables of numbers, and references.

    `later` is a text below a third table, after the references.
    """
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((90, 70, 505, 112), title, fontsize=17, fontname="tibo", align=1)
    page.insert_text((270, 128), "Yu Lu", fontsize=11, fontname="tiro")
    page.insert_text((72, 170), "1 Introduction", fontsize=12, fontname="tibo")
    _write(
        page, (72, 180, 524, 215), "We brew every leaf that we can find, with care, in cold water. It takes 3.5 hours."
    )
    _column(page, (72, 220, 524, 400))
    page.insert_text((72, 430), "2 Results", fontsize=12, fontname="tibo")
    _write(
        page,
        (72, 440, 524, 470),
        "The effect is largest in spring. Of all cups, 26.3% were empty, and 12,345 were not.",
    )
    _column(page, (72, 480, 524, 700))
    page = document.new_page(width=595, height=842)
    _write(page, (72, 80, 524, 100), "Table 1: Scores and costs of four teas. Higher scores are better.", 9)
    _rows(page, 110, RESULTS)
    _column(page, (72, 220, 524, 330))
    _write(page, (72, 350, 524, 370), "Table 2: Three kinds of water, hot and cold.", 9)
    _rows(page, 380, OTHERS)
    _column(page, (72, 470, 524, 600))
    page.insert_text((72, 620), "A Boiling", fontsize=12, fontname="tibo")
    _write(page, (72, 630, 524, 650), "It boils at 96.5 degrees.")
    page.insert_text((72, 680), "References", fontsize=12, fontname="tibo")
    _write(page, (72, 690, 524, 740), "A. Nyone. On cups. Journal of Cups 77.7, pages 901-934.")
    if later:
        page = document.new_page(width=595, height=842)
        _write(page, (72, 80, 524, 100), "Table 3: Once more.", 9)
        _rows(page, 110, OTHERS)
        _write(page, (72, 400, 524, 440), later)
    return bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True))


def with_tables(*tables: tuple[str, tuple[tuple[str, ...], ...]]) -> bytes:
    """A page with tables below their captions."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((90, 50, 505, 90), "The Classic of Tea", fontsize=17, fontname="tibo", align=1)
    top = 100.0
    for caption, rows in tables:
        _write(page, (72, top, 524, top + 20), caption, 9)
        _rows(page, top + 26, rows)
        _column(page, (72, top + 46 + 18 * len(rows), 524, top + 150 + 18 * len(rows)))
        top += 170 + 18 * len(rows)
    return bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True))


def _rows(page: Any, top: float, rows: tuple[tuple[str, ...], ...]) -> None:
    for y in (top, top + 18, top + 18 * len(rows)):
        page.draw_line((90, y), (490, y))
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            page.insert_text((96 + place * 400 // len(row), top + 13 + number * 18), cell, fontsize=9, fontname="tiro")


@cache
def methods() -> bytes:
    """A paper of two pages that compares methods: sentences with names, numbers and negations, a formula, a table."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox(
        (90, 70, 505, 112), "SwiftBrew: Faster Tea by Two Leaves", fontsize=17, fontname="tibo", align=1
    )
    page.insert_text((270, 128), "Yu Lu", fontsize=11, fontname="tiro")
    parts = {
        "1 Introduction": "Brewers such as SlowPot heat the whole pot, which wastes water. We propose SwiftBrew, which "
        "heats two leaves at a time and needs no training. Our code is released.",
        "2 Method": "SwiftBrew first wets the leaves and then pours steam. Its loss is",
        "": "L = a log p(x) - b log q(y) + c R (1)",
        " ": "where R is the rate of steam. The step size is set to 0.02.",
        "3 Results": "SwiftBrew outperforms TwinKettle by 2.4 points on TeaBench. SlowPot does not scale to large "
        "pots. Without steam, accuracy drops by 1.3% on TeaBench. Five experts tasted 120 cups. One cup takes 4.86 s.",
        "4 Limitations": "SwiftBrew was only tested on small pots, and we leave cold water to future work.",
    }
    top = 160.0
    for heading, text in parts.items():
        if heading.strip():
            page.insert_text((72, top), heading, fontsize=12, fontname="tibo")
            top += 8
        _write(page, (72, top, 524, top + 60), text)
        top += 42 if heading.strip() else 24
        _column(page, (72, top, 524, top + 60)) if heading.strip() and heading[0] in "13" else None
        top += 80 if heading.strip() and heading[0] in "13" else 20
    page = document.new_page(width=595, height=842)
    _write(page, (72, 80, 524, 100), "Table 1: Accuracy and time of each method on two sets. Higher is better.", 9)
    _rows(page, 110, METHODS)
    _column(page, (72, 220, 524, 330))
    return bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True))


METHODS = (
    ("Method", "TeaBench", "PotSet", "Time (s)"),
    ("SlowPot", "61.2", "48.9", "9.70"),
    ("TwinKettle", "68.8", "55.1", "6.25"),
    ("SwiftBrew", "71.2", "57.3", "4.86"),
)
