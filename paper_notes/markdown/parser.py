"""The parser, CommonMark with extensions from plugins and our own syntax, and the texts that it has parsed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from paper_notes.corpus.model import NoteText
from paper_notes.extensions import brought
from paper_notes.languages.language import BUILT_IN_WORDS, Words
from paper_notes.markdown.body import Snippet
from paper_notes.markdown.context import Context
from paper_notes.markdown.math import delimiters
from paper_notes.markdown.math.equations import (
    equation_reference,
    macros_written_out,
    math_fences,
    number_equations,
)
from paper_notes.markdown.renderer import BodyRenderer
from paper_notes.markdown.sanitise import report_open, sanitise
from paper_notes.markdown.syntax import blocks as syntax
from paper_notes.markdown.syntax import comments, inline, tags
from paper_notes.markdown.syntax.alerts import alerts
from paper_notes.markdown.syntax.anchors import anchors, block_names
from paper_notes.markdown.syntax.blocks import task_lists
from paper_notes.markdown.syntax.cjk import hold_punctuation
from paper_notes.markdown.syntax.declared import declared
from paper_notes.markdown.syntax.definitions import LinkDefinitions, footnotes_apart, report_unused
from paper_notes.markdown.syntax.glossary import glossary_terms
from paper_notes.markdown.syntax.inline import highlight, sized_image
from paper_notes.markdown.syntax.tables import merged_cells, row_marks, table_marks
from paper_notes.markdown.syntax.typographer import emoji, typographer
from paper_notes.values import Struct, replace

MAX_NESTING = 40
STRUCTURE = (
    "normalize hide_bars block math_fences alerts show_bars declared heading_options row_marks block_names inline"
    " task_lists"
).split()
"""The core rules that find out what is written. All others check it, or make a page of it."""


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """The parser of what becomes a page, one for a process: it keeps no state between texts (that travels in `env`)."""
    md = grammar(inline.BodyInline())
    for install in brought("syntax"):
        install(md)
    return md


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
    md.inline.ruler.at("image", sized_image)
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
    md.core.ruler.push("hold_punctuation", hold_punctuation)
    md.core.ruler.push("macros", macros_written_out)
    md.core.ruler.push("equations", number_equations)
    rules: dict[str, object] = md.renderer.rules  # type: ignore[attr-defined]
    rules |= {name: getattr(md.renderer, name) for name in rules.keys() & vars(BodyRenderer)}  # plugins replaced some
    return md


class ParsedText(Struct, frozen=True, dict=True):
    """A text as tokens, with the state that rendering them needs."""

    tokens: Sequence[Token]
    """Shared by all renderings, which must not change them."""
    context: Context
    env: dict[str, Any]

    def html(self, tokens: Sequence[Token]) -> str:
        """Some of the tokens as sanitised HTML."""
        md = parser()
        return self.context.restore(sanitise(md.renderer.render(tokens, md.options, self.env)))

    @cached_property
    def snippet(self) -> Snippet:
        """The whole text as sanitised HTML."""
        report_unused(self.context, self.env)
        html = self.html(self.tokens)
        report_open(self.context)
        return Snippet(html, tuple(self.context.slots), tuple(self.context.problems))


def environment(source: NoteText, words: Words = BUILT_IN_WORDS, **state: Any) -> dict[str, Any]:
    """What travels with a text through the parser: its Context with this state, and the definitions of its links."""
    return {"context": Context(source, words, **state), "references": LinkDefinitions()}


def parse_text(source: NoteText, words: Words = BUILT_IN_WORDS, *, inline: bool = False, **state: Any) -> ParsedText:
    """Parse a text, with `inline` as one line of words; `state` are fields of its Context."""
    env = environment(source, words, **state)
    text, parse = source.text, parser().parseInline if inline else parser().parse
    return ParsedText(parse(text, env), env["context"], env)


class WithoutPrompts(Struct, frozen=True):
    """The lines of a text without prompts, which ask its writer for something."""

    lines: tuple[str, ...]
    prompts: int = 0
    """How many there were."""
    unwritten: frozenset[int] = frozenset()
    """Lines (from 0) of headings below which there was nothing but prompts."""


def parse_note(text: NoteText, words: Words = BUILT_IN_WORDS, **state: Any) -> ParsedText:
    """Parse a text of a note without what a new note asks for and nobody has written yet."""
    content, prompts, unwritten = text.text, 0, frozenset[int]()
    for without_prompts in brought("prompts"):
        written: WithoutPrompts = without_prompts(content, words[text.lang])
        content, prompts, unwritten = "\n".join(written.lines), written.prompts + prompts, written.unwritten | unwritten
    source = replace(text, content=content, start=0)
    return parse_text(source, words, prompts=prompts, unwritten=unwritten, **state)
