"""Notes written as HTML pages: a row of the table of formats."""

from __future__ import annotations

import re
from dataclasses import dataclass

from paper_notes.foreign.html.blocks import note_text
from paper_notes.foreign.html.elements import HEADINGS
from paper_notes.foreign.html.facts import facts_of, language_of
from paper_notes.foreign.html.headings import bare_words
from paper_notes.foreign.html.inline import Words, plain
from paper_notes.foreign.html.naming import name_of, number_of, topic_of
from paper_notes.foreign.html.page import Page, find_anchors
from paper_notes.foreign.html.pictures import Drawings
from paper_notes.foreign.html.preparing import Prepared, prepare
from paper_notes.foreign.html.tree import Element, Text, parse
from paper_notes.foreign.html.words import visible_words
from paper_notes.foreign.html.words_of import inline
from paper_notes.foreign.html.writing import title
from paper_notes.foreign.values import Folder, Foreign, Format, Options, Original, Outline, Places
from paper_notes.sources.characters import UNUSABLE

_PAGE = re.compile(r"<!doctype\s+html|<html[\s>]|<body[\s>]|<(?:h[1-6]|p|div|article|section|table)[\s>]", re.IGNORECASE)


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
    prepared = prepare(UNUSABLE.sub("\ufffd", original.text), report)
    root = parse(prepared, report)
    return _Read(prepared, root, root.first("h1"))


def outline(original: Original, folder: Folder) -> Outline:
    """What a page tells before all are read."""
    read = _read(original)
    stem = original.path.stem
    heading = " ".join(_words(read.heading).split()) if read.heading else ""
    heading = heading or _head_title(original.text) or name_of(stem)
    anchors = [one.attributes["id"] for one in read.root.elements() if one.tag in HEADINGS and one.attributes.get("id")]
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
        anchors=tuple(dict.fromkeys(anchors)),
    )


def _head_title(text: str) -> str:
    found = re.search(r"<title[^>]*>(.*?)</title", text, re.DOTALL | re.IGNORECASE)
    if not found:
        return ""
    root = parse(prepare(f"<p>{found[1]}</p>", lambda *_: None), lambda *_: None)
    return " ".join(_words(root).split())


def read(original: Original, outline: Outline, places: Places, folder: Folder, options: Options) -> Foreign:
    """A page as a note of ours."""
    page = Page(original, outline, places, folder, options, outline.lang or "en")
    found = _read(original, page)
    page.drawings = Drawings(page, found.prepared)
    headings = [one for one in found.root.elements() if one.tag in HEADINGS and one is not found.heading]
    page.titles = frozenset(bare_words(_words(one)) for one in headings)
    find_anchors(page, found.root)
    parts = inline(page, found.heading.children) if found.heading else (Words(outline.title),)
    if found.heading:
        found.heading.children = []
    page.last_heading = plain(parts)
    body = note_text(page, found.root)
    facts = facts_of(page, found.root, plain(parts))
    findings = sorted(page.findings, key=lambda one: (one.location.line, one.location.column))
    return Foreign(
        outline=outline,
        lang=page.lang,
        title=title(parts, page.lang) or outline.title,
        body=body,
        facts=facts.known,
        arxiv=facts.arxiv,
        dois=facts.dois,
        files=page.files,
        words=visible_words(original.text, page.left_out),
        findings=tuple(findings),
    )


def _words(node: Element | Text) -> str:
    return node.words if isinstance(node, Text) else "".join(map(_words, node.children))


FORMAT = Format("html", (".html", ".htm"), recognises, outline, read)
