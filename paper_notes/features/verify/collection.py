"""The notes of a collection, each examined with the PDFs at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Note, NoteId
from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.evidence import NAME, Evidence, read_evidence, written
from paper_notes.features.verify.paper import PaperIndex
from paper_notes.features.verify.passages import passages_of
from paper_notes.features.verify.report import NoteReport, PaperAtHand, examine
from paper_notes.markdown.body import Body
from paper_notes.sources.pdf.model import PdfIdentity, PdfProblem
from paper_notes.sources.pdf.reader import PdfReader


@dataclass
class Verifier:
    """Examines notes; each PDF is read once."""

    corpus: Corpus
    bodies: Mapping[NoteId, Body]
    pdfs: PdfReader
    _held: dict[BibKey, PaperAtHand] = field(default_factory=dict)

    def notes(self) -> Iterator[Note]:
        """Those that say something of papers: a list of papers quotes them, and has its own care."""
        return (note for note in self.corpus.written if note.papers and not note.entries)

    def reports(self, notes: Iterable[Note]) -> Iterator[NoteReport]:
        """What is found out about each of the notes."""
        for note in notes:
            body = self.bodies[note.id]
            cited = (BibKey(target) for kind, target in body.outline.mentions if kind in ("cite", "paper"))
            keys = [key for key in dict.fromkeys((*note.papers, *cited)) if key in self.corpus.papers]
            held = [self._paper(key) for key in keys]
            yield examine(note, body, held, kept_of(note), self.corpus.site.words)

    def _paper(self, key: BibKey) -> PaperAtHand:
        if key not in self._held:
            self._held[key] = self._read(key)
        return self._held[key]

    def _read(self, key: BibKey) -> PaperAtHand:
        paper = self.corpus.papers[key]
        pdf = self.corpus.pdf_of(key, paper.version) or self.corpus.pdf_of(key)
        if pdf is None or pdf.problem:
            return PaperAtHand(paper, None)
        passages, identity = passages_of(pdf.source, self.pdfs), self.pdfs.identity(pdf.source)
        if isinstance(passages, PdfProblem):
            return PaperAtHand(paper, None)
        title = identity.title if isinstance(identity, PdfIdentity) else ""
        index = PaperIndex(passages)
        return PaperAtHand(paper, index, str(pdf.source.path), pdf.source.sha256, pdf.version, title)


def kept_of(note: Note) -> Evidence | None:
    """What is kept beside the note."""
    return read_evidence(note.files.get(NAME))


def to_keep(note: Note, report: NoteReport) -> Artifact | None:
    """The file to keep beside a note; None if no PDF was ever searched, or the note has no folder."""
    is_folder = note.place != note.location.path
    if not report.evidence.pdfs or not is_folder:
        return None
    return Artifact(note.place / NAME, written(report.evidence))
