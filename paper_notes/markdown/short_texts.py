"""Short Markdown texts, such as summaries and intros: parsed, as HTML, as plain text, and their beginnings."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from markdown_it.token import Token

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.diagnostics import Location
from paper_notes.identifiers import DOI_START
from paper_notes.languages.language import BUILT_IN_WORDS, Words
from paper_notes.languages.text import Text
from paper_notes.markdown.body import Slot, Snippet
from paper_notes.markdown.parser import ParsedText, parse_text
from paper_notes.markdown.renderer import within_ideographs
from paper_notes.patterns import regex
from paper_notes.typography import is_cjk

_MARKUP = regex(r"[\\`*_~$\[<&^\n\"']|--|%%|==|:[a-z0-9_+-]+:|\.{3}|https?:|arxiv:|\b" + DOI_START, re.IGNORECASE)
"""A line without any of these has no markup, and no sign to replace."""


def is_plain(text: str) -> bool:
    """True if a text of one line surely has no markup, as most titles and summaries: a quick test."""
    return not _MARKUP.search(text)


@lru_cache(maxsize=10_000)
def read_short(
    text: str, lang: Lang, location: Location, words: Words = BUILT_IN_WORDS, *, inline: bool = False
) -> ParsedText:
    """Parse a short Markdown text of a YAML file (an intro, a guide, a summary).

    The result is cached for its other forms: some 8 KB for a summary with marks.
    """
    source = NoteText(lang, location.path, text, location.line)
    return parse_text(source, words, inline=inline, fixed=location)


@lru_cache(maxsize=10_000)
def render_snippet(
    text: str, lang: Lang, location: Location, words: Words = BUILT_IN_WORDS, *, inline: bool = False
) -> Snippet:
    """A short text as sanitised HTML, with slots for its references.

    The result is cached: the definition of a term is on the page of each note that uses the term.
    """
    read = read_short.__wrapped__ if inline and is_plain(text) else read_short  # nobody needs the tokens of plain texts
    return read(text, lang, location, words, inline=inline).snippet


LONG = 320
"""The width of a text that is shown whole at once: some three lines of a wide list. An ideograph counts twice."""
_ENDS = (
    re.compile(r"[。！？]+[”’」』）]*|[.!?]+[”’\"')]*(?=\s+[A-ZÀ-Þ\u3040-\u9fff])"),
    re.compile(r"[；;]|\s[/·|—](?=\s)"),
    re.compile(r"[，、]|,(?=\s)"),
    re.compile(r"\s|(?<=[\u3040-\u9fff])(?=[\u3040-\u9fff])"),
)
"""Where a text may end, the best place first: after a sentence, a part, a clause, a word."""
_WORDS = frozenset({"text", "text_special", "code_inline", "math_inline", "math_inline_double"})
WIDTH_OF_REFERENCE = 12
"""The width that a reference is taken to have."""
_SHORTEST = 0.4
"""A better place to end is taken only if at least this share of the width is left."""


def width(text: str) -> int:
    """The width of a text in letters: an ideograph is as wide as two."""
    return sum(2 if is_cjk(sign) else 1 for sign in text)


def is_long(text: Text) -> bool:
    """Whether a text is too long to be shown whole in lists, in any language."""
    return any(len(part) > LONG // 2 and width(part) > LONG for _, part in text.parts)


def divided(tokens: Sequence[Token], most: int) -> tuple[list[Token], list[Token]]:
    """The inline content of a block up to a width, and the rest: empty if all of it fits or it cannot be divided."""
    pieces, depth = [], 0
    for token in tokens:
        depth += token.nesting
        pieces.append((token.content if token.type == "text" and depth == 0 else "", _width(token)))
    if not (end := place_to_end(pieces, most)):
        return list(tokens), []
    at, offset = end
    first, second = copy.copy(tokens[at]), copy.copy(tokens[at])
    first.content, second.content = first.content[:offset].rstrip(), second.content[offset:].lstrip()
    rest = [second, *tokens[at + 1 :]]
    return [*tokens[:at], first], rest if any(map(_width, rest)) else []


def place_to_end(pieces: Sequence[tuple[str, int]], most: int) -> tuple[int, int] | None:
    """Where to end a text that is wider than `most`: a piece, and an offset in it.

    A piece is its words, empty where the text cannot end, and its width.
    """
    if sum(size for _, size in pieces) <= most:
        return None
    places = list(_places(pieces))
    within = [place for place in places if place[3] <= most]
    good = [place for place in within if place[3] >= most * _SHORTEST]
    best = min(good, key=lambda place: (place[0], -place[3])) if good else (*within[-1:], *places[:1], None)[0]
    return best and best[1:3]


def _places(pieces: Iterable[tuple[str, int]]) -> Iterator[tuple[int, int, int, int]]:
    """Where a text may end: rank (0 is the best), piece, offset in it, width before; in their order."""
    before = 0
    for at, (words, size) in enumerate(pieces):
        ranked = [*enumerate(_ENDS)][::-1]
        ranks = {end.end(): rank for rank, ends in ranked for end in ends.finditer(words)}
        for offset in sorted(ranks):
            yield ranks[offset], at, offset, before + width(words[:offset])
        before += size


def _width(token: Token) -> int:
    return WIDTH_OF_REFERENCE if token.type == "slot" else width(token.content) if token.type in _WORDS else 0


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
        pieces = []
        for place, token in enumerate(children):
            if token.type in _WORDS:
                pieces.append(token.content)
            elif token.type in ("softbreak", "hardbreak"):
                pieces.append("" if within_ideographs(children, place) else " ")
            elif token.type == "html_inline" and token.content.lower().startswith("<br"):
                pieces.append(" ")
            elif token.type == "image":
                pieces.append(line(token.children or ()))
            elif token.type == "footnote_ref":
                pieces.append(f" ({line(notes.get(token.meta['id'], ()))})")
            elif token.type == "slot":
                parts = token.meta.get("shown", ())
                shown = "".join(part if isinstance(part, str) else words_of(part) for part in parts)
                pieces.append(f"[{shown}]" if token.info == "cite" else shown)
        return "".join(pieces)

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
