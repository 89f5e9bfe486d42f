"""Titles of boxes: a heading, a label such as `Note:`, the number of a theorem."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from paper_notes.document import nodes
from paper_notes.features.importing.html.inlines import inlines, on_one_line, plain
from paper_notes.features.importing.html.page import Inlines, Page
from paper_notes.features.importing.html.tree import BLOCKS, HEADINGS, HtmlNode
from paper_notes.patterns import regex
from paper_notes.values import replace

CALLOUTS = frozenset("note warning caveat tip intuition important caution".split())
_SHORT = 20
"""A label has no more characters."""
THEOREMS = frozenset("theorem lemma proposition corollary definition example".split())
_NUMBERED = regex(
    r"\s*(?:定理|引理|命题|推论|定义|例|Theorem|Lemma|Proposition|Corollary|Definition|Example)\s*(\d{1,4})"
    r"\s*(?:[（(]([^()（）]+)[)）])?\s*[.。:：·]?\s*",
    re.IGNORECASE,
)


def theorem(page: Page, element: HtmlNode, name: str, counted: Counter[str]) -> tuple[str, Inlines, Sequence[HtmlNode]]:
    """The component, title and content of a theorem: a card if the number that it has is not the next one."""
    first, *rest = element.content or [HtmlNode()]
    if first.tag == "p" and first.content:  # LaTeX by way of pandoc: <p><strong>Lemma 1</strong>. Words
        lead, *after = first.content
        if after and not after[0].tag and (words := after[0].words.lstrip())[:1] in (".", ":", "。", "："):
            after = [replace(after[0], words=words[1:].lstrip()), *after[1:]]
        first, rest = lead, [replace(first, children=after), *rest]
    said = _NUMBERED.fullmatch(first.text()) if first.tag in ("strong", "b", "em", "i") else None
    is_foreign = said and said[0].strip().isascii() != (page.lang == "en")
    counter = name if name in ("definition", "example") else "theorem"
    if said and (is_foreign or counted[counter] + 1 != int(said[1])):
        return "card", (), element.children
    counted[counter] += 1
    return (name, (nodes.Text(said[2]),) if said[2] else (), rest) if said else (name, (), element.children)


def title_of(page: Page, element: HtmlNode) -> tuple[Inlines, Sequence[HtmlNode]]:
    """The title of a box, empty if it has none, and the rest of it."""
    content = element.content
    if len(content) > 1 and _is_title(page, first := content[0]):
        lines = first.content[0] if [inner.tag for inner in first.content] == ["p"] else first
        parts = inlines(page, lines.children)
        if plain(parts) and not any(isinstance(part, nodes.Image) for part in parts):
            return on_one_line(parts), content[1:]
    return (), element.children


def label_of(element: HtmlNode) -> tuple[Inlines, Sequence[HtmlNode]]:
    """The bold words with a colon that a box begins with, `Note:`, which are its title, and the rest of it."""
    first = next(iter(element.content), HtmlNode())
    holder = first if first.tag == "p" else element
    lead, *after = [*holder.content, HtmlNode()]
    said = lead.text().strip() if lead.tag in ("strong", "b") and not any(part.tag for part in lead.children) else ""
    behind = after[0].words.lstrip() if after and not after[0].tag else ""
    if not said or len(said) > _SHORT or not (said[-1] in ":：" or behind[:1] in (":", "：")):
        return (), element.children
    rest = holder.children[next(at for at, node in enumerate(holder.children) if node is lead) + 1 :]
    if behind[:1] in (":", "：") and rest[0] is after[0]:
        rest = [replace(rest[0], words=behind[1:]), *rest[1:]]
    if not any(node.text().strip() for node in rest):
        return (), element.children
    title = (nodes.Text(said.rstrip(":： ")),)
    others = element.children[next(at for at, node in enumerate(element.children) if node is first) + 1 :]
    return title, rest if holder is element else [replace(first, children=rest), *others]


def _is_title(page: Page, first: HtmlNode) -> bool:
    """Whether the first element of a box is its title."""
    if (
        first.tag in HEADINGS
        or page.role(first) == "caption"
        or (page.role(first) == "strong" and not first.first(*BLOCKS - {"p"}))
    ):
        return True
    is_bold = [inner.tag in ("strong", "b") for inner in first.content] == [True]
    return first.tag in ("p", "div") and not first.classes and is_bold
