"""Databases of Notion: a table in CSV beside the folder of its pages becomes a note with the table and their links.

A view of it, which ends with `_all`, says the same once more, and is left out.
"""

from __future__ import annotations

import csv

from paper_notes.document import nodes
from paper_notes.document.write import write_markdown
from paper_notes.features.importing.formats import written_as_markdown
from paper_notes.features.importing.types import NoteFormat, Original
from paper_notes.patterns import regex
from paper_notes.values import replace

_NAME = regex(r".+ [0-9a-f]{32}")


def _recognises(original: Original) -> bool:
    return bool(_NAME.fullmatch(original.path.stem)) and bool(original.text.strip())


def as_markdown(text: str) -> str:
    """The table, whose first column links to the pages of these titles."""
    rows = [row for row in csv.reader(text.splitlines(keepends=True)) if any(row)]
    width = max(map(len, rows), default=0)
    if not width:
        return text
    cells = (
        tuple(
            _cell(value, is_link=number > 0 and not place) for place, value in enumerate([*row, *[""] * width][:width])
        )
        for number, row in enumerate(rows)
    )
    left: nodes.Alignment = ""
    return write_markdown(nodes.Document((nodes.Table((left,) * width, tuple(map(nodes.Row, cells))),)))


def _cell(value: str, *, is_link: bool) -> nodes.Cell:
    words = " ".join(value.split())
    if is_link and words and not {*"[]|"} & {*words}:
        return nodes.Cell((nodes.Reference(words),))
    if words.startswith(("http://", "https://")) and " " not in words:
        return nodes.Cell((nodes.Link(words, (nodes.Text(words),), is_bare=True),))
    return nodes.Cell((nodes.Text(words),) if words else ())


FORMAT: NoteFormat = replace(written_as_markdown("database", (".csv",), as_markdown), recognises=_recognises)
