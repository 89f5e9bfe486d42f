"""The grammar of other tools' Markdown: ours, and rules for the blocks and signs that it does not have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from paper_notes.document.nodes import Block, Document, Inline, Span
from paper_notes.document.parse import Dialect, Reading, parse, reading_parser
from paper_notes.features.importing.markdown import dialects
from paper_notes.features.importing.markdown.block_rules import Fields, by_first, fields_of, install_blocks

_CORE = ("normalize", "hide_bars", "block", "math_fences", "alerts", "show_bars", "inline", "task_lists")
"""Core rules of ours that others' texts mean, too: braces have other meanings there."""


@dataclass(frozen=True, slots=True)
class ForeignBlock(Block):
    """A block of another tool; `kind` is the name of its rule."""

    kind: str
    fields: Fields = field(default_factory=dict)
    blocks: tuple[Block, ...] = ()
    opening: Span = field(default=Span(-1, -1), compare=False)
    """What stands before its blocks; of a block without any, the whole."""
    closing: Span = field(default=Span(-1, -1), compare=False)
    dedents: tuple[Span, ...] = field(default=(), compare=False)
    """Blanks before the lines of its blocks that belong to it."""


@dataclass(frozen=True, slots=True)
class Sign(Inline):
    """What only other tools write within lines; `kind` is the name of its row."""

    kind: str
    fields: Fields = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SignRow:
    """How a sign looks: what it begins with, and all of it."""

    kind: str
    first: str
    pattern: re.Pattern[str]
    after: tuple[str, ...] = ()
    """Types of the token that must be right before it."""
    optional: bool = False
    """Whether only dialects that name it have it."""


def read_tree(text: str, spoken: dialects.Tool, *, mdx: bool, verbatim: Sequence[range] = ()) -> Document:
    """The tree of a text in a dialect. Lines in `verbatim`, counted from 0, are blocks that are not read."""
    env = {
        "starts": [0, *accumulate(len(line) + 1 for line in text.split("\n"))],
        "verbatim": {lines.start: lines.stop for lines in verbatim},
    }
    return parse(text, grammar(spoken.signs, mdx=mdx), env)


@lru_cache(maxsize=16)
def grammar(signs: frozenset[str], *, mdx: bool) -> Dialect:
    """The dialect with these signs."""
    rows = [row for row in SIGNS if (not row.optional or row.kind in signs) and (mdx or row.kind != "jsx_comment")]

    def install(md: MarkdownIt) -> None:
        md.validateLink = lambda url: True  # type: ignore[method-assign] # what a page may link to is decided later
        md.options["inline_definitions"] = True
        md.disable("unwrapped")
        install_blocks(md, mdx=mdx)
        md.inline.ruler.after("text", "foreign_sign", partial(_sign, by_first(rows)))

    return Dialect("foreign", lru_cache(maxsize=1)(partial(reading_parser, install, rules=_CORE)), _NODES)


def _block(reading: Reading, token: Token, inside: Sequence[Token]) -> ForeignBlock:
    blocks = tuple(reading.blocks(inside)) if inside else ()
    return ForeignBlock(token.info, blocks=blocks, **token.meta["foreign"])


_NODES = {
    "foreign_open": _block,
    "foreign": _block,
    "definition": lambda _, token, __: ForeignBlock(
        "definition", {name: str(token.meta[name]) for name in ("label", "url")}
    ),
    "foreign_sign": lambda _, token, __: Sign(token.info, token.meta["foreign"]),
}


# Signs within lines


_SPACED = r"[^()\n\"<>]*?[^()\s\"<>] [^()\n\"<>]*?\.(?:png|jpe?g|gif|svg|webp|avif|md)(?:#[^()\n\"]*)?"
_TITLE = r"""(?:\s+(?:"(?P<title>[^"\n]*)"|'(?P<quoted>[^'\n]*)'))?"""
SIGNS = (
    SignRow("comment", "%", re.compile(r"(?<![\d%])%%(?P<words>(?:(?!%%).)+)%%", re.DOTALL)),
    SignRow("jsx_comment", "{", re.compile(r"\{/\*(?P<words>(?:(?!\*/\}).){0,2000})\*/\}", re.DOTALL)),
    SignRow("comment", "{", re.compile(r"\{>>(?P<words>[^\n]{1,500}?)<<\}")),
    SignRow("ins", "{", re.compile(r"\{\+\+(?P<words>[^\n]{1,500}?)\+\+\}")),
    SignRow("del", "{", re.compile(r"\{--(?P<words>[^\n]{1,500}?)--\}")),
    SignRow("mark", "{", re.compile(r"\{==(?P<words>[^\n]{1,500}?)==\}")),
    SignRow("ins", "^", re.compile(r"\^\^(?P<words>(?=\S)[^\^\n]+(?<!\s))\^\^")),
    SignRow("script", "~", re.compile(r"(?<=[\w)])~(?P<sub>[\w+-]{1,20})~(?!~)"), optional=True),
    SignRow("script", "^", re.compile(r"(?<=[\w)])\^(?P<sup>[\w+-]{1,20})\^(?!\^)"), optional=True),
    SignRow("keys", "+", re.compile(r"(?<![\w+])\+\+(?P<keys>[a-z0-9-]+(?:\+[a-z0-9-]+)*)\+\+(?!\w)"), optional=True),
    SignRow(
        "icon", ":", re.compile(r"(?<![\w:]):(?P<icon>(?:material|octicons|fontawesome|simple|fas|fab)-[\w-]+): ?")
    ),
    SignRow("shortcode", "{", re.compile(r"\{\{[<%]\s*/?\s*(?P<name>[\w-]*)(?:(?!\}\})[^\n]){0,1000}[%>]\}\}")),
    SignRow("liquid", "{", re.compile(r"\{%-?\s*(?:end)?(?P<name>\w*)(?:(?!%\})[^\n]){0,1000}%\}")),
    SignRow("attributes", "{", re.compile(r"\{:[^{}\n]*\}|(?<=[\])*_`])\{[ \t]*[.#][^{}\n]*\}")),
    SignRow("attributes", "{", re.compile(r"\{[^{}\n]*\}"), after=("link_close", "image", "link", "embed")),
    SignRow("name", "^", re.compile(r"(?<![^ \t\n])\^(?P<block>[A-Za-z0-9-]+)[ \t]*\Z")),
    SignRow(
        "formula",
        "$",
        re.compile(
            r"\$(?=[^$\n`]*(?:\\[A-Za-z]|[_^=]))(?![^$\n`]*\\[(\[])"
            r"(?P<tex>[ \t]+[^$\n`]+?[ \t]*|(?=[^\s\d])[^$\n`]*\\[A-Za-z][^$\n`]*[ \t]+)\$"
        ),
    ),
    SignRow("embed", "!", re.compile(r"!\[\[(?P<target>[^\[\]\n]+)\]\]")),
    SignRow(
        "image",
        "!",
        re.compile(
            rf"!\[(?P<words>[^\[\]\n]*)\]\(\s*(?P<address>{_SPACED}|[^\s()]+(?=\s+=\d)){_TITLE}(?:\s+=\d*%?x?\d*%?)?\s*\)"
        ),
    ),
    SignRow("link", "[", re.compile(rf"\[(?P<words>[^\[\]\n]*)\]\(\s*(?P<address>{_SPACED}){_TITLE}\s*\)")),
)
"""Signs within lines; the first that matches counts."""


def _sign(rows: Mapping[str, Sequence[SignRow]], state: StateInline, silent: bool) -> bool:
    for row in rows.get(state.src[state.pos], ()):
        match = row.pattern.match(state.src, state.pos, state.posMax)
        if not match or (row.after and not _is_right_after(state, row.after)):
            continue
        if not silent:
            token = state.push("foreign_sign", "", 0)
            token.info, token.meta["foreign"] = row.kind, fields_of(match)
        state.pos = match.end()
        return True
    return False


def _is_right_after(state: StateInline, kinds: Sequence[str]) -> bool:
    last = state.tokens[-1] if state.tokens and not state.pending else None
    return last is not None and (last.type in kinds or last.info in kinds)
