"""The visible text of rendered HTML in one line, for the search and for quotations."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

from paper_notes.corpus.model import Lang
from paper_notes.markdown.body import LEAD, Body, Slot, fill

_UNSEEN = re.compile(
    r'<svg\b.*?</svg>|<span class="th">.*?</span>'
    r'|<sup class="footnote-ref">.*?</sup>|<a\b[^>]*\bclass="footnote-backref"[^>]*>.*?</a>',
    re.DOTALL,
)
"""Drawings, labels in cells of tables that only phones show, and marks of footnotes: not part of the text."""
_CELL_END = re.compile(r"</(?:td|th|dd)>")
_TERM_END = re.compile(r"[:：]?</dt>")
_CELLS = re.compile("(?: \ufdd2)+(?: |$)")
"""Ends of cells, marked by a noncharacter, which sources cannot hold."""
_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
_BLOCK_TAG = re.compile(
    r"</?(?:address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|figcaption|figure|h[1-6]|hr|li|ol|p|pre"
    r"|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?![a-zA-Z0-9-])[^>]*>"
)


def plain(html: str) -> str:
    """Sanitised HTML without its tags: words of different blocks are separated, formulas are their characters.

    Cells of a table and entries of a definition list are separated by dots.
    """
    html = _UNSEEN.sub("", html)
    cells = "</td>" in html or "</dd>" in html
    if cells:
        html = _TERM_END.sub(": ", _CELL_END.sub(" \ufdd2 ", html))
    text = " ".join(unescape(_TAG.sub("", _BLOCK_TAG.sub(" ", html))).split())
    return _CELLS.sub(" · ", text).removesuffix(" · ") if cells else text


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
