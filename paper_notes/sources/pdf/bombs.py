"""Refuse pages of PDFs that would take more time and memory than any paper, before MuPDF reads or draws them."""

from __future__ import annotations

import base64
import re
import zlib
from typing import Any

from paper_notes.sources.pdf.model import PdfProblem

MAX_PAGE_CONTENT = 16 * 1024 * 1024
"""The most bytes of drawing instructions of one page, unpacked, each as often as it is drawn. The largest of 46 papers
has 9 MB; twice that takes ten seconds."""
MAX_IMAGE_PIXELS = 120_000_000
MAX_OBJECTS = 20_000
"""How many objects are searched for patterns."""
MIN_TILE = 0.05
"""The smallest area of a pattern's tile in square points: with smaller ones a page has millions of them."""
_HINT = "use another copy, or print the page to a new PDF"
_NUMBER = r"\s*(-?[\d.]+)"


def refuse_bombs(raw: Any, page: Any) -> None:
    """Raise PdfProblem if a page's instructions unpack to more than any paper has."""
    forms = raw.get_page_xobjects(page.number)
    left = MAX_PAGE_CONTENT
    sizes: dict[int, int] = {}
    for xref in (*page.get_contents(), *(form[0] for form in forms)):
        if xref not in sizes:
            sizes[xref] = _size(raw, xref, left)
            left -= sizes[xref]
        if left <= 0:
            raise _too_large(page)
    if len(forms) > 1:
        _refuse_repetition(raw, page, forms, sizes)


def _too_large(page: Any) -> PdfProblem:
    message = f"page {page.number + 1} of the PDF unpacks to more than {MAX_PAGE_CONTENT:,} bytes"
    return PdfProblem(message, _HINT)


def _refuse_repetition(raw: Any, page: Any, forms: list[Any], sizes: dict[int, int]) -> None:
    """Raise PdfProblem if forms that draw other forms many times add up to too much."""
    inner: dict[int, dict[int, int]] = {}
    for xref, name, invoker, *_ in forms:
        streams = [invoker] if invoker else page.get_contents()
        draws = re.compile(rb"/%b\s+Do\b" % re.escape(name.encode()))
        drawn = sum(len(draws.findall(raw.xref_stream(stream) or b"")) for stream in streams)
        inner.setdefault(invoker, {})[xref] = drawn
    totals: dict[int, int] = {}

    def total(xref: int, path: frozenset[int]) -> int:
        if xref not in totals:
            totals[xref] = sizes.get(xref, 0) + sum(
                times * total(form, path | {form}) for form, times in inner.get(xref, {}).items() if form not in path
            )
        return totals[xref]

    if total(0, frozenset()) > MAX_PAGE_CONTENT:
        raise _too_large(page)


def _size(raw: Any, xref: int, limit: int) -> int:
    """The approximate number of bytes that a stream unpacks to, up to the limit."""
    data = raw.xref_stream_raw(xref)
    if data is None or len(data) * 1_100 < limit // 16:  # zlib packs 1,032 bytes into one at most
        filters = raw.xref_get_key(xref, "Filter")[1] if data else ""
        if filters.count("/") < 2:
            return len(data or b"")
    factor = 1
    for name in re.findall(r"/(\w+)", raw.xref_get_key(xref, "Filter")[1]):
        data = _unpacked(name, data, limit // factor)
        factor *= _FACTORS.get(name, 1)
        if len(data) * factor >= limit:
            return limit
    return len(data) * factor


_FACTORS = {"RunLengthDecode": 64, "RL": 64, "LZWDecode": 8, "LZW": 8}
"""How many bytes a filter that is not tried makes of one at most, or nearly always."""


def _unpacked(filter_name: str, data: bytes, limit: int) -> bytes:
    """The unpacked bytes up to the limit; nothing for damaged ones, which MuPDF reads as far as it can."""
    try:
        match filter_name:
            case "FlateDecode" | "Fl":
                return zlib.decompressobj().decompress(data, max(limit, 1))
            case "ASCII85Decode" | "A85":
                return base64.a85decode(data.strip().removesuffix(b"~>"))
            case "ASCIIHexDecode" | "AHx":
                return bytes.fromhex(re.sub(rb"[^0-9A-Fa-f]", b"", data).decode())
    except (zlib.error, ValueError):
        return b""
    return data


def refuse_huge_drawings(raw: Any, page: Any) -> None:
    """Raise PdfProblem if a page cannot be drawn in a bounded time: huge images, patterns of tiny tiles."""
    for image in page.get_images(full=True):
        if image[2] * image[3] > MAX_IMAGE_PIXELS:
            message = f"an image on page {page.number + 1} has {image[2]:,} x {image[3]:,} pixels"
            raise PdfProblem(message, "save the figure beside the note instead")
    for xref in range(1, min(raw.xref_length(), MAX_OBJECTS)):
        if raw.xref_get_key(xref, "PatternType")[1] == "1" and _tile(raw.xref_object(xref)) < MIN_TILE:
            raise PdfProblem(f"a pattern of the PDF has tiles that are too small to draw page {page.number + 1}", _HINT)


def _tile(pattern: str) -> float:
    """The area of a pattern's tile in square points; large if it is unknown."""
    steps = [re.search(rf"/{name}{_NUMBER}", pattern) for name in ("XStep", "YStep")]
    matrix = re.search(rf"/Matrix\s*\[{_NUMBER * 4}", pattern.replace("\n", " "))
    try:
        a, b, c, d = (float(number) for number in matrix.groups()) if matrix else (1.0, 0.0, 0.0, 1.0)
        width, height = (float(step[1]) if step else 1.0 for step in steps)
    except ValueError:
        return 1.0
    return abs(width * height * (a * d - b * c))
