"""What the numbers of a text say of one another, once each was looked for: in a table, a sentence, a whole note."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from paper_notes.features.verify.quantities import SIZED, goes_from, in_unit, unit_of_label
from paper_notes.features.verify.results import Hit, Mismatch, Result, Verdict, bindings_of, of_words, outcome, spot_of
from paper_notes.features.verify.statements import StatedNumber, Statement
from paper_notes.features.verify.surroundings import Papers, Surroundings, resolved
from paper_notes.values import replace

_FOUND: frozenset[Verdict] = frozenset({"bound", "ambiguous", "elsewhere"})
_BY_CHANCE = 0.1
"""So many of a note's numbers, at most, are in a table that is named wrongly."""
_USUAL = 3
"""So many numbers of a column are in one unit for one that is in another by mistake."""
NumberKey = tuple[int, int]
"""Which statement, and which number of it."""
_ENOUGH_NUMBERS, _MOST_OF = 3, 0.6


def named_wrongly(around: Surroundings, results: dict[NumberKey, Result], papers: Papers) -> list[Result]:
    """Names of tables with hardly any of the numbers around them, which are in another one; said once, where named."""
    wrong = list[Result]()
    for at, statement in enumerate(around.statements):
        places = [place for place in statement.places if place.kind == "table"]
        if statement.table >= 0 or len({place.number for place in places}) != 1:
            continue
        keys = [key for key in results if key[0] in set(around.dependents(at))]
        keys = [key for key in keys if _is_telling(results[key].number) and not results[key].number.origin]
        if len(keys) < _ENOUGH_NUMBERS:
            continue
        key = around.papers(at, results[keys[0]].number, papers)
        inside = [passage for _, passage in resolved(places, key, papers)]
        printed = sum(any(passage.find(results[each].number.figures) for passage in inside) for each in keys)
        if not inside or printed > _BY_CHANCE * len(keys):
            continue
        spots = Counter(spot for each in keys if (spot := results[each].spot) and spot.kind == "table")
        spot, times = spots.most_common(1)[0] if spots else (None, 0)
        is_other = spot and spot.number != places[0].number  # shares written in hundredths are in the one named
        if spot and is_other and times >= max(_ENOUGH_NUMBERS, _MOST_OF * len(keys)):
            mismatch = Mismatch("place", None, spot.name.partition(",")[0], (places[0].name, f"{times}"))
            wrong.append(of_words(statement, places[0].start, places[0].name, spot, mismatch))
            results |= {
                each: replace(results[each], remark="") for each in keys if results[each].verdict == "elsewhere"
            }
    return wrong


def _headed(around: Surroundings, results: Mapping[NumberKey, Result]) -> Iterator[tuple[Statement, list[NumberKey]]]:
    """The heads of columns with the numbers below them."""
    columns = defaultdict[tuple[int, int], list[NumberKey]](list)
    for key, result in results.items():
        if result.statement.table >= 0 and result.statement.kind == "cell":
            columns[result.statement.table, result.statement.column].append(key)
    for statement in around.statements:
        if statement.kind == "head":
            yield statement, columns.get((statement.table, statement.column), [])


def headed_in_other_units(around: Surroundings, results: Mapping[NumberKey, Result]) -> Iterator[Result]:
    """Heads that give their numbers another unit than the paper does: `Time (ms)` for seconds."""
    for head, keys in _headed(around, results):
        unit = unit_of_label(head.text)[0]
        cells = [_in_other_unit(results[key], unit) for key in keys if unit in SIZED]
        against = [cell for cell in cells if cell]
        if len(against) > 1 and len(against) >= _MOST_OF * len(keys):
            hit, printed = against[0]
            mismatch = Mismatch("unit", hit.binding, printed)
            yield of_words(head, 0, head.text.strip(), spot_of(hit.key, hit.passage), mismatch)


def _in_other_unit(result: Result, unit: str) -> tuple[Hit, str] | None:
    """The cell of a number without a unit that has these digits in another one of its dimension, and what it has."""
    figures = result.number.figures
    for hit in result.hits if result.verdict == "bound" and not figures.unit else ():
        if hit.binding == result.binding and hit.cell and hit.passage.grid:
            printed = hit.cell.quantity.unit or hit.passage.grid.unit
            if (
                printed != unit
                and in_unit(replace(figures, unit=unit), printed)
                and hit.cell.quantity.value == figures.value
            ):
                return hit, f"{hit.cell.quantity.text} {printed}"
    return None


def headed_wrongly(around: Surroundings, results: dict[NumberKey, Result]) -> list[Result]:
    """Heads of columns whose numbers are of another label; said once, at the head."""
    wrong = list[Result]()
    for statement, keys in _headed(around, results):
        against = [key for key in keys if (other := results[key].mismatch) and other.kind == "label" and other.spoken]
        spoken = {label for key in against if (other := results[key].mismatch) for label in other.spoken}
        if len(against) > 1 and len(against) >= _MOST_OF * len(keys) and len(spoken) == 1:
            first = results[against[0]]
            wrong.append(of_words(statement, 0, statement.text.strip(), first.spot, first.mismatch))
            results |= {
                key: replace(
                    results[key], verdict="ambiguous", mismatch=None, candidates=bindings_of(results[key].hits)
                )
                for key in against
            }
    return wrong


def not_asked(result: Result) -> Result:
    """A contradiction of a question is none: it states nothing."""
    statement, mismatch = result.statement, result.mismatch
    start, end = statement.sentence(result.number.figures.start)
    is_question = statement.table < 0 and statement.text[start:end].rstrip().endswith(("?", "？"))
    if result.verdict != "contradicted" or not mismatch or not is_question:
        return result
    candidates = (mismatch.binding,) if mismatch.binding else ()
    return replace(result, verdict="ambiguous", mismatch=None, candidates=candidates)


def check_ways(around: Surroundings, results: dict[NumberKey, Result]) -> None:
    """Contradict the last of two numbers that go the other way than the words say: `rises from 31.4 to 27.9`."""
    for at, statement in enumerate(around.statements):
        for index, (first, last) in enumerate(pairwise(statement.numbers), 1):
            way = goes_from(statement.text, first.figures, last.figures)
            rise = (last.figures.value > first.figures.value) - (last.figures.value < first.figures.value)
            result = results[at, index]
            same = first.figures.scale == last.figures.scale and first.figures.percent == last.figures.percent
            if way and rise == -way and same and result.verdict in _FOUND:
                mismatch = Mismatch("direction", result.binding, last.figures.text)
                results[at, index] = replace(result, verdict="contradicted", mismatch=mismatch)


def check_units(results: dict[NumberKey, Result]) -> None:
    """Contradict a number in another unit than the rest of a column that prints none: `1.18 ms` beside `1.19 s`."""
    columns = defaultdict[tuple[int, tuple[str, ...]], list[tuple[NumberKey, Hit]]](list)
    for key, result in results.items():
        figures = result.number.figures
        for hit in result.hits[:1] if result.verdict == "bound" and figures.unit in SIZED else ():
            if hit.cell and not hit.cell.quantity.unit and hit.cell.quantity.value == figures.value:
                columns[id(hit.passage), hit.cell.cell.column_path].append((key, hit))
    for cells in columns.values():
        units = Counter(results[key].number.figures.unit for key, _ in cells)
        usual, times = units.most_common(1)[0]
        for key, hit in cells if times >= _USUAL * (len(cells) - times) else ():
            if results[key].number.figures.unit != usual and hit.cell:
                mismatch = Mismatch("unit", hit.binding, f"{hit.cell.quantity.text} {usual}")
                results[key] = replace(results[key], verdict="contradicted", mismatch=mismatch)


_MATES, _AGREED = 2, 0.6
"""How many numbers of a row or a column have to be in one line of the paper's table, and what part of them."""


def settle_tables(around: Surroundings, results: dict[NumberKey, Result]) -> None:
    """Choose among cells that fit by those of the same row and column, where labels say nothing.

    A number whose labels say nothing, in a row and a column that are all of one line of the paper's table, is of the
    cell where these meet, and of no other.
    """
    tables = defaultdict[int, list[NumberKey]](list)
    for key, result in results.items():
        if result.hits and result.statement.column > 0:
            tables[result.statement.table].append(key)
    for keys in tables.values():
        settled = {key: _settled(key, keys, results, around) for key in keys}
        results |= settled


def _settled(
    key: NumberKey, keys: Sequence[NumberKey], results: Mapping[NumberKey, Result], around: Surroundings
) -> Result:
    """A result of a table with the cell that its neighbours leave."""
    result = results[key]
    own, part = result.statement, key[1]
    row = [results[other] for other in keys if other != key and results[other].statement.row == own.row]
    column = [
        results[other]
        for other in keys
        if other[1] == part and results[other].statement.column == own.column and other != key
    ]
    lines = [_line(row, 0), _line(row, 1), _line(column, 0), _line(column, 1)]
    (row_across, row_down), (column_across, column_down) = lines[:2], lines[2:]
    upright = (row_across is not None) + (column_down is not None)
    turned = (row_down is not None) + (column_across is not None)
    across, down = (row_across, column_down) if upright >= turned else (column_across, row_down)
    fit = [hit for hit in result.hits if _is_on(hit, across, down)]
    if fit and (len(fit) < len(result.hits) or (result.verdict == "ambiguous" and (across or down))):
        return replace(result, **outcome(fit))
    same = across and down and across[0] == down[0]
    if not fit and result.hits and same and all(_is_off(hit, across, down, result) for hit in result.hits):
        first = result.hits[0]
        mismatch = Mismatch("label", first.binding, first.cell.cell.text if first.cell else "", ())
        return replace(result, verdict="contradicted", binding=None, candidates=(), mismatch=mismatch)
    return result


def _is_off(hit: Hit, across: _Line | None, down: _Line | None, result: Result) -> bool:
    """Whether a cell is not in the line of its neighbours, and no words say that it should not be."""
    if hit.cell is None or hit.binding is None or hit.cell.quantity.value != result.number.figures.value:
        return False
    named = {side for side, _ in hit.judged.named} if hit.judged else set[str]()
    return (not _is_on(hit, across, None) and "row" not in named) or (
        not _is_on(hit, None, down) and "column" not in named
    )


def _is_on(hit: Hit, across: _Line | None, down: _Line | None) -> bool:
    cell = hit.cell
    if cell is None:
        return True
    return (across is None or (across == (id(hit.passage), cell.cell.row))) and (
        down is None or down == (id(hit.passage), cell.cell.column)
    )


_Line = tuple[int, int]
"""A passage, and a row or a column of its table."""


def _line(mates: Sequence[Result], side: int) -> _Line | None:
    """The line of a paper's table that most of these numbers can be on, if they are enough and no other has as many."""
    counts = Counter[_Line]()
    for mate in mates:
        cells = {(id(hit.passage), (hit.cell.cell.row, hit.cell.cell.column)[side]) for hit in mate.hits if hit.cell}
        counts.update(cells)
    best = counts.most_common(2)
    if not best or best[0][1] < max(_MATES, _AGREED * len(mates)) or (len(best) > 1 and best[1][1] == best[0][1]):
        return None
    return best[0][0]


def repeated(results: Sequence[tuple[int, Result]], around: Surroundings) -> Iterator[Result]:
    """Numbers without a place that have one elsewhere in the note: its beginning and end repeat the rest."""
    sure: dict[object, Result] = {}
    for _, result in results:
        if result.verdict in ("bound", "declared"):
            sure.setdefault(_value(result), result)
    for at, result in results:
        other = sure.get(_value(result))
        if result.verdict in ("elsewhere", "missing", "no-pdf") and other and _is_telling(result.number):
            layers = around.layers(at, result.number)
            if not next(layers) and not next(layers):
                remark = other.remark or f"line {other.number.line}"
                yield replace(other, number=result.number, statement=result.statement, remark=remark)
                continue
        yield result


def _value(result: Result) -> object:
    return result.number.figures.value.normalize(), result.number.figures.percent


def _is_telling(number: StatedNumber) -> bool:
    return len(number.figures.digits.replace(".", "").strip("0")) > 1 or number.figures.decimals > 0
