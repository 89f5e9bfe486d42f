"""What is known while a page, or a piece of one, becomes nodes: what its classes mean, its ids, and its findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Diagnostic
from paper_notes.document import nodes
from paper_notes.document.nodes import Inline
from paper_notes.features.importing.html.tree import BLOCKS, HEADINGS, HtmlNode, Report
from paper_notes.features.importing.proof.compare import RemovalKind, Removed
from paper_notes.features.importing.types import FindingGroup
from paper_notes.identifiers import ArxivId
from paper_notes.markdown.sections import is_reserved
from paper_notes.markdown.syntax.components import COMPONENTS
from paper_notes.patterns import regex
from paper_notes.sources.yaml import parse_yaml
from paper_notes.values import Struct, field

_KINDS: Mapping[FindingGroup, Sequence[str]] = {
    "mended": "stray-end unclosed-element swallowed-tag misplaced-text ill-formed-svg html-in-svg".split(),
    "changed": (
        "contents navigation facts page-frame list-marker label formula-as-text drawing-as-text table-as-text"
        " heading-level image-as-link reference-words dropped-in-svg renamed-id control tooltip dropped-element"
    ).split(),
    "unmapped": ("unmapped-class", "citation"),
    "doubtful": "reference-by-name reference-by-number dead-link dead-anchor missing-image".split(),
}
GROUPS: Mapping[str, FindingGroup] = {kind: group for group, kinds in _KINDS.items() for kind in kinds}
"""The group of each kind of finding."""
Inlines = tuple[Inline, ...]
_FAMILY = regex(r"[^_-]+[_-](?=.)")
_ID = regex(r"[A-Za-z][\w-]*")


ROLES = frozenset(
    "box mark cell figure caption stats timeline stat number label formula math fraction numerator denominator quote"
    " source details meta contents navigation row strong emphasis code small plain drop as marker footnote footnotes"
    " equation listing joined properties task".split()
)


class Meaning(Struct, frozen=True):
    """What an element is: its role, and the name of its component or mark."""

    role: str
    name: str = ""


PLAIN = Meaning("plain")


@cache
def built_in() -> Mapping[str, str]:
    """Our own table."""
    return {str(key): str(value) for key, value in data(__package__, "classes.yaml").items()}


def data(package: str, name: str) -> dict[str, Any]:
    """A file of rows in a package. Raises ValueError where it is wrong."""
    document = parse_yaml(PurePosixPath(name), files(package).joinpath(name).read_text("utf-8"))
    if isinstance(document, Diagnostic) or not isinstance(document.value, dict):
        raise ValueError(str(document))
    return document.value


def meaning_of(element: HtmlNode, table: Mapping[str, str], inside: str = "") -> Meaning | None:
    """What the table says of an element within one of the role `inside`; None if it has classes that are unknown.

    `callout-tip` says more than `callout`.
    """
    classes = element.classes
    if len(classes) > 1:
        classes = tuple(sorted(classes, key=lambda name: not name.startswith(tuple(f"{other}-" for other in classes))))
    keys = [f"#{element.attributes['id']}"] if "id" in element.attributes else []
    keys += [f"{element.tag}.{name}" for name in classes]
    keys += [f"{inside} .{name}" for name in classes if inside]
    keys += [f".{name}" for name in classes]
    families = (match[0] for name in classes if (match := _FAMILY.match(name)))
    keys += [f".{family}*" for family in families]
    keys += [element.tag]
    for key in keys:
        role, _, name = table.get(key, "").partition(" ")
        if role in ROLES and not (role == "plain" and key.endswith("*") and element.tag in table):
            return Meaning(role, name.strip())
    return None if element.classes else PLAIN


class PageFacts(Struct, frozen=True):
    """What a page and the name of its file tell of a note."""

    known: Mapping[str, Any] = field(default_factory=dict)
    """Keys of note.yaml."""
    extra: Mapping[str, str] = field(default_factory=dict)
    arxiv: tuple[ArxivId, ...] = ()
    dois: tuple[str, ...] = ()


class Page(Struct):
    """The state of reading one page. It lives for one call."""

    report: Report = lambda kind, message, line, column: None
    table: Mapping[str, str] = field(default_factory=built_in)
    """What classes and elements mean."""
    words: Callable[[str, HtmlNode], Iterable[Inline]] = lambda words, node: (nodes.Text(words),)
    """The words of the second, which are no formula, as nodes."""
    link: Callable[[HtmlNode, Inlines], Inlines] = lambda element, inside: inside
    """What becomes of `<a>` around these words."""
    cite: Callable[[HtmlNode, Inlines], Inlines] = lambda element, inside: inside
    """Gives a citation, from the element that has its keys and the words within."""
    picture: Callable[[HtmlNode, str], Iterable[Inline]] = lambda element, beside: ()
    """What becomes of `<img>`, and of `<svg>`, which is an element `drawing` with its `source`. The second says what
    it shows if it does not say so itself."""
    tex: bool = True
    """Whether formulas written in Unicode become TeX where that gives the same signs."""
    has_tex: bool = False
    """Whether a script of the page sets formulas between dollars and backslashes."""
    is_by_hand: bool = True
    """Whether no program is known to have made the page."""
    is_fragment: bool = False
    """Whether the piece stands within another text, which numbers its headings itself."""
    lang: str = "en"
    anchors: dict[str, str] = field(default_factory=dict)
    """Where a link to an id of the page leads: a section or block of the note."""
    ids: dict[int, str] = field(default_factory=dict)
    """The id of each heading and figure, by `id()` of its element."""
    facts: PageFacts = field(default_factory=lambda: PageFacts())
    headings: dict[str, str] = field(default_factory=dict)
    """The words of each heading, by the ids that lead to it."""
    footnotes: dict[str, str] = field(default_factory=dict)
    """The label of each footnote that stands apart, by its id."""
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
        if not words:  # and what its pictures say
            pictures = (inner for inner in element.elements() if inner.tag == "img")
            told = [alt for picture in pictures if (alt := picture.attributes.get("alt", ""))]
            self.removed += [Removed(kind, "\n".join(told), element.line)] if told else []

    def role(self, element: HtmlNode) -> str:
        """What the table says of an element; nothing is reported."""
        meaning = meaning_of(element, self.table)
        return meaning.role if meaning else ""

    def meaning(self, element: HtmlNode, inside: str = "") -> Meaning:
        """What the table says; unknown classes are reported."""
        meaning = meaning_of(element, self.table, inside)
        if meaning is None:
            classes = ".".join(["", *element.classes])
            if self.is_by_hand:
                self.tell("unmapped-class", f"the class {classes} of <{element.tag}> has no meaning here", element)
            return meaning_of(HtmlNode(element.tag), self.table) or PLAIN
        return meaning


def _begins_with_heading(element: HtmlNode) -> bool:
    first = next((child for child in element.content if child.tag in HEADINGS or child.text().strip()), HtmlNode())
    return first.tag in HEADINGS or bool(first.tag and _begins_with_heading(first))


def footnotes_of(page: Page, root: HtmlNode) -> dict[str, str]:
    """A label for each footnote that stands apart and that a link leads to, by its id."""
    linked = {*root.links()}
    holders = [element for element in root.elements() if page.role(element) == "footnotes"]
    notes = [inner for holder in holders for inner in holder.elements() if inner.tag in ("li", "div", "p")]
    ids = dict.fromkeys(name for note in notes if f"#{(name := note.attributes.get('id', ''))}" in linked and name)
    return {name: str(number) for number, name in enumerate(ids, 1)}


def find_anchors(page: Page, root: HtmlNode) -> None:
    """Give ids of the page to headings and figures, so that links to them live on."""
    linked = {address[1:] for address in root.links()}
    _Anchors(page, linked, is_strict=not page.is_by_hand).visit(root, nested=False)


class _Anchors(Struct):
    page: Page
    linked: set[str]
    """The ids that links of the page lead to."""
    is_strict: bool
    """Whether others, which a program gave it, are not kept."""
    taken: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    """Ids of what holds the next heading."""
    last: str = ""
    unnamed: HtmlNode | None = None
    """The last heading, if it has no id: the first one below it that a link leads to becomes its own."""

    def visit(self, element: HtmlNode, *, nested: bool, is_before: bool = False) -> None:
        """Name what is within an element; `is_before`: it only has an id, for the heading behind it."""
        wanted = element.attributes.get("id") or (element.attributes.get("name", "") if element.tag == "a" else "")
        role = self.page.role(element)
        nested = nested or role in _NESTING
        if element.tag in HEADINGS and not nested:
            inner = (child.attributes.get("id", "") for child in element.elements() if child is not element)
            said = [name for name in inner if name and (name in self.linked or not _COUNTED.fullmatch(name))]
            self.name(element, [*([wanted] if wanted else []), *self.waiting, *said])
            self.waiting = []
            self.unnamed = None if id(element) in self.page.ids else element
        elif role == "figure" and wanted and element.first("drawing", "img"):
            self.name(element, [wanted])
        elif role == "box" and wanted and (meaning_of(element, self.page.table) or PLAIN).name in COMPONENTS:
            self.name(element, [wanted], is_section=False)
        elif wanted and wanted not in self.page.anchors:
            is_place = element.tag in BLOCKS or not element.text().strip()
            holds_heading = element.first(*HEADINGS) is not None
            is_linked = wanted in self.linked and wanted not in self.page.footnotes
            if self.unnamed and is_linked and not holds_heading and element.text().strip():
                self.name(self.unnamed, [wanted])
                self.unnamed = None
            elif not nested and (holds_heading or is_before or (is_place and not self.last)):
                is_kept = is_before or not self.is_strict or wanted in self.linked or _begins_with_heading(element)
                self.waiting += [wanted] if is_kept else []
            elif self.last:
                self.page.anchors[wanted] = self.last
        nested = nested or element.tag in ("li", "td", "th", "dd", "blockquote", "details")
        elements = [child for child in element.children if child.tag]
        for child, following in zip_longest(elements, elements[1:], fillvalue=HtmlNode()):
            is_before = following.tag in HEADINGS and not child.text().strip()
            self.visit(child, nested=nested, is_before=is_before)

    def name(self, element: HtmlNode, names: Sequence[str], *, is_section: bool = True) -> None:
        own = next((usable for name in names if (usable := _usable(self.page, name, self.taken, element))), "")
        if own:
            self.taken.add(own)
            self.page.ids[id(element)] = own
            self.page.anchors |= {name: own for name in names if name not in self.page.anchors}
            self.page.headings |= dict.fromkeys(names if is_section else (), "".join(element.text().split()))
            self.last = own if is_section else self.last


_COUNTED = regex(r"id[a-z]{0,2}\d+")
"""An id that a program made of a number."""
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
