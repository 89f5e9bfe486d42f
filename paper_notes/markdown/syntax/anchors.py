"""Names to link to: of headings, `{#id}` and numbers; of blocks, ` ^name` as in Obsidian, `{: #name }` as in kramdown.

Also drops `[TOC]`: pages have a table of contents of their own.
"""

from __future__ import annotations

import re
from itertools import pairwise

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.diagnostics import Location
from paper_notes.markdown.context import Context, context_of
from paper_notes.patterns import regex

_OPTIONS = regex(r"\{:?[ \t]*((?:#|n=|-(?=[\s}])|\.unnumbered\b)[^{}]*)\}$")
"""Also as kramdown and Pandoc write it: `{: #id}`, `{.unnumbered}`."""
_ID = regex(r"[A-Za-z][\w-]*")
_NUMBER = regex(r"\w{1,6}(?:[.-]\w{1,6}){0,3}")
_NONE = frozenset({"-", ".unnumbered"})


def heading_options(state: StateCore) -> None:
    """Move the options of headings to the token's meta: `id`, and `number`, which is empty for none."""
    for opening, inline in pairwise(state.tokens):
        if opening.type == "heading_open" and (match := _OPTIONS.search(inline.content.rstrip())):
            inline.content = inline.content[: match.start()].rstrip()
            _read(state, opening, inline, match)


def _read(state: StateCore, opening: Token, inline: Token, match: re.Match[str]) -> None:
    context, line = context_of(state.env), (inline.map or [0, 1])[1] - 1
    options = match[1].split()
    others = [option for option in options if option[0] != "#" and option[:2] != "n=" and option not in _NONE]
    for option in options:
        if option.startswith("#"):
            written = match[1][1:] if others else option[1:]
            if not others and _ID.fullmatch(written):
                opening.meta["id"] = written
            else:
                hint = "start with a letter, then letters, digits, - and _"
                context.report(context.locate(line, "{"), "bad-id", f'"{written}" cannot be an id', hint)
        elif option in _NONE:
            opening.meta["number"] = ""
        elif option.startswith("n=") and _NUMBER.fullmatch(option[2:]):
            opening.meta["number"] = option[2:]
        elif option.startswith("n=") or not match[1].startswith("#"):
            hint = "a heading takes {#id}, its own number {n=2.5}, or none {-}"
            context.report(context.locate(line, option), "unknown-option", f'unknown option "{option}"', hint)


_NAME = regex(r"(?:^|(?<=\s))\^((?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9-]+|\d{6})$")
"""With a letter, and two characters or more: `x ^2` is an exponent. Those that Obsidian makes may be six digits."""
_ATTRIBUTES = regex(
    r"(?<![ \t])[ \t]*\{:[ \t]*((?:[#.][\w:-]+|[\w-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s}\"']+))"
    r"(?:[ \t]+(?:[#.][\w:-]+|[\w-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s}\"']+)))*)[ \t]*\}"
)
_NAMED = ("paragraph_open", "dt_open")
_TOC = regex(r"\[TOC\]|\[\[_?TOC_?\]\]|\{:toc\}|\$\{toc\}", re.IGNORECASE)


def block_names(state: StateCore) -> None:
    """Take the names of blocks out of their text, to the `names` in the meta of their words."""
    if "^" in state.src or "{:" in state.src:
        context = context_of(state.env)
        for before, token in pairwise(state.tokens):
            if token.type == "inline" and before.type in _NAMED and (names := _names(context, token)):
                token.meta["names"] = names


def is_contents(inline: Token) -> bool:
    """Whether the words of a paragraph stand for a table of contents."""
    return bool(_TOC.fullmatch(inline.content.strip()))


def anchors(state: StateCore) -> None:
    """Give blocks the ids of their names."""
    context, tokens = context_of(state.env), state.tokens
    if not any(sign in state.src for sign in ("^", "{:", "[")):
        return
    kept: list[Token] = []
    for place, token in enumerate(tokens):
        kept.append(token)
        if token.type != "inline" or tokens[place - 1].type not in _NAMED:
            continue
        if is_contents(token):
            kept[-2:] = []
            tokens[place + 1].meta["dropped"] = True
            context.counters["unshown"] += 1
        elif (names := token.meta.get("names", [])) or not token.content:
            _give(context, names, tokens, place, kept)
    state.tokens = [token for token in kept if "dropped" not in token.meta]


def _names(context: Context, inline: Token) -> list[tuple[str, Location]]:
    """The names that a paragraph has, which are taken out of it; attributes have no other effect."""
    first, names = (inline.map or [0])[0], list[tuple[str, Location]]()
    lines = inline.content.split("\n")
    for number, line in enumerate(lines):
        parts = list(_ATTRIBUTES.finditer(line)) if "{:" in line else []
        parts = [part for part in parts if line.count("`", 0, part.start()) % 2 == 0]  # not in code
        for part in reversed(parts):
            lines[number] = lines[number][: part.start()] + lines[number][part.end() :]
        context.counters["unshown"] += len(parts)
        given = (name[1:] for part in parts for name in part[1].split() if name.startswith("#"))
        names += [(name, context.locate(first + number, "{:")) for name in given]
    if name := _NAME.search(lines[-1]):
        lines[-1] = lines[-1][: name.start()].rstrip()
        names.append((name[1], context.locate(first + len(lines) - 1, f"^{name[1]}")))
    inline.content = "\n".join(lines).rstrip()
    return names


def _give(
    context: Context, names: list[tuple[str, Location]], tokens: list[Token], place: int, kept: list[Token]
) -> None:
    """Give a paragraph, or the item that it is the text of, the id; an empty one names what is above."""
    ids = "".join(f"<span{context.block_id(name, where)}></span>" for name, where in names)
    if names:
        tokens[place].meta["name"] = names[0][0]
    if tokens[place].content or tokens[place - 1].type != "paragraph_open":
        tokens[place].meta["anchor"] = ids
        return
    kept[-2:] = []
    tokens[place + 1].meta["dropped"] = True
    above = _above(kept)
    first = next((token for token in above if token.type == "inline" and not token.meta.get("title")), None)
    if first:
        first.meta["anchor"] = ids + first.meta.get("anchor", "")
    elif ids:
        anchor = Token("slot", "span", 0, content=ids, level=tokens[place].level - 1)
        kept.insert(len(kept) - len(above), anchor)


def _above(tokens: list[Token]) -> list[Token]:
    """The tokens of the last block, unless it is a heading, whose words are also those of a table of contents."""
    end = len(tokens) - 1
    while end >= 0 and "dropped" in tokens[end].meta:
        end -= 1
    start = end
    if end >= 0 and tokens[end].nesting < 0:
        start = next(
            at for at in range(end, -1, -1) if tokens[at].nesting > 0 and tokens[at].level == tokens[end].level
        )
    is_block = start >= 0 and tokens[end].nesting <= 0 and tokens[start].type != "heading_open"
    return tokens[start:] if is_block else []
