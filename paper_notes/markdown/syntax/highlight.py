"""`==words==`: marked as with a highlighter."""

from __future__ import annotations

import re

from markdown_it.rules_inline import StateInline

HIGHLIGHT = re.compile(r"==(?![\s=])((?:\\.|[^=\n\\`]|=(?!=)|`[^`\n]*`)+?)(?<![\s=])==(?![=A-Za-z0-9_])")
_BEFORE = re.compile(r"[A-Za-z0-9_=!<>)\]]")
"""Before these it is a sign of programs, as in `a ==b`; Chinese may touch it."""


def highlight(state: StateInline, silent: bool) -> bool:
    """The inline rule."""
    start, end = state.pos, state.posMax
    if state.src[start] != "=" or _BEFORE.match(state.src[start - 1 : start]):
        return False
    found = HIGHLIGHT.match(state.src, start, end)
    if not found:
        return False
    if not silent:
        state.push("mark_open", "mark", 1)
        state.pos, state.posMax = start + 2, found.end() - 2
        state.md.inline.tokenize(state)
        state.push("mark_close", "mark", -1)
    state.pos, state.posMax = found.end(), end
    return True
