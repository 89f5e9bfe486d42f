"""Strategies: texts that are made of the pieces our syntax is made of, and so get further than random letters."""

from __future__ import annotations

from hypothesis import strategies as st
from mutating import LINE_STARTS, TOKENS

from paper_notes.sources.characters import UNUSABLE

words = st.one_of(
    st.sampled_from(TOKENS),
    st.sampled_from(["a", "the word", "中文", "公式", "12", "2024", "x_1", "lu760tea", "tea", "01_Green", " "]),
    st.text(max_size=6),
)
"""Pieces of syntax, plain words, and anything else."""
lines = st.builds(
    lambda start, parts, gap: start + gap.join(parts),
    st.sampled_from(LINE_STARTS),
    st.lists(words, max_size=6),
    st.sampled_from(["", " "]),
)


def let_in(text: str) -> str:
    """The text as `sources.tree` gives it: without control characters, and with one kind of line ends."""
    return UNUSABLE.sub("", text).replace("\r", "\n")


texts = st.lists(lines, max_size=14).map("\n".join).map(let_in)
"""Markdown, more or less."""
