"""`doubts.tsv`: characters of repaired texts that a person should look at, and what that person chose.

One file for a folder, a line for each doubt. A line is found again by the words around the character, so lines may be
sorted, and the repaired text may be edited meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import PurePosixPath

from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.sources.tree import Source, with_plain_ends
from paper_notes.values import Struct

NAME = "doubts.tsv"
COLUMNS = ("file", "line", "quotation", "choice", "probability", "alternatives", "damaged", "choose")
OPEN, CLOSE = "⟦", "⟧"
"""Around the character in a quotation."""
_ALIKE = 0.6
"""The part of a quotation that a place in the file must still have."""


class Doubt(Struct, frozen=True):
    """One line of the file, whose cells it has as they are written."""

    file: str
    line: str
    quotation: str
    choice: str
    """The character that was put into the text."""
    probability: str
    alternatives: str
    damaged: str
    """What was left of the character."""
    choose: str = ""
    """What a person wants there; empty while it is open."""
    row: int = 0
    """The number of the line in `doubts.tsv`."""

    @property
    def chosen(self) -> str:
        """What a person wants there, without spaces around it."""
        return self.choose.strip()

    @property
    def around(self) -> tuple[str, str]:
        """What is quoted before and after the character."""
        before, _, rest = self.quotation.partition(OPEN)
        return before.removeprefix("…"), rest.partition(CLOSE)[2].removesuffix("…")

    @property
    def cells(self) -> tuple[str, ...]:
        """In the order of the columns."""
        return tuple(getattr(self, column) for column in COLUMNS)

    @property
    def number(self) -> int:
        """Of the line in the repaired file, 0 if the cell holds none."""
        return int(self.line) if self.line.isdecimal() else 0


def quotation(before: str, sign: str, after: str) -> str:
    """A character with what is around it, as `Doubt.around` reads it."""
    return f"…{before}{OPEN}{sign}{CLOSE}{after}…".replace("\t", " ").replace("\r", "")


def written(doubts: Iterable[Doubt]) -> str:
    """The file of these doubts."""
    return "".join("\t".join(cells) + "\n" for cells in (COLUMNS, *(doubt.cells for doubt in doubts)))


def read_doubts(source: Source) -> tuple[tuple[Doubt, ...], tuple[Diagnostic, ...]]:
    """The doubts in such a file, as spreadsheets save it too: columns in any order, cells perhaps in quotes."""
    try:
        text = with_plain_ends(source.data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        hint = "save the file as UTF-8; from a spreadsheet: as text with tabs, in UTF-8"
        return (), (Diagnostic(Location(source.path), "doubtful-text", "this list of doubts is not UTF-8", hint),)
    lines = text.split("\n")
    header = [_unquoted(cell).strip() for cell in lines[0].split("\t")]
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        message = f"this list of doubts has no column `{missing[0]}`"
        hint = f"its first line is `{' '.join(COLUMNS)}`, with tabs between; restore it, or delete the file"
        return (), (Diagnostic(Location(source.path), "doubtful-text", message, hint),)
    doubts: list[Doubt] = []
    problems: list[Diagnostic] = []
    for number, line in enumerate(lines[1:], 2):
        cells = [_unquoted(cell) for cell in line.split("\t")]
        if len(cells) in (len(header), len(header) - 1):  # editors strip the empty cell at the end
            values = dict(zip(header, [*cells, ""], strict=False))
            doubts.append(Doubt(**{column: values[column] for column in COLUMNS}, row=number))
        elif line.strip():
            message = f"this line has {len(cells)} cells instead of {len(header)}"
            hint = "put a tab between each two cells, or delete the line"
            problems.append(Diagnostic(Location(source.path, number), "doubtful-text", message, hint))
    return tuple(doubts), tuple(problems)


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def place_of(doubt: Doubt, text: str) -> int | None:
    """Offset of the character in the text, by what is quoted around it; None if that is not there any more."""
    before, after = doubt.around
    signs = sorted({doubt.choice, doubt.chosen} - {""})
    exact = [start for sign in signs for start in _both_ends(text, before + sign + after)]
    if len(set(exact)) == 1:
        return exact[0] + len(before)
    candidates: list[tuple[int, int, int]] = []
    for sign in signs:
        offset = text.find(sign)
        while offset >= 0:
            behind = text[max(0, offset - len(before)) : offset]
            alike = _alike(before[::-1], behind[::-1]) + _alike(after, text[offset + 1 : offset + 1 + len(after)])
            if alike >= _ALIKE * len(before + after):
                candidates.append((alike, -abs(text.count("\n", 0, offset) + 1 - doubt.number), offset))
            offset = text.find(sign, offset + 1)
    return max(candidates)[2] if candidates else None


def _both_ends(text: str, part: str) -> tuple[int, ...]:
    """Where the part is first and last in the text: the same if it is there once."""
    first = text.find(part)
    return (first, text.rfind(part)) if first >= 0 else ()


def _alike(wanted: str, present: str) -> int:
    return sum(sign == other for sign, other in zip(wanted, present, strict=False))


def doubtful(sources: Iterable[Source]) -> Iterator[Diagnostic]:
    """Report repaired texts with characters that nobody has settled yet, once for each text."""
    files = {source.path: source for source in sources}
    for path, source in files.items():
        if path.name != NAME:
            continue
        doubts, problems = read_doubts(source)
        yield from problems
        for file, rows in groupby(sorted(doubts, key=attrgetter("file")), attrgetter("file")):
            yield from _of_one(path, files.get(path.parent / file), file, tuple(rows))


def _of_one(path: PurePosixPath, source: Source | None, file: str, doubts: tuple[Doubt, ...]) -> Iterator[Diagnostic]:
    where = Location(path, min(doubt.row for doubt in doubts))
    if source is None:
        hint = "delete its lines, or name the file as it is called now"
        yield Diagnostic(where, "doubtful-text", f"there is no {file} here", hint, "warning")
        return
    text = source.text
    waiting = [doubt for doubt in doubts if not doubt.chosen]
    if waiting:
        first = waiting[0]
        count = "1 character" if len(waiting) == 1 else f"{len(waiting):,} characters"
        message = f'{count} of {file} may be wrong since it was repaired, as in "{first.quotation}"'
        hint = f"write the right ones into the column `choose`, and run `paper-notes repair {source.path}`"
        yield Diagnostic(Location(path, first.row), "doubtful-text", message, hint, "warning")
    for doubt in doubts:
        if doubt.chosen and doubt.chosen != doubt.choice:
            place = place_of(doubt, text)
            if place is not None and not text.startswith(doubt.chosen, place):
                message = f'{doubt.chosen} is chosen for "{doubt.quotation}", but not put in yet'
                hint = f"run `paper-notes repair {source.path}`"
                yield Diagnostic(Location(path, doubt.row), "doubtful-text", message, hint, "warning")
