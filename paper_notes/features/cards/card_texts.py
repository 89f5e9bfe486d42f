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

from paper_notes.features.cards.cards import Card
from paper_notes.features.cards.tex import FORMULA

_DIRECTIVE = r"\[(?=/?(?:sound:|anki:|latex\]|\${1,2}\]))"
_SYNTAX = re.compile(rf"\\(?=(?:<wbr/?>)*[()\[\]])|{_DIRECTIVE}|(?<=\{{)\{{", re.IGNORECASE)
"""MathJax joins what is before and after a `<wbr>`."""
_IN_FORMULA = re.compile(rf"{_DIRECTIVE}|(?<=\{{)\{{(?=c\d+::)", re.IGNORECASE)
_PIECE = re.compile(
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


_QUOTED = re.compile(r'[\t\n\r"]')
_BLANK = re.compile(r"\n{3,}")


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
    parts = [f"# {title}"]
    for deck, of_deck in groupby(cards, key=lambda card: card.deck):
        parts.append(f"## {deck.rpartition('::')[2]}")
        for _, of_note in groupby(of_deck, key=lambda card: card.note.id):
            parts += _of_note(list(of_note))
    return _BLANK.sub("\n\n", "\n\n".join(parts)) + "\n"


def _of_note(cards: list[Card]) -> Iterator[str]:
    name, page = as_markdown(cards[0].about), cards[0].address.partition("#")[0]
    yield f"### [{name}]({page})" if page else f"### {name}"
    for number, card in enumerate(cards, 1):
        yield f"**{number}**"
        yield as_markdown(card.question)
        yield "\n".join(f"> {line}".rstrip() for line in as_markdown(card.answer).split("\n"))


_SPECIAL = re.compile(r"[\\`*\[\]<$]|(?<![^\W_])_|_(?![^\W_])")
_AROUND = {"b": "**", "strong": "**", "em": "*", "i": "*", "s": "~~", "del": "~~"}
_AS_HTML = frozenset("sup sub kbd u mark small ruby rt".split())
_BLOCKS = frozenset(
    "p div section aside figure figcaption blockquote ul ol li pre table dl dt dd details summary hr"
    " h2 h3 h4 h5 h6".split()
)
_SPACE = re.compile(r"[ \t\n]+")


def as_markdown(xml: str) -> str:
    """The Markdown of XML that `as_xml` has made, whose formulas are in `<var class="tex">`."""
    return "\n\n".join(_blocks(ElementTree.fromstring(f"<div>{xml}</div>")))  # noqa: S314 -- our own XML


def _blocks(element: ElementTree.Element) -> Iterator[str]:
    """The blocks that an element holds; words between them are paragraphs."""
    if element.tag == "pre":
        yield f"```\n{''.join(element.itertext()).rstrip()}\n```"
    elif element.tag == "table":
        yield "\n".join(_rows(element))
    elif element.tag in ("ul", "ol"):
        yield "\n".join(_items(element))
    elif element.tag == "hr":
        yield "---"
    else:
        yield from _in_order(element)


def _in_order(element: ElementTree.Element) -> Iterator[str]:
    words = [_escaped(element.text)]
    for child in element:
        if child.tag in _BLOCKS:
            yield from _paragraph(words)
            words = []
            blocks = list(_blocks(child))
            if child.tag in ("dt", "summary") or child.tag[:1] == "h":
                blocks = [f"**{block}**" for block in blocks]
            yield from (
                ("\n".join(f"> {line}" for line in block.split("\n")) for block in blocks)
                if (child.tag == "blockquote")
                else blocks
            )
        else:
            words.append(_inline(child))
        words.append(_escaped(child.tail))
    yield from _paragraph(words)


def _paragraph(words: list[str]) -> Iterator[str]:
    text = "".join(words).strip()
    if text:
        yield text


def _inline(element: ElementTree.Element) -> str:
    inside = _escaped(element.text) + "".join(_inline(child) + _escaped(child.tail) for child in element)
    match element.tag:
        case "var" if element.get("class") == "tex":
            return "".join(element.itertext())
        case "code":
            code = "".join(element.itertext())
            return f"`` {code} ``" if "`" in code else f"`{code}`"
        case "a":
            return f"[{inside}]({element.get('href', '')})"
        case "img":
            return f"![{_escaped(element.get('alt'))}]({element.get('src', '')})"
        case "br":
            return "  \n"
        case "input":
            return "☑ " if element.get("checked") else "☐ "
        case name if name in _AROUND and inside.strip():
            return f"{_AROUND[name]}{inside.strip()}{_AROUND[name]}"
        case name if name in _AS_HTML:
            return f"<{name}>{inside}</{name}>"
    return inside


def _items(element: ElementTree.Element) -> Iterator[str]:
    for number, item in enumerate(element, 1):
        mark = f"{number}. " if element.tag == "ol" else "- "
        text = "\n".join(_in_order(item))
        yield mark + text.replace("\n", "\n" + " " * len(mark))


def _rows(table: ElementTree.Element) -> Iterator[str]:
    for number, row in enumerate(table.iter("tr")):
        cells = [" ".join(_in_order(cell)).replace("\n", " ").replace("|", "\\|") for cell in row]
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield "|---" * len(cells) + "|"


def _escaped(text: str | None) -> str:
    return _SPECIAL.sub(r"\\\g<0>", _SPACE.sub(" ", text)) if text else ""
