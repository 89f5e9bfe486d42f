"""What is said of something in sections of memory points and of symbols: labelled lines, definitions, rows of a table.

Notes from elsewhere have no components: `**$p$** · the target` stands there in a paragraph, a list or a box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from markdown_it.token import Token

Listing = Literal["point", "symbol"]
Pair = tuple[Sequence[Token], Sequence[Token]]
"""A label and what is said of it."""
_HEADINGS: tuple[tuple[Listing, re.Pattern[str]], ...] = (
    (
        "point",
        re.compile(r"记忆要?点|記憶要?點|重點整理|覚えておくこと|memory points?\b|(?:key )?takeaways\b", re.IGNORECASE),
    ),
    ("symbol", re.compile(r"符[号號](?!主)|記号|symbols?\b|notation\b", re.IGNORECASE)),
)
_SIGN = re.compile(r"\s*(?:[:：·•=→]|[—–-]+(?=\s|—))\s*")
"""What separates a label from what is said of it."""
_OPENING = {"strong_open": "strong_close", "span_open": "span_close"}
_HELD = ("held_open", "held_close")
"""Around what stays on one line, such as a formula and the colon after it."""
_BREAKS = ("softbreak", "hardbreak")


def listing(heading: str) -> Listing | None:
    """What a section of this heading lists."""
    return next((kind for kind, known in _HEADINGS if known.match(heading)), None)


def pairs_of(tokens: Sequence[Token], kind: Listing) -> Iterator[Pair]:
    """The labels in the blocks of a section, which are not in components of their own."""
    row: list[Token] | None = None
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row:
            head, *cells = row
            if "head" not in head.meta and head.children and any(cell.children for cell in cells):
                yield (head,), _joined(cells)
            row = None
        elif token.type == "th_open":
            row = None
        elif token.type == "inline" and row is not None:
            row.append(token)
        elif token.type == "inline":
            yield from _lines(token, kind)


def _joined(cells: Sequence[Token]) -> Sequence[Token]:
    """The cells of a row, each on a line."""
    children: list[Token] = []
    for cell in cells:
        if cell.children:
            children += [Token("hardbreak", "br", 0)] * bool(children) + cell.children
    return (Token("inline", "", 0, children=children),)


def _lines(inline: Token, kind: Listing) -> Iterator[Pair]:
    """The lines of a paragraph that begin with a label, each with those after it that do not."""
    label: list[Token] = []
    said: list[Token] = []
    line: list[Token] = []
    for child in [*(inline.children or []), Token("hardbreak", "br", 0)]:
        if child.type not in _BREAKS:
            line += [] if child.type in _HELD else [child]
            continue
        next_label, rest = _taken_apart(line, kind)
        if next_label:
            if label and said:
                yield _pair(label, said)
            label, said = next_label, rest
        elif label:
            said += [Token("hardbreak", "br", 0), *line]
        line = []
    if label and said:
        yield _pair(label, said)


def _pair(label: list[Token], said: list[Token]) -> Pair:
    return (Token("inline", "", 0, children=label),), (Token("inline", "", 0, children=said),)


def _taken_apart(line: list[Token], kind: Listing) -> tuple[list[Token], list[Token]]:
    """The label of a line and the rest; no label if it begins with none."""
    line = [token for index, token in enumerate(line) if index or token.type != "text" or token.content.strip()]
    if not line:
        return [], []
    closing = _OPENING.get(line[0].type)
    if closing:
        end = next((index for index, token in enumerate(line) if token.type == closing), 0)
        label, rest = line[1:end], line[end + 1 :]
        if not label:
            return [], []
        last = label[-1]
        if last.type == "text":
            label = [*label[:-1], last.copy(content=last.content.rstrip(" :：·"))]
        return label, _without_sign(rest)
    if kind == "symbol" and line[0].type in ("math_inline", "code_inline") and len(line) > 1:
        separated = line[1].type == "text" and _SIGN.match(line[1].content)
        return (line[:1], _without_sign(line[1:])) if separated else ([], [])
    return [], []


def _without_sign(tokens: list[Token]) -> list[Token]:
    if tokens and tokens[0].type == "text":
        words = tokens[0].content
        sign = _SIGN.match(words)
        words = words[sign.end() :] if sign else words.lstrip()
        tokens = [*([tokens[0].copy(content=words)] if words else []), *tokens[1:]]
    return tokens
