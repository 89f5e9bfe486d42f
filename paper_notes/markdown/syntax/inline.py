"""Our inline syntax: formulas, `[text]{.term}`, `==words==`, `[[#15]]`, `[@key]`, and links from bare addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, image
from markdown_it.token import Token
from markdown_it.utils import EnvType

from paper_notes.corpus.references import split_section
from paper_notes.identifiers import ARXIV, DOI_START, arxiv_url
from paper_notes.markdown.context import Context, context_of, push_link
from paper_notes.markdown.math.convert import NUMBER
from paper_notes.markdown.sanitise import WRITTEN_CLASSES
from paper_notes.markdown.syntax.cjk import CjkState
from paper_notes.markdown.syntax.declared import read_option
from paper_notes.markdown.syntax.first_signs import INLINES, SignRuler, asking_inlines
from paper_notes.markdown.syntax.references import NO_ADDRESS, citation, plain_references, resolve_citation
from paper_notes.markdown.syntax.suspicious_syntax import report_lost
from paper_notes.patterns import regex
from paper_notes.typography import typographic
from paper_notes.values import replace

HIGHLIGHT = regex(r"==(?![\s=])((?:\\.|[^=\n\\`]|=(?!=)|`[^`\n]*`)+?)(?<![\s=])==(?![=A-Za-z0-9_])")
SHOWN_WIDTH = regex(r"\|\s*([1-9]\d{1,3})\s*$")
"""How an alternative text ends that says how wide its picture is, in pixels, as in Obsidian: `![loss|300](a.png)`."""
_BEFORE = regex(r"[A-Za-z0-9_=!<>)\]]")
"""Before these it is a sign of programs, as in `a ==b`; Chinese may touch it."""


def highlight(state: StateInline, silent: bool) -> bool:
    """The inline rule."""
    start, end = state.pos, state.posMax
    if state.src[start] != "=" or _BEFORE.match(state.src[start - 1 : start]):
        return False
    match = HIGHLIGHT.match(state.src, start, end)
    if not match:
        return False
    if not silent:
        state.push("mark_open", "mark", 1)
        state.pos, state.posMax = start + 2, match.end() - 2
        state.md.inline.tokenize(state)
        state.push("mark_close", "mark", -1)
    state.pos, state.posMax = match.end(), end
    return True


def sized_image(state: StateInline, silent: bool) -> bool:
    """The inline rule for pictures: what is said of the width is no word for those who cannot see them."""
    if not image(state, silent):
        return False
    if not silent and (children := state.tokens[-1].children) and children[-1].type == "text":
        picture, last = state.tokens[-1], children[-1]
        if match := SHOWN_WIDTH.search(last.content):
            last.content = last.content[: match.start()]
            picture.children = children if last.content else children[:-1]
            picture.content = SHOWN_WIDTH.sub("", picture.content).rstrip()
            picture.attrs["width"] = int(match[1])
    return True


_DISPLAY = regex(r"\$\$((?:\\.|[^$\\]|\$(?!\$))++)\$\$", re.DOTALL)
FORMULA = regex(r"\$(?!\s)((?:\\.|[^$\\`])++)(?<![\s，。、；：！？])\$", re.DOTALL)
SURELY_TEX = regex(r"\\[A-Za-z]|[_^]")
"""What no sum of money has."""
_MARKS = regex(r"\{([^{}\n]*)\}")
_NAMES = regex(r"(?:[^\s\"“]|[\"“][^\"”]*[\"”])+")
"""The names and options between the braces; a value in quotes may have spaces."""
_NOTE = regex(rf"\[\[(?!\s*\d+\s*[\]|])([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]{NO_ADDRESS}")
"""A number without `#` is of a list of references, as in `[[1]]`, or of an array. `[[Code]](https://...)` is a link."""
_BARE = regex(
    r"(?P<url>https?://[!-~]+)"
    rf"|(?<![\w./])(?P<arxiv>[aA]r[xX]iv:\s?{ARXIV})(?!\d)"
    rf"|(?<![\w./])(?:doi:\s?)?(?P<doi>{DOI_START}[!-~]+)"
)
_TRAILING = ".,;:!?'\"*_~<>]"


def install(md: MarkdownIt) -> None:
    """Add our inline rules to a parser that has a BodyInline."""
    md.inline.ruler.before("escape", "formula", _formula)
    md.inline.ruler.before("link", "note_reference", _note_reference)
    md.inline.ruler.before("link", "citation", citation)
    md.inline.ruler.after("link", "span", _span)
    md.core.ruler.at("inline", _inline)
    md.core.ruler.after("inline", "bare_links", _link_bare)


class InlineState(CjkState):
    """Inline parsing that records the place of every token, for `Context.locate_token`."""

    origin = 0
    """Offset of this text in the text of its block: image texts and footnotes are parsed on their own."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = (context_of(self.env).place, self.origin + self.pos)
        return token


MAX_LOOKAHEAD = 1_000_000
"""The most steps of looking ahead in one text, to find where brackets are closed: some seconds."""


class TooTangled(Exception):
    """Brackets within brackets that would take too long to parse."""


class BodyInline(ParserInline):
    """The inline parser with emphasis beside ideographs, places, and a limit on looking ahead. Raises TooTangled."""

    state_class = InlineState

    def __init__(self) -> None:
        super().__init__()
        self.ruler = SignRuler(self.ruler, INLINES, asking_inlines)

    def skipToken(self, state: StateInline) -> None:  # noqa: N802 -- the library's name
        context = context_of(state.env)
        context.lookahead += 1
        if context.lookahead > MAX_LOOKAHEAD:
            raise TooTangled
        super().skipToken(state)

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = self.state_class(src, md, env, tokens)
        outer = env.get("inline")
        if isinstance(outer, InlineState):
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
    """The library's rule, which also sets the Context's block, and reports syntax that was not recognised."""
    context = context_of(state.env)
    for place, block in enumerate(state.tokens):
        if block.type == "inline":
            context.enter(block)
            block.children = []
            try:
                state.md.inline.parse(block.content, state.md, state.env, block.children)
            except TooTangled:
                hint = "close them, or write \\[ where a bracket is only a bracket"
                message = "too many brackets within brackets: it would take too long to parse them"
                context.report(context.at(*context.place.at(0)), "too-tangled", message, hint)
                return
            footnotes = state.env.get("footnotes", {}).get("list", {})
            block.children = _resolved(context, block.children, footnotes)
            _embed(context, state.tokens, place)
            if not (block.meta.get("title") and block.content.startswith("@")):  # a paper card
                block.children = report_lost(context, block.children)
            plain_references(context, block.children)


def _formula(state: StateInline, silent: bool) -> bool:
    r"""`$x$`, `$$x$$`. Not money: no space just inside the dollars, no digit just outside; code binds tighter.

    A digit may be there if TeX stands inside: `13.2$\mu s$`, `10$^{-3}$`. One with a number has its own line.
    """
    start = state.pos
    if state.src[start] != "$":
        return False
    display = _DISPLAY.match(state.src, start, state.posMax)
    match = display or FORMULA.match(state.src, start, state.posMax)
    if not match:
        return False
    beside = state.src[max(start - 1, 0) : start] + state.src[match.end() : match.end() + (not display)]
    if any(map(str.isdigit, beside)) and not SURELY_TEX.search(match[1]):
        return False
    if not silent:
        numbered = display or NUMBER.search(match[1])
        token = state.push("math_inline_double" if numbered else "math_inline", "math", 0)
        token.content, token.markup = match[1], "$$" if display else "$"
    state.pos = match.end()
    return True


def _span(state: StateInline, silent: bool) -> bool:
    """`[text]{.term}`: a mark on words."""
    start, end = state.pos, state.posMax
    if state.src[start] != "[":
        return False
    label_end = state.md.helpers.parseLinkLabel(state, start, False)
    marks = _MARKS.match(state.src, label_end + 1, end) if label_end >= 0 else None
    names = _NAMES.findall(marks[1]) if marks else []
    if not marks or not names or not all(name[0] in ".#" or "=" in name for name in names):
        return False
    if not silent:
        token = state.push("span_open", "span", 1)
        token.meta["names"] = names
        for name in names:
            _check_mark(state, token, name, state.src.find(name, marks.start()))
        if classes := [name[1:] for name in names if name[0] == "." and name[1:] in WRITTEN_CLASSES]:
            token.attrSet("class", " ".join(classes))
        state.pos, state.posMax = start + 1, label_end
        state.md.inline.tokenize(state)
        state.push("span_close", "span", -1)
    state.pos, state.posMax = marks.end(), end
    return True


def _check_mark(state: StateInline, token: Token, name: str, offset: int) -> None:
    context = context_of(state.env)
    where = context.at(*context.place.at(getattr(state, "origin", 0) + offset))
    if name.startswith("from="):
        if origin := read_option(context, name, where):
            token.meta |= {"from": origin, "from_at": where}
        return
    if name[0] != ".":
        context.report(where, "unknown-option", f'unknown option "{name}"', "marked words take only names: {.term}")
    elif name[1:] not in WRITTEN_CLASSES:
        message = f'there is no mark "{name[1:]}"'
        context.report(where, "unknown-class", message, context.suggestions.did_you_mean(name[1:], WRITTEN_CLASSES))


def _note_reference(state: StateInline, silent: bool) -> bool:
    match = _NOTE.match(state.src, state.pos, state.posMax)
    if not match or state.linkLevel > 0:
        return False
    target, text = match[1].strip(), (match[2] or "").strip()
    if not silent and target.startswith(("§", "#^")):
        _in_this_note(state, target, text)
    elif not silent:
        state.push("note_reference", "", 0).meta |= {"target": target, "text": text}
    state.pos = match.end()
    return True


def _resolved(context: Context, tokens: Sequence[Token], footnotes: Mapping[int, Any]) -> list[Token]:
    """The inline tokens for a page: references are slots, comments are gone. `footnotes` as the plugin keeps them."""
    for token in tokens:
        if token.type == "note_reference":
            slot = context.slot(
                "note", token.meta["target"], typographic(token.meta["text"]), context.locate_token(token)
            )
            token.type, token.content, token.meta["shown"] = "slot", slot, (context.slots[-1],)
        elif token.type == "citation":
            resolve_citation(context, token)
        elif token.type == "image":
            token.children = _resolved(context, token.children or (), footnotes)
        elif token.type == "footnote_ref" and "tokens" in (footnote := footnotes[token.meta["id"]]):
            footnote["tokens"] = _resolved(context, footnote["tokens"], footnotes)
    return [token for token in tokens if token.type != "comment"]


def _embed(context: Context, tokens: Sequence[Token], place: int) -> None:
    """Show what `![[#4#method]]` names, where it is a paragraph of its own; elsewhere it is a link."""
    block = tokens[place]
    if [token.type for token in block.children or ()] != ["text", "slot"] or tokens[place - 1].type != "paragraph_open":
        return
    mark, slot = (block.children or [])[:2]
    shown = slot.meta.get("shown", ())
    if mark.content != "!" or len(shown) != 1 or shown[0].kind != "note":
        return
    block.children = [slot]
    if not split_section(shown[0].target)[1]:
        hint = "name what to show: ![[#4#method]] for a section, ![[#4#^name]] for a block; without ! it is a link"
        context.report(shown[0].location, "lost-syntax", "a whole note is not shown in another", hint, "warning")
        return
    number = context.slots.index(shown[0])
    context.slots[number] = replace(shown[0], embedded=True)
    tokens[place - 1].hidden = tokens[place + 1].hidden = True


def _in_this_note(state: StateInline, section: str, text: str) -> None:
    """`[[§3.2]]`, `[[#^name]]`: a link to the section of this note that has the number, or to a block."""
    href = section if section[0] == "#" else f"#§{section.removeprefix('§').strip()}"
    opening, _ = push_link(state, href, text or section.removeprefix("#^"))
    opening.meta |= {"target": section, "text": text}


def _link_bare(state: StateCore) -> None:
    """URLs, DOIs and `arXiv:2510.26475` in running text become links. Full-width punctuation ends a URL."""
    for block in state.tokens:
        if block.type == "inline" and block.children:
            if not _may_link(block.content) or not _BARE.search(block.content):
                continue
            depth = 0
            children: list[Token] = []
            for token in block.children:
                depth += token.nesting if token.type in ("link_open", "link_close") else 0
                children += [token] if token.type != "text" or depth else _with_links(token)
            block.children = children


def _with_links(token: Token) -> list[Token]:
    parts: list[Token] = []
    for start, end, href in bare_links(token.content):
        words = Token("text", "", 0, content=token.content[start:end])
        link = (
            Token("link_open", "a", 1, attrs={"href": href}, info="auto"),
            words,
            Token("link_close", "a", -1, info="auto"),
        )
        parts += link if href else [words]
    return parts if any(part.type == "link_open" for part in parts) else [token]


def bare_links(words: str) -> Iterator[tuple[int, int, str]]:
    """The pieces of running words, each with its address if it is a bare link."""
    done = 0
    for match in _BARE.finditer(words) if _may_link(words) else ():
        label = _trimmed(match[0])
        if match["arxiv"]:
            href = arxiv_url(match["id"])
        elif match["doi"]:
            href = f"https://doi.org/{_trimmed(match['doi'])}"
        else:
            href = label
        yield done, match.start(), ""
        done = match.start() + len(label)
        yield match.start(), done, href
    yield done, len(words), ""


def _may_link(words: str) -> bool:
    """Each bare link has one of these signs, and most words have none."""
    return ":" in words or "/" in words


def _trimmed(url: str) -> str:
    """The URL without punctuation that ends a sentence, and without closing brackets that it does not open."""
    unopened = url.count(")") - url.count("(")
    url = url.rstrip(_TRAILING)
    while unopened > 0 and url.endswith(")"):
        url, unopened = url[:-1].rstrip(_TRAILING), unopened - 1
    return url
