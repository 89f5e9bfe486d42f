"""HTML that other programs read in another way: `<div markdown>` holds Markdown, and `<think>` is no tag but text."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.html_block import html_block

from paper_notes.markdown.context import line_of
from paper_notes.markdown.sanitise import TAGS, is_html
from paper_notes.patterns import regex

_TAG = regex(r"<(/?)([A-Za-z][A-Za-z0-9-]*)(?=[\s/>])")
_UNWRAPPED = regex(
    r"<([a-z][a-z0-9]*)(?=\s)(?:\s+[A-Za-z-]+(?:=(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+))?)*?"
    r"\s+markdown(?:=(?:\"\w+\"|'\w+'|\w+))?(?:\s[^<>]*)?>",
    re.IGNORECASE,
)
MAX_TAG = 1_000
"""The most characters of a line that begins such an element."""
_SUMMARY = regex(r"<summary>[^\n]*</summary>", re.IGNORECASE)
_NEUTRAL = frozenset("div section article main header footer nav center span p figure".split())
"""Elements that mean nothing by themselves, so that their content goes without them."""


def install(md: MarkdownIt) -> None:
    """Add these rules to a parser."""
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}
    md.block.ruler.before("html_block", "unwrapped", _unwrapped, alternatives)
    md.block.ruler.at("html_block", _known_html, alternatives)


def is_unknown_tag(html: str) -> bool:
    """Whether a piece of HTML is a tag that no browser knows, such as `<think>`: a page shows it."""
    match = _TAG.match(html)
    return match is not None and not is_html(match[2])


def _known_html(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The library's rule for blocks of HTML; what begins with an unknown tag is a paragraph, as its words are."""
    return not is_unknown_tag(line_of(state, start)) and html_block(state, start, end, silent)


def _unwrapped(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line that begins or ends an element whose content is Markdown (`md_in_html`)."""
    line = line_of(state, start).strip()
    if not line.startswith("<") or len(line) > MAX_TAG or state.is_code_block(start):
        return False
    opened: list[str] = state.env.setdefault("unwrapped", [])
    match = _UNWRAPPED.fullmatch(line)
    closes = bool(opened) and line.lower() == f"</{opened[-1]}>"
    if not match and not closes and not (opened and _SUMMARY.fullmatch(line)):
        return False
    if silent:
        return True
    if not match and not closes:
        _html(state, f"{line}\n", start)
        return True
    name = opened.pop() if not match else match[1].lower()
    if match:
        opened.append(name)
    if name not in _NEUTRAL and name in TAGS:
        _html(state, f"<{name}>\n" if match else f"</{name}>\n", start)
    state.line = start + 1
    return True


def _html(state: StateBlock, html: str, line: int) -> None:
    token = state.push("html_block", "", 0)
    token.content, token.map = html, [line, line + 1]
    state.line = line + 1
