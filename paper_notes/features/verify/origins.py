"""Numbers whose cell, sentence, reading or sum is named by hand, `{from="T1[Tea, Score]"}`: are they printed there?"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.arithmetic import NoArithmetic, is_rounded, value_of
from paper_notes.features.verify.bindings import (
    Binding,
    CellBinding,
    FigureBinding,
    QuoteBinding,
    SumBinding,
    binding_of,
    cells_of,
    nearest_cells,
    parse_binding,
)
from paper_notes.features.verify.evidence import Spot
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.paper import folded_letters
from paper_notes.features.verify.quantities import Agreement, agreement, quantities_in
from paper_notes.features.verify.readings import NoReading, Readings, bindings_in, is_bound, with_numbers
from paper_notes.features.verify.results import Mismatch, Result, Verdict
from paper_notes.features.verify.statements import StatedNumber, Statement
from paper_notes.features.verify.surroundings import Papers
from paper_notes.features.verify.tables import PaperTable, TableCell
from paper_notes.values import replace

_MOST = 9
"""Candidates that are shown."""
Found = tuple[BibKey, PaperTable, TableCell]


def named_by_hand(
    number: StatedNumber, statement: Statement, papers: Papers, main: Sequence[BibKey], readings: Readings
) -> Result | None:
    """What becomes of a number whose origin names cells or readings; None if it has none, or another one."""
    origin = number.origin
    if origin and origin.kind == "derived" and is_bound(origin.value):
        return _computed(number, statement, origin.value, papers, main, readings)
    binding = parse_binding(origin.value) if origin and origin.kind == "cell" else None
    match binding:
        case FigureBinding():
            return _computed(number, statement, str(binding), papers, main, readings)
        case CellBinding() | QuoteBinding() if not _held(binding.key, papers, main):
            return Result(number, statement, "no-pdf", remark=str(binding), binding=binding)
        case CellBinding():
            return _in_cell(number, statement, binding, papers, main)
        case QuoteBinding():
            return _in_words(number, statement, binding, papers, main)
    return None


def _held(key: BibKey, papers: Papers, main: Sequence[BibKey]) -> list[tuple[BibKey, PaperIndex]]:
    """The papers that may be meant, of those at hand: the one of that key, or those that the note is about."""
    keys = [key] if key else main
    return [(key, index) for key in keys if (index := papers.get(key))]


def find_cells(binding: CellBinding, papers: Papers, main: Sequence[BibKey]) -> tuple[list[Found], list[Found]]:
    """The cells that a binding means, and where there are none, those that are near it."""
    held = _held(binding.key, papers, main)
    parts = [
        (key, part) for kind in ("table", "figure") for key, index in held for part in index.named(kind, binding.table)
    ]
    tables = [(key, part.grid.table) for key, part in parts if part.grid]
    meant, near = (
        [(key, table, cell) for key, table in tables for cell in look(binding.labels, [table])]
        for look in (cells_of, nearest_cells)
    )
    return meant, [] if meant else near


def _in_cell(
    number: StatedNumber, statement: Statement, binding: CellBinding, papers: Papers, main: Sequence[BibKey]
) -> Result:
    meant, near = find_cells(binding, papers, main)
    if len(meant) != 1:
        others = tuple(binding_of(cell, table, key) for key, table, cell in (meant or near)[:_MOST])
        verdict: Verdict = "ambiguous" if meant else "missing"
        mismatch = Mismatch("declared", binding, "")
        return Result(number, statement, verdict, binding=binding, candidates=others, mismatch=mismatch)
    key, table, cell = meant[0]
    spot = Spot("table", table.number, cell.page, key)
    return _compared(number, statement, replace(binding, key=key), spot, cell.text)


def _compared(number: StatedNumber, statement: Statement, binding: Binding, spot: Spot, printed: str) -> Result:
    """Bound if it agrees with what is printed there, else contradicted by the number that it is most like."""
    kinds = {agreement(number.figures, quantity) for quantity in quantities_in(printed, in_paper=True)}
    order: Sequence[Agreement] = ("same", "sign", "points", "unit", "scale", "rounding")
    kind: Agreement = next((kind for kind in order if kind in kinds), "value")
    if kind == "same":
        return Result(number, statement, "bound", spot, binding=binding)
    return Result(number, statement, "contradicted", spot, binding=binding, mismatch=Mismatch(kind, binding, printed))


def _in_words(
    number: StatedNumber, statement: Statement, binding: QuoteBinding, papers: Papers, main: Sequence[BibKey]
) -> Result:
    wanted = folded_letters(binding.words)
    for key, index in _held(binding.key, papers, main):
        for part in index.named("section", binding.section):
            if wanted in folded_letters(" ".join(part.rows)):
                spot = Spot("section", part.passage.name, part.passage.page, key)
                return _compared(number, statement, replace(binding, key=key), spot, binding.words)
    mismatch = Mismatch("declared", binding, "")
    return Result(number, statement, "missing", binding=binding, mismatch=mismatch)


def _computed(
    number: StatedNumber, statement: Statement, written: str, papers: Papers, main: Sequence[BibKey], readings: Readings
) -> Result:
    expression = written.partition("=")[0].strip()
    operands = bindings_in(expression)
    only = parse_binding(expression)
    binding: Binding = only if isinstance(only, FigureBinding) else SumBinding(expression)
    if any(isinstance(part, CellBinding) and not _held(part.key, papers, main) for part in operands):
        return Result(number, statement, "no-pdf", remark=str(binding), binding=binding)

    def value(cell: CellBinding) -> Decimal | None:
        meant = find_cells(cell, papers, main)[0]
        printed = [*quantities_in(meant[0][2].text, in_paper=True)] if len(meant) == 1 else []
        return printed[0].value.copy_sign(printed[0].sign or 1).scaleb(printed[0].scale) if printed else None

    try:
        result = value_of(with_numbers(expression, readings, value))
    except (NoArithmetic, NoReading) as error:
        mismatch = Mismatch("declared", binding, error.message if isinstance(error, NoReading) else "")
        return Result(number, statement, "missing", binding=binding, mismatch=mismatch)
    figures = number.figures
    is_signed = figures.sign * result >= 0  # words may stand for its sign, as in `falls by`
    if is_signed and is_rounded(abs(result), figures.digits, percent=figures.percent, scale=figures.scale):
        return Result(number, statement, "bound", binding=binding)
    mismatch = Mismatch("sum", binding, f"{result:.6g}")
    return Result(number, statement, "contradicted", binding=binding, mismatch=mismatch)
