"""What the tables of a note teach of its words: a row of numbers of `numchron` that is headed `慢性病数` names it so.

Who copies a table renames its rows and columns. What most of their numbers say holds in the rest of the note, in both
languages, where the same words may stand at numbers of another row.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from paper_notes.features.verify.cells import Grid, GridCell
from paper_notes.features.verify.labels import Level
from paper_notes.features.verify.statements import Statement
from paper_notes.features.verify.verify import Result

_FEWEST, _CLEAR, _LONGEST = 2, 0.6, 30
_NAME = re.compile(r"[^\W\d_]{2}")
Term = tuple[str, str]
"""A label of a paper, and what a note calls it."""


def taught(results: Iterable[Result], statements: Sequence[Statement]) -> Iterator[Term]:
    """The labels that rows and columns of the note's tables have under another name."""
    heads = {
        (statement.table, side, at): statement.text.strip()
        for statement in statements
        if statement.table >= 0
        for side, at, is_head in (
            ("row", statement.row, statement.column == 0 and statement.kind == "cell"),
            ("column", statement.column, statement.kind == "head"),
        )
        if is_head
    }
    votes = defaultdict[str, Counter[tuple[Level, str]]](Counter)
    cells = Counter[str]()
    for result in results:
        statement = result.statement
        hit = next((hit for hit in result.hits if hit.binding == result.binding), None)
        if statement.table < 0 or result.verdict != "bound" or not hit or not hit.cell or not hit.passage.grid:
            continue
        for side, at in (("row", statement.row), ("column", statement.column)):
            name = heads.get((statement.table, side, at), "")
            if _NAME.search(name) and len(name) <= _LONGEST:
                cells[name] += 1
                votes[name].update(_unnamed(name, hit.cell, hit.passage.grid))
    for name, labels in votes.items():
        sure = [label for (_, label), times in labels.items() if times >= max(_FEWEST, _CLEAR * cells[name])]
        shared = [label for label in sure if not _is_of_another(label, name, votes, cells)]
        if len(shared) == 1:
            yield shared[0], name


def _unnamed(name: str, cell: GridCell, grid: Grid) -> Iterator[tuple[Level, str]]:
    """The labels of a cell at levels of which the name says nothing."""
    for level, label in cell.labels.items():
        if _NAME.search(label) and level in grid.axes and not grid.axes[level].named(name):
            yield level, label


def _is_of_another(label: str, name: str, votes: dict[str, Counter[tuple[Level, str]]], cells: Counter[str]) -> bool:
    """Whether rows or columns of other names have the label, too: all of a table may be of one model."""
    return any(
        other != name and own == label and times >= _CLEAR * cells[other]
        for other, labels in votes.items()
        for (_, own), times in labels.items()
    )
