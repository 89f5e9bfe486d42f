"""The parser: CommonMark, the extensions we take from plugins, and our own syntax."""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from paper_notes.markdown import syntax
from paper_notes.markdown.cjk import CjkInline, hold_punctuation
from paper_notes.markdown.renderer import BodyRenderer

MAX_NESTING = 40


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """The one parser of a process: it keeps no state between texts (that travels in `env`)."""
    md = MarkdownIt("zero", renderer_cls=BodyRenderer)
    md.inline = CjkInline()
    md.configure("commonmark", {"html": True, "maxNesting": MAX_NESTING})
    md.enable(["table", "strikethrough"])
    md.use(footnote_plugin)
    md.use(deflist_plugin)
    md.use(tasklists_plugin)
    md.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
    md.use(attrs_plugin, after=(), spans=True, allowed={"class"})
    syntax.install(md)
    md.core.ruler.push("lines", _lines)
    md.core.ruler.push("hold_punctuation", hold_punctuation)
    for name in ("math_inline", "math_inline_double", "math_block"):
        md.renderer.rules[name] = getattr(md.renderer, name)  # type: ignore[attr-defined] # plugins replace our rules
    return md


def _lines(state: StateCore) -> None:
    """Give each inline token the line it stands on, for diagnostics."""
    for block in state.tokens:
        if block.type != "inline" or not block.map:
            continue
        line = block.map[0]
        for token in block.children or []:
            token.meta["line"] = line
            if token.type in ("softbreak", "hardbreak"):
                line += 1
