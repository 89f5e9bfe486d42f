"""The beginning of a long text: up to the end of a sentence, never in the middle of a formula, link or reference."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from paper_notes.languages.text import Text
from paper_notes.typography import is_cjk

LONG = 320
"""The width of a text that is shown whole at once: some three lines of a wide list. An ideograph counts twice."""
_ENDS = (
    re.compile(r"[。！？]+[”’」』）]*|[.!?]+[”’\"')]*(?=\s+[A-ZÀ-Þ\u3040-\u9fff])"),
    re.compile(r"[；;]|\s[/·|—](?=\s)"),
    re.compile(r"[，、]|,(?=\s)"),
    re.compile(r"\s|(?<=[\u3040-\u9fff])(?=[\u3040-\u9fff])"),
)
"""Where a text may end, the best place first: after a sentence, a part, a clause, a word."""
_WORDS = frozenset({"text", "text_special", "code_inline", "math_inline", "math_inline_double"})
_SLOT = 12
"""The width that a reference is taken to have."""
_SHORTEST = 0.4
"""A better place to end is taken only if at least this share of the width is left."""


def width(text: str) -> int:
    """The width of a text in letters: an ideograph is as wide as two."""
    return sum(2 if is_cjk(sign) else 1 for sign in text)


def is_long(text: Text) -> bool:
    """Whether a text is too long to be shown whole in lists, in any language."""
    return any(len(part) > LONG // 2 and width(part) > LONG for _, part in text.parts)


def divided(tokens: Sequence[Token], most: int) -> tuple[list[Token], list[Token]]:
    """The inline content of a block up to a width, and the rest: empty if all of it fits or it cannot be divided."""
    total = sum(map(_width, tokens))
    if total <= most:
        return list(tokens), []
    places = list(_places(tokens))
    within = [place for place in places if place[3] <= most]
    good = [place for place in within if place[3] >= most * _SHORTEST]
    if good:
        _, at, offset, _ = min(good, key=lambda place: (place[0], -place[3]))
    elif within or places:
        _, at, offset, _ = within[-1] if within else places[0]
    else:
        return list(tokens), []
    first, second = copy.copy(tokens[at]), copy.copy(tokens[at])
    first.content, second.content = first.content[:offset].rstrip(), second.content[offset:].lstrip()
    rest = [second, *tokens[at + 1 :]]
    return [*tokens[:at], first], rest if any(map(_width, rest)) else []


def _places(tokens: Sequence[Token]) -> Iterator[tuple[int, int, int, int]]:
    """Where the content may be divided: rank (0 is the best), token, offset in it, width before; in their order."""
    before = depth = 0
    for at, token in enumerate(tokens):
        depth += token.nesting
        if token.type == "text" and depth == 0:
            ranked = [*enumerate(_ENDS)][::-1]
            found = {end.end(): rank for rank, ends in ranked for end in ends.finditer(token.content)}
            for offset in sorted(found):
                yield found[offset], at, offset, before + width(token.content[:offset])
        before += _width(token)


def _width(token: Token) -> int:
    return _SLOT if token.type == "slot" else width(token.content) if token.type in _WORDS else 0
