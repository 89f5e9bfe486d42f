"""Finds many papers in a collection, and makes BibTeX entries for those that it does not have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from paper_notes.corpus.bibliography.tex import plain_text
from paper_notes.corpus.model import Corpus
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.features.papers.draft import Draft, bibtex_entry
from paper_notes.features.papers.scaffold import known_paper, read_back
from paper_notes.identifiers import folded_title

LIBRARY = "papers.bib"
"""In the folder of a note that lists papers: those that the collection had not. A year is too much for one file."""


@dataclass
class KnownPapers:
    """The papers of a collection, and those that are added to it. A paper is found without a look at all others."""

    corpus: Corpus
    papers: dict[BibKey, Paper] = field(init=False)
    _by_id: dict[str, BibKey] = field(default_factory=dict)
    """By arXiv id and DOI."""
    _by_title: dict[str, dict[BibKey, Paper]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.papers = {}
        for paper in self.corpus.papers.values():
            self._remember(paper)

    def find(self, draft: Draft) -> Paper | None:
        """The paper as `known_paper` finds it: by arXiv id, DOI, or title and author."""
        key = self._by_id.get(draft.arxiv or "") or self._by_id.get((draft.doi or "").lower())
        if key:
            return self.papers[key]
        return known_paper(replace(self.corpus, papers=self._like(draft)), draft)

    def add(self, draft: Draft) -> tuple[Paper, str]:
        """A paper that is new, and its BibTeX entry."""
        entry = bibtex_entry(draft, self.papers)
        paper = read_back(entry)
        self._remember(paper)
        return paper, entry

    def _like(self, draft: Draft) -> Mapping[BibKey, Paper]:
        return self._by_title.get(folded_title(plain_text(draft.title or "")), {})

    def _remember(self, paper: Paper) -> None:
        self.papers[paper.key] = paper
        for name in (paper.arxiv or "", (paper.doi or "").lower()):
            if name:
                self._by_id.setdefault(name, paper.key)
        self._by_title.setdefault(folded_title(paper.title), {})[paper.key] = paper
