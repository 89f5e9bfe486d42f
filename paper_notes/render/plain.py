"""The visible text of rendered HTML in one line, for the search and for quotations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from html import escape

from paper_notes.corpus.model import Lang
from paper_notes.markdown.body import LEAD, Body, Slot, fill
from paper_notes.patterns import regex
from paper_notes.sources.characters import unescape

_UNSEEN = regex(
    r'<svg\b.*?</svg>|<span class="th">.*?</span>|<small class="origin\b[^>]*>.*?</small>'
    r'|<sup class="footnote-ref">.*?</sup>|<a\b[^>]*\bclass="footnote-backref"[^>]*>.*?</a>',
    re.DOTALL,
)
"""Drawings, labels in cells that only phones show, marks of sources and of footnotes: not part of the text."""
_CELL_END = regex(r"</(?:td|th|dd)>")
_TERM_END = regex(r"[:：]?</dt>")
_CELLS = regex("(?: \ufdd2)+(?: |$)")
"""Ends of cells, marked by a noncharacter, which sources cannot hold."""
_TAG = regex(r"</?[a-zA-Z][^>]*>")
_BLOCK_TAG = regex(
    r"</?(?:address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|figcaption|figure|h[1-6]|hr|li|ol|p|pre"
    r"|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?![a-zA-Z0-9-])[^>]*>"
)


def plain(html: str) -> str:
    """Sanitised HTML without its tags: words of different blocks are separated, formulas are in one line.

    Cells of a table and entries of a definition list are separated by dots.
    """
    html = _MATH.sub(lambda formula: escape(formula_line(formula[0])), _UNSEEN.sub("", html))
    cells = "</td>" in html or "</dd>" in html
    if cells:
        html = _TERM_END.sub(": ", _CELL_END.sub(" \ufdd2 ", html))
    text = " ".join(unescape(_TAG.sub("", _BLOCK_TAG.sub(" ", html))).split())
    return _CELLS.sub(" · ", text).removesuffix(" · ") if cells else text


_MATH = regex(r"<math\b.*?</math>", re.DOTALL)
_MATH_PART = regex(r"<(/?)(\w+)[^>]*?(/?)>|([^<]+)")
_SCRIPTS = {"msub": "_", "munder": "_", "msup": "^", "mover": "^", "msubsup": "_^", "munderover": "_^", "mfrac": "/"}
_INVISIBLE = regex("[\u2061-\u2064]")
_NAME = regex(r"[^\W\d_]{2,}")


@lru_cache(maxsize=4096)
def formula_line(mathml: str) -> str:
    """A formula as one reads it in a line of text: `β=Σ_x min(p,q)`, `(a+b)/c`, `x_(t+1)^2`."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for closing, name, empty, text in _MATH_PART.findall(mathml):
        if text:
            parts[-1][1].append(_INVISIBLE.sub("", unescape(text)))
        elif empty:
            parts[-1][1].append("")
        elif not closing:
            parts.append((name, []))
        elif len(parts) > 1:
            own, inside = parts.pop()
            parts[-1][1].append(_joined(own, inside))
    return " ".join(_side_by_side(parts[0][1]).split())


def _joined(name: str, inside: list[str]) -> str:
    if name in _SCRIPTS and len(inside) == len(_SCRIPTS[name]) + 1:
        base, *others = inside
        if name == "mfrac":
            return f"{_grouped(base)}/{_grouped(others[0])}"
        if name in ("mover", "munder") and unicodedata.category(others[0][:1] or "^") in ("Lm", "Sk", "Sm", "Pc", "Po"):
            return base + others[0]  # the hat of x̂ is no exponent
        return base + "".join(
            f"{sign}{_grouped(part)}" for sign, part in zip(_SCRIPTS[name], others, strict=True) if part
        )
    if name in ("msqrt", "mroot"):
        root = _side_by_side(inside[:1] if name == "mroot" else inside)
        return f"√{root}" if len(root) == 1 else f"√({root})"
    if name in ("mtr", "mtd"):
        return _side_by_side(inside) + " "
    return _side_by_side(inside)


def _side_by_side(parts: list[str]) -> str:
    """Names of several letters are kept apart from what is before and after them, scripts from the next letter."""
    line = ""
    for part in filter(None, parts):
        apart = line and line[-1].isalnum() and part[0].isalnum()
        line += " " + part if apart and (_NAME.match(part) or re.search(r"[_^/]\(?\w+$|[^\W\d_]{2}$", line)) else part
    return line


def _grouped(part: str) -> str:
    part = part.strip()
    return part if len(part) < 2 or part.isalnum() else f"({part})"


def plain_sections(body: Body, lang: Lang, words_of: Callable[[Slot], str]) -> tuple[tuple[str, str], ...]:
    """Id and text of each section of a body in one language: its heading, a tab, and the rest.

    `words_of` gives the HTML of a slot. The text before the first heading has the id `lead`, footnotes have
    `footnotes`; a part without text is left out.
    """
    half = body.halves.get(lang)
    if half is None:
        return ()
    parts = [(LEAD, "", half.lead)]
    for section in body.sections:
        words = section.halves.get(lang)
        if words is not None:
            parts.append((section.id, words.heading, words.html))
    parts.append(("footnotes", "", half.footnotes))

    def text(html: str) -> str:
        return plain(fill(html, half.slots, words_of))

    texts = ((name, f"{text(heading)}\t{text(html)}" if heading else text(html)) for name, heading, html in parts)
    return tuple((name, line) for name, line in texts if line)
