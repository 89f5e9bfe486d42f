"""Pictures of parts of papers that the collection keeps: those shown without a PDF, and those to be written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.kept_crops import PaperFolders
from paper_notes.corpus.model import Corpus, Pdf
from paper_notes.corpus.paper import Paper
from paper_notes.sources.pdf.crop_metadata import CropRecord, NotKept, kept_file, read_kept_file
from paper_notes.sources.pdf.picture import Picture

FIRST_PAGE = "first-page"
"""The part that the small picture beside a paper's facts shows."""
_OTHER_SIGNS = re.compile(r"[^\w.,+-]+")
_LONGEST = 80
"""Characters of a part in the name of its file: more than any that exists has."""


class KeptCrops:
    """Finds kept pictures, and collects those that this build shows. Each is read once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._pictures = {source.path: source for source in corpus.kept.pictures}
        self._shown: dict[PurePosixPath, Artifact] = {}

    @cached_property
    def _folders(self) -> PaperFolders:
        return PaperFolders(self._corpus.papers.values())

    @property
    def shown(self) -> Mapping[PurePosixPath, Artifact]:
        """The files of all pictures that were found or drawn."""
        return self._shown

    def place(self, paper: Paper, version: int | None, part: str) -> PurePosixPath:
        """The file for a part of a paper; `version` is None for the newest there is."""
        return self._folders.of(paper, version) / file_name(part)

    def others(self, place: PurePosixPath) -> tuple[str, ...]:
        """Names of the pictures beside a missing one, without suffix."""
        names = (path.stem for path in self._pictures if path.parent == place.parent)
        return tuple(sorted(name for name in names if name != FIRST_PAGE))

    def find(self, place: PurePosixPath, part: str, pdf: Pdf | None) -> tuple[CropRecord, Picture] | None:
        """The picture in a file; None without the file, or if `pdf` is another one, of which it should be drawn.

        Raises NotKept for a file with something else in it.
        """
        source = self._pictures.get(place)
        if source is None:
            return None
        record, picture = read_kept_file(source.data)
        if record.part != part:
            raise NotKept(f"is the picture of {record.part}")
        if not _is_current(record, pdf):
            return None
        self._shown[place] = Artifact(place, source)
        return record, picture

    def keep(self, place: PurePosixPath, record: CropRecord, picture: Picture) -> None:
        """Have the build write a picture."""
        self._shown[place] = Artifact(place, kept_file(record, picture))


def file_name(part: str) -> str:
    """The name of the file that keeps a part: `figure-3.webp`, `page-4_72,90,300,410.webp`."""
    return f"{_OTHER_SIGNS.sub('_', part)[:_LONGEST]}.webp"


def _is_current(record: CropRecord, pdf: Pdf | None) -> bool:
    """Whether a picture need not be drawn again from this PDF.

    Another file of the same version, or an older version, as a co-author may have it, changes nothing.
    """
    if pdf is None or pdf.problem or pdf.source.sha256 == record.pdf:
        return True
    return bool(record.version and pdf.version and pdf.version <= record.version)
