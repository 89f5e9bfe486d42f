"""What a query means: its words and the terms of the glossary among them, as patterns of folded text.

The script of the home page reads queries in the same way.
"""

from __future__ import annotations

import re

from paper_notes.corpus.model import Corpus, Text
from paper_notes.patterns import regex
from paper_notes.render.search.folding import fold

_GAPS = regex(r"[\s-]+")


def patterns(corpus: Corpus, query: str) -> tuple[re.Pattern[str], ...]:
    """For each part of a query a pattern of all its names; a text that is found has all parts."""
    return tuple(re.compile("|".join(map(_pattern, names))) for names in _names(corpus, query))


def _names(corpus: Corpus, query: str) -> list[tuple[str, ...]]:
    """Each part of a query with all its names: a term of the glossary has several."""
    names: dict[str, tuple[str, ...]] = {}
    for term in corpus.terms:
        same = tuple(map(fold, (*each(term.name), *term.aliases, *term.avoid)))
        for name in same:
            names.setdefault(_GAPS.sub("", name), same)
    words = re.sub(r"(?:^|(?<=\s))#0+(?=\d)", "#", fold(query)).split()
    parts = []
    while words:
        size = next((n for n in range(len(words), 0, -1) if "".join(words[:n]).replace("-", "") in names), 1)
        key = "".join(words[:size]).replace("-", "")
        parts.append(tuple(dict.fromkeys((" ".join(words[:size]), *names.get(key, ())))))
        words = words[size:]
    return parts


def _pattern(word: str) -> str:
    """A pattern for a word: a short one in Latin letters matches at the start of words; spaces equal hyphens."""
    start = r"(?<![a-z0-9])" if word.isascii() and len(word) < 4 and word[:1].isalnum() else ""
    end = r"(?!\d)" if re.fullmatch(r"#\d+", word) else ""
    return start + r"[\s\u2010-\u2014-]*".join(map(re.escape, _GAPS.split(word))) + end


def each(text: Text | None) -> tuple[str, ...]:
    """The text in all languages that it has."""
    return tuple(part for _, part in text.parts if part) if text else ()
