"""A book as EPUB 3: its files, its style sheet, and the ZIP file of them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import resources

from markupsafe import Markup, escape

from paper_notes.features.epub.book import Book
from paper_notes.features.epub.chapter import Chapter
from paper_notes.features.epub.xhtml import Palette
from paper_notes.patterns import regex

_RULE = regex(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = regex(r"var\(--([\w-]+)\)")


def book_style(palette: Palette) -> str:
    """The style sheet: plain colours first, then those of the night for readers that tell of it."""
    sheet = resources.files(__package__).joinpath("book.css").read_text("utf-8")
    day = _VARIABLE.sub(lambda match: palette(match[1]), sheet)
    night = []
    for selector, declared in _RULE.findall(sheet):
        if colours := ";".join(declaration for declaration in declared.split(";") if "var(" in declaration):
            dark = _VARIABLE.sub(lambda match: palette(match[1], night=True), colours)
            night.append(f"{selector.strip()}{{{dark}}}")
    media = "\n".join((*night, *palette.rules()))
    return f":root{{color-scheme:light dark}}\n{day}@media (prefers-color-scheme:dark){{\n{media}\n}}\n"


_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_CONTAINER = (
    f'{_XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
)
_TYPES = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "svg": "image/svg+xml"}
_NO_DAY = "2000-01-01"
"""The day of a book whose notes tell none."""


def epub(book: Book) -> bytes:
    """The file. The same book gives the same bytes."""
    cover, picture = book.cover
    files = {
        "mimetype": b"application/epub+zip",
        "META-INF/container.xml": _CONTAINER.encode(),
        "EPUB/package.opf": _package(book).encode(),
        "EPUB/nav.xhtml": _page(book, book.contents, _nav(book), "").encode(),
        "EPUB/style.css": book_style(book.palette).encode(),
        f"EPUB/images/{cover}": picture,
        "EPUB/text/cover.xhtml": _page(book, book.title, _cover(book)).encode(),
        **{
            f"EPUB/text/{chapter.file}": _page(book, chapter.title, _chapter(chapter)).encode()
            for chapter in book.chapters
        },
        **{f"EPUB/images/{name}": data for name, data in sorted(book.pictures.items())},
    }
    return zipped(files, stored="mimetype")


def _page(book: Book, title: str, body: str, root: str = "../") -> str:
    tag = escape(book.languages[0])
    return (
        f'{_XML}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
        f' lang="{tag}" xml:lang="{tag}">\n<head><meta charset="utf-8"/><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width"/>'
        f'<link rel="stylesheet" type="text/css" href="{root}style.css"/></head>\n{body}\n</html>\n'
    )


def _cover(book: Book) -> str:
    return (
        f'<body epub:type="cover"><section class="cover"><img src="../images/{book.cover[0]}"'
        f' alt="{escape(book.title)}"/></section></body>'
    )


def _chapter(chapter: Chapter) -> str:
    return f'<body epub:type="bodymatter"><section epub:type="{chapter.kind}">{chapter.xml}</section></body>'


def _nav(book: Book) -> str:
    """The contents: parts, chapters, and their headings."""
    items = "".join(_entries(book.chapters))
    first = book.chapters[0]
    marks = (("toc", "nav.xhtml", book.contents), ("bodymatter", f"text/{first.file}", first.title))
    landmarks = "".join(f'<li><a epub:type="{kind}" href="{to}">{escape(words)}</a></li>' for kind, to, words in marks)
    return (
        f'<body><nav epub:type="toc" id="toc"><h1>{escape(book.contents)}</h1><ol>{items}</ol></nav>'
        f'<nav epub:type="landmarks" hidden="hidden"><h2>{escape(book.publisher)}</h2><ol>{landmarks}</ol></nav></body>'
    )


def _entries(chapters: Sequence[Chapter]) -> Iterator[str]:
    at = 0
    while at < len(chapters):
        chapter = chapters[at]
        at += 1
        inside = []
        while at < len(chapters) and chapters[at].inside:
            inside.append(_entry(chapters[at], _headings(chapters[at])))
            at += 1
        yield _entry(chapter, "".join(inside) or _headings(chapter))


def _entry(chapter: Chapter, inside: str) -> str:
    below = f"<ol>{inside}</ol>" if inside else ""
    return f'<li><a href="text/{chapter.file}">{escape(chapter.title)}</a>{below}</li>'


def _headings(chapter: Chapter) -> str:
    """Sections, with their subsections in them."""
    sections: list[tuple[str, list[str]]] = []
    for heading in chapter.headings:
        link = f'<a href="text/{chapter.file}#{escape(heading.anchor)}">{escape(heading.words)}</a>'
        if heading.level == 2 or not sections:
            sections.append((link, []))
        elif heading.level == 3:
            sections[-1][1].append(f"<li>{link}</li>")
    return "".join(f"<li>{link}{f'<ol>{chr(10).join(below)}</ol>' if below else ''}</li>" for link, below in sections)


def _package(book: Book) -> str:
    tag = escape(book.languages[0])
    metadata, manifest = "\n".join(_metadata(book)), "\n".join(_manifest(book))
    spine = "".join(f'<itemref idref="{_id(f"text/{chapter.file}")}"/>' for chapter in book.chapters)
    return (
        f'{_XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="{tag}">\n'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n{metadata}\n</metadata>\n'
        f"<manifest>\n{manifest}\n</manifest>\n"
        f'<spine><itemref idref="{_id("text/cover.xhtml")}"/><itemref idref="nav"/>{spine}</spine>\n</package>\n'
    )


def _metadata(book: Book) -> Iterator[Markup]:
    day = book.changed or _NO_DAY
    line = Markup("<dc:{0}>{1}</dc:{0}>")
    yield Markup('<dc:identifier id="id">urn:uuid:{}</dc:identifier>').format(_uuid(book.address))
    yield line.format("title", book.title)
    yield from (line.format("language", tag) for tag in book.languages)
    yield line.format("creator", book.author or book.publisher)
    yield line.format("publisher", book.publisher)
    yield line.format("date", day)
    yield from (line.format("subject", subject) for subject in book.subjects)
    yield from (line.format("source", source) for source in book.sources)
    meta = Markup('<meta property="{}">{}</meta>')
    yield meta.format("dcterms:modified", f"{day}T00:00:00Z")
    for name, value in (
        ("accessMode", "textual"),
        ("accessMode", "visual"),
        ("accessModeSufficient", "textual"),
        ("accessibilityFeature", "alternativeText"),
        ("accessibilityFeature", "MathML"),
        ("accessibilityFeature", "structuralNavigation"),
        ("accessibilityFeature", "tableOfContents"),
        ("accessibilityHazard", "none"),
    ):
        yield meta.format(f"schema:{name}", value)


def _manifest(book: Book) -> Iterator[str]:
    yield '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    yield '<item id="style" href="style.css" media-type="text/css"/>'
    cover, _ = book.cover
    yield _item(f"images/{cover}", _TYPES[cover.rpartition(".")[2]], "cover-image")
    yield _item("text/cover.xhtml", "application/xhtml+xml")
    for chapter in book.chapters:
        properties = " ".join(kind for kind, mark in (("mathml", "<math"), ("svg", "<svg")) if mark in chapter.xml)
        yield _item(f"text/{chapter.file}", "application/xhtml+xml", properties)
    for name in sorted(book.pictures):
        yield _item(f"images/{name}", _TYPES[name.rpartition(".")[2]])


def _item(path: str, kind: str, properties: str = "") -> str:
    more = f' properties="{properties}"' if properties else ""
    return f'<item id="{_id(path)}" href="{path}" media-type="{kind}"{more}/>'


def _id(path: str) -> str:
    return path.replace("/", "-").replace(".", "-")


def _uuid(name: str) -> str:
    """A name as a UUID of the fifth kind, by which readers know the book again."""
    digits = sha256(f"paper-notes {name}".encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-5{digits[13:16]}-a{digits[17:20]}-{digits[20:32]}"


_DATE = (1980, 1, 1, 0, 0, 0)


def zipped(files: Mapping[str, bytes], stored: str = "") -> bytes:
    """A ZIP file of these files in their order; one may be `stored` as it is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_STORED if name == stored else zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def file_in(archive: bytes, name: str) -> bytes:
    """One file of a ZIP file."""
    with zipfile.ZipFile(io.BytesIO(archive)) as whole:
        return whole.read(name)
