"""Texts that other people's databases give with HTML, JATS or MathML in them, as plain text in one line."""

from __future__ import annotations

import html
import re

_TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>|<!--.*?-->|<!\[CDATA\[|\]\]>", re.DOTALL)
_TEX = re.compile(r"<(?:\w+:)?(?:tex-math|annotation)\b[^>]*>(.*?)</(?:\w+:)?(?:tex-math|annotation)>", re.DOTALL)
_HEADING = re.compile(r"<jats:title>\s*(?:abstract|summary|摘要)\s*[:.]?\s*</jats:title>", re.IGNORECASE)
_BLOCK = re.compile(r"<(?:/?(?:jats:)?(?:p|sec|title|list|list-item|div|li|br)\b[^>]*)>", re.IGNORECASE)
_NOT_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
"""What cannot stand in a source file."""


def folded(text: str) -> str:
    """The text in one line, without what cannot stand in a source file."""
    return " ".join(_NOT_TEXT.sub(" ", text).split())


def without_markup(text: str) -> str:
    """`<jats:p>A <i>tiny</i> &amp; fast</jats:p>` as `A tiny & fast`; a lone `<`, as in `p < 0.05`, stays."""
    text = _BLOCK.sub(" ", _TEX.sub(" ", _HEADING.sub(" ", text)))
    return folded(html.unescape(html.unescape(_TAG.sub("", text))))
