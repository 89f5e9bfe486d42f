"""Claims of a model about a paper, each with what it rests on; and the paper as its words and cells are looked for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from paper_notes.features.verify.bindings import CellBinding, cells_of, labels_of, nearest_cells
from paper_notes.features.verify.paper import Passage, Passages, folded_letters
from paper_notes.features.verify.tables import PaperTable, TableCell, table_of
from paper_notes.patterns import regex
from paper_notes.sources.pdf.text import joined
from paper_notes.values import Struct

Decision = Literal["", "accepted", "edited", "dropped"]
"""What a person decided about a claim; empty until then."""
_SAME = str.maketrans("×−–‐‑‒—", "x------")
_FEWEST = 12
"""Letters of a quotation at least, unless it is a formula: fewer are found anywhere."""
_FORMULA = regex(r"[=<>≤≥∝≈∼]")
_SENTENCE = regex(r"[.!?;]\s")
_OUTSIDE = 40
"""Characters before a quotation, in its sentence, that may turn its meaning."""


class SourceWords(Struct, frozen=True):
    """Words of a paper, or a cell of one of its tables."""

    words: str
    """As they are printed."""
    page: int
    table: str = ""
    """Its number, for a cell."""
    labels: tuple[str, ...] = ()
    """Of a cell: those of its row, then those of its column."""
    before: str = ""
    """What is printed before the words, in their sentence."""

    def __str__(self) -> str:
        return f"{CellBinding(self.table, self.labels)} = {self.words}" if self.table else f"“{self.words}”"


class Claim(Struct, frozen=True):
    """A sentence, an item of a list, a formula or a table; with its evidence, and what a person decided."""

    text: str
    evidence: tuple[SourceWords, ...]
    decision: Decision = ""
    own: str = ""
    """What a person wrote instead."""

    @property
    def accepted(self) -> str:
        """What goes into the note; empty if nothing does."""
        return {"accepted": self.text, "edited": self.own}.get(self.decision, "")


class NoEvidence(ValueError):
    """The paper does not have these words, or this cell; the message says what it has, for the model."""


class PaperText:
    """A paper whose words are found however they are broken into lines, and whose cells by their labels."""

    def __init__(self, passages: Passages) -> None:
        self.passages = passages
        printed, folded, offsets, pages = list[str](), list[str](), list[int](), list[int]()
        length = 0
        for text, page in _lines(passages):
            for offset, sign in enumerate(text):
                plain = folded_letters(sign)
                folded.append(plain)
                offsets += [length + offset] * len(plain)
                pages += [page] * len(plain)
            printed.append(text)
            length += len(text)
        self._printed, self._folded, self._offsets, self._pages = "".join(printed), "".join(folded), offsets, pages

    @cached_property
    def tables(self) -> dict[str, PaperTable]:
        """Those that can be read as grids, by number."""
        grids = (table_of(part) for part in self.passages.parts if part.kind == "table")
        return {grid.number.upper(): grid for grid in grids if grid}

    def quotation(self, words: str, page: int) -> SourceWords:
        """The words as the page has them. Raises NoEvidence."""
        wanted = folded_letters(words)
        if not wanted or (len(wanted) < _FEWEST and not _FORMULA.search(words)):
            raise NoEvidence(f'"{words[:60]}" is too short for a quotation: quote a whole clause')
        starts = list(_all_starts(self._folded, wanted))
        here = [start for start in starts if page in (self._pages[start], self._pages[start + len(wanted) - 1])]
        if not starts:
            raise NoEvidence(f'the paper does not have these words: "{words[:120]}"')
        if not here:
            raise NoEvidence(f'"{words[:60]}" is on page {self._pages[starts[0]]}, not on page {page}')
        slices = [self._slice(start, start + len(wanted)) for start in here]
        as_written = (piece for piece in slices if _squeezed(self._printed[slice(*piece)]) == _squeezed(words))
        start, end = next(as_written, slices[0])
        before = " ".join(_SENTENCE.split(self._printed[max(0, start - _OUTSIDE) : start])[-1].split())
        return SourceWords(joined(self._printed[start:end].split("\n")), page, before=before)

    def _slice(self, start: int, end: int) -> tuple[int, int]:
        """Where printed words begin and end that have these letters: whole ones, with their signs."""
        first, last = self._offsets[start], self._offsets[end - 1] + 1
        while first and not self._printed[first - 1].isspace():
            first -= 1
        while last < len(self._printed) and not self._printed[last].isspace():
            last += 1
        return first, last

    def cell(self, table: str, labels: Sequence[str], words: str, page: int) -> SourceWords:
        """The one cell of a table that has all labels. Raises NoEvidence."""
        number = re.sub(r"^\s*(?:table|tab\.?|表)\s*", "", table, flags=re.IGNORECASE).strip(" .:").upper()
        grid = self.tables.get(number)
        if grid is None:
            raise NoEvidence(f"Table {number} cannot be read cell by cell: quote a row or a sentence instead")
        shown = ", ".join(labels)
        cells = cells_of(labels, (grid,))
        if not cells:
            near = "; ".join(", ".join(labels_of(cell)) for cell in nearest_cells(labels, (grid,))[:2])
            missing = f"Table {number} has no cell {shown}"
            raise NoEvidence(f"{missing}; the nearest are {near}" if near else missing)
        same = [cell for cell in cells if _squeezed(cell.text) == _squeezed(words)]
        if not same:
            printed = ", ".join(f'"{cell.text}"' for cell in cells[:3])
            raise NoEvidence(f'Table {number} has {printed} at {shown}, not "{words[:40]}"')
        if len(cells) > 1:
            raise NoEvidence(f"{len(cells)} cells of Table {number} are {shown}: name more labels")
        if same[0].page != page:
            raise NoEvidence(f"Table {number} is on page {same[0].page}, not on page {page}")
        return SourceWords(same[0].text, page, grid.number, labels_of(same[0]))


def _squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).translate(_SAME).split())


def _lines(passages: Passages) -> Iterator[tuple[str, int]]:
    for part in passages.parts:
        if part.kind in ("table", "figure"):
            yield f"{part.title}\n", part.page
        for row in part.rows:
            yield f"{row.text}\n", row.page


def _all_starts(text: str, wanted: str) -> Iterator[int]:
    start = text.find(wanted)
    while start >= 0:
        yield start
        start = text.find(wanted, start + 1)


def text_of(passages: Sequence[Passage], paper: PaperText) -> str:
    """What passages say, with their names and pages; tables cell by cell, so that these can be named."""
    return "\n\n".join(_shown(passage, paper) for passage in passages)


_KINDS = {"table": "Table", "figure": "Figure", "section": "Section", "front": "Title and abstract"}


def _shown(passage: Passage, paper: PaperText) -> str:
    number = "" if passage.title.startswith(passage.number) else passage.number
    lines = [f"[{' '.join(filter(None, (_KINDS[passage.kind], number, passage.title)))}, page {passage.page}]"]
    if passage.kind == "table" and (grid := paper.tables.get(passage.number.upper())):
        rows: dict[tuple[str, ...], list[TableCell]] = {}
        for cell in grid.cells:
            rows.setdefault(cell.row_path, []).append(cell)
        for path, cells in rows.items():
            values = "; ".join(f"{', '.join(cell.column_path)} = {cell.text}" for cell in cells)
            lines.append(f"{', '.join(path)}: {values}")
        return "\n".join(lines)
    page = passage.page
    for row in passage.rows:
        if row.page != page:
            page = row.page
            lines.append(f"[page {page}]")
        lines.append(row.text)
    return "\n".join(lines)
