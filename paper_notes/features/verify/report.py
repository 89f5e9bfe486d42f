"""All that is found out about notes with the PDFs at hand: their numbers by section and language, and findings."""

from __future__ import annotations

import difflib
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from typing import get_args

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang, Note, NoteId, NoteText
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.verify.evidence import NAME, Evidence, KeptNumber, KeptSection, read_evidence, written
from paper_notes.features.verify.paper import PaperIndex, passages_of
from paper_notes.features.verify.quantities import values_in_words
from paper_notes.features.verify.statements import Number, Statement, read_statements
from paper_notes.features.verify.verify import Papers, Result, Verdict, verify
from paper_notes.identifiers import folded_title
from paper_notes.languages.language import BUILT_IN_WORDS, Words
from paper_notes.markdown.body import LEAD, Body
from paper_notes.sources.pdf.model import PdfIdentity, PdfProblem
from paper_notes.sources.pdf.reader import PdfReader

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
            lacked = tuple(_blocks_only_in(first, second)), tuple(_blocks_only_in(second, first))
            for half, other, blocks in zip((first, second), (second, first), lacked, strict=True):
                yield from (_without_counterpart(half, other, block, section) for block in blocks)
            first, second = (_without(half, blocks) for half, blocks in zip((first, second), lacked, strict=True))
            if not first[1] or not second[1]:
                continue
            yield from _numbers_only_in(first, second, section)
            yield from _numbers_only_in(second, first, section)
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


def _numbers_missing(statements: Sequence[Statement], others: Sequence[Statement]) -> Mapping[Decimal, Number]:
    """The first of each number that the others have in no form. Numbers of one digit may be anything."""
    known = {_plain(number) for statement in others for number in statement.numbers}
    every = {number.figures.value.normalize() for statement in others for number in statement.numbers}
    for statement in others:
        every.update(values_in_words(statement.text))
        every.update(Decimal(digits.replace(",", "")).normalize() for digits in _DIGITS.findall(statement.text))
    missing: dict[Decimal, Number] = {}
    for number in (number for statement in statements for number in statement.numbers):
        if not (_is_small(number) or _plain(number) in known or number.figures.value.normalize() in every):
            missing.setdefault(_plain(number), number)
    return missing


def _is_small(number: Number) -> bool:
    return len(number.figures.digits) == 1 and not number.figures.percent


def _numbers_only_in(here: Half, other: Half, section: str) -> Iterator[Diagnostic]:
    (text, statements), (other_text, others) = here, other
    for number in _numbers_missing(statements, others).values():
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


@dataclass(frozen=True)
class PaperAtHand:
    """A paper that a note is about or cites, and its PDF if there is one."""

    paper: Paper
    index: PaperIndex | None
    path: str = ""
    sha256: str = ""
    version: int | None = None
    title: str = ""
    """On its first page."""


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A number, and what was found out about it."""

    lang: Lang
    section: str
    digest: str
    """Of the section."""
    line: int
    column: int
    kept: KeptNumber
    from_kept: bool
    """Whether it was taken from what is kept, for want of a PDF."""

    @property
    def place(self) -> str:
        """In words."""
        return "; ".join(filter(None, (self.kept.spot.name if self.kept.spot else "", self.kept.remark)))


@dataclass(frozen=True)
class NoteReport:
    """What is found out about a note."""

    note: NoteId
    held: tuple[PaperAtHand, ...]
    rows: tuple[NumberRow, ...]
    findings: tuple[Diagnostic, ...]
    claims: tuple[tuple[Location, str], ...]
    """Sentences that a person has to check, and where they are."""
    evidence: Evidence
    """To be kept."""

    def counts(self, lang: Lang) -> Mapping[str, int]:
        """How many numbers of a language there are of each verdict."""
        numbers = Counter(row.kept.verdict for row in self.rows if row.lang == lang)
        return {verdict: numbers[verdict] for verdict in get_args(Verdict)}


def examine(
    note: Note, body: Body, held: Sequence[PaperAtHand], kept: Evidence | None, words: Words = BUILT_IN_WORDS
) -> NoteReport:
    """Look for all that a note says in the papers `held`: those that it is about, and those that it cites."""
    papers = {item.paper.key: item.index for item in held}
    names = {item.paper.key: name for item in held if (name := short_name(item.paper))}
    rows: list[NumberRow] = []
    findings: list[Diagnostic] = []
    listed: list[tuple[Location, str]] = []
    by_section: dict[Lang, dict[str, list[Statement]]] = {}
    for text in note.texts:
        statements = read_statements(text, words)
        sections = _Sections(body, text.lang)
        of_lang = by_section.setdefault(text.lang, {})
        for statement in statements:
            of_lang.setdefault(sections.at(statement.line)[0], []).append(statement)
        results = verify(statements, papers, note.papers, names)
        rows += _rows(results, text.lang, sections, kept, held)
        findings += quotations(statements, text, papers)
        listed += [(Location(text.path, item.line), said) for item, said in claims(statements)]
    texts = {text.lang: text for text in note.texts}
    findings += differences(by_section, texts)
    for item in held:
        if item.index and item.paper.key in note.papers:
            findings += facts(item.paper, item.index, item.title, item.version)
    findings += _unread(note, held, kept)
    findings += _of_numbers(note, rows)
    pdfs = {str(item.paper.key): item.sha256 for item in held if item.sha256}
    old = kept.pdfs if kept else {}
    evidence = Evidence({**{key: old[key] for key in old if key in papers}, **pdfs}, tuple(_kept_sections(rows)))
    return NoteReport(note.id, tuple(held), tuple(rows), tuple(findings), tuple(listed), evidence)


def short_name(paper: Paper) -> str:
    """What a text calls a paper: the word before the colon of its title."""
    head, colon, _ = paper.title.partition(":")
    return head if colon and len(head.split()) == 1 and len(head) > 2 else ""


class _Sections:
    """Which section a line of a text is in."""

    def __init__(self, body: Body, lang: Lang) -> None:
        halves = [(part.id, part.halves[lang]) for part in body.sections if lang in part.halves]
        starts = sorted((half.location.line, name, half.digest) for name, half in halves)
        half = body.halves.get(lang)
        self._all = [(0, LEAD, half.lead_digest if half else ""), *starts]

    def at(self, line: int) -> tuple[str, str]:
        """Id and digest."""
        _, name, digest = self._all[bisect_right(self._all, line, key=lambda entry: entry[0]) - 1]
        return name, digest


def _rows(
    results: Sequence[Result], lang: Lang, sections: _Sections, kept: Evidence | None, held: Sequence[PaperAtHand]
) -> Iterator[NumberRow]:
    """A row for each number; where PDFs are missing that were there before, as it was then."""
    missing = {item.paper.key for item in held if item.index is None}
    lost = kept if kept and any(key in missing for key in kept.pdfs) else None
    counts: Counter[str] = Counter()
    for result in results:
        section, digest = sections.at(result.statement.line)
        index, number, text = counts[section], result.number, result.number.figures.text
        counts[section] += 1
        saved = lost.of(lang, digest) if lost else None
        before = next((item for item in saved.numbers if item.place == index), None) if saved else None
        before = before if before and before.text == text else None
        now = KeptNumber(index, text, result.verdict, result.spot, result.remark, round(result.chance, 2))
        yield NumberRow(lang, section, digest, number.line, number.column, before or now, bool(before))


def _kept_sections(rows: Iterable[NumberRow]) -> Iterator[KeptSection]:
    by_section: dict[tuple[Lang, str, str], list[KeptNumber]] = {}
    for row in rows:
        if row.kept.verdict != "unchecked":
            by_section.setdefault((row.lang, row.section, row.digest), []).append(row.kept)
    for section, numbers in by_section.items():
        yield KeptSection(*section, tuple(numbers))


def _unread(note: Note, held: Sequence[PaperAtHand], kept: Evidence | None) -> list[Diagnostic]:
    """Question a note that says it has read papers whose PDFs nobody ever had."""
    known = kept.pdfs if kept else {}
    main = (item for item in held if item.paper.key in note.papers)
    never = [item.paper.key for item in main if item.index is None and item.paper.key not in known]
    if note.status != "read" or not never:
        return []
    which = ", ".join(never[:4])
    message = f"the note says `status: read`, but nothing was ever verified in a PDF of {which}"
    hint = "put the PDF into notes_src/pdfs/ and run `paper-notes verify --keep`; or set the status to `reading`"
    return [Diagnostic(note.location, "unread-paper", message, hint, "warning")]


def _of_numbers(note: Note, rows: Sequence[NumberRow]) -> list[Diagnostic]:
    """The numbers that no paper at hand has, or not where the note says."""
    texts = {text.lang: text.path for text in note.texts}
    findings = []
    for row in rows:
        where = Location(texts[row.lang], row.line, row.column)
        number = row.kept
        if number.verdict == "missing":
            message = f'"{number.text}" is in no paper of the note'
            if number.remark:
                message = f'"{number.text}" is not in {number.remark}, and in no paper of the note'
            hint = 'correct it, or say where it is from: {from=own}, {from="1/(1-0.86)"}, {from=figure}, {from="@key"}'
            findings.append(Diagnostic(where, "fact-not-found", message, hint, "error"))
        elif number.spot and number.verdict == "elsewhere" and number.remark:
            message = f'"{number.text}" is not in {number.remark}, but in {number.spot.name}'
            hint = "name the place where it is, correct it, or say where it is from: {from=own}"
            findings.append(Diagnostic(where, "fact-elsewhere", message, hint, "warning"))
    return findings


def reports_on(
    corpus: Corpus, bodies: Mapping[NoteId, Body], pdfs: PdfReader, notes: Iterable[Note]
) -> Iterator[NoteReport]:
    """What is found out about each of the notes; each PDF is read once."""
    read = cache(partial(_at_hand, corpus, pdfs))
    for note in notes:
        body = bodies[note.id]
        cited = (BibKey(target) for kind, target in body.outline.mentions if kind in ("cite", "paper"))
        held = [read(key) for key in dict.fromkeys((*note.papers, *cited)) if key in corpus.papers]
        yield examine(note, body, held, read_evidence(note.files.get(NAME)), corpus.site.words)


def _at_hand(corpus: Corpus, pdfs: PdfReader, key: BibKey) -> PaperAtHand:
    paper = corpus.papers[key]
    pdf = corpus.pdf_of(key, paper.version) or corpus.pdf_of(key)
    if pdf is None or pdf.problem:
        return PaperAtHand(paper, None)
    passages, identity = passages_of(pdf.source, pdfs), pdfs.identity(pdf.source)
    if isinstance(passages, PdfProblem):
        return PaperAtHand(paper, None)
    title = identity.title if isinstance(identity, PdfIdentity) else ""
    return PaperAtHand(paper, PaperIndex(passages), str(pdf.source.path), pdf.source.sha256, pdf.version, title)


def to_keep(note: Note, report: NoteReport) -> Artifact | None:
    """The file to keep beside a note; None if no PDF was ever searched, or the note has no folder."""
    is_folder = note.place != note.location.path
    if not report.evidence.pdfs or not is_folder:
        return None
    return Artifact(note.place / NAME, written(report.evidence))
