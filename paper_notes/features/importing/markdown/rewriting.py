"""Edits of a foreign text, node by node of its tree: only what our syntax does not say in the same way is changed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, TypeVar

from paper_notes.document import nodes
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Block, Document, Inline, Node, Span
from paper_notes.document.parse import Dialect, parse_inline, readable_address
from paper_notes.document.write import fenced
from paper_notes.features.importing.markdown.boxes import arguments
from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.grammar import ForeignBlock, Sign
from paper_notes.patterns import regex
from paper_notes.values import Struct

_PREFIX_SIGN = regex(r"[^>\s]")
_BLANK_RUN = regex(r"\n[ \t]*(?:\n[ \t]*)+(?=\n)")
_SPACES_AT_END = regex(r"(?<=\n)[ \t]+(?=\n)")
_CODE_OR_REMARK = regex(
    r"^[ >]*(?P<fence>`{3,}|~{3,})(?s:.{0,20000}?)^[ >]*(?P=fence)|(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)"
    r"|(?P<alone>^[ \t]*(?=%%|<!--))?(?P<remark>\{>>|(?<![\d%])%%|<!--|\{/\*)",
    re.MULTILINE,
)
_REMARK_ENDS = {"{>>": "<<}", "%%": "%%", "<!--": "-->", "{/*": "*/}"}
_PARAGRAPH_END = regex(r"(?=\n[ \t]*\n)|\Z")
_KEPT_BLANK = "\ufdd6"
"""On a blank line of code while blank lines are made one; sources cannot contain this noncharacter."""


class Handlers(Struct, frozen=True):
    """What makes the edits of a node, by its kind; an inline may say how many it has taken. Other kinds stay."""

    blocks: Mapping[type[Block], Callable[[Rewriting, Any], None]]
    inlines: Mapping[type[Inline], Callable[[Rewriting, Any], int | None]]
    signs: Mapping[str, Callable[[Rewriting, Sign], str | None]]
    """What stands for a sign; None if it stays."""


class Rewriting:
    """The edits of one text. Handlers of blocks, signs and links add to them."""

    def __init__(
        self, conversion: Conversion, text: str, first_line: int, dialect: Dialect, handlers: Handlers
    ) -> None:
        self.conversion, self.text, self.first_line, self.dialect = conversion, text, first_line, dialect
        self.handlers, self.report = handlers, conversion.report
        self.labels = frozenset[str]()
        """Of link definitions that links have."""
        self.abbreviations: dict[str, str] = {}
        """What abbreviations mean that have not been used yet."""
        self.siblings: tuple[Sequence[Inline], int] = (), 0
        """The inlines among which the one is that is being converted, and its place there."""
        self.cleared = -1
        """Where words begin before which all signs of a block were left out."""
        self.footnotes = set[str]()
        """Labels that something refers to, and whose footnotes are still to come."""
        self.starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self.edits: list[Edit] = []
        self.in_table = self.in_link = self.is_literal = False
        self.tabs: list[str] = []
        """The names of tabs that are still to come, if what is around them has these."""
        self.quoted = ""
        """What stands before new lines, because a box around them is a quotation now."""
        self._cut: dict[int, list[Span]] = {}
        """Blanks that are taken away, by the line."""

    # places

    def row(self, offset: int) -> int:
        """The line of a character, from 0."""
        return bisect_right(self.starts, offset) - 1

    def end(self, offset: int) -> int:
        """The end of the line of a character."""
        return self.starts[self.row(offset) + 1] - 1

    def at(self, span: Span) -> None:
        """What is reported from here on is about this place."""
        self.conversion.line = self.row(max(span.start, 0)) + self.first_line

    def source(self, span: Span) -> str:
        """What is written there."""
        return self.text[span.start : span.end]

    def content(self, span: Span) -> Span:
        """A block without the marks of quotations and items before its first word."""
        row = self.row(span.start)
        match = _BEFORE_WORDS.match(self.text, self.starts[row], self.starts[row + 1] - 1)
        return Span(match.end() if match else span.start, span.end)

    def prefix(self, offset: int) -> str:
        """What stands before a new line below the one of a character, up to its column."""
        row = self.row(offset)
        begin = self.starts[row]
        spans = [Edit(Span(span.start - begin, span.end - begin), "") for span in self._cut.get(row, ())]
        before = apply(self.text[begin:offset], [edit for edit in spans if edit.span.end <= offset - begin])
        return _PREFIX_SIGN.sub(" ", before) + self.quoted

    # edits

    def edit(self, span: Span, text: str, beside: int = -1) -> None:
        """Write a text there; its further lines begin where the span does, or `beside` another character."""
        if "\n" in text:
            prefix = self.prefix(span.start if beside < 0 else beside)
            text = "\n".join(
                (prefix + line).rstrip() if number else line for number, line in enumerate(text.split("\n"))
            )
        self.edits.append(Edit(span, text))

    def insert(self, offset: int, text: str) -> None:
        """Write a text before a character."""
        self.edits.append(Edit(Span(offset, offset), text))

    def escape(self, offset: int) -> None:
        """Make a sign a character of the text."""
        self.insert(offset, "\\")

    def dedent(self, spans: Iterable[Span]) -> None:
        """Take blanks before lines away."""
        for span in spans:
            self.edits.append(Edit(span, ""))
            self._cut.setdefault(self.row(span.start), []).append(span)

    def converted(self, inlines: Sequence[Inline], *, in_link: bool = False) -> str:
        """Some inlines, as they will be written."""
        spans = [node.span for node in inlines if node.span.start >= 0]
        if not spans:
            return ""
        outer, self.edits = self.edits, []
        before, self.in_link = self.in_link, in_link or self.in_link
        self.words(inlines)
        written, self.edits, self.in_link = self.edits, outer, before
        start, end = spans[0].start, spans[-1].end
        moved = (Edit(Span(edit.span.start - start, edit.span.end - start), edit.text) for edit in outermost(written))
        return apply(self.text[start:end], moved)

    def phrase(self, text: str, *, in_link: bool = False) -> str:
        """Words that are a part of something foreign, as they will be written."""
        if not text.strip():
            return text
        part = Rewriting(self.conversion, text, self.conversion.line, self.dialect, self.handlers)
        part.in_table, part.in_link = self.in_table, in_link or self.in_link
        part.footnotes = self.footnotes
        part.words(parse_inline(text, self.dialect))
        return apply(text, outermost(part.edits))

    @property
    def bar(self) -> str:
        """The bar of a reference with words."""
        return r"\|" if self.in_table else "|"

    def as_code(self, span: Span) -> None:
        """What is written there as a block of code, without what nobody may publish."""
        prefix = self.prefix(span.start)
        lines = without_remarks(self.source(span)).strip("\n").split("\n")
        code = "\n".join([lines[0], *(_without(line, prefix) for line in lines[1:])])
        self.edit(span, fenced(code, "text"))

    def named(self, block: str) -> str:
        """What names a block here; empty for a name that another one has."""
        conversion = self.conversion
        name = dict(conversion.outline.blocks).get(block.casefold())
        if name is None:
            return f"^{block}"
        if name in conversion.named:
            conversion.report("doubtful", "block-name", f'several blocks are called "^{block}": links lead to one')
            return ""
        conversion.named.add(name)
        return f"^{name}"

    # the walk

    def blocks(self, blocks: Sequence[Block]) -> None:
        """The edits of blocks that follow one another."""
        for block in blocks:
            self.at(self.content(block.span))
            handler = self.handlers.blocks.get(type(block))
            if block.span.start in self.conversion.structure.left_out:
                self.edit(block.span, "")
            elif handler:
                handler(self, block)
            else:
                self.inside(block)
        for above, below in pairwise(blocks):
            if _is_set_apart(above) or _is_set_apart(below) or isinstance(above, nodes.Table):
                self.gap(above, below)

    def inside(self, node: Node) -> None:
        """The edits of all that a node holds."""
        inlines, blocks = list[Inline](), list[Block]()
        for child in node.children:
            if isinstance(child, Inline):
                inlines.append(child)
            elif isinstance(child, Block):
                blocks.append(child)
            else:
                self.inside(child)
        self.words(inlines)
        self.blocks(blocks)

    def gap(self, above: Block, below: Block) -> None:
        """A blank line between two blocks that follow each other without one."""
        if self.row(below.span.start) == self.row(above.span.end) + 1:
            prefix = self.prefix(self.content(below.span).start)
            self.insert(self.end(above.span.end), f"\n{prefix}".rstrip(" "))

    def words(self, inlines: Sequence[Inline]) -> None:
        """The edits of inlines that follow one another."""
        inlines, place = with_anchors(inlines), 0
        while place < len(inlines):
            node = inlines[place]
            if node.span.start >= 0:
                self.at(node.span)
            self.siblings = inlines, place
            if isinstance(node, Sign):
                self.sign(node)
                place += 1
            elif handler := self.handlers.inlines.get(type(node)):
                place += handler(self, node) or 1
            else:
                self.words([child for child in node.children if isinstance(child, Inline)])
                place += 1

    def sign(self, node: Sign) -> None:
        """The edit of a sign. One that is left out takes blanks along, which would move the column of an item.

        That are those before the name of a block, and those behind what else begins a block.
        """
        place = self.siblings[1]
        written, (start, end) = self.handlers.signs[node.kind](self, node), node.span
        if written == "" and (place == 0 or start == self.cleared):
            while self.text[end : end + 1] in (" ", "\t"):
                end += 1
            self.cleared = end
        while node.kind == "name" and written == "" and self.text[start - 1 : start] in (" ", "\t"):
            start -= 1
        if written is not None:
            self.edit(Span(start, end), written)


_ANCHOR = regex(r"<a\s([^<>]*)>", re.IGNORECASE)
N = TypeVar("N", bound=Node)


def with_anchors(parts: Iterable[N]) -> list[N | nodes.Link]:
    """The nodes with links where HTML has them."""
    result: list[N | nodes.Link] = []
    place, address = 0, ""
    for node in parts:
        html = node.html if isinstance(node, nodes.RawInline) else ""
        if (anchor := _ANCHOR.fullmatch(html)) and (named := arguments(anchor[1])[0].get("href")):
            place, address = len(result), readable_address(named)
        elif address and html.lower() == "</a>":
            inlines = tuple(inner for inner in result[place + 1 :] if isinstance(inner, Inline))
            result[place:] = [nodes.Link(address, inlines, span=Span(result[place].span.start, node.span.end))]
            address = ""
            continue
        result.append(node)
    return result


def without_remarks(text: str) -> str:
    """The text without what nobody may publish: comments that are not in code. Its lines keep their numbers."""
    kept, done, place = list[str](), 0, 0
    last = {mark: text.rfind(end) for mark, end in _REMARK_ENDS.items()}  # else each opening looks through all the rest
    while opening := _CODE_OR_REMARK.search(text, place):
        place, mark = opening.end(), opening["remark"]
        if mark and last[mark] >= place:
            place = text.index(_REMARK_ENDS[mark], place) + len(_REMARK_ENDS[mark])
        elif mark and opening["alone"] is not None and (end := _PARAGRAPH_END.search(text, place)):
            place = end.start()
        else:
            continue
        kept += text[done : opening.start()], "\n" * text.count("\n", opening.start(), place)
        done = place
    return "".join([*kept, text[done:]])


def _without(line: str, prefix: str) -> str:
    """A line of a block without what stands before all of its lines."""
    return line.removeprefix(prefix) if line.startswith(prefix) else line.lstrip(" \t>" if ">" in prefix else None)


def _is_set_apart(block: Block) -> bool:
    return isinstance(block, ForeignBlock | nodes.RawBlock | nodes.FormulaBlock)


_BEFORE_WORDS = regex(r"[ \t>]*(?:(?:[-*+:~]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?[ \t>]*)*")


def outermost(edits: Iterable[Edit]) -> list[Edit]:
    """The edits that are not within others: what is around them is written anew."""
    kept: list[Edit] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end > edit.span.start, -edit.span.end)):
        if edit.span.start >= done:
            kept.append(edit)
            done = edit.span.end
    return kept


def rewritten(rewriting: Rewriting, document: Document) -> str:
    """The text in our syntax; of several blank lines one stays, except in code."""
    walked = [*document.walk()]
    rewriting.labels = frozenset(
        _label(rewriting, node) for node in walked if isinstance(node, nodes.Link | nodes.Image)
    )
    rewriting.footnotes = {node.label for node in walked if isinstance(node, nodes.FootnoteReference)}
    rewriting.abbreviations = {
        node.fields["short"]: node.fields["long"]
        for node in walked
        if isinstance(node, ForeignBlock) and node.kind == "abbreviation" and node.fields["long"]
    }
    rewriting.blocks(document.blocks)
    for above, below in pairwise(document.blocks):
        if isinstance(above, nodes.Heading) or isinstance(below, nodes.Heading):
            rewriting.gap(above, below)
    for node in walked:
        if isinstance(node, nodes.CodeBlock | nodes.RawBlock | nodes.CommentBlock | nodes.FormulaBlock) and "\n\n" in (
            source := rewriting.source(node.span)
        ):
            for match in re.finditer(r"(?<=\n)[ \t]*(?=\n)", source):
                rewriting.edits.append(Edit(Span(*[node.span.start + match.end()] * 2), _KEPT_BLANK))
    text = apply(rewriting.text, outermost(rewriting.edits))
    return _BLANK_RUN.sub("\n", _SPACES_AT_END.sub("", f"\n{text}\n")).strip("\n").replace(_KEPT_BLANK, "")


def _label(rewriting: Rewriting, node: nodes.Link | nodes.Image) -> str:
    """The label of the definition that a link has its address from; empty for others."""
    source = rewriting.source(node.span)
    if not source.endswith("]"):
        return ""
    words, _, label = source.removesuffix("]").rpartition("][")
    label = label if words and label else words or source[:-1]
    return " ".join(label.lstrip("![").split()).casefold()
