"""What a reader is told of a number: the cell, sentence, figure, sum or other source that it comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal

from markupsafe import escape

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.arithmetic import NoArithmetic, is_rounded, numbers_of, value_of
from paper_notes.features.verify.bindings import (
    Binding,
    CellBinding,
    FigureBinding,
    OwnBinding,
    QuoteBinding,
    SumBinding,
    parse_binding,
)
from paper_notes.features.verify.declarations import is_constant, values_of
from paper_notes.features.verify.evidence import Cells, Evidence, KeptNumber, Spot
from paper_notes.features.verify.quantities import Quantity, quantities_in
from paper_notes.features.verify.readings import REFERENCE, FigureReading, NoReading, Readings, with_numbers
from paper_notes.features.verify.typeset import formula_of
from paper_notes.markdown.body import NumberSource
from paper_notes.markdown.syntax.declared import Origin
from paper_notes.patterns import regex
from paper_notes.values import replace

_LEAST_CHANCE, _FEWEST_DIGITS = 0.1, 3
_OF_FIGURE = regex(r"\w+\(F(.+)\)")


@dataclass
class NumberSources:
    """The sources of the numbers of a text, each once; `places` are as `Half.sources` has them."""

    evidence: Evidence
    readings: Readings
    places: dict[NumberSource, int]
    main: BibKey
    """The paper that is meant where none is named; empty if the note has none."""
    cells: Cells
    """Where cells stand whose tables are to be shown."""
    _spots: dict[Binding, Spot] = field(init=False, default_factory=dict)
    _values: defaultdict[Binding, set[Decimal]] = field(init=False, default_factory=lambda: defaultdict(set))
    """What the note calls the cell, sentence or point of each binding."""
    _sums: dict[str, SumBinding] = field(init=False, default_factory=dict)
    _pages: defaultdict[tuple[str, str, str], set[int]] = field(init=False, default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        for number in (number for section in self.evidence.sections for number in section.numbers):
            binding = self._with_key(number.binding) if number.binding else None
            if binding and number.spot:
                self._spots.setdefault(binding, number.spot)
            if isinstance(binding, SumBinding):
                self._sums.setdefault(binding.expression, binding)
            elif binding:
                values = (value for figures in quantities_in(number.text) for value in values_of(figures))
                self._values[binding].update(value.normalize() for value in values)
            if number.spot:
                self._pages[number.spot.key, number.spot.kind, number.spot.number].add(number.spot.page)

    def of_number(self, figures: Quantity, origin: Origin | None, kept: KeptNumber | None) -> int | None:
        """The place of the source of a number; None if none is known."""
        binding = kept.binding if kept and kept.verdict in ("bound", "declared") else None
        if binding:
            is_operand = isinstance(binding, SumBinding) and not self._gives(binding.expression, figures)
            return None if is_operand else self._of(binding, kept.spot if kept else None)
        if origin:
            is_operand = origin.kind == "derived" and not self._gives(origin.value.partition("=")[0], figures)
            return None if is_operand else self.of_origin(origin)
        if kept and kept.verdict == "bound" and kept.spot and _proves(figures, kept):
            spot = kept.spot
            return self._add(NumberSource("place", spot.key, (spot.kind, spot.number), spot.page))
        return None

    def of_origin(self, origin: Origin) -> int | None:
        """The place of what a note declares; None if that means nothing."""
        match origin.kind:
            case "own":
                return self._of(OwnBinding())
            case "derived":
                expression = origin.value.partition("=")[0].strip()
                return self._of(self._sums.get(expression, SumBinding(expression)))
            case "figure":
                return self._of_figure(origin.value)
            case "other" if origin.value.startswith("@"):
                key, _, place = origin.value[1:].partition(",")
                return self._add(NumberSource("other", key.strip(), words=(place.strip(),)))
            case "other":
                return self._add(NumberSource("other", words=(origin.value,)))
        binding = parse_binding(origin.value)
        return self._of(binding) if binding else None

    def several(self, places: Sequence[int]) -> int:
        """The place of a source that is all of these."""
        return places[0] if len(places) == 1 else self._add(NumberSource("several", operands=tuple(places)))

    def is_sum(self, place: int) -> bool:
        """Whether what is at a place is a sum."""
        return [*self.places][place].kind == "sum"

    def _add(self, source: NumberSource) -> int:
        return self.places.setdefault(source, len(self.places))

    def _with_key(self, binding: Binding) -> Binding:
        if isinstance(binding, CellBinding | QuoteBinding | FigureBinding) and not binding.key:
            return replace(binding, key=self.main)
        return binding

    def _of_figure(self, number: str) -> int:
        """The place of a figure of the note's paper."""
        page = self._page(self.main, "figure", number)
        return self._add(NumberSource("reading", self.main, ("figure", number), page))

    def _page(self, key: str, kind: str, number: str) -> int:
        """That of a part of a paper, if it is on one only."""
        pages = self._pages.get((key, kind, number), set())
        return next(iter(pages)) if len(pages) == 1 else 0

    def _of(self, binding: Binding, spot: Spot | None = None) -> int:
        binding = self._with_key(binding)
        spot = spot or self._spots.get(binding)
        match binding:
            case CellBinding():
                kind, part, words = "cell", ("table", binding.table), binding.labels
            case QuoteBinding():
                kind, part, words = "sentence", ("section", binding.section), (binding.words,)
            case FigureBinding():
                kind, part = "reading", ("figure", binding.figure)
                reading = self._reading(binding)
                words = (binding.point, f"{reading.value}") if reading else (binding.point,)
            case OwnBinding():
                return self._add(NumberSource("own"))
            case SumBinding():
                return self._of_sum(binding)
        page = spot.page if spot else self._page(binding.key, *part)
        region = self.cells.get(binding) if isinstance(binding, CellBinding) else None
        return self._add(NumberSource(kind, binding.key, part, page, words, region=region))  # type: ignore[arg-type] # of three

    def _reading(self, binding: Binding) -> FigureReading | None:
        """What was read of a point; None of anything else."""
        known = self.readings.get(binding.figure) if isinstance(binding, FigureBinding) else None
        return known.at(binding.point) if known and isinstance(binding, FigureBinding) else None

    def _of_sum(self, binding: SumBinding) -> int:
        operands: dict[int, str] = {}

        def shown(written: str) -> str:
            place, words = self._operand(written, binding)
            if place is None:
                return f"<mn>{escape(words)}</mn>"
            operands.setdefault(place, words)
            return f'<mn class="op">{escape(words)}</mn>'

        formula = formula_of(binding.expression, shown, self._result(binding.expression))
        words = tuple(operands.values()) if formula else (binding.expression,)
        return self._add(NumberSource("sum", words=words, formula=formula, operands=tuple(operands)))

    def _operand(self, written: str, binding: SumBinding) -> tuple[int | None, str]:
        """The place of the source of a number in an expression, if it is known to be one thing, and how it is shown."""
        if REFERENCE.fullmatch(written):
            part = parse_binding(written)
            if part is None:  # all readings of a figure
                figure = _OF_FIGURE.sub(r"\1", written)
                return self._of_figure(figure), written
            point = self._reading(part)
            return self._of(part), f"{point.value}" if point else " × ".join(getattr(part, "labels", (written,)))
        value = next((value for _, value in numbers_of(written)), None)
        if value is None or is_constant(value):
            return None, written
        operands = map(self._with_key, binding.operands)
        fitting = [operand for operand in operands if value in self._values_of(operand)]
        return (self._of(fitting[0]) if len(fitting) == 1 else None), written

    def _values_of(self, binding: Binding) -> set[Decimal]:
        point = self._reading(binding)
        return {abs(point.value).normalize()} if point else self._values.get(binding, set())

    def _gives(self, expression: str, figures: Quantity) -> bool:
        """Whether a number is what a sum gives, and not one of its operands; unknown if it computes with cells."""
        with suppress(NoArithmetic, NoReading):
            value = abs(value_of(with_numbers(expression, self.readings)))
            return is_rounded(value, figures.digits, percent=figures.percent, scale=figures.scale)
        return True

    def _result(self, expression: str) -> str:
        """`=2` or what it is about, in TeX; empty if cells are computed with, whose numbers are not known here."""
        with suppress(NoArithmetic, NoReading):
            value = value_of(with_numbers(expression, self.readings))
            shown = f"{value:.4g}"
            sign = "=" if abs(float(shown) - value) <= 1e-9 * abs(value) else r"\approx "
            return f"{sign}{shown}" if "e" not in shown else ""
        return ""


def _proves(figures: Quantity, kept: KeptNumber) -> bool:
    """Whether it says something that a number is at a place of a paper: any paper has a 2 and a 64 somewhere."""
    digits = figures.digits.replace(".", "").lstrip("0")
    long_enough = len(digits) >= (_FEWEST_DIGITS if not figures.decimals else 2)
    return kept.chance < _LEAST_CHANCE and long_enough and not is_constant(figures.plain.normalize())
