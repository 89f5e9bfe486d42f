"""Texts with HTML, JATS or MathML from databases, as plain text in one line."""

from __future__ import annotations

import html
import re

from paper_notes.sources.characters import one_line

_TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>|<!\[CDATA\[|\]\]>")
_COMMENT = (re.compile("<!--.*?-->", re.DOTALL), re.compile("-->"))
_TEX_END = r"</(?:\w+:)?(?:tex-math|annotation)>"
_TEX = (re.compile(r"<(?:\w+:)?(?:tex-math|annotation)\b[^<>]*>.*?" + _TEX_END, re.DOTALL), re.compile(_TEX_END))
_HEADING = re.compile(r"<jats:title>\s*(?:abstract|summary|摘要)\s*[:.]?\s*</jats:title>", re.IGNORECASE)
_BLOCK = re.compile(r"<(?:/?(?:jats:)?(?:p|sec|title|list|list-item|div|li|br)\b[^<>]*)>", re.IGNORECASE)
_LONG_NUMBER = re.compile(r"&#(?=[0-9]{8}|[xX][0-9A-Fa-f]{8})")
"""The start of a character reference whose number is too large, and slow to parse."""


def without_markup(text: str) -> str:
    """`<jats:p>A <i>tiny</i> &amp; fast</jats:p>` as `A tiny & fast`; a lone `<`, as in `p < 0.05`, stays."""
    text = _without(*_COMMENT, _without(*_TEX, _HEADING.sub(" ", text)))
    text = _TAG.sub("", _BLOCK.sub(" ", text))
    return one_line(html.unescape(_LONG_NUMBER.sub("", html.unescape(_LONG_NUMBER.sub("", text)))))


def _without(parts: re.Pattern[str], end: re.Pattern[str], text: str) -> str:
    """The text without these parts. After the last end nothing is searched: many unclosed parts would take for ever."""
    last = max((found.end() for found in end.finditer(text)), default=0)
    return parts.sub(" ", text[:last]) + text[last:]
