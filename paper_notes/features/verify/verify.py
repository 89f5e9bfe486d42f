"""Looks for each number of a note in its papers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.calculations import Calculation, calculations_in
from paper_notes.features.verify.grid import TableNumber, fitting
from paper_notes.features.verify.paper import Searched, words_of
from paper_notes.features.verify.places import Papers, Surroundings, resolved
from paper_notes.features.verify.statements import Number, Statement

Verdict = Literal["place", "elsewhere", "missing", "declared", "no-pdf", "unchecked"]
"""At the place named; elsewhere in the paper; not found; declared by the note; no PDF to look in; too small to say."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a paper."""

    key: BibKey
    kind: str
    """`table`, `figure`, `section` or `front`."""
    number: str
    """May be empty; then `title` says which section it is."""
    page: int
    title: str = ""

    @property
    def name(self) -> str:
        """`Table 2, p. 5`"""
        words = {"table": "Table ", "figure": "Fig. ", "section": "§", "front": ""}
        number = self.number or (self.title[:40] if self.kind == "section" else "")
        return f"{words[self.kind]}{number}, p. {self.page}" if number else f"p. {self.page}"


@dataclass(frozen=True, slots=True)
class Result:
    """A number, and where the paper has it."""

    number: Number
    statement: Statement
    verdict: Verdict
    spot: Spot | None = None
    """Where it was found."""
    named: tuple[str, ...] = ()
    """The places that the note names, if it is not there."""
    origin: str = ""
    """What is declared: `own`, `derived 1/(1-0.86)`, `figure 10`, `other @key`."""
    chance: float = 0.0
    """From 0 to 1: how likely any other number of its shape would have been found as well."""
    line: int = 0
    """The line of the note where the same number has a place, if it has none of its own here."""


_ENOUGH = (0.35, 0.3, 0.2, 0.12)
"""The greatest chance of finding any other number of the shape, for places named near and farther away."""
_SUPPORTED = 0.35
"""What is left of that chance if words or other numbers of the sentence are there, too."""
_TELLING = 0.1
"""Above this chance, a number in one paper says nothing of another that is cited beside it and not at hand."""
_WORDS = re.compile(r"[A-Za-z]{3}")
_Key = tuple[int, int]
"""Which statement, and which number of it."""


def verify(
    statements: Sequence[Statement],
    papers: Papers,
    main: Sequence[BibKey],
    names: Mapping[BibKey, str] | None = None,
) -> tuple[Result, ...]:
    """A result for each number, in the order of the text.

    `main` are the papers that the note is about; `names` are short names by which it may speak of papers.
    """
    around = Surroundings(statements, main, names)
    results: dict[_Key, Result] = {}
    for at, statement in enumerate(statements):
        computed = {item.number.figures.start: item for item in calculations_in(statement)}
        for index, number in enumerate(statement.numbers):
            if result := _declared(number, statement, computed.get(number.figures.start)):
                results[at, index] = result
    results |= _of_tables(around, papers, results)
    for at, statement in enumerate(statements):
        for index, number in enumerate(statement.numbers):
            if (at, index) not in results:
                results[at, index] = _of_text(around, at, number, papers)
    return tuple(_repeated([(key[0], results[key]) for key in sorted(results)], around))


def _declared(number: Number, statement: Statement, computed: Calculation | None) -> Result | None:
    if number.origin:
        origin = f"{number.origin.kind} {number.origin.value}".strip()
        return Result(number, statement, "declared", origin=origin)
    if computed and computed.right:
        return Result(number, statement, "declared", origin=f"derived {computed.expression}")
    if number.figures.is_trivial and not _is_cell(number, statement):
        return Result(number, statement, "unchecked")
    return None


def _is_cell(number: Number, statement: Statement) -> bool:
    """Whether a number is a cell of a table by itself."""
    return statement.column > 0 and statement.kind == "cell" and len(statement.text.strip()) <= number.figures.end + 3


def _of_tables(around: Surroundings, papers: Papers, known: Mapping[_Key, Result]) -> dict[_Key, Result]:
    tables: dict[int, list[_Key]] = {}
    for at, statement in enumerate(around.statements):
        if statement.kind in ("cell", "head") and statement.column > 0:
            keys = [(at, index) for index in range(len(statement.numbers))]
            tables.setdefault(statement.table, []).extend(key for key in keys if key not in known)
    table_results: dict[_Key, Result] = {}
    for keys in tables.values():
        cells = [_cell(around, at, index, papers) for at, index in keys]
        fits = fitting(cells)
        for number, (key, cell) in enumerate(zip(keys, cells, strict=True)):
            if passage := fits.get(number):
                statement = around.statements[key[0]]
                table_results[key] = _at(cell.number, statement, _paper_of(passage, papers), passage)
            elif cell.passages:
                table_results[key] = _elsewhere(around, key[0], cell.number, papers)
    return table_results


def _paper_of(passage: Searched, papers: Papers) -> BibKey:
    return next(key for key, index in papers.items() if index and any(_same(part, passage) for part in index.all))


def _same(first: Searched, second: Searched) -> bool:
    return first.passage is second.passage or first.passage.title == second.passage.title != ""


def _at(number: Number, statement: Statement, key: BibKey, passage: Searched) -> Result:
    return Result(number, statement, "place", _spot(key, passage), chance=passage.chance(number.figures))


def _spot(key: BibKey, passage: Searched) -> Spot:
    part = passage.passage
    return Spot(key, part.kind, part.number, part.page, part.title)


def _cell(around: Surroundings, at: int, index: int, papers: Papers) -> TableNumber:
    statement = around.statements[at]
    number = statement.numbers[index]
    keys = around.papers(at, number, papers)
    passages: tuple[Searched, ...] = ()
    near = False
    for nearness, layer in enumerate(around.layers(at, number)):
        near = nearness < len(_ENOUGH) - 1
        passages = tuple(candidate for _, candidate in resolved(layer, keys, papers))
        if passages:
            break
    table = around.table(statement)
    row = (other for other in table if other.row == statement.row)
    label = " ".join(other.text for other in row if other.column == 0 or _WORDS.search(other.text))
    head = " ".join(other.text for other in table if other.kind == "head" and other.column == statement.column)
    return TableNumber(statement.row, statement.column, index, number, label, head, passages, near)


def _of_text(around: Surroundings, at: int, number: Number, papers: Papers) -> Result:
    statement = around.statements[at]
    keys = around.papers(at, number, papers)
    words, named = words_of(around.sentence(at, number)), False
    others = [other for other in statement.numbers if other is not number and not other.figures.is_trivial]
    for nearness, layer in enumerate(around.layers(at, number)):
        if nearness > 0 and named:
            break  # what is named in the same sentence is meant
        passages = resolved(layer, keys, papers)
        named = named or (nearness == 0 and bool(layer))
        for key, passage in passages:
            chance = _chance(passage, number, words, others)
            if chance is not None and chance <= _ENOUGH[nearness]:
                return _at(number, statement, key, passage)
    return _elsewhere(around, at, number, papers)


def _chance(passage: Searched, number: Number, words: frozenset[str], others: Sequence[Number]) -> float | None:
    """How likely another number of the shape would be found as well; None if this one is not there."""
    occurrences = passage.find(number.figures)
    if not occurrences:
        return None
    chance = passage.chance(number.figures)
    best = chance
    rows = [
        occurrence.row
        for item in others
        for occurrence in passage.find(item.figures)
        if occurrence.value != number.figures.value
    ]
    for occurrence in occurrences:
        near = range(max(occurrence.row - 1, 0), min(occurrence.row + 2, len(passage.words)))
        said = any(words & passage.words[row] for row in near)
        beside = any(abs(row - occurrence.row) <= 2 for row in rows)
        if said or beside:
            best = min(best, chance * _SUPPORTED * (0.6 if said and beside else 1.0))
    return best


def _elsewhere(around: Surroundings, at: int, number: Number, papers: Papers) -> Result:
    """The rarest place anywhere in the papers that has the number."""
    statement = around.statements[at]
    keys = around.papers(at, number, papers)
    held = [(key, index) for key in keys if (index := papers.get(key))]
    beside = list(around.layers(at, number))[: 2 if statement.table >= 0 else 1]
    near = [place for layer in beside for place in layer]
    named = tuple(dict.fromkeys(place.name for place in near))
    matches = [(passage.chance(number.figures), key, passage) for key, index in held for passage in index.all
             if passage.find(number.figures)]  # fmt: skip
    if matches:
        _, key, passage = min(matches, key=lambda item: item[0])
        whole = min(1.0, sum(candidate.chance(number.figures) for _, index in held for candidate in index.all))
        if whole > _TELLING and _cites_missing(statement, papers):
            return Result(number, statement, "no-pdf", named=named)
        return Result(number, statement, "elsewhere", _spot(key, passage), named, chance=whole)
    if not held or _cites_missing(statement, papers):
        return Result(number, statement, "no-pdf", named=named)
    return Result(number, statement, "missing", named=named)


def _cites_missing(statement: Statement, papers: Papers) -> bool:
    return any(papers.get(BibKey(key)) is None for _, key in statement.cites)


def _repeated(results: Sequence[tuple[int, Result]], around: Surroundings) -> Iterator[Result]:
    """Numbers without a place that have one elsewhere in the note: its beginning and end repeat the rest."""
    sure: dict[object, Result] = {}
    for _, result in results:
        if result.verdict in ("place", "declared"):
            sure.setdefault(_value(result), result)
    for at, result in results:
        other = sure.get(_value(result))
        if result.verdict in ("elsewhere", "missing", "no-pdf") and other and _is_telling(result.number):
            layers = around.layers(at, result.number)
            if not next(layers) and not next(layers):
                line = other.number.line
                yield replace(other, number=result.number, statement=result.statement, line=line)
                continue
        yield result


def _value(result: Result) -> object:
    return result.number.figures.value.normalize(), result.number.figures.percent


def _is_telling(number: Number) -> bool:
    return len(number.figures.digits.replace(".", "").strip("0")) > 1 or number.figures.decimals > 0
