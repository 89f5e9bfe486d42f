"""Alerts in block quotations, `> [!NOTE]`, as our components: GitHub's five kinds, Obsidian's, and any other word."""

from __future__ import annotations

import re
from collections.abc import Mapping

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.markdown.context import Context, closing, context_of
from paper_notes.patterns import regex

CALLOUTS = {"NOTE": "note", "TIP": "tip", "IMPORTANT": "important", "WARNING": "warning", "CAUTION": "caution"}
"""GitHub's kinds, and our components for them."""
_KINDS: Mapping[str, str] = {
    **{name.lower(): component for name, component in CALLOUTS.items()},
    **dict.fromkeys(("intuition", "caveat"), ""),
    "hint": "tip",
    "attention": "warning",
    "danger": "caution",
    "error": "caution",
    "info": "note",
    **dict.fromkeys(("quote", "cite"), "quote"),
}
"""Kinds that are a component of ours, with its title; an empty name is the component of the same name."""
_TITLES: Mapping[str, str] = {
    **dict.fromkeys(("abstract", "summary", "tldr"), "abstract"),
    "todo": "todo",
    **dict.fromkeys(("success", "check", "done"), "success"),
    **dict.fromkeys(("question", "help", "faq"), "question"),
    **dict.fromkeys(("failure", "fail", "missing"), "failure"),
    "bug": "bug",
    "example": "example",
    **dict.fromkeys(("seealso", "see-also"), "seealso"),
}
"""Kinds that are a neutral box, with the word for its title."""
SIGN_OF = {
    kind: sign
    for sign, component in CALLOUTS.items()
    for kind in (component, *(kind for kind, name in _KINDS.items() if name == component))
}
"""GitHub's kind for those of our components and of the kinds of others that mean the same."""
_HEAD = regex(r"\[!([^\W\d_][^\]\[\n|]{0,40})(?:\|[^\]\n]*)?\]([+-]?)(?![(\[])[ \t]*([^\n]*)(?:\n|$)")
_SIGN = regex(r"([^\w\s]|_)")


def alerts(state: StateCore) -> None:
    """Turn each block quotation that starts with `[!NOTE]` into a component; a title may follow on the same line.

    `[!NOTE]-` is folded, `[!NOTE]+` can be.
    """
    tokens = state.tokens
    output: list[Token] = []
    ends: dict[int, str] = {}
    place = 0
    while place < len(tokens):
        token = tokens[place]
        head = _HEAD.match(tokens[place + 2].content) if _is_quote(tokens, place) else None
        if head:
            name, title = _component(context_of(state.env), tokens[place + 2], head)
            start = (token.map or [0])[0]
            opening = Token("component_open", "", 1, map=token.map, info=name)
            opening.meta = {"id": "", "colour": "", "line": start, "open": head[2] == "+", "alert": head}
            output.append(opening)
            ends[closing(tokens, place)] = name
            place += 1 + _take_head(tokens, place + 1, head, title, output)
            continue
        if place in ends:
            token = Token("component_close", "", -1, info=ends[place])
        output.append(token)
        place += 1
    state.tokens = output


def _is_quote(tokens: list[Token], place: int) -> bool:
    if tokens[place].type != "blockquote_open":
        return False
    types = [token.type for token in tokens[place : place + 3]]
    return types == ["blockquote_open", "paragraph_open", "inline"]


def _component(context: Context, inline: Token, head: re.Match[str]) -> tuple[str, str]:
    """The component for an alert, and its title as Markdown; empty if the component has it by itself."""
    written = head[1].strip()
    kind, title = written.lower(), head[3].strip()
    component = (_KINDS[kind] or kind) if kind in _KINDS else "card"
    if title or (kind in _KINDS and not head[2]):
        return "details" if head[2] else component, title
    if kind in _KINDS and component != "quote":
        title = context.language(f"component.{component}")
    elif kind in _TITLES:
        title = context.language(f"alert.{_TITLES[kind]}")
    else:
        title = written[:1].upper() + written[1:]
        _check(context, inline, written)
    return "details" if head[2] else component, _SIGN.sub(r"\\\1", title)


def _check(context: Context, inline: Token, written: str) -> None:
    """Report a kind that is unknown and most likely mistyped."""
    if hint := context.suggestions.closest(written, (*_KINDS, *_TITLES)):
        where = context.locate((inline.map or [0])[0], f"[!{written}")
        message = f'there is no alert "{written}": it is shown as a neutral box'
        context.report(where, "unknown-component", message, f'did you mean "{hint}"?', "warning")


def _take_head(tokens: list[Token], place: int, head: re.Match[str], title: str, blocks: list[Token]) -> int:
    """Remove the first line of the paragraph at `place`. Gives the number of tokens to skip."""
    inline = tokens[place + 1]
    start, end = inline.map or (0, 1)
    if title:
        words = Token("inline", "", 0, content=title, map=[start, start + 1], children=[])
        words.meta = {"title": True}
        blocks.append(words)
    inline.content = inline.content[head.end() :]
    inline.map = [min(start + 1, end - 1), end]
    return 0 if inline.content.strip() else 3
