r"""Cards as text: the fields that Anki is to read, a table that it and others import, and Markdown for people.

Words stay words, and only our formulas are formulas. Anki looks for syntax of its own in the HTML of a field:
`[sound:...]` plays a file or an address, `[anki:tts]` speaks, `[latex]` and `[$]` run LaTeX, `\(` and `\[` begin a
formula, `{{c1::` hides words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from paper_notes.document import nodes
from paper_notes.document.github import GITHUB
from paper_notes.document.nodes import Block, Document, Inline, Text
from paper_notes.document.parse import STYLES
from paper_notes.document.write import write_markdown
from paper_notes.features.cards.cards import Card
from paper_notes.features.cards.tex import FORMULA
from paper_notes.patterns import regex
from paper_notes.values import replace

_DIRECTIVE = r"\[(?=/?(?:sound:|anki:|latex\]|\${1,2}\]))"
_SYNTAX = regex(rf"\\(?=(?:<wbr/?>)*[()\[\]])|{_DIRECTIVE}|(?<=\{{)\{{", re.IGNORECASE)
"""MathJax joins what is before and after a `<wbr>`."""
_IN_FORMULA = regex(rf"{_DIRECTIVE}|(?<=\{{)\{{(?=c\d+::)", re.IGNORECASE)
_PIECE = regex(
    rf'(?P<formula>{FORMULA.pattern})|(?P<tag><(?:[^<>"]|"[^"]*")*>)|(?P<sign>{_SYNTAX.pattern})',
    re.IGNORECASE | re.DOTALL,
)


def fields_of(card: Card) -> tuple[str, str, str, str]:
    """Question, answer, what it is about, and the link."""
    return for_anki(card.question), for_anki(card.answer), for_anki(card.about), for_anki(card.link)


def for_anki(xml: str) -> str:
    """The XML of a card as a field, with its formulas as MathJax finds them."""
    return _PIECE.sub(_piece, xml)


def _piece(piece: re.Match[str]) -> str:
    if piece["formula"]:
        # an empty group draws nothing; `\[sound:` of a formula in a block is such syntax, too
        return _IN_FORMULA.sub(r"\g<0>{}", piece["tex"])
    if piece["tag"]:
        return _SYNTAX.sub(lambda sign: f"&#{ord(sign[0])};", piece[0])
    # no entity: MathJax reads the document, and Anki's editor writes characters in place of entities
    return f"<span>{piece[0]}</span>"


_QUOTED = regex(r'[\t\n\r"]')


def table(cards: Iterable[Card]) -> str:
    """The cards as a table with Anki's own header: ids, decks and tags are known when it is imported."""
    head = (
        "#separator:tab",
        "#html:true",
        "#notetype:paper-notes",
        "#guid column:1",
        "#deck column:2",
        "#tags column:3",
        "#columns:id\tdeck\ttags\tQuestion\tAnswer\tAbout\tLink",
    )
    rows = ((card.id, card.deck, " ".join(card.tags), *fields_of(card)) for card in cards)
    return "".join(f"{line}\n" for line in (*head, *("\t".join(map(_cell, row)) for row in rows)))


def _cell(text: str) -> str:
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if _QUOTED.search(text) or text.startswith("#") else text


def markdown(cards: Iterable[Card], title: str) -> str:
    """The cards by note, each question as a heading and its answer below."""
    blocks: list[Block] = [nodes.Heading(1, (Text(title),))]
    for deck, of_deck in groupby(cards, key=lambda card: card.deck):
        blocks.append(nodes.Heading(2, (Text(deck.rpartition("::")[2]),)))
        for _, of_note in groupby(of_deck, key=lambda card: card.note.id):
            blocks += _of_note(list(of_note))
    return write_markdown(Document(tuple(blocks)), _FOR_PEOPLE)


def _of_note(cards: list[Card]) -> Iterator[Block]:
    name, page = tuple(_inlines(_tree(cards[0].about))), cards[0].address.partition("#")[0]
    yield nodes.Heading(3, (nodes.Link(page, name),) if page else name)
    for number, card in enumerate(cards, 1):
        yield nodes.Paragraph((nodes.Strong((Text(f"{number}"),)),))
        yield from _blocks(_tree(card.question))
        yield nodes.Quote(tuple(_blocks(_tree(card.answer))))


_FOR_PEOPLE = replace(GITHUB, formula=lambda formula, _: formula.tex)
"""Formulas of cards have their dollars already, as most programs read them."""
_AS_HTML = frozenset("sup sub kbd u mark small ruby rt".split())
_BLOCKS = frozenset(
    "p div section aside figure figcaption blockquote ul ol li pre table dl dt dd details summary hr"
    " h2 h3 h4 h5 h6".split()
)
_SPACE = regex(r"[ \t\n]+")


def _tree(xml: str) -> Element:
    """XML that `as_xml` has made, whose formulas are in `<var class="tex">`."""
    return ElementTree.fromstring(f"<div>{xml}</div>")  # noqa: S314 -- our own XML


def _blocks(element: Element) -> Iterator[Block]:
    """The blocks that an element holds; words between them are paragraphs."""
    words = _text(element.text)
    for child in element:
        if child.tag in _BLOCKS:
            yield from _paragraph(words)
            yield from _block(child)
            words = []
        else:
            words += _inline(child)
        words += _text(child.tail)
    yield from _paragraph(words)


def _block(element: Element) -> Iterable[Block]:
    match element.tag:
        case "pre":
            return [nodes.CodeBlock("".join(element.itertext()).rstrip())]
        case "table":
            rows = tuple(nodes.Row(tuple(map(_in_row, row))) for row in element.iter("tr"))
            unaligned: nodes.Alignment = ""
            return [nodes.Table((unaligned,) * len(rows[0].cells), rows)]
        case "ul" | "ol":
            items = tuple(nodes.Item(tuple(_blocks(item))) for item in element)
            return [nodes.List(items, 1 if element.tag == "ol" else None)]
        case "hr":
            return [nodes.ThematicBreak()]
        case "blockquote":
            return [nodes.Quote(tuple(_blocks(element)))]
        case "dt" | "summary" | "h2" | "h3" | "h4" | "h5" | "h6":
            return [nodes.Paragraph((nodes.Strong(tuple(_inlines(element))),))]
    return _blocks(element)


def _paragraph(words: list[Inline]) -> Iterator[Block]:
    inlines = tuple(nodes.joined(words))
    if any(not isinstance(part, Text) or part.text.strip() for part in inlines):
        yield nodes.Paragraph(inlines)


def _in_row(element: Element) -> nodes.Cell:
    lines = [node.inlines for block in _blocks(element) for node in block.walk() if isinstance(node, nodes.Paragraph)]
    return nodes.Cell(tuple(nodes.joined([part for line in lines for part in (*line, Text(" "))])))


def _inlines(element: Element) -> list[Inline]:
    return [*_text(element.text), *(part for child in element for part in (*_inline(child), *_text(child.tail)))]


def _inline(element: Element) -> list[Inline]:
    match element.tag:
        case "var" if element.get("class") == "tex":
            return [nodes.Formula("".join(element.itertext()))]
        case "code":
            return [nodes.Code("".join(element.itertext()))]
        case "a":
            return [nodes.Link(element.get("href", ""), tuple(_inlines(element)))]
        case "img":
            return [nodes.Image(element.get("src", ""), tuple(_text(element.get("alt"))))]
        case "br":
            return [nodes.HardBreak()]
        case "input":
            return [Text("☑ " if element.get("checked") else "☐ ")]
        case name if name in _AS_HTML:
            return [nodes.RawInline(f"<{name}>"), *_inlines(element), nodes.RawInline(f"</{name}>")]
        case name if style := STYLES.get(name):
            return [style(tuple(_inlines(element)))]
    return _inlines(element)


def _text(text: str | None) -> list[Inline]:
    return [Text(_SPACE.sub(" ", text))] if text else []
