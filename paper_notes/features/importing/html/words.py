"""The visible words of a page, in order, taken from its source by other means than its tree."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from html.parser import HTMLParser
from types import MappingProxyType

from paper_notes.features.importing.html.tree import BLOCKS, HEADINGS, KNOWN, MATHJAX, MATHML, TOOLS, VOID
from paper_notes.markdown.figures.svg import ELEMENTS

_UNSEEN = frozenset("script style template noscript title desc metadata iframe".split())
"""Elements whose text is not shown; `title` and `desc` are those of drawings, too."""
_TAGS = KNOWN | {name.lower() for name in ELEMENTS} | {"image", "foreignobject", "metadata"}
_TEX_COMMENT = re.compile(r"(?<!\\)%[^\n]*|\\displaystyle\b|<!\[CDATA\[|\]\]>")
_MATH_END = "\u2009"
"""A thin space: no word of a page ends with it alone."""
_APART = BLOCKS | {"br", "text", "tspan", "svg"}


def visible_words(
    source: str,
    instead: Mapping[tuple[int, int], str] = MappingProxyType({}),
    counted: Collection[tuple[int, int]] = (),
) -> str:
    """The text that readers of a page see, one line a block; at places (from 1) of elements words `instead`.

    Headings at the places `counted` lose the number that they begin with: our pages count by themselves.

    The title comes first, as in our pages, whatever stands above it.
    """
    has_scripts = bool(re.search(r"type\s*=\s*[\"']?math/tex", source, re.IGNORECASE))
    collector = _Collector(instead, counted, has_scripts=has_scripts)
    collector.feed(source)
    collector.close()
    lines = (" ".join(line.split()) for line in "".join([*collector.title, "\n", *collector.shown]).split("\n"))
    return "\n".join(line for line in lines if line)


_NUMBER = re.compile(r"\s*(?:§\s*)?\d[\d.]*")
_END = re.compile(r"</?([a-z][\w-]*)[^<>]*>?(?!^)", re.IGNORECASE)
"""A tag inside of what begins like another one: `x <y of it</p>`."""


class _Collector(HTMLParser):
    def __init__(
        self, instead: Mapping[tuple[int, int], str], counted: Collection[tuple[int, int]], *, has_scripts: bool
    ) -> None:
        super().__init__(convert_charrefs=True)
        self.instead, self.counted, self.has_scripts = instead, counted, has_scripts
        self.in_number = False
        """Whether the next words begin with a number to leave out."""
        self.shown: list[str] = []
        self.title: list[str] = []
        """The words of the first `<h1>`."""
        self.titles = 0
        """1 within it, 2 after it."""
        self.math = 0
        """Where the words of the last formula begin."""
        self.in_tex = False
        self.hidden: list[str] = []
        """The open elements from the outermost hidden one on."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line, column = self.getpos()
        if not self.hidden and self.in_formula(tag, {name: value or "" for name, value in attrs}):
            return
        if tag in HEADINGS:
            self.in_number = (line, column + 1) in self.counted
        if tag == "h1" and self.titles == 0:
            self.titles = 1
        elif tag in BLOCKS and self.titles == 1:
            self.titles = 2
        if self.hidden:
            if tag not in VOID:
                self.hidden.append(tag)
        elif tag in _UNSEEN or (line, column + 1) in self.instead:
            self.shown.append(f"\n{self.instead.get((line, column + 1), '')}\n")
            self.hidden.append(tag)
        elif tag not in _TAGS and not tag.startswith(TOOLS):
            self.shown.append(
                _END.sub(lambda end: "\n" if end[1].lower() in KNOWN else end[0], self.get_starttag_text() or "")
            )
        elif tag in _APART:
            self.shown.append("\n")

    def in_formula(self, tag: str, attributes: dict[str, str]) -> bool:
        """Whether a tag is of a formula that the page had set, whose words count once: as its TeX if that is there."""
        classes = set(attributes.get("class", "").split())
        if tag == "script" and attributes.get("type", "").startswith("math/tex"):
            self.shown.append(" ")
            self.in_tex = True
            return True
        if tag == "math" or tag.startswith("mjx-"):
            if tag == "math":
                self.shown.append(" ")
                self.math = len(self.shown)
            elif tag in ("mjx-math", "mjx-speech"):
                self.hidden.append(tag)
            return True
        if tag in ("annotation", "annotation-xml", "mphantom"):
            if attributes.get("encoding") == "application/x-tex":
                del self.shown[self.math :]
                self.in_tex = True
            else:
                self.hidden.append(tag)
            return True
        if (classes & MATHJAX and self.has_scripts) or ("katex-html" in classes and self.after_math()):
            self.hidden.append(tag)
            return True
        if tag in MATHML:
            self.shown.append(" ")
            return True
        return False

    def after_math(self) -> bool:
        """Whether nothing has been said since a formula."""
        return 0 < self.math <= len(self.shown) and self.shown[-1] == _MATH_END

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.hidden and tag in _APART:
            self.shown.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self.hidden:
            if tag in self.hidden:
                while self.hidden.pop() != tag:
                    pass
        elif tag in ("math", "script"):
            self.in_tex = False
            self.shown.append(_MATH_END)
        elif tag in MATHML or tag.startswith(("mjx-", "annotation")):
            return
        elif tag not in _TAGS and not tag.startswith(TOOLS):
            self.shown.append(f"</{tag}>")
        elif tag in HEADINGS and self.titles == 1:
            self.titles = 2
        elif tag in _APART:
            self.shown.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            data = _TEX_COMMENT.sub("", data) if self.in_tex else data
            if self.in_number and data.strip():
                data, self.in_number = _NUMBER.sub("", data, count=1), False
            (self.title if self.titles == 1 else self.shown).append(data)
