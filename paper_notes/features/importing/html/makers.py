"""Who made a page, as rows of `makers.yaml`: which part of it is the text, and what its elements are.

A page is brought to the form that authors write by hand before it is read: tags for classes, lists for loose items,
marks for inline styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby

from paper_notes.features.diagrams.colours import HUES, PALE, nearest, variable
from paper_notes.features.diagrams.svg import declarations
from paper_notes.features.importing.html.page import Page, data, meaning_of
from paper_notes.features.importing.html.tree import BLOCKS, CELLS, INLINE, UNSEEN, HtmlNode
from paper_notes.features.importing.proof.compare import RemovalKind
from paper_notes.patterns import regex
from paper_notes.values import Struct

_ATTRIBUTE = regex(r"\[([\w-]+)\*?=([^\]]+)\]")
_STYLED = frozenset("span font strong b em i p td th div section".split())
_SAVED = regex(r"<!-- saved from url=\(\d+\)(\S+) -->|Page saved with SingleFile\s+url: (\S+)")
_CODE = regex(r"highlight-(?:source-)?([\w+#-]+)")
_START = 300_000
"""So many characters at the beginning of a page show who made it."""
_BY_STYLE: Mapping[str, tuple[re.Pattern[str], str]] = {
    "font-weight": (re.compile(r"bold(?:er)?|[6-9]00"), "strong"),
    "font-style": (re.compile(r"italic|oblique"), "em"),
    "text-decoration": (re.compile(r".*line-through.*"), "s"),
    "text-decoration-line": (re.compile(r"line-through"), "s"),
}
"""What a declaration means, on an element that says nothing else."""
_BY_COLOUR = regex(r"var\(--(?:(good|ok|pos(?:itive)?|success|yes)|(bad|no|neg(?:ative)?|danger|error))\b[^()]*\)")


class Maker(Struct, frozen=True):
    """What makes pages: a program, or a site."""

    name: str
    main: Sequence[str]
    """Selectors of the element that holds the text; the first that there is."""
    title: str
    """That of the element which is the title; empty if it is the first heading of the text."""
    classes: Mapping[str, str]


@cache
def _makers() -> Sequence[tuple[Sequence[str], Maker]]:
    """The rows with their signs."""
    makers: list[tuple[Sequence[str], Maker]] = []
    for name, row in data(__package__, "makers.yaml").items():
        classes = {_key(key): role for key, role in row["classes"].items()}
        makers.append((row["signs"], Maker(name, row["main"].split(), row.get("title", ""), classes)))
    return makers


def _key(key: str) -> str:
    """An attribute is a class that pages get, see `as_written_by_hand`."""
    return f".{key}" if key.startswith("[") else key


def maker_of(source: str) -> Maker | None:
    """Who made a page."""
    start = source[:_START]
    return next((maker for signs, maker in _makers() if any(sign in start for sign in signs)), None)


def as_written_by_hand(root: HtmlNode, table: Mapping[str, str], maker: Maker | None) -> None:
    """Give elements the tags, and lists around loose items, that say what their classes and styles mean."""
    attributes = [(key[1:], _ATTRIBUTE.fullmatch(key[1:])) for key in table if key.startswith(".[")]
    _name_languages(root)
    _boxes_of_tables(root)
    for element in root.elements():
        for key, match in attributes:
            if match and match[2] in element.attributes.get(match[1], ""):
                element.attributes["class"] = key
        meaning = meaning_of(element, table)
        if meaning and meaning.role == "as" and not (meaning.name in INLINE and element.tag in BLOCKS):
            *_, element.tag = meaning.name.split()
            element.attributes["pn-list"] = meaning.name.split()[0]
        elif element.tag in _STYLED and not element.classes:
            _by_style(element, is_by_hand=maker is None)
    for element in root.elements():
        if element.tag not in ("ul", "ol"):
            element.children = [*_with_lists(_joined(element.children, table))]


def _name_languages(root: HtmlNode) -> None:
    """Give code the language that the box around it says, as Sphinx and GitHub do."""
    for element in root.elements():
        code = next(filter(None, map(_CODE.fullmatch, element.classes)), None) if element.tag == "div" else None
        for inner in element.elements() if code else ():
            if code and inner.tag == "pre":
                inner.attributes.setdefault("data-lang", code[1])


def _boxes_of_tables(root: HtmlNode) -> None:
    """Make a box of one that DocBook lays out as a table: an icon, a title and the words."""
    for element in root.elements():
        table = element.first("table") if element.tag == "div" and element.classes else None
        cells = [cell for cell in table.elements() if cell.tag in CELLS][:3] if table else []
        said = table.attributes.get("summary", "").casefold() if table else ""
        if said in element.classes and [cell.tag for cell in cells] == ["td", "th", "td"]:
            element.children = [*cells[1:], cells[0]]
            for cell, tag, name in zip(cells, ("div", "h3", "div"), ("pn-icon", "", ""), strict=True):
                cell.tag, cell.attributes["class"] = tag, name


def make_links_local(root: HtmlNode, source: str, name: str) -> None:
    """Give links within a page their own form: browsers write them with the address of a page, books with its file."""
    saved = _SAVED.search(source[:_START])
    own = (f"{name}#", *([f"{(saved[1] or saved[2]).partition('#')[0]}#"] if saved else []))
    for element in root.elements():
        if element.tag == "a" and (address := element.attributes.get("href", "")).startswith(own):
            element.attributes["href"] = f"#{address.partition('#')[2]}"


def _by_style(element: HtmlNode, *, is_by_hand: bool) -> None:
    said = element.attributes.get("style", "")
    if element.tag == "font" and (colour := element.attributes.get("color", "")):
        said = f"color:{colour};{said}"
    for name, value, _ in declarations(said):
        pattern, tag = _BY_STYLE.get(name, (None, ""))
        if pattern and element.tag in ("span", "font") and pattern.fullmatch(value):
            element.tag = tag
        elif (
            name == "color"
            and (verdict := _verdict(value, is_by_hand=is_by_hand))
            and element.tag not in BLOCKS - {*CELLS}
        ):
            element.attributes["class"] = verdict
        elif name in ("background", "background-color") and element.tag in ("span", "font") and is_pale(value):
            element.tag = "mark"


def _verdict(colour: str, *, is_by_hand: bool) -> str:
    """What words of a colour say: red and green mean bad and good, but not in programs where red is just red."""
    if by_name := _BY_COLOUR.fullmatch(colour):
        return "good" if by_name[1] else "bad"
    if not is_by_hand:
        return ""
    return {variable(HUES["red"][0]): "bad", variable(HUES["green"][0]): "good"}.get(nearest(colour, line=True), "")


def is_pale(colour: str) -> bool:
    """Whether a ground is that of a text marker."""
    return nearest(colour) in {variable(pale) for pale in PALE}


def _joined(children: Sequence[HtmlNode], table: Mapping[str, str]) -> list[HtmlNode]:
    """The elements with lists of one item each, one after the other, as one list."""
    joined: list[HtmlNode] = []
    for child in children:
        meaning = meaning_of(child, table) if child.tag in ("ul", "ol") else None
        if (
            meaning
            and meaning.role == "joined"
            and joined
            and (joined[-1].tag, joined[-1].classes) == (child.tag, child.classes)
        ):
            joined[-1].children += child.children
        else:
            joined.append(child)
    return joined


def _with_lists(children: Sequence[HtmlNode]) -> Iterator[HtmlNode]:
    """Items side by side as a list of their own."""
    filled = [child for child in children if not child.is_blank] if any(map(_list_of, children)) else children
    for kind, group in groupby(filled, _list_of):
        items = [*group]
        yield from [HtmlNode(kind, {}, items[0].line, items[0].column, items)] if kind else items


def _list_of(element: HtmlNode) -> str:
    """The list that an item has to be in; empty for other elements."""
    return element.attributes.get("pn-list", "") if element.tag == "li" else ""


def main_of(root: HtmlNode, maker: Maker | None) -> HtmlNode | None:
    """The element that holds the text of a page, if its maker is known."""
    keys = maker.main if maker else ()
    return next((element for key in keys for element in root.elements() if _is(element, key)), None)


def title_of(root: HtmlNode, maker: Maker | None) -> HtmlNode:
    """The element that is the title of a page; an empty one if there is none."""
    said = maker.title if maker else ""
    named = next((element for element in root.elements() if said and _is(element, said)), None)
    main = main_of(root, maker)
    return named or (main and main.first("h1")) or root.first("h1") or HtmlNode()


def without_frame(page: Page, root: HtmlNode, main: HtmlNode, title: HtmlNode) -> HtmlNode:
    """The page without what stands around its text, which is declared; its title and facts stay."""
    kept = {id(element) for element in main.elements()} | {id(title)}
    return _only(page, root, kept) or root


def _only(page: Page, element: HtmlNode, kept: set[int]) -> HtmlNode | None:
    """The element without what is outside of those `kept`; None if none of them is in it."""
    if id(element) in kept or element.tag in UNSEEN or page.role(element) == "meta":
        return element
    children = [(child, _only(page, child, kept) if child.tag else None) for child in element.children]
    if not any(rest for child, rest in children if child.tag not in UNSEEN):
        return None
    for child, rest in children:
        if not rest and child.tag not in ("", *UNSEEN) and (child.text().strip() or child.first("img", "drawing")):
            is_contents = page.role(child) == "contents" and all(link.startswith("#") for link in child.links())
            kind: RemovalKind = "contents" if is_contents else "page-frame"
            page.remove(kind, f"<{child.tag}> is beside the text of the page", child)
    element.children = [rest for _, rest in children if rest]
    return element


def _is(element: HtmlNode, key: str) -> bool:
    if match := _ATTRIBUTE.fullmatch(key):
        return element.attributes.get(match[1]) == match[2]
    if key.startswith("#"):
        return element.attributes.get("id") == key[1:]
    tag, _, name = key.partition(".")
    return tag in ("", element.tag) and (not name or name in element.classes)
