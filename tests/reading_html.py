"""What a browser would see in a piece of HTML: its elements and ids, and what should not be in it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

from paper_notes.markdown.figures.svg import ELEMENTS
from paper_notes.markdown.sanitise import TAGS

MATHML = frozenset(
    "math mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd"
    " mpadded mphantom merror mstyle menclose semantics".split()
)
FORBIDDEN_ATTRIBUTE = re.compile(r"on|srcdoc|style|src$|action|formaction|xlink|http-equiv", re.IGNORECASE)
FORBIDDEN_VALUE = re.compile(r"(javascript|vbscript|data)\s*:|url\(\s*['\"]?(?!#)|evil\.example", re.IGNORECASE)


class Reader(HTMLParser):
    """What a browser would see: elements, attributes, and what is wrong with them."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS | MATHML | {name.lower() for name in ELEMENTS}:
            self.wrong.append(f"<{tag}>")
        for name, value in attrs:
            self.ids += [value or ""] if name == "id" else []
            is_address = name in ("href", "attributename", "mask", "fill", "to", "values") or "url(" in (value or "")
            if FORBIDDEN_ATTRIBUTE.match(name) or (is_address and FORBIDDEN_VALUE.search(value or "")):
                self.wrong.append(f'<{tag} {name}="{value}">')


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def in_search_file(sheet: str) -> Any:
    """What a search file holds: a JSON string of JSON."""
    found = re.fullmatch(r'@charset "utf-8";\n.*head\{--pn-\w+:("(?:[^"\\\n]|\\["\\])*")\}\n', sheet, re.DOTALL)
    assert found, "no other escapes, which browsers would give back in another form"
    return json.loads(json.loads(found[1]))
