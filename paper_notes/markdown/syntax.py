"""Our additions to Markdown: `:::name` containers, `[[#15]]`, `[@key]`, heading ids, links that write themselves."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from paper_notes.diagnostics import did_you_mean
from paper_notes.markdown.components import COMPONENTS
from paper_notes.markdown.context import Context, context_of

_OPEN = re.compile(r":{3,}[ \t]*([A-Za-z][\w-]*)[ \t]*(.*?)[ \t]*$")
_CLOSE = re.compile(r":{3,}[ \t]*$")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_OPTIONS = re.compile(r"(?:^|\s+)\{([^{}]*)\}$")
_HEADING_ID = re.compile(r"[ \t]*\{#([^{}\s]*)\}[ \t]*$")
_ID = re.compile(r"[A-Za-z][\w-]*")
_NOTE = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")
_CITE = re.compile(r"\[(@[^\[\]\n]+)\]")
_CITED = re.compile(r"@([\w:.+/-]*\w)(?:\s*,\s*(.*))?")
_BARE = re.compile(
    r"(?P<url>https?://[!-~]+)"
    r"|(?<![\w./])(?P<arxiv>[aA]r[xX]iv:\s?(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?)"
    r"|(?<![\w./])(?:doi:\s?)?(?P<doi>10\.\d{4,9}/[!-~]+)"
)
_TRAILING = re.compile(r"[.,;:!?'\"*_~<>]+$")


def install(md: MarkdownIt) -> None:
    """Add all of them to a parser."""
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("fence", "component", _component, alternatives)
    md.inline.ruler.before("link", "note_reference", _note_reference)
    md.inline.ruler.before("link", "citation", _citation)
    md.core.ruler.before("inline", "heading_id", _heading_ids)
    md.core.ruler.at("inline", _inline)
    md.core.ruler.after("inline", "bare_links", _bare_links)


def _component(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`:::name title {#id}` ... `:::`. Containers nest; each `:::name` has its own `:::`."""
    if state.is_code_block(start):
        return False
    line = _line(state, start)
    opened = _OPEN.fullmatch(line)
    if not opened:
        return _stray_end(state, start, line, silent)
    if silent:
        return True
    context = context_of(state.env)
    last, closed = _matching_end(state, start, end)
    name, title = opened[1], opened[2]
    where = context.locate(start, name)
    if name not in COMPONENTS:
        context.report(where, "unknown-component", f'there is no component "{name}"', did_you_mean(name, COMPONENTS))
    if not closed:
        context.report(where, "unclosed-component", f'":::{name}" is never closed', "end it with a line of `:::`")
    block_id = ""
    if options := _OPTIONS.search(title):
        title = title[: options.start()]
        block_id = _id_option(context, start, options[1])
    token = state.push("component_open", "", 1)
    token.block, token.map, token.info = True, [start, last], name
    token.meta = {"id": block_id, "line": start}
    if title:
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = title, [start, start + 1], []
        inline.meta = {"title": True}
    old_line_max, old_parent = state.lineMax, state.parentType
    state.lineMax, state.parentType = last, "component"
    state.md.block.tokenize(state, start + 1, last)
    state.lineMax, state.parentType = old_line_max, old_parent
    token = state.push("component_close", "", -1)
    token.block, token.info = True, name
    state.line = last + (1 if closed else 0)
    return True


def _stray_end(state: StateBlock, start: int, line: str, silent: bool) -> bool:
    if not _CLOSE.fullmatch(line):
        return False
    if not silent:
        context = context_of(state.env)
        hint = "remove it, or open a component above it with `:::name`"
        context.report(context.locate(start, ":::"), "stray-component-end", "this `:::` closes nothing", hint)
        state.line = start + 1
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _matching_end(state: StateBlock, start: int, end: int) -> tuple[int, bool]:
    """The line of the `:::` that closes the container, and whether there is one."""
    depth = 1
    fence = ""
    for number in range(start + 1, end):
        if state.sCount[number] < state.blkIndent and not state.isEmpty(number):
            return number, False
        line = _line(state, number)
        marker = _FENCE.match(line)
        if fence:
            if marker and line.strip() == line[0] * len(line.strip()) and line.startswith(fence):
                fence = ""
        elif marker:
            fence = marker[1]
        elif _OPEN.fullmatch(line):
            depth += 1
        elif _CLOSE.fullmatch(line):
            depth -= 1
            if depth == 0:
                return number, True
    return end, False


def _id_option(context: Context, line: int, options: str) -> str:
    block_id = ""
    for option in options.split():
        if option.startswith("#") and _ID.fullmatch(option[1:]):
            block_id = option[1:]
        else:
            hint = "a component takes an id: {#my-id}"
            context.report(context.locate(line, option), "unknown-option", f'unknown option "{option}"', hint)
    return block_id


def _heading_ids(state: StateCore) -> None:
    """Takes `{#id}` off the end of headings and keeps it in the token's meta."""
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type != "heading_open" or not (found := _HEADING_ID.search(inline.content)):
            continue
        inline.content = inline.content[: found.start()]
        if _ID.fullmatch(found[1]):
            opening.meta["id"] = found[1]
        else:
            context = context_of(state.env)
            hint = "start with a letter, then letters, digits, - and _"
            context.report(context.locate_in(opening, "{#"), "bad-id", f'"{found[1]}" cannot be an id', hint)


def _inline(state: StateCore) -> None:
    """The library's rule, telling the Context which block it is in, so that inline rules can say where they are."""
    context = context_of(state.env)
    for token in state.tokens:
        if token.type == "inline":
            context.block_line = token.map[0] if token.map else context.block_line
            if token.children is None:
                token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _note_reference(state: StateInline, silent: bool) -> bool:
    found = _NOTE.match(state.src, state.pos)
    if not found or state.linkLevel > 0:
        return False
    if not silent:
        context = context_of(state.env)
        line = context.block_line + state.src.count("\n", 0, state.pos)
        token = state.push("slot", "", 0)
        token.content = context.slot("note", found[1].strip(), (found[2] or "").strip(), context.locate(line, found[0]))
    state.pos = found.end()
    return True


def _citation(state: StateInline, silent: bool) -> bool:
    found = _CITE.match(state.src, state.pos)
    if not found or state.linkLevel > 0:
        return False
    parts = [_CITED.fullmatch(part.strip()) for part in found[1].split(";")]
    if not all(parts):
        return False
    if not silent:
        context = context_of(state.env)
        line = context.block_line + state.src.count("\n", 0, state.pos)
        where = context.locate(line, found[0])
        markers = [context.slot("cite", part[1], (part[2] or "").strip(), where) for part in parts if part]
        token = state.push("slot", "", 0)
        token.content = f'<span class="cites">[{"; ".join(markers)}]</span>'
    state.pos = found.end()
    return True


def _bare_links(state: StateCore) -> None:
    """URLs, DOIs and `arXiv:2510.26475` in running text become links. Chinese punctuation ends a URL."""
    for block in state.tokens:
        if block.type == "inline" and block.children:
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
            href = f"https://arxiv.org/abs/{found['id']}"
        elif found["doi"]:
            href = f"https://doi.org/{_trimmed(found['doi'])}"
        else:
            href = label
        opening = Token("link_open", "a", 1, attrs={"href": href})
        parts += [_text(token.content[done : found.start()]), opening, _text(label), Token("link_close", "a", -1)]
        done = found.start() + len(label)
    return [*parts, _text(token.content[done:])] if parts else [token]


def _trimmed(url: str) -> str:
    """Without the punctuation that ends a sentence, and without closing brackets that were not opened inside."""
    while True:
        shorter = _TRAILING.sub("", url)
        if shorter.endswith(")") and shorter.count(")") > shorter.count("("):
            shorter = shorter[:-1]
        shorter = shorter.removesuffix("]")
        if shorter == url:
            return url
        url = shorter


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
