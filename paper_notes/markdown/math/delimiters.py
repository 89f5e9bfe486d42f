r"""Formulas as LaTeX and other programs delimit them: `\(x\)`, `\[x\]`, ``$`x`$``, and `$$` around a blank line."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from paper_notes.markdown.context import line_of
from paper_notes.patterns import regex

LONGEST, MOST_LINES = 4_000, 200
"""The most characters and lines of a formula in escaped brackets, and of one with a blank line inside."""
_TICKS = regex(r"\$`([^`\n]++)`\$")
_SIGNS = {"(": re.compile(r"\\[A-Za-z]|[\^_=<>+]"), "[": re.compile(r"\\[A-Za-z]{2}|\^|_\S|\s=\s")}
"""What only formulas have: in Markdown, escaped brackets may as well hold words."""
_SHORT = regex(r"(?=[^A-Za-z]*[A-Za-z])(?:(?![A-Za-z]{3})[\sA-Za-z0-9.,'|/*!:()-]){1,24}")
r"""`n-1`, `O(n)`, `x, y`: letters, but no word."""
_AFTER = regex(r"[ \t]*([.,;，。；]?)[ \t]*")
_PROSE = regex(r"[ \t]*(?:#{1,6}\s|:::|>\s|\d+\.\s|```|~~~|\|)|(?<![\\A-Za-z{])[A-Za-z]{3,} +[A-Za-z]{3,}")
"""The beginnings of other blocks, and words: they say that a `$$` above was never closed."""
_IDEOGRAPHS = regex("[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
_TEXT = regex(r"\\[A-Za-z]+\{[^{}]*\}")


def install(md: MarkdownIt) -> None:
    """Add these rules to a parser that reads formulas between dollars."""
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.after("math_block", "bracket_block", _bracket_block, alternatives)
    md.block.ruler.after("math_block", "spaced_block", _spaced_block, alternatives)
    md.inline.ruler.before("formula", "bracket_formula", _bracket_formula)
    md.inline.ruler.before("formula", "tick_formula", _tick_formula)


def is_formula(tex: str, bracket: str) -> bool:
    r"""Whether what stands between `\(` and `\)`, or `\[` and `\]`, can only be a formula."""
    return bool(_SIGNS[bracket].search(tex) or (bracket == "(" and _SHORT.fullmatch(tex.strip())))


def _bracket_formula(state: StateInline, silent: bool) -> bool:
    start = state.pos
    slashes = 2 if state.src.startswith("\\\\", start) else 1
    bracket = state.src[start + slashes : start + slashes + 1]
    if state.src[start] != "\\" or bracket not in ("(", "["):
        return False
    opening, closing = "\\" * slashes + bracket, "\\" * slashes + {"(": ")", "[": "]"}[bracket]
    end = state.src.find(closing, start + len(opening), min(start + LONGEST, state.posMax))
    tex = state.src[start + len(opening) : end]
    if end < 0 or opening in tex or not is_formula(tex, bracket):
        return False
    if not silent:
        token = state.push("math_inline" if bracket == "(" else "math_inline_double", "math", 0)
        token.content, token.markup = tex, opening
    state.pos = end + len(closing)
    return True


def _tick_formula(state: StateInline, silent: bool) -> bool:
    match = _TICKS.match(state.src, state.pos, state.posMax)
    if not match or state.src[state.pos - 1 : state.pos] == "$":
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content, token.markup = match[1], "$`"
    state.pos = match.end()
    return True


def _bracket_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""`\[ ... \]` on lines of their own. On one line it has to look like a formula."""
    first = line_of(state, start)
    if not first.startswith("\\[") or state.is_code_block(start):
        return False
    lines: list[str] = []
    for number in range(start, min(end, start + MOST_LINES)):
        lazy = state.sCount[number] < state.blkIndent and not state.isEmpty(number)
        if number > start and (lazy or line_of(state, number).startswith("\\[")):
            return False
        line = line_of(state, number)[2 if number == start else 0 :]
        place = line.find("\\]")
        while place > 0 and line[place - 1] == "\\":  # a line break of TeX, before a bracket
            place = line.find("\\]", place + 1)
        if place < 0:
            lines.append(line)
            continue
        after = _AFTER.fullmatch(line, place + 2)
        tex = "\n".join([*lines, line[:place] + (after[1] if after else "")])
        alone = number > start and not first[2:].strip()
        if not after or len(tex) > LONGEST or not (is_formula(tex, "[") or (alone and tex.strip())):
            return False
        return silent or _push(state, tex, "\\[", start, number + 1)
    return False


def _spaced_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`$$ ... $$` with blank lines inside, if nothing in it looks like words or another block."""
    first = line_of(state, start)
    if not first.startswith("$$") or "$" in first[2:] or state.is_code_block(start):
        return False
    lines = [first[2:]]
    for number in range(start + 1, min(end, start + MOST_LINES)):
        line = line_of(state, number).rstrip()
        if not state.isEmpty(number) and state.sCount[number] < state.blkIndent:
            return False
        before, closing, after = line.partition("$")
        plain = _TEXT.sub("", before)
        if _PROSE.search(plain) or _IDEOGRAPHS.search(plain):
            return False
        lines.append(before)
        if closing:
            tex = "\n".join(lines)
            opens = not before.strip() and state.isEmpty(number - 1) and not state.isEmpty(number + 1)
            if after != "$" or len(tex) > LONGEST or not tex.strip() or (opens and number + 1 < end):
                return False  # or the dollars begin the next formula, and this one was never closed
            return silent or _push(state, tex, "$$", start, number + 1)
    return False


def _push(state: StateBlock, tex: str, markup: str, start: int, end: int) -> bool:
    token = state.push("math_block", "math", 0)
    token.block, token.content, token.markup, token.map = True, tex, markup, [start, end]
    state.line = end
    return True
