"""Drawings and images of a page as files of its note."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from unicodedata import normalize
from urllib.parse import unquote, unquote_to_bytes

from paper_notes.features.importing.html.drawings import Drawn, parse_drawing
from paper_notes.features.importing.html.inline import Inline, Link, Picture, Words
from paper_notes.features.importing.html.mending import mended, named, texts
from paper_notes.features.importing.html.page import Page, below
from paper_notes.features.importing.html.preparing import CutDrawing, Prepared, Report
from paper_notes.features.importing.html.styles import Sheet, read_sheet
from paper_notes.features.importing.html.tree import Element
from paper_notes.markdown.figures.svg import ELEMENTS
from paper_notes.sources.filenames import alike

_KINDS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/avif": "avif"}
_SHOWN = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif"})
_DATA = re.compile(r"data:([\w/+.-]+)?((?:;[\w=.-]+)*),(.*)", re.DOTALL)
MAX_ALT = 120


class Drawings:
    """The drawings of a page, parsed when they are first asked for."""

    def __init__(self, page: Page, prepared: Prepared) -> None:
        self.page = page
        self.cuts = prepared.drawings
        self.roots: list[Drawn] = [parse_drawing(cut, page.report) for cut in self.cuts]
        own = [one.words() for root in self.roots for one in root.elements() if one.name == "style"]
        self.sheet: Sheet = read_sheet([*prepared.styles, *own], ELEMENTS)
        self.shared: dict[str, Drawn] = {}
        for root in self.roots:
            self.shared = {**named(root), **self.shared}

    def figure(self, number: int) -> tuple[str, str, str]:
        """The file of a drawing, its words and what it says of itself; no file if it cannot be one of ours."""
        cut, root = self.cuts[number], self.roots[number]
        made = mended(root, self.sheet, self.shared, self.page.report, (cut.line, cut.column))
        if made is None:
            return "", texts(root), ""
        return made.source, made.words, made.label


def mended_file(data: bytes, report: Report) -> bytes | None:
    """The file of a drawing without what no page can show; None if it cannot be one of ours."""
    source = data.decode("utf-8-sig", "replace")
    start = re.search(r"<svg(?=[\s/>])", source, re.IGNORECASE)
    if not start:
        return None
    root = parse_drawing(CutDrawing(source[start.start() :].rstrip(), 1, 1), report)
    sheet = read_sheet([one.words() for one in root.elements() if one.name == "style"], ELEMENTS)
    made = mended(root, sheet, named(root), report, (1, 1))
    return made.source.encode() if made else None


def picture(page: Page, element: Element, beside: str) -> Iterator[Inline]:
    """An image within a line, or alone; `beside` says what it shows if it does not itself."""
    if element.tag == "drawing":
        yield from _drawing(page, element, beside)
    else:
        yield from _image(page, element, beside)


def _drawing(page: Page, element: Element, beside: str) -> Iterator[Inline]:
    assert page.drawings is not None
    source, words, label = page.drawings.figure(int(element.attributes.get("number", "0")))
    if source:
        page.figures += 1
        name = f"figure-{page.figures}.svg"
        page.files[name] = source.encode()
        yield Picture(name, _alt(label or beside or words), words)
    elif words:
        page.tell("drawing-as-text", "this drawing cannot be one of ours: its words stay", element)
        yield Words(" ".join(words.split()))


def _image(page: Page, element: Element, beside: str) -> Iterator[Inline]:
    address = element.attributes.get("src", "").strip()
    alt = _alt(element.attributes.get("alt", "") or element.attributes.get("title", "") or beside)
    content: bytes | None
    if data := _DATA.match(address):
        content = _decoded(data[2], data[3])
        kind = (data[1] or "").lower()
        if content and kind in _KINDS:
            page.figures += 1
            name = f"image-{page.figures}.{_KINDS[kind]}"
            page.files[name] = content
            yield Picture(name, alt or name)
            return
    elif address not in page.folder.remote and re.match(r"(?:https?:)?//", address):
        page.tell("image-as-link", f"an image of another site becomes a link: {address[:80]}", element)
        yield Link(f"https:{address}" if address.startswith("//") else address, (Words(alt or address),))
        return
    elif address:
        inside = unquote(address.partition("?")[0].partition("#")[0])
        path = page.folder.remote.get(address) or below(page, inside)
        content = page.folder.read(path) if path in page.folder.files else None
        if content and path.suffix.lower() in _SHOWN:
            name = _free(page, path, content)
            page.used.add(path)
            page.files[name] = content
            yield Picture(name, alt or path.stem)
            return
    page.tell("missing-image", f"there is no image {address[:80] or '(no address)'}", element)
    if alt:
        yield Words(f"[{alt}]")


def _free(page: Page, path: PurePosixPath, content: bytes) -> str:
    name = re.sub(r"[^\w.+-]+", "-", normalize("NFC", path.name)).lstrip("-.")
    stem, number = name.removesuffix(path.suffix), 2
    taken = {alike(known) for known in page.files}
    while alike(name) in taken and page.files.get(name) != content:
        name, number = f"{stem}-{number}{path.suffix.lower()}", number + 1
    return name


def _decoded(options: str, data: str) -> bytes:
    if "base64" not in options:
        return unquote_to_bytes(data)
    try:
        return base64.b64decode(unquote(data), validate=False)
    except (binascii.Error, ValueError):
        return b""


def _alt(text: str) -> str:
    """A text for those who cannot see the picture, cut at a sentence or word."""
    text = " ".join(text.split())
    if len(text) <= MAX_ALT:
        return text
    cut = text[:MAX_ALT]
    end = max((found.start() for found in re.finditer(r"[。；！？]|[.;!?](?=\s)", cut)), default=0)
    return cut[: end + 1] if end > MAX_ALT // 4 else f"{cut.rsplit(' ', 1)[0]}…"
