"""Boxes of a page as components: cards, callouts, figures, key numbers, quotations, what is folded away, contents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from paper_notes.document import nodes
from paper_notes.document.nodes import Block
from paper_notes.features.importing.html.classes import meaning_of
from paper_notes.features.importing.html.headings import bare_words
from paper_notes.features.importing.html.inlines import inlines, on_one_line, paragraph, plain
from paper_notes.features.importing.html.page import Inlines, Page
from paper_notes.features.importing.html.tree import BLOCKS, HEADINGS, PICTURES, HtmlElement, HtmlText, Node
from paper_notes.markdown.syntax.components import COMPONENTS

Inside = Callable[[Sequence[Node]], list[Block]]
"""Reads the blocks inside of another one."""


def beside(page: Page, content: Sequence[Node], inside: Inside) -> list[Block]:
    """The blocks of nodes that no block of ours is around after all."""
    page.depth -= 1
    blocks = inside(content)
    page.depth += 1
    return blocks


def box(page: Page, element: HtmlElement, name: str, inside: Inside) -> list[Block]:
    """A box; a heading at its beginning is its title."""
    title, rest = _title_of(page, element)
    blocks = inside(rest)
    if not blocks and not title:
        return []
    if name in COMPONENTS:
        return [nodes.Component(name, title, tuple(blocks))]
    head = [nodes.Paragraph((nodes.Strong(title),))] if title else []
    return [nodes.Quote((*head, *blocks))]


def _title_of(page: Page, element: HtmlElement) -> tuple[Inlines, Sequence[Node]]:
    """The title of a box, empty if it has none, and the rest of it."""
    first, rest = _first(element)
    if first and _is_title(page, first, rest):
        parts = inlines(page, first.children)
        if plain(parts) and not any(isinstance(part, nodes.Image) for part in parts):
            return on_one_line(parts), rest
    return (), element.children


def _first(element: HtmlElement) -> tuple[HtmlElement | None, Sequence[Node]]:
    """The element that a box begins with, and what follows it."""
    content = _seen(element)
    if content and isinstance(first := content[0], HtmlElement):
        return first, element.children[element.children.index(first) + 1 :]
    return None, element.children


def _seen(element: HtmlElement) -> list[Node]:
    return [child for child in element.children if isinstance(child, HtmlElement) or child.words.strip()]


def _is_title(page: Page, first: HtmlElement, rest: Sequence[Node]) -> bool:
    """Whether the first element of a box is its title."""
    if not any(isinstance(child, HtmlElement) or child.words.strip() for child in rest):
        return False
    if first.tag in HEADINGS:
        return True
    meaning = meaning_of(first, page.table)
    if meaning and meaning.role == "strong" and not _is_deep(first):
        return True
    alone = _seen(first)
    is_bold = len(alone) == 1 and isinstance(alone[0], HtmlElement) and alone[0].tag in ("strong", "b")
    return first.tag in ("p", "div") and not first.classes and is_bold


def _is_deep(element: Node, *tags: str) -> bool:
    """Whether there are blocks inside of an element, or one of these."""
    return isinstance(element, HtmlElement) and bool(element.first(*BLOCKS, *tags))


def stats(page: Page, element: HtmlElement, inside: Inside) -> list[Block]:
    """Key numbers, each with what it means."""
    entries: list[nodes.Term | nodes.Definition] = []
    for child in _seen(element):
        parts = _seen(child) if isinstance(child, HtmlElement) else []
        if len(parts) != 2 or any(_is_deep(part, "drawing") for part in parts):
            return beside(page, element.children, inside)
        for part in parts:
            if isinstance(part, HtmlElement):
                page.meaning(part, "stat")
        number, words = (
            inlines(page, part.children if isinstance(part, HtmlElement) and part.tag in BLOCKS else [part])
            for part in parts
        )
        if not plain(number) or not plain(words):
            return beside(page, element.children, inside)
        entries += [nodes.Term(on_one_line(number)), nodes.Definition((paragraph(words),))]
    return [nodes.Component("stats", (), (nodes.DefinitionList(tuple(entries)),))] if entries else []


def quote(page: Page, element: HtmlElement, inside: Inside) -> list[Block]:
    """A quotation; its source at the end stands below it."""
    content = _seen(element)
    last = content[-1] if len(content) > 1 else None
    if isinstance(last, HtmlElement) and _is_source(page, last):
        blocks = inside([child for child in element.children if child is not last])
        source = on_one_line(inlines(page, last.children))
        if blocks and plain(source):
            return [nodes.Component("quote", source, tuple(blocks))]
        blocks += inside([last])
    else:
        blocks = inside(element.children)
    return [nodes.Quote(tuple(blocks))] if blocks else []


def _is_source(page: Page, element: HtmlElement) -> bool:
    meaning = meaning_of(element, page.table)
    return element.tag in ("cite", "footer") or bool(meaning and meaning.role == "source")


def details(page: Page, element: HtmlElement, inside: Inside) -> list[Block]:
    """What is folded away."""
    summary = next(iter(element.elements_of("summary")), None)
    title: Inlines = ()
    if summary is not None:
        content: list[Node] = []
        for child in summary.children:
            content += child.children if isinstance(child, HtmlElement) and child.tag in BLOCKS else [child]
        title = on_one_line([part for part in inlines(page, content) if not isinstance(part, nodes.Image)])
    blocks = inside([child for child in element.children if child is not summary])
    return [nodes.Component("details", title if plain(title) else (), tuple(blocks))]


def contents(page: Page, element: HtmlElement, inside: Inside) -> list[Block]:
    """A table of contents: left out where it only repeats the headings, else folded away."""
    links = [inner for inner in element.elements() if inner.tag == "a"]
    local = [link for link in links if link.attributes.get("href", "").startswith("#")]
    if not local or len(local) < len(links):
        return beside(page, element.children, inside)
    if {bare_words(link.text()) for link in local} <= page.titles:
        page.tell("contents", "a table of contents that repeats the headings: the page makes its own", element)
        page.left_out.add((element.line, element.column))
        return []
    title, rest = _title_of(page, element)
    first, others = _first(element)
    if not title and first and first.tag in ("strong", "b", "span"):
        title, rest = on_one_line(inlines(page, first.children)), others
    page.tell("contents", "a table of contents in words of its own is folded away: the page makes another one", element)
    return [nodes.Component("details", title if plain(title) else (), tuple(inside(rest)))]


# Figures


def lone(page: Page, element: HtmlElement, said: str = "") -> list[Block]:
    """A picture as a paragraph of its own; a drawing that cannot be one as a block of its words."""
    blocks: list[Block] = []
    for part in page.picture(element, said or page.last_heading):
        if isinstance(part, nodes.Text) and element.tag == "drawing":
            blocks.append(nodes.CodeBlock(part.text, "text"))
        else:
            blocks.append(nodes.Paragraph((part,)))
    return blocks


def figure(page: Page, element: HtmlElement, inside: Inside) -> list[Block]:
    """A numbered figure for each picture; the words after a picture are its caption."""
    content = _flat(page, element)
    places = [at for at, node in enumerate(content) if isinstance(node, HtmlElement) and node.tag in PICTURES]
    if not places:
        return beside(page, element.children, inside)
    blocks = beside(page, content[: places[0]], inside)
    for number, at in enumerate(places):
        picture = content[at]
        assert isinstance(picture, HtmlElement)
        caption = content[at + 1 : places[number + 1] if number + 1 < len(places) else len(content)]
        said = " ".join("".join(f"{node.text()} " for node in caption).split())
        pictures = lone(page, picture, said)
        block_id = page.ids.get(id(element), "") if number == 0 else ""
        others = any(isinstance(node, HtmlElement) and node.first(*PICTURES) for node in caption)
        match pictures:
            case [nodes.Paragraph((nodes.Image(),))] if (said or block_id) and not others:
                blocks.append(nodes.Component("figure", (), (*pictures, *inside(caption)), block_id))
            case _:
                blocks += [*pictures, *beside(page, caption, inside)]
    return blocks


def _flat(page: Page, element: HtmlElement) -> list[Node]:
    """What is inside, without the boxes around pictures and the element of the caption."""
    content: list[Node] = []
    for child in element.children:
        if isinstance(child, HtmlElement) and child.tag not in PICTURES:
            role = (meaning_of(child, page.table) or page.meaning(child)).role
            holds_picture = child.tag in ("figcaption", "p", "div", "a", "center") and child.first(*PICTURES)
            if role == "caption" or holds_picture:
                content += [*_flat(page, child), HtmlText("\n", child.line, child.column)]
                continue
        content.append(child)
    return content


BY_ROLE: Mapping[str, Callable[[Page, HtmlElement, Inside], list[Block]]] = {
    "stats": stats,
    "contents": contents,
    "figure": figure,
    "quote": quote,
    "details": details,
}
"""What reads the elements of a role."""
