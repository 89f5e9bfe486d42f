"""Finds `#15` in plain text where the reference `[[#15]]` may be meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from markdown_it.token import Token

from paper_notes.markdown.context import Context

_NAMING = (
    r"(?:(?<![A-Za-z])(?:notes?|see(?: also)?|cf\.?|compare|(?:as|explained|described|shown|covered|derived) in)"
    r"|[见見]|参考|參考|参照|參照|对照|對照|[读讀]|[笔筆][记記]|ノート|メモ)"
)
"""Words that say of a number after them that it is a note's: ranks, issues, colours and `Set #2` have others."""
_LIST = r"(?:#\d+\s*(?:[,、，/&-]|and|or|和|[与與]|及|或|と)?\s*)*"
_A_NOTE_BEFORE = re.compile(rf"{_NAMING}[\s:：(（“\"]*{_LIST}$", re.IGNORECASE)
_A_NOTE_AFTER = re.compile(r"\s*(?:を?参照|のノート|のメモ|[号號篇](?:的)?[笔筆][记記])")
_BEFORE = 200
"""How many characters before a number are searched for such words."""
_NUMBER = re.compile(r"(?:(?<![A-Za-z0-9_#&=?.:/@-])|(?<=\d[/-]))#(\d{1,5})(?![A-Za-z0-9_-]|\.\d)")
"""Six digits and more are a colour. Chinese and Japanese may touch the number on both sides."""
_RANGE = re.compile(r"#(\d{1,5})(?=-#\d)")
_ADDRESS = re.compile(r"https?://[!-~]+|[\w.-]+/[\w.-]+#\d+")


def plain_references(context: Context, tokens: Iterable[Token]) -> None:
    r"""Add a slot of kind `plain` for each number in the text of a block; the corpus knows whether it is a note's.

    Code, formulas, links and addresses are skipped, and so is `\#15`.
    """
    if "#" not in context.place.text:
        return
    words, cursor, depth = "", 0, 0
    for token in tokens:
        if token.type == "text" and not depth:
            start = len(words)
            words += token.content
            cursor = _found_in(context, words, start, cursor)
            continue
        depth += token.nesting if token.type in ("link_open", "link_close") else 0
        words += "\n" if token.type in ("softbreak", "hardbreak") else "\0" if not token.nesting else ""
        if "at" in token.meta:
            cursor = max(cursor, token.meta["at"][1] + len(token.content))
        if token.type == "link_open":
            address = str(token.attrs.get("href", ""))
            cursor = max(cursor, context.place.text.find(address, cursor) + len(address))


def _found_in(context: Context, words: str, start: int, cursor: int) -> int:
    """Add slots for numbers in `words` from `start` on. Gives `cursor`: how far the block's text has been read."""
    inside = {place for found in _ADDRESS.finditer(words, start) for place in range(*found.span())}
    matches = {found.start(): found for pattern in (_NUMBER, _RANGE) for found in pattern.finditer(words, start)}
    for place, found in sorted(matches.items()):
        at = context.place.text.find(found[0], cursor)
        if at < 0:
            continue
        cursor = at + len(found[0])
        if place in inside or not _names_a_note(words, *found.span()):
            continue
        context.slot("plain", found[0], "", context.at(*context.place.at(at)))
    return cursor


def _names_a_note(words: str, start: int, end: int) -> bool:
    before = _A_NOTE_BEFORE.search(words, max(0, start - _BEFORE), start)
    return bool(before or _A_NOTE_AFTER.match(words, end))
