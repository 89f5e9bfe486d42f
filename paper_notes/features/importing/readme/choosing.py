"""Whether a README lists the notes of its folder, and what it makes of them before they are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from paper_notes.corpus.model import Corpus
from paper_notes.features.importing.folders import ImportRequest
from paper_notes.features.importing.readme.listing import arranged, by_address, topics_of
from paper_notes.features.importing.readme.reading import HandKeptReadme, read_readme
from paper_notes.features.importing.readme.rows import is_page

_NAMES = ("README.md", "readme.md", "Readme.md", "README.markdown", "index.md")


def own_readmes(files: Iterable[PurePosixPath]) -> list[PurePosixPath]:
    """The files at the top of a folder that may list all of it, the likeliest first."""
    present = set(files)
    return [path for name in _NAMES if (path := PurePosixPath(name)) in present]


def read_listing(path: PurePosixPath, text: str, files: Iterable[PurePosixPath], corpus: Corpus) -> HandKeptReadme:
    """A README that may lead to these files, and to notes of the collection."""
    find = by_address([*((str(file), str(file)) for file in files), *((note.id, note.id) for note in corpus.notes)])
    return read_readme(path, text, lambda address: is_page(address) or find(address) is not None)


def lists(readme: HandKeptReadme, files: Sequence[PurePosixPath]) -> bool:
    """Whether a README leads to some of these files in tables or lists."""
    return any(True for _ in arranged(readme, {section.start: "x" for section in readme.sections}, files))


def with_readme(wanted: ImportRequest, readme: HandKeptReadme, corpus: Corpus) -> ImportRequest:
    """What is wanted of a folder, with topics and numbers as the README has them."""
    topics = topics_of(readme, corpus, wanted.topic)
    places = {path: (topic, number) for path, topic, number in arranged(readme, topics, wanted.folder.files)}
    return replace(wanted, readme=readme.path, arranged=places)
