"""Terms of the glossary in running text: their first use in a note links to the definition.

Not the first use in each section: a note of ten sections had 65 such links, most of them repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from paper_notes.corpus.model import GlossaryTerm, Lang
from paper_notes.languages.language import Words
from paper_notes.markdown.context import Context, SourceMap, context_of
from paper_notes.typography import CJK, IDEOGRAPHS, is_cjk, is_ideographic

_GAP = re.compile(r"[\s-]+")
_BESIDE_IDEOGRAPHS = re.compile(f"(?<=[{IDEOGRAPHS}]) | (?=[{IDEOGRAPHS}])")
_SEAM = re.compile(rf"(?<=[{IDEOGRAPHS}])(?=[^\s{IDEOGRAPHS}])|(?<=[^\s{IDEOGRAPHS}])(?=[{IDEOGRAPHS}])")


@dataclass(frozen=True)
class Finder:
    """Finds terms in a text: the longest first, and only whole words in scripts that separate words."""

    patterns: tuple[re.Pattern[str], ...]
    """A pattern for terms in capitals, which are case-sensitive, and one for all others; either may be missing."""
    terms: dict[str, str]
    """Ids of terms by their `_folded` words."""
    avoided: dict[str, GlossaryTerm]
    """Terms by the `_folded` words that the glossary says to avoid."""
    keys: dict[str, str] = field(default_factory=dict)
    """Keys of `terms` and `avoided` by the words found so far: a cache of `_key`."""

    def may_match(self, text: str) -> bool:
        return any(pattern.search(text) for pattern in self.patterns)

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """The terms in a text, from left to right; of two that begin at one place the longer one."""
        matches = [pattern.search(text) for pattern in self.patterns]
        while any(matches):
            first = min(filter(None, matches), key=lambda match: (match.start(), -match.end()))
            yield first
            done = first.end()
            matches = [
                pattern.search(text, done) if match and match.start() < done else match
                for pattern, match in zip(self.patterns, matches, strict=True)
            ]


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
    patterns = (_any_of(kept, re.NOFLAG), _any_of(others, re.IGNORECASE))
    return Finder(tuple(pattern for pattern in patterns if pattern), known, avoided)


def _has_ideographs(words: str) -> bool:
    return any(map(is_ideographic, words))


def _folded(words: str) -> str:
    """Words in lower case, hyphens as spaces, none beside ideographs. Abbreviations keep their case: SD, not sd."""
    spaced = _BESIDE_IDEOGRAPHS.sub("", _GAP.sub(" ", words.strip()))
    return spaced if spaced.isupper() else spaced.lower()


def _any_of(terms: Iterable[str], flags: re.RegexFlag) -> re.Pattern[str] | None:
    """A pattern for any of the terms, the longest first: a tree of letters, so that many take no longer than one."""
    trees: dict[str, _Tree] = {}
    for words in terms:
        node = trees.setdefault("" if is_cjk(words[0]) else _WORD_STARTS, {})
        for part in _parts(words):
            node = node.setdefault(part, {})
        node["" if is_cjk(words[-1]) else _PLURAL] = {}
    if not trees:
        return None
    first = "".join(sorted({re.escape(form) for words in terms for form in (words[0].lower(), words[0].upper())}))
    any_of = "|".join(before + _pattern(tree) for before, tree in trees.items())
    # at any other character than their first ones nothing else is tried: texts are long, and terms many
    return re.compile(f"(?=[{first}])(?:{any_of})", flags)


_Tree = dict[str, "_Tree"]
"""Patterns of letters, each with the tree of what may follow it; a leaf ends a term."""
_IN_WORD = rf"-|[^\W\u00a0-\u00bf\u2000-\u2bff{CJK}]"
"""A hyphen, a digit, or a letter of a script that separates words; not `①` and `²`."""
_WORD_STARTS = f"(?<!{_IN_WORD})"
_PLURAL = f"s?(?!{_IN_WORD})"


def _parts(words: str) -> Iterator[str]:
    """The patterns of the letters of a term: spaces match hyphens, and may be written beside ideographs."""
    for number, part in enumerate(_SEAM.split(words)):
        for place, letter in enumerate(part):
            yield ("" if place or not number else "[ -]?") + ("[ -]" if letter == " " else re.escape(letter))


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
        if block.type != "inline" or not names.may_match(block.content):
            continue  # most blocks hold no term: their tokens are not inspected
        if names.avoided and not quotations:
            context.enter(block)
            _report_avoided(context, names, block)
        if not cards and not block.meta.get("title") and state.tokens[place - 1].type not in _NOT_IN:
            _link_terms(context, names, block, linked)


def _link_terms(context: Context, names: Finder, block: Token, linked: set[str]) -> None:
    """Make links of the terms in a block that are not in `linked` yet: most blocks have none."""
    terms = (names.terms.get(_key(match[0], names)) for match in names.find(block.content))
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
    for match in names.find(text):
        term = names.terms.get(_key(match[0], names))
        if term is None or term in linked:
            continue
        linked.add(term)
        context.terms_used[term] = None
        yield _text(token, text[done : match.start()])
        yield Token("term_open", "a", 1, attrs={"class": "gl", "href": f"#{term}"})
        yield _text(token, match[0])
        yield Token("term_close", "a", -1)
        done = match.end()
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
        forms += [form.lower() for form in forms]
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
        for match in names.find(token.content) if is_text else ():
            term = names.avoided.get(_key(match[0], names))
            if term is not None:
                hint = f'write "{term.name[context.lang]}", as {term.location.path.name} wants it'
                message = f'"{match[0]}" is not how this collection says it'
                where = context.at(*context.place.at(start + match.start()))
                context.report(where, "inconsistent-term", message, hint, "warning")
