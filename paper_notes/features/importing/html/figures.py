"""Figures of a page: a picture and its caption."""

from __future__ import annotations

import re

from paper_notes.features.importing.html.boxes import component
from paper_notes.features.importing.html.classes import meaning_of
from paper_notes.features.importing.html.inline import Words
from paper_notes.features.importing.html.lists import Inner, beside
from paper_notes.features.importing.html.page import Page
from paper_notes.features.importing.html.pictures import picture
from paper_notes.features.importing.html.read_back import Letter
from paper_notes.features.importing.html.tree import Element, Node, Text
from paper_notes.features.importing.html.writing import paragraph

_PICTURES = frozenset({"drawing", "img"})
_TYPED_LABEL = re.compile(r"(?:Figure|Fig\.|[图圖図])\d+[:：.．、⋅|-]")
"""As `Letters` has what `captions.without_label` leaves out of a caption."""


def lone(page: Page, element: Element, said: str = "") -> list[str]:
    """A picture as a paragraph of its own; a drawing that cannot be one as a block of its words."""
    made: list[str] = []
    for part in picture(page, element, said or page.last_heading):
        if isinstance(part, Words) and element.tag == "drawing":
            page.letters.add(part.text, [])
            made.append(f"```text\n{part.text}\n```")
        else:
            page.write((part,))
            made.append(paragraph((part,), page.lang))
    return made


def figure(page: Page, element: Element, inner: Inner) -> list[str]:
    """A numbered figure for each picture; the words after a picture are its caption."""
    nodes = list(_flat(page, element))
    places = [at for at, node in enumerate(nodes) if isinstance(node, Element) and node.tag in _PICTURES]
    if not places:
        return beside(page, element.children, inner)
    made = beside(page, nodes[: places[0]], inner)
    for number, place in enumerate(places):
        end = places[number + 1] if number + 1 < len(places) else len(nodes)
        shown = nodes[place]
        assert isinstance(shown, Element)
        caption = nodes[place + 1 : end]
        said = " ".join(" ".join(map(_words, caption)).split())
        pictures = lone(page, shown, said)
        block_id = page.headings.get(id(element), "") if number == 0 else ""
        others = any(
            isinstance(node, Element) and (node.tag in _PICTURES or node.first(*_PICTURES)) for node in caption
        )
        if len(pictures) == 1 and pictures[0].startswith("![") and (said or block_id) and not others:
            page.written |= {block_id} if block_id else set()
            start = len(page.letters.found)
            blocks = inner(page, caption)
            _without_label(page.letters.found, start)
            made += component(page, "figure", "", [*pictures, *blocks], block_id)
        else:
            made += [*pictures, *beside(page, caption, inner)]
    return made


def _without_label(letters: list[Letter], start: int) -> None:
    """Take `图 1 ·` out of the letters of a caption: our page writes a label of its own in its place."""
    if typed := _TYPED_LABEL.match("".join(letter for letter, _ in letters[start:])):
        del letters[start : start + typed.end()]


def _flat(page: Page, element: Element) -> list[Node]:
    """What is inside, without the boxes around pictures and the element of the caption."""
    found: list[Node] = []
    for child in element.children:
        if isinstance(child, Element) and child.tag not in _PICTURES:
            role = (meaning_of(child, page.table) or page.meaning(child)).role
            if role == "caption" or (
                child.tag in ("figcaption", "p", "div", "a", "center") and child.first(*_PICTURES)
            ):
                found += _flat(page, child)
                found.append(Text("\n", child.line, child.column))
                continue
        found.append(child)
    return found


def _words(node: Node) -> str:
    return node.words if isinstance(node, Text) else "".join(map(_words, node.children))
