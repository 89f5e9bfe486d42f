"""What one language of a note says in a section, and the other does not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.diagnostics import Diagnostic, Location, Severity
from paper_notes.features.verify.quantities import Quantity, agreement, values_in_words
from paper_notes.features.verify.statements import StatedNumber, Statement
from paper_notes.patterns import regex

_TEXT_OF_TEX = regex(r"\\(?:text|mathrm|operatorname|textbf|mathit)\s*\{[^{}]*\}|\\[,;!: ]|\\quad|\s+")
_DIGITS = regex(r"\d+(?:,\d{3})*(?:\.\d+)?")

_NAME = regex(r"(?<![\w-])(?=[\w.+-]*[A-Z])[A-Za-z][\w.+-]*\w", re.ASCII)
_USUAL = regex(r"\b[a-z]+\b", re.ASCII)
_PLACES = frozenset("Table Tables Figure Figures Fig Figs Eq Eqs Equation Section Appendix Algorithm Tab Sec".split())
"""Names of parts of a paper, which each language has in its own way."""

Half = tuple[NoteText, Sequence[Statement]]
"""A section in one language: the text that it is in, and what it says."""


def differences(
    sections: Mapping[Lang, Mapping[str, Sequence[Statement]]],
    texts: Mapping[Lang, NoteText],
    explained: Collection[Location] = (),
) -> Iterator[Diagnostic]:
    """Report what one language has in a section and the other has not: numbers, formulas, references, verdicts.

    Of the numbers at the locations `explained` something better is said.
    """
    languages = list(sections)[:2]
    if len(languages) < 2:
        return
    names = _shared_names(*(texts[lang].text for lang in languages))
    for section in sections[languages[0]]:
        if section in sections[languages[1]]:
            first, second = ((texts[lang], sections[lang][section]) for lang in languages)
            lacked = tuple(_blocks_only_in(first, second)), tuple(_blocks_only_in(second, first))
            for half, other, blocks in zip((first, second), (second, first), lacked, strict=True):
                yield from (_without_counterpart(half, other, block, section) for block in blocks)
            first, second = (_without(half, blocks) for half, blocks in zip((first, second), lacked, strict=True))
            if not first[1] or not second[1]:
                continue
            numbers = (*_numbers_only_in(first, second, section), *_numbers_only_in(second, first, section))
            numbers += *_units_only_in(first, second, section), *_units_only_in(second, first, section)
            numbers += *_names_only_in(first, second, names), *_names_only_in(second, first, names)
            yield from (number for number in numbers if number.location not in explained)
            for what, said in (("formulas", _formulas), ("references", _references), ("verdicts", _verdicts)):
                if said(first[1]) != said(second[1]):
                    yield _differing(what, said, section, first, second)


Block = tuple[str, int]
"""See `Statement.block`."""


def _blocks_only_in(here: Half, other: Half) -> Iterator[Block]:
    """Blocks that the other language lacks: it has fewer of their kind, and nothing of what they say."""
    counts = [Counter(kind for kind, _ in {statement.block for statement in half[1]}) for half in (here, other)]
    missing = _numbers_missing(here[1], other[1])
    known = _formulas(other[1]) | _references(other[1])
    for block in dict.fromkeys(statement.block for statement in here[1]):
        statements = [statement for statement in here[1] if statement.block == block]
        numbers = [number for statement in statements for number in statement.numbers if not _is_small(number)]
        said = _formulas(statements) | _references(statements)
        only_here = not said & known and all(_plain(number) in missing for number in numbers)
        if counts[0][block[0]] > counts[1][block[0]] and only_here and (numbers or said):
            yield block


def _without(half: Half, blocks: Collection[Block]) -> Half:
    text, statements = half
    return text, [statement for statement in statements if statement.block not in blocks]


def _without_counterpart(here: Half, other: Half, block: Block, section: str) -> Diagnostic:
    (text, statements), (other_text, others) = here, other
    where = Location(text.path, next(statement.line for statement in statements if statement.block == block))
    message = f'section "{section}" of {other_text.path}:{others[0].line} has nothing like this block'
    return Diagnostic(where, "languages-differ", message, "write it there too, or delete it here", "warning")


def _numbers_missing(statements: Sequence[Statement], others: Sequence[Statement]) -> Mapping[Decimal, StatedNumber]:
    """The first of each number that the others have in no form. Numbers of one digit may be anything."""
    known = {_plain(number) for statement in others for number in statement.numbers}
    every = {number.figures.value.normalize() for statement in others for number in statement.numbers}
    for statement in others:
        every.update(values_in_words(statement.text))
        every.update(Decimal(digits.replace(",", "")).normalize() for digits in _DIGITS.findall(statement.text))
    missing: dict[Decimal, StatedNumber] = {}
    for number in (number for statement in statements for number in statement.numbers):
        if not (_is_small(number) or _plain(number) in known or number.figures.value.normalize() in every):
            missing.setdefault(_plain(number), number)
    return missing


def _is_small(number: StatedNumber) -> bool:
    return len(number.figures.digits) == 1 and not number.figures.percent


def _numbers_only_in(here: Half, other: Half, section: str) -> Iterator[Diagnostic]:
    (text, statements), (other_text, others) = here, other
    for number in _numbers_missing(statements, others).values():
        message = f'"{number.figures.text}" is not in section "{section}" of {other_text.path}:{others[0].line}'
        yield _of_number(text, number, message, "error")


def _units_only_in(here: Half, other: Half, section: str) -> Iterator[Diagnostic]:
    """Numbers with a unit or a scale that the other language has with others only: `148 s` for `148 ms`."""
    (text, statements), (other_text, others) = here, other
    known = dict[Decimal, list[StatedNumber]]()
    for number in (number for statement in others for number in statement.numbers):
        known.setdefault(number.figures.value.normalize(), []).append(number)
    for number in (number for statement in statements for number in statement.numbers):
        same = known.get(number.figures.value.normalize(), [])
        if same and all(_means_otherwise(number.figures, twin.figures) for twin in same):
            twin = same[0]
            message = f'"{_said(number)}" is "{_said(twin)}" in section "{section}" of {other_text.path}:{twin.line}'
            yield _of_number(text, number, message, "warning")


def _of_number(text: NoteText, number: StatedNumber, message: str, severity: Severity) -> Diagnostic:
    hint = "both languages say the same: correct the one that is wrong"
    return Diagnostic(Location(text.path, number.line, number.column), "languages-differ", message, hint, severity)


def _shared_names(text: str, other: str) -> frozenset[str]:
    """Words with a capital that both have, and neither without it: Chinese keeps names of methods and data sets."""
    usual = {*_USUAL.findall(text), *_USUAL.findall(other)}
    both = {*_NAME.findall(text)} & {*_NAME.findall(other)}
    return frozenset(name for name in both - _PLACES if name.lower() not in usual)


def _names_only_in(here: Half, other: Half, names: Collection[str]) -> Iterator[Diagnostic]:
    """Numbers beside one of the names that the other language has not beside them, but another one."""
    (text, statements), (other_text, others) = here, other
    twins = _sentences(others)
    for value, (number, sentence) in _sentences(statements).items():
        if value in twins and sentence and twins[value][1]:
            twin, said = twins[value]
            mine, theirs = ({*_NAME.findall(part)}.intersection(names) for part in (sentence, said))
            only, instead = sorted(mine - theirs), sorted(theirs - mine)
            if only and instead:
                place = f"{other_text.path}:{twin.line}"
                message = f'beside "{number.figures.text}" is {only[0]}, and {instead[0]} in {place}'
                yield _of_number(text, number, message, "warning")


def _sentences(statements: Sequence[Statement]) -> dict[Decimal, tuple[StatedNumber, str]]:
    """The sentence of each number that is in one only; empty for those that are in several."""
    sentences: dict[Decimal, tuple[StatedNumber, str]] = {}
    for statement in statements:
        for number in statement.numbers:
            value, (start, end) = number.figures.value.normalize(), statement.sentence(number.figures.start)
            sentence = "" if value in sentences or _is_small(number) else statement.text[start:end]
            sentences[value] = number, sentence
    return sentences


def _means_otherwise(figures: Quantity, twin: Quantity) -> bool:
    """Whether both say what they count, and not the same."""
    is_said = all(quantity.unit or quantity.scale for quantity in (figures, twin))
    return is_said and agreement(figures, twin) in ("unit", "scale", "points")


def _said(number: StatedNumber) -> str:
    """A number as it is written, with the usual form of its unit."""
    figures = number.figures
    return figures.text if figures.unit in ("", "%") else f"{figures.text} {figures.unit}"


def _plain(number: StatedNumber) -> Decimal:
    return number.figures.plain.normalize()


def _formulas(statements: Sequence[Statement]) -> frozenset[str]:
    return frozenset(
        _TEXT_OF_TEX.sub("", tex).rstrip(".,;，。") for statement in statements for tex in statement.formulas
    )


def _references(statements: Sequence[Statement]) -> frozenset[str]:
    return frozenset(
        target for statement in statements for target in (*(key for _, key in statement.cites), *statement.notes)
    )


def _verdicts(statements: Sequence[Statement]) -> tuple[str, ...]:
    return tuple(sorted(verdict for statement in statements for verdict in statement.verdicts))


def _differing(
    what: str, said: Callable[[Sequence[Statement]], Iterable[str]], section: str, first: Half, second: Half
) -> Diagnostic:
    shown = []
    for (text, statements), (_, others) in ((first, second), (second, first)):
        if only := sorted(set(said(statements)) - set(said(others))):
            shown.append(f"only in {text.lang}: {', '.join(only[:3])[:80]}")
    where, where_else = (Location(text.path, statements[0].line) for text, statements in (first, second))
    message = f'the {what} of section "{section}" differ from those in {where_else}'
    message += f" ({'; '.join(shown)})" if shown else ""
    return Diagnostic(where, "languages-differ", message, "both languages say the same: correct one", "warning")
