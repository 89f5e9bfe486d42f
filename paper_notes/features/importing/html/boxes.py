"""Boxes of a page as components: cards, callouts, key numbers, quotations, what is folded away, contents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paper_notes.features.importing.html.classes import meaning_of
from paper_notes.features.importing.html.elements import BLOCKS, HEADINGS
from paper_notes.features.importing.html.headings import bare_words
from paper_notes.features.importing.html.inline import Inline, Picture, plain
from paper_notes.features.importing.html.lists import Inner, beside, indented
from paper_notes.features.importing.html.page import Page
from paper_notes.features.importing.html.tree import Element, Node, Text
from paper_notes.features.importing.html.words_of import inline
from paper_notes.features.importing.html.writing import paragraph, term, title
from paper_notes.markdown.syntax.components import COMPONENTS


def component(page: Page, name: str, heading: str, blocks: Sequence[str], block_id: str = "") -> list[str]:
    """A component of ours around blocks."""
    options = f" {{#{block_id}}}" if block_id else ""
    opening = " ".join(filter(None, [f":::{name}", heading])) + options
    return [f"{opening}\n" + "\n\n".join(blocks) + "\n:::"] if blocks else [f"{opening}\n:::"]


def box(page: Page, element: Element, name: str, inner: Inner) -> list[str]:
    """A box; a heading at its beginning is its title."""
    heading, rest = _title_of(page, element)
    if heading:
        page.write(heading)
    blocks = inner(page, rest)
    shown = title(heading, page.lang) if heading else ""
    if not blocks and not shown:
        return []
    if name in COMPONENTS:
        return component(page, name, shown, blocks)
    blocks = [*([f"**{shown}**"] if shown else []), *blocks]
    return [quoted("\n\n".join(blocks))]


def quoted(text: str) -> str:
    """The lines of a quotation."""
    text = re.sub(r"^\[!", r"\\[!", text)
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _title_of(page: Page, element: Element) -> tuple[tuple[Inline, ...], list[Node]]:
    """The title of a box, empty if it has none, and the rest of it."""
    children = list(element.children)
    place = next((at for at, child in enumerate(children) if isinstance(child, Element) or child.words.strip()), -1)
    first = children[place] if place >= 0 else None
    if not isinstance(first, Element) or not _names(page, first, children[place + 1 :]):
        return (), children
    parts = inline(page, first.children)
    if not plain(parts) or any(isinstance(part, Picture) for part in parts):
        return (), children
    return parts, children[place + 1 :]


def _names(page: Page, first: Element, rest: Sequence[Node]) -> bool:
    """Whether the first element of a box is its title."""
    if not any(isinstance(child, Element) or child.words.strip() for child in rest):
        return False
    if first.tag in HEADINGS:
        return True
    found = meaning_of(first, page.table)
    if found and found.role == "strong" and not any(one.tag in BLOCKS for one in first.elements() if one is not first):
        return True
    alone = [child for child in first.children if isinstance(child, Element) or child.words.strip()]
    bold = len(alone) == 1 and isinstance(alone[0], Element) and alone[0].tag in ("strong", "b")
    return first.tag in ("p", "div") and not first.classes and bold


def stats(page: Page, element: Element, inner: Inner) -> list[str]:
    """Key numbers, each with what it means."""
    pairs: list[tuple[tuple[Inline, ...], tuple[Inline, ...]]] = []
    for child in element.children:
        if isinstance(child, Text):
            if child.words.strip():
                return beside(page, element.children, inner)
            continue
        parts = [one for one in child.children if isinstance(one, Element) or one.words.strip()]
        simple = len(parts) == 2 and not any(_is_deep(one) for one in parts)
        if not simple:
            return beside(page, element.children, inner)
        for one in parts:
            if isinstance(one, Element):
                page.meaning(one, "stat")
        first, second = (
            inline(page, one.children if isinstance(one, Element) and one.tag in BLOCKS else [one]) for one in parts
        )
        if not plain(first) or not plain(second):
            return beside(page, element.children, inner)
        pairs.append((first, second))
    if not pairs:
        return []
    lines = []
    for first, second in pairs:
        page.write(first)
        page.write(second)
        lines.append(f"{term(first, page.lang)}\n: {indented(paragraph(second, page.lang), 2)}")
    return component(page, "stats", "", lines)


def _is_deep(node: Node) -> bool:
    return isinstance(node, Element) and any(
        one.tag in BLOCKS or one.tag == "drawing" for one in node.elements() if one is not node
    )


def quote(page: Page, element: Element, inner: Inner) -> list[str]:
    """A quotation; its source at the end stands below it."""
    children = [child for child in element.children if isinstance(child, Element) or child.words.strip()]
    last = children[-1] if len(children) > 1 else None
    if isinstance(last, Element) and (
        last.tag in ("cite", "footer") or ((found := meaning_of(last, page.table)) and found.role == "source")
    ):
        blocks = inner(page, element.children[: element.children.index(last)])
        parts = inline(page, last.children)
        if blocks and plain(parts):
            page.write(parts)
            return component(page, "quote", title(parts, page.lang), blocks)
        blocks += inner(page, [last])
        return [quoted("\n\n".join(blocks))] if blocks else []
    blocks = inner(page, element.children)
    return [quoted("\n\n".join(blocks))] if blocks else []


def details(page: Page, element: Element, inner: Inner) -> list[str]:
    """What is folded away."""
    summary = next((child for child in element.children if isinstance(child, Element) and child.tag == "summary"), None)
    heading: tuple[Inline, ...] = ()
    if summary is not None:
        nodes: list[Node] = []
        for child in summary.children:
            nodes += child.children if isinstance(child, Element) and child.tag in BLOCKS else [child]
        heading = tuple(part for part in inline(page, nodes) if not isinstance(part, Picture))
        page.write(heading)
    blocks = inner(page, [child for child in element.children if child is not summary])
    return component(page, "details", title(heading, page.lang) if plain(heading) else "", blocks)


def contents(page: Page, element: Element, inner: Inner) -> list[str]:
    """A table of contents: left out where it only repeats the headings, else folded away."""
    links = [one for one in element.elements() if one.tag == "a"]
    inside = [one for one in links if one.attributes.get("href", "").startswith("#")]
    if not inside or len(inside) < len(links):
        return beside(page, element.children, inner)
    entries = {bare_words(_words(one)) for one in inside}
    if entries <= page.titles:
        page.tell("contents", "a table of contents that repeats the headings: the page makes its own", element)
        page.left_out.add((element.line, element.column))
        return []
    heading, rest = _title_of(page, element)
    if not heading:
        heading, rest = _bold_start(page, element)
    page.write(heading)
    page.tell("contents", "a table of contents in words of its own is folded away: the page makes another one", element)
    return component(page, "details", title(heading, page.lang) if heading else "", inner(page, rest))


def _bold_start(page: Page, element: Element) -> tuple[tuple[Inline, ...], list[Node]]:
    """A title in bold before a list."""
    place = next(
        (at for at, child in enumerate(element.children) if isinstance(child, Element) or child.words.strip()), -1
    )
    first = element.children[place] if place >= 0 else None
    if isinstance(first, Element) and first.tag in ("strong", "b", "span"):
        parts = inline(page, first.children)
        return (parts if plain(parts) else ()), element.children[place + 1 :]
    return (), element.children


def _words(node: Node) -> str:
    return node.words if isinstance(node, Text) else "".join(map(_words, node.children))
