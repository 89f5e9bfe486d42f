"""Marks characters of a repaired text that nobody has settled yet, where a reader sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from markdown_it.token import Token

from paper_notes.markdown.context import Context
from paper_notes.sources.doubts import NAME, Doubt, place_of, read_doubts

_AROUND = 6
"""Characters on each side that tell which of several is meant, where the visible text has more or fewer of them."""


def with_doubts(tokens: list[Token], context: Context) -> list[Token]:
    """The blocks of a text, with a `span` around each character that `doubts.tsv` beside it lists as open."""
    listing = context.files.get(NAME)
    if not listing:
        return tokens
    text = context.source.text
    doubts: dict[int, Doubt] = {}
    for doubt in read_doubts(listing)[0]:
        if doubt.file == context.source.path.name and not doubt.chosen:
            place = place_of(doubt, text)
            if place is not None:
                doubts[place] = doubt
    if doubts:
        for block, start, end in _blocks(tokens, text):
            inside = [(place - start, doubts[place]) for place in sorted(doubts) if start <= place < end]
            if inside:
                _mark(block, text[start:end], inside, context)
    return tokens


def _blocks(tokens: Sequence[Token], text: str) -> Iterator[tuple[Token, int, int]]:
    """Each block of words, and the start and end of its lines in the text."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    lines: Sequence[int] = (0, 0)
    for token in tokens:
        lines = token.map or lines
        if token.type == "inline" and token.children:
            yield token, starts[lines[0]], starts[min(lines[1], len(starts) - 1)]


def _mark(block: Token, source: str, doubts: Sequence[tuple[int, Doubt]], context: Context) -> None:
    """Mark doubtful characters of a block, given with their places in its source."""
    children = block.children or []
    seen = "".join(child.content if child.type == "text" else "\0" for child in children)
    by_offset: dict[int, Doubt] = {}
    for place, doubt in doubts:
        offset = _seen(doubt.choice, place, source, seen)
        if offset is not None:
            by_offset.setdefault(offset, doubt)
    marked: list[Token] = []
    position = 0
    for child in children:
        if child.type != "text":
            marked.append(child)
            position += 1
            continue
        end = position + len(child.content)
        inside = [place - position for place in sorted(by_offset) if position <= place < end]
        cuts = [0, *(cut for place in inside for cut in (place, place + 1)), len(child.content)]
        for start, stop in pairwise(cuts):
            part = child.copy(content=child.content[start:stop])
            if start in inside and stop == start + 1:
                marked += _spanned(part, by_offset[position + start], context)
            elif part.content:
                marked.append(part)
        position = end
    block.children = marked


def _seen(sign: str, place: int, source: str, seen: str) -> int | None:
    """Where the character at a place of the source is in the visible text; None if it cannot be seen."""
    if source.count(sign) == seen.count(sign):  # it is as many-th as it was
        offset = -1
        for _ in range(source.count(sign, 0, place) + 1):
            offset = seen.find(sign, offset + 1)
        return offset
    before, after = source[max(0, place - _AROUND) : place], source[place + 1 : place + 1 + _AROUND]

    def alike(offset: int) -> int:
        behind = zip(reversed(before), reversed(seen[max(0, offset - _AROUND) : offset]), strict=False)
        ahead = zip(after, seen[offset + 1 : offset + 1 + _AROUND], strict=False)
        return sum(sign_there == other for sign_there, other in (*behind, *ahead))

    best = max((at for at, other in enumerate(seen) if other == sign), key=alike, default=None)
    return best if best is not None and 3 * alike(best) >= len(before + after) else None


def _spanned(sign: Token, doubt: Doubt, context: Context) -> tuple[Token, Token, Token]:
    others = ", ".join(entry for entry in doubt.alternatives.split(", ")[:3] if entry)
    title = context.language("doubt.guess", others=others) if others else context.language("doubt.alone")
    attrs: dict[str, str | int | float] = {"class": "doubtful", "title": title}
    return Token("doubt_open", "span", 1, attrs=attrs), sign, Token("doubt_close", "span", -1)
