"""Notes written as HTML pages: a row of the table of formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from paper_notes.features.importing.html.blocks import note_text
from paper_notes.features.importing.html.elements import HEADINGS
from paper_notes.features.importing.html.facts import facts_of, language_of
from paper_notes.features.importing.html.headings import Numbering, bare_words, is_numbered
from paper_notes.features.importing.html.inline import Break, Inline, Link, Marked, Picture, Reference, Words, plain
from paper_notes.features.importing.html.naming import name_of, number_of, topic_of
from paper_notes.features.importing.html.page import Page, find_anchors
from paper_notes.features.importing.html.pictures import Drawings
from paper_notes.features.importing.html.preparing import Prepared, prepare
from paper_notes.features.importing.html.tree import Element, Text, parse
from paper_notes.features.importing.html.typeset import with_formulas
from paper_notes.features.importing.html.words import visible_words
from paper_notes.features.importing.html.words_of import inline
from paper_notes.features.importing.values import Folder, Foreign, Format, Options, Original, Outline, Places
from paper_notes.sources.characters import UNUSABLE

_PAGE = re.compile(
    r"<!doctype\s+html|<html[\s>]|<body[\s>]|<(?:h[1-6]|p|div|article|section|table)[\s>]", re.IGNORECASE
)


def recognises(original: Original) -> bool:
    """Whether a file holds a page, not only a piece that leads elsewhere."""
    start = original.text[:20_000]
    return bool(_PAGE.search(start)) and not re.search(r"<meta[^>]+http-equiv=[\"']?refresh", start, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Read:
    prepared: Prepared
    root: Element
    heading: Element | None
    """That of the title."""


def _read(original: Original, page: Page | None = None) -> _Read:
    report = page.report if page else lambda *_: None
    prepared = prepare(with_formulas(UNUSABLE.sub("\ufffd", original.text), report), report)
    root = parse(prepared, report)
    return _Read(prepared, root, root.first("h1"))


def outline(original: Original, folder: Folder) -> Outline:
    """What a page tells before all are read."""
    read = _read(original)
    stem = original.path.stem
    heading = " ".join(_words(read.heading).split()) if read.heading else ""
    heading = heading or _head_title(original.text) or name_of(stem)
    page = Page(original, Outline(original.path, "", "", ""), Places({}, {}, {}), folder, Options(), "en")
    find_anchors(page, read.root)
    aliases = [original.path.name]
    said = _head_title(original.text)
    return Outline(
        path=original.path,
        title=heading,
        topic=topic_of(original.path),
        name=name_of(stem),
        number=number_of(stem),
        lang=language_of(read.root, _words(read.root)),
        aliases=tuple(dict.fromkeys([*aliases, *([said] if said and said != heading else [])])),
        anchors=tuple(page.headings.values()),
        sections=tuple(sorted(page.anchors.items())),
    )


def _head_title(text: str) -> str:
    found = re.search(r"<title[^>]*>(.*?)</title", text, re.DOTALL | re.IGNORECASE)
    if not found:
        return ""
    root = parse(prepare(f"<p>{found[1]}</p>", lambda *_: None), lambda *_: None)
    return " ".join(_words(root).split())


def read(original: Original, outline: Outline, places: Places, folder: Folder, options: Options) -> Foreign:
    """A page as a note of ours."""
    nowhere: frozenset[str] = frozenset()
    for _ in range(_ROUNDS):
        page = Page(original, outline, places, folder, options, outline.lang or "en")
        made = _note(page, nowhere)
        if page.linked <= page.written:
            break
        nowhere |= page.linked - page.written
    return made


_SETS_TEX = re.compile(r"<script[^>]*(?:mathjax|katex)|renderMathInElement", re.IGNORECASE)
_ROUNDS = 4
"""A link within a page may lead to what has not become a section; then it is read again without that."""


def _note(page: Page, nowhere: frozenset[str]) -> Foreign:
    """The note; no link leads to the ids `nowhere`."""
    found = _read(page.original, page)
    page.drawings = Drawings(page, found.prepared)
    page.has_tex = bool(_SETS_TEX.search(page.original.text))
    headings = [one for one in found.root.elements() if one.tag in HEADINGS and one is not found.heading]
    tops = [is_numbered(_words(one)) for one in headings if one.tag == "h2"]
    page.numbering = Numbering(typed=sum(tops) >= 2 and sum(tops) * 2 > len(tops))
    page.titles = frozenset(bare_words(_words(one)) for one in headings)
    find_anchors(page, found.root)
    page.anchors = {name: anchor for name, anchor in page.anchors.items() if anchor not in nowhere}
    parts = tuple(_without_links(inline(page, found.heading.children if found.heading else ())))
    parts = parts if plain(parts) else (Words(page.outline.title),)
    if found.heading:
        found.heading.children = []
    page.last_heading = plain(parts)
    body = note_text(page, found.root)
    facts = facts_of(page, found.root)
    findings = sorted(page.findings, key=lambda one: (one.location.line, one.location.column))
    return Foreign(
        outline=page.outline,
        lang=page.lang,
        title=plain(parts),
        body=body,
        facts=facts.known,
        arxiv=facts.arxiv,
        dois=facts.dois,
        files=page.files,
        words=visible_words(page.original.text, page.left_out, page.counted),
        findings=tuple(findings),
        used=tuple(sorted(page.used)),
    )


def _without_links(parts: Iterable[Inline]) -> Iterator[Inline]:
    """A title, which is a link itself in lists."""
    for part in parts:
        match part:
            case Link(_, inside):
                yield from _without_links(inside)
            case Reference(_, text):
                yield Words(text)
            case Marked(mark, inside):
                yield Marked(mark, tuple(_without_links(inside)))
            case Picture() | Break():
                yield Words(" ")
            case _:
                yield part


def _words(node: Element | Text) -> str:
    return node.words if isinstance(node, Text) else "".join(map(_words, node.children))


FORMAT = Format("html", (".html", ".htm"), recognises, outline, read)
