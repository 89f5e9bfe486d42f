"""Bars in the formulas, code and references of a table's cells, which are not the ends of cells.

A row is read as in GitHub's tables first; only where it has too many cells then are its bars looked at again.
"""

from __future__ import annotations

import re

from markdown_it.rules_block.table import escapedSplit
from markdown_it.rules_core import StateCore

_BAR = "\ufdd5"
"""Replaces such a bar while blocks are found; sources cannot contain this noncharacter."""
TABLE_RULE = re.compile(r"\|?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*+\|?")
_BEFORE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?[ \t>]*")
"""Marks of quotations and lists before a row."""
_HOLDS_BARS = re.compile(
    r"(?<![\\$])(?P<sign>\$\$?)(?![\s$])(?:\\.|[^$\\`])+?(?<!\s)(?P=sign)(?!\d)"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?:(?!(?P=ticks)).)+(?P=ticks)(?!`)|\\\((?:(?!\\\)).)+\\\)|\[\[[^\[\]]+\]\]"
)


def hide_bars(state: StateCore) -> None:
    """Replace bars that end no cell, before blocks are found."""
    if "|" not in state.src or not _HOLDS_BARS.search(state.src):
        return
    lines = state.src.split("\n")
    columns = 0
    for number, line in enumerate(lines):
        if columns and "|" in line:
            lines[number] = with_hidden(line, columns)
            continue
        columns = 0
        if number and "|" in lines[number - 1] and "-" in line:
            columns = _rule_columns(line)
            head = with_hidden(lines[number - 1], columns) if columns else ""
            if head and columns_of(head) == columns:
                lines[number - 1] = head
    state.src = "\n".join(lines)


def show_bars(state: StateCore) -> None:
    """Put the bars back when blocks are known."""
    for token in state.tokens:
        if _BAR in token.content or _BAR in token.info:
            token.content, token.info = token.content.replace(_BAR, "|"), token.info.replace(_BAR, "|")


def with_hidden(row: str, columns: int) -> str:
    """The row with the bars in formulas, code and references hidden, if it has more cells than columns otherwise."""
    if columns_of(row) <= columns:
        return row
    return _HOLDS_BARS.sub(lambda found: re.sub(r"(?<!\\)\|", _BAR, found[0]), row)


def columns_of(row: str) -> int:
    """How many cells a row has."""
    cells = escapedSplit(_BEFORE.sub("", row, count=1).rstrip())
    return len(cells) - (not cells[0].strip()) - (len(cells) > 1 and not cells[-1].strip())


def _rule_columns(line: str) -> int:
    """How many columns the line below a table's head says that there are; 0 for other lines."""
    rule = line.lstrip(" \t>").rstrip()
    return columns_of(rule) if TABLE_RULE.fullmatch(rule) else 0
