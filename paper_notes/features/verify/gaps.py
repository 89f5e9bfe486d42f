"""Differences and ratios of two numbers beside them.

`a gap of 6 points (0.410 against 0.350)`, `41.0 对 34.5，高 6.5 个百分点`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, pairwise

from paper_notes.features.verify.bindings import Binding, CellBinding, SumBinding
from paper_notes.features.verify.cells import VERSUS
from paper_notes.features.verify.quantities import Quantity, says_change
from paper_notes.features.verify.verify import Mismatch, Result

_BEFORE = re.compile(r"(?:[^.。;；]|\.(?=\d)){0,48}(?:[(（:：—]|from|从)\s?\$?(?:from |从\s?)?")
"""Between a difference and its two numbers."""
_AFTER = re.compile(r"(?:[^.。;；]|\.(?=\d)){0,40}")
_NEAR = 24
_NOWHERE = frozenset({"missing", "elsewhere", "ambiguous", "unchecked"})


def evaluated(results: Sequence[Result]) -> Iterator[Result]:
    """The results; those that are the difference or the ratio of two cells named beside them are bound as a sum.

    A difference in points that is another one is contradicted, and so is one of percentages that is called percent.
    """
    by_place = {(result.statement.tokens, result.number.figures.start): result for result in results}
    for first, last in pairwise(results):
        first = _restored(first, last)
        if not _is_pair(first, last):
            continue
        statement = first.statement
        start, end = statement.sentence(first.number.figures.start)
        numbers = [number.figures for number in statement.numbers if start <= number.figures.start < end]
        at = numbers.index(first.number.figures)
        by_place[statement.tokens, first.number.figures.start] = first
        before, after = numbers[at - 1 : at] if at else [], numbers[at + 2 : at + 3]
        for gap, between in (
            *((gap, _BEFORE.fullmatch(statement.text, gap.end, first.number.figures.start)) for gap in before),
            *((gap, _AFTER.fullmatch(statement.text, last.number.figures.end, gap.start)) for gap in after),
        ):
            key = statement.tokens, gap.start
            around = statement.text[max(start, gap.start - _NEAR) : gap.end + _NEAR // 2]
            if between and key in by_place and (gap.unit in ("points", "%", "x") or says_change(around)):
                by_place[key] = _evaluated(by_place[key], first, last)
                if by_place[key].binding != first.binding and isinstance(by_place[key].binding, SumBinding):
                    break
    for result in results:
        result = by_place[result.statement.tokens, result.number.figures.start]
        yield _of_sentence(result, by_place) if result.verdict in _NOWHERE else result


def _of_sentence(result: Result, by_place: Mapping[tuple[int, int], Result]) -> Result:
    """The number as the difference of cells of its sentence, if it is: of two numbers there, or of one and a label.

    `71.2，比 Black tea 高 6.7 个百分点`
    """
    statement, claim = result.statement, result.number.figures
    start, end = statement.sentence(claim.start)
    if statement.table >= 0 or not (claim.unit == "points" or (not claim.is_round and not claim.unit)):
        return result
    if not says_change(statement.text[max(start, claim.start - _NEAR) : claim.end + _NEAR]):
        return result
    others = (by_place.get((statement.tokens, number.figures.start)) for number in statement.numbers)
    bound = [other for other in others if other and other.verdict == "bound" and other.statement is statement]
    bound = [other for other in bound if start <= other.number.figures.start < end]
    for first, last in combinations([other for other in bound if isinstance(other.binding, CellBinding)], 2):
        gap = abs(first.number.figures.value - last.number.figures.value)
        if gap == claim.value and _are_of_one_table(first, last):
            return _evaluated(result, first, last)
    sums = {
        (
            abs(other.value - figures.value),
            f"{max(figures.value, other.value)}-{min(figures.value, other.value)}",
            binding,
        )
        for item in bound
        if (figures := item.number.figures)
        for other, binding in _beside(item, statement.text[start:end])
    }
    same = [(expression, operands) for gap, expression, operands in sums if gap == claim.value]
    if len(same) != 1:
        return result
    binding = SumBinding(*same[0])
    return replace(result, verdict="bound", binding=binding, spot=None, candidates=(), mismatch=None, remark="")


def _beside(result: Result, sentence: str) -> Iterator[tuple[Quantity, tuple[Binding, ...]]]:
    """The numbers of cells in the row or the column of a cell whose other label the sentence names."""
    for hit in result.hits:
        grid, here = hit.passage.grid, hit.cell
        if grid is None or here is None or hit.binding is None or hit.binding != result.binding:
            continue
        named = {level: axis.named(sentence) for level, axis in grid.axes.items()}
        for cell in grid.cells:
            differing = [level for level in grid.axes if cell.labels.get(level) != here.labels.get(level)]
            if len(differing) == 1 and cell.labels.get(differing[0]) in named[differing[0]] and hit.cell is not cell:
                other = grid.binding(cell, hit.binding.key) if isinstance(hit.binding, CellBinding) else None
                if other:
                    yield cell.quantity, (hit.binding, other)


def _restored(first: Result, last: Result) -> Result:
    """The first of two numbers in brackets, if what speaks against it is the name right before, of the second.

    `Green tea is better than black tea (71.2 against 64.5)`
    """
    mismatch, other = first.mismatch, last.binding
    if not (mismatch and mismatch.kind == "label" and isinstance(other, CellBinding) and first.number.origin is None):
        return first
    is_of_other = mismatch.spoken and set(mismatch.spoken) <= set(other.labels)
    if is_of_other and first.statement.text[: first.number.figures.start].endswith(("(", "（")):
        return replace(first, verdict="bound", binding=mismatch.binding, mismatch=None)
    return first


def _are_of_one_table(first: Result, last: Result) -> bool:
    """Whether two numbers are of cells of one table, and of one unit."""
    this, other, cells = first.number.figures, last.number.figures, (first.binding, last.binding)
    return (
        isinstance(cells[0], CellBinding)
        and isinstance(cells[1], CellBinding)
        and (cells[0].table, cells[0].key) == (cells[1].table, cells[1].key)
        and this.scale == other.scale
        and (this.unit == other.unit or not (this.unit and other.unit))
    )


def _is_pair(first: Result, last: Result) -> bool:
    """Whether two numbers of a sentence are of cells of one table, and stand against each other."""
    this, other = first.number.figures, last.number.figures
    return (
        first.statement is last.statement
        and first.statement.table < 0
        and first.verdict == last.verdict == "bound"
        and _are_of_one_table(first, last)
        and bool(VERSUS.fullmatch(first.statement.text, this.end, other.start))
    )


def _evaluated(result: Result, first: Result, last: Result) -> Result:
    """The number as the difference or the ratio of the two; as it was, if it is neither and need not be."""
    claim = result.number.figures
    operands = tuple(item.binding for item in (first, last) if item.binding)
    low, high = sorted((first.number.figures, last.number.figures), key=lambda figures: figures.value)
    if isinstance(result.binding, CellBinding) or result.verdict == "declared" or not low.value:
        return result
    is_share = high.value <= 1 and not high.unit and claim.unit in ("points", "%")
    difference = f"100*({high.digits}-{low.digits})" if is_share else f"{high.digits}-{low.digits}"
    gap = (high.value - low.value) * (100 if is_share else 1)
    loose = (_loose(first) + _loose(last)) * (100 if is_share else 1)
    ratio = high.value / low.value
    ratios = {
        "%": (
            (f"{high.digits}/{low.digits}-1", 100 * (ratio - 1)),
            (f"1-{low.digits}/{high.digits}", 100 - 100 / ratio),
        ),
        "x": ((f"{high.digits}/{low.digits}", ratio),),
    }.get(claim.unit, ((difference, gap),))
    for expression, value in ratios:
        if abs(value - claim.value) <= _step(claim) / 2 + (loose if expression == difference else 0):
            binding = SumBinding(expression, operands)
            return replace(result, verdict="bound", binding=binding, spot=None, candidates=(), mismatch=None, remark="")
    binding, shown = SumBinding(difference, operands), f"{gap.normalize():f} points"
    is_gap = abs(gap - claim.value) <= _step(claim) / 2 + loose
    if claim.unit == "%" and is_gap and (is_share or high.percent or low.percent):
        return _contradicted(result, Mismatch("points", binding, shown))
    is_printed = result.verdict == "bound" and not claim.is_round  # so the paper has it, of numbers with more digits
    if claim.unit == "points" and claim.bound == "exact" and not is_printed:
        return _contradicted(result, Mismatch("sum", binding, shown))
    return result


def _contradicted(result: Result, mismatch: Mismatch) -> Result:
    return replace(result, verdict="contradicted", spot=None, binding=None, candidates=(), mismatch=mismatch)


def _loose(result: Result) -> Decimal:
    """By how much a number may be off that has fewer digits than its cell."""
    decimals = [hit.cell.quantity.decimals for hit in result.hits if hit.cell and hit.binding == result.binding]
    return _step(result.number.figures) / 2 if max(decimals, default=0) > result.number.figures.decimals else Decimal(0)


def _step(figures: Quantity) -> Decimal:
    """One in its last digit."""
    return Decimal(1).scaleb(-figures.decimals)
