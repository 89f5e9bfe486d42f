"""What a number of a note is bound to: a cell of a table, a sentence, a reading of a figure, a sum; or it is own.

    T1[DFlash (16), Q3-8B, Avg.]    S4.2 "verbatim words"    F7[step 3]    = 1/(1-0.86)    own

`@key ` before it names the paper. A label with a comma is quoted: T1["Avg., all"].
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, takewhile
from typing import TYPE_CHECKING

from paper_notes.corpus.paper import BibKey
from paper_notes.patterns import regex
from paper_notes.values import Struct

if TYPE_CHECKING:  # reading PDFs takes long to import, and pages only read what bindings say
    from paper_notes.features.verify.tables import PaperTable, TableCell

NUMBER = r"[A-Z]{0,2}\.?\d[\w.]*|[IVX]+"
"""Of a table, a figure or a section, as a caption or heading prints it."""
_FORM = regex(
    rf"(?:@(?P<key>[^\s,]+),?\s+)?(?:"
    rf"T(?P<table>{NUMBER})\s*\[(?P<labels>.*)\]"
    rf"|F(?P<figure>{NUMBER})\s*\[(?P<point>[^\[\]]*|\s*[\"“'].*[\"”']\s*)\]"
    rf"|S(?:(?P<section>{NUMBER})|\[(?P<title>[^\[\]]*)\])\s*(?P<quoted>[\"“'‘].*[\"”'’]))",
    re.DOTALL,
)
_LABEL = regex(r"\s*(?:\"([^\"]*)\"|“([^”]*)”|'([^']*)'(?=\s*(?:,|$))|([^,]*?))\s*(?:,|$)")
_TO_QUOTE = regex(r"[,\[\]\"“']")
_LONGEST = 2_000
"""Characters: whatever is longer is not read, for nobody writes that."""
_WITH, _AND = " with ", "; "
_OF_THE_NOTE = BibKey("")


class CellBinding(Struct, frozen=True):
    """The one cell of a table whose row and column have all of the labels."""

    table: str
    """`2`, `A.1`"""
    labels: tuple[str, ...]
    """Those of the row before those of the column, the outermost first."""
    key: BibKey = _OF_THE_NOTE
    """The paper; empty for that of the note."""

    def __str__(self) -> str:
        return f"{_of(self.key)}T{self.table}[{', '.join(map(_written, self.labels))}]"


class QuoteBinding(Struct, frozen=True):
    """Words of a section."""

    section: str
    """Its number, or its title if it has none; `abstract` for what comes before the first."""
    words: str
    key: BibKey = _OF_THE_NOTE

    def __str__(self) -> str:
        section = self.section if re.fullmatch(NUMBER, self.section) else f"[{_plain(self.section)}]"
        return f'{_of(self.key)}S{section} "{_plain(self.words)}"'


class FigureBinding(Struct, frozen=True):
    """A point of a figure, whose value is in `figure-7.csv` beside the note."""

    figure: str
    point: str
    key: BibKey = _OF_THE_NOTE

    def __str__(self) -> str:
        return f"{_of(self.key)}F{self.figure}[{_written(self.point)}]"


class OwnBinding(Struct, frozen=True):
    """A number that the writer of the note measured or chose."""

    def __str__(self) -> str:
        return "own"


class SumBinding(Struct, frozen=True):
    """A number that is computed."""

    expression: str
    """As `arithmetic` reads it; it may have bindings in it: `F7[1] * F7[2]`."""
    operands: tuple[Binding, ...] = ()
    """What its plain numbers are bound to, as far as they are, in their order."""

    def __str__(self) -> str:
        operands = f"{_WITH}{_AND.join(map(str, self.operands))}" if self.operands else ""
        return f"= {_plain(self.expression)}{operands}"


Binding = CellBinding | QuoteBinding | FigureBinding | SumBinding | OwnBinding


def parse_binding(text: str) -> Binding | None:
    """The binding that is written so; None if none is."""
    text = " ".join(text.split())
    if len(text) > _LONGEST:
        return None
    if text == "own":
        return OwnBinding()
    if text.startswith("="):
        expression, _, rest = text[1:].partition(_WITH)
        operands = [parse_binding(part) for part in _parts(rest)]
        return SumBinding(expression.strip(), tuple(takewhile(bool, operands))) if expression.strip() else None  # type: ignore[arg-type]
    form = _FORM.fullmatch(text)
    if form is None:
        return None
    key = BibKey(form["key"] or "")
    if form["table"]:
        labels = labels_in(form["labels"])
        return CellBinding(form["table"], labels, key) if labels else None
    if form["figure"]:
        labels = labels_in(form["point"])
        return FigureBinding(form["figure"], labels[0], key) if len(labels) == 1 else None
    return QuoteBinding(form["section"] or form["title"], form["quoted"][1:-1].strip(), key)


def labels_in(text: str) -> tuple[str, ...]:
    """Labels between commas; one with a comma is in quotation marks."""
    labels = (next(filter(None, match.groups()), "") for match in _LABEL.finditer(text))
    return tuple(" ".join(label.split()) for label in labels if label.strip())


def _parts(text: str) -> list[str]:
    """The bindings of a list, whose labels and words may have its separator in them."""
    pieces = re.findall(r"(?:\"[^\"]*\"|\[[^\]]*\]|[^;])+", text)
    return [piece.strip() for piece in pieces if piece.strip()]


def _of(key: BibKey) -> str:
    return f"@{key} " if key else ""


def _plain(text: str) -> str:
    return " ".join(text.split()).replace('"', "”")


def _written(label: str) -> str:
    label = _plain(label)
    return f'"{label}"' if _TO_QUOTE.search(label) else label


@lru_cache(4096)
def folded_label(label: str) -> str:
    """What two spellings of a label share: neither case, spaces, kinds of dashes nor marks of quotation tell."""
    label = re.sub(r"[‐‑‒–—―−]", "-", unicodedata.normalize("NFKC", label).casefold())
    return re.sub(r"[\s\"“”„'‘’`]+", "", label).rstrip(".:")


def labels_of(cell: TableCell) -> tuple[str, ...]:
    """Those of its row, then those of its column, each once."""
    paths = (*cell.row_path, *cell.column_path)
    return tuple({folded_label(label): label for label in reversed(paths) if folded_label(label)}.values())[::-1]


def cells_of(labels: Sequence[str], tables: Iterable[PaperTable]) -> tuple[TableCell, ...]:
    """The cells that the labels mean: those that have all of them; if none has, those whose labels contain them."""
    wanted = [folded_label(label) for label in labels]
    every = [(cell, Counter(map(folded_label, (*cell.row_path, *cell.column_path))))
             for table in tables for cell in table.cells]  # fmt: skip
    whole = tuple(cell for cell, has in every if Counter(wanted) <= has)
    return whole or tuple(cell for cell, has in every if all(any(part in label for label in has) for part in wanted))


def nearest_cells(labels: Sequence[str], tables: Iterable[PaperTable]) -> tuple[TableCell, ...]:
    """The cells that have most of the labels, if any has one."""
    wanted = {folded_label(label) for label in labels}
    every = [(len(wanted & set(map(folded_label, labels_of(cell)))), cell) for table in tables for cell in table.cells]
    most = max((count for count, _ in every), default=0)
    return tuple(cell for count, cell in every if count == most > 0)


def binding_of(cell: TableCell, table: PaperTable, key: BibKey = _OF_THE_NOTE) -> CellBinding:
    """The cell by the fewest of its labels that single it out, one of its row and one of its column at least.

    All of them, if they do not.
    """
    labels = labels_of(cell)
    rows, columns = ({folded_label(label) for label in path if label} for path in (cell.row_path, cell.column_path))
    sides = [side for side in (rows, columns) if side]
    others = [frozenset(map(folded_label, labels_of(other))) for other in table.cells if other != cell]
    for size in range(len(sides), len(labels)):
        for some in combinations(labels, size):
            folded = frozenset(map(folded_label, some))
            if all(side & folded for side in sides) and not any(folded <= other for other in others):
                return CellBinding(table.number, some, key)
    return CellBinding(table.number, labels, key)
