"""The plain text of rendered HTML: what a reader sees of it, in one line, to search in and to quote from."""

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
"""Drawings, the labels that a table's cells show only on phones, and the marks of footnotes."""
_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
_BLOCK_TAG = re.compile(
    r"</?(?:address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|figcaption|figure|h[1-6]|hr|li|ol|p|pre"
    r"|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?![a-zA-Z0-9-])[^>]*>"
)


def plain(html: str) -> str:
    """Sanitised HTML without its tags: words of different blocks stay apart, formulas are their characters."""
    text = _TAG.sub("", _BLOCK_TAG.sub(" ", _UNSEEN.sub("", html)))
    return " ".join(unescape(text).split())


def plain_sections(body: Body, lang: Lang, words_of: Callable[[Slot], str]) -> tuple[tuple[str, str], ...]:
    """Id and text (the heading first) of each section of a body in one language.

    `words_of` tells what a slot shows, as HTML. The text before the first heading has the id `lead`, footnotes have
    `footnotes`; a part without text is left out.
    """
    half = body.halves.get(lang)
    if half is None:
        return ()
    parts = [(LEAD, half.lead)]
    for section in body.sections:
        words = section.halves.get(lang)
        if words is not None:
            parts.append((section.id, f"<p>{words.heading}</p>{words.html}"))
    parts.append(("footnotes", half.footnotes))
    texts = ((name, plain(fill(html, half.slots, words_of))) for name, html in parts)
    return tuple((name, text) for name, text in texts if text)
