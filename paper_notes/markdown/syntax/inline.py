"""Our additions inside a line: formulas, `[text]{.term}`, `[[#15]]`, `[@key]`, and links that write themselves."""

from __future__ import annotations

import re
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from paper_notes.identifiers import ARXIV, arxiv_url
from paper_notes.markdown.context import context_of
from paper_notes.markdown.sanitise import WRITTEN_CLASSES
from paper_notes.markdown.syntax.citations import citation
from paper_notes.markdown.syntax.cjk import CjkState
from paper_notes.markdown.syntax.lost import report_lost
from paper_notes.markdown.syntax.plain_references import plain_references
from paper_notes.typography import typographic

_DISPLAY = re.compile(r"\$\$((?:\\.|[^$\\]|\$(?!\$))++)\$\$", re.DOTALL)
_FORMULA = re.compile(r"\$(?!\s)((?:\\.|[^$\\`])++)(?<![\s，。、；：！？])\$(?!\d)", re.DOTALL)
_MARKS = re.compile(r"\{([^{}\n]*)\}")
_NOTE = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")
_BARE = re.compile(
    r"(?P<url>https?://[!-~]+)"
    rf"|(?<![\w./])(?P<arxiv>[aA]r[xX]iv:\s?{ARXIV})(?!\d)"
    r"|(?<![\w./])(?:doi:\s?)?(?P<doi>10\.\d{4,9}/[!-~]+)"
)
_TRAILING = ".,;:!?'\"*_~<>]"


def install(md: MarkdownIt) -> None:
    """Add all of them to a parser that has a BodyInline."""
    md.inline.ruler.before("escape", "formula", _formula)
    md.inline.ruler.before("link", "note_reference", _note_reference)
    md.inline.ruler.before("link", "citation", citation)
    md.inline.ruler.after("link", "span", _span)
    md.core.ruler.at("inline", _inline)
    md.core.ruler.after("inline", "bare_links", _bare_links)


class _State(CjkState):
    """Inline parsing where every token knows its place (`Context.locate_token`)."""

    origin = 0
    """Where this text stands in the text of its block: image texts and footnotes are parsed on their own."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = (context_of(self.env).place, self.origin + self.pos)
        return token


MAX_LOOKAHEAD = 1_000_000
"""Steps that the parser may look ahead in one text, to find where brackets are closed: some seconds of them."""


class TooTangled(Exception):
    """Brackets within brackets: to find out what they mean would take too long."""


class BodyInline(ParserInline):
    """The inline parser with emphasis beside ideographs, places, and an end to looking ahead."""

    def skipToken(self, state: StateInline) -> None:  # noqa: N802 -- the library's name
        context = context_of(state.env)
        context.lookahead += 1
        if context.lookahead > MAX_LOOKAHEAD:
            raise TooTangled
        super().skipToken(state)

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        outer = env.get("inline")
        if isinstance(outer, _State):
            state.origin = outer.origin + max(outer.src.find(src, outer.pos), 0)
        env["inline"] = state
        try:
            self.tokenize(state)
        finally:
            env["inline"] = outer
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def _inline(state: StateCore) -> None:
    """The library's rule, telling the Context which block it is in, and what was lost in it."""
    context = context_of(state.env)
    for block in state.tokens:
        if block.type == "inline":
            context.enter(block)
            block.children = []
            try:
                state.md.inline.parse(block.content, state.md, state.env, block.children)
            except TooTangled:
                hint = "close them, or write \\[ where a bracket is only a bracket"
                message = "too many brackets within brackets: it would take too long to tell what they mean"
                context.report(context.at(*context.place.at(0)), "too-tangled", message, hint)
                return
            if not (block.meta.get("title") and block.content.startswith("@")):  # a paper card
                report_lost(context, block.children)
            plain_references(context, block.children)


def _formula(state: StateInline, silent: bool) -> bool:
    """`$x$`, `$$x$$`. Money is none: no space just inside the dollars, no digit just outside; code binds tighter."""
    start = state.pos
    if state.src[start] != "$" or (start and state.src[start - 1].isdigit()):
        return False
    display = _DISPLAY.match(state.src, start, state.posMax)
    found = display or _FORMULA.match(state.src, start, state.posMax)
    if not found:
        return False
    if not silent:
        token = state.push("math_inline_double" if display else "math_inline", "math", 0)
        token.content, token.markup = found[1], "$$" if display else "$"
    state.pos = found.end()
    return True


def _span(state: StateInline, silent: bool) -> bool:
    """`[text]{.term}`: a mark on words."""
    start, end = state.pos, state.posMax
    if state.src[start] != "[":
        return False
    label_end = state.md.helpers.parseLinkLabel(state, start, False)
    marks = _MARKS.match(state.src, label_end + 1, end) if label_end >= 0 else None
    names = marks[1].split() if marks else []
    if not marks or not names or not all(name[0] in ".#" or "=" in name for name in names):
        return False
    if not silent:
        for name in names:
            _check_mark(state, name, state.src.find(name, marks.start()))
        token = state.push("span_open", "span", 1)
        if classes := [name[1:] for name in names if name[0] == "." and name[1:] in WRITTEN_CLASSES]:
            token.attrSet("class", " ".join(classes))
        state.pos, state.posMax = start + 1, label_end
        state.md.inline.tokenize(state)
        state.push("span_close", "span", -1)
    state.pos, state.posMax = marks.end(), end
    return True


def _check_mark(state: StateInline, name: str, offset: int) -> None:
    context = context_of(state.env)
    where = context.at(*context.place.at(getattr(state, "origin", 0) + offset))
    if name[0] != ".":
        context.report(where, "unknown-option", f'unknown option "{name}"', "marked words take only names: {.term}")
    elif name[1:] not in WRITTEN_CLASSES:
        message = f'there is no mark "{name[1:]}"'
        context.report(where, "unknown-class", message, context.suggestions.did_you_mean(name[1:], WRITTEN_CLASSES))


def _note_reference(state: StateInline, silent: bool) -> bool:
    found = _NOTE.match(state.src, state.pos, state.posMax)
    if not found or state.linkLevel > 0:
        return False
    if not silent:
        token = state.push("slot", "", 0)
        context = context_of(state.env)
        where = context.locate_token(token)
        token.content = context.slot("note", found[1].strip(), typographic((found[2] or "").strip()), where)
        token.meta["shown"] = (context.slots[-1],)
    state.pos = found.end()
    return True


def _bare_links(state: StateCore) -> None:
    """URLs, DOIs and `arXiv:2510.26475` in running text become links. Full-width punctuation ends a URL."""
    for block in state.tokens:
        if block.type == "inline" and block.children:
            if not _BARE.search(block.content):
                continue
            depth = 0
            children: list[Token] = []
            for token in block.children:
                depth += token.nesting if token.type in ("link_open", "link_close") else 0
                children += [token] if token.type != "text" or depth else _with_links(token)
            block.children = children


def _with_links(token: Token) -> list[Token]:
    parts: list[Token] = []
    done = 0
    for found in _BARE.finditer(token.content):
        label = _trimmed(found[0])
        if found["arxiv"]:
            href = arxiv_url(found["id"])
        elif found["doi"]:
            href = f"https://doi.org/{_trimmed(found['doi'])}"
        else:
            href = label
        opening = Token("link_open", "a", 1, attrs={"href": href}, info="auto")
        parts += [_text(token.content[done : found.start()]), opening, _text(label)]
        parts.append(Token("link_close", "a", -1, info="auto"))
        done = found.start() + len(label)
    return [*parts, _text(token.content[done:])] if parts else [token]


def _trimmed(url: str) -> str:
    """Without the punctuation that ends a sentence, and without closing brackets that were not opened inside."""
    unopened = url.count(")") - url.count("(")
    url = url.rstrip(_TRAILING)
    while unopened > 0 and url.endswith(")"):
        url, unopened = url[:-1].rstrip(_TRAILING), unopened - 1
    return url


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
