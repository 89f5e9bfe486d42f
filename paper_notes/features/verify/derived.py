"""Numbers that no paper prints, and that a reader computes: differences, ratios and sums of numbers around them.

`41.0 对 34.5，高 6.5 个百分点`, a column of ratios, `0.71x, a loss of 29%`. What is computed is bound to its operands.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import combinations
from types import MappingProxyType

from paper_notes.features.verify.arithmetic import NoArithmetic, value_of
from paper_notes.features.verify.bindings import Binding, CellBinding, SumBinding
from paper_notes.features.verify.cells import VERSUS, Grid, GridCell, NearWords, is_compared
from paper_notes.features.verify.declarations import expression_of
from paper_notes.features.verify.quantities import COUNTED, FROM_TO, Quantity, says_change, way_of
from paper_notes.features.verify.results import Hit, Mismatch, Result, words_near
from paper_notes.features.verify.wording import saying
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace

_NOWHERE = frozenset({"missing", "elsewhere", "ambiguous"})
_KNOWN = frozenset({"bound", "declared", "ambiguous", "elsewhere"})
_INVERSE = MappingProxyType({("ms", "tokens/s"): Decimal(1000), ("s", "tokens/s"): Decimal(1)})
_BEFORE = regex(r"(?:[^.。;；]|\.(?=\d)){0,48}(?:[(（:：—]|from|从)\s?\$?(?:from |从\s?)?")
_AFTER = regex(r"(?:[^.。;；]|\.(?=\d)){0,40}")
"""Between a difference and the two numbers beside it that it is of."""
_MOST = 14
"""Operands of a sentence or of a row of a table; where there are more, too many pairs fit by chance."""
_ANY = " ratio/difference"
"""In a column of numbers without a place each way is tried."""
_PAIR = range(2)
_MANY = 2
"""Rows in which a column has to be computed in one way."""


class _Operand(Struct, frozen=True):
    """A number that something may be computed of."""

    quantity: Quantity
    binding: Binding | None
    hit: Hit | None = None
    exact: Decimal | None = None
    """Before it was rounded, if the note computes it: 78.873 of `[78.9%]{from="56/71"}`."""

    @property
    def value(self) -> Decimal:
        return _plain(self.quantity) if self.exact is None else self.exact

    @property
    def where(self) -> tuple[GridCell, Grid] | None:
        """Its cell, and the table that it is in."""
        return (self.hit.cell, self.hit.passage.grid) if self.hit and self.hit.cell and self.hit.passage.grid else None


_Pair = tuple[_Operand, _Operand]


class _Computed(Struct, frozen=True):
    """What two numbers, or one, make."""

    way: str
    """`difference`, `ratio`, `relative`, `share`, `sum`, `rest`, `inverse`."""
    expression: str
    value: Decimal
    operands: tuple[_Operand, ...]

    @property
    def binding(self) -> SumBinding:
        """With what its operands are bound to."""
        return SumBinding(self.expression, tuple(item.binding for item in self.operands if item.binding))

    @property
    def cells(self) -> Sequence[tuple[GridCell, Grid]]:
        return [item.where for item in self.operands if item.where]


def derived(results: Sequence[Result]) -> Sequence[Result]:
    """The results; those that are nowhere in the papers are bound to what they are computed of."""
    known = [*map(_restored, results, [*results[1:], None])]
    for _ in range(2):  # what is computed may be computed with
        units, sections = _by(known, lambda each: each.statement.unit), _by(known, lambda each: each.statement.section)
        tables = {
            number: _lines(of) for number, of in _by(known, lambda each: each.statement.table).items() if number >= 0
        }
        cells = [each for each in known if each.statement.table >= 0 and each.verdict == "bound"]
        ways = {number: _ways_of_table(lines) for number, lines in tables.items()}
        for at, result in enumerate(known):
            if (pair := _pair_beside(known, at)) and (of_pair := _of_pair(result, pair)):
                known[at] = of_pair
            elif not _is_open(result):
                continue
            elif result.statement.table >= 0:
                known[at] = _of_table(result, tables[result.statement.table], ways[result.statement.table])
            else:
                known[at] = _of_text(result, units[result.statement.unit], sections[result.statement.section], cells)
    return list(_repeated(_declared_of_others(known)))


def _declared_of_others(results: Sequence[Result]) -> Iterator[Result]:
    """The results; a declared sum of cells is contradicted if its sentence speaks of others."""
    cells = {each.binding: item.where for each in results if each.verdict == "bound" and (item := _operand(each))}
    for result in results:
        operands = result.binding.operands if isinstance(result.binding, SumBinding) else ()
        where = [cell for operand in operands if (cell := cells.get(operand))]
        is_text = result.verdict == "declared" and result.statement.table < 0 and result.mismatch is None
        if is_text and len(where) == len(operands) and (others := _others_spoken_of(where, _words(result))):
            result = _contradicted(result, Mismatch("label", result.binding, result.number.figures.text, others))
        yield result


def _restored(first: Result, last: Result | None) -> Result:
    """The first of two numbers in brackets, if what speaks against it is the name right before, of the second.

    `Green tea is better than black tea (71.2 against 64.5)`
    """
    mismatch = first.mismatch
    if not (mismatch and mismatch.kind == "label" and last and isinstance(last.binding, CellBinding)):
        return first
    is_of_last = mismatch.spoken and set(mismatch.spoken) <= set(last.binding.labels) and not first.number.origin
    if is_of_last and first.statement.text[: first.number.figures.start].endswith(("(", "（")):
        return replace(first, verdict="bound", binding=mismatch.binding, mismatch=None)
    return first


def _repeated(results: Iterable[Result]) -> Iterator[Result]:
    """The results; what is computed once in a note may be said again."""
    results = list(results)
    sums = {_said(each): each for each in results if each.verdict == "bound" and isinstance(each.binding, SumBinding)}
    for result in results:
        before = sums.get(_said(result))
        is_open = result.verdict in ("missing", "elsewhere") and not result.number.origin
        yield _bound(result, before.binding) if before and is_open else result


def _said(result: Result) -> tuple[str, str, int]:
    figures = result.number.figures
    return figures.text, figures.unit, figures.sign


def _by(results: Iterable[Result], key: Callable[[Result], int]) -> Mapping[int, Sequence[Result]]:
    groups = defaultdict[int, list[Result]](list)
    for result in results:
        groups[key(result)].append(result)
    return groups


def _bound(result: Result, binding: Binding | None) -> Result:
    return replace(result, verdict="bound", binding=binding, spot=None, candidates=(), mismatch=None, remark="")


def _contradicted(result: Result, mismatch: Mismatch) -> Result:
    return replace(result, verdict="contradicted", spot=None, binding=None, candidates=(), mismatch=mismatch)


def _is_open(result: Result) -> bool:
    """Whether a number has no place of its own in a paper, or one that nothing of its sentence names."""
    figures, mismatch = result.number.figures, result.mismatch
    if result.number.origin or figures.in_words or figures.is_any:
        return False
    is_of_other = result.verdict == "contradicted" and mismatch is not None and mismatch.kind == "label"
    return result.verdict in _NOWHERE or (is_of_other and _is_said(result))


def _is_said(result: Result) -> bool:
    """Whether words say that a number is computed of others."""
    near = words_near(result)
    return says_change(near) or bool(saying("ratio", "total").search(near))


def _pair_beside(results: Sequence[Result], at: int) -> _Pair | None:
    """The two cells of one table right beside a number that is of them: `a gap of 6 points (0.410 against 0.350)`."""
    result, claim = results[at], results[at].number.figures
    text, (start, end) = result.statement.text, result.statement.sentence(claim.start)
    is_change = claim.unit in ("points", "%", "x") or says_change(words_near(result))
    is_settled = result.verdict == "declared" or isinstance(result.binding, CellBinding)
    if result.statement.table >= 0 or claim.in_words or is_settled or not is_change:
        return None
    for pair in (results[max(0, at - 2) : at], results[at + 1 : at + 3]):
        figures = [each.number.figures for each in pair if each.statement is result.statement]
        if len(figures) < len(_PAIR) or not start <= figures[0].start < figures[1].end <= end:
            continue
        first, last = figures
        is_beside = _AFTER.fullmatch(text, last.end, claim.start) if last.end < claim.start else None
        is_beside = is_beside or _BEFORE.fullmatch(text, claim.end, first.start)
        operands = [_operand(each) for each in pair if each.verdict == "bound"]
        if is_beside and VERSUS.fullmatch(text, first.end, last.start) and len(operands) == len(_PAIR):
            one, other = operands
            if one and other and _are_of_one_table(one, other):
                return one, other
    return None


def _are_of_one_table(first: _Operand, last: _Operand) -> bool:
    tables = {(item.binding.key, item.binding.table) for item in (first, last) if isinstance(item.binding, CellBinding)}
    return len(tables) == 1 and isinstance(first.binding, CellBinding) and isinstance(last.binding, CellBinding)


def _of_pair(result: Result, pair: _Pair) -> Result | None:
    """The number as that of a pair; contradicted if it is in points and another one; None if nothing can be said."""
    claim = result.number.figures
    if computed := list(_all_of(claim, [pair], (), words_near(result))):
        return _judged(result, computed, is_near=True)
    is_printed = result.verdict == "bound" and not claim.is_round  # so the paper has it, of numbers with more digits
    if claim.unit != "points" or claim.bound != "exact" or is_printed:
        return None
    first, last = (replace(item, quantity=item.where[0].quantity) if item.where else item for item in pair)
    if any(_all_of(claim, [(first, last)], (), "")):
        return None  # the two are rounded here
    gap = next((item for item in _of_two(claim, *pair, "") if item.way == "difference"), None)
    return _contradicted(result, Mismatch("sum", gap.binding, f"{_short(gap.value)} points")) if gap else None


def _of_text(result: Result, unit: Sequence[Result], section: Sequence[Result], cells: Sequence[Result]) -> Result:
    """The number as computed of others of its sentence; of the one before, too; of its section; of named cells."""
    statement, claim = result.statement, result.number.figures
    if not (claim.unit or result.verdict == "missing" or _is_said(result)):
        return result
    begin, end = statement.sentence(claim.start)
    before = statement.sentence(begin - 1)[0] if begin else begin
    both = [each for each in unit if each.statement is statement and before <= each.number.figures.start < end]
    sentence = [each for each in both if begin <= each.number.figures.start]
    near = words_near(result)
    for pool in (sentence, both, section, cells):
        operands = [item for each in pool if each is not result and (item := _operand(each))]
        is_near = pool is sentence or pool is both
        if is_near and len(operands) > _MOST:
            continue
        if pool is cells:
            operands = [item for item in operands if _named([item], statement.text[begin:end])]
        is_share = claim.percent and claim.decimals and pool is section  # which may be of anything
        pairs = [pair for pair in combinations(operands, 2) if is_near or is_share or _are_beside(*pair)]
        singles = operands if is_near else [item for item in operands if item.where]
        computed = list(_all_of(claim, pairs, singles, near))
        if pool is cells:  # of so many, some are as many percent apart as others are points
            computed = [item for item in computed if not _is_confused(claim, item)]
        if computed:
            return _judged(result, computed, is_near=pool is sentence)
        is_exact = bool(result.mismatch and claim.digits in result.mismatch.printed)
        if pool is both and (claim.is_round or is_exact):
            return result
    beside = (item for each in sentence if (operand := _operand(each)) for item in _of_neighbours(operand))
    if computed := list(_all_of(claim, beside, (), near)):
        return _judged(result, computed, is_near=False)
    return _nearly(result, [item for each in both if each is not result and (item := _operand(each))], near)


def _nearly(result: Result, operands: Sequence[_Operand], near: str) -> Result:
    """A factor that is that of two numbers but for its last digit, rounded wrongly; or in another unit."""
    claim = result.number.figures
    other = {"ms": "s", "s": "ms"}.get(claim.unit, "")
    for item in _all_of(replace(claim, unit=other), (), operands, "") if other else ():
        return _contradicted(result, Mismatch("unit", item.binding, f"{claim.digits} {other}"))
    if claim.unit not in ("", "x") or not claim.decimals or claim.is_round or not saying("ratio").search(near):
        return result
    for pair in combinations(operands, 2):
        for item in _of_two(claim, *pair, near):
            if item.way == "ratio" and abs(item.value - claim.value) <= Decimal(1).scaleb(-claim.decimals):
                return _contradicted(result, Mismatch("rounding", item.binding, f"{item.value:.4g}"))
    return result


def _of_neighbours(operand: _Operand) -> Iterator[_Pair]:
    """A cell with each other one of its table that differs in one label."""
    if operand.hit is None or operand.where is None or not isinstance(operand.hit.binding, CellBinding):
        return
    own, grid = operand.where
    for cell in grid.cells:
        if sum(cell.labels.get(level) != own.labels.get(level) for level in grid.axes) == 1:
            binding = grid.binding(cell, operand.hit.binding.key)
            yield operand, _Operand(cell.quantity, binding, replace(operand.hit, cell=cell, binding=binding))


def _operand(result: Result) -> _Operand | None:
    if result.verdict not in _KNOWN or result.number.figures.in_words:
        return None
    hit = next((hit for hit in result.hits if hit.binding == result.binding), next(iter(result.hits), None))
    if hit and (cell := hit.cell) and cell.cell.text in (*cell.cell.row_path, *cell.cell.column_path):
        return None  # a label
    return _Operand(result.number.figures, result.binding or next(iter(result.candidates), None), hit, _exact(result))


def _exact(result: Result) -> Decimal | None:
    with suppress(NoArithmetic):
        value = Decimal(value_of(expression_of(result)))
        return next((each for each in (value, 100 * value) if _is(result.number.figures, each)), None)
    return None


def _are_beside(first: _Operand, last: _Operand) -> bool:
    """Whether two cells are of one row or of one column of a table."""
    if not (first.where and last.where and first.where[1] is last.where[1]):
        return False
    these, those = first.where[0].labels, last.where[0].labels
    return len({level[0] for level in {*these, *those} if these.get(level) != those.get(level)}) == 1


def _all_of(claim: Quantity, pairs: Iterable[_Pair], singles: Iterable[_Operand], near: str) -> Iterator[_Computed]:
    """What is the claim, rounded to its digits, of all that can be computed of these."""
    for pair in pairs:
        if not any(_is(claim, _plain(item.quantity)) for item in pair):  # then it is that number, and `1.07 = 1.07/1`
            yield from (item for item in _of_two(claim, *pair, near) if _is(claim, item.value))
    for operand in singles:
        yield from (item for item in _of_one(claim, operand, near) if _is(claim, item.value))


def _is(claim: Quantity, value: Decimal) -> bool:
    step, said = Decimal(1).scaleb(claim.scale - claim.decimals), _plain(claim)
    loose = step / 2 if claim.bound in ("exact", "range") else max(step / 2, abs(value) / 20)
    return said != 0 and abs(said - value) <= loose


def _plain(quantity: Quantity) -> Decimal:
    return quantity.value.scaleb(quantity.scale)


def _shown(quantity: Quantity) -> str:
    return quantity.digits if not quantity.scale else f"{_plain(quantity).normalize():f}"


def _short(value: Decimal) -> str:
    return f"{round(value, 3).normalize():f}"


def _of_two(claim: Quantity, first: _Operand, last: _Operand, near: str) -> Iterator[_Computed]:
    (least, low), (most, high) = sorted(
        ((item.value, item.quantity) for item in (first, last)), key=lambda pair: pair[0]
    )
    a, b = _shown(high), _shown(low)
    unit = low.unit or high.unit
    if (low.unit and high.unit and low.unit != high.unit) or not least or least == most:
        return
    of_hundred, is_share = claim.unit in ("%", "points"), most <= 1 and not unit
    is_alike = not of_hundred and (claim.unit == unit or not (claim.unit and unit))
    says_ratio = bool(saying("ratio").search(near))
    ways: Sequence[tuple[str, bool, str, Decimal]] = (
        ("relative", of_hundred, f"{a}/{b}-1", 100 * (most / least - 1)),
        ("relative", of_hundred, f"1-{b}/{a}", 100 - 100 * least / most),
        (
            "share",
            claim.percent and unit in COUNTED and bool(claim.decimals or saying("share").search(near)),
            f"{b}/{a}",
            100 * least / most,
        ),
        ("difference", of_hundred and is_share, f"100*({a}-{b})", 100 * (most - least)),
        ("difference", of_hundred and not is_share and unit in ("", "%", "points"), f"{a}-{b}", most - least),
        ("difference", is_alike and (says_change(near) or not says_ratio), f"{a}-{b}", most - least),
        ("sum", is_alike and bool(saying("total").search(near)), f"{a}+{b}", most + least),
        ("ratio", claim.unit == "x" or (not claim.unit and says_ratio), f"{a}/{b}", most / least),
        ("ratio", not claim.unit and claim.value < 1, f"{b}/{a}", least / most),
    )
    for way, is_meant, expression, value in ways:
        if is_meant:
            yield _Computed(way, expression, value, (first, last))


def _of_one(claim: Quantity, operand: _Operand, near: str) -> Iterator[_Computed]:
    """What a factor or a share leaves: `0.71x, a loss of 29%`, `1.38x`, so 38% more; and the time of a speed."""
    quantity, value = operand.quantity, _plain(operand.quantity)
    if (whole := _INVERSE.get((claim.unit, quantity.unit))) and value:
        yield _Computed("inverse", f"{whole}/{quantity.digits}", whole / value, (operand,))
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
    claim, statement = result.number.figures, result.statement
    sentence = statement.text[slice(*statement.sentence(claim.start))]
    words = _words(result)
    right = [item for item in computed if not _is_confused(claim, item)] or computed
    best = min(
        right,
        key=lambda item: (
            bool(_others_spoken_of(item.cells, words)),
            len(item.operands) == 1,
            -_named(item.operands, sentence),
            sum(abs(operand.quantity.start - claim.start) for operand in item.operands),
        ),
    )
    if others := _others_spoken_of(best.cells, words):
        return _contradicted(result, Mismatch("label", best.binding, claim.text, others))
    if _is_confused(claim, best):
        if claim.bound == "exact" and (claim.unit == "points" or is_near or says_change(words_near(result))):
            unit = "%" if claim.unit == "points" else "points"
            return _contradicted(result, Mismatch("points", best.binding, f"{_short(best.value)} {unit}"))
    elif is_near and _goes_otherwise(result, best):
        return _contradicted(result, Mismatch("direction", best.binding, best.expression))
    return _bound(result, best.binding)


def _is_confused(claim: Quantity, computed: _Computed) -> bool:
    return (claim.unit, computed.way) in (("%", "difference"), ("points", "relative"))


def _named(operands: Iterable[_Operand], sentence: str) -> int:
    """How many labels of the cells the sentence names."""
    return sum(
        item.where[0].labels.get(level) in axis.named(sentence)
        for item in operands
        if item.where
        for level, axis in item.where[1].axes.items()
    )


def _words(result: Result) -> NearWords:
    """The sentence of a number, and where it and the others are in it."""
    statement, claim = result.statement, result.number.figures
    start, end = statement.sentence(claim.start)
    numbers = (each.figures for each in statement.numbers if each is not result.number)
    others = tuple((each.start - start, each.end - start) for each in numbers if start <= each.start < end)
    return NearWords((statement.text[start:end],), (), (claim.start - start, claim.end - start), others)


def _others_spoken_of(cells: Sequence[tuple[GridCell, Grid]], words: NearWords) -> tuple[str, ...]:
    """The labels that the sentence compares with, where the two cells are of none of them; or that both are not of."""
    if len(cells) < len(_PAIR) or len({id(grid) for _, grid in cells}) > 1:
        return ()
    text, labels = words.near[0], {name for cell, _ in cells for name in (*cell.cell.row_path, *cell.cell.column_path)}
    grid = cells[0][1]
    for level, stance in grid.stances(words).items():
        mentions = (each for each in grid.axes[level].mentions(text) if each.is_clear and is_compared(text, each))
        compared = [
            each.labels for each in mentions if not any(each.end <= start < words.at[0] for start, _ in words.others)
        ]
        if compared and labels & set(grid.axes[level].labels) and not any(labels & names for names in compared):
            return tuple(sorted(compared[0]))
        own = {cell.labels.get(level) for cell, _ in cells}
        spoken = [
            label
            for label in sorted(stance.near & stance.clear)
            if all(grid.has_twin(cell, level, label) for cell, _ in cells)
        ]
        if len(own) == 1 and spoken and not labels & (stance.said | stance.clear):
            return tuple(spoken)
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
    way = way_of(words_near(result)) if is_from or VERSUS.fullmatch(between) else 0
    return bool(way) and way != (rise if is_from else -rise)


_Way = tuple[str, str, int, int, int]
"""How a column (or a row) is computed: in which way, `column` or `row`, of which two, and what its sign says: 1 for a
rise from the first to the last, -1 for a fall, 0 where none is written."""


_Lines = Mapping[tuple[str, int], Sequence[Result]]
"""The cells of a note's table in each `column` and `row`."""


def _lines(cells: Sequence[Result]) -> _Lines:
    columns, rows = (_by(cells, lambda each: each.statement.column), _by(cells, lambda each: each.statement.row))
    by_column = {("column", number): line for number, line in columns.items()}
    return by_column | {("row", number): line for number, line in rows.items()}


def _ways_of_table(lines: _Lines) -> Mapping[tuple[int, _Way], int]:
    """For each column and row of a note's table, how often it is what in the same way."""
    cells = (each for (name, _), line in lines.items() if name == "column" for each in line)
    open_cells = (each for each in cells if _is_open(each) and each.statement.kind == "cell")
    return Counter((own, way) for each in open_cells for own, way, _ in _computed_in_table(each, lines))


def _computed_in_table(result: Result, lines: _Lines) -> Iterator[tuple[int, _Way, _Computed]]:
    here = result.statement
    for side, across in (("column", "row"), ("row", "column")):
        mates = lines[across, getattr(here, across)]
        if len(mates) > _MOST:
            continue
        known = [(each, item) for each in mates if each.statement is not here and (item := _operand(each))]
        if len(known) < len(_PAIR):
            continue
        head = " ".join(each.statement.text for each in lines["column", here.column])
        places = {id(item): getattr(each.statement, side) for each, item in known}
        for computed in _all_of(result.number.figures, combinations([item for _, item in known], 2), (), head + _ANY):
            first, last = (places[id(operand)] for operand in computed.operands)
            rise = 1 if _plain(computed.operands[1].quantity) > _plain(computed.operands[0].quantity) else -1
            sign = result.number.figures.sign * rise
            yield getattr(here, side), (computed.way, side, first, last, sign), computed


def _of_table(result: Result, lines: _Lines, ways: Mapping[tuple[int, _Way], int]) -> Result:
    """The cell as computed of others of its row or column, as most of its own are."""
    every = ((ways[own, way], item) for own, way, item in _computed_in_table(result, lines))
    times, best = max(every, key=lambda each: each[0], default=(0, None))
    return _bound(result, best.binding) if best and times >= _MANY else result
