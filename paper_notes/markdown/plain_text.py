"""Short Markdown as plain text: for descriptions, feeds and cards, which show no markup."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markdown_it.token import Token

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Location
from paper_notes.languages.language import BUILT_IN_WORDS, Words
from paper_notes.markdown.body import Slot
from paper_notes.markdown.excerpt import divided, width
from paper_notes.markdown.render import is_plain, read_short
from paper_notes.markdown.renderer import within_ideographs

_LITERAL = frozenset({"text", "text_special", "code_inline", "math_inline", "math_inline_double"})


def plain_text(
    text: str,
    lang: Lang,
    location: Location,
    words_of: Callable[[Slot], str],
    words: Words = BUILT_IN_WORDS,
    most: int | None = None,
) -> str:
    """The text as one line without marks; formulas are their TeX, and `words_of` gives the words of a reference.

    Of a text that is wider than `most`, only the beginning, with an ellipsis.
    """
    if is_plain(text) and (most is None or width(text) <= most):
        return " ".join(text.split())
    tokens = read_short(text, lang, location, words, inline=True).tokens
    notes = inline_footnotes(tokens)

    def line(children: Sequence[Token]) -> str:
        found = []
        for place, token in enumerate(children):
            if token.type in _LITERAL:
                found.append(token.content)
            elif token.type in ("softbreak", "hardbreak"):
                found.append("" if within_ideographs(children, place) else " ")
            elif token.type == "html_inline" and token.content.lower().startswith("<br"):
                found.append(" ")
            elif token.type == "image":
                found.append(line(token.children or ()))
            elif token.type == "footnote_ref":
                found.append(f" ({line(notes.get(token.meta['id'], ()))})")
            elif token.type == "slot":
                parts = token.meta.get("shown", ())
                shown = "".join(part if isinstance(part, str) else words_of(part) for part in parts)
                found.append(f"[{shown}]" if token.info == "cite" else shown)
        return "".join(found)

    children = tokens[0].children or ()
    begins, rest = divided(children, most) if most is not None else (children, ())
    return " ".join((line(begins) + (" …" if rest else "")).split())


def inline_footnotes(tokens: Sequence[Token]) -> dict[int, Sequence[Token]]:
    """The content of each footnote `^[...]` by its number, in a text that was parsed as one line."""
    return {
        token.meta["id"]: tokens[place + 2].children or ()
        for place, token in enumerate(tokens)
        if token.type == "footnote_open"
    }
