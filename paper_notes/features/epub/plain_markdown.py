"""The HTML of a card as Markdown that people read: paragraphs, lists, tables, formulas between dollars."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

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
