"""Drawings and images of a page as files of its note."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from unicodedata import normalize
from urllib.parse import unquote, unquote_to_bytes
from xml.etree.ElementTree import Element

from paper_notes.document import nodes
from paper_notes.document.nodes import Inline
from paper_notes.document.parse import readable_address
from paper_notes.features.importing.html.drawings import figure_of, label_of, page_style, parse_drawing, texts_of
from paper_notes.features.importing.html.facts import below
from paper_notes.features.importing.html.page import Page
from paper_notes.features.importing.html.tree import HtmlNode
from paper_notes.features.importing.types import Folder
from paper_notes.sources.filenames import alike

_KINDS = {
    **{f"image/{kind}": kind for kind in ("png", "jpg", "gif", "webp", "avif")},
    "image/jpeg": "jpg",
    "image/svg+xml": "svg",
}
_SHOWN = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif"})
_DATA = re.compile(r"data:([\w/+.-]+)?((?:;[\w=.-]+)*),(.*)", re.DOTALL)
MAX_ALT = 120


class Pictures:
    """The pictures of one page as files of its note."""

    def __init__(self, page: Page, path: PurePosixPath, folder: Folder, root: HtmlNode) -> None:
        self.page, self.path, self.folder = page, path, folder
        self.files: dict[str, bytes] = {}
        self.used: set[PurePosixPath] = set()
        """Files of the folder that the note shows."""
        elements = [*root.elements()]
        self.around = {id(child): element for element in elements for child in element.children}
        """The element that each one stands in, by `id()`."""
        self.drawings = {id(cut): parse_drawing(cut, page.report) for cut in elements if cut.tag == "drawing"}
        css = "\n".join(element.words for element in elements if element.tag == "style")
        self.style = page_style(css, [*self.drawings.values()])
        self.numbered = 0
        """How many files have a name that we gave them."""

    def picture(self, element: HtmlNode, beside: str) -> Iterator[Inline]:
        """An image within a line, or alone; `beside` says what it shows if it does not itself."""
        return self._drawing(element, beside) if element.tag == "drawing" else self._image(element, beside)

    def _drawing(self, element: HtmlNode, beside: str) -> Iterator[Inline]:
        root = self.drawings[id(element)]
        if self.page.role(root) == "drop":
            return
        figure = figure_of(root, self.style, self.page.report, self._above(element))
        if figure:
            yield self._file("figure", "svg", figure.encode(), _alt(label_of(root) or beside or texts_of(root)))
        elif words := texts_of(root) or label_of(root):
            self.page.tell("drawing-as-text", "this drawing cannot be one of ours: its words stay", element)
            yield nodes.Text(words)

    def _above(self, element: HtmlNode) -> tuple[Element, ...]:
        """What a drawing stands in, the outermost first, as style sheets see it."""
        above: list[Element] = []
        while (around := self.around.get(id(element))) is not None:
            element = around
            above.insert(0, Element(element.tag, element.attributes))
        return (*above[:1], Element("body"), *above[1:])

    def _file(self, kind: str, suffix: str, content: bytes, alt: str) -> Inline:
        self.numbered += 1
        name = f"{kind}-{self.numbered}.{suffix}"
        self.files[name] = content
        return _image_of(name, alt)

    def _image(self, element: HtmlNode, beside: str) -> Iterator[Inline]:
        address = element.attributes.get("src", "").strip()
        if not address or address.startswith(("data:image/svg", "data:image/gif")):
            later = (element.attributes.get(name, "") for name in ("data-src", "data-original", "data-lazy-src"))
            address = next(filter(None, later), address)  # until a script has loaded it
        alt = _alt(element.attributes.get("alt", "") or element.attributes.get("title", "") or beside)
        if address.startswith("data:"):
            suffix, content = data_in(address)
            if content and suffix != "svg":
                yield self._file("image", suffix, content, alt)
                return
        elif address not in self.folder.remote and re.match(r"(?:https?:)?//", address):
            message = f"an image of another site becomes a link: {address[:80]}"
            self.page.tell("image-as-link", message, element)
            href = readable_address(f"https:{address}" if address.startswith("//") else address)
            yield nodes.Link(href, (nodes.Text(alt or address),))
            return
        elif address:
            inside = unquote(address.partition("?")[0].partition("#")[0])
            path = self.folder.remote.get(address) or below(self.folder, self.path, inside)
            kept = self.folder.read(path) if path in self.folder.files else None
            if kept and path.suffix.lower() in _SHOWN:
                name = self._free(path, kept)
                self.used.add(path)
                self.files[name] = kept
                yield _image_of(name, alt or path.stem)
                return
        self.page.tell("missing-image", f"there is no image {address[:80] or '(no address)'}", element)
        if alt:
            yield nodes.Text(f"[{alt}]")

    def _free(self, path: PurePosixPath, content: bytes) -> str:
        name = re.sub(r"[^\w.+-]+", "-", normalize("NFC", path.name)).lstrip("-.")
        stem, number = name.removesuffix(path.suffix), 2
        taken = {alike(known) for known in self.files}
        while alike(name) in taken and self.files.get(name) != content:
            name, number = f"{stem}-{number}{path.suffix.lower()}", number + 1
        return name


def _image_of(file: str, alt: str) -> Inline:
    return nodes.Image(readable_address(file), (nodes.Text(alt or file),))


def data_in(address: str) -> tuple[str, bytes]:
    """The suffix and the content of a picture that its address holds; without content if no page can show it."""
    data = _DATA.match(address)
    suffix = _KINDS.get((data[1] or "").lower(), "") if data else ""
    if not data or not suffix:
        return suffix, b""
    if ";base64" not in data[2]:
        return suffix, unquote_to_bytes(data[3])
    try:
        return suffix, base64.b64decode(unquote(data[3]))
    except ValueError:
        return suffix, b""


def _alt(text: str) -> str:
    """A text for those who cannot see the picture, cut at a sentence or word."""
    text = " ".join(text.split())
    if len(text) <= MAX_ALT:
        return text
    cut = text[:MAX_ALT]
    end = max((stop.start() for stop in re.finditer(r"[。；！？]|[.;!?](?=\s)", cut)), default=0)
    return cut[: end + 1] if end > MAX_ALT // 4 else f"{cut.rsplit(' ', 1)[0]}…"
