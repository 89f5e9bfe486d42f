"""CommonMark with Chinese, Japanese and Korean: emphasis beside full-width punctuation, and counts of words.

CommonMark decides by the neighbouring characters whether `**` opens or closes; in text without spaces
`**重点（一）**是` stays unclosed. The amendment here follows the specification of tats-u/markdown-cjk-friendly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token

from paper_notes.patterns import regex
from paper_notes.typography import IDEOGRAPHS, is_cjk

_IDEOGRAPH = regex(f"[{IDEOGRAPHS}]")
_LETTER = rf"[^\W\d_\u00a0-\u00bf\u2000-\u2bff{IDEOGRAPHS}]"
_WORD = regex(rf"(?:[A-Za-z]|{_LETTER})(?:[A-Za-z'’-]++|[\u0300-\u036f\u0900-\u0dff]|{_LETTER})*+")
"""A word, with hyphens and apostrophes; accents, and the vowels of Indian scripts, may be separate characters."""


def count(text: str) -> tuple[int, int]:
    """Number of words in scripts that write spaces, and of Chinese and Japanese characters; for the reading time."""
    return len(_WORD.findall(text)), len(_IDEOGRAPH.findall(text))


_CLOSING = regex("[，。、；：！？）》】」』〉〕”’…,.;:!?)]+")
_OPENING = regex("[（《【「『〈〔“‘(]+$")


_RANGE = regex(r"\d[\d.,]*[%×x]?–\d[\d.,]*(?<=\d)[%×x]?")


def hold_punctuation(state: StateCore) -> None:
    """Keep a formula on one line with the punctuation that touches it: browsers break lines around `<math>` freely.

    And a range such as 65–72%, which they break behind its dash.
    """
    for block in state.tokens:
        if block.type == "inline":
            if "–" in block.content or "--" in block.content:
                block.children = [part for token in block.children or [] for part in _with_held_ranges(token)]
            if any(token.type == "math_inline" for token in block.children or []):
                block.children = _held(block.children or [])


def _with_held_ranges(token: Token) -> Iterator[Token]:
    place = 0
    for match in _RANGE.finditer(token.content) if token.type == "text" else ():
        if before := token.content[place : match.start()]:
            yield Token("text", "", 0, content=before)
        yield Token("held_open", "span", 1, attrs={"class": "held"})
        yield Token("text", "", 0, content=match[0])
        yield Token("held_close", "span", -1)
        place = match.end()
    if not place:
        yield token
    elif rest := token.content[place:]:
        yield Token("text", "", 0, content=rest)


def _held(tokens: list[Token]) -> list[Token]:
    held: list[Token] = []
    rest = deque(tokens)
    while rest:
        token = rest.popleft()
        if token.type != "math_inline":
            held.append(token)
            continue
        formula = [token]
        while held and rest and held[-1].nesting == 1 and rest[0].nesting == -1:  # a link or so around it alone
            formula = [held.pop(), *formula, rest.popleft()]
        before = held[-1] if held and held[-1].type == "text" else None
        after = rest[0] if rest and rest[0].type == "text" else None
        opening = _OPENING.search(before.content) if before else None
        closing = _CLOSING.match(after.content) if after else None
        if not opening and not closing:
            held += formula
            continue
        group = [Token("held_open", "span", 1, attrs={"class": "held"})]
        if before and opening:
            before.content = before.content[: opening.start()]
            group.append(Token("text", "", 0, content=opening[0]))
        group += formula
        if after and closing:
            after.content = after.content[closing.end() :]
            group.append(Token("text", "", 0, content=closing[0]))
        held += [*group, Token("held_close", "span", -1)]
    return held


class CjkState(StateInline):
    """Inline parsing with the amended rule."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803 -- overrides the library's name
        marker = self.src[start]
        end = start
        while end < self.posMax and self.src[end] == marker:
            end += 1
        before = self.src[start - 1] if start > 0 else " "
        after = self.src[end] if end < self.posMax else " "
        opens = can_open(before, after, splits_words=canSplitWord)
        return Scanned(opens, can_close(before, after, splits_words=canSplitWord), end - start)


def can_open(before: str, after: str, *, splits_words: bool) -> bool:
    """Whether signs between two characters may start emphasis; `splits_words` if they may do so inside of a word."""
    return _flanking(before, after) and (splits_words or not _flanking(after, before) or _is_punctuation(before))


def can_close(before: str, after: str, *, splits_words: bool) -> bool:
    """Whether signs between two characters may end emphasis."""
    return _flanking(after, before) and (splits_words or not _flanking(before, after) or _is_punctuation(after))


def _flanking(outer: str, inner: str) -> bool:
    """Whether a run of delimiters may start (or end) emphasis, from the characters outside and inside of it."""
    if isWhiteSpace(ord(inner)):
        return False
    if not _is_punctuation(inner) or is_cjk(inner):
        return True
    return isWhiteSpace(ord(outer)) or _is_punctuation(outer) or is_cjk(outer)


def _is_punctuation(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)
