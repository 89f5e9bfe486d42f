"""The files of kept pictures: those that the collection shows now, and those that nothing shows any more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.render.crops import Crops
from paper_notes.render.kept_crops import FIRST_PAGE, file_name
from paper_notes.sources.pdf.crop_metadata import CropRecord, NotKept, read_kept_file
from paper_notes.sources.tree import Source

_NAMED = re.compile(r"""pdf:([^\s#()<>\[\]"']{1,200}#[^\s()<>\[\]"']{1,200})""", re.IGNORECASE)


@dataclass(frozen=True)
class CropFiles:
    """The files in the folder of kept pictures as they should be."""

    artifacts: tuple[Artifact, ...]
    """All that have to be there."""
    read: tuple[Source, ...]
    """Those that were there and are ours: a build may replace them, and delete those that need not be there."""
    diagnostics: tuple[Diagnostic, ...]


def crop_files(corpus: Corpus, crops: Crops) -> CropFiles:
    """Compare what the pages show with what is kept. Call it when all pages are known.

    A picture that no page shows is deleted only if it could be drawn again, and if no text names it: not even a note
    that is not built now, or a comment.
    """
    shown = crops.kept.shown
    artifacts, problems = list(shown.values()), list(crops.broken)
    ours = [source for source in corpus.kept.pictures if source.path in shown]
    pdfs = {pdf.source.sha256 for pdf in corpus.pdfs if not pdf.problem}
    named: frozenset[PurePosixPath] | None = None
    for source, record in _not_shown(corpus, crops):
        if named is None:
            named = frozenset(_named(corpus, crops))
        ours.append(source)
        if source.path in named or record.pdf not in pdfs:
            artifacts.append(Artifact(source.path, source))
        if source.path not in named and record.pdf not in pdfs:
            message = "nothing shows this picture of a part of a paper any more"
            hint = "delete it; only the PDF could bring it back, so no build deletes it"
            problems.append(Diagnostic(Location(source.path), "unused-crop", message, hint, "warning"))
    return CropFiles(tuple(artifacts), tuple(ours), tuple(problems))


def _not_shown(corpus: Corpus, crops: Crops) -> Iterator[tuple[Source, CropRecord]]:
    """Pictures of ours that no page shows. Other files in the folder, such as copies, are not our business."""
    for source in corpus.kept.pictures:
        if source.path not in crops.kept.shown:
            try:
                record, _ = read_kept_file(source.data)
            except NotKept:
                continue
            if source.path.name == file_name(record.part):
                yield source, record


def _named(corpus: Corpus, crops: Crops) -> Iterator[PurePosixPath]:
    """The files of all parts that any text names, and of the papers of notes that are not among the corpus."""
    read = {note.location.path for note in corpus.notes}
    read |= {text.path for note in corpus.notes for text in note.texts}
    for source in corpus.kept.texts:
        text = source.data.decode("utf-8", "replace")
        for target in dict.fromkeys(_NAMED.findall(text)):
            if place := crops.place(unquote(target)):
                yield place
        if source.path not in read and "papers" in text:
            papers = (paper for key, paper in corpus.papers.items() if key in text)
            yield from (crops.kept.place(paper, None, FIRST_PAGE) for paper in papers)
