"""Markdown of a README as blocks with their lines, and the links and the words of a piece of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal
from urllib.parse import unquote, urlsplit

from paper_notes.document import nodes
from paper_notes.document.nodes import Inline, Node
from paper_notes.document.parse import parse, parse_inline
from paper_notes.sources.characters import UNUSABLE


@dataclass(frozen=True, slots=True)
class ReadmeRow:
    """A row of a table, or an item of a list, which has one cell."""

    cells: tuple[str, ...]
    """Markdown."""
    line: int
    """From 0."""
    depth: int = 0
    """Of an item in nested lists."""


@dataclass(frozen=True, slots=True)
class ReadmeBlock:
    """A block of the outermost level: its lines are `start` to `end`, from 0 and without the last."""

    kind: Literal["heading", "table", "list", "paragraph", "other"]
    start: int
    end: int
    text: str = ""
    """Markdown of a heading or a paragraph."""
    level: int = 0
    """Of a heading."""
    rows: tuple[ReadmeRow, ...] = ()
    """Of a table without its head."""
    head: tuple[str, ...] = ()
    is_ordered: bool = False
    """Whether a list has numbers."""


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link in Markdown, which is `text[start:end]`."""

    label: str
    """Plain text."""
    address: str
    start: int
    end: int


_MARKED = re.compile(r"[\\`*_~<>&!\[\]]")
"""Signs without which a piece of Markdown is plain text."""
_ANCHOR = re.compile(r"<a\s[^>]*?href=[\"']([^\"']*)[\"'][^>]*>", re.IGNORECASE)
_INDENT = re.compile(r"\n[ \t]+")
_WEB = re.compile(r"https?://[^\s\\\"<>{}|^`\[\]]+", re.IGNORECASE)
_CONTROL = re.compile(f"{UNUSABLE.pattern}|[\r\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
"""Characters that no file of ours may hold, and those that turn the direction of a text."""


def cleaned(text: str) -> str:
    """The text with a space for each character that our files may not hold: every other one stays where it is."""
    return _CONTROL.sub(" ", text)


def is_web(address: str) -> bool:
    """Whether an address is one that the web has."""
    return bool(_WEB.fullmatch(address)) and bool(path_of(address)[0])


def path_of(address: str) -> tuple[str, PurePosixPath]:
    """The scheme and the path of an address; both are empty if it is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", PurePosixPath()
    return parts.scheme, PurePosixPath(_CONTROL.sub("", unquote(parts.path)))


def blocks_of(text: str) -> tuple[ReadmeBlock, ...]:
    """All blocks in their order."""
    return tuple(_block(node, text) for node in parse(text).blocks)


def _block(node: nodes.Block, text: str) -> ReadmeBlock:
    start, end = _line(text, node), text.count("\n", 0, node.span.end) + 1
    match node:
        case nodes.Heading():
            return ReadmeBlock("heading", start, end, _written(node.inlines, text), node.level)
        case nodes.Paragraph():
            return ReadmeBlock("paragraph", start, end, _written(node.inlines, text))
        case nodes.FormulaBlock() | nodes.DefinitionList() | nodes.Component():
            return ReadmeBlock("paragraph", start, end, text[slice(*node.span)])
        case nodes.Table(rows=(head, *rows)):
            cells = tuple(ReadmeRow(_cells(row, text), _line(text, row)) for row in rows)
            return ReadmeBlock("table", start, end, rows=cells, head=_cells(head, text))
        case nodes.List():
            return ReadmeBlock("list", start, end, rows=tuple(_items(node, text, 0)), is_ordered=node.start is not None)
        case _:
            return ReadmeBlock("other", start, end)


def _line(text: str, node: Node) -> int:
    return text.count("\n", 0, node.span.start)


def _written(inlines: Sequence[Inline], text: str) -> str:
    """The Markdown of words, without the blanks that lines of an item begin with."""
    return _INDENT.sub("\n", text[inlines[0].span.start : inlines[-1].span.end]) if inlines else ""


def _cells(row: nodes.Row, text: str) -> tuple[str, ...]:
    return tuple(_written(cell.inlines, text).replace("\\|", "|") for cell in row.cells)


def _items(parent: Node, text: str, depth: int) -> Iterator[ReadmeRow]:
    """The paragraphs in a list, and in all that is in it."""
    for node in parent.children:
        if isinstance(node, nodes.Paragraph):
            yield ReadmeRow((_written(node.inlines, text),), _line(text, node), depth)
        else:
            yield from _items(node, text, depth + isinstance(node, nodes.List))


def links_of(markdown: str) -> tuple[FoundLink, ...]:
    """The links of a piece of Markdown, in their order. Pictures are none."""
    return tuple(_links(parse_inline(markdown), markdown))


def _links(inlines: Iterable[Inline], markdown: str) -> Iterator[FoundLink]:
    opened: tuple[nodes.RawInline, str] | None = None
    for node in inlines:
        match node:
            case nodes.Link():
                address = _address(node, markdown)
                if not node.is_bare or _WEB.match(address):  # no `arXiv:2510.26475`
                    yield FoundLink(_words(node.inlines), address, *node.span)
            case nodes.RawInline(html) if anchor := _ANCHOR.fullmatch(html):
                opened = node, anchor[1]
            case nodes.RawInline(html) if html.lower() == "</a>" and opened:
                words = markdown[opened[0].span.end : node.span.start]
                yield FoundLink(plain(words), opened[1], opened[0].span.start, node.span.end)
                opened = None
            case nodes.Styled(inner) | nodes.Element(_, inner) | nodes.Marked(inner):
                yield from _links(inner, markdown)


def _address(link: nodes.Link, markdown: str) -> str:
    """The address as it is written: in the tree it is encoded as on a page."""
    if link.is_bare:
        return markdown[slice(*link.span)].strip("<>")
    start = link.inlines[-1].span.end if link.inlines else link.span.start
    _, is_inline, target = markdown[start : link.span.end].partition("](")
    return target.removesuffix(")").split()[0].strip("<>") if is_inline and target.strip(" )") else link.href


def plain(markdown: str) -> str:
    """The words of a piece of Markdown on one line, without marks, addresses and tags."""
    return _words(parse_inline(markdown)) if _MARKED.search(markdown) else " ".join(markdown.split())


def _words(inlines: Iterable[Inline]) -> str:
    return " ".join("".join(_texts(inlines)).split())


def _texts(inlines: Iterable[Node]) -> Iterator[str]:
    for node in inlines:
        match node:
            case nodes.Text(words) | nodes.Code(words):
                yield words
            case nodes.SoftBreak() | nodes.HardBreak():
                yield " "
            case nodes.Formula(tex):
                yield f"${tex}$"
            case nodes.Reference(target, words):
                yield f"[[{target}|{words}]]" if words else f"[[{target}]]"
            case _:
                yield from _texts(node.children)


def code_in(markdown: str) -> tuple[str, ...]:
    """The pieces of code in a piece of Markdown."""
    inlines = parse_inline(markdown) if "`" in markdown else ()
    return tuple(node.code for inline in inlines for node in inline.walk() if isinstance(node, nodes.Code))
