"""Simple TeX, as in titles and names, to plain Unicode text.

Accents, escaped signs, braces and dashes, all that most bibliographies hold, are decoded here in one pass;
pylatexenc, forty times slower, does the rest.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from paper_notes.patterns import regex

_TEX = regex(r"[\\{}~$]|--|``|''")
_MATH = regex(r"((?<!\\)\$(?:\\.|[^$\\])+\$)", re.DOTALL)
_FORMULA = regex(r"(?<!\\)\$(?=\S)((?:\\.|[^$\\])+)(?<=\S)\$(?!\d)", re.DOTALL)
"""As pandoc reads one: between prices there is none."""
_TYPESET = regex(r"\\[a-zA-Z]+(?:\s+\w|\s*[{\[])")
"""Commands with arguments, or with a word behind them that would join it."""
_STYLE = regex(r"\\(?:math[a-z]{2,4}|text[a-z]{0,2}|boldsymbol|bm|operatorname)(?![a-z])\s*|\\[,;!]")
_SCRIPT = regex(r"([\^_])\s*(\{[^{}]*\}|\w)")
_RAISED = str.maketrans("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
_LONGEST = 20_000
"""The most characters of a text that is decoded: an abstract has 2,000, and the decoder is slow."""
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " ", "{": "", "}": ""}
_TRANSPARENT = (
    "emph textbf textit textmd textrm textsc textsf textsl texttt textup text mbox url underline textsuperscript "
    "textsubscript bf em it rm sc sf tt bfseries itshape normalfont relax - /"
)
_SYMBOLS = {"LaTeX": "LaTeX", "TeX": "TeX", "copyright": "©", "S": "§", "P": "¶", "\\": " "}

_ACCENTS: Mapping[str, str] = dict(
    zip(
        "`'^~=.\"uvHrckd",
        "\u0300\u0301\u0302\u0303\u0304\u0307\u0308\u0306\u030c\u030b\u030a\u0327\u0328\u0323",
        strict=True,
    )
)
"""The combining character of each accent."""
_LETTERS: Mapping[str, str] = dict(
    zip("ss o O l L ae AE oe OE aa AA i j".split(), "ß ø Ø ł Ł æ Æ œ Œ å Å ı ȷ".split(), strict=True)
)
_QUICK = regex(
    r"(?=[\\$~`'{}-])(?:"  # most characters need no second look
    r"(?P<math>(?<!\\)\$(?:\\.|[^$\\])+\$)"
    r"""|\\(?:(?P<accent>[`'^~=."])\s*|(?P<named>[uvHrckd])(?:\s+(?=[A-Za-z\\])|(?=\{)))"""
    r"(?:(?P<bare>[A-Za-z])|\\(?P<dotless>[ij])(?![A-Za-z])|\{\s*(?:(?P<inner>[A-Za-z])|\\(?P<inner_dotless>[ij]))\s*\})"
    r"|\\(?P<letter>ss|[oOlLij]|ae|AE|oe|OE|aa|AA)(?:\{\}|(?![A-Za-z])\s*)"
    r"|\\(?P<sign>[&%$#_{}])"
    r"|\\(?:emph|textbf|textit|textsc|texttt|textrm|mbox)\s*(?=\{)"
    r"|(?P<ligature>---|--|``|''|~|[{}])"
    r"|(?P<rest>\\))",
    re.DOTALL,
)


def plain_text(tex: str) -> str:
    """Simple TeX as Unicode text in one line. Maths between dollars and unknown commands stay as they are."""
    if not _TEX.search(tex) or len(tex) > _LONGEST:
        return " ".join(tex.split())
    quick = _quickly(tex)
    return " ".join((_thoroughly(tex) if quick is None else quick).split())


def plain_title(tex: str) -> str:
    r"""`plain_text` with formulas of a few signs as these: `π₀` for `$\pi_0$`. What needs more stays as it is.

    For titles, which are also names of pages and folders, where nothing is typeset.
    """
    return plain_text(_FORMULA.sub(_signs, tex))


def _signs(formula: re.Match[str]) -> str:
    tex = _SCRIPT.sub(_raised, _STYLE.sub("", formula[1]))
    words = "\\" if _TYPESET.search(tex) else plain_text(tex)
    return formula[0] if re.search(r"[\\^_{}$%#&~]", words) else words


def _raised(script: re.Match[str]) -> str:
    signs, words = _RAISED if script[1] == "^" else _LOWERED, script[2].strip("{}")
    return words.translate(signs) if all(ord(character) in signs for character in words) else script[0]


def _quickly(tex: str) -> str | None:
    """The decoded text, or None if it has a command that `_QUICK` does not know."""
    pieces: list[str] = []
    done = 0
    for match in _QUICK.finditer(tex):
        pieces.append(tex[done : match.start()])
        done = match.end()
        kind = match.lastgroup
        if kind == "rest":
            return None
        if kind == "math":
            pieces.append(match[0])
        elif accent := match["accent"] or match["named"]:
            letter = match["bare"] or match["dotless"] or match["inner"] or match["inner_dotless"]
            pieces.append(unicodedata.normalize("NFC", letter + _ACCENTS[accent]))
        elif kind == "letter":
            pieces.append(_LETTERS[match["letter"]])
        elif kind == "sign":
            pieces.append(match["sign"])
        elif kind == "ligature":
            pieces.append(_LIGATURES[match[0]])
    return "".join((*pieces, tex[done:]))


def _thoroughly(tex: str) -> str:
    """The text decoded by pylatexenc."""
    parts = _MATH.split(tex)  # words and maths by turns
    parts[::2] = [re.sub(r"(?<!\\)[%$]", r"\\\g<0>", words) for words in parts[::2]]
    try:
        return _decoder()(re.sub(r"\\href\s*\{[^{}]*\}", "", "".join(parts)))
    except Exception:  # pylatexenc fails in many ways on commands without their arguments: show the TeX itself
        return tex


@cache
def _decoder() -> Callable[[str], str]:
    # slow to import, and most fields have no TeX
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    def as_written(node: Any, l2tobj: Any) -> str:
        arguments = [node for node in getattr(node.nodeargd, "argnlist", None) or () if node is not None]
        return str(l2tobj.nodelist_to_text(arguments)) if arguments else f"\\{node.macroname} "

    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)  # what it cannot decode stays visible in the text
    context = get_default_latex_context_db()
    context = context.filter_context(keep_categories=["latex-base", "advanced-symbols", "nonascii-specials"])
    macros = [MacroTextSpec(name, discard=False) for name in _TRANSPARENT.split()]
    macros += [MacroTextSpec(name, simplify_repl=text) for name, text in _SYMBOLS.items()]
    macros += [MacroTextSpec(name, simplify_repl=as_written) for name in ("today", "input", "include")]
    context.add_context_category("plain", prepend=True, macros=macros)
    context.set_unknown_macro_spec(MacroTextSpec("", simplify_repl=as_written))
    decode = LatexNodes2Text(latex_context=context, math_mode="verbatim").latex_to_text
    return lambda tex: str(decode(tex))
