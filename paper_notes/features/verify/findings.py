"""Findings besides numbers: languages that differ, quotations, sentences to check, facts of the bibliography."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.verify.numbers import values_in_words
from paper_notes.features.verify.paper import PaperIndex
from paper_notes.features.verify.statements import Number, Statement
from paper_notes.features.verify.verify import Papers
from paper_notes.identifiers import folded_title

_CLAIM = re.compile(
    r"\b(?:only|never|always|all|none|every|no one|nobody|first|unique"
    r"|does not (?:state|say|report|give|discuss|mention)|do not (?:state|say|report)"
    r"|is not (?:stated|reported|given)|not once|without exception)\b"
    r"|只有|仅有|唯一|从不|从未|从来|总是|所有|全部|一律|没有(?:说明|交代|报告|给出|讨论|提到|一个)|未(?:说明|交代|报告|给出|提及)|首次|首个|第一个|最先",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"「『]([^“”\"「」『』]{12,400})[”\"」』]")
_TEXT_OF_TEX = re.compile(r"\\(?:text|mathrm|operatorname|textbf|mathit)\s*\{[^{}]*\}|\\[,;!: ]|\\quad|\s+")
_NO_LETTERS = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_PUBLISHED = re.compile(r"\b(?:Proceedings of|Published (?:as|at|in)|Accepted (?:at|to))\b.{0,160}?\b(20\d\d)\b")
"""What page 1 of a published paper says of it."""
_IN_FULL = {"NeurIPS": "Neural Information Processing Systems", "NIPS": "Neural Information Processing Systems"}
"""Short names that are not the first letters."""
_OF_ANY_VENUE = frozenset(
    "accepted advances annual conference international journal meeting paper proceedings published symposium"
    " transactions volume workshop".split()
)
_FEWEST, _NEAR = 5, 12
"""Words that a quotation within a sentence has at least, and characters between it and its citation at most."""


def claims(statements: Iterable[Statement]) -> Iterator[tuple[Statement, str]]:
    """The sentences that say `only`, `never`, `all`, `does not state`, `first`: no search can check them."""
    for statement in statements:
        if statement.kind in ("head", "heading", "title", "formula"):
            continue
        done = -1
        for claim in _CLAIM.finditer(statement.text):
            start, end = statement.sentence(claim.start())
            if start > done:
                done = start
                yield statement, " ".join(statement.text[start:end].split())


def quotations(statements: Sequence[Statement], text: NoteText, papers: Papers) -> Iterator[Diagnostic]:
    """Report quotations that no held paper has word for word."""
    held = {key: plain_words(" ".join(row for part in index.all for row in part.rows))
            for key, index in papers.items() if index}  # fmt: skip
    if not held:
        return
    for at, statement in enumerate(statements):
        whole = "quote" in statement.inside and statement.kind == "text"
        keys = {BibKey(key) for near in statements[max(0, at - 2) : at + 1] for _, key in near.cites}
        if whole and keys and not keys & held.keys():
            continue
        for quoted in [statement.text] if whole else _quoted(statement):
            if not _is_in(quoted, held.values()):
                where = Location(text.path, statement.line)
                shown = " ".join(quoted.split())[:90]
                message = f'no paper at hand has these words: "{shown}"'
                hint = "quote word for word, with … for what is left out; or do not set it as a quotation"
                yield Diagnostic(where, "quotation-differs", message, hint, "error" if whole else "warning")


def _is_in(quoted: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts has all fragments of a quotation, one after the other."""
    fragments = _fragments(quoted)
    for text in texts:
        offset = 0
        for part in fragments:
            start = text.find(part, offset)
            if start < 0:
                break
            offset = start + len(part)
        else:
            return True
    return False


def _quoted(statement: Statement) -> Iterator[str]:
    """The quotations in Latin letters within a text that a citation follows."""
    for quotation in _QUOTED.finditer(statement.text):
        words = re.findall(r"[A-Za-z][A-Za-z'-]*", quotation[1])
        long = len(words) >= _FEWEST and sum(map(len, words)) > 0.6 * len(quotation[1].replace(" ", ""))
        if long and any(0 <= at - quotation.end() < _NEAR for at, _ in statement.cites):
            yield quotation[1]


def _fragments(quoted: str) -> list[str]:
    """The parts of a quotation between ellipses, in plain letters."""
    parts = re.split(r"…+|\.{3,}|\[[^\]]*\]|⋯", quoted)
    return [plain for part in parts if len(plain := plain_words(part)) > 8]


def plain_words(text: str) -> str:
    """Only letters and digits in lower case: neither hyphens at ends of lines, nor ligatures, nor spaces tell."""
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKC", text).lower())


Half = tuple[NoteText, Sequence[Statement]]
"""A section in one language: the text that it is in, and what it says."""


def differences(
    sections: Mapping[Lang, Mapping[str, Sequence[Statement]]], texts: Mapping[Lang, NoteText]
) -> Iterator[Diagnostic]:
    """Report what one language has in a section and the other has not: numbers, formulas, references, verdicts."""
    languages = list(sections)[:2]
    if len(languages) < 2:
        return
    for section in sections[languages[0]]:
        if section in sections[languages[1]]:
            first, second = ((texts[lang], sections[lang][section]) for lang in languages)
            yield from _numbers_only_in(first, second, section)
            yield from _numbers_only_in(second, first, section)
            for what, said in (("formulas", _formulas), ("references", _references), ("verdicts", _verdicts)):
                if said(first[1]) != said(second[1]):
                    yield _differing(what, said, section, first, second)


def _numbers_only_in(here: Half, other: Half, section: str) -> Iterator[Diagnostic]:
    (text, statements), (other_text, others) = here, other
    known = {_plain(number) for statement in others for number in statement.numbers}
    every = {number.figures.value.normalize() for statement in others for number in statement.numbers}
    for statement in others:
        every.update(values_in_words(statement.text))
        every.update(Decimal(digits.replace(",", "")).normalize() for digits in _DIGITS.findall(statement.text))
    reported: set[Decimal] = set()
    for number in (number for statement in statements for number in statement.numbers):
        value = _plain(number)
        small = (len(number.figures.digits) == 1 and not number.figures.percent) or value in reported
        if small or value in known or number.figures.value.normalize() in every:
            continue
        reported.add(value)
        where = Location(text.path, number.line, number.column)
        message = f'"{number.figures.text}" is not in section "{section}" of {other_text.path}:{others[0].line}'
        hint = "both languages say the same: correct the one that is wrong"
        yield Diagnostic(where, "languages-differ", message, hint, "error")


def _plain(number: Number) -> Decimal:
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


def facts(paper: Paper, index: PaperIndex, title: str, version: int | None) -> Iterator[Diagnostic]:
    """Report what the bibliography says of a paper and its first page does not."""
    first = plain_words(index.passages.first)
    shown = folded_title(title)

    def differs(message: str, hint: str) -> Diagnostic:
        return Diagnostic(paper.location, "paper-differs", message, hint, "warning")

    if shown and len(shown) > 8:
        alike = difflib.SequenceMatcher(None, shown, folded_title(paper.title), autojunk=False).ratio()
        if alike < 0.9 and folded_title(paper.title) not in folded_title(index.passages.first):
            message = f'the title of "{paper.key}" is not that of its PDF: "{title[:90]}"'
            yield differs(message, "correct the title in the .bib file")
    missing = [name.full for name in paper.authors if not _has_name(first, name.last or name.full)]
    if missing and len(missing) < len(paper.authors):
        message = f'page 1 of the PDF of "{paper.key}" does not name {", ".join(missing[:4])}'
        yield differs(message, "correct the authors in the .bib file")
    printed = _PUBLISHED.search(index.passages.first)
    preprint = not paper.venue or "arxiv" in paper.venue.lower() or paper.venue.lower() == "corr"
    if printed and paper.year and not preprint and int(printed[1]) != paper.year:
        message = f'the entry of "{paper.key}" is of {paper.year}, page 1 of its PDF says {printed[1]}'
        hint = "correct the year or the venue in the .bib file; an entry of a preprint names none"
        yield differs(message, hint)
    if printed and not preprint and not same_venue(printed[0], paper.venue):
        message = f'the entry of "{paper.key}" says "{paper.venue}", page 1 of its PDF "{printed[0][:90]}"'
        yield differs(message, "correct the venue in the .bib file")
    if paper.version and version and paper.version != version:
        message = f'the entry of "{paper.key}" is of v{paper.version}, its PDF is v{version}'
        yield differs(message, "verify against the version that the entry names")


def same_venue(first: str, second: str) -> bool:
    """Whether two names of a conference or journal may mean the same one: `ICML` and its name in full do."""
    (names, words, initials), (others, more, letters) = map(_venue, (first, second))
    in_full = any(name in letters for name in names) or any(name in initials for name in others)
    return in_full or bool(names & others) or len(words & more) > 1 or not (names or words) or not (others or more)


def _venue(text: str) -> tuple[set[str], set[str], str]:
    """Short names in a text, its telling words, and first letters: of words with a capital, and of all."""
    for short, full in _IN_FULL.items():
        text = re.sub(rf"\b{short}\b", full, text)
    words = re.findall(r"[^\W\d_]+", text)
    names = {word.casefold() for word in words if len(word) > 2 and sum(map(str.isupper, word)) > 1}
    telling = {word.casefold() for word in words if len(word) > 3} - _OF_ANY_VENUE - names
    capitals = "".join(word[0] for word in words if word[0].isupper())
    return names, telling, f"{capitals} {''.join(word[0] for word in words)}".casefold()


def _has_name(page: str, name: str) -> bool:
    bare = plain_words(_without_accents(name))
    return plain_words(name) in page or bare in page or bare in _without_accents(page)


def _without_accents(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
