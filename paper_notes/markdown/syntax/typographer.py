"""Typographic signs, and `:rocket:`, in words: not in code, formulas, addresses and the text's own HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.patterns import regex
from paper_notes.sources.yaml import packaged_yaml
from paper_notes.typography import KEPT, OBJECT, may_change, typeset

_NAMED = regex(r"(?<![A-Za-z0-9_:/]):([a-z0-9_+-]{1,30}):(?![A-Za-z0-9_:/])")


@cache
def signs() -> Mapping[str, str]:
    """The emoji by their names on GitHub, GitLab, Slack and in Obsidian. Read when a text seems to name one."""
    known: Mapping[str, str] = packaged_yaml(__package__, "emoji.yaml")
    return known


def with_signs(words: str) -> str:
    """Words with emoji in place of their names."""
    return _NAMED.sub(lambda name: signs().get(name[1], name[0]), words)


def emoji(state: StateCore) -> None:
    """Replace the names in words, not in code, formulas and addresses."""
    for block in state.tokens:
        if block.type == "inline" and _NAMED.search(block.content):
            for token in block.children or []:
                if token.type == "text":
                    token.content = with_signs(token.content)


_LITERAL = regex(r"<(/?)(?:code|kbd|samp|pre|var|tt)\b", re.IGNORECASE)
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
