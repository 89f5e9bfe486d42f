"""Looks for each number of a note in its papers: first where the text around it says, then everywhere."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.arithmetic import expression_before_result, is_rounded, value_of
from paper_notes.features.verify.bindings import Binding
from paper_notes.features.verify.evidence import Spot
from paper_notes.features.verify.grid import TableNumber, fitting
from paper_notes.features.verify.index import PaperIndex, Searched, words_of
from paper_notes.features.verify.statements import Number, PaperPlace, Statement

_BEFORE = 14
_OF = re.compile(r"\S+ [\w.]+ (?:of|in) (\S+)")
Papers = Mapping[BibKey, PaperIndex | None]
"""Of a note and those that it cites; None for one without a PDF."""


class Surroundings:
    """The statements of a note, and what is named around each."""

    def __init__(
        self, statements: Sequence[Statement], main: Sequence[BibKey], names: Mapping[BibKey, str] | None = None
    ) -> None:
        """`names` are short names of papers by which a text may speak of them."""
        self._main = main
        self._names = {
            key: re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])", re.IGNORECASE)
            for key, name in (names or {}).items()
        }
        self.statements = [self._with_papers(statement) for statement in statements]
        self._units, self._tables, self._sections = (defaultdict[int, list[int]](list) for _ in range(3))
        self._cited = defaultdict[int, dict[BibKey, None]](dict)
        for at, statement in enumerate(statements):
            self._units[statement.unit].append(at)
            self._tables[statement.table].append(at)
            self._sections[statement.section].append(at)
            self._cited[statement.chapter].update((BibKey(key), None) for _, key in statement.cites)

    def _with_papers(self, statement: Statement) -> Statement:
        """The statement with the paper of each place that is named right beside it: `DFlash Table 1`."""
        places = []
        for place in statement.places:
            before = statement.text[max(0, place.start - _BEFORE) : place.start]
            after = _OF.match(statement.text, place.start)
            near = before + (after[1] if after else "")
            keys = [key for key, name in self._names.items() if name.search(near)]
            places.append(replace(place, key=keys[0]) if len(keys) == 1 and not place.key else place)
        return replace(statement, places=tuple(places))

    def layers(self, at: int, number: Number) -> Iterator[Sequence[PaperPlace]]:
        """The places for a number of a statement, those named nearest first; later ones include farther text."""
        statement = self.statements[at]
        if statement.table >= 0:
            row_and_head = (place for other in self._row_and_head(statement) for place in other.places)
            yield statement.places or tuple(row_and_head)
            yield self._places(self._beside_table(at))
        else:
            start, end = statement.sentence(number.figures.start)
            yield [place for place in statement.places if start <= place.start < end]
            yield self._places(self._units[statement.unit])
        yield self._places(self._before(at))
        yield self._places(self._sections[statement.section])

    def _places(self, indexes: Iterable[int]) -> list[PaperPlace]:
        return [place for at in indexes for place in self.statements[at].places]

    def table(self, statement: Statement) -> Sequence[Statement]:
        """The cells of the table that a cell is in."""
        return [self.statements[at] for at in self._tables[statement.table]]

    def _row_and_head(self, cell: Statement) -> Iterator[Statement]:
        """The row of a cell, and the head of its column."""
        for other in self.table(cell):
            if other.row == cell.row or (other.kind == "head" and other.column == cell.column):
                yield other

    def _beside_table(self, at: int) -> Iterator[int]:
        """The text right before a table, right after it, and its head."""
        cells, section = self._tables[self.statements[at].table], self.statements[at].section
        for near in (cells[0] - 1, cells[-1] + 1):
            if 0 <= near < len(self.statements) and self.statements[near].section == section:
                yield from self._units[self.statements[near].unit]
        yield from (cell for cell in cells if self.statements[cell].kind == "head")

    def _before(self, at: int) -> Iterator[int]:
        """The nearest statement before that names a place, in the section; the heading and titles that do, too."""
        section, is_named = self.statements[at].section, False
        for index in range(at - 1, -1, -1):
            other = self.statements[index]
            if other.section != section:
                break
            if other.places and (not is_named or other.kind in ("heading", "title")):
                is_named = True
                yield index

    def sentence(self, at: int, number: Number) -> str:
        """The words around a number: its sentence; in a table its row, and the head of its column."""
        statement = self.statements[at]
        if statement.table >= 0:
            return " ".join(other.text for other in self._row_and_head(statement))
        start, end = statement.sentence(number.figures.start)
        return statement.text[start:end]

    def papers(self, at: int, number: Number, known: Papers) -> tuple[BibKey, ...]:
        """The papers that a statement may be about: those cited there, then those of its chapter or of the note."""
        statement = self.statements[at]
        start, end = (0, len(statement.text)) if statement.table >= 0 else statement.sentence(number.figures.start)
        near = [BibKey(key) for place, key in statement.cites if start <= place <= end]
        near += [key for key, name in self._names.items() if name.search(statement.text[start:end])]
        if statement.table >= 0:
            row = (other for other in self.table(statement) if other.row == statement.row)
            near += [BibKey(key) for other in row for _, key in other.cites]
        of_chapter = [key for key in self._cited.get(statement.chapter, ()) if key in self._main]
        main = of_chapter if of_chapter and len(self._main) > 1 else self._main
        return tuple(key for key in dict.fromkeys((*near, *main)) if key in known)


_OfPaper = tuple[BibKey, Searched]
"""A passage, and the paper that it is of."""


def resolved(places: Iterable[PaperPlace], papers: Sequence[BibKey], known: Papers) -> tuple[_OfPaper, ...]:
    """The passages that the places name, in the papers that they may mean."""
    passages: dict[tuple[BibKey, str, str, str, int], _OfPaper] = {}
    for place in places:
        for key in [BibKey(place.key)] if place.key else papers:
            index = known.get(key)
            for passage in index.named(place.kind, place.number) if index else ():
                part = passage.passage
                passages.setdefault((key, part.kind, part.number, part.title, part.page), (key, passage))
    return tuple(passages.values())


Verdict = Literal["bound", "ambiguous", "contradicted", "elsewhere", "missing", "declared", "no-pdf", "unchecked"]
"""Bound to one cell, sentence, sum or reading; to one of several; found only where the words speak against it;
elsewhere than named; not found; declared by the note; no PDF to look in; too small to be wrong."""
MismatchKind = Literal["label", "value", "rounding", "sign", "unit", "scale", "points", "direction", "declared", "sum"]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a number cannot be right where it stands."""

    kind: MismatchKind
    binding: Binding | None
    """The cell that has the number, or the one that the words point to."""
    printed: str
    """What is printed there."""
    spoken: tuple[str, ...] = ()
    """The labels of the paper that the sentence speaks of, against those of that cell."""


@dataclass(frozen=True, slots=True)
class Result:
    """A number, and where the paper has it."""

    number: Number
    statement: Statement
    verdict: Verdict
    spot: Spot | None = None
    remark: str = ""
    """As that of a `KeptNumber`."""
    chance: float = 0.0
    binding: Binding | None = None
    candidates: tuple[Binding, ...] = ()
    """When it is ambiguous, the best first."""
    mismatch: Mismatch | None = None


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
        for index, number in enumerate(statement.numbers):
            if result := _declared(number, statement):
                results[at, index] = result
    results |= _of_tables(around, papers, results)
    for at, statement in enumerate(statements):
        for index, number in enumerate(statement.numbers):
            if (at, index) not in results:
                results[at, index] = _of_text(around, at, number, papers)
    return tuple(_repeated([(key[0], results[key]) for key in sorted(results)], around))


def _declared(number: Number, statement: Statement) -> Result | None:
    figures = number.figures
    if number.origin:
        origin = f"{number.origin.kind} {number.origin.value}".strip()
        return Result(number, statement, "declared", remark=origin)
    expression = expression_before_result(statement.text[: figures.start])
    if expression and is_rounded(value_of(expression), figures.digits, percent=figures.percent, scale=figures.scale):
        return Result(number, statement, "declared", remark=f"derived {expression}")
    if figures.is_trivial and not _is_cell(number, statement):
        return Result(number, statement, "unchecked")
    return None


def _is_cell(number: Number, statement: Statement) -> bool:
    """Whether a number is a cell of a table by itself."""
    return statement.column > 0 and statement.kind == "cell" and len(statement.text.strip()) <= number.figures.end + 3


def _of_tables(around: Surroundings, papers: Papers, known: Mapping[_Key, Result]) -> dict[_Key, Result]:
    tables = defaultdict[int, list[_Key]](list)
    for at, statement in enumerate(around.statements):
        if statement.kind in ("cell", "head") and statement.column > 0:
            indexes = range(len(statement.numbers))
            tables[statement.table] += ((at, index) for index in indexes if (at, index) not in known)
    results: dict[_Key, Result] = {}
    for keys in tables.values():
        named = [_named_for_cell(around, at, index, papers) for at, index in keys]
        owners = {id(passage): paper for passages, _ in named for paper, passage in passages}
        cells = [_cell(around, *key, *passages) for key, passages in zip(keys, named, strict=True)]
        fits = fitting(cells)
        for place, (key, cell) in enumerate(zip(keys, cells, strict=True)):
            if passage := fits.get(place):
                results[key] = _at(cell.number, around.statements[key[0]], owners[id(passage)], passage)
            elif cell.passages:
                results[key] = _elsewhere(around, key[0], cell.number, papers)
    return results


def _named_for_cell(around: Surroundings, at: int, index: int, papers: Papers) -> tuple[Sequence[_OfPaper], bool]:
    """The passages that are named for a number of a table, and whether that is nearby, not just in the section."""
    number = around.statements[at].numbers[index]
    keys = around.papers(at, number, papers)
    for nearness, layer in enumerate(around.layers(at, number)):
        if passages := resolved(layer, keys, papers):
            return passages, nearness < len(_ENOUGH) - 1
    return (), False


def _cell(around: Surroundings, at: int, index: int, passages: Sequence[_OfPaper], near: bool) -> TableNumber:
    statement = around.statements[at]
    table = around.table(statement)
    row = (other for other in table if other.row == statement.row)
    label = " ".join(other.text for other in row if other.column == 0 or _WORDS.search(other.text))
    head = " ".join(other.text for other in table if other.kind == "head" and other.column == statement.column)
    candidates, number = tuple(passage for _, passage in passages), statement.numbers[index]
    return TableNumber(statement.row, statement.column, index, number, label, head, candidates, near)


def _at(number: Number, statement: Statement, key: BibKey, passage: Searched) -> Result:
    return Result(number, statement, "bound", _spot(key, passage), chance=passage.chance(number.figures))


def _spot(key: BibKey, passage: Searched) -> Spot:
    part = passage.passage
    return Spot(part.kind, part.number or part.title[:60], part.page, key)


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
    held = [(key, index) for key in around.papers(at, number, papers) if (index := papers.get(key))]
    beside = list(around.layers(at, number))[: 2 if statement.table >= 0 else 1]
    named = ", ".join(dict.fromkeys(place.name for layer in beside for place in layer))
    every = [(passage.chance(number.figures), key, passage) for key, index in held for passage in index.all]
    matches = [match for match in every if match[2].find(number.figures)]
    whole = min(1.0, sum(chance for chance, _, _ in every)) if matches else 0.0
    cites_missing = any(papers.get(BibKey(key)) is None for _, key in statement.cites)
    if not held or (cites_missing and (not matches or whole > _TELLING)):
        return Result(number, statement, "no-pdf", remark=named)
    if not matches:
        return Result(number, statement, "missing", remark=named)
    _, key, passage = min(matches, key=lambda match: match[0])
    return Result(number, statement, "elsewhere", _spot(key, passage), named, whole)


def _repeated(results: Sequence[tuple[int, Result]], around: Surroundings) -> Iterator[Result]:
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


def _is_telling(number: Number) -> bool:
    return len(number.figures.digits.replace(".", "").strip("0")) > 1 or number.figures.decimals > 0
