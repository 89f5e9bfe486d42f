"""Terms of the glossary in running text: their first use in a note links to the definition.

Not the first use in each section: a note of ten sections had 65 such links, most of them repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.corpus.model import GlossaryTerm, Lang
from paper_notes.languages.language import Words
from paper_notes.markdown.context import Context, SourceMap, context_of
from paper_notes.patterns import regex
from paper_notes.typography import CJK, is_cjk, is_ideographic
from paper_notes.values import Struct, field

_GAP = regex(r"[\s-]+")


class Finder(Struct, frozen=True):
    """Finds terms in a text: the longest first, and only whole words in scripts that separate words."""

    patterns: tuple[tuple[re.Pattern[str], bool], ...]
    """Each with whether it is for texts in lower case: terms in capitals are case-sensitive, all others are not."""
    terms: dict[str, str]
    """Ids of terms by their `_folded` words."""
    avoided: dict[str, GlossaryTerm]
    """Terms by the `_folded` words that the glossary says to avoid."""
    keys: dict[str, str] = field(default_factory=dict)
    """Keys of `terms` and `avoided` by the words found so far: a cache of `_key`."""

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of the terms in a text, from left to right; of two that begin at one place the longer one."""
        lower = _lower(text)
        matches = [_next(pattern, lower if folded else text, 0) for pattern, folded in self.patterns]
        while any(matches):
            first = min(filter(None, matches), key=lambda span: (span[0], -span[1]))
            yield first
            done = first[1]
            matches = [
                _next(pattern, lower if folded else text, done) if span and span[0] < done else span
                for (pattern, folded), span in zip(self.patterns, matches, strict=True)
            ]


def _next(pattern: re.Pattern[str], text: str, start: int) -> tuple[int, int] | None:
    """The next match that does not begin within a word."""
    while match := pattern.search(text, start):
        start = match.start()
        if not start or not _is_in_word(text[start - 1]) or is_cjk(text[start]):
            return match.span()
        start += 1
    return None


def _lower(text: str) -> str:
    """In lower case, letter by letter: `str.lower` makes two of `İ`, and two kinds of `Σ`.

    Patterns without re.IGNORECASE are compiled fifty times as fast: it folds every letter of their classes.
    """
    return text.replace("İ", "i").lower().replace("ς", "σ")


@lru_cache(maxsize=8)
def finder(terms: tuple[GlossaryTerm, ...], lang: Lang, words_of: Words) -> Finder | None:
    """The Finder of `terms` in texts in `lang`; None if nothing could be found.

    Chinese and Japanese texts may use names in all languages. Other texts use names in their own language, and those
    without ideographs of aliases and of Chinese or Japanese names, such as `EAGLE-3`, but no French ones.
    """
    ideographic = words_of[lang].ideographic
    foreign = {known.tag for known in words_of.languages if not known.ideographic} - {lang}
    known: dict[str, str] = {}
    avoided: dict[str, GlossaryTerm] = {}
    for term in terms:
        names = [words for own, words in term.name.parts if ideographic or own not in foreign]
        for words in (*names, *term.aliases):
            if ideographic or not _has_ideographs(words):
                known.setdefault(_folded(words), term.id)
        for words in term.avoid:
            if _has_ideographs(words) == ideographic:
                avoided.setdefault(_folded(words), term)
    words_found = sorted({*known, *avoided} - {""})
    if not words_found:
        return None
    kept = [words for words in words_found if words.isupper()]
    others = [words for words in words_found if not words.isupper()]
    patterns = ((pattern, folded) for words, folded in ((kept, False), (others, True)) for pattern in _patterns(words))
    return Finder(tuple(patterns), known, avoided)


def _has_ideographs(words: str) -> bool:
    return any(map(is_ideographic, words))


def _folded(words: str) -> str:
    """Words in lower case, hyphens as spaces, none beside ideographs. Abbreviations keep their case: SD, not sd."""
    letters = f" {_GAP.sub(' ', words.strip())} "
    spaced = "".join(
        letter
        for before, letter, after in zip(letters, letters[1:], letters[2:], strict=False)
        if letter != " " or not (is_ideographic(before) or is_ideographic(after))
    )
    return spaced if spaced.isupper() else _lower(spaced)


def _patterns(terms: Iterable[str]) -> Iterator[re.Pattern[str]]:
    """Patterns for any of the terms: trees of letters, so that many take no longer than one.

    Those that end in a script that separates words have a tree of their own, so that the end of a word is described
    once. Its start is not described: `_next` looks at it, which is cheaper than another class of so many letters.
    """
    trees: dict[str, _Tree] = {}
    for words in terms:
        node = trees.setdefault("" if is_cjk(words[-1]) else _WORD_ENDS, {})
        for part in _parts(words):
            node = node.setdefault(part, {})
        node[""] = {}
    yield from (re.compile(_pattern(tree) + end) for end, tree in trees.items())


_Tree = dict[str, "_Tree"]
"""Patterns of letters, each with the tree of what may follow it; an empty one ends a term."""


def _is_in_word(letter: str) -> bool:
    """True for a hyphen, a digit, or a letter of a script that separates words; not for `①` and `²`."""
    if letter < "\u00a0":
        return letter.isalnum() or letter in "-_"
    return letter.isalnum() and not ("\u00a0" <= letter <= "\u00bf" or "\u2000" <= letter <= "\u2bff" or is_cjk(letter))


_BESIDE_WORDS = re.findall("(?:.-.){1,2}", f"\u00a0-\u00bf\u2000-\u2bff{CJK}")
"""Letters that `_is_in_word` leaves out. One class of all would take a hundred times as long to compile."""
_WORD_ENDS = rf"s?(?:(?![\w-])|{'|'.join(f'(?=[{ranges}])' for ranges in _BESIDE_WORDS)})"


def _parts(words: str) -> Iterator[str]:
    """The patterns of the letters of a term: spaces match hyphens, and may be written beside ideographs."""
    for before, letter in pairwise(f" {words}"):
        seam = not (before.isspace() or letter.isspace()) and is_ideographic(before) != is_ideographic(letter)
        yield ("[ -]?" if seam else "") + ("[ -]" if letter == " " else re.escape(letter))


def _pattern(tree: _Tree) -> str:
    """The pattern of a tree: longer terms are tried before a term that they begin with."""
    longer = [part + _pattern(rest) for part, rest in tree.items() if rest]
    branches = [*longer, *(part for part, rest in tree.items() if not rest)]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def glossary_terms(state: StateCore) -> None:
    """Make links of the first use of each term, except in headings, links, code and the TL;DR."""
    context = context_of(state.env)
    names = finder(context.terms, context.lang, context.words) if context.terms else None
    if names is None:
        return
    context.place = SourceMap("", ((0, 0, 0),))
    linked: set[str] = set()
    quotations = cards = 0
    for place, block in enumerate(state.tokens):
        if block.type.startswith("blockquote_") or block.info == "quote":
            quotations += block.nesting
        if block.info == "tldr":
            cards += block.nesting
        if block.type != "inline" or next(names.find(block.content), None) is None:
            continue  # most blocks hold no term: their tokens are not inspected
        if names.avoided and not quotations:
            context.enter(block)
            _report_avoided(context, names, block)
        if not cards and not block.meta.get("title") and state.tokens[place - 1].type not in _NOT_IN:
            _link_terms(context, names, block, linked)


def _link_terms(context: Context, names: Finder, block: Token, linked: set[str]) -> None:
    """Make links of the terms in a block that are not in `linked` yet: most blocks have none."""
    terms = (names.terms.get(_key(block.content[start:end], names)) for start, end in names.find(block.content))
    if all(term is None or term in linked for term in terms):
        return
    children: list[Token] = []
    for token, is_text in _outside_links(block):
        children += _linked(context, names, token, linked) if is_text else (token,)
    block.children = children


_NOT_IN = frozenset({"heading_open", "th_open", "dt_open"})


def _outside_links(block: Token) -> Iterator[tuple[Token, bool]]:
    """The tokens of a block, and whether each is text outside of links."""
    depth = 0
    for token in block.children or []:
        depth += token.nesting if token.type in ("link_open", "link_close") else 0
        yield token, token.type == "text" and not depth


def _linked(context: Context, names: Finder, token: Token, linked: set[str]) -> Iterator[Token]:
    done = 0
    text = token.content
    for start, end in names.find(text):
        words = text[start:end]
        term = names.terms.get(_key(words, names))
        if term is None or term in linked:
            continue
        linked.add(term)
        context.terms_used[term] = None
        yield _text(token, text[done:start])
        yield Token("term_open", "a", 1, attrs={"class": "gl", "href": f"#{term}"})
        yield _text(token, words)
        yield Token("term_close", "a", -1)
        done = end
    if done:
        yield _text(token, text[done:])
    else:
        yield token


def _text(token: Token, content: str) -> Token:
    return Token("text", "", 0, content=content, meta=dict(token.meta))


def _key(words: str, names: Finder) -> str:
    """The key of words in the tables: folded, without a plural `s` that the term lacks. Empty if there is none."""
    if words not in names.keys:
        forms = [_folded(form) for form in (words, words[:-1] if words[-1] in "sS" else words)]
        forms += [_lower(form) for form in forms]
        names.keys[words] = next((form for form in forms if form in names.terms or form in names.avoided), "")
    return names.keys[words]


def _report_avoided(context: Context, names: Finder, block: Token) -> None:
    """Report words that the glossary avoids."""
    read = 0
    for token, is_text in _outside_links(block):
        if token.type not in ("text", "code_inline"):
            continue
        start = max(block.content.find(token.content, read), read)
        read = start + len(token.content)
        for first, last in names.find(token.content) if is_text else ():
            words = token.content[first:last]
            term = names.avoided.get(_key(words, names))
            if term is not None:
                hint = f'write "{term.name[context.lang]}", as {term.location.path.name} wants it'
                message = f'"{words}" is not how this collection says it'
                where = context.at(*context.place.at(start + first))
                context.report(where, "inconsistent-term", message, hint, "warning")
