"""The grammar of other tools' Markdown: ours, and rules for the blocks and the signs within lines that it lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any, TypeGuard

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, fence
from markdown_it.rules_block.html_block import html_block
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from paper_notes.document.nodes import Block, Document, Inline, Span
from paper_notes.document.parse import Dialect, Reading, parse, reading_parser
from paper_notes.features.importing.markdown import boxes
from paper_notes.features.importing.markdown.boxes import (
    BOX,
    COMPONENT,
    FENCE,
    VALUE,
    Fields,
    begin_of,
    fields_of,
    is_fence_end,
    leaf,
    outside_code,
    role_of,
    text_of,
)
from paper_notes.features.importing.markdown.dialects import tables
from paper_notes.markdown.syntax.first_signs import SignRuler
from paper_notes.patterns import regex
from paper_notes.values import Struct, field

_CORE = ("normalize", "hide_bars", "block", "math_fences", "alerts", "show_bars", "inline", "task_lists")
"""Core rules of ours that others' texts mean, too: braces have other meanings there."""
MOST_LINES = 200
"""The most lines of a formula: one that does not end may not take the rest of the text."""
_ALTERNATIVES: Any = {"alt": ["paragraph", "reference", "blockquote", "list"]}


class ForeignBlock(Block, frozen=True):
    """A block of another tool; `kind` is the name of its rule."""

    kind: str
    fields: Fields = field(default_factory=dict)
    blocks: tuple[Block, ...] = ()
    opening: Span = Span(-1, -1)
    """What stands before its blocks; of a block without any, the whole."""
    closing: Span = Span(-1, -1)
    dedents: tuple[Span, ...] = ()
    """Blanks before the lines of its blocks that belong to it."""


class Sign(Inline, frozen=True):
    """What only other tools write within lines; `kind` is the name of its row."""

    kind: str
    fields: Fields = field(default_factory=dict)


class ForeignSyntax(Struct, frozen=True):
    """How a block or a sign looks: what it begins with, and all of it, or of a block its first line."""

    kind: str
    first: str
    pattern: str
    end: Callable[[StateBlock, int, int, re.Match[str]], int] | None = None
    """Gives, from the line after the first one, the line after the block; 0 if it is none after all."""
    after: tuple[str, ...] = ()
    """Types of the token that must be right before a sign."""
    optional: bool = False
    """Whether only dialects that name it have it."""


_SyntaxByFirst = Mapping[str, Sequence[tuple[re.Pattern[str], ForeignSyntax]]]
"""Syntax by each character that they may begin with."""


def read_tree(text: str, signs: tuple[str, ...], *, mdx: bool, verbatim: Sequence[range] = ()) -> Document:
    """The tree of a text in a dialect with these signs. Lines `verbatim`, from 0, are blocks that are not read."""
    env = {
        "starts": [0, *accumulate(len(line) + 1 for line in text.split("\n"))],
        "mdx": mdx,
        "verbatim": {lines.start: lines.stop for lines in verbatim},
    }
    return parse(text, grammar(signs, mdx=mdx), env)


@lru_cache(maxsize=16)
def grammar(signs: tuple[str, ...], *, mdx: bool) -> Dialect:
    """The dialect with these signs."""
    known = (*signs, "program", "jsx_comment", "component", "text") if mdx else signs

    def install(md: MarkdownIt) -> None:
        md.validateLink = lambda url: True  # type: ignore[method-assign] # what a page may link to is decided later
        md.options["inline_definitions"] = True
        md.disable("unwrapped")
        lines, signs = _by_first(LINES, known), _by_first(SIGNS, known)
        blocks, inlines = md.block.ruler, md.inline.ruler
        assert isinstance(blocks, SignRuler)
        assert isinstance(inlines, SignRuler)
        blocks.before("comment_block", "verbatim", _verbatim, _ALTERNATIVES)
        for name, first, rule in (
            ("indented_box", "!?=", boxes.indented),
            ("paired_box", "<{:/", boxes.paired),
            ("fenced_box", "`~", boxes.fenced),
            ("line", "".join(lines), partial(_line_block, lines)),
            ("stray", ":", _stray),
            ("html_heading", "<", _html_heading),
            ("cut_fence", "`~", _cut_fence),
        ):
            blocks.before("comment_block", name, rule, _ALTERNATIVES)
            blocks.begins[name] = first
        inlines.after("text", "foreign_sign", partial(_sign, signs))
        inlines.begins["foreign_sign"] = "".join(signs)

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


def _by_first(rows: Sequence[ForeignSyntax], known: Sequence[str]) -> _SyntaxByFirst:
    by_first: dict[str, list[tuple[re.Pattern[str], ForeignSyntax]]] = {}
    for row in rows:
        for first in row.first if not row.optional or row.kind in known else "":
            by_first.setdefault(first, []).append((re.compile(row.pattern), row))
    return by_first


def _verbatim(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    stop = state.env["verbatim"].get(start)
    if stop is None:
        return False
    return silent or leaf(state, "verbatim", start, min(stop, end))


def _line_block(rows: _SyntaxByFirst, state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = begin_of(state, start)
    if at >= state.eMarks[start] or state.is_code_block(start):
        return False
    for pattern, row in rows.get(state.src[at], ()):
        hit = pattern.fullmatch(text_of(state, start).rstrip())
        after = (row.end(state, start, end, hit) if row.end else start + 1) if hit else 0
        if hit and after:
            return silent or leaf(state, row.kind, start, after, fields_of(hit))
    return False


def _last(state: StateBlock, mark: str) -> int:
    """Where a mark stands in the text for the last time, which is looked for once; -1 if nowhere."""
    known: dict[str, int] = state.env.setdefault("last_marks", {})
    if mark not in known:
        known[mark] = state.src.rfind(mark)
    return known[mark]


def _until(state: StateBlock, start: int, end: int, mark: str) -> int:
    """The line after the next one that has a mark; 0 if none has."""
    lines = range(start, end) if _last(state, mark) >= begin_of(state, start) else range(0)
    return next((number + 1 for number in lines if mark in text_of(state, number)), 0)


def _element_end(state: StateBlock, start: int, end: int, hit: re.Match[str]) -> int:
    """An element that a blank line does not end; what follows its end on the same lines is part of the block."""
    after = _until(state, start, min(end, start + 2 * MOST_LINES), f"</{hit['name']}>")
    return _until_blank(state, after - 1, end, hit) if after else 0


def _until_blank(state: StateBlock, start: int, end: int, hit: re.Match[str]) -> int:
    return next((number for number in range(start + 1, end) if state.isEmpty(number)), end)


def _alone(state: StateBlock, start: int, end: int, hit: re.Match[str]) -> int:
    """A line between blank ones, or at an end."""
    return start + 1 if all(n in (-1, end) or state.isEmpty(n) for n in (start - 1, start + 1)) else 0


def _after_blank(state: StateBlock, start: int, end: int, hit: re.Match[str]) -> int:
    is_alone = start == 0 or state.isEmpty(start - 1)
    return _until_blank(state, start, end, hit) if is_alone and state.level == 0 else 0


LABEL = regex(r"\\label\s*\{([^{}]*)\}")
EQUATION_LABEL = regex(r"[ \t]*(?:\{#(?P<braces>[\w:-]+)[^{}]*\}|\((?P<myst>[A-Za-z][\w:.-]*)\))[ \t]*")
"""What names a formula behind its last mark: Quarto has braces."""


def ending_of(mark: str) -> str:
    """The last mark of a formula by its first one."""
    return {"$$": "$$", "\\[": "\\]", "\\\\[": "\\\\]"}.get(mark) or mark.replace("begin", "end", 1)


def _formula_end(state: StateBlock, start: int, end: int, hit: re.Match[str]) -> int:
    mark = ending_of(hit["mark"])
    if mark in hit["rest"]:
        return start + 1 if hit["mark"][1] == "b" or EQUATION_LABEL.fullmatch(hit["rest"].rpartition(mark)[2]) else 0
    for number in range(start + 1, min(end, start + MOST_LINES)):
        line = text_of(state, number)
        if (line and state.sCount[number] < state.blkIndent) or FENCE.match(line) or _HEADING.match(line):
            return 0
        if mark in line:
            return number + 1
    return 0


def _hidden_end(state: StateBlock, start: int, end: int, hit: re.Match[str]) -> int:
    """The end of a comment of Liquid or kramdown."""
    mark = "endcomment" if hit["mark"][1] == "%" else "{:/"
    return start + 1 if mark in hit["rest"] else _until(state, start + 1, end, mark)


def _component_end(state: StateBlock, start: int, end: int, hit: re.Match[str]) -> int:
    """A component without an end of its own, and nothing behind it."""
    tag = COMPONENT.match(state.src, begin_of(state, start), state.eMarks[end - 1])
    if tag is None or not tag["empty"]:
        return 0
    last = next(number for number in range(start, end) if state.eMarks[number] >= tag.end())
    return last + 1 if not state.src[tag.end() : state.eMarks[last]].strip() else 0


def _unclosed_comment(state: StateBlock, start: int, end: int, hit: re.Match[str]) -> int:
    """A comment that nothing ends is one up to the end of its paragraph: nobody meant to publish it."""
    mark = "%%" if hit["mark"] == "%%" else "-->"
    is_closed = _last(state, mark) >= begin_of(state, start) + len(hit["mark"])
    if is_closed and mark == "%%":  # our own rule has not read it: another mark may begin a line, or end within one
        lines = [hit["rest"], *(text_of(state, number) for number in range(start + 1, end))]
        stop = next((number for number in outside_code(lines) if "%%" in lines[number]), None)
        if stop is not None:
            return start + stop + 1 if hit["rest"].count("%%") % 2 == 0 else 0
        is_closed = False
    return 0 if is_closed else _until_blank(state, start, end, hit)


_ENVIRONMENTS = "equation|align|gather|multline|eqnarray|alignat|flalign|displaymath|math"
_LABEL = r"\{{(?:[^{{}}]*\s)?#(?P<block>{}[-:][\w:.-]+)[^{{}}]*\}}"
LINES = (
    ForeignSyntax("nothing", "[{@$", r"\[\[?_?TOC_?\]?\]|\[\[?toc\]?\]|\{:toc\}|@\[toc\].*|\$\{toc\}"),
    ForeignSyntax(
        "nothing",
        "-*+1",
        r"[-*+1.]+[ \t]+(?:TOC|目录|toc)[ \t]*",
        lambda state, start, end, _: (
            start + 2 if start + 1 < end and text_of(state, start + 1).strip() == "{:toc}" else 0
        ),
    ),
    ForeignSyntax("html", "<", r"<svg[\s>].*", lambda state, start, end, _: _until(state, start, end, "</svg>")),
    ForeignSyntax("comment", "{", r"(?P<mark>\{%-?\s*comment\s*-?%\}|\{::comment\})(?P<rest>.*)", _hidden_end),
    ForeignSyntax("attributes", "{", r"\{:[^{}]*\}|\{[ \t]*[.#][^{}]*\}"),
    ForeignSyntax(
        "file", "<", r"(?:<<<[ \t]+|<!--[ \t]*@include:[ \t]*(?=.*-->))(?P<address>(?:(?!-->)[^\s{}\[\]#])+).*"
    ),
    ForeignSyntax("file", "-", r"--8<--[ \t]+[\"'](?P<address>[^\"'\n]+)[\"']"),
    ForeignSyntax("abbreviation", "*", r"\*\[(?P<short>[^\[\]]+)\]:[ \t]*(?P<long>.*)"),
    ForeignSyntax(
        "program",
        "ie",
        r"import\s.+from\s+['\"].*|import\s+['\"].*['\"];?|export\s+(?:const|default|function|let|var)\b.*",
        _after_blank,
        optional=True,
    ),
    ForeignSyntax("comment", "%<", r"(?P<mark>%%(?!%)|<!--)(?P<rest>.*)", _unclosed_comment),
    ForeignSyntax(
        "formula",
        "$\\",
        rf"(?P<mark>\$\$|\\{{1,2}}\[(?=\s*$)|\\begin\{{(?:{_ENVIRONMENTS})\*?\}})(?P<rest>.*)",
        _formula_end,
    ),
    ForeignSyntax("component", "<", r"<[A-Z].*", _component_end),
    ForeignSyntax("html", "<", r"<(?P<name>table|figure|dl|ul|ol)(?:\s[^<>]*)?>.*", _element_end),
    ForeignSyntax("nothing", "<", r"</?[A-Za-z][\w-]*(?:\s[^<>]*\bmarkdown\b[^<>]*)>"),
    ForeignSyntax(
        "shortcode",
        "{",
        rf"\{{\{{[<%][ \t]*(?P<name>{'|'.join(tables().shortcodes)})"
        r"(?P<arguments>\s(?:(?!\}\}).)*?)?/?[ \t]*[>%]\}\}",
    ),
    ForeignSyntax("liquid", "{", r"\{%-?[ \t]*(?P<name>include|include_relative)\s(?P<arguments>(?:(?!%\}).)*?)-?%\}"),
    ForeignSyntax(
        "nothing",
        "{",
        r"\{\{[<%][ \t]*/(?:(?!\}\}).)*[>%]\}\}|\{%-?\s*(?:end)?(?:toc|raw|comment|assign)\b(?:(?!%\}).)*%\}",
    ),
    ForeignSyntax("nothing", "\\", r"\\(?:newpage|pagebreak|clearpage|tableofcontents)[ \t]*"),
    ForeignSyntax("name", "^", r"\^(?P<block>[A-Za-z0-9-]+)"),
    ForeignSyntax("target", "(", r"\((?P<label>[^()\s][^()\n]*)\)="),
    ForeignSyntax("percent", "%+", r"%(?!%)(?P<rest>.*)|\+\+\+(?:[ \t].*)?", optional=True),
    ForeignSyntax(
        "captioned",
        "!",
        rf"!\[(?P<caption>.*)\]\((?P<source>[^()\s]+)(?:\s[^()]*)?\){_LABEL.format('fig')}",
        _alone,
    ),
    ForeignSyntax(
        "caption", ":T", r"(?:Table)?:[ \t]+(?P<caption>.*?)[ \t]*\{(?:[^{}]*\s)?#(?P<block>tbl[-:][\w:.-]+)[^{}]*\}"
    ),
)
"""Blocks that are one line, or begin with one."""


def is_open(block: Block) -> TypeGuard[ForeignBlock]:
    """Whether what is in a block is of the text around it: components that nobody knows have no look here."""
    if not isinstance(block, ForeignBlock) or block.fields.get("form") != "tag":
        return False
    known, name = tables(), block.fields["name"].lower()
    return name == "div" or not (name in known.callouts or name in known.unwrapped)


def kind_of(block: ForeignBlock) -> str:
    """What a block of another tool is here: a component, a kind of callout, or what a directive is."""
    known, name = tables(), block.fields.get("kind") or block.fields.get("ad", "")
    if block.kind in ("captioned", "formula"):
        return {"captioned": "figure", "formula": "equation"}[block.kind]
    role = role_of(name)
    if role == "formula":
        return "equation"
    return known.callouts.get(name, "" if name in known.unwrapped else name) if role in ("", BOX) else role


_HEADING = regex(r"#{2,6}[ \t]+\S")
_OF_MARKDOWN = frozenset({"", "markdown", "md", "mdx", "text", "txt"})
"""Languages of code in which there may be fences and headings."""
DRAWN = frozenset({"mermaid", "vega", "vega-lite", "math"})
"""Languages of code that is shown as a picture or a formula."""


def _cut_fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A block of code without an end, or with that of another one: no heading of the text may become code."""
    opening = None if state.is_code_block(start) else FENCE.match(text_of(state, start))
    stop, heading = _fence_stop(state, start, end, opening) if opening else (0, 0)
    if not (stop or heading):
        return False
    fence(state, start, stop or heading, silent)
    if stop and not silent:
        state.line = stop + 1
        state.tokens[-1].map = [start, stop + 1]
    return True


def _fence_stop(state: StateBlock, start: int, end: int, opening: re.Match[str]) -> tuple[int, int]:
    """The line that must be meant as the end of a fence, or a heading before any; 0 and 0 if it ends as it should."""
    mark, language = opening["mark"], opening["language"].lower()
    for number in range(start + 1, end):
        line = text_of(state, number)
        is_end = is_fence_end(line, mark)
        is_regular = is_end and is_fence_end(line, mark, strict=True) and not state.is_code_block(number)
        if is_regular or (line and state.sCount[number] < state.blkIndent):
            break
        is_apart = language in DRAWN or number == start + 1 or state.isEmpty(number - 1)
        if is_end or (is_apart and _HEADING.match(line)):
            is_stray = not language and number == state.skipEmptyLines(start + 1)  # itself the end of a block
            ends, other = _next_end(state, number, end, mark)
            is_meant = language in DRAWN or not ends or (other > number and (is_stray or language not in _OF_MARKDOWN))
            return ((number, 0) if is_end else (0, number)) if is_meant else (0, 0)
    return 0, 0


def _next_end(state: StateBlock, start: int, end: int, mark: str) -> tuple[int, int]:
    """The next line that ends a fence, 0 if none does, and the last one before it that begins another fence.

    It is looked for once for all fences that are before it.
    """
    known: dict[object, tuple[range, int, int]] = state.env.setdefault("fence_ends", {})
    key = (mark, end, state.blkIndent)
    lines, ends, other = known.get(key, (range(0), 0, 0))
    if start not in lines:
        ends = other = 0
        for number in range(start + 1, end):
            line = text_of(state, number)
            is_outside = bool(line) and state.sCount[number] < state.blkIndent
            if is_outside or (is_fence_end(line, mark, strict=True) and not state.is_code_block(number)):
                ends, end = (0 if is_outside else number), number
                break
            other = number if FENCE.match(line) else other
        known[key] = range(start, end), ends, other
    return ends, other


HTML_HEADING = regex(r"<h([1-6])\b[^>]*>(.*)</h\1>\s*", re.IGNORECASE)


def _html_heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A heading of HTML as a block of its own, and other HTML up to it."""
    if state.src[begin_of(state, start) : begin_of(state, start) + 1] != "<" or state.is_code_block(start):
        return False
    if not HTML_HEADING.fullmatch(text_of(state, start)):
        lines = range(start + 1, min(end, start + MOST_LINES))
        stops = (number for number in lines if state.isEmpty(number) or HTML_HEADING.fullmatch(text_of(state, number)))
        stop = next(stops, end)
        return stop < end and not state.isEmpty(stop) and html_block(state, start, stop, silent)
    if not silent:
        token = state.push("html_block", "", 0)
        token.content, token.map, state.line = text_of(state, start), [start, start + 1], start + 1
    return True


def _stray(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Three colons that begin and end nothing."""
    if not text_of(state, start).startswith(":::") or state.is_code_block(start):
        return False
    return silent or leaf(state, "stray", start, start + 1)


# Signs within lines


_SPACED = r"[^()\n\"<>]*?[^()\s\"<>] [^()\n\"<>]*?\.(?:png|jpe?g|gif|svg|webp|avif|md)(?:#[^()\n\"]*)?"
_TITLE = r"""(?:\s+(?:"(?P<title>[^"\n]*)"|'(?P<quoted>[^'\n]*)'))?"""
_LABELLED = "|".join(tables().labels)
SIGNS = (
    ForeignSyntax("comment", "%", r"(?s:(?<![\d%])%%(?P<words>(?:(?!%%).)+)%%)"),
    ForeignSyntax("jsx_comment", "{", r"(?s:\{/\*(?P<words>(?:(?!\*/\}).){0,2000})\*/\})", optional=True),
    ForeignSyntax("component", "<", rf"</?[A-Z][\w.]*(?:\s(?:[^<>{{}}\"'|]|{VALUE})*)?/?>", optional=True),
    ForeignSyntax("text", "{", r"\{([\"'`])(?P<words>[^\"'`{}\n]*)\1\}", optional=True),
    ForeignSyntax("comment", "{", r"\{\{/\*(?P<words>(?:(?!\*/\}\})[^\n]){0,1000})\*/\}\}"),
    ForeignSyntax("comment", "{", r"(?s:\{%-?\s*comment\s*-?%\}(?P<words>.{0,2000}?)\{%-?\s*endcomment\s*-?%\})"),
    ForeignSyntax("change", "{", r"\{~~(?P<words>[^\n]{1,500}?)~>(?P<new>[^\n]{1,500}?)~~\}"),
    ForeignSyntax("comment", "{", r"\{>>(?P<words>[^\n]{1,500}?)<<\}"),
    ForeignSyntax("ins", "{", r"\{\+\+(?P<words>[^\n]{1,500}?)\+\+\}"),
    ForeignSyntax("del", "{", r"\{--(?P<words>[^\n]{1,500}?)--\}"),
    ForeignSyntax("mark", "{", r"\{==(?P<words>[^\n]{1,500}?)==\}"),
    ForeignSyntax("ins", "^", r"\^\^(?P<words>(?=\S)[^\^\n]+(?<!\s))\^\^"),
    ForeignSyntax("script", "~", r"(?<=[\w)])~(?P<sub>[\w+-]{1,20})~(?!~)", optional=True),
    ForeignSyntax("script", "^", r"(?<=[\w)])\^(?P<sup>[\w+-]{1,20})\^(?!\^)", optional=True),
    ForeignSyntax(
        "keys",
        "+",
        r"(?<![\w+])\+\+(?P<keys>(?:[a-z0-9-]+|\"[^\"\n]+\")(?:\+(?:[a-z0-9-]+|\"[^\"\n]+\"))*)\+\+(?!\w)",
        optional=True,
    ),
    ForeignSyntax(
        "icon",
        ":[",
        r"(?<![\w:])(?P<open>\[)?:(?P<icon>(?:material|octicons|fontawesome|simple|fas|fab)-[\w-]+):"
        r"(?(open)\]\[[^\[\]\n]*\]) ?",
    ),
    ForeignSyntax(
        "shortcode", "{", r"\{\{[<%]\s*/?\s*(?P<name>[\w-]*)(?P<arguments>(?:(?!\}\})[^\n]){0,1000}?)/?\s*[%>]\}\}"
    ),
    ForeignSyntax("macro", "{", r"\{\{(?P<macro>[a-z][\w-]*)[ \t]*(?P<rest>(?:(?!\}\})[^\n])*)\}\}", optional=True),
    ForeignSyntax("variable", "{", r"\{\{(?![<%{])(?P<words>(?:(?!\}\})[^\n`]){1,200})\}\}"),
    ForeignSyntax("task", "[", r"\A\[(?P<state>[/<>?!*-])\](?= )", optional=True),
    ForeignSyntax("role", "{", r"(?s:\{(?P<role>[\w:.+-]+)\}(?P<ticks>`+)(?!`)(?P<words>.+?)(?<!`)(?P=ticks)(?!`))"),
    ForeignSyntax("crossref", "@", rf"(?<![\w@/])@(?P<label>(?:{_LABELLED})[-:][\w:.-]*\w)"),
    ForeignSyntax("cited", "@", r"(?<![\w@/.])@(?P<key>\w[\w:.+/-]*(?<!\W))", optional=True),
    ForeignSyntax("liquid", "{", r"\{%-?\s*(?:end)?(?P<name>\w*)(?:(?!%\})[^\n]){0,1000}%\}"),
    ForeignSyntax("span", "[", r"\[(?P<words>[^\[\]\n]+)\]\{[^{}\n]*=[^{}\n]*\}"),
    ForeignSyntax("attributes", "{", r"\{:[^{}\n]*\}|(?<=[\])*_`])\{[ \t]*[.#][^{}\n]*\}"),
    ForeignSyntax("attributes", "{", r"\{[^{}\n]*\}", after=("link_close", "image", "link", "embed", "icon")),
    ForeignSyntax("name", "^", r"(?<![^ \t\n])\^(?P<block>[A-Za-z0-9-]+)[ \t]*\Z"),
    ForeignSyntax(
        "formula",
        "$",
        r"\$(?=[^$\n`]*(?:\\[A-Za-z]|[_^=]))(?![^$\n`]*\\[(\[])"
        r"(?P<tex>[ \t]+[^$\n`]+?[ \t]*|(?=[^\s\d])[^$\n`]*\\[A-Za-z][^$\n`]*[ \t]+)\$",
    ),
    ForeignSyntax("embed", "!", r"!\[\[(?P<target>[^\[\]\n]+)\]\]"),
    ForeignSyntax(
        "image",
        "!",
        rf"!\[(?P<words>[^\[\]\n]*)\]\(\s*(?P<address>{_SPACED}|[^\s()]+(?=\s+=\d)){_TITLE}(?:\s+=\d*%?x?\d*%?)?\s*\)",
    ),
    ForeignSyntax("link", "[", rf"\[(?P<words>[^\[\]\n]*)\]\(\s*(?P<address>{_SPACED}){_TITLE}\s*\)"),
)
"""Signs within lines; the first that matches counts."""


def _sign(rows: _SyntaxByFirst, state: StateInline, silent: bool) -> bool:
    for pattern, row in rows.get(state.src[state.pos], ()):
        match = pattern.match(state.src, state.pos, state.posMax)
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
