"""The words and the links of a README, from the nodes of its tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from paper_notes.document import nodes
from paper_notes.document.nodes import Link, Node, Span
from paper_notes.document.parse import readable_address
from paper_notes.document.write import write_inlines
from paper_notes.sources.characters import UNUSABLE

_ANCHOR = re.compile(r"<a\s[^>]*?href=[\"']([^\"']*)[\"'][^>]*>", re.IGNORECASE)
_BAD = re.compile(f"{UNUSABLE.pattern}|[\r\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
"""Characters that no file of ours may hold, and those that turn the direction of a text."""


def cleaned(text: str) -> str:
    """The text with a space for each character that our files may not hold: every other one stays where it is."""
    return _BAD.sub(" ", text)


def is_web(address: str) -> bool:
    """Whether an address is one that the web has."""
    scheme, path = path_of(address)
    return scheme in ("http", "https") and bool(path.name or address.partition("://")[2].strip("/"))


def path_of(address: str) -> tuple[str, PurePosixPath]:
    """The scheme and the path of an address; both are empty if it is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", PurePosixPath()
    return parts.scheme, PurePosixPath(_BAD.sub("", unquote(parts.path)))


def pieces(parts: Iterable[Node]) -> Iterator[str | Link]:
    """The words of nodes and the links between them, in their order. What only our syntax has is as it is written."""
    for node in with_anchors(parts):
        match node:
            case Link(_, (nodes.Text(words), *_)) if node.is_bare and not words.startswith("http"):
                yield words  # `arXiv:2510.26475` is a link in our texts only
            case Link():
                yield node
            case nodes.Text(words) | nodes.Code(words):
                yield words
            case nodes.SoftBreak() | nodes.HardBreak():
                yield " "
            case nodes.Formula() | nodes.Reference() | nodes.Citation() | nodes.FootnoteReference():
                yield write_inlines((node,))
            case _:
                yield from pieces(node.children)
                yield "\n" if isinstance(node, nodes.Block | nodes.Cell) else ""


def with_anchors(parts: Iterable[Node]) -> list[Node]:
    """The nodes with links where HTML has them."""
    result: list[Node] = []
    opened: tuple[int, str] | None = None
    for node in parts:
        html = node.html if isinstance(node, nodes.RawInline) else ""
        if anchor := _ANCHOR.fullmatch(html):
            opened = len(result), readable_address(unescape(anchor[1]))
        elif html.lower() == "</a>" and opened:
            place, address = opened
            inlines = tuple(inner for inner in result[place + 1 :] if isinstance(inner, nodes.Inline))
            result[place:] = [Link(address, inlines, span=Span(result[place].span.start, node.span.end))]
            opened = None
            continue
        result.append(node)
    return result


def words_of(parts: Iterable[Node]) -> str:
    """The words of nodes on one line, without marks, addresses and tags."""
    words = (piece if isinstance(piece, str) else words_of(piece.inlines) for piece in pieces(parts))
    return " ".join("".join(words).split())


def links_of(parts: Iterable[Node]) -> list[Link]:
    """The links in nodes, in their order. Pictures are none."""
    return [piece for piece in pieces(parts) if isinstance(piece, Link)]
