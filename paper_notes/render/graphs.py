"""A graph as SVG: nodes as labelled boxes with links, edges as arrows. Twice: for wide screens and for phones."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from paper_notes.corpus.model import Lang
from paper_notes.render.layout import Box, place
from paper_notes.render.views import Bi
from paper_notes.render.words import TAGS

WIDE, NARROW = 960, 350
"""Units of the drawings, which are pixels where they have room."""
HUES = 6
"""How many colours there are; a name stands beside each use."""


@dataclass(frozen=True, slots=True)
class Node:
    """A box. `hue` is its group too: nodes of a group stay near each other."""

    wide: Bi
    """What stands in it on a wide screen."""
    narrow: str
    """What stands in it on a phone."""
    title: Bi
    """The whole name."""
    href: str
    hue: int


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow between the nodes of these numbers; `weight` makes it broader."""

    start: int
    end: int
    weight: int = 1


def units(text: str) -> int:
    """How much room a text takes, in halves of a Chinese character."""
    return sum(
        2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text if not unicodedata.combining(sign)
    )


def short_label(text: str, room: int = 18) -> str:
    """The text, cut with an ellipsis where it needs more room."""
    if units(text) <= room:
        return text
    kept = ""
    for sign in text:
        if units(kept + sign) > room - 1:
            break
        kept += sign
    return kept.rstrip() + "…"


def draw(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    title: Bi,
    about: Bi,
    languages: tuple[Lang, ...],
    *,
    narrow: bool,
) -> Markup:
    """The graph as a group of links with a title and a description."""
    width = NARROW if narrow else WIDE
    boxes = [Box(_width(node, languages, narrow), 30, node.hue) for node in nodes]
    placed = place(boxes, [(edge.start, edge.end) for edge in edges], width)
    lines = [_arrow(edge, boxes, placed.centres) for edge in edges if edge.start != edge.end]
    drawn = [_box(node, box, at, languages, narrow) for node, box, at in zip(nodes, boxes, placed.centres, strict=True)]
    names = [text.joined(languages) for text in (title, about)]
    template = Markup(
        '<svg class="graph {}" viewBox="0 0 {} {}" role="group"><title>{}</title><desc>{}</desc>{}{}</svg>'
    )
    size = "narrow" if narrow else "wide-only"
    return template.format(size, width, placed.height, *names, Markup("").join(lines), Markup("").join(drawn))


def _width(node: Node, languages: tuple[Lang, ...], narrow: bool) -> float:
    """Thirteen pixels for a Chinese character, seven for a letter, and the space around."""
    longest = units(node.narrow) if narrow else max(units(node.wide[lang]) for lang in languages)
    return round(longest * 6.8 + 22)


def _arrow(edge: Edge, boxes: Sequence[Box], centres: Sequence[tuple[int, int]]) -> Markup:
    """From the edge of one box to that of the other; the head is a triangle of its own."""
    (x1, y1), (x2, y2) = centres[edge.start], centres[edge.end]
    length = math.sqrt((x2 - x1) ** 2 + (y2 - y1) ** 2) or 1.0
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    start, end = _inside(boxes[edge.start], ux, uy), length - _inside(boxes[edge.end], ux, uy)
    tip, neck = (x1 + ux * end, y1 + uy * end), (x1 + ux * (end - 8), y1 + uy * (end - 8))
    head = " ".join(
        f"{x:.1f},{y:.1f}" for x, y in (tip, *((neck[0] + s * uy * 4, neck[1] - s * ux * 4) for s in (1, -1)))
    )
    stroke = Markup(' stroke-width="{:.1f}"').format(min(1 + math.sqrt(edge.weight), 6)) if edge.weight > 1 else ""
    template = Markup('<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"{}/><polygon points="{}"/>')
    return template.format(x1 + ux * start, y1 + uy * start, *neck, stroke, head)


def _inside(box: Box, ux: float, uy: float) -> float:
    """How far it is from the middle of a box to its edge in a direction."""
    sides = [size / 2 / abs(part) for size, part in ((box.width, ux), (box.height, uy)) if abs(part) > 1e-9]
    return min(sides, default=0.0)


def _box(node: Node, box: Box, at: tuple[int, int], languages: tuple[Lang, ...], narrow: bool) -> Markup:
    x, y = at
    if narrow or node.wide.same or len(languages) == 1:
        shown = node.narrow if narrow else node.wide[languages[0]]
        label = Markup('<text x="{}" y="{}">{}</text>').format(x + 2, y + 5, shown)
    else:
        template = Markup('<text class="{} ui" lang="{}" x="{}" y="{}">{}</text>')
        halves = ((lang, TAGS[lang], x + 2, y + 5, node.wide[lang]) for lang in languages)
        label = Markup("").join(template.format(*half) for half in halves)
    left, top = x - box.width / 2, y - box.height / 2
    whole = node.title.joined(languages)
    return Markup(
        '<a class="h{}" href="{}"><title>{}</title><rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" rx="5"/>'
        '<rect class="hue" x="{:g}" y="{:g}" width="4" height="{:g}" rx="2"/>{}</a>'
    ).format(node.hue % HUES, node.href, whole, left, top, box.width, box.height, left, top, box.height, label)
