"""GitHub's Markdown: what it takes for syntax where ours does not, and plain texts as words of it."""

from __future__ import annotations

import re

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar

from paper_notes.document import nodes
from paper_notes.document.write import OURS, Around, Flavour, between_backticks, fenced
from paper_notes.patterns import regex

_SPECIAL = regex(r"[\\`*\[\]<~$]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")
"""Characters of a text that Markdown would interpret; an underscore between letters is safe."""
_CLOSING_MARKS = regex(r"(^| )(#+)$")
"""Marks at the end of a heading, which would be dropped."""
_BLOCK_START = regex(r"^(?:[#>+=-]|[:|](?=[\s:|-]*$)|\d+(?=[.)](?:\s|$)))")
_SPACE = regex(r"[\t-\r]")
_BRACKET = regex(r"(?<!\\)[\[\]]")
_BARS = regex(r"(\\*)\|")
_ENTITY = regex(r"&(?=#?\w+;)")
_IN_ADDRESS = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "\\` |<>()"})
_UNSAFE_TEX = regex(r"[`*\[\]<~&\n]|\\[^A-Za-z]|(?<![^\W_])_")
"""TeX that Markdown would change between dollars."""
_NORM = regex(r"(?<!\\)\\\|")
"""TeX for a norm. In a cell of a table its bar would lose the backslash."""
_BESIDE_DOLLAR = regex(r"""[\s!-#%-/:-@\[-^{-}]?""")


def plain(text: str) -> str:
    """A text without markup (a title, a team) as one line of Markdown that shows it unchanged."""
    return _escaped(" ".join(text.split()), Around(GITHUB, is_title=True)).replace("|", "\\|")


def paragraph(text: str) -> str:
    """A text without markup as a paragraph, never read as a list, heading or quotation."""
    return _line_start(plain(text))


def link(label: str, address: str) -> str:
    """A link; `label` is Markdown."""
    label = _BRACKET.sub(r"\\\g<0>", label)
    return f"[{label}]({_target(address)})"


def cell(markdown: str) -> str:
    """Markdown as a cell of a table: in one line, with bars escaped."""
    return _BARS.sub(_kept_bar, " ".join(markdown.split()))


def _kept_bar(bar: re.Match[str]) -> str:
    return f"{bar[1]}\\|" if not bar[1] else bar[0] if len(bar[1]) % 2 else f"{bar[1]}&#124;"


def _target(address: str) -> str:
    return _ENTITY.sub("&amp;", address.translate(_IN_ADDRESS))


def _escaped(text: str, around: Around) -> str:
    words = _SPECIAL.sub(r"\\\g<0>", _SPACE.sub(" ", text))
    if text[:1] == ":" and around.before == "]":  # `[^1]:` at the start of a line would define a footnote
        words = f"\\{words}"
    if text[-1:] == "!" and around.after == "[":  # a picture
        words = f"{words[:-1]}\\!"
    if around.starts_line and not (around.in_cell or around.is_title):
        words = _line_start(words.lstrip(" "))
    if around.ends_line:
        words = words.rstrip(" ")
    return _CLOSING_MARKS.sub(r"\1\\\2", words) if around.ends_line and around.is_title else words


def _line_start(markdown: str) -> str:
    """Markdown at the start of a line, escaped if it would begin a list, heading or quotation."""
    return _BLOCK_START.sub(lambda start: f"{start[0]}\\" if start[0].isdigit() else f"\\{start[0]}", markdown)


def _is_punctuation(sign: str) -> bool:
    return isMdAsciiPunct(ord(sign)) or isPunctChar(sign)


def _flanks(outer: str, inner: str) -> bool:
    """CommonMark's rule, which ignores Chinese: whether a mark between the two may open (or close) emphasis."""
    if inner.isspace():
        return False
    return not _is_punctuation(inner) or not outer or outer.isspace() or _is_punctuation(outer)


def _is_styled(sign: str, words: str, place: Around) -> bool:
    before, after = place.before, place.after
    if not words or sign[0] in (before, words[0], words[-1], after):
        return False
    begins, ends = _flanks(words[0], before or " "), _flanks(words[-1], after or " ")
    """Whether the first sign may end what is open, and the last begin something."""
    if sign[0] == "_":
        begins, ends = begins and not _is_punctuation(before), ends and not _is_punctuation(after)
    elif sign[0] not in "".join(place.open_signs):
        begins = ends = False
    return _flanks(before, words[0]) and _flanks(after, words[-1]) and not (begins or ends)


def _code(code: str, place: Around) -> str:
    words = _SPECIAL.sub(r"\\\g<0>", code)
    return f"<code>{words}</code>" if place.in_cell and "\\|" in code else between_backticks(code, place)


def _formula(formula: nodes.Formula, place: Around) -> str:
    """A formula between dollars; with backticks if Markdown or the characters beside it would break it."""
    tex = formula.tex
    if place.in_cell:
        tex = _NORM.sub(r"\\Vert ", tex)
    if place.in_cell or place.is_title:
        tex = tex.replace("\n", " ")
    is_free = _BESIDE_DOLLAR.fullmatch(place.before) and _BESIDE_DOLLAR.fullmatch(place.after)
    if is_free and not _UNSAFE_TEX.search(tex):
        return f"$${tex}$$" if formula.display else f"${tex}$"
    if "`" in tex:
        return _code(tex.replace("\n", " "), place)
    return f"$`\\displaystyle {tex}`$" if formula.display else f"$`{tex}`$"


GITHUB = Flavour(
    _escaped,
    signs={**OURS.signs, nodes.Highlight: ()},
    is_styled=_is_styled,
    formula=_formula,
    formula_block=lambda tex: fenced(tex, "math").split("\n"),
    code=_code,
    target=_target,
    cell=cell,
    finds_addresses=False,
    looks_ahead=False,
)
