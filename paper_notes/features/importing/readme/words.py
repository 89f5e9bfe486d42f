"""The words and the links of a README: read from the nodes of its tree, and written in our own syntax."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from paper_notes.corpus.model import NoteText
from paper_notes.document import nodes
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Link, Node, Span
from paper_notes.document.parse import Dialect, parse, parse_inline, reading_parser
from paper_notes.document.write import write_inlines
from paper_notes.features.importing.markdown.rewriting import with_anchors
from paper_notes.features.papers.make_safe import make_safe_markdown
from paper_notes.features.papers.note_template import as_markdown
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang
from paper_notes.markdown.parser import parse_text
from paper_notes.patterns import regex
from paper_notes.sources.characters import UNUSABLE
from paper_notes.sources.tree import text_position
from paper_notes.values import replace

PAGES = frozenset({".html", ".htm", ".md", ".markdown"})
"""What names of notes end with."""
_BAD = regex(f"{UNUSABLE.pattern}|[\r\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
"""Characters that no file of ours may hold, and those that turn the direction of a text."""


def _without_references(md: MarkdownIt) -> None:
    md.inline.ruler.disable(["note_reference", "citation"])


HAND_KEPT = Dialect("hand-kept", lru_cache(maxsize=1)(partial(reading_parser, _without_references)))
"""A README as GitHub reads it: in `[[Paper]](..)` there is a link."""


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
            case nodes.Formula() | nodes.FootnoteReference():
                yield write_inlines((node,))
            case _:
                yield from pieces(node.children)
                yield "\n" if isinstance(node, nodes.Block | nodes.Cell) else ""


def words_of(parts: Iterable[Node]) -> str:
    """The words of nodes on one line, without marks, addresses and tags."""
    words = (piece if isinstance(piece, str) else words_of(piece.inlines) for piece in pieces(parts))
    return " ".join("".join(words).split())


def links_of(parts: Iterable[Node]) -> list[Link]:
    """The links in nodes, in their order. Pictures are none."""
    return [piece for piece in pieces(parts) if isinstance(piece, Link)]


_NUMBER = regex(r"#(\d{1,6})")
_MARKS: Mapping[type[Node], str] = {nodes.Strong: "**", nodes.Emphasis: "*"}


Reference = Callable[[str], str | None]
"""How our texts refer to the note at an address: `agents/#4`; None if it is no note."""


def in_our_words(
    markdown: str, lang: Lang, words: Words, reference: Reference, numbers: Mapping[int, str], *, inline: bool = True
) -> str:
    """The same words as a text of a YAML file; `inline` is one line. `see #4` is the reference at 4 in `numbers`."""
    text = markdown.strip()
    slots = parse_text(NoteText(lang, PurePosixPath("README.md"), text), words).snippet.slots if "#" in text else ()
    named = {(slot.location.line, slot.location.column) for slot in slots if slot.kind == "plain"}
    edits = [*_edits(parse(text, HAND_KEPT).blocks, text, reference)]
    edits += [
        Edit(Span(*number.span()), f"[[{name}|{number[0]}]]")
        for number in (_NUMBER.finditer(text) if named else ())
        if text_position(text, number.start()) in named and (name := numbers.get(int(number[1])))
    ]
    own = {node.target for edit in edits for node in parse_inline(edit.text) if isinstance(node, nodes.Reference)}
    text = apply(text, edits)
    return make_safe_markdown(" ".join(text.split()) if inline else text, lang, words, own, inline=inline)


def _edits(parts: Iterable[Node], text: str, reference: Reference) -> Iterator[Edit]:
    """Links as references, or as words if they lead to no page; HTML as Markdown."""
    for node in with_anchors(parts):
        start, end = node.span
        match node:
            case Link(address):
                label = words_of(node.inlines)
                if name := reference(address):
                    label = re.sub(r"[\[\]|]", " ", label).strip()
                    yield Edit(node.span, f"[[{name}|{label}]]" if label else f"[[{name}]]")
                elif not is_web(address) and path_of(address)[0] != "mailto":
                    yield Edit(node.span, as_markdown(label))
                elif text.startswith("[[", start):  # which begins a reference in our texts
                    yield Edit(node.span, write_inlines((replace(node, inlines=(nodes.Text(label.strip("[]")),)),)))
            case nodes.HardBreak() if text[start] == "<":
                yield Edit(node.span, " ")
            case nodes.Element("code", inlines) if inlines:
                written = text[inlines[0].span.start : inlines[-1].span.end]
                yield Edit(node.span, write_inlines((nodes.Code(written),)))
            case nodes.Strong(inlines) | nodes.Emphasis(inlines) if text[start] == "<" and inlines:
                yield Edit(Span(start, inlines[0].span.start), _MARKS[type(node)])
                yield from _edits(inlines, text, reference)
                yield Edit(Span(inlines[-1].span.end, end), _MARKS[type(node)])
            case _:
                yield from _edits(node.children, text, reference)
