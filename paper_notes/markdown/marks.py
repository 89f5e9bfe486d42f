"""Marks in a text that has mistakes: after the block of each there is a slot for what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from paper_notes.markdown.context import Context

_AROUND = frozenset({"bullet_list_open", "ordered_list_open", "blockquote_open"})
"""Blocks whose blocks inside may have marks of their own. What a component does with its blocks is its own affair."""
_ITEMS = frozenset({"list_item_open", "footnote_block_open", "footnote_open"})
"""Blocks that only hold others: no mark can be between them."""


def with_marks(tokens: list[Token], context: Context) -> list[Token]:
    """The blocks of a text, with one of type `mistake` after the innermost block that has each mistake."""
    if not context.mistakes:
        return tokens
    blocks = list(_blocks(tokens, 0, len(tokens)))
    marks: dict[int, list[int]] = {}
    for number, mistake in context.mistakes:
        line = mistake.location.line - context.source.first_line
        around = [end for first, last, end in blocks if first <= line < last]
        above = [end for first, _, end in blocks if first <= line]
        marks.setdefault((around or above or [-1])[-1], []).append(number)
    made = [_mark(number, 0) for number in marks.get(-1, ())]
    for place, token in enumerate(tokens):
        made += [token, *(_mark(number, token.level) for number in marks.get(place, ()))]
    return made


def _mark(number: int, level: int) -> Token:
    return Token("mistake", "", 0, level=level, block=True, meta={"number": number})


def _blocks(tokens: Sequence[Token], start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """First line, line after the last, and last token of each block that a mark may follow; outer ones first."""
    while start < end:
        token, close = tokens[start], _close(tokens, start, end)
        if token.map and token.type not in _ITEMS:
            yield token.map[0], token.map[1], close
        if token.type in _AROUND or token.type in _ITEMS:
            yield from _blocks(tokens, start + 1, close)
        start = close + 1


def _close(tokens: Sequence[Token], start: int, end: int) -> int:
    """The last token of the block that begins at `start`."""
    depth = 0
    for place in range(start, end):
        depth += tokens[place].nesting
        if depth <= 0:
            return place
    return end - 1
