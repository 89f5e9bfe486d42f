"""What one language of a note says in a section, and the other does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.verify.partners import words_apart
from paper_notes.features.verify.quantities import values_in_words
from paper_notes.features.verify.statements import StatedNumber, Statement
from paper_notes.features.verify.twins import Twins, is_label, said_otherwise, shared_names, twins_of
from paper_notes.patterns import regex

_TEXT_OF_TEX = regex(r"\\(?:text|mathrm|operatorname|textbf|mathit)\s*\{[^{}]*\}|\\[,;!: ]|\\quad|\s+")
_DIGITS = regex(r"\d+(?:,\d{3})*(?:\.\d+)?")
_HINT = "both languages say the same: correct the one that is wrong"

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
    every = ([one for section in sections[lang].values() for one in section] for lang in languages)
    names = shared_names(*(" ".join(one.text for one in statements) for statements in every))
    pairs = list[Twins]()
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
            pairs += (here := [*twins_of(first[1], second[1])])
            told = {(number.location.path, number.location.line) for number in numbers}
            others = _otherwise(first, second, here, names)
            numbers += tuple(one for one in others if (one.location.path, one.location.line) not in told)
            yield from (number for number in numbers if number.location not in explained)
            for what, said in (("formulas", _formulas), ("references", _references), ("verdicts", _verdicts)):
                if said(first[1]) != said(second[1]):
                    yield _differing(what, said, section, first, second)
    labels = [(ours.text, theirs.text) for ours, theirs in pairs if is_label(ours)]
    for at, *words in words_apart([(ours.text, theirs.text) for ours, theirs in pairs], labels):
        both = texts[languages[0]], texts[languages[1]]
        yield from _apart(both, pairs[at], (words[0], words[1]), (None, None))


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
        yield Diagnostic(Location(text.path, number.line, number.column), "languages-differ", message, _HINT, "error")


def _otherwise(first: Half, second: Half, pairs: Iterable[Twins], names: Collection[str]) -> Iterator[Diagnostic]:
    """What sentences and cells at the same place say otherwise, told in both languages."""
    for pair in pairs:
        for *numbers, said, instead in said_otherwise(*pair, names):
            yield from _apart((first[0], second[0]), pair, (said, instead), numbers)


def _apart(
    texts: tuple[NoteText, NoteText], pair: Twins, words: tuple[str, str], numbers: Sequence[StatedNumber | None]
) -> Iterator[Diagnostic]:
    """What the first of two sentences or cells says, at its place, and what the second does, at its own."""
    for here, other in ((0, 1), (1, 0)):
        place = f"{texts[other].path}:{pair[other].statement.line}"
        message = f'"{words[here]}" is "{words[other]}" in {place}'
        number = numbers[here]
        where = (number.line, number.column) if number else (pair[here].statement.line,)
        yield Diagnostic(Location(texts[here].path, *where), "languages-differ", message, _HINT, "warning")


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
