"""What is known while a page is turned into Markdown: its findings, files and places that links lead to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Protocol

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Location
from paper_notes.features.importing.html.classes import PLAIN, Meaning, built_in, meaning_of
from paper_notes.features.importing.html.elements import HEADINGS
from paper_notes.features.importing.html.headings import Numbering
from paper_notes.features.importing.html.inline import Inline, meant
from paper_notes.features.importing.html.read_back import Letters
from paper_notes.features.importing.html.tree import Element, Node
from paper_notes.features.importing.outside import spelled
from paper_notes.features.importing.values import Finding, Folder, Group, Options, Original, Outline, Places
from paper_notes.markdown.sections import is_reserved

GROUPS: Mapping[str, Group] = {
    "stray-end": "mended",
    "unclosed-element": "mended",
    "swallowed-tag": "mended",
    "misplaced-text": "mended",
    "ill-formed-svg": "mended",
    "html-in-svg": "mended",
    "contents": "changed",
    "merged-cells": "changed",
    "formula-as-text": "changed",
    "drawing-as-text": "changed",
    "heading-level": "changed",
    "image-as-link": "changed",
    "reference-words": "changed",
    "block-as-text": "changed",
    "dropped-in-svg": "changed",
    "renamed-id": "changed",
    "control": "changed",
    "unmapped-class": "unmapped",
    "reference-by-name": "doubtful",
    "reference-by-number": "doubtful",
    "dead-link": "doubtful",
    "dead-anchor": "doubtful",
    "missing-image": "doubtful",
    "tooltip": "changed",
    "dropped-element": "changed",
}
_ID = re.compile(r"[A-Za-z][\w-]*")


class DrawingFiles(Protocol):
    """The drawings that were cut out of the page."""

    def figure(self, number: int) -> tuple[str, str, str]:
        """Source, words and label of one."""


@dataclass
class Page:
    """The state of reading one page. It lives for one call."""

    original: Original
    outline: Outline
    places: Places
    folder: Folder
    options: Options
    lang: str
    findings: list[Finding] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    anchors: dict[str, str] = field(default_factory=dict)
    """Where a link to an id of the page leads: a section or block of the note."""
    linked: set[str] = field(default_factory=set)
    """Sections and blocks that links of the page lead to."""
    written: set[str] = field(default_factory=set)
    """Those that the note really has."""
    headings: dict[int, str] = field(default_factory=dict)
    """The id of each heading and figure, by `id()` of its element."""
    left_out: set[tuple[int, int]] = field(default_factory=set)
    """Lines and columns of elements that the note says in its own way."""
    counted: set[tuple[int, int]] = field(default_factory=set)
    """Lines and columns of headings whose number our pages make themselves."""
    letters: Letters = field(default_factory=Letters)
    """All that a reader should see, as far as it is written."""
    table: Mapping[str, str] = field(default_factory=dict)
    used: set[PurePosixPath] = field(default_factory=set)
    """Files of the folder that the note shows."""
    figures: int = 0
    has_tex: bool = False
    """Whether a script of the page sets formulas between dollars and backslashes."""
    depth: int = 0
    """How many blocks are open that hold others."""
    numbering: Numbering = field(default_factory=Numbering)
    last_heading: str = ""
    titles: frozenset[str] = frozenset()
    """The words of all headings, to compare."""
    drawings: DrawingFiles | None = None

    def __post_init__(self) -> None:
        self.table = {**built_in(), **self.options.classes}

    def report(self, kind: str, message: str, line: int, column: int) -> None:
        self.findings.append(Finding(GROUPS[kind], kind, message, Location(self.original.path, line, column)))

    def tell(self, kind: str, message: str, node: Node) -> None:
        self.report(kind, message, node.line, node.column)

    def meaning(self, element: Element, inside: str = "") -> Meaning:
        """What the table says; unknown classes are reported."""
        found = meaning_of(element, self.table, inside)
        if found is None:
            self.tell(
                "unmapped-class",
                f"the class {'.'.join(['', *element.classes])} of <{element.tag}> has no meaning here",
                element,
            )
            bare = meaning_of(Element(element.tag), self.table)
            return bare or PLAIN
        return found

    def write(self, parts: Sequence[Inline]) -> None:
        """Remember what a reader should see next."""
        self.letters.found.extend(meant(parts).letters)


def find_anchors(page: Page, root: Element) -> None:
    """Give ids of the page to headings and figures, so that links to them live on."""
    finder = _Anchors(page)
    finder.visit(root, nested=False)


@dataclass
class _Anchors:
    page: Page
    taken: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    """Ids of what holds the next heading."""
    last: str = ""

    def visit(self, element: Element, *, nested: bool) -> None:
        wanted = element.attributes.get("id") or (element.attributes.get("name", "") if element.tag == "a" else "")
        found = meaning_of(element, self.page.table)
        role = found.role if found else "plain"
        if element.tag in HEADINGS and not nested:
            self.name(element, [*([wanted] if wanted else []), *self.waiting])
            self.waiting = []
        elif role == "figure" and wanted and element.first("drawing", "img"):
            self.name(element, [wanted])
        elif wanted and wanted not in self.page.anchors:
            if not nested and (element.first(*HEADINGS) or not self.last):
                self.waiting.append(wanted)
            elif self.last:
                self.page.anchors[wanted] = self.last
        nested = nested or role in _NESTING or element.tag in ("li", "td", "th", "dd", "blockquote", "details")
        for child in element.children:
            if isinstance(child, Element):
                self.visit(child, nested=nested)

    def name(self, element: Element, names: Sequence[str]) -> None:
        own = next((made for name in names if (made := _usable(self.page, name, self.taken, element))), "")
        if own:
            self.taken.add(own)
            self.page.headings[id(element)] = own
            self.page.anchors |= {name: own for name in names if name not in self.page.anchors}
            self.last = own


_NESTING = frozenset({"box", "stats", "contents", "quote", "details", "figure", "formula"})
"""Roles of blocks whose headings are no sections."""


def _usable(page: Page, name: str, taken: set[str], element: Element) -> str:
    """The id as we can have it; empty if it is taken."""
    made = re.sub(r"[^\w-]+", "-", name).strip("-")
    made = made if _ID.fullmatch(made) and not is_reserved(made, (Lang(page.lang), Lang("en"))) else f"sec-{made}"
    if not _ID.fullmatch(made) or made in taken:
        return ""
    if made != name:
        page.tell("renamed-id", f"the id {name} becomes {made}", element)
    return made


def below(page: Page, relative: str) -> PurePosixPath:
    """A path that a page names, from the folder that is taken in."""
    parts: list[str] = []
    for part in (*page.original.path.parent.parts, *PurePosixPath(relative).parts):
        if part == "..":
            parts = parts[:-1]
        elif part not in (".", "/"):
            parts.append(part)
    return spelled(PurePosixPath(*parts), page.folder.files)
