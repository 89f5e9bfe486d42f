"""Finds papers in a collection, and makes BibTeX entries for those that it does not have."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.bibliography.tex import plain_title
from paper_notes.corpus.model import Corpus
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.features.papers.draft import Draft, bibtex_entry, free_key
from paper_notes.identifiers import folded_title
from paper_notes.sources.bibtex import parse_bibtex
from paper_notes.sources.tree import Source

LIBRARY = "papers.bib"
"""In the folder of a note that lists papers: those that the collection had not. A year is too much for one file."""


@dataclass
class KnownPapers:
    """The papers of a collection, and those that are added to it. A paper is found without a look at all others."""

    corpus: Corpus
    papers: dict[BibKey, Paper] = field(init=False, default_factory=dict)
    bibtex: list[str] = field(init=False, default_factory=list)
    """Entries of those that were added, but for those in a `library`."""
    _by_id: dict[str, Paper] = field(init=False, default_factory=dict)
    """By arXiv id and DOI."""
    _by_title: dict[str, list[Paper]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for paper in self.corpus.papers.values():
            self.remember(paper)

    def find(self, draft: Draft) -> Paper | None:
        """The paper by key, arXiv id, DOI, or title and first author; without authors the year."""
        if draft.key:
            return self.papers.get(draft.key)
        known = self._by_id.get(draft.arxiv or "") or self._by_id.get((draft.doi or "").lower())
        alike = self._by_title.get(folded_title(plain_title(draft.title or "")), ())
        return known or next((paper for paper in alike if _may_be(paper, draft)), None)

    def paper(self, draft: Draft) -> Paper:
        """The paper, which gets an entry if the collection has none."""
        known = self.find(draft)
        if known is None:
            entry = new_entry(draft, self.papers)
            known = read_back(entry)
            self.remember(known)
            self.bibtex.append(entry)
        return known

    def library(self, folder: PurePosixPath, sources: Iterable[Source], before: int = 0) -> tuple[Artifact, ...]:
        """The file of a note with the new entries but for those `before`, which are in no other file then."""
        entries, self.bibtex = self.bibtex[before:], self.bibtex[:before]
        path = folder / LIBRARY
        return (Artifact(path, appended(sources, "\n".join(entries), path)),) if entries else ()

    def remember(self, paper: Paper) -> None:
        """Know a paper from now on."""
        self.papers[paper.key] = paper
        for name in filter(None, (paper.arxiv, (paper.doi or "").lower())):
            self._by_id.setdefault(name, paper)
        if title := folded_title(paper.title):
            self._by_title.setdefault(title, []).append(paper)


def _may_be(paper: Paper, draft: Draft) -> bool:
    """Whether two of one title are one paper: no other id, and the same first author, or year."""
    if (paper.arxiv and draft.arxiv) or (paper.doi and draft.doi):
        return False
    known, wanted = (folded_title(of.authors[0].family) if of.authors else "" for of in (paper, draft))
    return known == wanted if known and wanted else draft.year in (None, paper.year)


def appended(sources: Iterable[Source], entry: str, path: PurePosixPath) -> bytes:
    """A BibTeX file as it is, byte for byte, and the entry after an empty line."""
    old = next((source.data for source in sources if source.path == path), b"")
    newline = b"\r\n" if b"\r\n" in old else b"\n"
    gap = b"" if not old.strip() else newline if old.endswith(b"\n") else newline * 2
    return old + gap + entry.encode().replace(b"\n", newline)


def read_back(entry: str) -> Paper:
    """The paper as the next build will read it: the first of the entries in the text."""
    papers, _ = papers_from(parse_bibtex(Source(PurePosixPath(LIBRARY), entry.encode()))[0])
    return next(iter(papers.values()))


def new_entry(draft: Draft, taken: Container[BibKey]) -> str:
    """The BibTeX of a paper under a key that is not taken: its own entry, if it has one."""
    return _with_free_key(draft.entry, taken) or bibtex_entry(draft, taken)


def _with_free_key(text: str, taken: Container[BibKey]) -> str:
    """The entry under a key that is not taken, and the one it refers to, unless the collection has it."""
    entries, _ = parse_bibtex(Source(PurePosixPath(LIBRARY), text.encode()))
    texts = []
    for entry in entries[:1]:
        kind, brace, rest = entry.raw.partition("{")  # the key may be `misc` too
        texts.append(kind + brace + rest.replace(entry.key, free_key(entry.key, taken), 1))
    texts += [parent.raw for parent in entries[1:] if BibKey(parent.key) not in taken]
    return "\n\n".join(texts) + "\n" if texts else ""
