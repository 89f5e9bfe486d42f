"""The PDFs of a collection, and which paper each is: by its first page, its name, or the note it lies beside."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath

from paper_notes.corpus.kept_crops import file_stem
from paper_notes.corpus.model import Note, Pdf
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.identifiers import ArxivId, arxiv_in_name, folded_title
from paper_notes.sources.pdf.model import PdfIdentity, PdfProblem
from paper_notes.sources.tree import SOURCE_FOLDER, Source

Identify = Callable[[Source], PdfIdentity | PdfProblem]
_UNLIKE = 0.45
"""Two titles with a similarity (0 to 1) below this surely belong to different papers."""


def load_pdfs(
    sources: Iterable[Source],
    papers: Mapping[BibKey, Paper],
    notes: Iterable[Note],
    identify: Identify,
    problems: list[Diagnostic],
) -> tuple[Pdf, ...]:
    """All PDFs among the sources. Problems with one are warnings here, and errors where a note needs it."""
    pdfs = [source for source in sources if source.path.suffix.lower() == ".pdf"]
    if not pdfs:
        return ()
    table = _PaperTable(papers, notes)
    return tuple(_pdf(source, table, identify(source), problems) for source in pdfs)


def _names(stem: str, arxiv: ArxivId) -> bool:
    """Whether the name of a file has an id of the old form: `cs-0112017`, but not as the end of `physics-0112017`."""
    return re.search(rf"(?<![a-z]){re.escape(arxiv.replace('/', '-'))}(?![0-9])", stem, re.IGNORECASE) is not None


class _PaperTable:
    """Finds papers by all that identifies a PDF."""

    def __init__(self, papers: Mapping[BibKey, Paper], notes: Iterable[Note]) -> None:
        self.papers = papers
        self.by_arxiv = {paper.arxiv: paper for paper in papers.values() if paper.arxiv}
        self.by_doi = {paper.doi.lower(): paper for paper in papers.values() if paper.doi}
        self.by_title = {folded_title(paper.title): paper for paper in papers.values()}
        self.notes = {note.location.path.parent: note for note in notes if note.location.path.name == "note.yaml"}

    def by_file_name(self, path: PurePosixPath) -> tuple[Paper | None, ArxivId | None]:
        """The paper that the name of a file means, and the arXiv id in the name."""
        if paper := self.papers.get(BibKey(path.stem)):
            return paper, paper.arxiv
        if named := arxiv_in_name(path.stem):
            return self.by_arxiv.get(named[0]), named[0]
        old = next((arxiv for arxiv in self.by_arxiv if "/" in arxiv and _names(path.stem, arxiv)), None)
        return (self.by_arxiv[old], old) if old else (None, None)

    def note_of(self, path: PurePosixPath) -> Note | None:
        """The note whose folder a file is in."""
        return next((self.notes[folder] for folder in path.parents if folder in self.notes), None)


def _pdf(source: Source, table: _PaperTable, identity: PdfIdentity | PdfProblem, problems: list[Diagnostic]) -> Pdf:
    where = Location(source.path)
    expected, expected_id = table.by_file_name(source.path)
    note = table.note_of(source.path)
    if isinstance(identity, PdfProblem):
        problems.append(Diagnostic(where, "bad-pdf", identity.message, identity.hint, "warning"))
        paper = expected or _main(note, table)
        return Pdf(source, paper.key if paper else None, None, identity)
    paper = _paper(identity, expected, note, table)
    problems += _contradictions(where, identity, (expected, expected_id), table)
    if identity.repaired:
        message = "the PDF is damaged; it could be repaired for reading, but something may be missing"
        problems.append(Diagnostic(where, "damaged-pdf", message, "download it again", "warning"))
    if paper and not identity.has_text:
        message = "the PDF has no text on its first page, so its figures cannot be found by their captions"
        hint = "show parts of it by their place: ![...](pdf:...#page-4:x0,y0,x1,y1)"
        problems.append(Diagnostic(where, "pdf-without-text", message, hint, "warning"))
    if note and note.papers and (paper.key if paper else identity.arxiv) not in (None, *note.papers):
        which = f'"{paper.key}"' if paper else f"arXiv:{identity.arxiv}"
        message = f"this PDF is {which}, which the note beside it does not name"
        hint = f"add it to `papers:` in {note.location.path}, or replace the PDF"
        problems.append(Diagnostic(where, "wrong-pdf", message, hint, "warning"))
    elif paper is None and identity.arxiv is None:
        shown = f' is titled "{identity.title[:80]}"' if identity.title else " has no title that could be read"
        message = f"no entry in the .bib files is this paper: its first page{shown}"
        hint = "name it by its arXiv id or BibTeX key, as in 2510.26475.pdf"
        problems.append(Diagnostic(where, "unknown-pdf", message, hint, "warning"))
    return Pdf(source, paper.key if paper else None, identity.version, None)


def _paper(identity: PdfIdentity, expected: Paper | None, note: Note | None, table: _PaperTable) -> Paper | None:
    """The paper by arXiv's stamp, which is certain, or else by file name, DOI, title, or the note beside it."""
    if identity.arxiv:
        stamped = table.by_arxiv.get(identity.arxiv)
        return stamped or (expected if expected and not expected.arxiv else None)
    by_doi = table.by_doi.get(identity.doi.lower()) if identity.doi else None
    return expected or by_doi or table.by_title.get(folded_title(identity.title)) or _main(note, table)


def _main(note: Note | None, table: _PaperTable) -> Paper | None:
    return table.papers[note.papers[0]] if note and note.papers else None


def _contradictions(
    where: Location, identity: PdfIdentity, expected: tuple[Paper | None, ArxivId | None], table: _PaperTable
) -> list[Diagnostic]:
    """Report where the name of the file and its first page disagree."""
    paper, arxiv = expected
    if identity.arxiv and arxiv and identity.arxiv != arxiv:
        message = f"the name says arXiv:{arxiv}, but the first page says arXiv:{identity.arxiv}"
        version = f"v{identity.version}" if identity.version else ""
        hint = f"rename it to {identity.arxiv.replace('/', '-')}{version}.pdf, or download the right one"
        return [Diagnostic(where, "wrong-pdf", message, hint, "warning")]
    shown = folded_title(identity.title)
    if paper and not identity.arxiv and len(shown) > 12:
        likeness = difflib.SequenceMatcher(None, shown, folded_title(paper.title), autojunk=False).ratio()
        if likeness < _UNLIKE:
            message = f'the name says "{paper.key}", but the first page is titled "{identity.title[:80]}"'
            hint = f'that entry is titled "{paper.title[:80]}"; rename the file, or download the right one'
            return [Diagnostic(where, "wrong-pdf", message, hint, "warning")]
    return []


def pdf_place(paper: Paper) -> str:
    """A hint: where to save the PDF of a paper."""
    return f"save it as {PurePosixPath(SOURCE_FOLDER, 'pdfs', file_stem(paper))}.pdf"


def published_place(paper: Paper) -> str:
    """The same for a PDF that a note publishes."""
    return f"{pdf_place(paper)}; what is published is committed, too: `git add -f` where git ignores it"
