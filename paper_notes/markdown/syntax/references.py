"""References in words: citations, `[@key]` with words and places, and `#15` where `[[#15]]` may be meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from paper_notes.markdown.body import Slot
from paper_notes.markdown.context import Context
from paper_notes.patterns import regex
from paper_notes.typography import CJK
from paper_notes.values import Struct

_BEFORE = rf"(?:(?=[^\[\]\n@]*[^\W\d_])[^\[\]\n@]*?[\s{CJK}])"
"""Words before a citation. They end with a space or a CJK character, which `me@example.org` lacks, and hold a letter:
`[2020 @Facebook]` is a date and a place."""
NO_ADDRESS = r"(?!\(\s*<?(?:https?://|mailto:|www\.|#|\.{0,2}/))"
"""What makes brackets the text of a link does not follow."""
_CITE = regex(rf"\[(?:(-?@[^\[\]\n]+)\]{NO_ADDRESS}|({_BEFORE}-?@[^\[\]\n]+)\](?![({{]))")
"""A citation. `[@name](https://...)` is a link. One with words before it must not be the text of a mark either."""
_LABEL = (
    r"(?:pp?|pages?|sect?s?|sections?|§§?|¶|ch|chaps?|chapters?|figs?|figures?|tabs?|tables?|eqs?|eqns?|equations?"
    r"|apps?|appx|appendix|appendices|algs?|algorithms?|thms?|theorems?|lemmas?|props?|defs?|definitions?|ll?|lines?"
    r"|vols?|no|nos|n|notes?)(?![^\W\d_])\.?|第|[图圖図表式]|[公数數]式|附[录錄]|付録|算法|演算法|アルゴリズム|定理|引理|補題"
    r"|命[题題]|定[义義]|[脚腳][注註]"
)
"""A word that names a place in a paper."""
_CITED = regex(
    rf"({_BEFORE}?)((-)?@([\w:.+/-]*\w)(?:\s*[,，、]\s*(.*)|\s+((?:(?i:{_LABEL})|\d).*))?)",
)
"""One citation of a stripped text: words before, the citation, its minus and key, and its place.

The place follows a comma, or a space if it looks like a place.
"""
_SPACED = regex(rf"^((?:{_LABEL})) +(?=\S)", re.IGNORECASE)
_PAGES = regex(r"^((?:pp?|pages?)\.?\s*\d+|第?\s*\d+)\s*-{1,2}\s*(\d+\s*(?:[页頁]|ページ)?$)", re.IGNORECASE)


class CitedPaper(Struct, frozen=True):
    """One paper of a citation."""

    key: str
    before: str = ""
    """Words before it."""
    locator: str = ""
    """The place in it, such as `Table 2`."""
    without_author: bool = False


def citation(state: StateInline, silent: bool) -> bool:
    """The inline rule for citations: a token with its papers, each with its offset in the token."""
    match = _CITE.match(state.src, state.pos, state.posMax)
    if not match or state.linkLevel > 0:
        return False
    offset = 1
    papers = []
    for part in re.split("[;；]", match[1] or match[2]):
        cited = _CITED.fullmatch(part.strip())
        if not cited:
            return False
        paper = CitedPaper(cited[4], cited[1], cited[5] or cited[6] or "", bool(cited[3]))
        papers.append((paper, offset + len(part) - len(part.lstrip()) + cited.start(2)))
        offset += len(part) + 1
    if not silent:
        state.push("citation", "", 0).meta["papers"] = tuple(papers)
    state.pos = match.end()
    return True


def resolve_citation(context: Context, token: Token) -> None:
    """Make the token of a citation a slot for each paper, all in brackets; words before stay as they are."""
    parts = []
    shown: list[str | Slot] = []
    for paper, offset in token.meta["papers"]:
        where = context.locate_token(token, offset)
        slot = context.slot("cite", paper.key, _locator(paper.locator), where, bare=paper.without_author)
        parts.append(escape(paper.before) + slot)
        shown += ["; " if shown else "", paper.before, context.slots[-1]]
    token.type, token.content = "slot", f'<span class="cites">[{"; ".join(parts)}]</span>'
    token.info, token.meta["shown"] = "cite", tuple(shown)


def _locator(text: str) -> str:
    """A place in a paper for display: a label stays on the line of its number, and pages are joined by a dash."""
    return _SPACED.sub("\\1\u00a0", _PAGES.sub(r"\1–\2", text))


_NAMING = (
    r"(?:(?<![A-Za-z])(?:notes?|see(?: also)?|cf\.?|compare|(?:as|explained|described|shown|covered|derived) in)"
    r"|[见見]|参考|參考|参照|參照|对照|對照|[读讀]|[笔筆][记記]|ノート|メモ)"
)
"""Words that say of a number after them that it is a note's: ranks, issues, colours and `Set #2` have others."""
_LIST = r"(?:#\d+\s*(?:[,、，/&-]|and|or|和|[与與]|及|或|と)?\s*)*"
_A_NOTE_BEFORE = regex(rf"{_NAMING}[\s:：(（“\"]*{_LIST}$", re.IGNORECASE)
_A_NOTE_AFTER = regex(r"\s*(?:を?参照|のノート|のメモ|[号號篇](?:的)?[笔筆][记記])")
_REACH = 200
"""How many characters before a number are searched for such words."""
_NUMBER = regex(r"(?:(?<![A-Za-z0-9_#&=?.:/@-])|(?<=\d[/-]))#(\d{1,5})(?![A-Za-z0-9_-]|\.\d)")
"""Six digits and more are a colour. Chinese and Japanese may touch the number on both sides."""
_RANGE = regex(r"#(\d{1,5})(?=-#\d)")
_ADDRESS = regex(r"https?://[!-~]+|[\w.-]+/[\w.-]+#\d+")


def plain_references(context: Context, tokens: Iterable[Token]) -> None:
    r"""Add a slot of kind `plain` for each number in the text of a block; the corpus knows whether it is a note's.

    Code, formulas, links and addresses are skipped, and so is `\#15`.
    """
    if "#" not in context.place.text:
        return
    words, cursor, depth = "", 0, 0
    for token in tokens:
        if token.type == "text" and not depth:
            start = len(words)
            words += token.content
            cursor = _found_in(context, words, start, cursor)
            continue
        depth += token.nesting if token.type in ("link_open", "link_close") else 0
        words += "\n" if token.type in ("softbreak", "hardbreak") else "\0" if not token.nesting else ""
        if "at" in token.meta:
            cursor = max(cursor, token.meta["at"][1] + len(token.content))
        if token.type == "link_open":
            address = str(token.attrs.get("href", ""))
            cursor = max(cursor, context.place.text.find(address, cursor) + len(address))


def _found_in(context: Context, words: str, start: int, cursor: int) -> int:
    """Add slots for numbers in `words` from `start` on. Gives `cursor`: how far the block's text has been read."""
    inside = {place for match in _ADDRESS.finditer(words, start) for place in range(*match.span())}
    matches = {match.start(): match for pattern in (_NUMBER, _RANGE) for match in pattern.finditer(words, start)}
    for place, match in sorted(matches.items()):
        at = context.place.text.find(match[0], cursor)
        if at < 0:
            continue
        cursor = at + len(match[0])
        before = _A_NOTE_BEFORE.search(words, max(0, place - _REACH), place)
        if place not in inside and (before or _A_NOTE_AFTER.match(words, match.end())):
            context.slot("plain", match[0], "", context.at(*context.place.at(at)))
    return cursor
