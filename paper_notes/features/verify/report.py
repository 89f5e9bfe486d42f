"""All that is found out about notes with the PDFs at hand: their numbers by section and language, and findings."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import get_args

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang, Note, NoteId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.verify.bibliography import facts
from paper_notes.features.verify.differences import differences
from paper_notes.features.verify.evidence import NAME, Evidence, KeptNumber, KeptSection, read_evidence, written
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.paper import passages_of
from paper_notes.features.verify.quotations import claims, quotations
from paper_notes.features.verify.statements import Statement, read_statements
from paper_notes.features.verify.verify import Result, Verdict, verify
from paper_notes.languages.language import BUILT_IN_WORDS, Words
from paper_notes.markdown.body import LEAD, Body
from paper_notes.sources.pdf.model import PdfIdentity, PdfProblem
from paper_notes.sources.pdf.reader import PdfReader


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
