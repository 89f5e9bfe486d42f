r"""The fields of a card as Anki is to read them: words stay words, and only our formulas are formulas.

Anki looks for syntax of its own in the HTML of a field: `[sound:...]` plays a file or an address, `[anki:tts]` speaks,
`[latex]` and `[$]` run LaTeX, `\(` and `\[` begin a formula, `{{c1::` hides words.
"""

from __future__ import annotations

import re

from paper_notes.features.cards.cards import Card
from paper_notes.features.epub.tex import FORMULA

_DIRECTIVE = r"\[(?=/?(?:sound:|anki:|latex\]|\${1,2}\]))"
_SYNTAX = re.compile(rf"\\(?=(?:<wbr/?>)*[()\[\]])|{_DIRECTIVE}|(?<=\{{)\{{", re.IGNORECASE)
"""MathJax joins what is before and after a `<wbr>`."""
_IN_FORMULA = re.compile(rf"{_DIRECTIVE}|(?<=\{{)\{{(?=c\d+::)", re.IGNORECASE)
_PIECE = re.compile(
    rf'(?P<formula>{FORMULA.pattern})|(?P<tag><(?:[^<>"]|"[^"]*")*>)|(?P<sign>{_SYNTAX.pattern})',
    re.IGNORECASE | re.DOTALL,
)


def fields_of(card: Card) -> tuple[str, str, str, str]:
    """Question, answer, what it is about, and the link."""
    return for_anki(card.question), for_anki(card.answer), for_anki(card.about), for_anki(card.link)


def for_anki(xml: str) -> str:
    """The XML of a card as a field, with its formulas as MathJax finds them."""
    return _PIECE.sub(_piece, xml)


def _piece(piece: re.Match[str]) -> str:
    if piece["formula"]:
        # an empty group draws nothing; `\[sound:` of a formula in a block is such syntax, too
        return _IN_FORMULA.sub(r"\g<0>{}", piece["tex"])
    if piece["tag"]:
        return _SYNTAX.sub(lambda sign: f"&#{ord(sign[0])};", piece[0])
    # no entity: MathJax reads the document, and Anki's editor writes characters in place of entities
    return f"<span>{piece[0]}</span>"
