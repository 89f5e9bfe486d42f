"""Markdown to a Document: the tokens of a parser as nodes, with their spans."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Any, get_args
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from paper_notes.corpus.model import NoteText
from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Cell, Document, Inline, Item, Span, Text, joined
from paper_notes.languages.text import Lang
from paper_notes.markdown.context import SourceMap, closing, context_of
from paper_notes.markdown.parser import STRUCTURE, environment, grammar
from paper_notes.markdown.renderer import within_ideographs
from paper_notes.markdown.syntax.anchors import is_contents
from paper_notes.markdown.syntax.inline import BodyInline, InlineState, TooTangled, bare_links
from paper_notes.markdown.syntax.suspicious_syntax import report_lost
from paper_notes.markdown.syntax.tables import ABOVE, LEFT
from paper_notes.markdown.syntax.tags import is_unknown_tag
from paper_notes.markdown.syntax.typographer import with_signs
from paper_notes.patterns import regex
from paper_notes.values import Struct, field, replace

STYLES: Mapping[str, type[nodes.Styled]] = {
    **dict.fromkeys(("em", "i"), nodes.Emphasis),
    **dict.fromkeys(("strong", "b"), nodes.Strong),
    **dict.fromkeys(("del", "s", "strike"), nodes.Strikethrough),
    "mark": nodes.Highlight,
}
"""Elements that say the same as a sign of Markdown."""
_ELEMENTS = frozenset(get_args(nodes.ElementName))
_MERGED = {ABOVE: "above", LEFT: "left"}
_ENCODED = regex("(?:%[89A-F][0-9A-F])+", re.IGNORECASE)
_TAG = regex(r"<(/?)([A-Za-z]+)\s*(/?)>")


class Dialect(Struct, frozen=True):
    """A way of writing Markdown: ours, and what its plugins add."""

    name: str
    parser: Callable[[], MarkdownIt]
    """Its parser, a `reading_parser` that is made once."""
    nodes: Mapping[str, Callable[[Reading, Token, Sequence[Token]], Any]] = field(default_factory=dict)
    """What makes a node of each token that only its plugins make; it gets the tokens inside, too."""


def reading_parser(*plugins: Callable[[MarkdownIt], None], rules: Sequence[str] = STRUCTURE) -> MarkdownIt:
    """Our grammar without what makes a page, with these plugins, and with these core rules."""
    md = grammar(_ReadingInline())
    md.core.ruler.at("inline", _read_inline)
    for plugin in plugins:
        md.use(plugin)
    md.core.ruler.enableOnly([*rules])
    md.inline.ruler2.before("fragments_join", "emptied", _emptied)
    for rule in md.inline.ruler.__rules__:
        if rule.name != "text":  # which makes no tokens
            rule.fn = partial(_recorded, rule.fn)
    return md


OURS = Dialect("paper-notes", lru_cache(maxsize=1)(reading_parser))


def _as_on_a_page(state: StateCore) -> None:
    """Drop line ends that are no spaces on a page, and what follows a comment never closed; `<think>` is text."""
    for block in state.tokens:
        children = block.children or []
        if "%%" in block.content:
            children = report_lost(context_of(state.env), children)
        block.children = [
            token
            for at, token in enumerate(children)
            if token.type != "softbreak" or not within_ideographs(children, at)
        ]
        for token in block.children:
            if token.type == "html_inline" and is_unknown_tag(token.content):
                token.type = "text"


_SHOWN = (*STRUCTURE, "bare_links", "emoji", "typographer", "as_on_a_page")
AS_SHOWN = Dialect(
    "page",
    lru_cache(maxsize=1)(
        partial(reading_parser, lambda md: md.core.ruler.push("as_on_a_page", _as_on_a_page), rules=_SHOWN)
    ),
)
"""Ours, with the typographic signs and the spaces of a page; its nodes have no spans."""


def parse(text: str, dialect: Dialect = OURS, env: Mapping[str, Any] | None = None) -> Document:
    r"""The tree of a text. It never raises: what is no syntax is words. Line ends must be `\n`.

    `env` is for plugins of the dialect.
    """
    reading = _reading(text, dialect)
    reading.env |= env or {}
    return Document(tuple(reading.blocks(reading.md.parse(text, reading.env))), span=Span(0, len(text)))


def parse_inline(text: str, dialect: Dialect = OURS) -> tuple[Inline, ...]:
    """The words of a text that is a line of words, such as a title."""
    reading = _reading(text, dialect)
    return reading.inlines(reading.md.parseInline(text, reading.env)[0])


def readable_address(address: str) -> str:
    """An address as nodes have it: encoded as Markdown does it, but for the letters beyond ASCII."""
    return _readable(OURS.parser().normalizeLink(address))


def _readable(encoded: str) -> str:
    return _ENCODED.sub(_decoded, encoded)


def _decoded(run: re.Match[str]) -> str:
    letters = unquote(run[0], errors="replace")
    can_be_read = "\ufffd" not in letters and letters.isprintable() and not any(map(str.isspace, letters))
    return letters if can_be_read else run[0]


def _reading(text: str, dialect: Dialect) -> Reading:
    env = environment(NoteText(Lang("en"), PurePosixPath("text"), text))
    return Reading(text.split("\n"), dialect, env)


# Spans of inlines


class _ReadingState(InlineState):
    """Inline parsing where each token knows its span in the words of the block."""

    def pushPending(self) -> Token:  # noqa: N802 -- the library's name
        end = self.pos + self.origin
        token = super().pushPending()
        token.meta["span"] = end - len(token.content), end
        return token


class _ReadingInline(BodyInline):
    state_class = _ReadingState


def _recorded(rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool) -> bool:
    """Run a rule, and note in the tokens that it makes where they come from."""
    if silent:
        return rule(state, silent)
    start, known, pending = state.pos, len(state.tokens), len(state.pending)
    if not rule(state, silent):
        return False
    origin = state.origin if isinstance(state, _ReadingState) else 0
    new = state.tokens[known:]
    if new and "at" not in new[0].meta:  # the words before it, which the rule has flushed
        words = new.pop(0)
        words.meta["span"] = origin + start - pending, origin + start - pending + len(words.content)
    if len(new) > 1 and all(token.type == "text" for token in new):  # a run of signs that may be emphasis
        for token in new:
            start, begins = start + len(token.content), start
            token.meta["span"] = origin + begins, origin + start
    elif new:
        new[0].meta["span"] = origin + start, origin + state.pos
    return True


def _emptied(state: StateInline) -> None:
    """Of two signs of strong emphasis one stays as an empty text: words that are joined with it end where it begins."""
    for token in state.tokens:
        if token.type == "text" and not token.content and "span" in token.meta:
            start, _ = token.meta["span"]
            token.meta["span"] = start, start


def _read_inline(state: StateCore) -> None:
    """The library's rule; words that are too tangled stay words."""
    context = context_of(state.env)
    for block in state.tokens:
        if block.type == "inline":
            context.enter(block)
            block.meta["place"] = context.place
            block.children = []
            try:
                state.md.inline.parse(block.content, state.md, state.env, block.children)
            except TooTangled:
                words = Token("text", "", 0, content=block.content, meta={"span": (0, len(block.content))})
                block.children = [words]


# Tokens to nodes


class Reading:
    """The reading of one text."""

    def __init__(self, lines: Sequence[str], dialect: Dialect, env: dict[str, Any]) -> None:
        self.md = dialect.parser()
        self.nodes = dialect.nodes
        self.env = env
        self.lines = lines
        self.starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self.place = SourceMap("", ((0, 0, 0),))
        self.in_link = False

    def blocks(self, tokens: Sequence[Token]) -> Iterator[Block]:
        """The blocks of tokens that are all of one level."""
        for token, inside in _parts(tokens):
            make = _BLOCKS.get(token.type) or self.nodes.get(token.type)
            if make and (block := make(self, token, inside)):
                yield replace(block, span=self._lines(token))

    def _lines(self, token: Token) -> Span:
        lines = token.meta.get("lines", token.map)
        if not lines:
            return nodes.NOWHERE
        first, after = lines[0], min(max(lines[1], lines[0] + 1), len(self.lines))
        while after > first + 1 and not self.lines[after - 1].strip():
            after -= 1
        return Span(self.starts[first], self.starts[after] - 1)

    def paragraph(self, token: Token, inside: Sequence[Token]) -> Block | None:
        inline = inside[0]
        if is_contents(inline):
            return nodes.Contents()
        names = tuple(name for name, _ in inline.meta.get("names", ()))
        return nodes.Paragraph(self.inlines(inline), names, inline.meta.get("from"))

    def heading(self, token: Token, inside: Sequence[Token]) -> Block:
        number, inlines = token.meta.get("number"), self.inlines(inside[0])
        inlines = tuple(joined([Text(" ") if isinstance(part, nodes.SoftBreak) else part for part in inlines]))
        return nodes.Heading(int(token.tag[1]), inlines, token.meta.get("id", ""), number, token.meta.get("from"))

    def items(self, token: Token, inside: Sequence[Token]) -> Block:
        items = []
        is_loose = False
        for opening, content in _parts(inside):
            is_loose |= _has_loose(content)
            items.append(self.item(opening, content))
        start = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else None
        return nodes.List(tuple(items), start, is_loose)

    def item(self, opening: Token, content: Sequence[Token]) -> Item:
        box = content[1].children[0] if opening.attrs.get("class") == "task-list-item" and content[1].children else None
        if box:
            content[1].children = (content[1].children or [])[1:]
            if content[1].children[0].type == "text":
                content[1].children[0].content = content[1].children[0].content.lstrip()
        done = "checked" in box.content if box else None
        return Item(tuple(self.blocks(content)), done, span=self._lines(opening))

    def definition_list(self, token: Token, inside: Sequence[Token]) -> Block:
        entries: list[nodes.DefinedTerm | nodes.Definition] = []
        is_loose = False
        for opening, content in _parts(inside):
            span = self._lines(opening)
            if opening.type == "dt_open":
                inline = content[0]
                names = tuple(name for name, _ in inline.meta.get("names", ()))
                entries.append(nodes.DefinedTerm(self.inlines(inline), names, inline.meta.get("from"), span=span))
            else:
                is_loose |= _has_loose(content)
                entries.append(nodes.Definition(tuple(self.blocks(content)), span=span))
        return nodes.DefinitionList(tuple(entries), is_loose)

    def quote(self, token: Token, inside: Sequence[Token]) -> Block:
        return nodes.Quote(tuple(self.blocks(inside)))

    def component(self, token: Token, inside: Sequence[Token]) -> Block:
        title: tuple[Inline, ...] = ()
        if inside and inside[0].meta.get("title"):
            title, inside = self.inlines(inside[0]), inside[1:]
        blocks = tuple(self.blocks(inside))
        if "alert" in token.meta:
            head: re.Match[str] = token.meta["alert"]
            fold: Any = head[2]
            return nodes.Alert(head[1].strip(), title if head[3].strip() else (), blocks, fold)
        return nodes.Component(
            token.info, title, blocks, token.meta["id"], token.meta.get("from"), token.meta["colour"]
        )

    def table(self, token: Token, inside: Sequence[Token]) -> Block:
        rows: list[nodes.Row] = []
        alignments: tuple[nodes.Alignment, ...] = ()
        for _, section in _parts(inside):
            for opening, content in _parts(section):
                cells = tuple(self.cell(cell[0]) for _, cell in _parts(content))
                rows.append(nodes.Row(cells, opening.meta.get("mark", ""), span=self._lines(opening)))
                styles: list[Any] = [str(cell.attrs.get("style", "")) for cell, _ in _parts(content)]
                alignments = alignments or tuple(style.removeprefix("text-align:") for style in styles)
        return nodes.Table(alignments, tuple(rows))

    def cell(self, inline: Token) -> Cell:
        inlines = self.inlines(inline)
        span = Span(inlines[0].span.start, inlines[-1].span.end) if inlines else nodes.NOWHERE
        merged: Any = _MERGED.get(inline.content, "")
        return Cell(() if merged else inlines, inline.meta.get("from"), merged, span=span)

    def footnote(self, token: Token, inside: Sequence[Token]) -> Block:
        return nodes.FootnoteDefinition(token.meta["label"], tuple(self.blocks(inside)))

    def code(self, token: Token, inside: Sequence[Token]) -> Block:
        return nodes.CodeBlock(token.content.removesuffix("\n"), token.info.strip())

    # words

    def inlines(self, block: Token) -> tuple[Inline, ...]:
        """The nodes of a block's words."""
        self.place = block.meta["place"]
        return self._inlines(block.children or ())

    def _inlines(self, tokens: Sequence[Token]) -> tuple[Inline, ...]:
        read: list[Inline] = []
        opened: list[tuple[str, int]] = []
        """The HTML elements that are open, and where each begins in `read`."""
        at = 0
        while at < len(tokens):
            end = closing(tokens, at)
            token = tokens[at]
            if token.type == "html_inline" and (tag := _TAG.fullmatch(token.content)):
                self._tag(token, tag, opened, read)
            else:
                read += self._inline(token, tokens[at + 1 : end], tokens[end])
            at = end + 1
        return tuple(joined(read))

    def _tag(self, token: Token, tag: re.Match[str], opened: list[tuple[str, int]], read: list[Inline]) -> None:
        """A tag without attributes: a line break, or the beginning or end of an element that has a node."""
        span, name = self._span(token), tag[2].lower()
        if name == "br":
            read.append(nodes.HardBreak(span=span))
            return
        if name in STYLES or name in _ELEMENTS:
            if not tag[1] and not tag[3]:
                opened.append((name, len(read)))
            elif tag[1] and opened and opened[-1][0] == name:
                _, start = opened.pop()
                inner, whole = tuple(joined(read[start + 1 :])), Span(read[start].span.start, span.end)
                style = STYLES.get(name)
                node: Any = style(inner, span=whole) if style else nodes.Element(name, inner, span=whole)  # type: ignore[arg-type]
                read[start:] = [node]
                return
        read.append(nodes.RawInline(token.content, span=span))

    def _inline(self, token: Token, inside: Sequence[Token], closing: Token) -> list[Inline]:  # noqa: C901 -- a case a kind
        span = self._span(token)
        match token.type:
            case "text":
                return list(self._words(token))
            case "text_special":
                return [Text(token.content, span=span)]
            case "em_open" | "strong_open" | "s_open":
                around = int(token.type == "strong_open")  # the place of two stars is that of the inner one
                whole = Span(span.start - around, self._span(closing).end + around)
                return [STYLES[token.tag](self._inlines(inside), span=whole)]
            case "mark_open":
                return [nodes.Highlight(self._inlines(inside), span=span)]
            case "link_open":
                return [self._link(token, inside, span)]
            case "span_open":
                inlines, origin = self._inlines(inside), token.meta.get("from")
                classes = tuple(name[1:] for name in token.meta["names"] if name[0] == ".")
                return [nodes.Marked(inlines, classes, origin, span=span)] if classes or origin else list(inlines)
            case "image":
                inlines = self._inlines(token.children or ())
                title = str(token.attrs.get("title", ""))
                width = int(token.attrs.get("width", 0))
                return [nodes.Image(_readable(str(token.attrs["src"])), inlines, title, width, span=span)]
            case "footnote_ref" if "label" in token.meta:
                return [nodes.FootnoteReference(token.meta["label"], span=span)]
            case "footnote_ref":
                footnote = self.env["footnotes"]["list"][token.meta["id"]]
                return [nodes.InlineFootnote(self._inlines(footnote["tokens"]), span=span)]
            case "softbreak":
                return [nodes.SoftBreak(span=span)]
            case "hardbreak":
                return [nodes.HardBreak(span=span)]
            case "code_inline":
                return [nodes.Code(token.content, span=span)]
            case "math_inline" | "math_inline_double":
                return [nodes.Formula(token.content, token.type == "math_inline_double", span=span)]
            case "note_reference":
                return [nodes.Reference(token.meta["target"], token.meta["text"], span=span)]
            case "citation":
                return [nodes.Citation(tuple(paper for paper, _ in token.meta["papers"]), span=span)]
            case "comment":
                return [nodes.Comment(token.content, span=span)]
            case _ if make := self.nodes.get(token.type):
                return [replace(make(self, token, inside), span=span)]
            case _:
                return [nodes.RawInline(token.content, span=span)]

    def _link(self, token: Token, inside: Sequence[Token], span: Span) -> Inline:
        if "target" in token.meta:
            return nodes.Reference(token.meta["target"], token.meta["text"], span=span)
        if inside and "equation" in inside[0].meta:
            label, is_bare = inside[0].meta["equation"]
            return nodes.EquationReference(label, not is_bare, span=span)
        href, title = _readable(str(token.attrs["href"])), str(token.attrs.get("title", ""))
        self.in_link = True  # an address within the words of a link is only words
        inlines = self._inlines(inside)
        self.in_link = False
        return nodes.Link(href, inlines, title, "auto" in (token.markup[:4], token.info), span=span)

    def _words(self, token: Token) -> Iterator[Inline]:
        """The words of a token, where bare addresses are links and names of emoji their signs."""
        if "span" not in token.meta:  # the address between `< >`, which is its own words
            yield Text(token.content)
            return
        start = token.meta["span"][1] - len(token.content)
        pieces = [(0, len(token.content), "")] if self.in_link else bare_links(token.content)
        for begins, ends, href in pieces:
            piece = token.content[begins:ends]
            span = self._at(start + begins, start + ends)
            if href:
                address = _readable(self.md.normalizeLink(href))
                yield nodes.Link(address, (Text(piece, span=span),), is_bare=True, span=span)
            else:
                yield Text(with_signs(piece) if ":" in piece else piece, span=span)

    def _span(self, token: Token) -> Span:
        return self._at(*token.meta["span"]) if "span" in token.meta else nodes.NOWHERE

    def _at(self, start: int, end: int) -> Span:
        """The span in the source of a piece of the block's words."""
        line, column = self.place.at(start)
        last, after = self.place.at(end)
        return Span(self.starts[line] + column, self.starts[last] + after)


_BLOCKS: Mapping[str, Callable[[Reading, Token, Sequence[Token]], Block | None]] = {
    "paragraph_open": Reading.paragraph,
    "heading_open": Reading.heading,
    "bullet_list_open": Reading.items,
    "ordered_list_open": Reading.items,
    "dl_open": Reading.definition_list,
    "blockquote_open": Reading.quote,
    "component_open": Reading.component,
    "table_open": Reading.table,
    "footnote_reference_open": Reading.footnote,
    "fence": Reading.code,
    "code_block": Reading.code,
    "math_block": lambda _, token, __: nodes.FormulaBlock("\n".join(map(str.strip, token.content.strip().split("\n")))),
    "html_block": lambda _, token, __: nodes.RawBlock(token.content.rstrip("\n")),
    "comment_block": lambda _, token, __: nodes.CommentBlock(token.content.rstrip("\n")),
    "hr": lambda _, __, ___: nodes.ThematicBreak(),
}
"""What makes a node of each block token."""


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[Token, Sequence[Token]]]:
    """Each token that is not inside of another one, and those that are inside of it."""
    at = 0
    while at < len(tokens):
        end = closing(tokens, at)
        yield tokens[at], tokens[at + 1 : end]
        at = end + 1


def _has_loose(content: Sequence[Token]) -> bool:
    return any(part.type == "paragraph_open" and not part.hidden for part, _ in _parts(content))
