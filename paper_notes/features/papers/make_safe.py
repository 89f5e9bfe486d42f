"""Markdown that somebody else wrote, with less meaning where a page could not hold it: no character of it is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.diagnostics import Location
from paper_notes.document import nodes
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Node, Span
from paper_notes.document.parse import parse
from paper_notes.document.write import fenced, write_inlines
from paper_notes.features.papers.note_template import as_markdown
from paper_notes.languages.language import Words
from paper_notes.markdown.parser import parse_text
from paper_notes.patterns import regex
from paper_notes.values import Struct

Refused = tuple[str, Location]
"""The rule that something breaks, and where."""
_MARKER = regex(r"\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*")
_MEANING = regex(r"\\[!-/:-@\[-`{-~]|[\\`*_\[\]<>$#{}@!~=^&%]|:(?!//)|(?P<bar>\|)")
_TAG_START = regex(r"<(?=[A-Za-z/])")


class Demotion(Struct, frozen=True):
    """A piece of a text that became plain words, or code."""

    rule: str
    words: str
    """What is written there, cut short."""
    is_code: bool


def make_safe_markdown(text: str, lang: Lang, words: Words, own: Container[str] = (), *, inline: bool = False) -> str:
    """The text without mistakes that would stop a build, and without references to notes and papers but `own` ones.

    With `inline` it is one line, of which nothing becomes a block of code: it loses all meaning instead.
    """

    def refused(text: str) -> Iterator[Refused]:
        snippet = parse_text(NoteText(lang, PurePosixPath("text.md"), text), words, inline=inline).snippet
        yield from ((problem.rule, problem.location) for problem in snippet.diagnostics if problem.severity == "error")
        dangling = (slot for slot in snippet.slots if slot.kind != "plain" and slot.target not in own)
        yield from (("reference", slot.location) for slot in dangling)

    safe, demotions = demote(text, refused)
    return as_markdown(text) if inline and any(demotion.is_code for demotion in demotions) else safe


def demote(text: str, refused: Callable[[str], Iterable[Refused]]) -> tuple[str, list[Demotion]]:
    """The text with less meaning where it is refused, and what was done; in the end nothing of it can be.

    What is refused gets a backslash, and a formula becomes code. What still is loses the marks of its line; then its
    block becomes code, and at last the whole text does.
    """
    demotions: list[Demotion] = []
    for step in (_escape, _escape_lines, _blocks_as_code, _all_as_code):
        if not (wrong := list(dict.fromkeys(refused(text)))):
            break
        source = _Source(text)
        demotions += [Demotion(rule, source.quoted(where), step in _TO_CODE) for rule, where in wrong]
        text = apply(text, _outermost(step(source, wrong)))
    return text, demotions


class _Source:
    """A text, its tree, and where its lines begin."""

    def __init__(self, text: str) -> None:
        self.text, self.lines = text, text.split("\n")
        self.document = parse(text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def offset(self, where: Location) -> int:
        return min(self.starts[self.row(where)] + max(where.column - 1, 0), len(self.text))

    def row(self, where: Location) -> int:
        return min(max(where.line, 1), len(self.lines)) - 1

    def quoted(self, where: Location) -> str:
        line = self.lines[self.row(where)]
        return line[max(where.column - 1, 0) :].strip()[:40] or line.strip()[:40]


def _outermost(edits: Iterable[Edit]) -> Iterator[Edit]:
    end = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, -edit.span.end)):
        if edit.span.start >= end:
            yield edit
            end = edit.span.end


def _escape(source: _Source, wrong: Sequence[Refused]) -> Iterator[Edit]:
    """A backslash before each place; formulas as code; every tag, if one is not closed somewhere."""
    text, offsets = source.text, dict[int, str]()
    for rule, where in wrong:
        offset = source.offset(where)
        if rule == "html-not-allowed" and text[offset : offset + 1] != "<":
            raw = (node for node in source.document.walk() if isinstance(node, nodes.RawInline | nodes.RawBlock))
            offsets |= {tag.start(): rule for node in raw for tag in _TAG_START.finditer(text, *node.span)}
        else:
            offsets[offset] = rule
    formulas = [node.span for node in source.document.walk() if isinstance(node, nodes.Formula)]
    code = [node.span for node in source.document.walk() if isinstance(node, nodes.CodeBlock)]
    for offset, rule in offsets.items():
        if any(span.start <= offset < span.end for span in code):
            continue  # a backslash would be a sign of the code
        offset += text.startswith("![", offset)  # behind a `\!` there would be a link
        formula = next((span for span in formulas if rule == "bad-tex" and span.start <= offset < span.end), None)
        if formula:
            yield Edit(formula, write_inlines((nodes.Code(text[slice(*formula)]),)))
        elif re.match(r"[^\w\s]", text[offset : offset + 1]) and text[max(offset - 1, 0) : offset] != "\\":
            yield Edit(Span(offset, offset), "\\")


def _escape_lines(source: _Source, wrong: Sequence[Refused]) -> Iterator[Edit]:
    """The lines without marks; not those of boxes, code and formulas, of which each line means something."""
    words = [node for node in source.document.walk() if isinstance(node, nodes.Paragraph | nodes.Heading | nodes.Table)]
    for row in {source.row(where) for _, where in wrong}:
        span = Span(source.starts[row], source.starts[row] + len(source.lines[row]))
        if any(node.span.start <= span.start <= node.span.end for node in words):
            yield Edit(span, _plain_line(source.lines[row]))


def _plain_line(line: str) -> str:
    """A line in its list or quote whose signs mean nothing; those that have a backslash already keep it."""
    marker = _MARKER.match(line)
    start = marker.end() if marker else 0
    is_row = line[start : start + 1] == "|"
    plain = lambda sign: sign[0] if sign[0][1:] or (sign["bar"] and is_row) else f"\\{sign[0]}"  # noqa: E731
    return line[:start] + _MEANING.sub(plain, line[start:])


def _blocks_as_code(source: _Source, wrong: Sequence[Refused]) -> Iterator[Edit]:
    for _, where in wrong:
        block = _block_at(source.document, source.offset(where))
        span = block.span if block else Span(source.starts[source.row(where)], source.offset(where))
        start = source.text.rfind("\n", 0, span.start) + 1
        end = source.text.find("\n", span.end)
        whole = Span(start, end if end >= 0 else len(source.text))
        yield Edit(whole, _fenced(source.text[slice(*whole)], block))


def _block_at(parent: Node, offset: int) -> Node | None:
    """The smallest block at a place that can be code alone: no part of a quote, and no item's first block."""
    blocks = [block for block in parent.children if isinstance(block, nodes.Block | nodes.Item)]
    first = blocks[0] if blocks and isinstance(parent, nodes.Item) else None
    block = next((block for block in blocks if block.span.start <= offset <= block.span.end), None)
    if block is None or block is first:
        return None
    inner = _block_at(block, offset) if isinstance(block, nodes.Component | nodes.List | nodes.Item) else None
    return inner or (None if isinstance(block, nodes.Item) else block)


def _all_as_code(source: _Source, wrong: Sequence[Refused]) -> Iterator[Edit]:
    yield Edit(Span(0, len(source.text)), _fenced(source.text))


_TO_CODE = (_blocks_as_code, _all_as_code)


def _fenced(text: str, block: Node | None = None) -> str:
    """The lines as a block of code, as far in as the first of them; code that nothing could draw without its marks."""
    indent = text[: len(text) - len(text.lstrip(" "))]
    code = indent + block.code.replace("\n", f"\n{indent}") if isinstance(block, nodes.CodeBlock) else text
    start, *lines, end = fenced(code, "text").split("\n")
    return "\n".join([indent + start, *lines, indent + end])
