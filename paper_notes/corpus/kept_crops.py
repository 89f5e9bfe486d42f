"""Pictures of parts of papers that a collection keeps: what lets it be built without the PDFs.

They are beside the library and not in the notes' folders: one picture serves every note and both languages, a short
note has no folder, and a note that moves takes nothing along.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from paper_notes.corpus.paper import Paper
from paper_notes.patterns import regex
from paper_notes.sources.filenames import alike, unusable
from paper_notes.sources.tree import SOURCE_FOLDER, Source, ignored
from paper_notes.values import Struct

KEPT = PurePosixPath(SOURCE_FOLDER, "crops")
_TEXTS = frozenset({".md", ".yaml", ".yml", ".tsv"})
_GOOD_NAME = regex(r"\w[\w.+-]{0,99}")
_OTHER_SIGNS = regex(r"[^\w.+-]+")


class KeptFiles(Struct, frozen=True):
    """The files in the folder of kept pictures, and all texts of the collection, which may name one."""

    pictures: tuple[Source, ...] = ()
    texts: tuple[Source, ...] = ()


NO_KEPT_FILES = KeptFiles()


def kept_files(sources: Iterable[Source]) -> KeptFiles:
    """Those among the sources."""
    pictures, texts = [], []
    for source in sources:
        if source.path.suffix == ".webp" and source.path.is_relative_to(KEPT):
            pictures.append(source)
        elif source.path.suffix in _TEXTS:
            texts.append(source)
    return KeptFiles(tuple(pictures), tuple(texts))


def file_stem(paper: Paper) -> str:
    """How files of a paper are called: by its arXiv id, or else its BibTeX key."""
    return paper.arxiv.replace("/", "-") if paper.arxiv else paper.key


class PaperFolders:
    """The folders of papers: as `file_stem`, and made different where some disk could not tell two of them apart."""

    def __init__(self, papers: Iterable[Paper]) -> None:
        stems = {unicodedata.normalize("NFC", file_stem(paper)) for paper in papers}
        self._count = Counter(map(alike, stems))

    def of(self, paper: Paper, version: int | None) -> PurePosixPath:
        """The folder for a version that was asked for, or for the newest there is."""
        stem = unicodedata.normalize("NFC", file_stem(paper))
        name = stem
        if not _GOOD_NAME.fullmatch(stem) or unusable(stem) or ignored(stem) or self._count[alike(stem)] > 1:
            digest = hashlib.sha256(stem.encode()).hexdigest()[:8]
            name = f"{_OTHER_SIGNS.sub('-', stem)[:60].strip('-.')}-{digest}".lstrip("-")
        return KEPT / (f"{name}v{version}" if version else name)
