"""Where links and pictures of a page lead: to notes that are taken in with it, its sections, and files of its note."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from unicodedata import normalize
from urllib.parse import unquote, unquote_to_bytes
from xml.etree.ElementTree import Element

from paper_notes.document import nodes
from paper_notes.document.nodes import Inline
from paper_notes.document.parse import readable_address
from paper_notes.features.importing.html.drawings import (
    drawing_file,
    figure_of,
    label_of,
    page_style,
    parse_drawing,
    texts_of,
)
from paper_notes.features.importing.html.facts import bare_name, below, number_of
from paper_notes.features.importing.html.inlines import plain
from paper_notes.features.importing.html.page import Inlines, Page
from paper_notes.features.importing.html.tree import HtmlNode
from paper_notes.features.importing.markdown.conversion import PICTURES
from paper_notes.features.importing.types import Folder, NoteHeader, NotePlace, NotePlaces
from paper_notes.identifiers import arxiv_in_name, folded_title
from paper_notes.markdown.syntax.inline import SHOWN_WIDTH
from paper_notes.markdown.syntax.references import CitedPaper
from paper_notes.patterns import regex
from paper_notes.sources.filenames import alike
from paper_notes.values import replace

_OUTSIDE = regex(r"(?:https?://[^\s/]|mailto:.)", re.IGNORECASE)
_SCHEME = regex(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SITE = regex(r"(?:www\.|arxiv\.org|github\.com|huggingface\.co|[\w-]+\.(?:org|com|io|ai|net|edu|dev)/)")
_NUMBER = regex(
    r"(?:(?<![A-Za-z0-9_#&=?.:/@-])|(?<=[\d)][/-])|(?<=#\d)|(?<=#\d\d))#(\d{1,4})(?![A-Za-z0-9_]|-(?!#)|\.\d)"
)
_NAMING = regex(r"(?:[见見读讀跨同和与及]|笔记|筆記|参考|參考|参见|note|see|cf\.?|[(（/,、·→]|#\d+)\s*$", re.IGNORECASE)
"""Before a number of one digit, which may as well be a rank."""
_BEFORE = 20
"""In so many characters before it."""
_LABEL = regex(r"\\label\{([^{}]+)\}")


class Links:
    """The links of one page. It remembers which of them lead to its own sections, until these are known."""

    def __init__(self, page: Page, outline: NoteHeader, places: NotePlaces, folder: Folder) -> None:
        self.page, self.outline, self.places, self.folder = page, outline, places, folder
        self.asked: list[tuple[str, str, HtmlNode]] = []
        """The sections of the page that links lead to, what these say, and where."""
        self.cites: list[tuple[str, str]] = []
        """The papers that are cited, as in `ImportedText`."""

    def link(self, element: HtmlNode, inside: Inlines) -> Inlines:
        """The words of `<a>` as a link, a reference, or as they are."""
        page = self.page
        href = " ".join(element.attributes.get("href", "").split())
        if not href or not plain(inside) or href == "#":
            return inside
        if href.startswith("#"):
            label = element.attributes.get("data-reference", "")  # pandoc's name of a formula, which has no id
            return self._within(page.anchors.get(unquote(href[1:]), label), href, inside, element)
        if href.startswith("//") or (_SITE.match(href) and not href.lower().endswith((".html", ".htm"))):
            href = f"https:{href}" if href.startswith("//") else f"https://{href}"
        if _SCHEME.match(href):
            return (nodes.Link(_address(href), inside),) if _OUTSIDE.match(href) else inside
        path, _, fragment = href.partition("#")
        place, kind = self.note_at(unquote(path.partition("?")[0]))
        if place is None:
            page.tell("dead-link", f"no note is taken in with this one as {href}: its words stay", element)
            return inside
        if kind:
            page.tell(kind, f"{href} is taken for {place.reference}", element)
        if place.outline.path == self.outline.path:
            return self._within(page.anchors.get(fragment, ""), f"#{fragment}" if fragment else "", inside, element)
        return self._reference(place, fragment, inside, element)

    def cite(self, element: HtmlNode, inside: Inlines) -> Inlines:
        """A citation of papers whose keys pandoc has kept; its words if the collection has not all of them."""
        keys = element.attributes["data-cites"].split()
        if not (known := self.places.cited(keys)):
            self.page.tell("citation", f'"{" ".join(keys)}" cites no paper of this collection yet', element)
            return inside
        self.cites += known
        return (nodes.Citation(tuple(CitedPaper(here) for here, _ in known)),)

    def _within(self, anchor: str, href: str, inside: Inlines, element: HtmlNode) -> Inlines:
        if href:
            self.asked.append((anchor, href, element))
        return (nodes.Link(f"#{anchor}", inside),) if anchor else inside

    def _reference(self, place: NotePlace, fragment: str, inside: Inlines, element: HtmlNode) -> Inlines:
        target = place.reference
        if fragment:
            if section := dict(place.outline.sections).get(fragment, ""):
                target = f"{target}#{section}"
            else:
                message = f"{place.reference} has no #{fragment}: the link leads to the note"
                self.page.tell("dead-anchor", message, element)
        words = plain(inside)
        if re.search(r"[\[\]|]", words):
            words = words.translate(str.maketrans("[]|", "［］｜"))
            self.page.tell("reference-words", "brackets in the words of a reference become full-width ones", element)
        reference = (nodes.Reference(target, words),)
        mark = inside[0] if len(inside) == 1 else None
        return (replace(mark, inlines=reference),) if isinstance(mark, nodes.Styled) else reference

    def resolved(self, document: nodes.Document) -> nodes.Document:
        """The document without links to sections that it has not; these are reported."""
        ids = {node.id for node in document.walk() if isinstance(node, nodes.Heading | nodes.Component)}
        formulas = [node.tex for node in document.walk() if isinstance(node, nodes.Formula | nodes.FormulaBlock)]
        labels = {label for tex in formulas for label in _LABEL.findall(tex)}
        for anchor, href, element in self.asked:
            if anchor in labels - ids:
                self.page.remove("label", f"the number of the formula takes the place of {element.text()}", element)
            elif anchor not in ids or not anchor:
                self.page.tell("dead-anchor", f"the page has no {href}: its words stay", element)

        def alive(part: Inline) -> Inlines:
            if isinstance(part, nodes.Link) and part.href.startswith("#") and part.href[1:] in labels - ids:
                return (nodes.EquationReference(part.href[1:], brackets=plain(part.inlines).startswith("[")),)
            is_dead = isinstance(part, nodes.Link) and part.href.startswith("#") and part.href[1:] not in ids
            return part.inlines if isinstance(part, nodes.Link) and is_dead else (part,)

        return nodes.with_inlines(document, alive)

    def note_at(self, address: str) -> tuple[NotePlace | None, str]:
        """The note at a relative address, and the kind of finding if it is known by less than its path."""
        path = below(self.folder, self.outline.path, address)
        if place := self.places.by_path.get(path):
            return place, ""
        if path.suffix.lower() not in (".html", ".htm", ".md", ""):
            return None, ""
        name, number, arxiv = bare_name(path.stem), number_of(path.stem), arxiv_in_name(path.stem)
        title = folded_title(name)
        every = {str(place.outline.path): place for place in self.places.by_path.values()}
        notes = [(every[path], folded_title(bare_name(every[path].outline.name))) for path in sorted(every)]
        same = [place for place, other in notes if title and other == title]
        for likely in (
            self.places.named(path.stem),
            [place for place in same if place.outline.number == number],
            same,
            [place for place, _ in notes if arxiv and arxiv_in_name(place.outline.path.stem) == arxiv],
            [
                place
                for place, other in notes
                if min(len(title), len(other)) >= 4 and (title.startswith(other) or other.startswith(title))
            ],
        ):
            candidates = self._nearest(likely, path)
            if len(candidates) == 1:
                return candidates[0], "reference-by-name"
        if number is not None and len(title) < 2 and (place := self._by_number(number, path)):
            return place, "reference-by-number"
        return None, ""

    def _nearest(self, candidates: Sequence[NotePlace], path: PurePosixPath | None = None) -> list[NotePlace]:
        """Of several notes those of the folder that the address names, or of the page's own topic."""
        if len(candidates) < 2:
            return list(candidates)
        folder = (path or self.outline.path).parent
        beside = [place for place in candidates if place.outline.path.parent == folder]
        of_topic = [place for place in candidates if place.outline.topic == self.outline.topic]
        return beside or of_topic or list(candidates)

    def _by_number(self, number: int, path: PurePosixPath | None = None) -> NotePlace | None:
        """The note of this number: of the page's topic, or the only one that there is if its topic has no others."""
        candidates = self._nearest(self.places.by_number.get(number, ()), path)
        if len(candidates) != 1:
            return None
        topic = self.outline.topic
        siblings = (place.outline for place in self.places.by_path.values() if place.outline.path != self.outline.path)
        is_elsewhere = candidates[0].outline.topic != topic
        is_numbered = is_elsewhere and any(outline.topic == topic and outline.number for outline in siblings)
        return None if is_numbered else candidates[0]

    def words(self, words: str, node: HtmlNode) -> Iterator[Inline]:
        """Words whose plain `#15` are references to notes, where it can be no other number."""
        done = 0
        for number in _NUMBER.finditer(words) if "#" in words else ():
            start = number.start()
            is_sure = len(number[1]) > 1 or _NAMING.search(words, max(start - _BEFORE, 0), start)
            place = self._by_number(int(number[1])) if is_sure else None
            if place and place.outline.path != self.outline.path:
                self.page.tell("reference-by-number", f"{number[0]} is taken for {place.reference}", node)
                yield nodes.Text(words[done:start])
                yield nodes.Reference(place.reference, number[0])
                done = number.end()
        yield nodes.Text(words[done:])


def _address(href: str) -> str:
    """An address that needs no brackets around it in Markdown."""
    return readable_address(href.translate({ord(sign): f"%{ord(sign):02X}" for sign in " ()<>|"}))


_KINDS = {
    **{f"image/{kind}": kind for kind in ("png", "jpg", "gif", "webp", "avif")},
    "image/jpeg": "jpg",
    "image/svg+xml": "svg",
}
_DATA = regex(r"data:([\w/+.-]+)?((?:;[\w=.-]+)*),(.*)", re.DOTALL)
_DRAWN = regex(rb"<(?:path|rect|circle|ellipse|line|poly\w+|text|use|image|foreignObject)[\s/>]")
"""What a drawing shows; without it, it keeps the place of a picture that a program loads, as one with a background."""
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
            if suffix == "svg":
                is_empty = "background" in element.attributes.get("style", "") or not _DRAWN.search(content)
                content = b"" if is_empty else drawing_file(content, self.page.report) or b""
            if content:
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
            if kept and path.suffix.lower() in PICTURES:
                name = self._free(path, kept)
                self.used.add(path)
                self.files[name] = kept
                yield _image_of(name, alt or path.stem, pixels(element.attributes.get("width", "")))
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


def _image_of(file: str, alt: str, width: int = 0) -> Inline:
    return nodes.Image(readable_address(file), (nodes.Text(alt or file),), width=width)


def pixels(width: str) -> int:
    """The width that an attribute says, if it is one that our text can say; shares of a page mean little here."""
    said = SHOWN_WIDTH.fullmatch(f"|{width.strip().removesuffix('px')}")
    return int(said[1]) if said else 0


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
