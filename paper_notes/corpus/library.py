"""All .bib files to the papers of the collection, cached as one value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from paper_notes.corpus.bibliography.crossref import inherited
from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, naming
from paper_notes.engine.cache import Cache
from paper_notes.sources.bibtex import BibEntry, parse_bibtex
from paper_notes.sources.tree import Source

Library = tuple[Mapping[BibKey, Paper], tuple[Diagnostic, ...]]


@dataclass(frozen=True, slots=True)
class _Stored:
    papers: Mapping[BibKey, Paper]
    problems: tuple[Diagnostic, ...]


def read_library(sources: Iterable[Source], cache: Cache | None = None, asked: Collection[str] = ()) -> Library:
    """The papers of the .bib files among the sources by key, and their diagnostics.

    Files are read in the order of the sources. An `@string` is valid from its place to the end of the last file;
    `crossref` and `xdata` may refer to any entry of any file. `asked` are the fields that the site publishes besides
    the usual ones.
    """
    files = [source for source in sources if source.path.suffix.lower() == ".bib"]
    if not files:
        return {}, ()
    inputs = [(file.path, file.sha256) for file in files], sorted(asked)
    known = (cache or Cache()).memo("papers", inputs, _Stored, lambda: _read(files, asked))
    return known.papers, known.problems


def _read(files: list[Source], asked: Collection[str]) -> _Stored:
    entries: list[BibEntry] = []
    problems: list[Diagnostic] = []
    strings: dict[str, str] = {}
    for file in files:
        with naming(file.path):
            of_file, diagnostics = parse_bibtex(file, strings)
        entries += of_file
        problems += diagnostics
    complete, diagnostics = inherited(entries)
    problems += diagnostics
    papers, diagnostics = papers_from(complete, asked)
    return _Stored(papers, (*problems, *diagnostics))
