"""What loads the marks on pages, `marking`, only for notes that were verified or say where numbers come from."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.features.verify import NAME
from paper_notes.markdown.context import Context


def with_sources(tokens: list[Token], context: Context) -> list[Token]:
    """The blocks of a text with their marks, see `marking.with_sources`."""
    if NAME not in context.files and "from=" not in context.source.text:
        return tokens
    from paper_notes.features.verify import marking

    return marking.with_sources(tokens, context)


def install(md: MarkdownIt) -> None:
    """Add this rule to the parser of what becomes a page."""
    md.core.ruler.after("table_marks", "declared_marks", _declared_marks)


def _declared_marks(state: StateCore) -> None:
    if "from=" in state.src:
        from paper_notes.features.verify import marking

        marking.declared_marks(state)
