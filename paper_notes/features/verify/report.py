"""All that is found out about notes with the PDFs at hand: their numbers by section and language, and findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang, Note, NoteId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.verify.bibliography import facts
from paper_notes.features.verify.bindings import CellBinding
from paper_notes.features.verify.declarations import Declarations
from paper_notes.features.verify.derived import derived
from paper_notes.features.verify.differences import differences
from paper_notes.features.verify.evidence import (
    CELLS,
    KINDS,
    NAME,
    Cells,
    Evidence,
    read_cells,
    read_evidence,
    written,
    written_cells,
)
from paper_notes.features.verify.findings import Findings
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.labels import Vocabulary
from paper_notes.features.verify.origins import find_cells, named_by_hand
from paper_notes.features.verify.paper import passages_of
from paper_notes.features.verify.quotations import claims, quotations
from paper_notes.features.verify.readings import readings_of
from paper_notes.features.verify.rows import NumberRow, Sections, kept_sections, rows_of, shared
from paper_notes.features.verify.statements import Statement, read_statements
from paper_notes.features.verify.surroundings import Papers, Surroundings
from paper_notes.features.verify.table_files import table_files
from paper_notes.features.verify.verify import verify
from paper_notes.languages.language import BUILT_IN_WORDS, Words
from paper_notes.markdown.body import Body, CellRegion
from paper_notes.sources.pdf.model import PdfIdentity, PdfProblem
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.values import Struct, replace


class PaperAtHand(Struct, frozen=True):
    """A paper that a note is about or cites, and its PDF if there is one."""

    paper: Paper
    index: PaperIndex | None
    path: str = ""
    sha256: str = ""
    version: int | None = None
    title: str = ""
    """On its first page."""


class NoteReport(Struct, frozen=True):
    """What is found out about a note."""

    note: NoteId
    held: tuple[PaperAtHand, ...]
    rows: tuple[NumberRow, ...]
    findings: tuple[Diagnostic, ...]
    claims: tuple[tuple[Location, str], ...]
    """Sentences that a person has to check, and where they are."""
    pdfs: Mapping[str, str]
    """As in `Evidence`."""

    @property
    def papers(self) -> Papers:
        return {item.paper.key: item.index for item in self.held}

    @property
    def evidence(self) -> Evidence:
        """To be kept."""
        return Evidence(self.pdfs, tuple(kept_sections(shared(self.rows))))

    def counts(self, lang: Lang) -> Mapping[str, int]:
        """How many numbers of a language there are of each kind."""
        numbers = Counter(row.kept.kind for row in self.rows if row.lang == lang)
        return {kind: numbers[kind] for kind in KINDS}


def examine(
    note: Note, body: Body, held: Sequence[PaperAtHand], kept: Evidence | None, words: Words = BUILT_IN_WORDS
) -> NoteReport:
    """Look for all that a note says in the papers `held`: those that it is about, and those that it cites."""
    papers: Papers = {item.paper.key: item.index for item in held}
    names = {item.paper.key: name for item in held if (name := short_name(item.paper))}
    readings, problems = readings_of(note.files)
    missing = {item.paper.key for item in held if item.index is None}
    rows: list[NumberRow] = []
    findings: list[Diagnostic] = [*problems]
    listed: list[tuple[Location, str]] = []
    by_section: dict[Lang, dict[str, list[Statement]]] = {}
    said = {text.lang: read_statements(text, words) for text in note.texts}
    for text in note.texts:
        statements, sections = said[text.lang], Sections(body, text.lang)
        of_lang = by_section.setdefault(text.lang, {})
        for statement in statements:
            of_lang.setdefault(sections.at(statement.line)[0], []).append(statement)
        results = [
            named_by_hand(result.number, result.statement, papers, note.papers, readings) or result
            for result in verify(statements, papers, note.papers, names)
        ]
        around = Surroundings(statements, note.papers, names)
        results = list(Declarations(around, papers, note.papers, readings).doubted(results))
        results = list(derived(results))
        rows += rows_of(results, text.lang, sections, around, kept, missing)
        findings += quotations(statements, text, papers)
        listed += [(Location(text.path, item.line), claim) for item, claim in claims(statements)]
    texts = {text.lang: text for text in note.texts}
    of_numbers = Findings(rows, {lang: text.path for lang, text in texts.items()}, papers, note.papers)
    wrong_numbers = list(of_numbers.all())
    findings += differences(by_section, texts, of_numbers.explained)
    for item in held:
        if item.index and item.paper.key in note.papers:
            findings += facts(item.paper, item.index, item.title, item.version)
    findings += _unread(note, held, kept)
    findings += wrong_numbers
    pdfs = {str(item.paper.key): item.sha256 for item in held if item.sha256}
    old = kept.pdfs if kept else {}
    pdfs = {**{key: old[key] for key in old if key in papers}, **pdfs}
    return NoteReport(note.id, tuple(held), tuple(rows), tuple(findings), tuple(listed), pdfs)


def short_name(paper: Paper) -> str:
    """What a text calls a paper: the word before the colon of its title."""
    head, colon, _ = paper.title.partition(":")
    return head if colon and len(head.split()) == 1 and len(head) > 2 else ""


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


def reports_on(
    corpus: Corpus, bodies: Mapping[NoteId, Body], pdfs: PdfReader, notes: Iterable[Note]
) -> Iterator[NoteReport]:
    """What is found out about each of the notes; each PDF is read once."""
    vocabulary = Vocabulary((*(name for _, name in term.name.parts), *term.aliases) for term in corpus.terms)
    read = cache(partial(_at_hand, corpus, pdfs, vocabulary))
    for note in notes:
        body = bodies[note.id]
        cited = (BibKey(target) for kind, target in body.outline.mentions if kind in ("cite", "paper"))
        held = [read(key) for key in dict.fromkeys((*note.papers, *cited)) if key in corpus.papers]
        yield examine(note, body, held, read_evidence(note.files.get(NAME)), corpus.site.words)


def _at_hand(corpus: Corpus, pdfs: PdfReader, vocabulary: Vocabulary, key: BibKey) -> PaperAtHand:
    paper = corpus.papers[key]
    pdf = corpus.pdf_of(key, paper.version) or corpus.pdf_of(key)
    if pdf is None or pdf.problem:
        return PaperAtHand(paper, None)
    passages, identity = passages_of(pdf.source, pdfs), pdfs.identity(pdf.source)
    if isinstance(passages, PdfProblem):
        return PaperAtHand(paper, None)
    title = identity.title if isinstance(identity, PdfIdentity) else ""
    return PaperAtHand(
        paper,
        PaperIndex(passages, vocabulary, short_name(paper)),
        str(pdf.source.path),
        pdf.source.sha256,
        pdf.version,
        title,
    )


def to_keep(note: Note, report: NoteReport, *, crops: bool) -> Iterator[Artifact]:
    """The files to keep beside a note; none if no PDF was ever searched, or the note has no folder.

    Where cells stand is kept with `crops`, or if it was before.
    """
    is_folder = note.place != note.location.path
    if report.pdfs and is_folder:
        yield Artifact(note.place / NAME, written(report.evidence))
        cells = cells_of(note, report) if crops or CELLS in note.files else {}
        if cells or CELLS in note.files:
            yield Artifact(note.place / CELLS, written_cells(cells))
        index = report.papers.get(note.papers[0]) if note.papers else None
        tables = (part.table for part in (index.all if index else ()))
        yield from table_files(note, {table.number: table for table in tables if table})


def cells_of(note: Note, report: NoteReport) -> Cells:
    """Where the cells stand that numbers are bound to; as it was kept for papers whose PDF is not at hand."""
    cells, kept = dict[CellBinding, CellRegion](), read_cells(note.files.get(CELLS))
    for row in report.rows:
        binding = row.kept.binding
        if not isinstance(binding, CellBinding) or row.kept.kind != "cell" or binding in cells:
            continue
        binding = replace(binding, key=binding.key or note.papers[0])
        if report.papers.get(binding.key) is None:
            cells |= {binding: kept[binding]} if binding in kept else {}
        elif region := _region(binding, report, note):
            cells[binding] = region
    return cells


def _region(binding: CellBinding, report: NoteReport, note: Note) -> CellRegion | None:
    """Where its cell stands, if that is known to be one."""
    meant = find_cells(binding, report.papers, note.papers)[0]
    if len(meant) != 1 or (index := report.papers[meant[0][0]]) is None:
        return None
    key, table, cell = meant[0]
    kind = next(part.passage.kind for part in index.all if part.grid and part.grid.table is table)
    pdf = next(item.sha256 for item in report.held if item.paper.key == key)
    is_read = cell.box[1] < cell.box[3]
    return CellRegion(f"{key}#{kind}-{table.number}", pdf, cell.page, cell.box, cell.body) if is_read else None
