"""A hand-kept README to values: its headings with the tables, lists and reading paths below them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from paper_notes.features.importing.readme.blocks import ReadmeBlock, blocks_of, cleaned, plain
from paper_notes.features.importing.readme.guides import guide_from, steps_of
from paper_notes.features.importing.readme.rows import IsNote, is_page, list_from, table_from
from paper_notes.features.importing.readme.values import Guide, HandKeptReadme, ReadmeSection, ReadmeTable
from paper_notes.features.importing.readme.vocabulary import COUNT

_FOLDER = re.compile(r"(?P<folder>[\w.+-]+)(?:/[\w.+-]+)*/(?:\s*[-—–:：|·]+\s*|\s+|$)(?P<title>.*)")
_NUMBERED = re.compile(r"(?:\d{1,3}(?:\.\d+)*[.、)]|[一二三四五六七八九十]+、)\s*(?=\S)")
_PERIOD = re.compile(r"(?:19|20)\d\d(?:\s*[-./年]\s*\d{1,2}月?|年|\s*[Qq][1-4])?")
_TITLED = re.compile(r"([^→:：]{1,60})[:：](.*)", re.DOTALL)
_MARKER = re.compile(r"<!--[ \t]*paper-notes:(begin|end)")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f\u20e3")
_GUIDES_AFTER = 4
"""A reading path without a heading is a paragraph at most so many blocks behind a list of its notes."""


@dataclass
class _Open:
    """A section while it is read."""

    line: int
    level: int
    heading: str
    lead: list[ReadmeBlock] = field(default_factory=list)
    tables: list[ReadmeTable] = field(default_factory=list)
    guides: list[Guide] = field(default_factory=list)


def read_readme(path: PurePosixPath, text: str, is_note: IsNote = is_page) -> HandKeptReadme:
    """What a README says. `is_note` knows the addresses of notes; by default those that look like a note's."""
    usable = cleaned(text)
    lines = usable.split("\n")
    blocks = tuple(_not_ours(blocks_of(usable), lines))
    sections: list[_Open] = []
    opened = _Open(0, 0, "")
    place = 0
    while place < len(blocks):
        block = blocks[place]
        place += 1
        if block.kind == "heading":
            heading = plain(block.text)
            inside = _until_heading(blocks, place)
            if opened.tables and block.level > opened.level and (guide := guide_from(block, inside, heading, lines)):
                opened.guides.append(guide)
                place += len(inside)
            elif not (_PERIOD.fullmatch(heading) and block.level > opened.level and opened.heading):
                sections.append(opened)
                opened = _Open(block.start, block.level, heading)
        elif (block.kind == "table" and (table := table_from(block, is_note))) or (
            block.kind == "list" and (table := list_from(block, is_note)) and not _is_aside(table, opened)
        ):
            opened.tables.append(table)
        elif opened.tables and block.kind == "paragraph" and len(steps_of(block.text)) > 2:
            opened.guides.append(_lone(block))
        elif not opened.tables:
            opened.lead.append(block)
    sections.append(opened)
    return HandKeptReadme(path, text, tuple(_section(section, lines) for section in sections if section.tables))


def _not_ours(blocks: Iterable[ReadmeBlock], lines: Sequence[str]) -> Iterator[ReadmeBlock]:
    """The blocks but for those in our own regions, which are written anew."""
    inside = False
    for block in blocks:
        markers = _MARKER.findall("\n".join(lines[block.start : block.end])) if block.kind == "other" else ()
        if markers:
            inside = markers[-1] == "begin"
        elif not inside:
            yield block


def _until_heading(blocks: Sequence[ReadmeBlock], place: int) -> Sequence[ReadmeBlock]:
    end = next((at for at in range(place, len(blocks)) if blocks[at].kind == "heading"), len(blocks))
    return blocks[place:end]


def _is_aside(table: ReadmeTable, opened: _Open) -> bool:
    """Whether a list behind a table only mentions what the table has."""
    known = {row.address for other in opened.tables for row in other.notes}
    return bool(known) and all(row.address in known for row in table.notes) and not table.papers


def _lone(block: ReadmeBlock) -> Guide:
    """A reading path that is one paragraph: `Read in this order: 3 → 1 → 2`."""
    match = _TITLED.match(block.text)
    title, line = (match[1], match[2]) if match else ("", block.text)
    return Guide(block.start, block.end, plain(title), steps_of(line), line.strip(), "")


def _section(opened: _Open, lines: Sequence[str]) -> ReadmeSection:
    emoji, rest = _emoji(opened.heading)
    title = COUNT.sub("", rest)
    title = _NUMBERED.sub("", title, count=1) if _NUMBERED.match(title) else title
    more, title = _emoji(title)
    match = _FOLDER.fullmatch(title)
    folder = match["folder"] if match else ""
    title = (match["title"] if match else title).strip() or folder
    intro = _sliced(opened.lead, lines)
    return ReadmeSection(
        opened.line, opened.heading, folder, emoji or more, title, title != rest and bool(COUNT.search(rest)), intro,
        tuple(opened.tables), tuple(guide for guide in opened.guides if guide.steps),
    )  # fmt: skip


def _sliced(blocks: Iterable[ReadmeBlock], lines: Sequence[str]) -> str:
    """The Markdown of blocks: of those that are words, no rules and no HTML."""
    parts = ("\n".join(lines[block.start : block.end]).strip("\n") for block in blocks if block.kind != "other")
    return "\n\n".join(parts)


def _emoji(text: str) -> tuple[str, str]:
    """The emoji that a text begins with, and the rest."""
    end = 0
    while end < len(text) and (unicodedata.category(text[end]) in ("So", "Sk") or text[end] in _JOINERS):
        end += 1
    return text[:end], text[end:].strip()
