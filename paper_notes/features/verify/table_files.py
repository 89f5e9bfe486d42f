"""`table-2.csv` beside a note: a table of its paper, for the plots of the note that name it, `data: T2[EAGLE, Avg.]`.

It is kept beside the note, so that the site is built without the PDF, and what a plot shows can be read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Note
from paper_notes.document.nodes import CodeBlock
from paper_notes.document.parse import parse
from paper_notes.features.verify.bindings import NUMBER
from paper_notes.features.verify.tables import PaperTable
from paper_notes.patterns import regex

_NAMED = regex(rf"^[ \t]*data[ \t]*[:：][ \t]*T({NUMBER})[ \t]*(?:\[.*)?$", re.MULTILINE)
_WRITTEN = "# Written by `paper-notes verify --keep`: commit it, do not edit it. Table "


def named_tables(note: Note) -> Iterator[str]:
    """The numbers of the tables that plots of the note name, each once."""
    texts = (text.text for text in note.texts if "data" in text.text)
    blocks = (block for text in texts for block in parse(text).walk() if isinstance(block, CodeBlock))
    code = "\n".join(block.code for block in blocks if block.info.split()[:1] == ["plot"])
    yield from dict.fromkeys(match[1] for match in _NAMED.finditer(code))


def table_files(note: Note, tables: Mapping[str, PaperTable]) -> Iterator[Artifact]:
    """The files of those tables. `tables` are those of the note's paper; a file of the user's own is left alone."""
    for number in named_tables(note):
        name = f"table-{number}.csv"
        is_own = name in note.files and not note.files[name].text.startswith(_WRITTEN)
        if number in tables and not is_own:
            yield Artifact.text(note.place / name, _as_csv(tables[number], note.papers[0]))


def _as_csv(table: PaperTable, key: str) -> str:
    columns = {cell.column: " / ".join(cell.column_path) for cell in table.cells}
    rows: dict[int, dict[int, str]] = {}
    names = {cell.row: " / ".join(cell.row_path) for cell in table.cells}
    for cell in table.cells:
        rows.setdefault(cell.row, {})[cell.column] = cell.text
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([" / ".join(table.corner), *(columns[column] for column in sorted(columns))])
    writer.writerows([names[row], *(rows[row].get(column, "") for column in sorted(columns))] for row in sorted(rows))
    return f"{_WRITTEN}{table.number} of {key}, p. {table.page}\n{file.getvalue()}"
