"""`{from=...}`: where a number of a note comes from, if no search in the paper can find it; readers see it, too.

It follows words in brackets, or ends a block: a paragraph, a heading (its section), the opening of a component, the
first cell of a row (the row), a cell of the head (the column), the first cell of the head (the table).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.diagnostics import Location
from paper_notes.markdown.arithmetic import NoArithmetic, is_rounded, value_of
from paper_notes.markdown.context import Context, context_of

OriginKind = Literal["own", "derived", "figure", "other"]
_VALUE = r"from=(?:[\"“]([^\"“”{}\n]*)[\"”]|([^\s{}\"“”]+))"
OPTION = re.compile(_VALUE)
_AT_END = re.compile(rf"(?<![\]])[ \t]*\{{{_VALUE}\}}$")
_FIGURE = re.compile(r"(?:figures?|figs?\.?|图)\s*-?\s*([A-Z]?\.?\d[\w.]*)?(?:\s*\(?[a-z]\)?)?", re.IGNORECASE)
_NUMBER = re.compile(r"[-−+]?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)\s*([%％]?)([KkMBGT千万亿]?)")
_HINT = 'write from=own, from=figure, from="1/(1-0.86)", from="@key, Table 2" or from=https://...'


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a number is said to come from."""

    kind: OriginKind
    value: str
    """The arithmetic, the number of the figure (may be empty), a citation `@key, Table 2`, or an address."""


def origin_of(written: str) -> Origin | None:
    """The meaning of what stands behind `from=`; None if it has none."""
    written = written.strip()
    if written == "own":
        return Origin("own", "")
    if written.startswith(("@", "http://", "https://")):
        return Origin("other", written)
    if found := _FIGURE.fullmatch(written):
        return Origin("figure", found[1] or "")
    try:
        value_of(written.partition("=")[0])
    except NoArithmetic:
        return None
    return Origin("derived", written)


def declared(state: StateCore) -> None:
    """Move `{from=...}` from the end of blocks to the tokens of what it is about."""
    if "from=" not in state.src:
        return
    scopes = dict(_scopes(state.tokens))
    context = context_of(state.env)
    for place, token in enumerate(state.tokens):
        if token.type == "inline" and (found := _AT_END.search(token.content.rstrip())):
            line = (token.map or [0, 1])[0] + token.content.count("\n")
            where = context.locate(min(line, len(context.lines) - 1), found[0].strip())
            token.content = token.content[: found.start()].rstrip()
            if origin := _read(context, found, where):
                state.tokens[scopes[place]].meta["from"] = token.meta["from"] = origin
                token.meta["from_at"] = where
                if origin.kind == "derived":
                    _check(context, origin, token.content, where)


def _scopes(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """For the place of each inline token, that of the opening token of what a mark at its end is about."""
    table = row = head = -1
    for place, token in enumerate(tokens):
        before = tokens[place - 1]
        if token.type == "table_open":
            table, head = place, -1
        elif token.type == "tr_open":
            row = place
        elif token.type == "inline":
            if before.type == "th_open":
                yield place, table if head < 0 else place - 1
                head = place
            elif before.type == "td_open":
                yield place, row if tokens[place - 2].type == "tr_open" else place - 1
            else:
                yield place, place - 1


def read_option(context: Context, option: str, where: Location) -> Origin | None:
    """The origin in an option `from=...` of words in brackets; what is wrong with it is reported."""
    found = OPTION.fullmatch(option)
    return _read(context, found, where) if found else None


def declared_option(context: Context, options: str, line: int) -> tuple[dict[str, Any], str]:
    """The entries for the token of a component whose options have a `from=`, and the options without it."""
    found = OPTION.search(options)
    if not found:
        return {}, options
    where = context.locate(line, found[0])
    origin = _read(context, found, where)
    rest = options[: found.start()] + options[found.end() :]
    return ({"from": origin, "from_at": where} if origin else {}), rest


def _read(context: Context, found: re.Match[str], where: Location) -> Origin | None:
    written = found[1] or found[2] or ""
    origin = origin_of(written)
    if origin is None:
        context.report(where, "unknown-option", f'"{written}" is not where a number can come from', _HINT)
    return origin


def declared_marks(state: StateCore) -> None:
    """Show the marks: at the end of words and blocks, and as a line of its own for sections and untitled components."""
    if "from=" not in state.src:
        return
    context, made = context_of(state.env), list[Token]()
    for place, token in enumerate(state.tokens):
        made.append(token)
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
                made += _line(origin, context, token, token.meta["from_at"])
        elif token.type == "heading_close" and (origin := state.tokens[place - 1].meta.get("from")):
            made += _line(origin, context, token, state.tokens[place - 1].meta["from_at"])
    state.tokens = made


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
                _check(context, origin, words, opening.meta["from_at"])
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


def _check(context: Context, origin: Origin, words: str, where: Location) -> None:
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
