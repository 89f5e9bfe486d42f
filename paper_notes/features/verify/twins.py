"""What both languages of a note say at the same place, side by side, and what one says otherwise than the other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from paper_notes.features.verify.numbers import changed
from paper_notes.features.verify.quantities import CLAUSE, Quantity, agreement, clause_of, says_less, way_of
from paper_notes.features.verify.sentences import aligned, read_sentences
from paper_notes.features.verify.statements import HIDDEN, StatedNumber, Statement, without_places
from paper_notes.patterns import regex
from paper_notes.values import Struct

_NAME = regex(r"(?<![\w-])(?=[\w.+-]*[A-Z])[A-Za-z][\w.+-]*\w", re.ASCII)
_USUAL = regex(r"\b[a-z]+\b", re.ASCII)
_PLACES = frozenset("Table Tables Figure Figures Fig Figs Eq Eqs Equation Section Appendix Algorithm Tab Sec".split())
"""Names of parts of a paper, which each language has in its own way."""
_SHORT = 4
"""Characters of a formula that is as good as a plain number or word: `$6$`."""
_ANY_ORDER = regex(r"\bgap\b|\bdifferences?\b|差距|相差|之差")
"""Words for what two numbers have in either order."""
_NEAR = 14
"""Characters between two numbers that belong together, as in `3.27 against 3.35`."""
_AFTER = regex(r"\s?([A-Za-zµμ]{1,12})(?![\w-])")
"""What a number is measured in, if it is in Latin letters."""
_LATIN = regex(r"[A-Za-zµμ]+")
_PLURAL = regex(r"(?<=\w\w)s$")
_LIMITS = ("least", "most")
"""Bounds of numbers that have words such as `less` of their own."""


class Twin(Struct, frozen=True):
    """What a cell says, or a sentence, or several that are one in the other language."""

    statement: Statement
    text: str
    countable: str
    """The text without formulas and the numbers of places."""
    numbers: Sequence[StatedNumber]
    places: Mapping[str, set[str]]
    """The tables, figures, sections and pages that it names, by their kind."""


Twins = tuple[Twin, Twin]
_Number = StatedNumber | None


def twins_of(ours: Sequence[Statement], theirs: Sequence[Statement]) -> Iterator[Twins]:
    """What two sections say at the same place; nothing if they have other statements, or in another order."""
    kinds = [[(one.kind, one.row, one.column) for one in side] for side in (ours, theirs)]
    for pair in zip(ours, theirs, strict=True) if kinds[0] == kinds[1] else ():
        if pair[0].table >= 0:
            yield _said(pair[0], 0, len(pair[0].text)), _said(pair[1], 0, len(pair[1].text))
            continue
        for sides in aligned(*(read_sentences(one.text) for one in pair)):
            if all(sides):
                first, second = (
                    _said(one, side[0].start, side[-1].start + len(side[-1].text))
                    for one, side in zip(pair, sides, strict=True)
                )
                yield first, second


def _said(statement: Statement, start: int, end: int) -> Twin:
    countable = without_places(statement.text)[start:end]
    for tex in (tex for tex in statement.formulas if len(tex) > _SHORT):
        countable = countable.replace(tex, HIDDEN * len(tex))
    numbers = [number for number in statement.numbers if start <= number.figures.start < end]
    numbers = [number for number in numbers if countable[number.figures.start - start] != HIDDEN]
    places = defaultdict[str, set[str]](set)
    for place in statement.places:
        if start <= place.start < end:
            places[place.kind].add(place.name)
    return Twin(statement, statement.text[start:end], countable, numbers, places)


def is_label(said: Twin) -> bool:
    """Whether it is a head of a table, or a cell without results."""
    is_cell = said.statement.kind == "cell" and all(number.figures.is_trivial for number in said.numbers)
    return said.statement.kind == "head" or is_cell


def shared_names(text: str, other: str) -> frozenset[str]:
    """Words with a capital that both have, and neither without it: Chinese keeps names of methods and data sets."""
    usual = {*_USUAL.findall(text), *_USUAL.findall(other)}
    both = {*_NAME.findall(text)} & {*_NAME.findall(other)}
    return frozenset(name for name in both - _PLACES if name.lower() not in usual)


def said_otherwise(mine: Twin, theirs: Twin, names: Collection[str]) -> Iterator[tuple[_Number, _Number, str, str]]:
    """Where each of the two has something that the other lacks: the numbers that it is about, if any, and both words.

    `names` are those that a text of either language has.
    """
    lost, new = changed(mine.countable, theirs.countable, in_words=True)
    if lost and new:
        yield None, None, ", ".join(lost), ", ".join(new)
    of_names = [{*_NAME.findall(said.text)}.intersection(names) for said in (mine, theirs)]
    of_places = [(places, theirs.places[kind]) for kind, places in mine.places.items() if kind in theirs.places]
    for ours, others in (of_names, *of_places):
        if ours - others and others - ours:
            yield None, None, min(ours - others), min(others - ours)
    alike = [_alike(said.numbers) for said in (mine, theirs)]
    told = [
        [name for name in dict.fromkeys(_NAME.findall(said.text)) if name in of_names[0] & of_names[1]]
        for said in (mine, theirs)
    ]
    for shape in sorted(alike[0].keys() & alike[1].keys()) if told[0] == told[1] else ():  # names move with numbers
        orders = [[one.value for one in every[shape]] for every in alike]
        is_moved = sorted(orders[0]) == sorted(orders[1]) and orders[0] != orders[1]
        if is_moved and not any(map(_has_any_order, (mine, theirs), [every[shape] for every in alike])):
            first, second = (", ".join(f"{value:f}" for value in order) for order in orders)
            yield None, None, first, second
    values = [[number.figures.value for number in said.numbers] for said in (mine, theirs)]
    for number in mine.numbers:
        value = number.figures.value
        if values[0].count(value) == values[1].count(value) == 1:
            twin = theirs.numbers[values[1].index(value)]
            for first, second in _meant_otherwise((mine.statement.text, theirs.statement.text), number, twin):
                yield number, twin, first, second


def _has_any_order(said: Twin, numbers: Sequence[Quantity]) -> bool:
    """Whether a translation may have two numbers in another order: it has them in one clause, with words between."""
    gaps = [said.statement.text[one.end : two.start] for one, two in pairwise(numbers)]
    return bool(_ANY_ORDER.search(said.text)) or any(len(gap) > _NEAR and not CLAUSE.search(gap) for gap in gaps)


def _alike(numbers: Iterable[StatedNumber]) -> Mapping[tuple[str, int], Sequence[Quantity]]:
    """The numbers of each unit and so many decimals, in order; which is seldom another one in a translation."""
    alike = defaultdict[tuple[str, int], list[Quantity]](list)
    for figures in (number.figures for number in numbers):
        if figures.decimals:
            alike[figures.unit, figures.decimals].append(figures)
    return alike


def _meant_otherwise(texts: tuple[str, str], number: StatedNumber, twin: StatedNumber) -> Iterator[tuple[str, str]]:
    """The unit, the sign and the direction that the same digits have, where they are not the same."""
    both = number.figures, twin.figures
    if all(one.unit or one.scale for one in both) and agreement(*both) in ("unit", "scale", "points"):
        yield _shown(both[0]), _shown(both[1])
    after = [_AFTER.match(text, one.end) for text, one in zip(texts, both, strict=True)]
    if after[0] and after[1]:
        words = [_PLURAL.sub("", match[1].lower()) for match in after if match]
        said = [{_PLURAL.sub("", word.lower()) for word in _LATIN.findall(text)} for text in texts]
        are_alike = words[0][0] == words[1][0] and max(map(len, words)) > 3  # `sec` and `second`
        if words[0] not in said[1] and words[1] not in said[0] and not are_alike:
            yield f"{both[0].text} {after[0][1]}", f"{both[1].text} {after[1][1]}"
    clauses = [clause_of(text, one) for text, one in zip(texts, both, strict=True)]
    signs = [one.sign for one in both]
    may_be_dash = bool(number.origin)  # of a range, in what is computed
    if -1 in signs and (1 in signs or (0 in signs and not may_be_dash and not says_less(clauses[signs.index(0)]))):
        first, second = (f"{('', '+', '-')[one.sign]}{_shown(one)}" for one in both)
        yield first, second
    ways = [way_of(clause) for clause in clauses]
    if 0 not in ways and ways[0] != ways[1] and not any(one.bound in _LIMITS for one in both):
        yield clauses[0].strip(), clauses[1].strip()


def _shown(figures: Quantity) -> str:
    """A number as it is written, with the usual form of its unit."""
    return figures.text if figures.unit in ("", "%") else f"{figures.text} {figures.unit}"
