"""A paper's table as a grid: each cell with the labels of its row and column, read from where the words stand."""

from __future__ import annotations

from dataclasses import dataclass

from paper_notes.features.verify.paper import Passage
from paper_notes.sources.pdf.model import Box


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of the body. Labels are read whole: a heading that spans columns or rows is a label of each of them."""

    row: int
    """Of the grid, from 0."""
    column: int
    text: str
    """As printed: `6.49×`, `71.2 ± 0.3`, `−1.4%`, `-`, `4.03 k`; without marks of footnotes."""
    row_path: tuple[str, ...]
    """The labels of its row, the outermost first: `Qwen3-8B`, `DFlash (16)`."""
    column_path: tuple[str, ...]
    """The labels of its column, the outermost first, with units: `GSM8K`, `Speedup`."""
    page: int
    box: Box
    """In points."""


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper."""

    number: str
    """`2`, `A.1`"""
    caption: str
    page: int
    corner: tuple[str, ...]
    """What stands above the labels of the rows: `Model`, `Method`."""
    cells: tuple[TableCell, ...]
    """Of the body, by rows; empty ones are left out."""


def table_of(passage: Passage) -> PaperTable | None:
    """The grid of a table, or of a figure that is one; None if its words do not stand in columns."""
    return None
