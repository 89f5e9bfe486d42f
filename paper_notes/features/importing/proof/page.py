"""The words of a note's page as it is built, in one language."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from paper_notes.features.importing.proof.visible import visible, words_of

_CITATION = re.compile(r'<a class="cite" href="#ref-([^"]+)"[^>]*>[^<]*</a>')
_FRAME = {"a": ("anchor",), "small": ("stale", "drafted"), "p": ("none",), "span": ("th", "vh")}
"""Elements and classes of the template for what no author has written: signs of headings, what is
said of missing languages, and heads of columns, which cells of a table repeat for phones."""


@dataclass(frozen=True)
class PageWords:
    """What a reader of a page sees of a note."""

    words: tuple[str, ...]
    """Of title, text and footnotes, with the numbers of sections."""
    tips: tuple[str, ...] = ()
    """Of pictures, and beside the pointer: words of each as `spaced` gives them."""
    headings: tuple[str, ...] = ()
    """As the tips."""


def page_words(html: str, others: Sequence[str], keys: Mapping[str, str] = MappingProxyType({})) -> PageWords:
    """The words of a built page. `others` are the languages of the site that are not that of the original.

    A citation counts as the key of the paper that it leads to, as the original writes that: `keys` are by those here.
    """
    html = _CITATION.sub(lambda cited: keys.get(cited[1], cited[1]), html) if keys else html
    start, end = html.find("<h1"), html.rfind("</article>")
    title, header = html.find("</h1>", start) + 5, html.find("</header>", start)

    def is_unseen(name: str, classes: Collection[str], attributes: str) -> bool:
        frame = _FRAME.get(name, ())
        return any(own in frame or (own in others and "lang=" in attributes) for own in classes)

    pieces = [*visible(html[start:title] + html[header:end], is_unseen=is_unseen)]
    return PageWords(
        tuple(word for piece in pieces if not piece.is_tip for word in words_of(piece.text)),
        tuple(spaced(words_of(piece.text)) for piece in pieces if piece.is_tip),
        tuple(spaced(words_of(piece.text)) for piece in pieces if piece.level),
    )


def spaced(words: Sequence[str]) -> str:
    """The words with a blank before and behind each, so that some of them are found only whole."""
    return f" {'  '.join(words)} "
