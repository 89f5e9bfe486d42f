"""The nodes of a text: blocks and inlines, frozen and compared by what they say, not by where they stand.

The vocabulary is CommonMark's, and that of our own syntax. What a page only *shows* otherwise (typographic signs, terms
of the glossary, classes of cells) is not in the tree; emoji names and bare addresses are: they change the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import ClassVar, Literal, NamedTuple, TypeVar

from paper_notes.markdown.syntax.declared import Origin
from paper_notes.markdown.syntax.references import CitedPaper
from paper_notes.patterns import regex
from paper_notes.values import Struct, fields, replace


class Span(NamedTuple):
    """Where a node stands in its source: offsets in characters; of a block, whole lines without the last line end."""

    start: int
    end: int


NOWHERE = Span(-1, -1)
"""The span of a node that was made, not read."""


class Node(Struct, frozen=True, kw_only=True, eq=False, repr_omit_defaults=True):
    """What all nodes have."""

    span: Span = NOWHERE

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in _names_of_what_is_said(type(self))
        )

    @property
    def children(self) -> Iterator[Node]:
        """The nodes right inside of this one, in their order."""
        for name in _names_of_children(type(self)):
            yield from getattr(self, name)

    def walk(self) -> Iterator[Node]:
        """This node and all inside of it, each before its children."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            for name in reversed(_names_of_children(type(node))):
                stack += getattr(node, name)[::-1]


@cache
def _names_of_children(kind: type[Node]) -> tuple[str, ...]:
    return tuple(part.name for part in fields(kind) if _HOLDS_NODES.match(str(part.type)))


@cache
def _names_of_what_is_said(kind: type[Node]) -> tuple[str, ...]:
    """All fields but where a node stands, and how a link is written."""
    return tuple(part.name for part in fields(kind) if "Span" not in str(part.type) and part.name != "is_bare")


_HOLDS_NODES = regex(r"tuple\[[\w.]*\b(?:Inline|Block|Item|Row|Cell|DefinedTerm|Definition)\b")


class Inline(Node, frozen=True):
    """A part of a line of words."""


class Block(Node, frozen=True):
    """A paragraph, a heading, a list, ..."""


# Inlines


class Text(Inline, frozen=True):
    """Words as readers see them: escapes, entities and names of emoji are resolved. Never next to another Text."""

    text: str


class SoftBreak(Inline, frozen=True):
    """The end of a line of the source."""


class HardBreak(Inline, frozen=True):
    r"""`\` at the end of a line, or `<br>`."""


class Code(Inline, frozen=True):
    """Code between backticks."""

    code: str


class Formula(Inline, frozen=True):
    """A formula within words."""

    tex: str
    display: bool = False
    """On a line of its own on the page, though it stands within words."""


class EquationReference(Inline, frozen=True):
    r"""`\eqref{label}` or `\ref{label}` outside of formulas."""

    label: str
    brackets: bool


class Styled(Inline, frozen=True):
    """Words of one style."""

    tag: ClassVar[str]
    """The element that says the same."""
    inlines: tuple[Inline, ...]


class Emphasis(Styled, frozen=True):
    """`*words*`, `<em>`, `<i>`."""

    tag = "em"


class Strong(Styled, frozen=True):
    """`**words**`, `<strong>`, `<b>`."""

    tag = "strong"


class Strikethrough(Styled, frozen=True):
    """`~~words~~`, `<del>`, `<s>`."""

    tag = "del"


class Highlight(Styled, frozen=True):
    """`==words==`, `<mark>`."""

    tag = "mark"


ElementName = Literal["sub", "sup", "kbd", "u", "ins", "small", "q", "cite", "samp", "var", "dfn", "code"]


class Element(Inline, frozen=True):
    """Words in an HTML element that Markdown has no sign for; `code` if there is more than words in it."""

    name: ElementName
    inlines: tuple[Inline, ...]


class Link(Inline, frozen=True):
    """A link; `is_bare` if its words are its address, found in running text (`arXiv:2510.26475`) or between `< >`."""

    href: str
    """As `readable_address` gives it."""
    inlines: tuple[Inline, ...]
    title: str = ""
    is_bare: bool = False


class Image(Inline, frozen=True):
    """A picture and the words that stand for it."""

    src: str
    inlines: tuple[Inline, ...] = ()
    title: str = ""
    width: int = 0
    """In pixels, if it is said how wide it is shown."""


class Reference(Inline, frozen=True):
    """`[[target|text]]`: another note or a section of it, or of this note: `§3.2`, `#^name`."""

    target: str
    text: str = ""


class Citation(Inline, frozen=True):
    """`[see @key, Table 2; @other]`."""

    papers: tuple[CitedPaper, ...]


class FootnoteReference(Inline, frozen=True):
    """`[^label]`."""

    label: str


class InlineFootnote(Inline, frozen=True):
    """`^[words]`."""

    inlines: tuple[Inline, ...]


class Marked(Inline, frozen=True):
    """`[words]{.term from=own}`."""

    inlines: tuple[Inline, ...]
    classes: tuple[str, ...] = ()
    origin: Origin | None = None
    """Where a number in the words comes from."""


class RawInline(Inline, frozen=True):
    """HTML within words, as it is written: a tag or a comment."""

    html: str


class Comment(Inline, frozen=True):
    """`%%words%%`, which no page has."""

    text: str


# Blocks


class Heading(Block, frozen=True):
    """`## words {#id n=2.5}`."""

    level: int
    inlines: tuple[Inline, ...]
    id: str = ""
    number: str | None = None
    """Its own number, empty for none; None if it is counted."""
    origin: Origin | None = None


class Paragraph(Block, frozen=True):
    """Words. Without inlines, its names are those of the block above."""

    inlines: tuple[Inline, ...]
    names: tuple[str, ...] = ()
    """What references may call it: `^name`."""
    origin: Origin | None = None


class Item(Node, frozen=True):
    """An item of a list; `done` is None if it is no task."""

    blocks: tuple[Block, ...]
    done: bool | None = None


class List(Block, frozen=True):
    """Items with bullets, or numbered from `start` on."""

    items: tuple[Item, ...]
    start: int | None = None
    is_loose: bool = False
    """Whether the items are set apart as paragraphs."""


class DefinedTerm(Node, frozen=True):
    """What a definition list explains."""

    inlines: tuple[Inline, ...]
    names: tuple[str, ...] = ()
    origin: Origin | None = None


class Definition(Node, frozen=True):
    """An explanation of the term above."""

    blocks: tuple[Block, ...]


class DefinitionList(Block, frozen=True):
    """Terms, each followed by its definitions."""

    entries: tuple[DefinedTerm | Definition, ...]
    is_loose: bool = False


class Quote(Block, frozen=True):
    """A quotation: `> words`."""

    blocks: tuple[Block, ...]


class Alert(Block, frozen=True):
    """`> [!kind]- title`: a box as GitHub and Obsidian write it."""

    kind: str
    title: tuple[Inline, ...]
    blocks: tuple[Block, ...]
    fold: Literal["", "+", "-"] = ""


class Component(Block, frozen=True):
    """`:::name title {#id .green}`."""

    name: str
    title: tuple[Inline, ...]
    blocks: tuple[Block, ...]
    id: str = ""
    origin: Origin | None = None
    colour: str = ""
    """Of a quotation."""


Alignment = Literal["", "left", "center", "right"]


class Cell(Node, frozen=True):
    """A cell, or a part of the one `above` (written `^^`) or on its `left` (`<<`)."""

    inlines: tuple[Inline, ...]
    origin: Origin | None = None
    """Of the number, the row (in its first cell), the column (in its head) or the table (in the first head)."""
    merged: Literal["", "above", "left"] = ""


class Row(Node, frozen=True):
    """A row of as many cells as the table has columns."""

    cells: tuple[Cell, ...]
    mark: str = ""
    """`best`, `own` or `baseline`."""


class Table(Block, frozen=True):
    """A table; the first row is its head."""

    alignments: tuple[Alignment, ...]
    rows: tuple[Row, ...]

    @property
    def columns(self) -> Iterator[tuple[Cell, ...]]:
        """The cells of each column, its head first."""
        yield from zip(*(row.cells for row in self.rows), strict=True)


class CodeBlock(Block, frozen=True):
    """Code, with what stands behind its fence."""

    code: str
    info: str = ""


class FormulaBlock(Block, frozen=True):
    """A formula on lines of its own."""

    tex: str


class RawBlock(Block, frozen=True):
    """HTML on lines of its own, as it is written."""

    html: str


class CommentBlock(Block, frozen=True):
    """Lines between `%%`, which no page has; `text` has the marks."""

    text: str


class ThematicBreak(Block, frozen=True):
    """A line across the page."""


class Contents(Block, frozen=True):
    """`[TOC]`, which pages drop: they have one."""


class FootnoteDefinition(Block, frozen=True):
    """`[^label]: words`."""

    label: str
    blocks: tuple[Block, ...]


class Document(Node, frozen=True):
    """A whole text."""

    blocks: tuple[Block, ...]


N = TypeVar("N", bound=Node)


def with_inlines(node: N, change: Callable[[Inline], Sequence[Inline]]) -> N:
    """The node with each inline inside of it replaced by what `change` gives for it; the innermost come first."""
    return with_parts(node, lambda part: change(part) if isinstance(part, Inline) else (part,))


def with_parts(node: N, change: Callable[[Inline | Block], Sequence[Node]]) -> N:
    """The node with each inline and block inside of it replaced by what `change` gives; the innermost come first."""
    changed: dict[str, tuple[Node, ...]] = {}
    for name in _names_of_children(type(node)):
        children: list[Node] = []
        for child in getattr(node, name):
            child = with_parts(child, change)
            children += change(child) if isinstance(child, Inline | Block) else [child]
        changed[name] = tuple(joined(children)) if name in ("inlines", "title") else tuple(children)  # type: ignore[arg-type]
    return replace(node, **changed) if changed else node


def joined(inlines: Sequence[Inline]) -> Iterator[Inline]:
    """The inlines with neighbouring words as one, and without empty ones."""
    words: list[Text] = []
    for inline in [*inlines, None]:
        if isinstance(inline, Text):
            words += [inline] if inline.text else []
            continue
        if words:
            text = "".join(word.text for word in words)
            yield Text(text, span=Span(words[0].span.start, words[-1].span.end))
            words = []
        if inline:
            yield inline
