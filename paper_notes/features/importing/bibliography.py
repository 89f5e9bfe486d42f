"""The papers that the notes of a folder may cite: those of its BibTeX files, and those of the collection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from paper_notes.corpus.model import Corpus
from paper_notes.features.importing.types import Folder
from paper_notes.features.papers.bibtex import drafts_in
from paper_notes.features.papers.draft import Draft, free_key
from paper_notes.features.papers.known_papers import KnownPapers
from paper_notes.sources.tree import Source

SUFFIX = ".bib"


@dataclass(frozen=True)
class Bibliography:
    """What citations of a folder lead to."""

    keys: Mapping[str, str]
    """The keys of papers in the collection, by those under which the notes cite them."""
    drafts: Mapping[str, Draft]
    """The papers that the collection has not, by their keys there."""
    files: Mapping[str, PurePosixPath]
    """The file of each key that is not the collection's own."""


def bibliography(folder: Folder, corpus: Corpus) -> Bibliography:
    """The papers of a folder. An entry with a mistake is none; a paper has one key here."""
    known = KnownPapers(corpus)
    keys: dict[str, str] = {key: key for key in corpus.papers}
    drafts: dict[str, Draft] = {}
    files: dict[str, PurePosixPath] = {}
    for path in sorted(file for file in folder.files if file.suffix.lower() == SUFFIX):
        source = Source(path, (folder.read(path) or b"").decode(errors="replace").encode())
        for key, (paper, draft) in drafts_in(source).items():
            if key in files:
                continue
            files[key] = path
            same = known.find(draft)
            if same is None:
                same = replace(paper, key=free_key(key, known.papers))
                known.remember(same)
                drafts[same.key] = draft
            keys[key] = same.key
    return Bibliography(keys, drafts, files)
