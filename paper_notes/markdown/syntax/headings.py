"""What stands in braces at the end of a heading: `{#id}`, its own number `{n=2.5}`, no number `{-}`."""

from __future__ import annotations

import re
from itertools import pairwise

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.markdown.context import context_of

_OPTIONS = re.compile(r"\{:?[ \t]*((?:#|n=|-(?=[\s}])|\.unnumbered\b)[^{}]*)\}$")
"""Also as kramdown and Pandoc write it: `{: #id}`, `{.unnumbered}`."""
_ID = re.compile(r"[A-Za-z][\w-]*")
_NUMBER = re.compile(r"\w{1,6}(?:[.-]\w{1,6}){0,3}")
_NONE = frozenset({"-", ".unnumbered"})


def heading_options(state: StateCore) -> None:
    """Move the options of headings to the token's meta: `id`, and `number`, which is empty for none."""
    for opening, inline in pairwise(state.tokens):
        if opening.type == "heading_open" and (found := _OPTIONS.search(inline.content.rstrip())):
            inline.content = inline.content[: found.start()].rstrip()
            _read(state, opening, inline, found)


def _read(state: StateCore, opening: Token, inline: Token, found: re.Match[str]) -> None:
    context, line = context_of(state.env), (inline.map or [0, 1])[1] - 1
    options = found[1].split()
    others = [option for option in options if option[0] != "#" and option[:2] != "n=" and option not in _NONE]
    for option in options:
        if option.startswith("#"):
            written = found[1][1:] if others else option[1:]
            if not others and _ID.fullmatch(written):
                opening.meta["id"] = written
            else:
                hint = "start with a letter, then letters, digits, - and _"
                context.report(context.locate(line, "{"), "bad-id", f'"{written}" cannot be an id', hint)
        elif option in _NONE:
            opening.meta["number"] = ""
        elif option.startswith("n=") and _NUMBER.fullmatch(option[2:]):
            opening.meta["number"] = option[2:]
        elif option.startswith("n=") or not found[1].startswith("#"):
            hint = "a heading takes {#id}, its own number {n=2.5}, or none {-}"
            context.report(context.locate(line, option), "unknown-option", f'unknown option "{option}"', hint)
