"""What a translation must keep: read from a piece of Markdown by our own parser, and compared with another one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from markdown_it.token import Token

from paper_notes.corpus.model import GlossaryTerm, Lang
from paper_notes.diagnostics import Location
from paper_notes.features.drafting.constructs import AS_LANGUAGES_DO, Construct, constructs_of, labels
from paper_notes.features.drafting.sentences import TranslationFinding, compared
from paper_notes.features.verify.numbers import changed, changed_units, names, numbers
from paper_notes.features.verify.sentences import NO_WORDS
from paper_notes.languages.language import Words, english_name
from paper_notes.markdown.short_texts import read_short
from paper_notes.markdown.syntax.cjk import count
from paper_notes.markdown.syntax.glossary import finder
from paper_notes.markdown.syntax.tables import too_wide
from paper_notes.patterns import regex
from paper_notes.values import Struct

_WHERE = Location(PurePosixPath("text.md"))
_SPACE = regex(r"\s+")
_SHOWN = 5
"""Differences of one kind that a finding names."""
_KANA = regex("[\u3041-\u30ff]")
_LETTERS = regex(r"[a-z]+")
_ENGLISH = frozenset(
    "the of and to a in is that it for as with are on by this be not from at an or which than but one".split()
)
_SYMBOL = regex(r"\\?[A-Za-z]+")
"""A formula that is a symbol and nothing else."""
_SHORT = 12
"""Words of a cell or title that may be names only, and stay as they are."""
_FEW, _MOST_LONGER = 40, 2.6
"""Words from which on the length of a text says something, and how much longer or shorter another one may be."""


class ParsedPiece(Struct, frozen=True):
    """A piece of Markdown, taken apart."""

    structure: tuple[str, ...]
    """Its blocks in order: headings, paragraphs, lists, tables, components with their names."""
    parts: dict[str, Counter[str]]
    """What has to stay as it is, by what it is called."""
    blocks: tuple[str, ...]
    """The words that people read in each paragraph, cell, item and title; those of references are the last."""
    constructs: Counter[Construct]
    errors: Counter[str]
    """Rules of mistakes and warnings, but for those of files beside the note."""

    @property
    def prose(self) -> str:
        return "\n".join(self.blocks)

    @property
    def is_recognisable(self) -> bool:
        """Whether it has anything that tells its translation from a polite word: blocks, formulas, numbers, names."""
        return len(self.structure) > 1 or any(self.parts.values()) or bool(numbers(self.prose) or names(self.prose))

    @property
    def size(self) -> float:
        """How long it is in words; an ideograph is about half of one."""
        words, ideographs = count(self.prose)
        return words + ideographs / 1.7


def read_piece(text: str, lang: Lang, words: Words) -> ParsedPiece:
    """Take a piece of Markdown apart."""
    read = read_short.__wrapped__(text, lang, _WHERE, words)
    constructs = Counter(constructs_of(text, read))
    parts: dict[str, Counter[str]] = {name: Counter() for name in _CALLED}
    for construct, number in constructs.items():
        if name := next((name for name, kinds in _CALLED.items() if re.fullmatch(kinds, construct.kind)), ""):
            parts[name][construct.which] += number
    snippet = read.snippet
    references: list[str] = []
    for slot in snippet.slots:
        if slot.kind != "plain":
            parts["citation" if slot.kind in ("cite", "paper") else "reference"][slot.target] += 1
        references.append(slot.text)
    errors = Counter[str](finding.rule for finding in snippet.diagnostics)
    del errors["missing-image"], errors["unknown-anchor"]
    prose = ["".join(_inline(token.children or [])) for token in read.tokens if token.type == "inline"]
    prose += ["\n".join(labels(token)[1]) for token in read.tokens if token.type == "fence"]
    structure = tuple(_structure_of(read.tokens))
    for _, _, beyond in too_wide(read.tokens, read.context.lines):  # our pages leave these out, others show them
        piece = read_piece("\n\n".join(beyond), lang, words)
        structure, constructs = structure + piece.structure, constructs + piece.constructs
        parts = {name: parts[name] + piece.parts[name] for name in parts}
        *own, other = piece.blocks
        prose += own
        references.append(other)
    return ParsedPiece(structure, parts, (*prose, "\n".join(references)), constructs, errors)


_CALLED = {
    "formula": r"math\w*",
    "citation": "",
    "reference": "",
    "link": "link",
    "picture": "image",
    "piece of code": "code_inline|code_block|fence",
    "HTML": "html_(?:inline|block)",
    "id": r"(?!footnote)(?:\w+ )?id",
    "footnote": r"footnote\w* label",
}
"""What has to stay as it is, as findings call it, and its kinds of constructs; those of slots are read from these."""


def _structure_of(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.nesting >= 0 and token.type not in ("inline", "footnote_anchor"):
            yield " ".join(filter(None, (token.type.removesuffix("_open"), token.tag, _name(token))))


def _name(token: Token) -> str:
    """What kind of block it is; classes of tables depend on the width of their words."""
    shown = "" if token.type == "table_open" else str(token.attrs.get("class", ""))
    return f"{token.info.strip()} {shown}".strip() if token.type != "fence" else ""


def _inline(tokens: Iterable[Token]) -> Iterator[str]:
    """The words of a block."""
    for token in tokens:
        if token.type in ("text", "text_special"):
            yield token.content
        elif token.type.startswith("math") or token.type in ("code_inline", "slot"):
            yield NO_WORDS
        elif token.type == "image":
            yield from ("\n", *_inline(token.children or []), "\n")
        elif token.type in ("softbreak", "hardbreak"):
            yield "\n" if token.type == "hardbreak" else " "


def differences(source: ParsedPiece, translation: ParsedPiece) -> Iterator[str]:
    """What a translation changed that it must not: a sentence each."""
    changes = [*_changes(source, translation)]
    yield from changes
    if not changes:  # those would say the same again
        yield from (f"it lacks what the original has: {construct}" for construct in _others(source, translation))
        yield from (f"it has what the original has not: {construct}" for construct in _others(translation, source))


def _others(these: ParsedPiece, those: ParsedPiece) -> Iterator[Construct]:
    ours, theirs = (Counter(map(_untranslated, piece.constructs.elements())) for piece in (these, those))
    for construct in ours - theirs:
        is_repeated = construct.kind.startswith("math") and _SYMBOL.fullmatch(construct.which) and theirs[construct]
        if construct.kind not in AS_LANGUAGES_DO and not is_repeated:
            yield construct


def _untranslated(construct: Construct) -> Construct:
    """The construct without the words of a place in a paper: `@key, Section 2` is `@key, 第 2 节`."""
    if not construct.kind.startswith("span ") or "@" not in construct.which:
        return construct
    key, comma, place = construct.which.partition(",")
    return construct._replace(which=key + comma + "".join(re.findall(r"\d[\d.]*", place)))


def _changes(source: ParsedPiece, translation: ParsedPiece) -> Iterator[str]:
    for rule in translation.errors - source.errors:
        yield f"it has a mistake that the original has not: {rule}"
    if source.structure != translation.structure:
        yield _structure(source.structure, translation.structure)
    for name in _CALLED:
        before, after = source.parts[name], translation.parts[name]
        if lost := _only(before, after):
            yield f"a {name} is missing or changed: {_listed(lost)}"
        if new := _only(after, before):
            yield f"a {name} is new or changed: {_listed(new)}"
    yield from dict.fromkeys(
        finding for before, after in _blocks(source, translation) for finding in _in_prose(before, after)
    )
    if source.size >= _FEW and not source.size / _MOST_LONGER < translation.size < source.size * _MOST_LONGER:
        yield f"it has {translation.size / source.size:.0%} of the original's length, so it says less or more than that"


def _blocks(source: ParsedPiece, translation: ParsedPiece) -> Sequence[tuple[str, str]]:
    """The words of each block with those of its translation; all at once if the blocks differ."""
    same = source.structure == translation.structure and len(source.blocks) == len(translation.blocks)
    return [*zip(source.blocks, translation.blocks, strict=True)] if same else [(source.prose, translation.prose)]


def _only(these: Counter[str], others: Counter[str]) -> Counter[str]:
    """What the others lack. How often a symbol is named again is style."""
    return Counter({text: n for text, n in (these - others).items() if not (others[text] and _SYMBOL.fullmatch(text))})


def _in_prose(source: str, translation: str) -> Iterator[str]:
    """Numbers, and names with numbers in them."""
    lost_numbers, new_numbers = changed(source, translation)
    before, after = names(source), names(translation)
    for name, differing in (
        ("a number is missing or changed", lost_numbers),
        ("a number is new or changed", new_numbers),
        ("a name is missing or changed", _without(before, after)),
        ("a name is new or changed", _without(after, before)),
    ):
        if differing:
            yield f"{name}: {', '.join([*differing][:_SHOWN])}"
    for value, unit, other in changed_units(source, translation):
        yield f"the unit of {value} was {unit} and is {other}"
    if not (lost_numbers or new_numbers) and _in_order(source) != _in_order(translation):
        yield f"its numbers are in another order: {', '.join(f'{value:f}' for value in _in_order(translation))}"


def _in_order(text: str) -> list[Decimal]:
    """The decimals of a text. Translations hardly ever change their order, and who does may have mixed them up."""
    return [value for value in numbers(text) if value != value.to_integral_value()]


def _without(these: Counter[str], others: Counter[str]) -> Counter[str]:
    """The names that the other text lacks, in singular and plural."""
    return Counter(name for name in these if not {name, f"{name}s", name.removesuffix("s")} & others.keys())


def _listed(texts: Counter[str]) -> str:
    shown = [_SPACE.sub(" ", text)[:60] for text in texts]
    return ", ".join(f'"{text}"' for text in shown[:_SHOWN]) + (" ..." if len(shown) > _SHOWN else "")


def _structure(source: Sequence[str], translation: Sequence[str]) -> str:
    number = next((at for at, pair in enumerate(zip(source, translation, strict=False)) if pair[0] != pair[1]), -1)
    if number >= 0:
        return f"its block {number + 1} is `{translation[number]}` where the original has `{source[number]}`"
    if len(translation) < len(source):
        return f"it ends before the block `{source[len(translation)]}` of the original"
    return f"it has a block that the original has not: `{translation[len(source)]}`"


def in_other_language(piece: ParsedPiece, lang: Lang, words: Words, source: ParsedPiece | None = None) -> str:
    """A sentence if the piece is surely not in this language; else empty.

    Names that are the same in the `source` say nothing, unless all is the same.
    """
    prose = piece.prose
    if source is not None and source.prose != prose:
        prose = "\n".join(own for other, own in _blocks(source, piece) if own != other or len(own.split()) > _SHORT)
    words_found, ideographs = count(prose)
    kana = len(_KANA.findall(prose))
    wrong = f"it is not in {english_name(lang)}"
    script = words[lang].script
    if script not in ("Hans", "Hant", "Jpan"):
        if ideographs > 4 and ideographs > words_found * 0.3:
            return wrong
        running = "\n".join(line for line in prose.lower().split("\n") if len(line.split()) > _SHORT)
        latin = _LETTERS.findall(running)
        english = sum(word in _ENGLISH for word in latin)
        return wrong if lang.startswith("en") and len(latin) >= 25 and english < len(latin) * 0.1 else ""
    if words_found > 15 and ideographs < words_found * 0.5:
        return wrong
    if script == "Jpan":
        return wrong if ideographs > 20 and kana < ideographs * 0.1 else ""
    return wrong if ideographs > 10 and kana > ideographs * 0.2 else ""


def terms_in(text: str, lang: Lang, terms: tuple[GlossaryTerm, ...], words: Words) -> tuple[GlossaryTerm, ...]:
    """The terms of the glossary that a text uses."""
    known = finder(terms, lang, words) if terms else None
    if known is None:
        return ()
    used = {known.terms.get(_folded(text[start:end], known), "") for start, end in known.find(text)}
    return tuple(term for term in terms if term.id in used)


def _folded(word: str, known: Any) -> str:
    forms = (word, word.lower(), word.lower().rstrip("s"), _SPACE.sub(" ", word.lower().replace("-", " ")))
    return next((form for form in forms if form in known.terms), "")


def otherwise_said(
    source: ParsedPiece,
    translation: ParsedPiece,
    langs: tuple[Lang, Lang],
    terms: tuple[GlossaryTerm, ...],
    words: Words,
) -> Iterator[TranslationFinding]:
    """What the sentences of a translation from the first language to the second say otherwise, and its wrong terms."""
    for before, after in _blocks(source, translation)[:-1]:
        yield from compared(before, after, langs)
    yield from _wrong_terms(source, translation, langs, terms, words)


def _wrong_terms(
    source: ParsedPiece,
    translation: ParsedPiece,
    langs: tuple[Lang, Lang],
    terms: tuple[GlossaryTerm, ...],
    words: Words,
) -> Iterator[TranslationFinding]:
    """Terms that a block says otherwise than the glossary. A word of the term may stand for it, as in “accepted”."""
    told = set[str]()
    for before, after in _blocks(source, translation):
        for term in terms_in(before, langs[0], terms, words):
            name = term.name[langs[0]].lower()
            times = before.lower().count(name)  # an alias may be an everyday word
            if term.id not in told and max(times, 1) > _beginnings(term, langs[1], after):
                told.add(term.id)
                said = f'the glossary says "{term.name[langs[1]]}" for "{term.name[langs[0]]}"'
                yield TranslationFinding(said, sure=False)
    lowered = translation.prose.lower()
    for term in terms:
        for word in term.avoid:
            if word.lower() in lowered and word.lower() not in source.prose.lower():
                yield TranslationFinding(f'the glossary says "{term.name[langs[1]]}", not "{word}"')


def _beginnings(term: GlossaryTerm, lang: Lang, text: str) -> int:
    """How often a text has the beginning of the term or of an alias, which is enough to tell it from others."""
    starts = set[str]()
    for name in (term.name[lang], *term.aliases):
        first = name.lower().split()[0]
        starts.add(first[: max(4, len(first) // 2)] if first.isascii() else first[:2])
    return len(re.findall("|".join(map(re.escape, sorted(starts, key=len, reverse=True))), text.lower()))
