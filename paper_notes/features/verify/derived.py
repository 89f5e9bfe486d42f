"""Numbers that no paper prints, and that a reader computes: differences, ratios and sums of numbers around them.

`41.0 对 34.5，高 6.5 个百分点`, a column of ratios, `0.71x, a loss of 29%`. What is computed is bound to its operands.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from types import MappingProxyType

from paper_notes.features.verify.bindings import Binding, CellBinding, SumBinding
from paper_notes.features.verify.cells import VERSUS, Grid, GridCell, is_compared
from paper_notes.features.verify.quantities import FROM_TO, Quantity, says_change, way_of
from paper_notes.features.verify.verify import Hit, Mismatch, Result

_NOWHERE = frozenset({"missing", "elsewhere", "ambiguous"})
_KNOWN = frozenset({"bound", "declared", "ambiguous", "elsewhere"})
_RATIO = re.compile(
    r"\b(?:ratios?|factors?|times|fold|twice|multipl\w+)\b|倍|分之一|之比|比值|比率|比例", re.IGNORECASE
)
_TOTAL = re.compile(
    r"\b(?:all|total|together|sum|altogether|combined)\b|一共|总共|合计|总计|共|加起来|之和", re.IGNORECASE
)
_SHARE = re.compile(r"\b(?:of|share|fraction|part|proportion)\b|占|的", re.IGNORECASE)
_EXPONENTIAL = re.compile(r"\bexp\w*|\bodds\b|指数|优势比|几率", re.IGNORECASE)
_LARGEST = 20
_INVERSE = MappingProxyType({("ms", "tokens/s"): Decimal(1000), ("s", "tokens/s"): Decimal(1)})
_NEAR = 30
_GAP = re.compile(r"\(?(?:100\s?\*\s?\(?)?(\d+(?:\.\d+)?)%?\s?-\s?(\d+(?:\.\d+)?)%?\)?\)?")
_RELATIVE = re.compile(r"\(?(\d+(?:\.\d+)?)\s?/\s?(\d+(?:\.\d+)?)\s?-\s?1\)?")
_WHOLE = frozenset({"100", "1"})
_MOST = 14
"""Operands of a sentence or of a row of a table; where there are more, too many pairs fit by chance."""
_ANY = " ratio"
"""In a column of numbers without a place each way is tried."""
_PAIR = range(2)
_MANY = 2
"""Rows in which a column has to be computed in one way."""


@dataclass(frozen=True, slots=True)
class _Operand:
    """A number that something may be computed of."""

    quantity: Quantity
    binding: Binding | None
    hit: Hit | None
    order: int


@dataclass(frozen=True, slots=True)
class _Computed:
    """What two numbers, or one, make."""

    way: str
    """`difference`, `ratio`, `relative`, `share`, `sum`, `rest`."""
    expression: str
    value: Decimal
    operands: tuple[_Operand, ...]

    @property
    def binding(self) -> SumBinding:
        """With what its operands are bound to."""
        return SumBinding(self.expression, tuple(item.binding for item in self.operands if item.binding))


def derived(results: Sequence[Result]) -> Sequence[Result]:
    """The results; those that are nowhere in the papers are bound to what they are computed of."""
    known = [_in_percent(result) for result in results]
    for _ in range(2):  # what is computed may be computed with
        units, sections = _by(known, lambda each: each.statement.unit), _by(known, lambda each: each.statement.section)
        tables = _by(known, lambda each: each.statement.table)
        cells = [each for each in known if each.statement.table >= 0 and each.verdict == "bound"]
        ways = {number: _ways_of_table(cells) for number, cells in tables.items() if number >= 0}
        for at, result in enumerate(known):
            if not _is_open(result):
                continue
            statement = result.statement
            if statement.table >= 0:
                known[at] = _of_table(result, tables[statement.table], ways[statement.table])
            else:
                known[at] = _of_text(result, units[statement.unit], sections[statement.section], cells)
    return list(_repeated(known))


def _repeated(results: Sequence[Result]) -> Iterator[Result]:
    """The results; what is computed once in a note may be said again."""
    sums = {_said(each): each for each in results if each.verdict == "bound" and isinstance(each.binding, SumBinding)}
    for result in results:
        before = sums.get(_said(result))
        if before and result.verdict in ("missing", "elsewhere") and not result.number.origin:
            result = replace(result, verdict="bound", binding=before.binding, spot=None, candidates=(), mismatch=None)
        yield result


def _said(result: Result) -> tuple[str, str, int]:
    figures = result.number.figures
    return figures.text, figures.unit, figures.sign


def _in_percent(result: Result) -> Result:
    """A gap of two percentages is in points, whoever computed it: `41.0 - 34.5`, a gain of 6.5%, is contradicted."""
    claim, binding = result.number.figures, result.binding
    if claim.unit not in ("%", "points") or not isinstance(binding, SumBinding) or result.mismatch:
        return result
    if claim.percent:
        gap = _GAP.fullmatch(binding.expression)
        if not gap or {gap[1], gap[2]} & _WHOLE or not says_change(_near(result)):
            return result
        value, right = abs(Decimal(gap[1]) - Decimal(gap[2])), "points"
        wrong = _is(claim, value) or (value < 1 and _is(claim, 100 * value))
    else:
        ratio = _RELATIVE.fullmatch(binding.expression)
        if not ratio or not Decimal(ratio[2]):
            return result
        value, right = 100 * abs(Decimal(ratio[1]) / Decimal(ratio[2]) - 1), "%"
        wrong = _is(claim, value)
    if not wrong:
        return result
    return _contradicted(result, Mismatch("points", binding, f"{value.normalize():f} {right}"))


def _by(results: Iterable[Result], key: Callable[[Result], int]) -> Mapping[int, Sequence[Result]]:
    groups = defaultdict[int, list[Result]](list)
    for result in results:
        groups[key(result)].append(result)
    return groups


def _is_open(result: Result) -> bool:
    """Whether a number has no place of its own in a paper, or one that nothing of its sentence names."""
    figures = result.number.figures
    if result.number.origin or figures.in_words or (figures.is_round and not figures.unit and not figures.decimals):
        return False
    if result.verdict in _NOWHERE:
        return True
    if result.verdict == "contradicted":
        return bool(result.mismatch and result.mismatch.kind == "label") and _is_said(result)
    cells = [hit for hit in result.hits if hit.binding == result.binding and hit.judged]
    is_bare = result.verdict == "bound" and bool(cells) and not any(hit.judged.named for hit in cells if hit.judged)
    return is_bare and (figures.unit in ("%", "points") or bool(_RATIO.search(_near(result))))


def _is_exact(result: Result) -> bool:
    """Whether the cell of another label has the very digits."""
    return bool(result.mismatch and result.number.figures.digits in result.mismatch.printed)


def _is_said(result: Result) -> bool:
    """Whether words say that a number is computed of others."""
    near = _near(result)
    return says_change(near) or any(pattern.search(near) for pattern in (_RATIO, _TOTAL, _EXPONENTIAL))


def _near(result: Result) -> str:
    statement, figures = result.statement, result.number.figures
    start, end = statement.sentence(figures.start)
    return statement.text[max(start, figures.start - _NEAR) : min(end, figures.end + _NEAR)]


def _of_text(result: Result, unit: Sequence[Result], section: Sequence[Result], cells: Sequence[Result]) -> Result:
    """The number as computed of others of its sentence; of its paragraph; of cells of its section."""
    if not (result.number.figures.unit or result.verdict == "missing" or _is_said(result)):
        return result
    statement, claim, start = result.statement, result.number.figures, result.number.figures.start
    begin, end = statement.sentence(start)
    before = statement.sentence(begin - 1)[0] if begin else begin
    sentence = [
        each
        for each in unit
        if each.statement is statement and begin <= each.number.figures.start < end and each is not result
    ]
    both = [each for each in unit if each.statement is statement and before <= each.number.figures.start < end]
    near = _near(result)
    pools: Sequence[tuple[Sequence[Result], bool]] = (
        (sentence, True),
        (both, True),
        (unit, False),
        (section, False),
        (cells, False),
    )
    for pool, is_near in pools:
        operands = [item for each in pool if each is not result and (item := _operand(each))]
        if is_near and len(operands) > _MOST:
            continue
        if pool is cells:
            operands = [item for item in operands if _is_named(item, statement.text[begin:end])]
        pairs = [pair for pair in combinations(operands, 2) if is_near or _are_beside(pair)]
        if claim.percent and claim.decimals and pool is section:
            pairs = list(combinations(operands, 2))  # a share may be of anything
        singles = operands if is_near else [item for item in operands if _are_beside([item])]
        computed = list(_all_of(claim, pairs, singles, near))
        if computed:
            return _judged(result, computed, is_near=pool is sentence)
        if pool is both and (claim.is_round or (result.verdict == "contradicted" and _is_exact(result))):
            return result
    beside = [item for operand in map(_operand, sentence) if operand for item in _of_neighbours(claim, operand, near)]
    if beside and not claim.is_round:
        return _judged(result, beside, is_near=False)
    return _nearly(result, [item for each in both if each is not result and (item := _operand(each))], near)


def _nearly(result: Result, operands: Sequence[_Operand], near: str) -> Result:
    """A factor that is that of two numbers but for its last digit, rounded wrongly; or in another unit."""
    claim = result.number.figures
    other = {"ms": "s", "s": "ms"}.get(claim.unit, "")
    inverted = _all_of(replace(claim, unit=other), (), operands, "") if other else ()
    for item in inverted:
        return _contradicted(result, Mismatch("unit", item.binding, f"{claim.digits} {other}"))
    if claim.unit not in ("", "x") or not claim.decimals or claim.is_round or not _RATIO.search(near):
        return result
    step = Decimal(1).scaleb(-claim.decimals)
    for first, last in combinations(operands, 2):
        for item in _of_two(claim, first, last, near):
            if item.way == "ratio" and abs(item.value - claim.value) <= step:
                return _contradicted(result, Mismatch("rounding", item.binding, f"{item.value:.4g}"))
    return result


def _contradicted(result: Result, mismatch: Mismatch) -> Result:
    return replace(result, verdict="contradicted", spot=None, binding=None, candidates=(), mismatch=mismatch)


def _of_neighbours(claim: Quantity, operand: _Operand, near: str) -> Iterator[_Computed]:
    """What a cell makes with another one of its table that differs in one label."""
    hit = operand.hit
    if hit is None or hit.cell is None or hit.passage.grid is None or not isinstance(hit.binding, CellBinding):
        return
    for cell in hit.passage.grid.cells:
        differing = [level for level in hit.passage.grid.axes if cell.labels.get(level) != hit.cell.labels.get(level)]
        if len(differing) == 1:
            binding = hit.passage.grid.binding(cell, hit.binding.key)
            other = _Operand(cell.quantity, binding, replace(hit, cell=cell, binding=binding), operand.order)
            yield from (item for item in _of_two(claim, operand, other, near) if _is(claim, item.value))


def _operand(result: Result) -> _Operand | None:
    if result.verdict not in _KNOWN or result.number.figures.in_words:
        return None
    hits = [hit for hit in result.hits if hit.binding == result.binding] or [*result.hits[:1]]
    binding = result.binding or next(iter(result.candidates), None)
    if hits and (cell := hits[0].cell) and cell.cell.text in (*cell.cell.row_path, *cell.cell.column_path):
        return None  # a label
    return _Operand(result.number.figures, binding, hits[0] if hits else None, result.number.figures.start)


def _are_beside(operands: Sequence[_Operand]) -> bool:
    """Whether the cells are of one row or of one column of a table."""
    cells = [item.hit.cell for item in operands if item.hit and item.hit.cell]
    if len(cells) != len(operands):
        return False
    if len(cells) == 1:
        return True
    return len({id(item.hit.passage) for item in operands if item.hit}) == 1 and len(_apart(cells[0], cells[1])) == 1


def _apart(first: GridCell, last: GridCell) -> set[str]:
    """The sides, rows or columns, of which two cells of a table have other labels."""
    levels = {*first.labels, *last.labels}
    return {level[0] for level in levels if first.labels.get(level) != last.labels.get(level)}


def _all_of(
    claim: Quantity, pairs: Iterable[tuple[_Operand, _Operand]], singles: Iterable[_Operand], near: str
) -> Iterator[_Computed]:
    """What is the claim, rounded to its digits, of all that can be computed of these."""
    for first, last in pairs:
        yield from (item for item in _of_two(claim, first, last, near) if _is(claim, item.value))
    for operand in singles:
        yield from (item for item in _of_one(claim, operand, near) if _is(claim, item.value))


def _is(claim: Quantity, value: Decimal) -> bool:
    step = Decimal(1).scaleb(claim.scale - claim.decimals)
    said = claim.value.scaleb(claim.scale)
    loose = step / 2 if claim.bound in ("exact", "range") else max(step / 2, abs(value) / 20)
    return said != 0 and abs(said - value) <= loose


def _plain(quantity: Quantity) -> Decimal:
    return quantity.value.scaleb(quantity.scale)


def _of_two(claim: Quantity, first: _Operand, last: _Operand, near: str) -> Iterator[_Computed]:
    this, other = first.quantity, last.quantity
    low, high = sorted((this, other), key=_plain)
    least, most = _plain(low), _plain(high)
    unit = this.unit or other.unit
    if (this.unit and other.unit and this.unit != other.unit) or not least or least == most:
        return
    a, b = _shown(high), _shown(low)
    of_hundred, is_share = claim.unit in ("%", "points"), most <= 1 and not unit
    is_alike = claim.unit == unit or not (claim.unit and unit)
    is_ratio = claim.unit == "x" or (not claim.unit and bool(_RATIO.search(near)))
    is_gap = says_change(near) or not _RATIO.search(near)
    ways: Sequence[tuple[str, bool, str, Decimal]] = (
        ("relative", of_hundred, f"{a}/{b}-1", 100 * (most / least - 1)),
        ("relative", of_hundred, f"1-{b}/{a}", 100 - 100 * least / most),
        (
            "share",
            claim.percent and not unit and bool(claim.decimals or _SHARE.search(near)),
            f"{b}/{a}",
            100 * least / most,
        ),
        ("difference", of_hundred and is_share, f"100*({a}-{b})", 100 * (most - least)),
        ("difference", of_hundred and not is_share and unit in ("", "%", "points"), f"{a}-{b}", most - least),
        ("difference", not of_hundred and is_alike and is_gap, f"{a}-{b}", most - least),
        ("sum", not of_hundred and is_alike and bool(_TOTAL.search(near)), f"{a}+{b}", most + least),
        ("ratio", is_ratio, f"{a}/{b}", most / least),
        ("ratio", not claim.unit and claim.value < 1, f"{b}/{a}", least / most),
    )
    for way, is_meant, expression, value in ways:
        if is_meant:
            yield _Computed(way, expression, value, (first, last))


def _shown(quantity: Quantity) -> str:
    return quantity.digits if not quantity.scale else f"{_plain(quantity).normalize():f}"


def _of_one(claim: Quantity, operand: _Operand, near: str) -> Iterator[_Computed]:
    """What a factor or a share leaves: `0.71x, a loss of 29%`, `1.38x`, so 38% more."""
    quantity = operand.quantity
    value = _plain(quantity)
    if _EXPONENTIAL.search(near) and value < _LARGEST and not (claim.unit and claim.unit != "x"):
        signed = -value if quantity.sign < 0 else value
        yield _Computed("exponential", f"exp({signed})", signed.exp(), (operand,))
    if (claim.unit, quantity.unit) in _INVERSE and value:
        yield _Computed(
            "inverse",
            f"{_INVERSE[claim.unit, quantity.unit]}/{quantity.digits}",
            _INVERSE[claim.unit, quantity.unit] / value,
            (operand,),
        )
    if claim.unit != "%" or quantity.unit not in ("x", "", "%") or not says_change(near):
        return
    if quantity.unit == "%":
        yield _Computed("rest", f"100-{quantity.digits}", 100 - value, (operand,))
    elif 0 < value < 1:
        yield _Computed("rest", f"1-{quantity.digits}", 100 * (1 - value), (operand,))
    elif 1 < value < 2:
        yield _Computed("rest", f"{quantity.digits}-1", 100 * (value - 1), (operand,))


def _judged(result: Result, computed: Sequence[_Computed], *, is_near: bool) -> Result:
    """The number bound to what it is computed of; or contradicted, if the words say that it is something else."""
    claim = result.number.figures
    right = [item for item in computed if not _is_confused(claim, item)] or computed
    begin, end = result.statement.sentence(claim.start)
    sentence = result.statement.text[begin:end]
    spoken = {id(item): _others_spoken_of(item, sentence) for item in right}
    meant = [item for item in right if not spoken[id(item)]] or right
    best = min(meant, key=lambda item: (len(item.operands) == 1, -_named(item, sentence), _distance(item, claim)))
    mismatch: Mismatch | None = None
    if spoken[id(best)]:
        mismatch = Mismatch("label", best.binding, f"{claim.text}", spoken[id(best)])
    elif _is_confused(claim, best):
        is_sure = claim.unit == "points" or is_near or says_change(_near(result))
        if is_sure and claim.bound == "exact":
            mismatch = Mismatch(
                "points", best.binding, f"{best.value.normalize():f} {'%' if claim.unit == 'points' else 'points'}"
            )
    elif is_near and _goes_otherwise(result, best):
        mismatch = Mismatch("direction", best.binding, best.expression)
    if mismatch:
        return _contradicted(result, mismatch)
    return replace(result, verdict="bound", binding=best.binding, spot=None, candidates=(), mismatch=None, remark="")


def _named(computed: _Computed, sentence: str) -> int:
    """How many labels of the cells the sentence names."""
    return sum(
        cell.labels.get(level) in axis.named(sentence)
        for cell, grid in _cells(computed)
        for level, axis in grid.axes.items()
    )


def _is_named(operand: _Operand, sentence: str) -> bool:
    """Whether the sentence names a label of the cell."""
    hit = operand.hit
    grid, cell = (hit.passage.grid, hit.cell) if hit else (None, None)
    return bool(grid and cell and any(cell.labels.get(at) in axis.named(sentence) for at, axis in grid.axes.items()))


def _cells(computed: _Computed) -> Iterator[tuple[GridCell, Grid]]:
    for operand in computed.operands:
        if operand.hit and operand.hit.cell and operand.hit.passage.grid:
            yield operand.hit.cell, operand.hit.passage.grid


def _others_spoken_of(computed: _Computed, sentence: str) -> tuple[str, ...]:
    """The labels that the sentence compares with, where the cells are of none of them."""
    cells = list(_cells(computed))
    if len(cells) < len(computed.operands) or len(cells) < len(_PAIR):
        return ()
    grid = cells[0][1]
    labels = {label for cell, _ in cells for label in (*cell.cell.row_path, *cell.cell.column_path)}
    for axis in grid.axes.values():
        compared = [each.labels for each in axis.mentions(sentence) if each.is_clear and is_compared(sentence, each)]
        if compared and labels & set(axis.labels) and not any(labels & names for names in compared):
            return tuple(sorted(compared[0]))
    return ()


def _goes_otherwise(result: Result, computed: _Computed) -> bool:
    """Whether a difference has the sign, or words have the way, that its two numbers before or after it have not."""
    claim, text = result.number.figures, result.statement.text
    if computed.way not in ("difference", "relative") or len(computed.operands) != len(_PAIR):
        return False
    first, last = sorted((item.quantity for item in computed.operands), key=lambda quantity: quantity.start)
    rise = 1 if _plain(last) > _plain(first) else -1
    if claim.sign and claim.unit != "%":
        return rise != claim.sign
    between = text[first.end : last.start]
    is_from = bool(FROM_TO.fullmatch(between))
    if not (is_from or VERSUS.fullmatch(between)):
        return False
    way = way_of(_near(result))
    return bool(way) and way != (rise if is_from else -rise)


def _is_confused(claim: Quantity, computed: _Computed) -> bool:
    return (claim.unit, computed.way) in (("%", "difference"), ("points", "relative"))


def _distance(computed: _Computed, claim: Quantity) -> int:
    return sum(abs(item.order - claim.start) for item in computed.operands)


_Way = tuple[str, str, int, int]
"""How a column (or a row) is computed: in which way, `column` or `row`, and of which two."""


def _ways_of_table(cells: Sequence[Result]) -> Mapping[tuple[str, int], Counter[_Way]]:
    """For each column and row of a note's table, how often it is what in the same way."""
    counts = defaultdict[tuple[str, int], Counter[_Way]](Counter)
    for result in cells:
        if _is_open(result) and result.statement.kind == "cell":
            for side, own, way, _ in _computed_in_table(result, cells):
                counts[side, own][way] += 1
    return counts


def _computed_in_table(result: Result, cells: Sequence[Result]) -> Iterator[tuple[str, int, _Way, _Computed]]:
    statement = result.statement
    head = " ".join(each.statement.text for each in cells if each.statement.column == statement.column)
    for side, mates, own in (
        ("column", [each for each in cells if each.statement.row == statement.row], statement.column),
        ("row", [each for each in cells if each.statement.column == statement.column], statement.row),
    ):
        mates = [each for each in mates if each is not result and each.statement is not statement]
        if len(mates) > _MOST:
            continue
        known = [(each, item) for each in mates if (item := _operand(each))]
        operands = [item for _, item in known]
        places = {id(item): each.statement.column if side == "column" else each.statement.row for each, item in known}
        for computed in _all_of(result.number.figures, combinations(operands, 2), (), head + _ANY):
            if len(computed.operands) == 2:
                first, last = (places[id(operand)] for operand in computed.operands)
                yield side, own, (computed.way, side, first, last), computed


def _of_table(result: Result, cells: Sequence[Result], ways: Mapping[tuple[str, int], Counter[_Way]]) -> Result:
    """The cell as computed of others of its row or column, as most of its own are."""
    best: tuple[int, _Computed] | None = None
    for side, own, way, item in _computed_in_table(result, cells):
        times = ways[side, own][way]
        if times >= _MANY and (best is None or times > best[0]):
            best = times, item
    if best is None:
        return result
    return replace(result, verdict="bound", binding=best[1].binding, spot=None, candidates=(), mismatch=None, remark="")
