"""What is wrong with numbers, in words: which cell has what, and what the note says instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType

from paper_notes.corpus.model import Lang
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Diagnostic, Location, RuleId, Severity
from paper_notes.features.verify.bindings import Binding, CellBinding, FigureBinding, QuoteBinding, SumBinding
from paper_notes.features.verify.evidence import Spot
from paper_notes.features.verify.origins import find_cells
from paper_notes.features.verify.quantities import Quantity
from paper_notes.features.verify.readings import bindings_in
from paper_notes.features.verify.results import Mismatch, MismatchKind
from paper_notes.features.verify.rows import NumberRow
from paper_notes.features.verify.surroundings import Papers

_FROM = 'correct it, or say where it is from: {from=own}, {from="1/(1-0.86)"}, {from=figure}, {from="@key"}'
_HINTS = MappingProxyType[MismatchKind, str]({
    "label": "correct the number, or what the sentence says that it is of",
    "value": "correct the number",
    "rounding": "round it to the digits that you write",
    "sign": "write the sign that the paper has, or words for it, such as falls by",
    "unit": "write the unit that the paper has",
    "scale": "write thousands, millions or 万 as the paper has them",
    "points": "a difference of two percentages is in percentage points",
    "direction": "the words say it the other way round",
    "declared": "name the cell instead, or correct the number",
    "sum": "correct the number, or what it is computed from",
    "place": "name the table where they are",
    "operand": "correct it, or say in the text where it is from",
})  # fmt: skip


class Findings:
    """The findings of a note's numbers."""

    def __init__(
        self, rows: Sequence[NumberRow], paths: Mapping[Lang, PurePosixPath], papers: Papers, main: Sequence[BibKey]
    ) -> None:
        self._rows, self._paths, self._papers, self._main = rows, paths, papers, main
        self.explained: set[Location] = set()
        """Numbers of which a finding says that one language has them right."""

    def _location(self, row: NumberRow) -> Location:
        mismatch = row.result.mismatch
        if mismatch and mismatch.line and row.kept.verdict in ("contradicted", "elsewhere"):
            return Location(self._paths[row.lang], mismatch.line, 1)
        return Location(self._paths[row.lang], row.line, row.column)

    def all(self) -> Iterator[Diagnostic]:
        """In the order of the numbers."""
        for row in self._rows:
            yield from self._of(row)

    def _of(self, row: NumberRow) -> Iterator[Diagnostic]:
        kept, mismatch = row.kept, row.result.mismatch
        if row.from_kept or kept.accepted:
            mismatch = None
        if mismatch and kept.verdict in ("missing", "ambiguous") and mismatch.binding:
            yield self._unknown(row, mismatch, mismatch.binding)
        elif mismatch and (kept.verdict == "declared" or mismatch.kind == "operand"):
            yield self._declared(row, mismatch)
        elif mismatch and kept.verdict == "contradicted":
            if not (mismatch.kind == "sum" and _is_arithmetic(row)):  # the build evaluates that
                yield self._contradicted(row, mismatch)
        elif kept.verdict == "contradicted":
            yield self._at(row, "fact-differs", f'"{kept.text}" is not what the paper has there', _HINTS["value"])
        elif kept.verdict == "missing":
            message = f'"{kept.text}" is in no paper of the note'
            if kept.remark:
                message = f'"{kept.text}" is not in {kept.remark}, and in no paper of the note'
            yield self._at(row, "fact-not-found", message, self._other_language(row) or _FROM)
        elif kept.spot and kept.verdict == "elsewhere" and kept.remark and not row.result.number.figures.is_any:
            yield self._elsewhere(row, kept.spot)

    def _elsewhere(self, row: NumberRow, spot: Spot) -> Diagnostic:
        """A number that is not where the note says."""
        named = spot.name.rpartition(", p. ")[0]
        if named in row.kept.remark.split(", "):
            message = f'{named} has "{row.kept.text}", but not in the row and column that are spoken of'
        else:
            message = f'"{row.kept.text}" is not in {row.kept.remark}, but in {spot.name}'
        hint = "name the place where it is, correct it, or say where it is from: {from=own}"
        return self._at(row, "fact-elsewhere", message, hint, "warning")

    def _at(self, row: NumberRow, rule: RuleId, message: str, hint: str, severity: Severity = "error") -> Diagnostic:
        return Diagnostic(self._location(row), rule, message, hint, severity)

    def _unknown(self, row: NumberRow, mismatch: Mismatch, binding: Binding) -> Diagnostic:
        """A cell, words or arithmetic that is named by hand, and does not exist or is several."""
        candidates = row.result.candidates
        message = mismatch.printed or f"{binding} is not in the paper"
        if candidates and row.kept.verdict == "ambiguous":
            message = f"{binding} means several cells"
        hint = "name a table of the paper with a row and a column of it, or words of a section as they are printed"
        if candidates:
            hint = f"write one of: {'; '.join(map(str, candidates[:3]))}"
        return self._at(row, "unknown-cell", message, hint)

    def _declared(self, row: NumberRow, mismatch: Mismatch) -> Diagnostic:
        """A number that is said to be the note's own, or whose operand is not known."""
        printed, binding = mismatch.printed, mismatch.binding
        if isinstance(binding, SumBinding):
            message = f"{printed} in {binding.expression} is in no paper of the note, nor in its text"
            return self._at(row, "fact-not-found", message, _HINTS["operand"], "warning")
        has = f"{self._place(binding)} has {printed}{self._cell(binding)}"
        hint = "if it is the number of the paper, do not declare it"
        return self._at(row, "fact-elsewhere", f"{has}; the note says that it is its own", hint, "warning")

    def _contradicted(self, row: NumberRow, mismatch: Mismatch) -> Diagnostic:
        said, binding = written(row.result.number.figures), mismatch.binding
        has = f"{self._place(binding)} has {mismatch.printed}{self._cell(binding)}"
        if isinstance(binding, SumBinding) and mismatch.kind in ("label", "direction"):
            has = f'"{said}" is {binding.expression} of {", ".join(map(str, binding.operands))}'
        if isinstance(binding, SumBinding) and mismatch.kind not in ("label", "direction"):
            message = f'{binding.expression} is {mismatch.printed}, not "{said}"'
        elif mismatch.kind == "place":
            has, (named, times) = mismatch.printed, mismatch.spoken
            message = f"{named} has none of the numbers here, and {has} has {times} of them"
        elif mismatch.kind == "sum" and mismatch.binding is None:
            message = f'the two numbers are a factor of {mismatch.printed} apart, not "{said}"'
        elif mismatch.binding is None and row.result.number.figures.in_words:
            message = f'"{said}" of these, and {mismatch.printed} are listed'
        elif mismatch.kind == "label":
            message = f"{has}; the sentence speaks of {', '.join(mismatch.spoken) or 'another cell'}"
        elif mismatch.kind == "direction":
            message = f"{has}; the words of the sentence say the opposite"
        else:
            message = f"{has}; the sentence says {said}"
        severity: Severity = "warning" if row.result.number.figures.in_words else "error"
        return self._at(row, "fact-differs", message, self._other_language(row) or _HINTS[mismatch.kind], severity)

    def _place(self, binding: Binding | None) -> str:
        match binding:
            case CellBinding():
                return f"Table {binding.table}"
            case QuoteBinding():
                return f"§{binding.section}"
            case FigureBinding():
                return f"Fig. {binding.figure}"
        return "the paper"

    def _cell(self, binding: Binding | None) -> str:
        """Its row and column, by the labels that the binding needs."""
        if isinstance(binding, FigureBinding):
            return f" at {binding.point}"
        if not isinstance(binding, CellBinding):
            return ""
        meant = find_cells(binding, self._papers, self._main)[0]
        rows = meant[0][2].row_path if meant else ()
        row, column = (
            ", ".join(label for label in binding.labels if (label in rows) is in_row) for in_row in (True, False)
        )
        return f" at row {row}, column {column}" if row and column else f" at {row or column}"

    def _other_language(self, row: NumberRow) -> str:
        """Which other language of the note has it right."""
        expected = row.result.mismatch.binding if row.result.mismatch else None
        mine = {each.kept.text for each in self._rows if (each.lang, each.section) == (row.lang, row.section)}
        others = [each for each in self._rows if each.lang != row.lang and each.section == row.section]
        others = [each for each in others if each.kept.verdict == "bound" and each.kept.text not in mine]
        same = [
            each for each in others if each.kept.binding == expected is not None or _position(each) == _position(row)
        ]
        if len(same) != 1 and (same or len(others) != 1):
            return ""
        other = (same or others)[0]
        self.explained |= {self._location(row), self._location(other)}
        where = f"{self._paths[other.lang]}:{other.line}"
        return f"{where} says {other.kept.text}, which agrees with {other.place}: correct it here"


def _is_arithmetic(row: NumberRow) -> bool:
    """Whether it is declared as a sum without cells of a paper."""
    origin = row.result.number.origin
    if origin is None or origin.kind != "derived":
        return False
    return not any(isinstance(part, CellBinding) for part in bindings_in(origin.value))


def _position(row: NumberRow) -> tuple[int, int, int]:
    """The cell of the note's table that it is in; texts have none, and are compared by their sections."""
    statement = row.result.statement
    return statement.table, statement.row, statement.column


def written(number: Quantity) -> str:
    """A number with the sign and unit that its text has."""
    sign = "-" if number.sign < 0 else ""
    unit = "" if number.unit in number.text else number.unit if number.unit in "%x" else f" {number.unit}"
    return f"{sign}{number.text}{unit}"
