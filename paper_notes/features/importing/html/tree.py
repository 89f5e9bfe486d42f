"""A page as a tree of what its author meant: nothing swallowed, nothing spread, with line and column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from paper_notes.features.importing.html.elements import BLOCKS, CELLS, HEADINGS, INLINE, MATHJAX, ROWS, VOID
from paper_notes.features.importing.html.preparing import OPENING, Prepared
from paper_notes.sources.characters import UNUSABLE

Report = Callable[[str, str, int, int], None]
"""Called with the kind of a mistake, a message, and line and column from 1."""


@dataclass(slots=True)
class HtmlText:
    """Words of a page, entities replaced."""

    words: str
    line: int = 0
    column: int = 0

    def text(self) -> str:
        """The words, as they are."""
        return self.words


@dataclass(slots=True)
class HtmlElement:
    """An element of a page. A drawing is an element `drawing` whose attribute `number` says which."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    line: int = 0
    column: int = 0
    children: list[Node] = field(default_factory=list)

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(self.attributes.get("class", "").split())

    def text(self) -> str:
        """All words inside of it, as they are; line ends as such, formulas as TeX."""
        formula = self.attributes.get("tex") or self.attributes.get("words", "") if self.tag == "pn-tex" else ""
        return "\n" if self.tag == "br" else formula or "".join(child.text() for child in self.children)

    def elements(self) -> Iterator[HtmlElement]:
        """The element and all elements inside of it, in order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack += [child for child in reversed(element.children) if isinstance(child, HtmlElement)]

    def elements_of(self, *tags: str) -> list[HtmlElement]:
        """Its children with one of these tags."""
        return [element for element in self.children if isinstance(element, HtmlElement) and element.tag in tags]

    def first(self, *tags: str) -> HtmlElement | None:
        """The first element inside of it with one of these tags."""
        return next((element for element in self.elements() if element is not self and element.tag in tags), None)


Node = HtmlElement | HtmlText

_SCOPES = {
    "li": ("ul", "ol", "menu", "dir"),
    "dt": ("dl",),
    "dd": ("dl",),
    "td": ("table",),
    "th": ("table",),
    "tr": ("table",),
    "thead": ("table",),
    "tbody": ("table",),
    "tfoot": ("table",),
    "caption": ("table",),
    "p": (),
}
_ENDED_BY = {
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "td": CELLS,
    "th": CELLS,
    "tr": ("tr", *CELLS, "caption"),
    "thead": ("tr", *CELLS, *ROWS, "caption"),
    "tbody": ("tr", *CELLS, *ROWS, "caption"),
    "tfoot": ("tr", *CELLS, *ROWS, "caption"),
    "option": ("option",),
    "rt": ("rt", "rp"),
    "rp": ("rt", "rp"),
}
"""Which open elements a start tag ends, within the list or table that it belongs to."""
_WRAPPERS = frozenset("html body main article section header footer nav form center".split())
_WRAPPER_CLASS = re.compile(r"wrap|container|content|page|main|body|article|post|note$|col|grid|layout|inner|section")
_ENDS_BY_ITSELF = frozenset(
    {"p", "li", "dt", "dd", "td", "th", "tr", "thead", "tbody", "tfoot", "html", "body", "main", "option"}
)
"""Elements whose end tags HTML lets authors leave out."""
_WALLS = frozenset({"td", "th", "table"})
_TABLE_PARTS = frozenset({"table", "tr", *ROWS, *CELLS})
"""The only end tags that reach beyond a cell."""
MAX_DEPTH = 60
"""Elements that are deeper are beside each other."""
_TAG_START = re.compile(r"<(/?)([A-Za-z][\w-]*)")


def parse(prepared: Prepared, report: Report) -> HtmlElement:
    """The tree of a page; mistakes are put right and reported."""
    builder = _Builder(report)
    builder.count(prepared.text)
    builder.feed(prepared.text)
    builder.close()
    builder.end(1)
    return builder.root


class _Builder(HTMLParser):
    def __init__(self, report: Report) -> None:
        super().__init__(convert_charrefs=True)
        self.root = HtmlElement("html", {}, 1, 1)
        self.stack = [self.root]
        self.report = report
        self.opened: Counter[str] = Counter()
        self.closed: Counter[str] = Counter()
        """How many start and end tags of each element the whole page has."""

    def count(self, text: str) -> None:
        for end, tag in _TAG_START.findall(text):
            (self.closed if end else self.opened)[tag.lower()] += 1

    def place(self) -> tuple[int, int]:
        line, column = self.getpos()
        return line, column + 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes: dict[str, str] = {}
        for name, value in attrs:
            attributes.setdefault(name, UNUSABLE.sub("\ufffd", (value or "").replace(OPENING, "<")))
        line, column = self.place()
        if tag in ("html", "head", "body"):
            self.root.attributes |= attributes
            return
        if tag in BLOCKS and MATHJAX.isdisjoint(attributes.get("class", "").split()):  # they stand within paragraphs
            self.make_room(tag)
        element = HtmlElement(tag, attributes, line, column)
        if tag in ("a", "button") and any(element.tag == tag for element in self.inline_run()):
            self.end(max(depth for depth, element in enumerate(self.stack) if element.tag == tag))
        self.stack[-1].children.append(element)
        if tag not in VOID and tag != "drawing" and len(self.stack) < MAX_DEPTH:
            self.stack.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """`<br/>` is an empty element, and so is `<p/>`, in which nobody means to put what follows."""
        before = len(self.stack)
        self.handle_starttag(tag, attrs)
        if len(self.stack) > before and tag not in VOID:
            self.stack.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in ("html", "head", "body") or tag in VOID:
            if tag == "br":
                self.handle_starttag("br", [])
            return
        if tag in HEADINGS and self.stack[-1].tag in HEADINGS:
            tag = self.stack[-1].tag  # <h2> ... </h3>
        for depth in range(len(self.stack) - 1, 0, -1):
            if self.stack[depth].tag == tag:
                self.end(depth, implied=False)
                return
            if self.stack[depth].tag == "table" or (self.stack[depth].tag in CELLS and tag not in _TABLE_PARTS):
                break
        self.tell("stray-end", f"</{tag}> ends nothing")

    def handle_data(self, data: str) -> None:
        line, column = self.place()
        parent = self.stack[-1]
        words = UNUSABLE.sub("\ufffd", data.replace(OPENING, "<"))
        if parent.tag in ("table", "tr", *ROWS) and words.strip():
            self.tell("misplaced-text", f"text between the cells of a table: {_short(words)}")
        parent.children.append(HtmlText(words, line, column))

    def tell(self, kind: str, message: str, at: HtmlElement | None = None) -> None:
        line, column = (at.line, at.column) if at else self.place()
        self.report(kind, message, line, column)

    def inline_run(self) -> list[HtmlElement]:
        """The innermost open elements that are inline."""
        run: list[HtmlElement] = []
        for element in reversed(self.stack[1:]):
            if element.tag not in INLINE:
                break
            run.append(element)
        return run

    def make_room(self, tag: str) -> None:
        """End what cannot hold a block: inline elements, paragraphs, headings, items before this one."""
        scope, ended = _SCOPES.get(tag, ()), _ENDED_BY.get(tag, ())
        for depth in range(len(self.stack) - 1, 0, -1):
            if self.stack[depth].tag in scope or (ended and self.stack[depth].tag == "table"):
                break
            if self.stack[depth].tag in ended:
                while self.stack[depth - 1].tag in ended:
                    depth -= 1
                self.end(depth)
                break
        if run := self.inline_run():
            self.end(len(self.stack) - len(run))
        if self.stack[-1].tag == "pre" and self.opened["pre"] > self.closed["pre"]:
            self.end(len(self.stack) - 1)
        last = self.stack[-1]
        if last.tag in ("p", *HEADINGS) or (last.tag == "summary" and tag in ("p", "ul", "ol", "table", "div", "pre")):
            self.end(len(self.stack) - 1)
        if tag in ("h1", "h2"):
            self.end_boxes()

    def end_boxes(self) -> None:
        """End a box that a heading of the page would be inside of, since nobody ended it."""
        first = next((at for at, element in enumerate(self.stack) if at and not _is_wrapper(element)), 0)
        boxes = self.stack[first:] if first else []
        if any(box.tag in (*_WALLS, "details", "blockquote", "li") for box in boxes):
            return
        if not any(self.opened[box.tag] > self.closed[box.tag] for box in boxes):
            return
        for box, inner in zip(boxes, [*boxes[1:], None], strict=True):
            inside = [child for child in box.children if isinstance(child, HtmlElement) or child.words.strip()]
            if inside and inside != [inner]:
                self.end(first)
                return

    def end(self, depth: int, *, implied: bool = True) -> None:
        """End the element at this depth and all that are open inside of it; `implied`: not by its own end tag."""
        for element in self.stack[depth + (not implied) :]:
            if element.tag not in _ENDS_BY_ITSELF:
                self.tell("unclosed-element", f"<{_name(element)}> is not closed", element)
        del self.stack[depth:]


def _is_wrapper(element: HtmlElement) -> bool:
    """Whether an element may hold all sections of a page."""
    if element.tag in _WRAPPERS:
        return True
    return element.tag == "div" and (not element.classes or any(map(_WRAPPER_CLASS.search, element.classes)))


def _name(element: HtmlElement) -> str:
    return element.tag + "".join(f".{name}" for name in element.classes[:1])


def _short(words: str) -> str:
    words = " ".join(words.split())
    return f'"{words[:40]}"'
