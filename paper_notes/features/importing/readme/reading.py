"""A hand-kept README to values: its headings with the tables, lists and reading paths below them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import PurePosixPath

from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Inline, Link, Span
from paper_notes.document.parse import parse, parse_inline
from paper_notes.features.importing.readme.rows import IsNote, ReadmeRow, ReadmeTable, is_page, list_from, table_from
from paper_notes.features.importing.readme.vocabulary import ARROW, COUNT, PATH
from paper_notes.features.importing.readme.words import HAND_KEPT, cleaned, links_of, pieces, words_of
from paper_notes.patterns import regex
from paper_notes.values import Struct

_FOLDER = regex(r"(?P<folder>[\w.+-]+)(?:/[\w.+-]+)*/(?:\s*[-—–:：|·]+\s*|\s+|$)(?P<title>.*)")
_NUMBERED = regex(r"^(?:\d{1,3}(?:\.\d+)*[.、)]|[一二三四五六七八九十]+、)\s*(?=\S)")
_PERIOD = regex(r"(?:19|20)\d\d(?:\s*[-./年]\s*\d{1,2}月?|年|\s*[Qq][1-4])?")
_MARKER = regex(r"<!--[ \t]*paper-notes:(begin|end)")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f\u20e3")
_NUMBERED_STEP = regex(r"#?0*(?P<number>\d{1,6})(?![\w.-]*\w)\s*[:：.]?\s*(?P<rest>.*)", re.DOTALL)
_GROUP = regex(r"[(（](?P<inside>.*)[)）]", re.DOTALL)
_BEHIND = regex(r"\s*[(（:：,，].*|\s+[-—–]\s.*", re.DOTALL)
"""What is behind the name in a step."""
_INTRODUCED = regex(r"^(?!#?\d)[^→:：(（]{1,60}[:：]\s*(?=\S)")
_TITLED = regex(r"(?P<marks>[*_]*)(?P<title>[^→:：]{1,60})[:：](?P=marks)(?P<line>.*)", re.DOTALL)
_MOST = 200
"""A step with more characters is a sentence."""
WORDS = (nodes.Heading, nodes.Paragraph, nodes.List, nodes.DefinitionList, nodes.FormulaBlock, nodes.Component)
"""Blocks of words: no tables, rules, code or HTML."""


class ReadmeStep(Struct, frozen=True):
    """A step of a reading path."""

    words: str
    """Plain text: what is said of it."""
    number: int | None = None
    """Of the note in its topic."""
    address: str = ""
    name: str = ""
    """What may be its label, or short for it."""


class Guide(Struct, frozen=True):
    """A reading path: in which order to read, and why."""

    span: Span
    title: str
    steps: tuple[ReadmeStep, ...]
    line: str
    """Markdown of the steps, if they are a line; else they are in the text."""
    text: str
    """Markdown of all the rest."""


class ReadmeSection(Struct, frozen=True):
    """A heading with the lists below it, up to the next heading with lists of its own."""

    start: int
    """Offset in the README."""
    heading: str
    """Plain text, as written."""
    folder: str
    """As the heading says: `spec-rl`; may be empty."""
    emoji: str
    title: str
    counted: bool
    """The heading says how many there are."""
    intro: str
    """Markdown before the first list."""
    tables: tuple[ReadmeTable, ...]
    guides: tuple[Guide, ...]


class HandKeptReadme(Struct, frozen=True):
    """A README as it is read. Spans are places in its text."""

    path: PurePosixPath
    text: str
    """Lines end with a line feed."""
    sections: tuple[ReadmeSection, ...]

    @property
    def rows(self) -> Iterator[tuple[ReadmeSection, ReadmeRow]]:
        """All rows, each with its section."""
        return ((section, row) for section in self.sections for table in section.tables for row in table.rows)


Part = ReadmeTable | Guide | Block
"""What a section has, in its order."""


def read_readme(path: PurePosixPath, text: str, is_note: IsNote = is_page) -> HandKeptReadme:
    """What a README says. `is_note` knows the addresses of notes; by default those that look like a note's."""
    usable = cleaned(text)
    sections: list[tuple[nodes.Heading | None, list[Part]]] = [(None, [])]
    tables: list[ReadmeTable] = []
    for heading, inside in _by_heading(_not_ours(parse(usable, HAND_KEPT).blocks, usable)):
        opened, parts = sections[-1]
        is_below = heading and heading.level > (opened.level if opened else 0)
        if heading and is_below and tables and (guide := guide_from(heading, inside, usable)):
            parts.append(guide)
            continue
        if heading and not (is_below and opened and _PERIOD.fullmatch(words_of(heading.inlines))):
            parts, tables = [], []
            sections.append((heading, parts))
        for block in inside:
            part = _part(block, tables, usable, is_note)
            parts.append(part)
            tables += [part] if isinstance(part, ReadmeTable) else []
    read = (_section(*section, usable) for section in sections)
    return HandKeptReadme(path, text, tuple(section for section in read if section.tables))


def _not_ours(blocks: Iterable[Block], text: str) -> Iterator[Block]:
    """The blocks but for those in our own regions, which are written anew."""
    inside = False
    for block in blocks:
        markers = _MARKER.findall(text, *block.span) if isinstance(block, nodes.RawBlock) else ()
        if markers:
            inside = markers[-1] == "begin"
        elif not inside:
            yield block


def _by_heading(blocks: Iterable[Block]) -> list[tuple[nodes.Heading | None, list[Block]]]:
    """Each heading with the blocks up to the next one."""
    groups: list[tuple[nodes.Heading | None, list[Block]]] = [(None, [])]
    for block in blocks:
        if isinstance(block, nodes.Heading):
            groups.append((block, []))
        else:
            groups[-1][1].append(block)
    return groups


def _part(block: Block, tables: Sequence[ReadmeTable], text: str, is_note: IsNote) -> Part:
    """What a block is below these tables; itself if it is words, or nothing of ours."""
    match block:
        case nodes.Table():
            return table_from(block, text, is_note) or block
        case nodes.List() if table := list_from(block, text, is_note):
            known = {row.address for other in tables for row in other.notes}
            is_aside = known and all(row.address in known and not row.is_paper for row in table.rows)
            return block if is_aside else table  # an aside only mentions what a table has
        case nodes.Paragraph() if tables:
            return lone_guide(block, text) or block
    return block


def _section(heading: nodes.Heading | None, parts: Sequence[Part], text: str) -> ReadmeSection:
    written = words_of(heading.inlines) if heading else ""
    emoji, rest = _emoji(written)
    more, title = _emoji(_NUMBERED.sub("", COUNT.sub("", rest)))
    match = _FOLDER.fullmatch(title)
    folder = match["folder"] if match else ""
    title = (match["title"] if match else title).strip() or folder
    lead = takewhile(lambda part: not isinstance(part, ReadmeTable), parts)
    intro = markdown_of([part for part in lead if isinstance(part, (*WORDS, nodes.Table))], text)
    tables = tuple(part for part in parts if isinstance(part, ReadmeTable))
    guides = tuple(part for part in parts if isinstance(part, Guide))
    start, counted = heading.span.start if heading else 0, bool(COUNT.search(rest))
    return ReadmeSection(start, written, folder, emoji or more, title, counted, intro, tables, guides)


def _emoji(text: str) -> tuple[str, str]:
    """The emoji that a text begins with, and the rest."""
    rest = text
    while rest and (unicodedata.category(rest[0]) in ("So", "Sk") or rest[0] in _JOINERS):
        rest = rest[1:]
    return text[: len(text) - len(rest)], rest.strip()


# Reading paths


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
    return Guide(paragraph.span, words_of(parse_inline(title, HAND_KEPT)), steps, line.strip(), "")


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
    match = _NUMBERED_STEP.fullmatch(words)
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
    match = _NUMBERED_STEP.fullmatch(words) if words.startswith("#") else None
    if links:
        return ReadmeStep("", None, links[0].href)
    return ReadmeStep("", int(match["number"]) if match else None, "", _BEHIND.sub("", words).strip())
