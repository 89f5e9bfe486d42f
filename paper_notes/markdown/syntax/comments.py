"""`%%comments%%`, as Obsidian has them: within a line, or over lines and blocks. No page has them."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

from paper_notes.markdown.context import context_of, line_of
from paper_notes.patterns import regex

_INLINE = regex(r"%%[^%\n]*[^%\n\d]%%(?!%)")
"""A digit before the end is a percentage, such as `5%%`."""
_MARK = regex("%%(?!%)")


def install(md: MarkdownIt) -> None:
    """Add these rules to a parser."""
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("table", "comment_block", _block, alternatives)
    md.inline.ruler.before("escape", "comment", _inline)


def _inline(state: StateInline, silent: bool) -> bool:
    """A comment that ends on its line. What is not one is reported with all that is lost."""
    match = _INLINE.match(state.src, state.pos, state.posMax)
    if (
        not match
        or state.src[state.pos - 1 : state.pos] == "%"
        or state.src[max(state.pos - 3, 0) : state.pos].rstrip()[-1:].isdigit()
    ):
        return False
    if not silent:
        context_of(state.env).counters["unshown"] += 1
        state.push("comment", "", 0).content = match[0][2:-2]
    state.pos = match.end()
    return True


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A comment that begins a line and ends another.

    The line on which it ends must not begin a comment itself: of two that do not end, neither is one.
    """
    first = line_of(state, start)
    if not first.startswith("%%") or first.startswith("%%%") or state.is_code_block(start):
        return False
    if first.rstrip().endswith("%%") and len(first.rstrip()) >= 4:
        return _done(state, start, start + 1, silent) if _marks(first) == 2 else False
    if _marks(first) != 1:
        return False
    for number in range(start + 1, end):
        if state.sCount[number] < state.blkIndent and not state.isEmpty(number):
            return False
        line = line_of(state, number).strip()
        if not _marks(line):
            continue
        ends = _marks(line) == 1 and line.endswith("%%") and (line == "%%" or not line.startswith("%%"))
        return _done(state, start, number + 1, silent) if ends else False
    return False


def _marks(line: str) -> int:
    return len(_MARK.findall(line))


def _done(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not silent:
        context_of(state.env).counters["unshown"] += 1
        token = state.push("comment_block", "", 0)
        token.content, token.map = state.getLines(start, end, state.blkIndent, False), [start, end]
        state.line = end
    return True


def drop_comments(state: StateCore) -> None:
    """Leave no comment in what becomes a page."""
    state.tokens = [token for token in state.tokens if token.type != "comment_block"]
