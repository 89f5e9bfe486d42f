"""The papers that notes of a collection are about: known ones are found, new ones get an entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from paper_notes.corpus.model import ArxivId, Corpus
from paper_notes.corpus.paper import BibKey, Paper, PersonName
from paper_notes.features.importing.types import ImportedText
from paper_notes.features.papers.arxiv import ArxivReference, offline_draft
from paper_notes.features.papers.draft import Draft, bibtex_entry, inverted_name
from paper_notes.features.papers.scaffold import known_paper, read_back
from paper_notes.identifiers import folded_title


@dataclass
class Papers:
    """Finds papers by arXiv id, DOI and title, and makes BibTeX for those that the collection has not."""

    corpus: Corpus
    drafts: Mapping[ArxivId, Draft]
    """What arXiv says; of others only the id is known."""
    by_key: dict[BibKey, Paper] = field(init=False)
    bibtex: list[str] = field(default_factory=list)
    _by_id: dict[str, Paper] = field(default_factory=dict)
    _by_title: dict[str, dict[BibKey, Paper]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_key = dict(self.corpus.papers)
        for paper in self.by_key.values():
            self._remember(paper)

    def keys(self, note: ImportedText) -> list[str]:
        """The keys of the papers of a note, the main one first."""
        drafts = [self.drafts.get(arxiv) or offline_draft(ArxivReference(arxiv, None)) for arxiv in note.arxiv]
        drafts += [Draft("id", doi=doi) for doi in note.dois]
        if drafts and not drafts[0].authors:
            drafts[0] = replace(drafts[0], authors=_authors(note))
        keys = [self.paper(draft).key for draft in drafts if draft.arxiv or draft.doi]
        return list(dict.fromkeys(map(str, keys)))

    def paper(self, draft: Draft) -> Paper:
        """The paper, which gets an entry if the collection has none."""
        known = self._by_id.get(draft.arxiv or "") or self._by_id.get((draft.doi or "").lower())
        if known is None and draft.title:
            alike = self._by_title.get(folded_title(draft.title), {})
            known = known_paper(replace(self.corpus, papers=alike), draft)
        if known is None:
            entry = bibtex_entry(draft, self.by_key)
            known = read_back(entry)
            self.by_key[known.key] = known
            self.bibtex.append(entry)
            self._remember(known)
        return known

    def _remember(self, paper: Paper) -> None:
        for name in (paper.arxiv, (paper.doi or "").lower()):
            if name:
                self._by_id.setdefault(name, paper)
        self._by_title.setdefault(folded_title(paper.title), {})[paper.key] = paper


def _authors(note: ImportedText) -> tuple[PersonName, ...]:
    """The authors of the paper that a front matter names: those in a list. `author: me` is who wrote the note."""
    said = note.extra.get("authors")
    names = [author for author in said if isinstance(author, str)] if isinstance(said, list | tuple) else []
    return tuple(name for written in names if (name := inverted_name(written)))
