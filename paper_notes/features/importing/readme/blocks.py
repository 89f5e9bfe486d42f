"""Markdown of a README as blocks with their lines, and the links and the words of a piece of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Literal
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from paper_notes.sources.characters import UNUSABLE

_LINK = re.compile(
    r"(?<!!)\[(?P<label>(?:\\.|`[^`]*`|[^\[\]\\`]|!?\[[^\[\]]*\](?:\([^()\s]*\))?){0,500})\]"
    r"\(\s*<?(?P<address>(?:[^\s()<>]|\([^\s()]*\)){0,2000})>?(?:\s+[\"'(][^\n]*?[\"')])?\s*\)"
    r"|<a\s[^>]*?href=[\"'](?P<href>[^\"']*)[\"'][^>]*>(?P<words>.{0,500}?)</a>"
    r"|<(?P<auto>https?://[^\s<>]+)>|(?P<bare>(?<![\w\"'=(\[/])https?://[^\s<>()\[\]|，。；]+(?<![.,;:!?]))",
    re.IGNORECASE,
)


_MARKED = re.compile(r"[\\`*_~<>&!\[\]]")
"""Signs without which a piece of Markdown is plain text."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, or an item of a list, which has one cell."""

    cells: tuple[str, ...]
    """Markdown."""
    line: int
    """From 0."""
    depth: int = 0
    """Of an item in nested lists."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the outermost level: its lines are `start` to `end`, from 0 and without the last."""

    kind: Literal["heading", "table", "list", "paragraph", "other"]
    start: int
    end: int
    text: str = ""
    """Markdown of a heading or a paragraph."""
    level: int = 0
    """Of a heading."""
    rows: tuple[Row, ...] = ()
    """Of a table without its head."""
    head: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link in Markdown, which is `text[start:end]`."""

    label: str
    """Plain text."""
    address: str
    start: int
    end: int


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


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table").enable("strikethrough")


def blocks_of(text: str) -> tuple[Block, ...]:
    """All blocks in their order."""
    return tuple(_blocks(_parser().parse(text)))


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    place = 0
    while place < len(tokens):
        token = tokens[place]
        end = place
        depth = int(token.nesting)
        while depth > 0:
            end += 1
            depth += tokens[end].nesting
        inside = tokens[place : end + 1]
        place = end + 1
        start, stop = token.map or (0, 0)
        if token.type == "heading_open":
            yield Block("heading", start, stop, inside[1].content, int(token.tag[1]))
        elif token.type == "paragraph_open":
            yield Block("paragraph", start, stop, inside[1].content)
        elif token.type == "table_open":
            head, *rows = _rows(inside)
            yield Block("table", start, stop, rows=tuple(rows), head=head.cells)
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            items = tuple(
                Row((part.content,), part.map[0], part.level) for part in inside if part.type == "inline" and part.map
            )
            yield Block("list", start, stop, token.type, rows=items)
        else:
            yield Block("other", start, stop)


def _rows(tokens: Sequence[Token]) -> list[Row]:
    rows: list[tuple[list[str], int]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append(([], token.map[0] if token.map else 0))
        elif token.type == "inline":
            rows[-1][0].append(token.content)
    return [Row(tuple(cells), line) for cells, line in rows]


def links_of(markdown: str) -> tuple[FoundLink, ...]:
    """The links of a piece of Markdown, in their order. Pictures are none."""
    code = [found.span() for found in re.finditer(r"(`+).*?\1", markdown)]
    found = []
    for match in _LINK.finditer(markdown):
        if any(start < match.start() < end for start, end in code):
            continue
        address = match["address"] or match["href"] or match["auto"] or match["bare"] or ""
        label = match["label"] if match["label"] is not None else match["words"]
        found.append(FoundLink(plain(label) if label is not None else address, address, *match.span()))
    return tuple(found)


def plain(markdown: str) -> str:
    """The words of a piece of Markdown on one line, without marks, addresses and tags."""
    if not _MARKED.search(markdown):
        return " ".join(markdown.split())
    parts: list[str] = []

    def collect(tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.type in ("text", "code_inline", "text_special"):
                parts.append(token.content)
            elif token.type in ("softbreak", "hardbreak") or token.content.lower().startswith("<br"):
                parts.append(" ")
            elif token.type != "image":
                collect(token.children or ())
            else:
                parts.append(token.content)

    collect(_parser().parseInline(markdown))
    return " ".join("".join(parts).split())


def code_in(markdown: str) -> tuple[str, ...]:
    """The pieces of code in a piece of Markdown."""
    tokens = _parser().parseInline(markdown)
    return tuple(part.content for token in tokens for part in token.children or () if part.type == "code_inline")
