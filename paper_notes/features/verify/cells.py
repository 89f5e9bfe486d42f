"""The cells of a paper's table that a number may be, and what the words around the number say for and against each."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.bindings import CellBinding
from paper_notes.features.verify.labels import Axis, Level, Mention, Vocabulary, axes_of
from paper_notes.features.verify.paper import Passage
from paper_notes.features.verify.quantities import (
    THOUSANDTHS,
    Agreement,
    Quantity,
    agreement,
    in_unit,
    quantities_in,
    unit_of_label,
)
from paper_notes.features.verify.tables import PaperTable, TableCell, table_of
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace

_FACTORS = dict.fromkeys(THOUSANDTHS, (1, 1000, 0.001)) | {"%": (1, 100, 0.01), "": (1, 100, 0.01)}
"""What a number may be printed in, beside itself."""
_ATTACHED_BEFORE = regex(
    r"\s?(?:['’]s\s|的\s?|[(（:：=]\s?|(?:of|from)\s(?:(?:only|just|about|an?)\s)?|从\s?|(?:(?:only|just|still|it)\s)?(?:is|are|was|were|has|have|had|at|with|scores?|scored|keeps?|gives?"
    r"|gets?|got|reach(?:e[sd])?|averages?|achieve[sd]?|obtains?|stays at|ends at|stands at|makes"
    r"|(?:falls|drops|rises|goes|climbs|sinks|grows) to)\s(?:(?:only|just|about|an average of)\s)?"
    r"|(?:上|里|中)?(?:也|却|就|则)?(?:只有|仅有|仅为|只得|只拿到|拿到|得到?|取得|降到|降至|升到|升至|跌到|涨到|掉到|达到?|为|是|有|仅|约|只)了?\s?)?"
    r"\$?[-−–+~≈]?"
)
_ATTACHED_AFTER = regex(r"[^\s,;，；。、]{0,3}?\s?(?:[a-z]+/s\s)?(?:with\s|[(（]\s?|(?:for|on|of)\s)")
_FAR = 40
"""Characters after which words before a colon are of something else."""
_BREAK = regex(r"[;；。:：—]")
_HEAD = regex(r"\s?[:：]")
"""After the first words of a sentence: they are of all of it."""
_CLOSED = regex(r"^[^(（]*[)）]")
_PART = regex(r"[,，;；。:：]\s?|、|\bwhile\b|\bwhereas\b|\bagainst\b|\bbut\b|而|但")
_UNIT, _ABOUT = r"\s?(?:[%×xX倍]|ms|s|个?百分点|points?|\S{0,6}/s)?\s?", r"\s?(?:only |about |只有|仅|约|a )?\$?\s?"
_VERSUS = regex(r"对|vs\.?|against|versus|compared (?:with|to)|instead of|→|->|\S{0,3}[到至]|变成|变为|to|比|than")
VERSUS = regex(f"{_UNIT}(?:{_VERSUS.pattern}){_ABOUT}")
"""Between two numbers that are compared."""
AGAINST = regex(f"{_UNIT}(?:{_VERSUS.pattern}|over|/|,|，|、|和|与|and){_ABOUT}")
"""The same, or between numbers that are only listed."""
_NUMERIC, _WORDY = re.compile(r"\d"), re.compile(r"[A-Za-z]{4}(?!.*/s\b)")
_CAPTION: Level = ("caption", 0)
"""What the captions of tables like this one tell apart is a label of all cells."""
_LONGEST = 60
"""Characters of a label; more are running text."""
_WORD, _NUMBER = re.compile(r"[A-Za-z]{3}"), re.compile(r"[^A-Za-z\d]{0,2}\d")
_COMPARED = regex(
    r"(?:\b(?:than|over|against|versus|vs\.?|beats?|leads?|trails?|outperforms?|above|below|behind|compared (?:with|to)"
    r"|relative to)"
    r"|[高低多少快慢大小优劣]于|领先|落后|超过|不及|胜过|相[比对]|对比|比起?|跟|与|和)"
    r"\s?(?:the |that of |its |原来的|其)?$"
)
"""What a name follows to which a number is compared, which is of something else."""
_STATED = regex(r"\s?=\s?[\d.]")
_VALUES = regex(
    r"[\d.,]*\d(?:\s?[%×xX倍]|\s?[a-zA-Z/]{1,3})?\s?(?:,|、|，|/|and|or|vs\.?|和|与|及|或)\s?(?:and\s)?[$~≈+-]*"
)
"""A number of a list, to the next one."""
_LISTED = regex(r"\s?(?:,|、|，|/|and|or|vs\.?|和|与|及|或)\s?(?:and\s)?")


class NearWords(Struct, frozen=True):
    """What is said around a number, the nearest first."""

    near: tuple[str, ...]
    """The sentence; or the cell, the label of its row, the head of its column."""
    wide: tuple[str, ...]
    """Titles, headings, the paragraph."""
    at: tuple[int, int]
    """Where the number is in the first text."""
    others: tuple[tuple[int, int], ...] = ()
    """Where other numbers are in it."""
    is_cell: bool = False
    names: tuple[tuple[int, int], ...] = ()
    """Where papers are named to say which place is meant: `DFlash Table 4`."""
    partners: tuple[Quantity, ...] = ()
    """The numbers that it stands against, right before or after it."""


class Stance(Struct, frozen=True):
    """The labels of an axis that the words name."""

    attached: frozenset[str]
    """Right beside the number."""
    near: frozenset[str]
    """In its sentence or row, but those right beside other numbers."""
    said: frozenset[str]
    """In its sentence or row."""
    wide: frozenset[str]
    clear: frozenset[str] = frozenset()
    """Those named by more than a part of their words."""


class GridCell(Struct, frozen=True, eq=False):
    """A number in a cell."""

    cell: TableCell
    quantity: Quantity
    labels: Mapping[Level, str]


class Judged(Struct, frozen=True):
    """What the words around a number say of a cell."""

    cell: GridCell
    grid: Grid
    score: int
    against: tuple[Level, ...]
    """The axes of which the words name another label."""
    named: frozenset[Level]
    """The axes of which the words right there name its label."""
    around: frozenset[Level] = frozenset()
    """Those of which the words around them do."""


def _is_in_hundredths(claim: Quantity, printed: Quantity) -> bool:
    """Whether a share is written without a unit and in hundredths, digit by digit: `43.1` for a printed `0.431`."""
    is_bare = not (claim.unit or printed.unit or claim.scale or printed.scale) and claim.decimals > 0
    is_shifted = printed.decimals == claim.decimals + 2 and printed.value.scaleb(2) == claim.value
    return is_bare and is_shifted and printed.value < 1 < claim.value and claim.sign == printed.sign


class Grid:
    """A table of a paper in which cells are found by their labels."""

    def __init__(
        self, passage: Passage, table: PaperTable, vocabulary: Vocabulary, own: str = "", alike: Sequence[str] = ()
    ) -> None:
        """`own` is the name of the paper's own method, of which a text need not speak.

        `alike` is what its caption says otherwise than those of tables like it, and what each of these says.
        """
        self.passage, self.table, self._own = passage, table, own.lower()
        body = [cell for cell in table.cells if _NUMERIC.search(cell.text) and not _WORDY.search(cell.text)]
        corner = {*table.corner}
        body = [cell for cell in body if not corner & {*cell.column_path[-1:], " ".join(cell.column_path)}]
        paths = {"row": [cell.row_path for cell in body], "column": [cell.column_path for cell in body]}
        self.axes = axes_of(paths, vocabulary, table.corner, table.caption)
        if len(set(alike)) > 1:
            self.axes = {**self.axes, _CAPTION: Axis(alike, vocabulary)}
        self.cells = tuple(cell for item in body for cell in _numbers(item, self.axes, alike[:1]))
        self._compared: dict[tuple[object, ...], Sequence[tuple[GridCell, Agreement]]] = {}
        self._stances: dict[NearWords, Mapping[Level, Stance]] = {}
        values = sorted(((_plain(cell.quantity), place) for place, cell in enumerate(self.cells)))
        self._values, self._order = [value for value, _ in values], [place for _, place in values]
        units = {cell.quantity.unit for cell in self.cells}
        self.unit = unit_of_label(table.caption)[0]
        self._has_units = bool(units - {"", "%"})
        self._by_digits: dict[Decimal, list[int]] = defaultdict(list)
        for place, cell in enumerate(self.cells):
            self._by_digits[cell.quantity.value.normalize()].append(place)

    def compared(self, claim: Quantity) -> Sequence[tuple[GridCell, Agreement]]:
        """The cells that are nearly the claim, or that have its digits, and how they agree with it."""
        key = claim.digits, claim.sign, claim.unit, claim.scale, claim.bound
        if key not in self._compared:
            self._compared[key] = [(cell, self._agreement(claim, cell.quantity)) for cell in self._alike(claim)]
        return self._compared[key]

    def _alike(self, claim: Quantity) -> Sequence[GridCell]:
        places = dict.fromkeys(self._by_digits.get(claim.value.normalize(), ()))
        value = _plain(claim)
        reach = 10.0 ** (claim.scale - claim.decimals) if claim.bound in ("exact", "range") else value / 4
        for factor in _FACTORS.get(claim.unit, (1,)):
            low, high = (value - reach) * factor * 0.999, (value + reach) * factor * 1.001
            places |= dict.fromkeys(self._order[bisect_left(self._values, low) : bisect_right(self._values, high)])
        return [self.cells[place] for place in places]

    def _agreement(self, claim: Quantity, printed: Quantity) -> Agreement:
        """Whether they agree; where some numbers have units, those without any are no percentages.

        The unit that the caption has is that of numbers without one, if a claim is in such a unit at all.
        """
        if not printed.unit and in_unit(claim, self.unit):
            printed = replace(printed, unit=self.unit)
        if claim.percent and not printed.unit and self._has_units:
            return "value"
        return "same" if _is_in_hundredths(claim, printed) else agreement(claim, printed)

    def has(self, quantity: Quantity) -> bool:
        """Whether a cell has these digits; what else stands in the table is a label or its caption."""
        return quantity.value.normalize() in self._by_digits

    def is_label(self, digits: str) -> bool:
        """Whether a number is one of a label: the 16 of `b16`."""
        whole = re.compile(rf"(?<![\d.]){re.escape(digits)}(?![\d.])")
        return any(whole.search(label) for axis in self.axes.values() for label in axis.labels)

    def _is_setting(self, number: str) -> bool:
        """Whether a whole number is a label by itself, as a batch size is: no result that words may be about."""
        return number.isdecimal() and any(number in axis.labels for axis in self.axes.values())

    def stances(self, words: NearWords) -> Mapping[Level, Stance]:
        """What the words name of each axis."""
        if words not in self._stances:
            results = tuple(span for span in words.others if not self._is_setting(words.near[0][slice(*span)]))
            self._stances[words] = {
                level: stance_of(
                    axis, words, results, [self.axes[other] for other in self.axes if _is_apart(level, other)]
                )
                for level, axis in self.axes.items()
            }
        return self._stances[words]

    def judged(self, cell: GridCell, words: NearWords) -> Judged:
        """What the words say for and against a cell."""
        score, named, against, around = 0, set[Level](), list[Level](), set[Level]()
        for level, stance in self.stances(words).items():
            label = cell.labels.get(level)
            if label is None:
                continue
            clear = stance.attached or stance.near
            if label in clear:
                score += 3
                named.add(level)
            elif label in stance.said:
                score += 1
                named.add(level)
                if stance.attached and not words.is_cell:
                    against.append(level)
            elif stance.said:
                if clear & {*cell.cell.row_path, *cell.cell.column_path}:
                    continue  # it is a label of it, at another level
                few = 2 * len(clear) <= len(self.axes[level].labels) + 1
                states = {said for said in clear if "=" in said}  # `Temperature = 0` is no other column than `Speedup`
                clear = clear if "=" in label else clear - states
                speaks = clear & stance.clear and few and (stance.attached or not self._is_own(label))
                if speaks and not (words.partners and self._is_of_partner(level, clear, words)):
                    against.append(level)
                score -= 1
            elif stance.wide:
                score += 1 if label in stance.wide else -1
                around |= {level} if label in stance.wide else set()
        return Judged(cell, self, score, tuple(against), frozenset(named), frozenset(around))

    def has_twin(self, cell: GridCell, level: Level, label: str) -> bool:
        """Whether a cell of another label, and of the same ones else, has a number of that kind: another data set."""
        labels = {**cell.labels, level: label}
        own = cell.quantity
        return level in cell.labels and any(
            other.labels == labels and (other.quantity.unit, other.quantity.decimals) == (own.unit, own.decimals)
            for other in self.cells
        )

    def _is_of_partner(self, level: Level, labels: frozenset[str], words: NearWords) -> bool:
        """Whether a number that this one stands against is of these labels: `2.4× 对 1.9×`."""
        compared = (cell for partner in words.partners for cell, agreed in self.compared(partner) if agreed == "same")
        return any(cell.labels.get(level) in labels for cell in compared)

    def attaches(self, words: NearWords, levels: Iterable[Level] | None = None) -> bool:
        """Whether words right beside the number name a label, of these axes."""
        stances = self.stances(words)
        return any(stances[level].attached for level in (stances if levels is None else levels))

    def spoken(self, words: NearWords, levels: Iterable[Level]) -> tuple[str, ...]:
        """The labels of these axes that the words name."""
        stances = self.stances(words)
        spoken = ((stances[level].attached or stances[level].near, stances[level].clear) for level in levels)
        return tuple(sorted(label for labels, clear in spoken for label in labels & clear or labels))

    def binding(self, cell: GridCell, key: BibKey) -> CellBinding | None:
        """Its name by labels; None in a figure, which has no cells."""
        if self.passage.kind == "figure":
            return None
        labels = (*cell.cell.row_path, *cell.cell.column_path)
        return CellBinding(self.table.number, tuple(dict.fromkeys(filter(None, labels))), key)

    def _is_own(self, label: str) -> bool:
        low = label.lower()
        return bool(self._own and self._own in low) or "ours" in low


def _is_apart(level: Level, other: Level) -> bool:
    """Whether a label should not be at both levels: heads of columns may reach over fewer lines than others."""
    return level != other and {level[0], other[0]} != {"column"}


def grid_table(passage: Passage) -> PaperTable | None:
    """The cells of a table; where its words do not stand in columns, and in figures, rows with the words in them."""
    if passage.kind not in ("table", "figure"):
        return None
    table = table_of(passage) if passage.kind == "table" else None
    return table if table and any(cell.row_path for cell in table.cells) else _rows_of(passage)


def _rows_of(passage: Passage) -> PaperTable | None:
    """The rows that have words and numbers; None if there are not several with words of their own."""
    cells = []
    for at, row in enumerate(passage.rows):
        numbers = [bool(_NUMBER.match(word.text)) for word in row.words]
        label = " ".join(word.text for word, is_number in zip(row.words, numbers, strict=True) if not is_number)
        for place, word in enumerate(row.words):
            if numbers[place] and _WORD.search(label) and len(label) < _LONGEST:
                box = (word.left, 0.0, word.right, 0.0)
                cells.append(TableCell(at, place, word.text, (label,), (), row.page, box))
    labels = {cell.row_path for cell in cells}
    return PaperTable(passage.number, passage.title, passage.page, (), tuple(cells)) if len(labels) > 1 else None


def _numbers(cell: TableCell, axes: Mapping[Level, Axis], caption: Sequence[str]) -> Iterable[GridCell]:
    labels = {
        (side, depth): label
        for side, path in (("row", cell.row_path), ("column", cell.column_path), ("caption", caption))
        for depth, label in enumerate(reversed(path))
        if (side, depth) in axes
    }
    every = [*quantities_in(cell.text, in_paper=True)]
    if "±" in cell.text:  # `47.77 ± 0.23%`
        every = [replace(quantity, unit=quantity.unit or every[-1].unit) for quantity in every]
    for at, quantity in enumerate(every):
        for label in (*reversed(cell.column_path), *reversed(cell.row_path)):
            parts = label.split("/")  # `Speedup / τ`
            label = parts[at] if len(parts) == len(every) else label
            if not quantity.unit and (headed := unit_of_label(label)) != ("", 0):
                quantity = replace(quantity, unit=headed[0], scale=quantity.scale or headed[1])
                break
        yield GridCell(cell, quantity, labels)


def _plain(quantity: Quantity) -> float:
    return float(quantity.value.scaleb(quantity.scale))


def stance_of(axis: Axis, words: NearWords, results: Sequence[tuple[int, int]], others: Sequence[Axis]) -> Stance:
    """The labels of an axis that the words around a number name; words of a longer label of another axis are its.

    Words that are of both tell nothing against either. `results` are the other numbers that words may be about.
    """
    text = words.near[0]
    elsewhere = [[mention for other in others for mention in other.mentions(near)] for near in words.near]
    mentions = [mention for mention in axis.mentions(text) if not _is_no_mention(mention, words)]
    mentions = [mention for mention in mentions if not mention.is_inside(elsewhere[0])]
    attached = _attached(text, mentions, words.at, words.others) or _in_turn(mentions, words) if mentions else None
    free = _labels(
        mention for mention in mentions if mention is attached or not _is_taken(text, mention, words.at[0], results)
    )
    said = _labels(mentions)
    for other in words.near[1:]:
        named = axis.named(other)
        said |= named
        free = (free & named or free | named) if free and named else free or named
    wide = next((named for text in words.wide if (named := axis.named(text))), frozenset[str]())
    heard = _labels(
        mention
        for near, theirs in zip(words.near, elsewhere, strict=True)
        for mention in axis.mentions(near)
        if mention.is_clear and not mention.is_inside(theirs, whole=True)
    )
    return Stance(attached.labels if attached else frozenset(), free, said, wide, heard)


def _is_no_mention(mention: Mention, words: NearWords) -> bool:
    """Whether the words name a paper, not a label: `DFlash Table 4`; or are the number itself."""
    own = words.at[0] < mention.end and mention.start < words.at[1]
    own = own or any(start <= mention.start and mention.end <= end for start, end in words.others)
    return own or any(start <= mention.start and mention.end <= end for start, end in words.names)


def is_compared(text: str, mention: Mention) -> bool:
    """Whether the words are what something is compared with."""
    return bool(_COMPARED.search(text[: mention.start]))


def roles(axis: Axis, text: str, at: tuple[int, int]) -> tuple[frozenset[str], frozenset[str]]:
    """The labels that a sentence has right beside a number, and those that it compares with."""
    mentions = [mention for mention in axis.mentions(text) if mention.is_clear]
    beside = _attached(text, mentions, at, ())
    return beside.labels if beside else frozenset(), _labels(each for each in mentions if is_compared(text, each))


def _is_taken(text: str, mention: Mention, at: int, results: Iterable[tuple[int, int]]) -> bool:
    """Whether the words are about another number: they share a part of the sentence with it, and not with this one.

    Or are they what it is compared with?
    """
    if _STATED.match(text, mention.end) or is_compared(text, mention):
        return True
    head = _HEAD.match(text, mention.end) if not text[: mention.start].strip() else None
    cut_off = _BREAK.search(text, *sorted((head.end() if head else mention.end, at)))
    if cut_off and (cut_off[0] in ";；。" or (at - mention.end > _FAR and not head)):
        return True
    if any(_ATTACHED_BEFORE.fullmatch(text, mention.end, start) for start, _ in results):
        return True
    if _CLOSED.match(text[mention.end : max(mention.end, at)]):
        return True
    cuts = [0, *(cut.end() for cut in _PART.finditer(text)), len(text)]

    def part(place: int) -> int:
        return bisect_right(cuts, place)

    here = part(mention.start)
    return part(at) != here and any(part(start) == here for start, _ in results)


def _labels(mentions: Iterable[Mention]) -> frozenset[str]:
    return frozenset(label for mention in mentions for label in mention.labels)


def _in_turn(mentions: Sequence[Mention], words: NearWords) -> Mention | None:
    """The words before a number where each number follows one label: `the base model 0.303 and the other one 0.325`."""
    before = [mention for mention in mentions if mention.end <= words.at[0]]
    if words.is_cell or not before:
        return None
    text = words.near[0]
    numbers = [
        start
        for start, end in (words.at, *words.others)
        if start >= mentions[0].end and not _WORD.match(text, end)  # as in `2wiki`
    ]
    if listed := _listed(text, mentions, numbers):
        return listed[numbers.index(words.at[0])]
    events = sorted([(mention.start, "label") for mention in mentions] + [(start, "number") for start in numbers])
    in_turn = len(events) > 3 and [kind for _, kind in events] == ["label", "number"] * len(mentions)
    is_apart = len(_labels(mentions)) == sum(len(mention.labels) for mention in mentions)
    return before[-1] if in_turn and is_apart else None


def _listed(text: str, mentions: Sequence[Mention], numbers: Sequence[int]) -> Sequence[Mention]:
    """The names of a list that as many numbers follow, one for each: `A and B get 1.2 and 3.4`; or none."""
    starts = [start for start in numbers if start >= mentions[0].end]
    count = len(starts)
    own = [mention for mention in mentions if mention.end <= starts[0]][-count:] if count > 1 else []
    if len(own) != count or starts != list(numbers):
        return ()
    names = all(_LISTED.fullmatch(text, a.end, b.start) for a, b in pairwise(own))
    values = all(_VALUES.fullmatch(text, a, b) for a, b in pairwise(starts))
    is_apart = len({label for mention in own for label in mention.labels}) >= count
    return own if names and values and is_apart else ()


def _attached(
    text: str, mentions: Sequence[Mention], at: tuple[int, int], others: Iterable[tuple[int, int]]
) -> Mention | None:
    """The words that stand right beside a number: `EAGLE-3's 2.1`, `2.1 (EAGLE-3)`, `2.1 for EAGLE-3`."""
    start, end = at
    before = [mention for mention in mentions if mention.end <= start]
    if before and _ATTACHED_BEFORE.fullmatch(text, before[-1].end, start):
        is_listed = len(before) > 1 and _LISTED.fullmatch(text, before[-2].end, before[-1].start)
        if not is_listed:
            return before[-1]
    after = next((mention for mention in mentions if mention.start >= end), None)
    if after and _ATTACHED_AFTER.fullmatch(text, end, after.start):
        in_brackets = text[after.start - 1] in "(（"
        of_other = any(_ATTACHED_BEFORE.fullmatch(text, after.end, other) for other, _ in others)
        if not of_other and (not in_brackets or text[after.end : after.end + 1] in tuple(")）")):
            return after
    return None
