"""Markdown of a README in our own syntax: links to notes become references, and all its words stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from paper_notes.corpus.model import NoteText
from paper_notes.document import nodes
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Link, Node, Span
from paper_notes.document.parse import parse, parse_inline
from paper_notes.document.write import write_inlines
from paper_notes.features.importing.readme.words import is_web, path_of, with_anchors, words_of
from paper_notes.features.papers.make_safe import make_safe_markdown
from paper_notes.features.papers.note_template import as_markdown
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang
from paper_notes.markdown.parser import parse_text
from paper_notes.sources.tree import text_position

_NUMBER = re.compile(r"#(\d{1,6})")
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
    edits = [*_edits(parse(text).blocks, text, reference)]
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
