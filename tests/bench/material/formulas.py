"""A hook of MkDocs: what arithmatex has marked as a formula becomes MathML."""

import re
from html import unescape
from typing import Any

from latex2mathml.converter import convert

FORMULA = re.compile(
    r'<(span|div) class="arithmatex">(?:\\\((?P<inline>.*?)\\\)|\\\[(?P<block>.*?)\\\])</\1>', re.DOTALL
)


def on_page_content(html: str, **_: Any) -> str:
    return FORMULA.sub(_mathml, html)


def _mathml(found: re.Match[str]) -> str:
    display = "inline" if found["block"] is None else "block"
    return convert(unescape(found["inline"] or found["block"]), display=display)
