"""The visible words of a page, in order, taken from its source by other means than its tree."""

from __future__ import annotations

import re
from collections.abc import Collection
from html.parser import HTMLParser

from paper_notes.foreign.html.elements import BLOCKS, KNOWN, VOID

_UNSEEN = frozenset("script style template noscript title desc metadata iframe".split())
"""Elements whose text is not shown; `title` and `desc` are those of drawings, too."""
_DRAWN = frozenset(
    "svg g defs symbol use switch marker lineargradient radialgradient stop clippath mask pattern filter path rect"
    " circle ellipse line polyline polygon text tspan textpath animate animatetransform animatemotion mpath set image"
    " foreignobject title desc metadata".split()
)
_APART = BLOCKS | {"br", "text", "tspan", "svg"}


def visible_words(source: str, without: Collection[tuple[int, int]] = ()) -> str:
    """The text that readers of a page see, one line a block; `without` the elements at these places (from 1)."""
    collector = _Collector(frozenset(without))
    collector.feed(source)
    collector.close()
    lines = (" ".join(line.split()) for line in "".join(collector.found).split("\n"))
    return "\n".join(line for line in lines if line)


_END = re.compile(r"</?([a-z][\w-]*)[^<>]*>?(?!^)", re.IGNORECASE)
"""A tag inside of what begins like another one: `x <y of it</p>`."""


def _unless_known(found: re.Match[str]) -> str:
    return "\n" if found[1].lower() in KNOWN else found[0]


class _Collector(HTMLParser):
    def __init__(self, without: frozenset[tuple[int, int]]) -> None:
        super().__init__(convert_charrefs=True)
        self.without = without
        self.found: list[str] = []
        self.hidden: list[str] = []
        """The open elements from the outermost hidden one on."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line, column = self.getpos()
        if self.hidden:
            if tag not in VOID:
                self.hidden.append(tag)
        elif tag in _UNSEEN or (line, column + 1) in self.without:
            self.hidden.append(tag)
        elif tag not in KNOWN | _DRAWN:
            self.found.append(_END.sub(_unless_known, self.get_starttag_text() or ""))
        elif tag in _APART:
            self.found.append("\n")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.hidden and tag in _APART:
            self.found.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self.hidden:
            if tag in self.hidden:
                while self.hidden.pop() != tag:
                    pass
        elif tag not in KNOWN | _DRAWN:
            self.found.append(f"</{tag}>")
        elif tag in _APART:
            self.found.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.found.append(data)
