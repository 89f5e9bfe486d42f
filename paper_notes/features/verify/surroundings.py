"""What is said around each number of a note: places of papers, words that may name labels, numbers beside it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.cells import AGAINST, NearWords
from paper_notes.features.verify.index import PaperIndex, Searched
from paper_notes.features.verify.quantities import Quantity
from paper_notes.features.verify.statements import PaperPlace, StatedNumber, Statement
from paper_notes.patterns import regex
from paper_notes.values import replace

_BEFORE, _SHORT = 14, 30
_WORDS = regex(r"[^\W\d_]{2}")
_CLOSED = regex(r"[(（][^()（）]*[)）][,，]\s?(?:and |but |而|但)?")
"""A place in brackets is of what is before them: `1.2 (Table 1), and 3.4`."""
_OF = regex(r"\S+ [\w.]+ (?:of|in) (\S+)")
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

    def layers(self, at: int, number: StatedNumber) -> Iterator[Sequence[PaperPlace]]:
        """The places for a number of a statement, those named nearest first; later ones include farther text."""
        statement = self.statements[at]
        if statement.table >= 0:
            row_and_head = (place for other in self._row_and_head(statement) for place in other.places)
            yield statement.places or tuple(row_and_head)
            yield self._places(self._beside_table(at))
        else:
            start, end = statement.sentence(number.figures.start)
            start += max(
                (cut.end() for cut in _CLOSED.finditer(statement.text[start : number.figures.start])), default=0
            )
            own = [place for place in statement.places if start <= place.start < end]
            of_unit = self._places(self._units[statement.unit]) if statement.kind == "term" else own
            yield own if any(place.kind == "figure" for place in of_unit) else of_unit
            yield self._places(self._units[statement.unit])
        yield self._places(self._before(at))
        yield self._places(self._sections[statement.section])

    def explained_at(self, at: int) -> int:
        """The line of what explains a term; 0 for other statements."""
        statement = self.statements[at]
        lines = (self.statements[near].line for near in self._units[statement.unit] if near > at)
        return next(lines, 0) if statement.kind == "term" else 0

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

    def dependents(self, at: int) -> Iterator[int]:
        """The statements whose place is named by this one: its paragraph, and the cells of the tables beside it."""
        statement = self.statements[at]
        own = [near for near in self._units[statement.unit] if self.statements[near].table < 0]
        if sum(bool(self.statements[near].places) for near in own) == 1:
            yield from own
        for near in (own[0] - 1, own[-1] + 1):
            if 0 <= near < len(self.statements) and self.statements[near].table >= 0:
                cells = self._tables[self.statements[near].table]
                if self.statements[near].section == statement.section and set(self._beside_table(cells[0])) & {at}:
                    yield from cells

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

    def sentence(self, at: int, number: StatedNumber) -> str:
        """The words around a number: its sentence; in a table its row, and the head of its column."""
        return self.sentence_of(self.statements[at], number)

    def sentence_of(self, statement: Statement, number: StatedNumber) -> str:
        """The same for a number of a statement; a term is explained by what follows it."""
        if statement.kind == "term":
            return ": ".join(self.statements[at].text for at in self._units[statement.unit])
        if statement.table >= 0:
            return " ".join(other.text for other in self._row_and_head(statement))
        start, end = statement.sentence(number.figures.start)
        return statement.text[start:end]

    def words(self, at: int, number: StatedNumber) -> NearWords:
        """The words around a number that may name its row and column in a paper."""
        statement, figures = self.statements[at], number.figures
        heading = self._heading(at)
        if statement.kind == "cell" and (statement.column > 0 or not _WORDS.search(statement.text)):
            row = [other for other in self.table(statement) if other.row == statement.row and other is not statement]
            label = " ".join(other.text for other in row if other.column == 0 or _is_label(other))
            head = " ".join(
                other.text
                for other in self.table(statement)
                if other.kind == "head" and other.column == statement.column
            )
            beside = " ".join(
                self.statements[near].text for near in self._beside_table(at) if self.statements[near].kind != "head"
            )
            at_number, others = (figures.start, figures.end), _spans(statement, number, 0, len(statement.text))
            partners = tuple(_partners(statement, number))
            return NearWords((statement.text, label, head), (beside, heading), at_number, others, True, (), partners)
        start, end = (0, len(statement.text)) if statement.table >= 0 else statement.sentence(figures.start)
        text, spans = statement.text[start:end], list(_spans(statement, number, start, end))
        if statement.kind == "term":  # what explains it has its labels
            for other in (self.statements[near] for near in self._units[statement.unit] if near != at):
                before, text = len(text) + 2, f"{text}: {other.text}"
                spans += [(before + each.figures.start, before + each.figures.end) for each in other.numbers]
        unit = " ".join(self.statements[near].text for near in self._units[statement.unit])
        at_number = (figures.start - start, figures.end - start)
        names = tuple(self._names_before_places(statement, start))
        partners = tuple(_partners(statement, number))
        return NearWords((text,), (unit, heading), at_number, tuple(spans), False, names, partners)

    def name_of(self, key: BibKey) -> BibKey:
        """How a binding names a paper: not at all if the note is about no other."""
        return BibKey("") if tuple(self._main) == (key,) else key

    def _names_before_places(self, statement: Statement, start: int) -> Iterator[tuple[int, int]]:
        """Where the names of papers are that say which place is meant: `DFlash Table 4`."""
        for place in statement.places:
            for name in self._names.values():
                for match in name.finditer(statement.text, max(0, place.start - _BEFORE), place.start):
                    yield match.start() - start, match.end() - start

    def _heading(self, at: int) -> str:
        """The heading above a statement."""
        section = self._sections[self.statements[at].section]
        return next((self.statements[index].text for index in section if self.statements[index].kind == "heading"), "")

    def papers(self, at: int, number: StatedNumber, known: Papers) -> tuple[BibKey, ...]:
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


def _is_label(cell: Statement) -> bool:
    few = all(number.figures.is_trivial for number in cell.numbers)  # as in `2Wiki`
    return few and len(cell.text) <= _SHORT and bool(_WORDS.search(cell.text))


def _spans(statement: Statement, number: StatedNumber, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Where the other numbers of a sentence are in it."""
    others = (other.figures for other in statement.numbers if other is not number)
    others = (
        other for other in others if not statement.text[: other.start].endswith(("=", "= "))
    )  # `n = 4` names a label
    return tuple((other.start - start, other.end - start) for other in others if start <= other.start < end)


def _partners(statement: Statement, number: StatedNumber) -> Iterator[Quantity]:
    """The numbers that one stands against: `2.4× 对 1.9×`, `from 39.6 to 42.5`, `1.9 → 2.7`."""
    at = statement.numbers.index(number)
    for first, last in pairwise(statement.numbers[max(0, at - 1) : at + 2]):
        if AGAINST.fullmatch(statement.text, first.figures.end, last.figures.start):
            yield (last if first is number else first).figures


OfPaper = tuple[BibKey, Searched]
"""A passage, and the paper that it is of."""


def resolved(places: Iterable[PaperPlace], papers: Sequence[BibKey], known: Papers) -> tuple[OfPaper, ...]:
    """The passages that the places name, in the papers that they may mean."""
    passages: dict[tuple[BibKey, str, str, str, int], OfPaper] = {}
    for place in places:
        for key in [BibKey(place.key)] if place.key else papers:
            index = known.get(key)
            for passage in index.named(place.kind, place.number) if index else ():
                part = passage.passage
                passages.setdefault((key, part.kind, part.number, part.title, part.page), (key, passage))
    return tuple(passages.values())
