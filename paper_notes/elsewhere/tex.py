r"""A text whose formulas stay TeX: for Anki, which sets `\(x\)` and `\[x\]` by MathJax, and for Markdown, `$x$`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import unescape
from typing import Literal

from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import escape

from paper_notes.markdown.context import Context, context_of
from paper_notes.markdown.math.convert import MACROS
from paper_notes.markdown.math.rewriting import LABEL, REFERENCE
from paper_notes.markdown.parser import parser
from paper_notes.markdown.renderer import BodyRenderer
from paper_notes.markdown.sanitise import sanitise

Marks = Literal["mathjax", "dollars"]
_AROUND = {
    ("mathjax", False): (r"\(", r"\)"),
    ("mathjax", True): (r"\[", r"\]"),
    ("dollars", False): ("$", "$"),
    ("dollars", True): ("$$", "$$"),
}
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_MATHJAX_HAS = frozenset(
    "mbox pmb substack dotsb dotsc dotsm dotsi dotso smash hbox thicksim thickapprox strut".split()
)
"""Those of our macros that MathJax 3 knows itself."""
_COMMAND = re.compile(r"\\([A-Za-z]+|\*)")


class TexRenderer(BodyRenderer):
    """Renders formulas as TeX between `marks`, and all else as on the page."""

    def __init__(self, marks: Marks) -> None:
        super().__init__()
        self._marks: Marks = marks
        self.rules = {**parser().renderer.rules, **self.rules}  # type: ignore[attr-defined]

    def _formula(self, token: Token, env: EnvType, *, display: bool) -> str:
        context = context_of(env)
        opening, closing = _AROUND[self._marks, display]
        tex = plain_tex(token.content, context)
        macros = definitions(tex) if self._marks == "mathjax" else ""
        written = f"{opening}{escape(macros + tex)}{closing}"
        return context.keep(written if self._marks == "mathjax" else f"<var>{written}</var>")

    def footnote_ref(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f"<sup>[{tokens[idx].meta['id'] + 1}]</sup>"


@cache
def renderer(marks: Marks) -> TexRenderer:
    """The renderer of a process for formulas of this kind; it keeps no state."""
    return TexRenderer(marks)


def rendered(tokens: Sequence[Token], context: Context, marks: Marks) -> str:
    """Sanitised HTML with slots, and formulas as TeX."""
    env = {"context": context}
    return context.restore(sanitise(str(renderer(marks).render(tokens, parser().options, env))))


def plain_tex(tex: str, context: Context) -> str:
    """A formula on one line, without comments, and with the numbers of the formulas that it names."""

    def number(found: re.Match[str]) -> str:
        known = unescape(context.equations.get(found[2], f"({found[2]})"))
        return rf"\text{{{known if found[1] else known.strip('()')}}}"

    without = LABEL.sub("", REFERENCE.sub(number, _COMMENT.sub(r"\1", tex)))
    return " ".join(without.split())


def definitions(tex: str) -> str:
    """Definitions of the macros that the formula uses and MathJax lacks."""
    used = dict.fromkeys(name for name in _COMMAND.findall(tex) if name in MACROS and name not in _MATHJAX_HAS)
    made = []
    for name in used:
        inside = MACROS[name]
        arguments = "".join(f"#{number}" for number in (1, 2, 3) if f"#{number}" in inside)
        made.append(rf"\def\{name}{arguments}{{{inside}}}")
    return "".join(made)
