"""`{from=...}`: where a number of a note comes from, if no search in the paper can find it; readers see it, too.

It follows words in brackets, or ends a block: a paragraph, a heading (its section), the opening of a component, the
first cell of a row (the row), a cell of the head (the column), the first cell of the head (the table).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.diagnostics import Location
from paper_notes.markdown.context import Context, context_of
from paper_notes.patterns import regex
from paper_notes.values import Struct

OriginKind = Literal["own", "derived", "figure", "cell", "other"]
_VALUE = r"from=(?:[\"“]([^\"“”{}\n]*)[\"”]|([^\s{}\"“”]+))"
OPTION = regex(_VALUE)
_AT_END = regex(rf"(?<![\]])[ \t]*\{{{_VALUE}\}}$")
_FIGURE = regex(r"(?:figures?|figs?\.?|图)\s*-?\s*([A-Z]?\.?\d[\w.]*)?(?:\s*\(?[a-z]\)?)?", re.IGNORECASE)
_CELL = regex(
    r"(?:@[^\s,]+,?\s+)?(?:[TF][\w.]+\s?\[(?:[^\]]+|[^']*'[^']*'[^\]']*)\]|S(?:[\w.]+|\[[^\]]+\])\s?['‘].+['’])"
)
"""`T1[row, column]`, `F7[point]`, `S4.2 'words'`; one label in quotes may have a bracket."""
_DIGIT = regex(r"\d")
HINT = (
    'write from=own, from=figure, from="1/(1-0.86)", from="T1[row, column]", from="@key, Table 2" or from=https://...'
)


class Origin(Struct, frozen=True):
    """Where a number is said to come from."""

    kind: OriginKind
    value: str
    """The arithmetic, the number of the figure (may be empty), a cell, sentence or reading such as `T1[row, column]`,
    `S4.2 'words'`, `F7[point]`, a citation `@key, Table 2`, or an address."""


def origin_of(written: str) -> Origin | None:
    """The meaning of what stands behind `from=`; None if it has none."""
    written = written.strip()
    if written == "own":
        return Origin("own", "")
    if _CELL.fullmatch(written):
        return Origin("cell", written)
    if written.startswith(("@", "http://", "https://")):
        return Origin("other", written)
    if match := _FIGURE.fullmatch(written):
        return Origin("figure", match[1] or "")
    return Origin("derived", written) if _DIGIT.search(written) else None


def declared(state: StateCore) -> None:
    """Move `{from=...}` from the end of blocks to the tokens of what it is about."""
    if "from=" not in state.src:
        return
    scopes = dict(_scopes(state.tokens))
    context = context_of(state.env)
    for place, token in enumerate(state.tokens):
        if token.type == "inline" and (match := _AT_END.search(token.content.rstrip())):
            line = (token.map or [0, 1])[0] + token.content.count("\n")
            where = context.locate(min(line, len(context.lines) - 1), match[0].strip())
            token.content = token.content[: match.start()].rstrip()
            if origin := _read(context, match, where):
                state.tokens[scopes[place]].meta["from"] = token.meta["from"] = origin
                token.meta["from_at"] = where


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
    match = OPTION.fullmatch(option)
    return _read(context, match, where) if match else None


def declared_option(context: Context, options: str, line: int) -> tuple[dict[str, Any], str]:
    """The entries for the token of a component whose options have a `from=`, and the options without it."""
    match = OPTION.search(options)
    if not match:
        return {}, options
    where = context.locate(line, match[0])
    origin = _read(context, match, where)
    rest = options[: match.start()] + options[match.end() :]
    return ({"from": origin, "from_at": where} if origin else {}), rest


def _read(context: Context, match: re.Match[str], where: Location) -> Origin | None:
    written = match[1] or match[2] or ""
    origin = origin_of(written)
    if origin is None:
        context.report(where, "unknown-option", f'"{written}" is not where a number can come from', HINT)
    return origin
