"""Shows where numbers are said to come from, `{from=...}`, and checks the arithmetic among it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.diagnostics import Location
from paper_notes.features.verify.arithmetic import NoArithmetic, is_rounded, value_of
from paper_notes.markdown.context import Context, context_of
from paper_notes.markdown.syntax.declared import HINT, Origin

_NUMBER = re.compile(r"[-−+]?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)\s*([%％]?)([KkMBGT千万亿]?)")


def install(md: MarkdownIt) -> None:
    """Add these rules to the parser of what becomes a page."""
    md.core.ruler.after("table_marks", "declared_marks", declared_marks)


def declared_marks(state: StateCore) -> None:
    """Show the marks: at the end of words and blocks, and as a line of its own for sections and untitled components."""
    if "from=" not in state.src:
        return
    context, shown = context_of(state.env), list[Token]()
    for token in state.tokens:
        _check_arithmetic(context, [token, *(token.children or ())])
    for place, token in enumerate(state.tokens):
        shown.append(token)
        if token.type == "inline":
            token.children = list(_with_marks(token.children or [], context))
            origin = token.meta.get("from")
            if origin and state.tokens[place - 1].type != "heading_open":
                token.children += _mark(origin, context, token.meta["from_at"])
        elif token.type == "component_open" and (origin := token.meta.get("from")):
            titled = state.tokens[place + 1]
            if titled.meta.get("title"):
                titled.meta |= {"from": origin, "from_at": token.meta["from_at"]}
            else:
                shown += _line(origin, context, token, token.meta["from_at"])
        elif token.type == "heading_close" and (origin := state.tokens[place - 1].meta.get("from")):
            shown += _line(origin, context, token, state.tokens[place - 1].meta["from_at"])
    state.tokens = shown


def _with_marks(children: Sequence[Token], context: Context) -> Iterator[Token]:
    """The tokens of a block, with a mark after each words in brackets that say where they come from."""
    opened: list[Token] = []
    words = ""
    for token in children:
        if token.type == "span_open":
            opened.append(token)
            words = "" if "from" in token.meta else words
        elif token.type in ("text", "math_inline", "text_special"):
            words += token.content
        if token.type == "span_close" and opened and (origin := (opening := opened.pop()).meta.get("from")):
            if origin.kind == "derived":
                _compare(context, origin, words, opening.meta["from_at"])
            yield from _mark(origin, context, opening.meta["from_at"])
        yield token


def _mark(origin: Origin, context: Context, where: Location) -> list[Token]:
    """A small mark that says what the origin is; another source is named and linked."""
    if origin.kind == "other" and origin.value.startswith("@"):
        key, _, place = origin.value[1:].partition(",")
        slot = context.slot("cite", key.strip(), place.strip(), where)
        shown = context.slots[-1]
        return [
            Token("slot", "", 0, content=f' <span class="cites">[{slot}]</span>', meta={"shown": (" [", shown, "]")})
        ]
    if origin.kind == "other":
        return [
            Token("text", "", 0, content=" ["),
            Token("link_open", "a", 1, attrs={"href": origin.value}, info="auto"),
            Token("text", "", 0, content=urlsplit(origin.value).hostname or origin.value),
            Token("link_close", "a", -1, info="auto"),
            Token("text", "", 0, content="]"),
        ]
    return [Token("slot", "", 0, content=context.keep(_html(origin, context)), meta={"shown": ()})]


def _html(origin: Origin, context: Context) -> str:
    title = context.word(f"origin.{origin.kind}-title", value=origin.value)
    title = title if origin.value or origin.kind == "own" else context.word("origin.figure-title-plain")
    classes = ("origin", "sum") if origin.kind == "derived" else ("origin",)  # arithmetic is for paper, too
    return f'<small class="{" ".join(classes)}" title="{title}">{context.word(f"origin.{origin.kind}")}</small>'


def _line(origin: Origin, context: Context, heading: Token, where: Location) -> list[Token]:
    """A line below a heading, since headings are repeated in the table of contents."""
    inline = Token("inline", "", 0, children=_mark(origin, context, where), level=heading.level + 1, map=heading.map)
    opening = Token(
        "paragraph_open", "p", 1, attrs={"class": "origin"}, level=heading.level, block=True, map=heading.map
    )
    return [opening, inline, Token("paragraph_close", "p", -1, level=heading.level, block=True)]


def _compare(context: Context, origin: Origin, words: str, where: Location) -> None:
    """Report arithmetic whose result is not the number that it stands at, or not the one behind its own `=`."""
    expression, _, claimed = origin.value.partition("=")
    value = value_of(expression)
    for text in (claimed, words):
        numbers = list(_NUMBER.finditer(text.replace("{,}", ",")))
        if text and not any(is_rounded(value, n[1], percent=bool(n[2]), scale=n[3]) for n in numbers):
            shown = numbers[-1][0].strip() if numbers else text.strip()[:40]
            message = f'{expression.strip()} is {value:.6g}, not "{shown}"'
            context.report(where, "wrong-arithmetic", message, "correct the number, or what it is computed from")
            return


def _check_arithmetic(context: Context, tokens: Sequence[Token]) -> None:
    """Report arithmetic that is none, and what stands at the end of a block if it is wrong. The former gets no mark."""
    for token in tokens:
        origin, where = token.meta.get("from"), token.meta.get("from_at")
        if not origin or origin.kind != "derived":
            continue
        try:
            value_of(origin.value.partition("=")[0])
        except NoArithmetic:
            del token.meta["from"]
            if where:
                message = f'"{origin.value}" is not where a number can come from'
                context.report(where, "unknown-option", message, HINT)
        else:
            if token.type == "inline" and where:
                _compare(context, origin, token.content, where)
