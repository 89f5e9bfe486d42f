"""A declaration is a claim, too: what a note calls its own may be the paper's, and what is computed has operands."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.arithmetic import is_rounded, numbers_of
from paper_notes.features.verify.bindings import Binding, FigureBinding, OwnBinding, SumBinding
from paper_notes.features.verify.quantities import Quantity, quantities_in, says_change
from paper_notes.features.verify.readings import Readings, without_bindings
from paper_notes.features.verify.results import Mismatch, Result, words_near
from paper_notes.features.verify.surroundings import Papers, Surroundings, resolved
from paper_notes.values import Struct, replace

_DERIVED, _SIDES = "derived ", {"row", "column"}
_SMALL = 24
"""Up to this, whole numbers are counts that nobody looks up."""
_DIFFERENCE = re.compile(r"([\d.]+)%?\s*-\s*([\d.]+)%?")
_KNOWN = frozenset(map(Decimal, ("0.5", "60", "64", "128", "256", "365", "512", "1024", "3600")))


class Declarations(Struct, frozen=True):
    """The declared numbers of a text, and what they can be held against."""

    around: Surroundings
    papers: Papers
    main: Sequence[BibKey]
    readings: Readings

    def doubted(self, results: Sequence[Result]) -> Iterator[Result]:
        """The results; those of the note's own that a table has, and those that are computed with their operands."""
        places = {statement.tokens: at for at, statement in enumerate(self.around.statements)}
        numbers = defaultdict[Decimal, list[Result]](list)
        for result in results:
            for value in values_of(result.number.figures):
                numbers[value].append(result)
        asked = set[tuple[int, str]]()
        for result in results:
            expression = expression_of(result)
            if not expression:
                yield self._own(result, places[result.statement.tokens])
                continue
            operands, nowhere = list[Binding](), ""
            every = dict(numbers_of(without_bindings(expression)))
            for written, value in every.items():
                at = result.statement.tokens
                others = sorted(numbers[value], key=lambda other: abs(other.statement.tokens - at))
                bindings, is_known = self._of_operand(written, value, others, result.number.figures.unit)
                operands += bindings
                is_known = is_known or _complement(value) in numbers or _complement(value) in every.values()
                if not (is_known or nowhere) and result.number.origin and not _is_before_rounding(value, results):
                    nowhere = written
            binding = SumBinding(expression, tuple(dict.fromkeys(operands)))
            result = replace(result, binding=binding)
            claim = result.statement.tokens, expression
            of_papers = (*self.main, *(BibKey(key) for _, key in result.statement.cites))
            if nowhere and claim not in asked and all(self.papers.get(key) for key in of_papers):
                asked.add(claim)
                result = replace(result, mismatch=Mismatch("operand", binding, nowhere))
            elif _is_in_points(result, expression):
                mismatch = Mismatch("points", binding, f"{result.number.figures.digits} points")
                result = replace(result, verdict="contradicted", binding=None, mismatch=mismatch)
            yield result

    def _own(self, result: Result, at: int) -> Result:
        """A number of the note's own with the cell that has it, if its table, row and column are named beside it."""
        number = result.number
        origin, figures = number.origin, number.figures
        if result.verdict != "declared" or not origin or origin.kind != "own" or figures.is_round:
            return result
        layers = islice(self.around.layers(at, number), 2 if result.statement.table >= 0 else 1)
        places = [place for place in next(filter(None, layers), ()) if place.kind == "table"]
        words = self.around.words(at, number)
        cells = {
            grid.binding(cell, self.around.name_of(key)): cell
            for key, passage in resolved(places, self.around.papers(at, number, self.papers), self.papers)
            if (grid := passage.grid)
            for cell, agreed in grid.compared(figures)
            if agreed == "same" and cell.quantity.value == figures.value
            if not (judged := grid.judged(cell, words)).against and {side for side, _ in judged.named} >= _SIDES
        }
        if len(cells) != 1:
            return result
        ((binding, cell),) = cells.items()
        return replace(result, mismatch=Mismatch("declared", binding, cell.cell.text))

    def _of_operand(
        self, written: str, value: Decimal, others: Sequence[Result], unit: str
    ) -> tuple[Sequence[Binding], bool]:
        """What a number of an expression is bound to, if it is one thing, and whether it is known at all.

        Where the result is in percent or points, it may be a share that is printed as a part of 1.
        """
        for other in others:
            if other.verdict == "declared" and other.number.origin and other.number.origin.kind == "own":
                return [OwnBinding()], True
            if other.verdict == "bound" and other.binding and not isinstance(other.binding, SumBinding):
                return [other.binding], True
        readings = [
            FigureBinding(figure, reading.point)
            for figure, known in self.readings.items()
            for reading in known.readings
            if abs(reading.value).normalize() == value
        ]
        if len(readings) == 1:
            return readings, True
        quantity = next(quantities_in(written, in_paper=True), None)
        if readings or others or is_constant(value) or quantity is None:
            return [], True
        indexes = [(key, index) for key, index in self.papers.items() if index]
        grids = [(key, part.grid) for key, index in indexes for part in index.all if part.grid]
        cells = dict.fromkeys(
            grid.binding(cell, self.around.name_of(key))
            for key, grid in grids
            for cell, agreed in grid.compared(quantity)
            if agreed == "same" and cell.quantity.significant == quantity.significant
        )
        if len(cells) == 1:
            return [cell for cell in cells if cell], True
        every = (quantity, replace(quantity, unit="%")) if unit in ("%", "points") else (quantity,)
        return [], bool(cells) or any(part.find(one) for one in every for _, index in indexes for part in index.all)


def expression_of(result: Result) -> str:
    """The arithmetic of a number; empty if it has none."""
    if result.verdict == "declared" and result.remark.startswith(_DERIVED):
        return result.remark.removeprefix(_DERIVED).partition("=")[0].strip()
    is_sum = result.verdict == "bound" and isinstance(result.binding, SumBinding)
    return result.binding.expression if is_sum and isinstance(result.binding, SumBinding) else ""


def _is_in_points(result: Result, expression: str) -> bool:
    """Whether a number in percent is how many points one share is above another: `14.5%` lower, of 85.6% and 71.1%.

    With 1 in it is a change of what was 1, or what is left of it.
    """
    figures, difference = result.number.figures, _DIFFERENCE.fullmatch(expression)
    if not (difference and figures.percent) or {Decimal(number) for number in difference.groups()} & {1, 100}:
        return False
    return says_change(words_near(result))


def values_of(figures: Quantity) -> Sequence[Decimal]:
    """What it may be in an expression: as it is written, and as it is meant; `15` of a list in percent is 0.15."""
    value = figures.value
    return tuple({item.normalize(): item for item in (figures.plain, value, value / 100, value.scaleb(figures.scale))})


def _complement(value: Decimal) -> Decimal:
    """The other share: 0.54 of 0.46."""
    return (1 - value).normalize()


def _is_before_rounding(value: Decimal, results: Sequence[Result]) -> bool:
    """Whether it is the result of another sum of the note, with more digits than that shows."""
    sums = (result.number.figures for result in results if expression_of(result))
    return any(figures.decimals and is_rounded(float(value), figures.digits) for figures in sums)


def is_constant(value: Decimal) -> bool:
    """Whether it is a number of formulas and counts, such as 1 or 256, which nobody looks up."""
    is_whole = value == value.to_integral_value()
    return (is_whole and value <= _SMALL) or value in _KNOWN or value.normalize().as_tuple().digits == (1,)
