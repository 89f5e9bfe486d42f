"""What classes that repeat and that nobody knows could mean, by what they look like: a table for its user to edit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from xml.etree.ElementTree import Element

from paper_notes.features.diagrams.colours import nearest
from paper_notes.features.diagrams.svg import resolve
from paper_notes.features.importing.html.drawings import page_style
from paper_notes.features.importing.html.makers import as_written_by_hand, maker_of
from paper_notes.features.importing.html.page import built_in, meaning_of
from paper_notes.features.importing.html.tree import BLOCKS, CELLS, HEADINGS, PICTURES, HtmlNode, parse
from paper_notes.features.importing.types import Original
from paper_notes.patterns import regex
from paper_notes.values import Struct, field

LEAST = 2
"""A class that occurs less often is not proposed."""
_LOOKS = frozenset(
    "background background-color border border-left border-radius border-width box-shadow color display font-family"
    " font-weight".split()
)
_HUE = regex(r"--fig-([a-z]+)")
_GREY = frozenset({"", "line", "muted", "soft", "paper"})
_BOXES = {
    "red": "warning",
    "orange": "warning",
    "green": "tip",
    "blue": "note",
    "purple": "important",
    "teal": "intuition",
}
_VERDICTS = {"red": "bad", "green": "good", "orange": "partial"}
_VARIABLE = regex(r"var\(\s*(--[\w-]+)\s*[^()]*\)")
_NOUNS = frozenset("card box panel step label".split())
"""Parts of classes that say less than what the element looks like."""
_OF_BOTH = frozenset({"strong", "small", "caption", "source", "plain"})
_HOLDERS = frozenset({"div", "section", "article", "aside", "p", "figure"})
_Seen = tuple[HtmlNode, tuple[HtmlNode, ...], str, Mapping[str, str]]
"""An element, what it stands in, and the style sheets of its page with their variables."""
_EXAMPLE = 50
"""Characters of the words of an example."""


class Seen(Struct):
    """A class, as it occurs in pages."""

    proposal: str
    example: str
    pages: set[str] = field(default_factory=set)
    count: int = 0


def proposals(originals: Iterable[Original], known: Mapping[str, str]) -> dict[str, Seen]:
    """The classes that repeat and that neither we nor `known` have, the most frequent first."""
    seen: dict[str, Seen] = {}
    for original in originals:
        root = parse(original.text, lambda *_: None)
        maker = maker_of(original.text)
        table = {**built_in(), **(maker.classes if maker else {}), **known}
        as_written_by_hand(root, table, maker)
        for element, above, css, variables in _unknown_of_page(root, table):
            for name in element.classes:
                if name not in seen:
                    words = " ".join(element.text().split())[:_EXAMPLE]
                    example = f'{original.path}:{element.line}: <{element.tag}> "{words}"'
                    looks = _looks(element, above, css, variables)
                    seen[name] = Seen(_by_name(name, element, table) or _by_looks(element, looks), example)
                seen[name].count += 1
                seen[name].pages.add(str(original.path))
    frequent = [(name, row) for name, row in seen.items() if row.count >= LEAST]
    return dict(sorted(frequent, key=lambda item: (-item[1].count, item[0])))


def as_they_look(root: HtmlNode, table: Mapping[str, str]) -> dict[str, tuple[str, HtmlNode]]:
    """What the classes of a page that nobody knows mean, as rows `tag.class`, and the first element of each.

    A box is a card whatever its colour, which would give it a title such as "Warning". What holds sections is no box.
    """
    rows: dict[str, tuple[str, HtmlNode]] = {}
    for element, above, css, variables in _unknown_of_page(root, table):
        for name in element.classes:
            key = f"{element.tag}.{name}"
            if key not in rows:
                named = _by_name(name, element, table)
                rows[key] = named or _by_looks(element, _looks(element, above, css, variables), {}), element
            is_box, is_row = (rows[key][0].startswith(kind) for kind in ("box ", "row "))
            no_box = element.tag not in _HOLDERS or element.first("h1", "h2", "h3")
            if (is_box and no_box) or (is_row and _is_stripe(name, above)):
                rows[key] = "plain", element
    return {key: row for key, row in rows.items() if row[0] != "plain"}


def _is_stripe(name: str, above: Sequence[HtmlNode]) -> bool:
    """Whether half of the rows of a table have a class."""
    rows = above[-1].elements_of("tr") if above else []
    return sum(name in row.classes for row in rows) * 2 >= max(len(rows), 3)


def as_table(head: str, rows: Mapping[str, Seen]) -> str:
    """The proposals as a file for `--classes`, below a remark of one sentence a line."""
    lines = (
        f"\n# {row.count} × ({len(row.pages)}): {row.example}\n.{name}: {row.proposal}\n" for name, row in rows.items()
    )
    return "".join([*(f"# {line}\n" for line in head.split("\n")), *lines])


def _unknown_of_page(root: HtmlNode, table: Mapping[str, str]) -> Iterable[_Seen]:
    css = "\n".join(element.words for element in root.elements() if element.tag == "style")
    variables = page_style(css, []).variables
    for element, above in _unknown(root, (), table):
        yield element, above, css, variables


def _unknown(
    element: HtmlNode, above: tuple[HtmlNode, ...], table: Mapping[str, str]
) -> Iterable[tuple[HtmlNode, tuple[HtmlNode, ...]]]:
    """The elements with classes of which none is known, and what they stand in."""
    if element.classes and meaning_of(element, table) is None:
        holder = meaning_of(above[-1], table) if above else None
        if not holder or meaning_of(element, table, holder.role) is None:
            yield element, above
    for child in element.children:
        if child.tag:
            yield from _unknown(child, (*above, element), table)


def _looks(element: HtmlNode, above: Sequence[HtmlNode], css: str, variables: Mapping[str, str]) -> Mapping[str, str]:
    """What the style sheets and its own style say of an element, but not of each one with its tag."""
    drawn, bare = Element(element.tag, element.attributes), Element(element.tag)
    for shown in (drawn, bare):
        resolve(shown, css, _LOOKS, tuple(Element(outer.tag, outer.attributes) for outer in above))
    said = {name: drawn.get(name, "") if drawn.get(name) != bare.get(name) else "" for name in _LOOKS}
    return {name: _VARIABLE.sub(lambda use: variables.get(use[1], ""), value).strip() for name, value in said.items()}


def _by_name(name: str, element: HtmlNode, table: Mapping[str, str]) -> str:
    """What a part of a class means by itself, the last one first: `note` of `note-box-2`, `title` of `note-title`."""
    parts = [part.lower() for part in re.split(r"[_-]|\d+|(?<=[a-z])(?=[A-Z])", name) if len(part) > 3 or part == "fig"]
    role = next((table[f".{part}"] for part in reversed(parts) if f".{part}" in table and part not in _NOUNS), "")
    if role == "figure":
        return role if element.first(*PICTURES) else ""
    is_block = element.tag in BLOCKS and element.tag not in (*CELLS, "tr")
    return role if role.startswith("box ") == is_block or role in _OF_BOTH else ""


def _by_looks(element: HtmlNode, looks: Mapping[str, str], boxes: Mapping[str, str] = _BOXES) -> str:
    ground = looks["background"] or looks["background-color"]
    edge = looks["border-left"] or looks["border"]
    hues = [hue for value in (edge, ground) if (hue := _hue(value)) not in _GREY]
    hue, ink = next(iter(hues), ""), _hue(looks["color"])
    is_box = bool(edge and not edge.startswith(("0", "none"))) or bool(ground and _hue(ground) not in ("paper", ""))
    if element.tag == "tr":
        return "row best" if is_box else "plain"
    if element.tag in CELLS:
        return f"cell {_VERDICTS[verdict]}" if (verdict := hue or ink) in _VERDICTS else _of_words(looks)
    if element.tag in BLOCKS and element.tag not in HEADINGS:
        if is_box or looks["box-shadow"] not in ("", "none"):
            return f"box {boxes.get(hue, 'card')}"
        return "quote" if looks["border-left"] else _of_words(looks)
    if ground and looks["border-radius"]:
        return "mark pill"
    if ground and hue:
        return "mark term"
    return f"mark {_VERDICTS[ink]}" if ink in ("red", "green") else _of_words(looks)


def _of_words(looks: Mapping[str, str]) -> str:
    if re.search(r"mono|menlo|consolas|courier", looks["font-family"], re.IGNORECASE):
        return "code"
    return "strong" if re.fullmatch(r"bold(?:er)?|[6-9]00", looks["font-weight"]) else "plain"


def _hue(value: str) -> str:
    """The name of our colour nearest to one of a declaration; empty if there is none in it."""
    for word in re.findall(r"(?:rgb|hsl)a?\([^()]*\)|#[0-9a-fA-F]{3,8}|[a-z]+", value):
        if match := _HUE.search(nearest(word)):
            return match[1]
    return ""
