"""Scripts by the way they are set, and signs that a keyboard lacks: curly quotes and apostrophes, dashes, ellipses.

The signs are not made by the rules of markdown-it (`smartquotes`, `replacements`): they know no Chinese, which has no
spaces around quotes and dashes of its own, they change `(c)`, `..` and `--flag`, and addresses that become links later.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import lru_cache

from paper_notes.patterns import regex

IDEOGRAPHS = (
    "\u2e80-\u303f\u3041-\u312f\u3190-\u31ff\u3220-\u325f\u3280-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    "\uff01-\uff9f\uffe0-\uffee\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
"""Chinese and Japanese (kana too) for a class of characters: letters and punctuation, full-width forms included.

They are written without spaces, and a line may end behind each of them.
"""
CJK = f"{IDEOGRAPHS}\u1100-\u11ff\u3130-\u318f\u3200-\u321f\u3260-\u327f\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdf"
"""The same and Korean, which has spaces between words, but none between a word in another script and its ending."""
OBJECT = "\ufffc"
"""The placeholder for code, a formula or a reference within a text."""
KEPT = "!"
"""The placeholder for an escaped sign, which stays as written."""
_SIGN = regex(r"[\"']|(?<!-)-{2,3}(?!-)|(?<!\.)\.{3}(?:\.{3})?(?!\.)")
_ELISION = regex(r"'(?:\d0s|tis|twas|em|til|cause|n)\b", re.IGNORECASE)
_NO_DASH = frozenset("<>|+=/*\\~`#@&^_$")
"""Beside these, hyphens are part of an arrow, a drawing, a path."""
_CURLY = {'"': "“”", "'": "‘’"}


Sign = tuple[int, int, str]
"""Start and end of a sign in the text, and its replacement."""


def _is_in(ranges: str, letter: str) -> bool:
    """Whether a class of characters has the letter. Its pattern would take milliseconds to compile, at each start."""
    return any(first <= letter <= last for first, last in zip(ranges[::3], ranges[2::3], strict=True))


@lru_cache(maxsize=50_000)
def is_ideographic(character: str) -> bool:
    """True for Chinese and Japanese letters and punctuation."""
    return character > "\u2e7f" and _is_in(IDEOGRAPHS, character)


@lru_cache(maxsize=50_000)
def is_cjk(character: str) -> bool:
    """True for Chinese, Japanese and Korean letters and punctuation."""
    return character > "\u10ff" and _is_in(CJK, character)


def typographic(text: str) -> str:
    """A plain text, such as a title, with its signs replaced."""
    return typeset([text], text)[0] if may_change(text) else text


def may_change(text: str) -> bool:
    """Whether the text holds any sign that may be replaced: a quick test."""
    return _SIGN.search(text) is not None


def typeset(parts: Sequence[str], text: str, starts: Sequence[int] = (0,)) -> list[str]:
    """Parts of a text with their signs replaced; `starts` are their offsets in it."""
    signs = deque(replacements(text))
    lines = []
    for part, start in zip(parts, starts, strict=True):
        done, end, pieces = start, start + len(part), []
        while signs and signs[0][0] < end:
            first, last, new = signs.popleft()
            if done <= first and last <= end:
                pieces += [part[done - start : first - start], new]
                done = last
        lines.append("".join(pieces) + part[done - start :])
    return lines


def replacements(text: str) -> list[Sign]:
    """The signs of a text to replace, in its order."""
    signs: list[Sign] = []
    opened: dict[str, int] = {}
    for match in _SIGN.finditer(text):
        start, end = match.span()
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        sign = match[0]
        if sign in _CURLY:
            _quote(signs, opened, text, start, (before, after))
        elif new := _dash(len(sign), before, after) if sign[0] == "-" else _ellipsis(len(sign), before, after):
            signs.append((start, end, new))
    return sorted(signs)


def _quote(signs: list[Sign], opened: dict[str, int], text: str, place: int, beside: tuple[str, str]) -> None:
    """Make a pair of straight quotes, or an apostrophe, curly. A quote without a partner stays straight."""
    sign = text[place]
    before, after = beside
    opens = not after.isspace() and not _is_word(before)
    closes = not before.isspace() and not _is_word(after)
    if closes and sign in opened:
        first = opened.pop(sign)
        signs += [(first, first + 1, _CURLY[sign][0]), (place, place + 1, _CURLY[sign][1])]
    elif sign == "'" and _is_apostrophe(text, place, before, after):
        signs.append((place, place + 1, "’"))
    elif opens:
        opened[sign] = place


def _is_apostrophe(text: str, place: int, before: str, after: str) -> bool:
    """True in `don't`, `models'`, `'tis`, `'90s`; false in `5'10`, which are feet."""
    if _is_word(before):
        return not before.isdigit() or (_is_word(after) and not after.isdigit())
    return _ELISION.match(text, place) is not None


def _dash(length: int, before: str, after: str) -> str:
    """The dash for hyphens with a space on both sides or on none, so that `--flag` stays; empty to keep them.

    `--` is for ranges, `---` for a pause.
    """
    if {before, after} & _NO_DASH or (before.isspace() != after.isspace() and (length == 2 or before.isspace())):
        return ""
    if is_ideographic(before) and not before.isalnum() and _is_word(after):
        return ""  # a flag after a full-width comma
    if is_ideographic(before) or is_ideographic(after):
        return "——"
    return "–" if length == 2 else "—"


def _ellipsis(length: int, before: str, after: str) -> str:
    if before in "/\\" or after in "/\\":
        return ""
    if is_ideographic(before) or is_ideographic(after):
        return "……"
    return "…" if length == 3 else ""


def _is_word(character: str) -> bool:
    return character == OBJECT or (character.isalnum() and not is_cjk(character))
