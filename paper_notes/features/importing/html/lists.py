"""Lists and definitions of a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from paper_notes.features.importing.html.elements import BLOCKS
from paper_notes.features.importing.html.inline import plain
from paper_notes.features.importing.html.page import Page
from paper_notes.features.importing.html.tree import Element, Node, Text
from paper_notes.features.importing.html.words_of import inline
from paper_notes.features.importing.html.writing import term

Inner = Callable[[Page, Sequence[Node]], list[str]]
"""Makes the blocks inside of another one."""
_TASK = re.compile(r"\[([ xX])\](?=\s)")


def beside(page: Page, nodes: Sequence[Node], inner: Inner) -> list[str]:
    """The blocks of nodes that no block of ours is around after all."""
    page.depth -= 1
    made = inner(page, nodes)
    page.depth += 1
    return made


def items(page: Page, element: Element, inner: Inner) -> list[str]:
    """A list; what is between its items is one of them."""
    made: list[list[str]] = []
    for child in element.children:
        if isinstance(child, Text):
            if child.words.strip():
                made.append(inner(page, [child]))
        elif child.tag == "li":
            page.meaning(child)
            made.append(inner(page, child.children))
        elif child.tag in ("ul", "ol") and made:
            made[-1] += inner(page, [child])
        else:
            made.append(inner(page, [child]))
    made = [blocks for blocks in made if blocks]
    if not made:
        return []
    tight = all(_is_tight(blocks) for blocks in made)
    written: list[str] = []
    number = _start(element)
    for blocks in made:
        marker = "- " if element.tag != "ol" else f"{number}. "
        number += 1
        first = _TASK.sub(r"\\[\1\\]", blocks[0], count=1) if _TASK.match(blocks[0]) else blocks[0]
        text = ("\n" if tight else "\n\n").join([first, *blocks[1:]])
        if first.startswith((":::", "```")):  # a component around the list looks for these at the start of lines
            text = f"\n{text}"
            marker = marker.rstrip()
        written.append(marker + indented(text, 2 if element.tag != "ol" else len(marker) + 1 - marker.endswith(" ")))
    return [("\n" if tight else "\n\n").join(written)]


def _is_tight(blocks: Sequence[str]) -> bool:
    """An item of one paragraph, maybe with a list below it."""
    return (
        not _MARKER.match(blocks[0])
        and not blocks[0].startswith((":::", "```", ">", "|", "$$", "#"))
        and all(_MARKER.match(block) and "\n\n" not in block for block in blocks[1:])
        and "\n\n" not in blocks[0]
    )


_MARKER = re.compile(r"[-*] |\d+\. ")


def _start(element: Element) -> int:
    start = element.attributes.get("start", "")
    return int(start) if start.isdecimal() and len(start) < 9 else 1


def with_marker(text: str, old: str, new: str) -> str:
    """A list with another marker on its own items."""
    return re.sub(rf"^{re.escape(old)}", new, text, flags=re.MULTILINE)


def indented(text: str, width: int) -> str:
    """All lines but the first one indented."""
    return re.sub(r"\n(?=[^\n])", "\n" + " " * width, text)


def definitions(page: Page, element: Element, inner: Inner) -> list[str]:
    """A definition list: terms on a line of their own, explanations below them."""
    made: list[str] = []
    has_term = False
    for child in _flat(element):
        if isinstance(child, Text) or child.tag not in ("dt", "dd"):
            made += beside(page, [child], inner)
            has_term = False
        elif child.tag == "dt":
            terms = _term(page, child, inner)
            made += terms
            has_term = len(terms) == 1
        else:
            blocks = inner(page, child.children) if has_term else beside(page, child.children, inner)
            if not has_term or not blocks or blocks[0].startswith((":::", "```")):
                made += blocks
            else:
                made[-1] += "\n: " + indented("\n\n".join(blocks), 2)
    return ["\n\n".join(made)] if made else []


def _flat(element: Element) -> list[Node]:
    """Terms and explanations; `<div>` may group them."""
    found: list[Node] = []
    for child in element.children:
        if isinstance(child, Text):
            if child.words.strip():
                found.append(child)
        elif child.tag == "div" and not child.classes:
            found += _flat(child)
        else:
            found.append(child)
    return found


def _term(page: Page, child: Element, inner: Inner) -> list[str]:
    if any(isinstance(one, Element) and one.tag in BLOCKS for one in child.children):
        return beside(page, child.children, inner)
    parts = inline(page, child.children)
    if not plain(parts):
        return []
    page.write(parts)
    return [term(parts, page.lang)]
