"""Typographic signs in the text of a note: not in code, formulas, addresses and the text's own HTML."""

from __future__ import annotations

import re

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.typography import KEPT, OBJECT, may_change, typeset

_LITERAL = re.compile(r"<(/?)(?:code|kbd|samp|pre|var|tt)\b", re.IGNORECASE)
"""HTML elements whose text stays as it is."""


def typographer(state: StateCore) -> None:
    r"""Replace the signs of each block. `\"` stays as it is."""
    for block in state.tokens:
        if block.type == "inline" and block.children and may_change(block.content):
            _typeset(block.children)


def _typeset(tokens: list[Token]) -> None:
    texts: list[Token] = []
    starts: list[int] = []
    shown: list[str] = []
    length = literal = 0
    for token in tokens:
        if token.info == "auto":  # a link made from a bare address
            literal += token.nesting
        elif token.type == "html_inline" and (tag := _LITERAL.match(token.content)):
            literal = max(literal - 1, 0) if tag[1] else literal + 1  # an end without a start is not ours to count
        elif token.type == "image" and token.children:
            _typeset(token.children)
        if token.type == "text" and not literal:
            texts.append(token)
            starts.append(length)
            shown.append(token.content)
        else:
            shown.append(_placeholder(token))
        length += len(shown[-1])
    for token, content in zip(texts, typeset([token.content for token in texts], "".join(shown), starts), strict=True):
        token.content = content


def _placeholder(token: Token) -> str:
    """What replaces a token that stays as it is in the text for the rules: a line break, a placeholder, or nothing."""
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "text_special":
        return KEPT * len(token.content)
    return OBJECT if token.content and token.type != "html_inline" else ""
