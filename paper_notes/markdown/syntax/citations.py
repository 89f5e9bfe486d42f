"""`[@key]`: citations, with words before them, places in the paper after them, and without the author's name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from paper_notes.markdown.body import Slot
from paper_notes.markdown.context import Context
from paper_notes.typography import CJK

_BEFORE = rf"(?:(?=[^\[\]\n@]*[^\W\d_])[^\[\]\n@]*?[\s{CJK}])"
"""Words before a citation. They end with a space or a CJK character, which `me@example.org` lacks, and hold a letter:
`[2020 @Facebook]` is a date and a place."""
_CITE = re.compile(rf"\[(?:(-?@[^\[\]\n]+)\]|({_BEFORE}-?@[^\[\]\n]+)\](?![({{]))")
"""A citation. One with words before it must not be the text of a link or a mark."""
_LABEL = (
    r"(?:pp?|pages?|sect?s?|sections?|§§?|¶|ch|chaps?|chapters?|figs?|figures?|tabs?|tables?|eqs?|eqns?|equations?"
    r"|apps?|appx|appendix|appendices|algs?|algorithms?|thms?|theorems?|lemmas?|props?|defs?|definitions?|ll?|lines?"
    r"|vols?|no|nos|n|notes?)(?![^\W\d_])\.?|第|[图圖図表式]|[公数數]式|附[录錄]|付録|算法|演算法|アルゴリズム|定理|引理|補題"
    r"|命[题題]|定[义義]|[脚腳][注註]"
)
"""A word that names a place in a paper."""
_CITED = re.compile(
    rf"({_BEFORE}?)((-)?@([\w:.+/-]*\w)(?:\s*[,，、]\s*(.*)|\s+((?:{_LABEL}|\d).*))?)",
    re.IGNORECASE,
)
"""One citation of a stripped text: words before, the citation, its minus and key, and its place.

The place follows a comma, or a space if it looks like a place.
"""
_SPACED = re.compile(rf"^((?:{_LABEL})) +(?=\S)", re.IGNORECASE)
_PAGES = re.compile(r"^((?:pp?|pages?)\.?\s*\d+|第?\s*\d+)\s*-{1,2}\s*(\d+\s*(?:[页頁]|ページ)?$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CitedPaper:
    """One paper of a citation."""

    key: str
    before: str = ""
    """Words before it."""
    locator: str = ""
    """The place in it, such as `Table 2`."""
    without_author: bool = False


def citation(state: StateInline, silent: bool) -> bool:
    """The inline rule for citations: a token with its papers, each with its offset in the token."""
    found = _CITE.match(state.src, state.pos, state.posMax)
    if not found or state.linkLevel > 0:
        return False
    offset = 1
    papers = []
    for part in re.split("[;；]", found[1] or found[2]):
        cited = _CITED.fullmatch(part.strip())
        if not cited:
            return False
        paper = CitedPaper(cited[4], cited[1], cited[5] or cited[6] or "", bool(cited[3]))
        papers.append((paper, offset + len(part) - len(part.lstrip()) + cited.start(2)))
        offset += len(part) + 1
    if not silent:
        state.push("citation", "", 0).meta["papers"] = tuple(papers)
    state.pos = found.end()
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
