"""Looks for each number of a note in its papers: first where the text around it says, then everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.arithmetic import expression_before_result, is_rounded, value_of
from paper_notes.features.verify.bindings import Binding, QuoteBinding
from paper_notes.features.verify.cells import Judged, roles
from paper_notes.features.verify.consistency import (
    NumberKey,
    check_units,
    check_ways,
    headed_in_other_units,
    headed_wrongly,
    named_wrongly,
    not_asked,
    repeated,
    settle_tables,
)
from paper_notes.features.verify.counted import counts_in, mismultiplied, misnumbered, otherwise
from paper_notes.features.verify.index import Occurrence, PaperIndex, Searched, words_of
from paper_notes.features.verify.quantities import (
    OPTIONAL,
    Agreement,
    Quantity,
    agreement,
    direction,
    in_unit,
    is_exactly,
    is_slower,
    says_less,
)
from paper_notes.features.verify.results import (
    Hit,
    Mismatch,
    MismatchKind,
    Result,
    bindings_of,
    of_words,
    outcome,
    spot_of,
)
from paper_notes.features.verify.statements import StatedNumber, Statement
from paper_notes.features.verify.surroundings import OfPaper, Papers, Surroundings, resolved
from paper_notes.values import Struct, replace


class _Otherwise(Struct, frozen=True):
    """What has the digits of a number and means something else."""

    kind: MismatchKind
    passage: Searched
    occurrence: Occurrence
    spoken: tuple[str, ...] = ()


_Opposed = tuple[Hit, Judged, MismatchKind | None]
"""A cell, what the words say of it, and how its number differs."""
_RUNNING = ("section", "front")
_ENOUGH = (0.35, 0.3, 0.2, 0.12)
"""The greatest chance of finding any other number of the shape, for places named near and farther away."""
_RARE = 0.15
"""The same for cells of tables in figures, whose layout is another one."""
_ANYWHERE = 0.05
"""The same where no place is named."""
_SUPPORTED = 0.35
"""What is left of that chance if words or other numbers of the sentence are there, too."""
_TELLING = 0.1
"""Above this chance, a number in one paper says nothing of another that is cited beside it and not at hand."""
_MEANT: frozenset[MismatchKind | None] = frozenset({"unit", "scale", "points", "sign", "direction"})
_SIDES = frozenset({"row", "column"})
_SHOWN, _BESIDE, _CROWD = 90, 20, 3
_QUOTED = 12
"""Words around a number that are quoted from a paper."""


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
    results: dict[NumberKey, Result] = {}
    for at, statement in enumerate(around.statements):
        for index, number in enumerate(statement.numbers):
            results[at, index] = _declared(number, statement) or _Search(around, at, number, papers).result()
    settle_tables(around, results)
    check_ways(around, results)
    check_units(results)
    named = named_wrongly(around, results, papers)
    heads = [*headed_wrongly(around, results), *headed_in_other_units(around, results)]
    results = {key: not_asked(result) for key, result in results.items()}
    numbers = repeated([(key[0], result) for key, result in results.items()], around)
    return (
        *numbers,
        *named,
        *heads,
        *_counted(around.statements, [(key, paper) for key in main if (paper := papers.get(key))]),
    )


def _counted(statements: Sequence[Statement], papers: Sequence[tuple[BibKey, PaperIndex]]) -> Iterator[Result]:
    """Numbers in words that a paper has otherwise before the same noun: `five benchmarks` for four."""
    for statement in statements if len(papers) == 1 else ():
        if statement.kind in ("formula", "heading") or statement.table >= 0:
            continue
        said = set[int]()
        for count in counts_in(statement.text):
            key, paper = papers[0]
            printed = otherwise(count, paper.counts)
            start, end = statement.sentence(count.start)
            if printed and printed.value not in {other.value for other in counts_in(statement.text[start:end])}:
                text = statement.text[count.start : count.end]
                part = paper.all[printed.passage]
                section = "abstract" if part.passage.kind == "front" else part.passage.name
                mismatch = Mismatch("value", QuoteBinding(section, printed.text), printed.text)
                said.add(count.start)
                yield of_words(statement, count.start, text, spot_of(key, part), mismatch, str(count.value))
        for start, text, listed in misnumbered(statement.text):
            if start not in said:
                yield of_words(statement, start, text, None, Mismatch("value", None, listed))
        for start, text, ratio in mismultiplied(statement):
            yield of_words(statement, start, text, None, Mismatch("sum", None, ratio))


def _declared(number: StatedNumber, statement: Statement) -> Result | None:
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


def _is_cell(number: StatedNumber, statement: Statement) -> bool:
    """Whether a number is a cell of a table by itself."""
    return statement.column > 0 and statement.kind == "cell" and len(statement.text.strip()) <= number.figures.end + 3


class _Search:
    """The search for one number."""

    def __init__(self, around: Surroundings, at: int, number: StatedNumber, papers: Papers) -> None:
        self._around, self._at, self._number, self._papers = around, at, number, papers
        self._statement = around.statements[at]
        self._keys = around.papers(at, number, papers)
        self._words = around.words(at, number)
        self._claim = number.figures
        self._way = direction(self._words.near[0], self._claim) if not self._words.is_cell else 0
        self._may_span = self._claim.bound == "range" and not self._words.is_cell  # of several rows
        self._terms = words_of(around.sentence(at, number))
        self._otherwise: list[_Otherwise] = []
        self._beside = [
            other for other in self._statement.numbers if other is not number and not other.figures.is_trivial
        ]

    def result(self) -> Result:
        """What is bound, or what speaks against it: of a sentence that has it, a cell that has it, too."""
        result = self._found()
        if result.verdict == "bound" and isinstance(result.binding, QuoteBinding) and self._is_precise:
            every = [(key, part) for key in self._keys if (index := self._papers.get(key)) for part in index.all]
            cells, opposed = self._weighed(every)
            text = " ".join(self._text(part) for key, part in every if spot_of(key, part) == result.spot)
            kinds = (None, "unit") if not self._has_unit(every) else (None,)
            opposed = [item for item in opposed if item[2] in kinds and not self._is_said(item[1], text)]
            if opposed and not cells:
                return self._contradicted(opposed) or result
        return result

    @property
    def _is_precise(self) -> bool:
        return self._claim.bound == "exact" and not self._claim.is_round

    def _has_unit(self, every: Sequence[OfPaper]) -> bool:
        """Whether a sentence has the number in its very unit, as one that has none says nothing of it."""
        return any(one.quantity.unit == self._claim.unit for _, part in every for one in part.find(self._claim))

    def _text(self, passage: Searched) -> str:
        """The sentences that have the number."""
        return " ".join(passage.rows[occurrence.row] for occurrence in passage.find(self._claim))

    def _is_said(self, judged: Judged, text: str) -> bool:
        """Whether words of a paper name what this sentence does, against the cell."""
        spoken = {*judged.grid.spoken(self._words, judged.against)}
        return any(spoken & judged.grid.axes[level].named(text) for level in judged.against)

    def _found(self) -> Result:
        named, against = False, None
        for nearness, layer in enumerate(self._around.layers(self._at, self._number)):
            if nearness > 0 and named:
                break  # what is named in the same sentence is meant
            passages = resolved(layer, self._keys, self._papers)
            named = named or bool(layer if nearness == 0 else self._words.is_cell and passages)
            result = self._among(passages, _ENOUGH[nearness])
            if result and result.verdict in ("bound", "ambiguous"):
                return result
            against = against or result
        if against and named:
            return against
        held = [(key, index) for key in self._keys if (index := self._papers.get(key))]
        every = [(key, passage) for key, index in held for passage in index.all]
        if not named:
            result = self._among(every, _ANYWHERE)
            if result and result.verdict in ("bound", "ambiguous"):
                return result
            against = against or result
        return self._elsewhere(every, bool(held), against)

    def _among(self, passages: Sequence[OfPaper], enough: float) -> Result | None:
        """The best cell or sentence of these passages; or why none can be meant."""
        cells, opposed = self._weighed(passages)
        if clearly := self._clearly_otherwise(cells, opposed):
            return self._contradicted(clearly)
        best = max((hit.score for hit in cells), default=0)
        top = list({hit.binding: hit for hit in cells if hit.score == best}.values())
        if top and (attached := self._attached_elsewhere(top, opposed)):
            return self._contradicted(attached)
        is_unlike = self._claim.unit in ("%", "points") and all(hit.cell and not hit.cell.quantity.unit for hit in top)
        if top and is_unlike:  # a sentence may have the very percentage
            running = [hit for hit in self._sentences(passages, enough) if hit.passage.passage.kind in _RUNNING]
            if meant := self._otherwise_in_text(passages, "points", "direction"):
                return meant
            if running and self._claim.percent:
                return self._bound([max(running, key=lambda hit: hit.score)])
        is_said = any(hit.judged and hit.judged.named for hit in top)
        if top and (is_said or min(hit.passage.chance(self._claim) for hit in top) <= enough):
            return self._bound(top, cells)
        texts = self._texts(passages, enough, opposed)
        if (
            texts
            and self._claim.unit == "points"
            and (meant := self._otherwise_in_text(passages, "points", "direction"))
        ):
            return meant
        if texts:
            return self._bound([max(texts, key=lambda hit: hit.score)])
        if cells:
            return replace(self._bound(top, cells), verdict="ambiguous", binding=None, candidates=bindings_of(top))
        return self._contradicted(opposed) or self._otherwise_in_text(passages, "label")

    def _weighed(self, passages: Sequence[OfPaper]) -> tuple[Sequence[Hit], Sequence[_Opposed]]:
        """The cells that may be meant, and those that something speaks against."""
        cells, opposed = list[Hit](), list[_Opposed]()
        for key, passage in passages:
            if passage.grid:
                for cell, agreed in passage.grid.compared(self._claim):
                    judged = passage.grid.judged(cell, self._words)
                    hit = Hit(
                        key, passage, passage.grid.binding(cell, self._around.name_of(key)), judged.score, cell, judged
                    )
                    kind = self._kind(agreed, cell.quantity)
                    if kind is None and (not judged.against or self._may_span):
                        cells.append(hit)
                    elif self._opposes(kind, judged, cell.quantity):
                        opposed.append((hit, judged, kind))
        return cells, opposed

    def _clearly_otherwise(self, cells: Sequence[Hit], opposed: Sequence[_Opposed]) -> Sequence[_Opposed]:
        """Cells of the labels that are named, with other digits, or with another sign or unit where none has these."""
        named = max((len(hit.judged.named) for hit in cells if hit.judged), default=0)
        if cells:
            return [item for item in opposed if item[2] == "rounding" and len(item[1].named) > named]
        return [item for item in opposed if item[2] in _MEANT and {side for side, _ in item[1].named} >= _SIDES]

    def _attached_elsewhere(self, top: Sequence[Hit], opposed: Sequence[_Opposed]) -> Sequence[_Opposed]:
        """Cells with the number in a table that has the words right beside it as another label, if `top` knows none."""
        if any(hit.passage.grid and hit.passage.grid.attaches(self._words) for hit in top):
            return ()
        known = max(len(hit.judged.named) for hit in top if hit.judged)
        return [
            (hit, judged, kind)
            for hit, judged, kind in opposed
            if kind is None and judged.grid.attaches(self._words, judged.against) and len(judged.named) >= known
        ]

    def _texts(self, passages: Sequence[OfPaper], enough: float, opposed: Sequence[_Opposed]) -> Sequence[Hit]:
        """The sentences that have the number; where a cell of another name has it, no line full of numbers."""
        is_of_another = any(judged.grid.attaches(self._words, judged.against) for _, judged, _ in opposed)
        return [hit for hit in self._sentences(passages, enough) if not (is_of_another and hit.is_crowded)]

    def _otherwise_in_text(self, passages: Sequence[OfPaper], *kinds: MismatchKind) -> Result | None:
        """A number of a sentence that this one gives with another meaning, such as points, and words beside it."""
        keys = {id(passage): key for key, passage in passages}
        for other in self._otherwise:
            kind, passage, occurrence = other.kind, other.passage, other.occurrence
            is_text = passage.passage.kind in ("section", "front") and id(passage) in keys
            if kind in kinds and is_text and self._terms & passage.words[occurrence.row]:
                key = keys[id(passage)]
                return self._against(key, passage, self._printed(other, key))
        return None

    def _opposes(self, kind: MismatchKind | None, judged: Judged, printed: Quantity) -> bool:
        """Whether a cell that cannot be meant says something: it has the number, or the words name it."""
        if judged.cell.cell.text in (*judged.cell.cell.row_path, *judged.cell.cell.column_path):
            return False  # a label, of which a sentence may name several
        if kind is None and judged.grid.is_label(self._claim.digits):
            return False
        if kind is None:
            is_same = self._claim.value == printed.value or not self._claim.is_round  # 503.3B is no 1T
            return is_same and is_exactly(self._claim, printed)
        return kind != "value" and not judged.against and bool(judged.named) and not self._claim.is_round

    def _bound(self, top: Sequence[Hit], every: Sequence[Hit] = ()) -> Result:
        chance = top[0].passage.chance(self._claim)
        result = Result(self._number, self._statement, "bound", chance=chance, hits=tuple(every))
        return replace(result, **outcome(top))

    def _kind(self, agreed: Agreement, printed: Quantity) -> MismatchKind | None:
        """What speaks against a printed number, with the words that say which way it goes; None if nothing does."""
        claim = self._claim
        if agreed == "sign" and claim.sign == 0 and printed.sign == -1:
            if self._words.is_cell:
                return "sign"
            return "direction" if self._way > 0 else None if self._says_less() else "sign"
        if agreed == "same" and claim.unit == printed.unit == "x" and is_slower(self._statement.text, claim):
            return "direction"
        if agreed == "same" and claim.sign == 0 and printed.sign == 1 and self._way < 0:
            return "direction"
        return None if agreed == "same" else agreed

    def _says_less(self) -> bool:
        """Whether the words beside the number may stand for a minus."""
        start, end = self._words.at
        return says_less(self._words.near[0][max(0, start - _BESIDE) : end + _BESIDE])

    def _sentences(self, passages: Sequence[OfPaper], enough: float) -> Iterator[Hit]:
        """The sentences, or the rows of what has no grid, that have the number."""
        for key, passage in passages:
            chance = self._chance(key, passage)
            if self._words.is_cell and passage.passage.kind == "figure":  # what is beside it there says little
                enough = min(enough, _RARE)
                chance = chance and (passage.chance(self._claim), chance[1])
            if chance is not None and chance[0] <= enough:
                beside = sum(item.row == chance[1].row for item in passage.occurrences)
                quoted = self._quoted(key, passage, chance[1])
                yield Hit(key, passage, quoted, -round(100 * chance[0]), is_crowded=beside > _CROWD)

    def _chance(self, key: BibKey, passage: Searched) -> tuple[float, Occurrence] | None:
        """How likely another number of the shape would be found as well, and the best one; None if it is not there."""
        occurrences = []
        for occurrence in passage.find(self._claim):
            if passage.grid and passage.grid.has(occurrence.quantity):
                continue
            printed = occurrence.quantity
            is_bare = not (printed.unit or printed.decimals or self._claim.sign) and passage.passage.kind in _RUNNING
            if is_bare and self._claim.unit not in OPTIONAL:
                continue  # some whole number
            kind = self._kind(agreement(self._claim, printed), printed)
            kind = None if kind == "sign" and _is_no_sign(passage.rows[occurrence.row], printed) else kind
            kind = "direction" if kind is None and self._goes_otherwise(passage, occurrence) else kind
            spoken = self._names_otherwise(key, passage, occurrence) if kind is None else ()
            kind = "label" if spoken else kind
            if kind is None:
                occurrences.append(occurrence)
            elif kind != "value":
                self._otherwise.append(_Otherwise(kind, passage, occurrence, spoken))
        if not occurrences:
            return None
        chance = passage.chance(self._claim)
        best = chance, occurrences[0]
        rows = [
            occurrence.row
            for item in self._beside
            for occurrence in passage.find(item.figures)
            if occurrence.value != self._claim.value
        ]
        for occurrence in occurrences:
            near = range(max(occurrence.row - 1, 0), min(occurrence.row + 2, len(passage.words)))
            said = any(self._terms & passage.words[row] for row in near)
            beside = any(abs(row - occurrence.row) <= 2 for row in rows)
            if said or beside:
                best = min(
                    best, (chance * _SUPPORTED * (0.6 if said and beside else 1.0), occurrence), key=itemgetter(0)
                )
        return best

    def _goes_otherwise(self, passage: Searched, occurrence: Occurrence) -> bool:
        """Whether the sentence of the paper says that it rises, and this one that it falls."""
        printed = direction(passage.rows[occurrence.row], occurrence.quantity)
        return bool(self._way and printed and self._way != printed and passage.passage.kind in ("section", "front"))

    def _names_otherwise(self, key: BibKey, passage: Searched, occurrence: Occurrence) -> tuple[str, ...]:
        """Labels of a table that this sentence names, where that of the paper names others of the same axis instead."""
        index = self._papers.get(key)
        if self._words.is_cell or not passage.is_text or index is None:
            return ()
        text, own, said = passage.rows[occurrence.row], occurrence.quantity, self._words.near[0]
        for axis in (axis for part in index.all if part.grid for axis in part.grid.axes.values()):
            for mine, theirs in zip(
                roles(axis, said, self._words.at), roles(axis, text, (own.start, own.end)), strict=True
            ):
                if mine and theirs and not theirs & (mine | axis.named(said)) and not mine & axis.named(text):
                    return tuple(sorted(mine))
        return ()

    def _quoted(self, key: BibKey, passage: Searched, occurrence: Occurrence) -> Binding | None:
        part = passage.passage
        if part.kind not in ("section", "front"):
            return None
        text = passage.rows[occurrence.row]
        before, after = text[: occurrence.quantity.start].split(), text[occurrence.quantity.start :].split()
        words = " ".join((*before[-_QUOTED // 2 :], *after[: _QUOTED // 2]))
        section = "abstract" if part.kind == "front" else part.name
        return QuoteBinding(section, words, self._around.name_of(key))

    def _contradicted(self, opposed: Sequence[_Opposed]) -> Result | None:
        """The cell that the words point to and that says otherwise, or one of other labels that has the number."""
        for kinds in (False, True):
            for hit, judged, kind in sorted(opposed, key=lambda item: (len(item[1].against), -item[1].score)):
                if (kind is None) == kinds or not hit.cell or not hit.passage.grid:
                    continue
                spoken = hit.passage.grid.spoken(self._words, judged.against)
                mismatch = Mismatch(kind or "label", hit.binding, hit.cell.cell.text, spoken)
                chance = 0.0 if judged.named or judged.around else hit.passage.chance(self._claim)
                return self._against(hit.key, hit.passage, mismatch, chance)
        return None

    def _against(self, key: BibKey, passage: Searched, mismatch: Mismatch, chance: float = 0.0) -> Result:
        spot = spot_of(key, passage)
        if mismatch.kind == "label":  # a term has them in what explains it
            mismatch = replace(mismatch, line=self._around.explained_at(self._at))
        return Result(self._number, self._statement, "contradicted", spot, chance=chance, mismatch=mismatch)

    def _printed(self, other: _Otherwise, key: BibKey) -> Mismatch:
        """What a sentence says instead."""
        text = other.passage.rows[other.occurrence.row]
        return Mismatch(other.kind, self._quoted(key, other.passage, other.occurrence), text[:_SHOWN], other.spoken)

    def _meant_otherwise(self, every: Sequence[OfPaper]) -> Result | None:
        """The same digits with another unit, scale or sign, if they are nowhere without, and hardly by chance."""
        keys = {id(passage): key for key, passage in every}
        for key, passage in every:
            for cell, agreed in passage.grid.compared(self._claim) if passage.grid else ():
                kind = self._kind(agreed, cell.quantity)
                same = kind == "sign" or cell.quantity.value == self._claim.value
                if kind and kind in _MEANT and same and self._is_rare(passage):
                    binding = passage.grid.binding(cell, self._around.name_of(key)) if passage.grid else None
                    return self._against(key, passage, Mismatch(kind, binding, cell.cell.text))
        for other in self._otherwise:
            passage, occurrence = other.passage, other.occurrence
            same = other.kind in ("sign", "label") or occurrence.value == self._claim.value
            is_telling = self._is_rare(passage) or self._is_in_other_unit(occurrence.quantity)
            if is_telling and id(passage) in keys and same:
                key = keys[id(passage)]
                return self._against(key, passage, self._printed(other, key))
        return None

    def _is_rare(self, passage: Searched) -> bool:
        return not self._claim.is_round and passage.chance(self._claim) <= _TELLING

    def _is_a_cell(self, every: Sequence[OfPaper]) -> bool:
        """Whether a table has the very number, hardly by chance."""
        grids = [passage.grid for _, passage in every if passage.grid and self._is_rare(passage)]
        cells = (one for grid in grids for one in grid.compared(self._claim))
        return any(self._kind(agreed, cell.quantity) is None for cell, agreed in cells)

    def _is_in_other_unit(self, printed: Quantity) -> bool:
        """Whether a number of several digits is printed in another unit of that kind: `200 km` for `200 m`."""
        is_other = printed.unit != self._claim.unit and in_unit(self._claim, printed.unit)
        return is_other and len(self._claim.digits) > 1 and printed.value == self._claim.value

    def _elsewhere(self, every: Sequence[OfPaper], held: bool, against: Result | None) -> Result:
        """The rarest place anywhere in the papers that has the number."""
        number, statement = self._number, self._statement
        beside = list(self._around.layers(self._at, number))[: 2 if statement.table >= 0 else 1]
        named = ", ".join(dict.fromkeys(place.name for layer in beside for place in layer))
        if against and (named or against.chance <= _TELLING):
            return against
        if not self._is_a_cell(every) and (meant := self._meant_otherwise(every)):
            return meant
        chances = [(passage.chance(number.figures), key, passage) for key, passage in every]
        matches = [match for match in chances if match[2].find(number.figures)]
        whole = min(1.0, sum(chance for chance, _, _ in chances)) if matches else 0.0
        cites_missing = any(self._papers.get(BibKey(key)) is None for _, key in statement.cites)
        if not held or (cites_missing and (not matches or whole > _TELLING)):
            return Result(number, statement, "no-pdf", remark=named)
        places = resolved((place for layer in beside for place in layer), self._keys, self._papers)
        for key, passage in places:
            if passage.grid and passage.grid.is_label(number.figures.text):
                return Result(number, statement, "bound", spot_of(key, passage), chance=whole)
        if own := self._in_named(places, matches):
            return Result(number, statement, "elsewhere", spot_of(*own), chance=whole)
        if not matches:
            return Result(number, statement, "missing", remark=named)
        _, key, passage = min(matches, key=itemgetter(0))
        line = self._around.explained_at(self._at) if whole <= _TELLING else 0
        mismatch = Mismatch("place", None, "", line=line) if line else None  # a term's place is in what explains it
        return Result(number, statement, "elsewhere", spot_of(key, passage), named, whole, mismatch=mismatch)

    def _in_named(self, places: Sequence[OfPaper], matches: Sequence[tuple[float, BibKey, Searched]]) -> OfPaper | None:
        """The named section that has the number, be it by chance, in words, or in a table or figure on its pages."""
        spelled = self._claim.value if not self._claim.scale else None
        for key, passage in places:
            part = passage.passage
            pages = range(part.page, max((row.page for row in part.rows), default=part.page) + 1)
            drawn = (other.passage.page for _, of, other in matches if of == key and not other.is_text)
            is_there = spelled in passage.spelled or self._chance(key, passage) or any(page in pages for page in drawn)
            if passage.is_text and is_there:
                return key, passage
        return None


def _is_no_sign(text: str, printed: Quantity) -> bool:
    """Whether running text says nothing by its sign: a dash is no minus, and `a drop of 3` is -3 to a note."""
    if printed.sign < 0:
        return not re.fullmatch(r"(?:^|[\s(=,])-", text[max(0, printed.start - 2) : printed.start])
    return says_less(text[max(0, printed.start - 2 * _BESIDE) : printed.end + 2 * _BESIDE])
