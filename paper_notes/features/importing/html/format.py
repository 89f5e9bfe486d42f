"""Notes written as HTML pages: a `NoteFormat`."""

from __future__ import annotations

import re
from functools import partial

from paper_notes.diagnostics import Location
from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Document
from paper_notes.document.write import write_markdown
from paper_notes.features.importing.html.blocks import BlockReader
from paper_notes.features.importing.html.class_proposals import as_they_look
from paper_notes.features.importing.html.facts import facts_of, language_of, name_of, number_of, topic_of
from paper_notes.features.importing.html.formulas import set_formulas
from paper_notes.features.importing.html.headings import Numbering, is_numbered
from paper_notes.features.importing.html.inlines import inlines, plain
from paper_notes.features.importing.html.links import Links, Pictures
from paper_notes.features.importing.html.makers import (
    as_written_by_hand,
    main_of,
    make_links_local,
    maker_of,
    title_of,
    without_frame,
)
from paper_notes.features.importing.html.page import GROUPS, Page, built_in, find_anchors, footnotes_of
from paper_notes.features.importing.html.tree import HEADINGS, HtmlNode, Report
from paper_notes.features.importing.html.tree import parse as parse_html
from paper_notes.features.importing.path_language import has_twin, language_of_path, path_without_language
from paper_notes.features.importing.types import (
    Folder,
    ImportedText,
    ImportFinding,
    NoteFormat,
    NoteHeader,
    NotePlaces,
    Original,
    ReaderOptions,
)
from paper_notes.patterns import regex
from paper_notes.sources.characters import UNUSABLE, unescape
from paper_notes.values import Struct, replace

_PAGE = regex(r"<!doctype\s+html|<html[\s>]|<body[\s>]|<(?:h[1-6]|p|div|article|section|table)[\s>]", re.IGNORECASE)
_SETS_TEX = regex(r"<script[^<>]*(?:mathjax|katex)|renderMathInElement|<math-renderer", re.IGNORECASE)


def recognises(original: Original) -> bool:
    """Whether a file holds a page, not only a piece that leads elsewhere."""
    start = original.text[:20_000]
    return bool(_PAGE.search(start)) and not re.search(r"<meta[^>]+http-equiv=[\"']?refresh", start, re.IGNORECASE)


def _tree(text: str, report: Report) -> HtmlNode:
    root = parse_html(UNUSABLE.sub("\ufffd", text), report)
    set_formulas(root, report)
    return root


def read_fragment(html: str, page: Page) -> tuple[Block, ...]:
    """The blocks of a piece of HTML within another text, which never raises. `page` says what that text knows.

    Headings keep their level and lose no number; ids of elements are not read, and a link to `#id` is `page.link`'s.
    """
    reader = BlockReader(replace(page, is_fragment=True), Numbering())
    return tuple(reader.blocks(_tree(html, page.report).children))


class HtmlPage(Struct, frozen=True):
    """A page as it is written."""

    original: Original
    root: HtmlNode
    findings: tuple[ImportFinding, ...]
    """Its mistakes."""


def parse(original: Original, folder: Folder) -> HtmlPage:
    """A page as a tree."""
    findings: list[ImportFinding] = []
    root = _tree(original.text, partial(_report, findings, original))
    make_links_local(root, original.text, original.path.name)
    return HtmlPage(original, root, tuple(findings))


def _report(findings: list[ImportFinding], original: Original, kind: str, message: str, line: int, column: int) -> None:
    findings.append(ImportFinding(GROUPS[kind], kind, message, Location(original.path, line, column)))


def outline(parsed: HtmlPage, folder: Folder) -> NoteHeader:
    """What a page tells before all are read."""
    page, original = Page(), parsed.original
    is_twin = has_twin(original.path, folder.files)
    path = path_without_language(original.path) if is_twin else original.path.with_suffix("")
    root, stem = parsed.root, path.name
    head = " ".join(unescape((root.first("title") or HtmlNode()).words).split())
    maker = maker_of(original.text)
    page.is_by_hand = maker is None
    as_written_by_hand(root, {**page.table, **(maker.classes if maker else {})}, maker)
    title = " ".join(title_of(root, maker).text().split()) or head or name_of(stem)
    find_anchors(page, root)
    return NoteHeader(
        path=original.path,
        title=title,
        topic=topic_of(path),
        name=name_of(stem),
        number=number_of(stem),
        lang=(is_twin and language_of_path(original.path)) or language_of(root),
        same=path.as_posix() if is_twin else "",
        aliases=(original.path.name,),
        sections=tuple(sorted(page.anchors.items())),
    )


def read(
    parsed: HtmlPage, outline: NoteHeader, places: NotePlaces, folder: Folder, options: ReaderOptions
) -> ImportedText:
    """A page as a note of ours."""
    original, root, findings = parsed.original, parsed.root, [*parsed.findings]
    report = partial(_report, findings, original)
    lang = outline.lang or "en"
    maker = maker_of(original.text)
    table = {**built_in(), **(maker.classes if maker else {}), **options.classes}
    page = Page(report, table, tex=options.tex, lang=lang, is_by_hand=maker is None)
    as_written_by_hand(root, table, maker)
    if page.is_by_hand:
        looks = as_they_look(root, table)
        page.table = {**{key: role for key, (role, _) in looks.items()}, **table}
        for key, (role, element) in looks.items():
            page.tell("unmapped-class", f"{key} is taken for {role}", element)
    page.has_tex = bool(_SETS_TEX.search(original.text))
    page.footnotes = footnotes_of(page, root)
    links = Links(page, outline, places, folder)
    pictures = Pictures(page, original.path, folder, root)
    page.words, page.link, page.cite, page.picture = links.words, links.link, links.cite, pictures.picture
    main = main_of(root, maker)
    first = title_of(root, maker)
    if main and main.text().strip():
        root = without_frame(page, root, main, first)
    find_anchors(page, root)
    title = page.last_heading = plain(inlines(page, first.children)) or plain((nodes.Text(outline.title),))
    first.children = []
    headings = [element for element in root.elements() if element.tag in HEADINGS and element is not first]
    page.facts = facts_of(page, root, original.path.stem)
    tops: list[bool] = []
    for heading in (heading for heading in headings if heading.tag == "h2"):
        tops.append(is_numbered(heading.text(), str(sum(tops) + 1)))
    is_typed = sum(tops) >= 2 and (sum(tops) * 2 > len(tops) or tops[0])
    reader = BlockReader(page, Numbering(typed=is_typed))
    body = write_markdown(links.resolved(Document(tuple(reader.blocks(root.children)))))
    return ImportedText(
        outline=outline,
        lang=lang,
        title=title,
        body=body or "\n",
        facts=page.facts.known,
        extra=page.facts.extra,
        arxiv=page.facts.arxiv,
        dois=page.facts.dois,
        files=pictures.files,
        cites=tuple(dict.fromkeys(links.cites)),
        removed=tuple(page.removed),
        findings=tuple(sorted(findings, key=lambda finding: (finding.location.line, finding.location.column))),
        used=tuple(sorted(pictures.used)),
    )


FORMAT = NoteFormat("html", (".html", ".htm"), recognises, parse, outline, read)
