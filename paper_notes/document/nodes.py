"""The nodes of a text: blocks and inlines, frozen and compared by what they say, not by where they stand.

The vocabulary is CommonMark's, and that of our own syntax. What a page only *shows* otherwise (typographic signs, terms
of the glossary, classes of cells) is not in the tree; emoji names and bare addresses are: they change the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import ClassVar, Literal, NamedTuple, TypeVar

from paper_notes.markdown.syntax.declared import Origin
from paper_notes.markdown.syntax.references import CitedPaper
from paper_notes.patterns import regex


class Span(NamedTuple):
    """Where a node stands in its source: offsets in characters; of a block, whole lines without the last line end."""

    start: int
    end: int


NOWHERE = Span(-1, -1)
"""The span of a node that was made, not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What all nodes have."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)

    @property
    def children(self) -> Iterator[Node]:
        """The nodes right inside of this one, in their order."""
        for name in _names_of_children(type(self)):  # type: ignore[arg-type] # mypy takes a class for its instances
            yield from getattr(self, name)

    def walk(self) -> Iterator[Node]:
        """This node and all inside of it, each before its children."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            for name in reversed(_names_of_children(type(node))):  # type: ignore[arg-type] # as above
                stack += getattr(node, name)[::-1]


@cache
def _names_of_children(kind: type[Node]) -> tuple[str, ...]:
    return tuple(part.name for part in fields(kind) if _HOLDS_NODES.match(str(part.type)))


_HOLDS_NODES = regex(r"tuple\[(?:Inline|Block|Item|Row|Cell|DefinedTerm|Definition)\b")


@dataclass(frozen=True, slots=True)
class Inline(Node):
    """A part of a line of words."""


@dataclass(frozen=True, slots=True)
class Block(Node):
    """A paragraph, a heading, a list, ..."""


# Inlines


@dataclass(frozen=True, slots=True)
class Text(Inline):
    """Words as readers see them: escapes, entities and names of emoji are resolved. Never next to another Text."""

    text: str


@dataclass(frozen=True, slots=True)
class SoftBreak(Inline):
    """The end of a line of the source."""


@dataclass(frozen=True, slots=True)
class HardBreak(Inline):
    r"""`\` at the end of a line, or `<br>`."""


@dataclass(frozen=True, slots=True)
class Code(Inline):
    """Code between backticks."""

    code: str


@dataclass(frozen=True, slots=True)
class Formula(Inline):
    """A formula within words."""

    tex: str
    display: bool = False
    """On a line of its own on the page, though it stands within words."""


@dataclass(frozen=True, slots=True)
class EquationReference(Inline):
    r"""`\eqref{label}` or `\ref{label}` outside of formulas."""

    label: str
    brackets: bool


@dataclass(frozen=True, slots=True)
class Styled(Inline):
    """Words of one style."""

    tag: ClassVar[str]
    """The element that says the same."""
    inlines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Emphasis(Styled):
    """`*words*`, `<em>`, `<i>`."""

    tag = "em"


@dataclass(frozen=True, slots=True)
class Strong(Styled):
    """`**words**`, `<strong>`, `<b>`."""

    tag = "strong"


@dataclass(frozen=True, slots=True)
class Strikethrough(Styled):
    """`~~words~~`, `<del>`, `<s>`."""

    tag = "del"


@dataclass(frozen=True, slots=True)
class Highlight(Styled):
    """`==words==`, `<mark>`."""

    tag = "mark"


ElementName = Literal["sub", "sup", "kbd", "u", "ins", "small", "q", "cite", "samp", "var", "dfn", "code"]


@dataclass(frozen=True, slots=True)
class Element(Inline):
    """Words in an HTML element that Markdown has no sign for; `code` if there is more than words in it."""

    name: ElementName
    inlines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Link(Inline):
    """A link; `is_bare` if its words are its address, found in running text (`arXiv:2510.26475`) or between `< >`."""

    href: str
    """As `readable_address` gives it."""
    inlines: tuple[Inline, ...]
    title: str = ""
    is_bare: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Image(Inline):
    """A picture and the words that stand for it."""

    src: str
    inlines: tuple[Inline, ...] = ()
    title: str = ""
    width: int = 0
    """In pixels, if it is said how wide it is shown."""


@dataclass(frozen=True, slots=True)
class Reference(Inline):
    """`[[target|text]]`: another note or a section of it, or of this note: `§3.2`, `#^name`."""

    target: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Citation(Inline):
    """`[see @key, Table 2; @other]`."""

    papers: tuple[CitedPaper, ...]


@dataclass(frozen=True, slots=True)
class FootnoteReference(Inline):
    """`[^label]`."""

    label: str


@dataclass(frozen=True, slots=True)
class InlineFootnote(Inline):
    """`^[words]`."""

    inlines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Marked(Inline):
    """`[words]{.term from=own}`."""

    inlines: tuple[Inline, ...]
    classes: tuple[str, ...] = ()
    origin: Origin | None = None
    """Where a number in the words comes from."""


@dataclass(frozen=True, slots=True)
class RawInline(Inline):
    """HTML within words, as it is written: a tag or a comment."""

    html: str


@dataclass(frozen=True, slots=True)
class Comment(Inline):
    """`%%words%%`, which no page has."""

    text: str


# Blocks


@dataclass(frozen=True, slots=True)
class Heading(Block):
    """`## words {#id n=2.5}`."""

    level: int
    inlines: tuple[Inline, ...]
    id: str = ""
    number: str | None = None
    """Its own number, empty for none; None if it is counted."""
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Paragraph(Block):
    """Words. Without inlines, its names are those of the block above."""

    inlines: tuple[Inline, ...]
    names: tuple[str, ...] = ()
    """What references may call it: `^name`."""
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Item(Node):
    """An item of a list; `done` is None if it is no task."""

    blocks: tuple[Block, ...]
    done: bool | None = None


@dataclass(frozen=True, slots=True)
class List(Block):
    """Items with bullets, or numbered from `start` on."""

    items: tuple[Item, ...]
    start: int | None = None
    is_loose: bool = False
    """Whether the items are set apart as paragraphs."""


@dataclass(frozen=True, slots=True)
class DefinedTerm(Node):
    """What a definition list explains."""

    inlines: tuple[Inline, ...]
    names: tuple[str, ...] = ()
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Definition(Node):
    """An explanation of the term above."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class DefinitionList(Block):
    """Terms, each followed by its definitions."""

    entries: tuple[DefinedTerm | Definition, ...]
    is_loose: bool = False


@dataclass(frozen=True, slots=True)
class Quote(Block):
    """A quotation: `> words`."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Alert(Block):
    """`> [!kind]- title`: a box as GitHub and Obsidian write it."""

    kind: str
    title: tuple[Inline, ...]
    blocks: tuple[Block, ...]
    fold: Literal["", "+", "-"] = ""


@dataclass(frozen=True, slots=True)
class Component(Block):
    """`:::name title {#id .green}`."""

    name: str
    title: tuple[Inline, ...]
    blocks: tuple[Block, ...]
    id: str = ""
    origin: Origin | None = None
    colour: str = ""
    """Of a quotation."""


Alignment = Literal["", "left", "center", "right"]


@dataclass(frozen=True, slots=True)
class Cell(Node):
    """A cell, or a part of the one `above` (written `^^`) or on its `left` (`<<`)."""

    inlines: tuple[Inline, ...]
    origin: Origin | None = None
    """Of the number, the row (in its first cell), the column (in its head) or the table (in the first head)."""
    merged: Literal["", "above", "left"] = ""


@dataclass(frozen=True, slots=True)
class Row(Node):
    """A row of as many cells as the table has columns."""

    cells: tuple[Cell, ...]
    mark: str = ""
    """`best`, `own` or `baseline`."""


@dataclass(frozen=True, slots=True)
class Table(Block):
    """A table; the first row is its head."""

    alignments: tuple[Alignment, ...]
    rows: tuple[Row, ...]

    @property
    def columns(self) -> Iterator[tuple[Cell, ...]]:
        """The cells of each column, its head first."""
        yield from zip(*(row.cells for row in self.rows), strict=True)


@dataclass(frozen=True, slots=True)
class CodeBlock(Block):
    """Code, with what stands behind its fence."""

    code: str
    info: str = ""


@dataclass(frozen=True, slots=True)
class FormulaBlock(Block):
    """A formula on lines of its own."""

    tex: str


@dataclass(frozen=True, slots=True)
class RawBlock(Block):
    """HTML on lines of its own, as it is written."""

    html: str


@dataclass(frozen=True, slots=True)
class CommentBlock(Block):
    """Lines between `%%`, which no page has; `text` has the marks."""

    text: str


@dataclass(frozen=True, slots=True)
class ThematicBreak(Block):
    """A line across the page."""


@dataclass(frozen=True, slots=True)
class Contents(Block):
    """`[TOC]`, which pages drop: they have one."""


@dataclass(frozen=True, slots=True)
class FootnoteDefinition(Block):
    """`[^label]: words`."""

    label: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document(Node):
    """A whole text."""

    blocks: tuple[Block, ...]


N = TypeVar("N", bound=Node)


def with_inlines(node: N, change: Callable[[Inline], Sequence[Inline]]) -> N:
    """The node with each inline inside of it replaced by what `change` gives for it; the innermost come first."""
    return with_parts(node, lambda part: change(part) if isinstance(part, Inline) else (part,))


def with_parts(node: N, change: Callable[[Inline | Block], Sequence[Node]]) -> N:
    """The node with each inline and block inside of it replaced by what `change` gives; the innermost come first."""
    changed: dict[str, tuple[Node, ...]] = {}
    for name in _names_of_children(type(node)):  # type: ignore[arg-type] # as above
        children: list[Node] = []
        for child in getattr(node, name):
            child = with_parts(child, change)
            children += change(child) if isinstance(child, Inline | Block) else [child]
        changed[name] = tuple(joined(children)) if name in ("inlines", "title") else tuple(children)  # type: ignore[arg-type]
    return replace(node, **changed) if changed else node  # type: ignore[arg-type] # the names are those of the node


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
