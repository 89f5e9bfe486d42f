"""A hand-kept README to values: its headings with the tables, lists and reading paths below them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import PurePosixPath

from paper_notes.document import nodes
from paper_notes.document.nodes import Block
from paper_notes.document.parse import parse
from paper_notes.features.importing.readme.guides import WORDS, Guide, guide_from, lone_guide, markdown_of
from paper_notes.features.importing.readme.rows import IsNote, ReadmeRow, ReadmeTable, is_page, list_from, table_from
from paper_notes.features.importing.readme.vocabulary import COUNT
from paper_notes.features.importing.readme.words import cleaned, words_of

_FOLDER = re.compile(r"(?P<folder>[\w.+-]+)(?:/[\w.+-]+)*/(?:\s*[-—–:：|·]+\s*|\s+|$)(?P<title>.*)")
_NUMBERED = re.compile(r"^(?:\d{1,3}(?:\.\d+)*[.、)]|[一二三四五六七八九十]+、)\s*(?=\S)")
_PERIOD = re.compile(r"(?:19|20)\d\d(?:\s*[-./年]\s*\d{1,2}月?|年|\s*[Qq][1-4])?")
_MARKER = re.compile(r"<!--[ \t]*paper-notes:(begin|end)")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f\u20e3")
Part = ReadmeTable | Guide | Block


@dataclass(frozen=True, slots=True)
class ReadmeSection:
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


@dataclass(frozen=True, slots=True)
class HandKeptReadme:
    """A README as it is read. Spans are places in its text."""

    path: PurePosixPath
    text: str
    """Lines end with a line feed."""
    sections: tuple[ReadmeSection, ...]

    @property
    def rows(self) -> Iterator[tuple[ReadmeSection, ReadmeRow]]:
        """All rows, each with its section."""
        return ((section, row) for section in self.sections for table in section.tables for row in table.rows)


def read_readme(path: PurePosixPath, text: str, is_note: IsNote = is_page) -> HandKeptReadme:
    """What a README says. `is_note` knows the addresses of notes; by default those that look like a note's."""
    usable = cleaned(text)
    sections: list[tuple[nodes.Heading | None, list[Part]]] = [(None, [])]
    for heading, inside in _by_heading(_not_ours(parse(usable).blocks, usable)):
        opened, parts = sections[-1]
        is_below = heading and heading.level > (opened.level if opened else 0)
        if heading and is_below and _tables(parts) and (guide := guide_from(heading, inside, usable)):
            parts.append(guide)
            continue
        if heading and not (is_below and opened and _PERIOD.fullmatch(words_of(heading.inlines))):
            parts = []
            sections.append((heading, parts))
        for block in inside:
            parts.append(_part(block, _tables(parts), usable, is_note))
    return HandKeptReadme(path, text, tuple(_section(*section, usable) for section in sections if _tables(section[1])))


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


def _tables(parts: Iterable[Part]) -> tuple[ReadmeTable, ...]:
    return tuple(part for part in parts if isinstance(part, ReadmeTable))


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
    guides = tuple(part for part in parts if isinstance(part, Guide))
    start, counted = heading.span.start if heading else 0, bool(COUNT.search(rest))
    return ReadmeSection(start, written, folder, emoji or more, title, counted, intro, _tables(parts), guides)


def _emoji(text: str) -> tuple[str, str]:
    """The emoji that a text begins with, and the rest."""
    rest = text
    while rest and (unicodedata.category(rest[0]) in ("So", "Sk") or rest[0] in _JOINERS):
        rest = rest[1:]
    return text[: len(text) - len(rest)], rest.strip()
