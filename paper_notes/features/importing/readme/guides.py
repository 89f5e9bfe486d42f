"""Reading paths of a hand-kept README: a heading or a sentence, steps in their order, and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Inline, Link, Span
from paper_notes.document.parse import parse_inline
from paper_notes.features.importing.readme.vocabulary import ARROW, PATH
from paper_notes.features.importing.readme.words import links_of, pieces, words_of

_NUMBERED = re.compile(r"#?0*(?P<number>\d{1,6})(?![\w.-]*\w)\s*[:：.]?\s*(?P<rest>.*)", re.DOTALL)
_GROUP = re.compile(r"[(（](?P<inside>.*)[)）]", re.DOTALL)
_BEHIND = re.compile(r"\s*[(（:：,，].*|\s+[-—–]\s.*", re.DOTALL)
"""What is behind the name in a step."""
_INTRODUCED = re.compile(r"^(?!#?\d)[^→:：(（]{1,60}[:：]\s*(?=\S)")
_TITLED = re.compile(r"(?P<marks>[*_]*)(?P<title>[^→:：]{1,60})[:：](?P=marks)(?P<line>.*)", re.DOTALL)
_MOST = 200
"""A step with more characters is a sentence."""
WORDS = (nodes.Heading, nodes.Paragraph, nodes.List, nodes.DefinitionList, nodes.FormulaBlock, nodes.Component)
"""Blocks of words: no tables, rules, code or HTML."""


@dataclass(frozen=True, slots=True)
class ReadmeStep:
    """A step of a reading path."""

    words: str
    """Plain text: what is said of it."""
    number: int | None = None
    """Of the note in its topic."""
    address: str = ""
    name: str = ""
    """What may be its label, or short for it."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A reading path: in which order to read, and why."""

    span: Span
    title: str
    steps: tuple[ReadmeStep, ...]
    line: str
    """Markdown of the steps, if they are a line; else they are in the text."""
    text: str
    """Markdown of all the rest."""


def guide_from(heading: nodes.Heading, inside: Sequence[Block], text: str) -> Guide | None:
    """The reading path below a heading; None if there is none. `text` is the README's."""
    if not all(isinstance(block, WORDS) for block in inside):
        return None
    title, steps, line = words_of(heading.inlines), tuple[ReadmeStep, ...](), None
    for block in inside:
        if isinstance(block, nodes.Paragraph) and len(in_line := steps_of(block.inlines)) > 1:
            steps, line = in_line, block
            break
        if isinstance(block, nodes.List) and not steps and PATH.search(title):
            steps = _items(block)
    if not steps:
        return None
    span = Span(heading.span.start, inside[-1].span.end)
    rest = markdown_of([block for block in inside if block is not line], text)
    return Guide(span, title, steps, markdown_of([line], text) if line else "", rest)


def lone_guide(paragraph: nodes.Paragraph, text: str) -> Guide | None:
    """A reading path that is one paragraph: `Read in this order: 3 → 1 → 2`; None if it is none."""
    steps, written = steps_of(paragraph.inlines), markdown_of([paragraph], text)
    if len(steps) < 3:
        return None
    match = _TITLED.fullmatch(written)
    title, line = (match["title"], match["line"]) if match else ("", written)
    return Guide(paragraph.span, words_of(parse_inline(title)), steps, line.strip(), "")


def markdown_of(blocks: Sequence[Block], text: str) -> str:
    """The Markdown of blocks as it is written."""
    return "\n\n".join(text[slice(*block.span)] for block in blocks)


def steps_of(inlines: Sequence[Inline]) -> tuple[ReadmeStep, ...]:
    """The steps of `**15 (Lossless) → 02 (EAGLE)**`; empty if it is a sentence."""
    parts: list[list[str | Link]] = [[]]
    for piece in pieces(inlines):
        first, *others = ARROW.split(piece) if isinstance(piece, str) else (piece,)
        parts[-1].append(first)
        parts += [[other] for other in others]
    steps = tuple(_step(part, is_first=part is parts[0]) for part in parts) if len(parts) > 1 else ()
    return () if any(len(step.words or step.name) > _MOST for step in steps) else steps


def _step(part: Sequence[str | Link], *, is_first: bool) -> ReadmeStep:
    link = next((piece for piece in part if isinstance(piece, Link)), None)
    words = "".join(piece if isinstance(piece, str) else words_of(piece.inlines) for piece in part)
    words = words.strip().rstrip("。;；")
    words = _INTRODUCED.sub("", words) if is_first else words
    match = _NUMBERED.fullmatch(words)
    number = int(match["number"]) if match else None
    if link:
        return ReadmeStep(words, number, link.href)
    group = _GROUP.fullmatch(match["rest"]) if match else None
    rest = group["inside"] if group else match["rest"] if match else words
    return ReadmeStep(rest.strip(), number, "", _BEHIND.sub("", rest).strip())


def _items(block: nodes.List) -> tuple[ReadmeStep, ...]:
    """The steps of an ordered list of more than one item, each with a note."""
    firsts = [item.blocks[0] for item in block.items if item.blocks]
    items = [first.inlines for first in firsts if isinstance(first, nodes.Paragraph)]
    return tuple(map(_listed, items)) if block.start is not None and len(items) > 1 else ()


def _listed(inlines: Sequence[Inline]) -> ReadmeStep:
    words, links = words_of(inlines), links_of(inlines)
    match = _NUMBERED.fullmatch(words) if words.startswith("#") else None
    if links:
        return ReadmeStep("", None, links[0].href)
    return ReadmeStep("", int(match["number"]) if match else None, "", _BEHIND.sub("", words).strip())
