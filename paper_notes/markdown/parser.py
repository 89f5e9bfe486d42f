"""The parser: CommonMark, the extensions we take from plugins, and our own syntax."""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from paper_notes.markdown.math import delimiters
from paper_notes.markdown.math.equations import equation_reference, math_fences, number_equations
from paper_notes.markdown.renderer import BodyRenderer
from paper_notes.markdown.syntax import blocks as syntax
from paper_notes.markdown.syntax import comments, inline, tags
from paper_notes.markdown.syntax.alerts import alerts
from paper_notes.markdown.syntax.anchors import anchors, block_names
from paper_notes.markdown.syntax.cjk import hold_punctuation
from paper_notes.markdown.syntax.declared import declared, declared_marks
from paper_notes.markdown.syntax.definitions import footnotes_apart
from paper_notes.markdown.syntax.emoji import emoji
from paper_notes.markdown.syntax.glossary import glossary_terms
from paper_notes.markdown.syntax.highlight import highlight
from paper_notes.markdown.syntax.merged import merged_cells, row_marks
from paper_notes.markdown.syntax.tables import table_marks
from paper_notes.markdown.syntax.tasks import task_lists
from paper_notes.markdown.syntax.typographer import typographer

MAX_NESTING = 40
_OURS = ("math_inline", "math_inline_double", "math_block", "footnote_ref", "footnote_open", "footnote_anchor")


STRUCTURE = (
    "normalize hide_bars block math_fences alerts show_bars declared heading_options row_marks block_names inline"
    " task_lists"
).split()
"""The core rules that find out what is written. All others check it, or make a page of it."""


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """The parser of what becomes a page, one for a process: it keeps no state between texts (that travels in `env`)."""
    return grammar(inline.BodyInline())


def grammar(inline_parser: ParserInline) -> MarkdownIt:
    """A parser with all of our rules, and this one for words."""
    md = MarkdownIt("zero", renderer_cls=BodyRenderer)
    md.inline = inline_parser
    md.block = syntax.BodyBlocks()
    md.configure("commonmark", {"html": True, "maxNesting": MAX_NESTING})
    md.enable(["table", "strikethrough"])
    md.use(footnote_plugin)
    md.use(deflist_plugin)
    md.use(dollarmath_plugin, allow_labels=False, allow_blank_lines=False)
    md.inline.ruler.disable("math_inline")  # at the start of a text it looks at the last character as the one before
    syntax.install(md)
    inline.install(md)
    delimiters.install(md)
    comments.install(md)
    tags.install(md)
    md.inline.ruler.before("emphasis", "highlight", highlight)
    md.inline.ruler.before("escape", "equation_reference", equation_reference)
    md.core.ruler.after("inline", "task_lists", task_lists)
    md.core.ruler.after("block", "drop_comments", comments.drop_comments)
    md.core.ruler.after("block", "alerts", alerts)
    md.core.ruler.after("block", "math_fences", math_fences)
    md.core.ruler.before("footnote_tail", "footnotes_apart", footnotes_apart)
    md.core.ruler.after("bare_links", "glossary_terms", glossary_terms)
    md.core.ruler.before("text_join", "emoji", emoji)
    md.core.ruler.before("text_join", "typographer", typographer)
    md.core.ruler.before("text_join", "table_marks", table_marks)
    md.core.ruler.before("heading_options", "declared", declared)
    md.core.ruler.before("inline", "row_marks", row_marks)
    md.core.ruler.before("inline", "block_names", block_names)
    md.core.ruler.before("inline", "anchors", anchors)
    md.core.ruler.after("table_marks", "merged_cells", merged_cells)
    md.core.ruler.after("table_marks", "declared_marks", declared_marks)
    md.core.ruler.push("hold_punctuation", hold_punctuation)
    md.core.ruler.push("equations", number_equations)
    for name in _OURS:
        md.renderer.rules[name] = getattr(md.renderer, name)  # type: ignore[attr-defined] # plugins replaced our rules
    return md
