"""GitHub's alerts, `> [!NOTE]`, as our callouts."""

from __future__ import annotations

import re

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.markdown.context import context_of

CALLOUTS = {"NOTE": "note", "TIP": "tip", "IMPORTANT": "important", "WARNING": "warning", "CAUTION": "caution"}
_HEAD = re.compile(r"\[!([A-Za-z]+)\](?![(\[])[ \t]*([^\n]*)(?:\n|$)")


def alerts(state: StateCore) -> None:
    """Turn each block quotation that starts with `[!NOTE]` into a component; a title may follow on the same line."""
    tokens = state.tokens
    made: list[Token] = []
    ends: dict[int, str] = {}
    place = 0
    while place < len(tokens):
        token = tokens[place]
        head = _HEAD.match(tokens[place + 2].content) if _is_quote(tokens, place) else None
        if head:
            name = _name(state, tokens[place + 2], head[1])
            start = (token.map or [0])[0]
            opening = Token("component_open", "", 1, map=token.map, info=name, block=True)
            opening.meta = {"id": "", "line": start}
            made.append(opening)
            ends[_closing(tokens, place)] = name
            place += 1 + _take_head(tokens, place + 1, head, made)
            continue
        if place in ends:
            token = Token("component_close", "", -1, info=ends[place], block=True)
        made.append(token)
        place += 1
    state.tokens = made


def _is_quote(tokens: list[Token], place: int) -> bool:
    if tokens[place].type != "blockquote_open":
        return False
    types = [token.type for token in tokens[place : place + 3]]
    return types == ["blockquote_open", "paragraph_open", "inline"]


def _closing(tokens: list[Token], place: int) -> int:
    level = tokens[place].level
    return next(
        p for p in range(place, len(tokens)) if tokens[p].type == "blockquote_close" and tokens[p].level == level
    )


def _name(state: StateCore, inline: Token, written: str) -> str:
    name = CALLOUTS.get(written.upper(), "")
    if not name:
        context = context_of(state.env)
        where = context.locate((inline.map or [0])[0], f"[!{written}]")
        message = f'there is no alert "{written}"'
        context.report(where, "unknown-component", message, context.suggestions.did_you_mean(written.upper(), CALLOUTS))
    return name or "note"


def _take_head(tokens: list[Token], place: int, head: re.Match[str], made: list[Token]) -> int:
    """Remove the first line of the paragraph at `place`. Gives the number of tokens to skip."""
    inline = tokens[place + 1]
    start, end = inline.map or (0, 1)
    if head[2].strip():
        title = Token("inline", "", 0, content=head[2].strip(), map=[start, start + 1], children=[])
        title.meta = {"title": True}
        made.append(title)
    inline.content = inline.content[head.end() :]
    inline.map = [min(start + 1, end - 1), end]
    return 0 if inline.content.strip() else 3
