"""A paper in which numbers are looked for: its passages by name, and the numbers and words of their rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import groupby

from paper_notes.features.verify.arithmetic import is_rounded
from paper_notes.features.verify.cells import Grid, grid_table
from paper_notes.features.verify.counted import PrintedCount, printed_counts
from paper_notes.features.verify.labels import BUILT_IN, Vocabulary
from paper_notes.features.verify.paper import Passage, Passages
from paper_notes.features.verify.quantities import (
    THOUSANDTHS,
    Quantity,
    agreement,
    folded,
    quantities_in,
    values_in_words,
)
from paper_notes.features.verify.tables import PaperTable
from paper_notes.patterns import regex
from paper_notes.sources.pdf.text import joined
from paper_notes.values import Struct, replace

_SENTENCE = regex(r"(?<=[a-z0-9%)\]][.!?])\s+(?=[A-Z])")
_PLACE = regex(
    r"(?:\b(?:Sections?|Secs?\.|Tables?|Figures?|Figs?\.|Equations?|Eqs?\.|Appendix|Chapter|Algorithm)|§)\s?$"
)
_HEADING = regex(r"[\d.]+\.")
"""A number of a section, a line by itself."""
_LISTING = regex(
    r"\s*(?:(?:R>|>>>|>|\+|##|\$)(?:\s|$)"
    r"|(?:[A-Za-z(][\w.():+*^-]*(?:\s\(?[A-Za-z][\w.()-]*){0,3}\s+|\d+(?:-\d+|\+)\s+)?"
    r"(?!\d{1,3}(?:\s\d{3})+\s+[A-Za-z])(?:[<>]?\s?[-−–]?\s?\d[\d.e+-]*(?:\s+|$)){2,})"
)
"""A line of a program, or of what it printed: a name, and numbers below each other."""
_THOUSANDS = regex(r"(?<![\d.,-])(?<!\d\s)\d{1,3}(?:\s\d{3})+(?![\d.,]*\d)(?!\s\d)")
_WORD = regex(r"[A-Za-z][A-Za-z0-9]*(?:[-.+][A-Za-z0-9]+)*|(?<!\d)\d+(?:\.\d+)?[A-Za-z]+")
_COMMON = frozenset(
    "the a an of in on at to for and or is are was with by from as than that this it its we our be not only all each "
    "per over under vs figure fig table section no yes which when while about but if so do does".split()
)


class Occurrence(Struct, frozen=True):
    """A number in a passage."""

    quantity: Quantity
    row: int

    @property
    def digits(self) -> str:
        return self.quantity.digits

    @property
    def value(self) -> Decimal:
        return self.quantity.value


class Searched(Struct, frozen=True, dict=True):
    """A passage with its numbers."""

    passage: Passage
    vocabulary: Vocabulary = BUILT_IN
    own: str = ""
    """What the paper calls its method."""
    alike: tuple[str, ...] = ()
    """What its caption says otherwise than those of tables like it, and what each of these says."""

    @property
    def is_text(self) -> bool:
        """Whether it is no table or figure."""
        return self.passage.kind in ("section", "front")

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """Its rows; of running text its sentences. The caption or heading is the last."""
        rows = [row.text for row in self.passage.rows if not (self.is_text and row.text == str(row.page))]
        if self.is_text:
            parts = groupby(rows, lambda row: bool(_LISTING.match(row)))
            rows = [row for listed, lines in parts for row in (lines if listed else _SENTENCE.split(joined(lines)))]
        return (*map(folded, rows), folded(self.passage.title))

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        every = ((number, row, quantities_in(row, in_paper=True)) for number, row in enumerate(self._unspaced))
        return tuple(
            Occurrence(quantity, number)
            for number, row, quantities in every
            for quantity in quantities
            if not (self.is_text and (_PLACE.search(row[: quantity.start]) or self._is_heading(number, row, quantity)))
        )

    @property
    def _unspaced(self) -> Iterator[str]:
        """The rows; in running text `100 000` without its space, of the same length."""
        for row in self.rows:
            is_text = self.is_text and not _LISTING.match(row)
            yield _THOUSANDS.sub(lambda match: match[0].replace(" ", "").ljust(len(match[0])), row) if is_text else row

    @cached_property
    def spelled(self) -> frozenset[Decimal]:
        """The values of what its text has in words."""
        return frozenset(values_in_words(" ".join(self.rows))) if self.is_text else frozenset()

    def _is_heading(self, number: int, row: str, quantity: Quantity) -> bool:
        """Whether a number is that of the section, before its title."""
        begins = number == 0 == quantity.start and quantity.digits == self.passage.number
        return begins or bool(_HEADING.fullmatch(row))

    @cached_property
    def grid(self) -> Grid | None:
        """Its cells with their labels, if they can be read."""
        return Grid(self.passage, self.table, self.vocabulary, self.own, self.alike) if self.table else None

    @cached_property
    def table(self) -> PaperTable | None:
        """Its cells, if it has some."""
        return grid_table(self.passage)

    @cached_property
    def by_value(self) -> Mapping[Decimal, tuple[Occurrence, ...]]:
        """Occurrences by value without trailing zeros, as printed and as what percent and letters stand for."""
        by_value: dict[Decimal, dict[Occurrence, None]] = defaultdict(dict)
        for occurrence in self.occurrences:
            by_value[occurrence.value.normalize()][occurrence] = None
            if occurrence.quantity.scale or occurrence.quantity.percent:
                by_value[occurrence.quantity.plain.normalize()][occurrence] = None
        return {value: tuple(ones) for value, ones in by_value.items()}

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The words of each row in lower case, without those that all texts have."""
        return tuple(map(words_of, self.rows))

    @cached_property
    def shapes(self) -> Mapping[tuple[int, int], int]:
        """How many different numbers there are of each shape."""
        digits: dict[tuple[int, int], set[str]] = defaultdict(set)
        for occurrence in self.occurrences:
            digits[_shape(occurrence.digits)].add(occurrence.digits)
        return {shape: len(ones) for shape, ones in digits.items()}

    def find(self, figures: Quantity) -> tuple[Occurrence, ...]:
        """Where the number is, in any of its spellings."""
        value = figures.value.normalize()
        occurrences = list(self.by_value.get(value, ()))
        if figures.percent:
            parts = self.by_value.get((value / 100).normalize(), ())
            occurrences += (occurrence for occurrence in parts if not occurrence.quantity.percent)
        if figures.scale:
            occurrences += self.by_value.get(figures.plain.normalize(), ())
            occurrences += [occurrence for occurrence in self.occurrences if _is_short_for(figures, occurrence)]
        if figures.unit in THOUSANDTHS:  # `708 ms` for 0.708 s
            others = (self.by_value.get(value.scaleb(power).normalize(), ()) for power in (3, -3))
            every = (one for ones in others for one in ones if one.quantity.unit)
            occurrences += [one for one in every if agreement(figures, one.quantity) == "same"]
        if not occurrences and figures.decimals:
            occurrences += [occurrence for occurrence in self.occurrences if _is_rounded(figures, occurrence)]
        return tuple(dict.fromkeys(occurrences))

    def chance(self, figures: Quantity) -> float:
        """How likely it is, from 0 to 1, that a number of this shape that is not in the paper is found here."""
        whole, part = _shape(figures.digits)
        longer = sum(count for (size, more), count in self.shapes.items() if size == whole and more > part > 0)
        return min((self.shapes.get((whole, part), 0) + longer) / _room((whole, part)), 1.0)


def _is_short_for(figures: Quantity, occurrence: Occurrence) -> bool:
    """Whether the number is one that is printed in full, rounded to thousands or the like: `26K` for 26,031."""
    long = len(occurrence.digits.partition(".")[0]) > 3 and not occurrence.quantity.scale
    return long and is_rounded(float(occurrence.value), figures.digits, scale=figures.scale)


def _is_rounded(figures: Quantity, occurrence: Occurrence) -> bool:
    """Whether the paper has the number with more digits: 1.464 for 1.46."""
    value = occurrence.value.scaleb(occurrence.quantity.scale)
    return -int(value.as_tuple().exponent) > figures.decimals and is_rounded(float(value), figures.digits)


def _shape(digits: str) -> tuple[int, int]:
    whole, _, part = digits.partition(".")
    return len(whole.lstrip("0")), len(part)


def _room(shape: tuple[int, int]) -> int:
    """How many numbers there are of a shape."""
    whole, part = shape
    room: int = (9 * 10 ** (whole - 1) if whole else 1) * 10**part
    return room


def words_of(text: str) -> frozenset[str]:
    """The words that tell a row from others."""
    whole = [word.lower().rstrip(".") for word in _WORD.findall(text)]
    parts = [part for word in whole if "-" in word for part in word.split("-")]
    return frozenset(word for word in (*whole, *parts) if len(word) > 1 and word not in _COMMON)


class PaperIndex:
    """The passages of a paper by their names."""

    def __init__(self, passages: Passages, vocabulary: Vocabulary = BUILT_IN, own: str = "") -> None:
        """`own` is what the paper calls its method."""
        self.passages, self._vocabulary, self._own = passages, vocabulary, own
        tables = [passage for passage in passages.parts if passage.kind == "table"]
        self.all = tuple(
            Searched(passage, vocabulary, own, _alike(passage, tables) if passage.kind == "table" else ())
            for passage in passages.parts
        )

    @cached_property
    def counts(self) -> Mapping[str, Sequence[PrintedCount]]:
        """What the paper counts in words or small numbers, by noun."""
        return printed_counts([part.rows for part in self.all])

    def named(self, kind: str, number: str) -> tuple[Searched, ...]:
        """The passages of that name, a section with those below it, one without a number by its title."""
        if kind == "page":
            return tuple(_on_page(self.all, int(number))) if number.isdecimal() else ()
        if number == "abstract":
            return tuple(part for part in self.all if part.passage.kind == "front")
        if number == "introduction":
            return tuple(part for part in self.all if number in part.passage.title.lower())
        wanted = _plain(number)
        same = [part for part in self.all if part.passage.kind == kind and _plain(part.passage.name) == wanted]
        if kind != "section":
            return tuple(same)
        sections = (part for part in self.all if part.passage.kind == kind)
        below = [part for part in sections if _plain(part.passage.number).startswith(f"{wanted}.")]
        if same or below or "." not in number:
            return (*same, *below)
        return self.named(kind, number.rpartition(".")[0])  # the outline of the PDF may not go that deep


def _alike(table: Passage, tables: Sequence[Passage]) -> tuple[str, ...]:
    """Of the tables whose captions begin in nearly the same words, this one first: the words that not all have."""
    said = _caption(table)
    kin = [other for other in map(_caption, tables) if 2 * len(said & other) >= max(len(said), len(other), 3)]
    shared = frozenset.intersection(said, *kin)
    labels = dict.fromkeys(" ".join(sorted(words - shared)) for words in (said, *kin))
    return tuple(labels) if len(labels) > 1 and all(labels) else ()


def _caption(table: Passage) -> frozenset[str]:
    return words_of(_SENTENCE.split(folded(table.title))[0])


def _on_page(passages: Iterable[Searched], page: int) -> Iterator[Searched]:
    for part in passages:
        rows = tuple(row for row in part.passage.rows if row.page == page)
        if rows:
            title = part.passage.title if part.passage.page == page else ""
            yield replace(part, passage=replace(part.passage, title=title, page=page, rows=rows))


def _plain(number: str) -> str:
    return number.upper().rstrip(".")
