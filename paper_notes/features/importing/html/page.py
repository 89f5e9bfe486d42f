"""What is known while a page, or a piece of one, becomes nodes: what its classes mean, its ids, and its findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Diagnostic
from paper_notes.document import nodes
from paper_notes.document.nodes import Inline
from paper_notes.features.importing.html.tree import HEADINGS, HtmlNode, Report
from paper_notes.features.importing.proof.compare import RemovalKind, Removed
from paper_notes.features.importing.types import Group
from paper_notes.identifiers import ArxivId
from paper_notes.markdown.sections import is_reserved
from paper_notes.sources.yaml import parse_yaml

_KINDS: Mapping[Group, Sequence[str]] = {
    "mended": "stray-end unclosed-element swallowed-tag misplaced-text ill-formed-svg html-in-svg".split(),
    "changed": (
        "contents navigation facts formula-as-text drawing-as-text heading-level image-as-link reference-words"
        " block-as-text dropped-in-svg renamed-id control tooltip dropped-element"
    ).split(),
    "unmapped": ("unmapped-class",),
    "doubtful": "reference-by-name reference-by-number dead-link dead-anchor missing-image".split(),
}
GROUPS: Mapping[str, Group] = {kind: group for group, kinds in _KINDS.items() for kind in kinds}
"""The group of each kind of finding."""
Inlines = tuple[Inline, ...]
_ID = re.compile(r"[A-Za-z][\w-]*")


ROLES = frozenset(
    "box mark cell figure caption stats stat number label formula math fraction numerator denominator quote source"
    " details meta contents navigation row strong emphasis code small plain drop".split()
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an element is: its role, and the name of its component or mark."""

    role: str
    name: str = ""


PLAIN = Meaning("plain")


@cache
def built_in() -> Mapping[str, str]:
    """Our own table. Reads the data; raises ValueError where it is wrong."""
    document = parse_yaml(PurePosixPath("classes.yaml"), files(__package__).joinpath("classes.yaml").read_text("utf-8"))
    if isinstance(document, Diagnostic) or not isinstance(document.value, dict):
        raise ValueError(str(document))
    return {str(key): str(value) for key, value in document.value.items()}


def meaning_of(element: HtmlNode, table: Mapping[str, str], inside: str = "") -> Meaning | None:
    """What the table says of an element within one of the role `inside`; None if it has classes that are unknown."""
    keys = [f"{element.tag}.{name}" for name in element.classes]
    keys += [f"{inside} .{name}" for name in element.classes if inside]
    keys += [f".{name}" for name in element.classes]
    keys += [f".{family}*" for name in element.classes if (family := f"{name.partition('-')[0]}-") != f"{name}-"]
    keys += [element.tag]
    for key in keys:
        role, _, name = table.get(key, "").partition(" ")
        if role in ROLES:
            return Meaning(role, name.strip())
    return None if element.classes else PLAIN


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a page and the name of its file tell of a note."""

    known: Mapping[str, Any] = field(default_factory=dict)
    """Keys of note.yaml."""
    arxiv: tuple[ArxivId, ...] = ()
    dois: tuple[str, ...] = ()


@dataclass
class Page:
    """The state of reading one page. It lives for one call."""

    report: Report = lambda kind, message, line, column: None
    table: Mapping[str, str] = field(default_factory=built_in)
    """What classes and elements mean."""
    words: Callable[[str, HtmlNode], Iterable[Inline]] = lambda words, node: (nodes.Text(words),)
    """The words of the second, which are no formula, as nodes."""
    link: Callable[[HtmlNode, Inlines], Inlines] = lambda element, inside: inside
    """What becomes of `<a>` around these words."""
    picture: Callable[[HtmlNode, str], Iterable[Inline]] = lambda element, beside: ()
    """What becomes of `<img>`, and of `<svg>`, which is an element `drawing` with its `source`. The second says what
    it shows if it does not say so itself."""
    tex: bool = True
    """Whether formulas written in Unicode become TeX where that gives the same signs."""
    has_tex: bool = False
    """Whether a script of the page sets formulas between dollars and backslashes."""
    is_fragment: bool = False
    """Whether the piece stands within another text, which numbers its headings itself."""
    lang: str = "en"
    anchors: dict[str, str] = field(default_factory=dict)
    """Where a link to an id of the page leads: a section or block of the note."""
    ids: dict[int, str] = field(default_factory=dict)
    """The id of each heading and figure, by `id()` of its element."""
    facts: PageFacts = field(default_factory=lambda: PageFacts())
    removed: list[Removed] = field(default_factory=list)
    """What is left out on purpose."""
    last_heading: str = ""

    def tell(self, kind: str, message: str, node: HtmlNode) -> None:
        self.report(kind, message, node.line, node.column)

    def drop(self, element: HtmlNode) -> None:
        """Leave out an element."""
        self.remove("dropped-element", f"<{element.tag}> is left out, as the table of classes says", element)

    def remove(self, kind: RemovalKind, message: str, element: HtmlNode, words: str = "") -> None:
        """Declare that an element, or only these `words` of it, is left out on purpose."""
        self.tell(kind, message, element)
        self.removed.append(Removed(kind, words or element.lines(), element.line))

    def role(self, element: HtmlNode) -> str:
        """What the table says of an element; nothing is reported."""
        meaning = meaning_of(element, self.table)
        return meaning.role if meaning else ""

    def meaning(self, element: HtmlNode, inside: str = "") -> Meaning:
        """What the table says; unknown classes are reported."""
        meaning = meaning_of(element, self.table, inside)
        if meaning is None:
            classes = ".".join(["", *element.classes])
            self.tell("unmapped-class", f"the class {classes} of <{element.tag}> has no meaning here", element)
            return meaning_of(HtmlNode(element.tag), self.table) or PLAIN
        return meaning


def find_anchors(page: Page, root: HtmlNode) -> None:
    """Give ids of the page to headings and figures, so that links to them live on."""
    _Anchors(page).visit(root, nested=False)


@dataclass
class _Anchors:
    page: Page
    taken: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    """Ids of what holds the next heading."""
    last: str = ""

    def visit(self, element: HtmlNode, *, nested: bool) -> None:
        wanted = element.attributes.get("id") or (element.attributes.get("name", "") if element.tag == "a" else "")
        role = self.page.role(element)
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
            if child.tag:
                self.visit(child, nested=nested)

    def name(self, element: HtmlNode, names: Sequence[str]) -> None:
        own = next((usable for name in names if (usable := _usable(self.page, name, self.taken, element))), "")
        if own:
            self.taken.add(own)
            self.page.ids[id(element)] = own
            self.page.anchors |= {name: own for name in names if name not in self.page.anchors}
            self.last = own


_NESTING = frozenset({"box", "stats", "contents", "quote", "details", "figure", "formula"})
"""Roles of blocks whose headings are no sections."""


def _usable(page: Page, name: str, taken: set[str], element: HtmlNode) -> str:
    """The id as we can have it; empty if it is taken."""
    usable = re.sub(r"[^\w-]+", "-", name).strip("-")
    if not _ID.fullmatch(usable) or is_reserved(usable, (Lang(page.lang), Lang("en"))):
        usable = f"sec-{usable}"
    if not _ID.fullmatch(usable) or usable in taken:
        return ""
    if usable != name:
        page.tell("renamed-id", f"the id {name} becomes {usable}", element)
    return usable
