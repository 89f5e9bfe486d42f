r"""What formulas of one text share: macros; numbers by `\tag`, `\label` and `align`, with `\eqref` and `\ref` to them.

Numbered are the formulas that LaTeX would number; each language of a note counts its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import escape

from paper_notes.diagnostics import Location
from paper_notes.macros import Macros
from paper_notes.markdown.context import Context, context_of, place_of, push_link
from paper_notes.markdown.math.convert import TexProblem, mathml, without_macros
from paper_notes.markdown.math.rewriting import LABEL, REFERENCE, TAG
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape

_CELL = regex(
    r'(<mtd style="width: [\d.]+%;text-align: right;justify-items: end;")(?: id="l(\d+)")?>'
    r"<mtext>(?:\((\d+)\)|(\(?)t(\d+)\)?)</mtext>"
)
"""The cell with the number of a line: its label, its own number or its tag."""
_REFERENCE = regex(r'<a href="#r(\d+)">[^<]*</a>')
_IN_TEXT = regex(r"\\(eq)?ref\{([^{}\n]+)\}")
_HTML_TAG = regex(r"<[^>]*>")


def locate_tex(context: Context, token: Token, offset: int) -> Location:
    """Where a character of a formula stands."""
    written = token.content
    if "written" in token.meta:  # before macros were written out
        written, formula = token.meta["written"]
        offset = min(formula.offset(offset), len(written))
    if token.map:  # a block; its text begins after the dollars
        place = place_of(context.lines, token.map[0], token.markup + written)
        return context.at(*place.at(len(token.markup) + offset))
    return context.locate_token(token, len(token.markup) + offset)


def math_fences(state: StateCore) -> None:
    """A code block of the language `math` is a formula, as on GitHub."""
    for token in state.tokens:
        if token.type == "fence" and token.info.strip() == "math" and token.map:
            token.type, token.markup, token.meta["lines"] = "math_block", "", token.map
            token.map = [token.map[0] + 1, token.map[1]]


def macros_written_out(state: StateCore) -> None:
    """Write out the macros in all formulas: those of the site, topic and note, and those of the formulas before.

    A formula on lines of its own that only defines is not shown.
    """
    context = context_of(state.env)
    macros: Macros = dict(context.words.macros + context.source.macros)
    for token in _formulas(state.tokens):
        try:
            formula, after = without_macros(token.content, macros)
        except TexProblem as problem:  # reported where it is rendered
            token.meta["problem"] = problem
            continue
        for name in after if after is not macros else ():
            if after[name] is not macros.get(name):
                context.macros.setdefault(name, locate_tex(context, token, 0))
        if formula.origin is not None:
            token.meta["written"] = token.content, formula
            token.content = formula.text
        macros = after
    shown = [
        token
        for token in state.tokens
        if token.type != "math_block" or "written" not in token.meta or token.content.strip()
    ]
    context.counters["unshown"] += len(state.tokens) - len(shown)
    state.tokens[:] = shown


def number_equations(state: StateCore) -> None:
    """Number the formulas of a text, then fill in the references to them that stand in its words."""
    context = context_of(state.env)
    for token in _formulas(state.tokens):
        if token.type == "math_inline":
            continue
        try:
            formula = mathml(token.content, display=True)
        except TexProblem:  # reported where it is rendered
            continue
        if _CELL.search(formula):
            token.meta["numbered"] = _numbered(context, token, formula)
    for block in state.tokens:
        for token in block.children or []:
            if "equation" in token.meta:
                label, bare = token.meta["equation"]
                token.content = unescape(_HTML_TAG.sub("", _number(context, label, bare=bare)))


def _formulas(tokens: list[Token]) -> Iterator[Token]:
    for block in tokens:
        if block.type == "math_block":
            yield block
        for token in block.children or []:
            inside = (token, *(token.children or ()))  # of the words of an image, too
            yield from (formula for formula in inside if formula.type.startswith("math_inline"))


def _numbered(context: Context, token: Token, formula: str) -> str:
    labels, tags = list(LABEL.finditer(token.content)), TAG.findall(token.content)

    def cell(match: re.Match[str]) -> str:
        if match[5]:
            shown = _tag(tags[int(match[5])][1])
            number = f"({shown})" if match[4] else shown
        else:
            context.counters["equation"] += 1
            number = f"({context.counters['equation']})"
        anchor = ""
        if match[2]:
            label = labels[int(match[2])]
            anchor = context.block_id(label[1], locate_tex(context, token, label.start(1)))
            context.equations.setdefault(label[1], number)
        return f"{match[1]}{anchor}><mtext>{number}</mtext>"

    return _CELL.sub(cell, formula)


def _tag(tex: str) -> str:
    r"""What a `\tag` shows, as HTML: words, and the characters of formulas between dollars."""
    words = tex.split("$")
    try:
        return "".join(
            _HTML_TAG.sub("", mathml(word, display=False)) if place % 2 or "\\" in word else str(escape(word))
            for place, word in enumerate(words)
        )
    except TexProblem:
        return str(escape(tex))


def with_references(context: Context, token: Token, formula: str) -> str:
    r"""The formula with the numbers that its `\eqref` and `\ref` name."""
    if "#r" not in formula:
        return formula
    written = list(REFERENCE.finditer(token.content))

    def link(match: re.Match[str]) -> str:
        reference = written[int(match[1])]
        context.anchors.append((reference[2], locate_tex(context, token, reference.start()), True))
        return f'<a href="#{escape(reference[2])}">{_number(context, reference[2], bare=not reference[1])}</a>'

    return _REFERENCE.sub(link, formula)


def _number(context: Context, label: str, *, bare: bool) -> str:
    """The number of the formula with this label, as HTML; `bare` is without brackets. An unknown label is itself."""
    number = context.equations.get(label, f"({escape(label)})")
    return number.removeprefix("(").removesuffix(")") if bare else number


def equation_reference(state: StateInline, silent: bool) -> bool:
    r"""`\eqref{label}` and `\ref{label}` in a line of text: a link to the formula, shown as its number."""
    match = _IN_TEXT.match(state.src, state.pos, state.posMax)
    if not match or state.linkLevel > 0:
        return False
    if not silent:
        _, words = push_link(state, f"#{match[2]}", match[2])
        words.meta["equation"] = (match[2], not match[1])
    state.pos = match.end()
    return True
