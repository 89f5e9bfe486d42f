"""Which places in papers a number belongs to: those named in its sentence or cell first, then those farther away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.named_places import PaperPlace
from paper_notes.features.verify.paper import PaperIndex, Searched
from paper_notes.features.verify.statements import Number, Statement

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
        self._units: dict[int, list[int]] = {}
        for at, statement in enumerate(statements):
            self._units.setdefault(statement.unit, []).append(at)
        self._tables: dict[int, list[int]] = {}
        self._sections: dict[int, list[int]] = {}
        for at, statement in enumerate(statements):
            self._tables.setdefault(statement.table, []).append(at)
            self._sections.setdefault(statement.section, []).append(at)
        self._cited: dict[int, dict[BibKey, None]] = {}
        for statement in statements:
            of_chapter = self._cited.setdefault(statement.chapter, {})
            of_chapter.update({BibKey(key): None for _, key in statement.cites})

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

    def layers(self, at: int, number: Number) -> Iterator[tuple[PaperPlace, ...]]:
        """The places for a number of a statement, those named nearest first; later ones include farther text."""
        statement = self.statements[at]
        if statement.table >= 0:
            yield self._of_cell(at)
            yield tuple(_real(self._of_table(at)))
        else:
            start, end = statement.sentence(number.figures.start)
            yield tuple(_real(place for place in statement.places if start <= place.start < end))
            unit = (self.statements[other] for other in self._units[statement.unit])
            yield tuple(_real(place for other in unit for place in other.places))
        yield tuple(self._before(at))
        section = (self.statements[other] for other in self._sections[statement.section])
        yield tuple(_real(place for other in section for place in other.places))

    def _of_cell(self, at: int) -> tuple[PaperPlace, ...]:
        statement = self.statements[at]
        own = tuple(_real(statement.places))
        return own or tuple(
            _real(
                place
                for other in self.table(statement)
                if (other.column == statement.column and other.kind == "head") or other.row == statement.row
                for place in other.places
            )
        )

    def table(self, statement: Statement) -> Sequence[Statement]:
        """The cells of the table that a cell is in."""
        return [self.statements[at] for at in self._tables[statement.table]]

    def _of_table(self, at: int) -> Iterator[PaperPlace]:
        """Named in the text right before a table, right after it, or in its head."""
        table = self.statements[at].table
        cells = self._tables[table]
        section = self.statements[at].section
        for near in (cells[0] - 1, cells[-1] + 1):
            if 0 <= near < len(self.statements) and self.statements[near].section == section:
                for other in self._units[self.statements[near].unit]:
                    yield from self.statements[other].places
        for place in cells:
            if self.statements[place].kind == "head":
                yield from self.statements[place].places

    def _before(self, at: int) -> Iterator[PaperPlace]:
        """Those of the nearest statement before that names any, in the section; of its heading and titles, too."""
        statement = self.statements[at]
        is_named = False
        for other in reversed(self.statements[:at]):
            if other.section != statement.section:
                break
            places = list(_real(other.places))
            if places and (not is_named or other.kind in ("heading", "title")):
                is_named = True
                yield from places

    def sentence(self, at: int, number: Number) -> str:
        """The words around a number: its sentence; in a table its row, and the head of its column."""
        statement = self.statements[at]
        if statement.table >= 0:
            return " ".join(
                other.text
                for other in self.table(statement)
                if other.row == statement.row or (other.kind == "head" and other.column == statement.column)
            )
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


def _real(places: Iterable[PaperPlace]) -> Iterator[PaperPlace]:
    """Without formulas and algorithms, which no caption or heading shows."""
    return (place for place in places if place.kind != "other")


def resolved(
    places: Iterable[PaperPlace], papers: Sequence[BibKey], known: Papers
) -> tuple[tuple[BibKey, Searched], ...]:
    """The passages that the places name, in the papers that they may mean."""
    passages: dict[tuple[BibKey, str, str, str, int], tuple[BibKey, Searched]] = {}
    for place in places:
        for key in [BibKey(place.key)] if place.key else papers:
            index = known.get(key)
            for passage in index.named(place.kind, place.number) if index else ():
                part = passage.passage
                passages.setdefault((key, part.kind, part.number, part.title, part.page), (key, passage))
    return tuple(passages.values())
