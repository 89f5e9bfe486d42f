"""The papers that notes of a collection are about: known ones are found, new ones get an entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import PersonName
from paper_notes.features.importing.types import ImportedText
from paper_notes.features.papers.arxiv import ArxivReference, offline_draft
from paper_notes.features.papers.draft import Draft, inverted_name
from paper_notes.features.papers.known_papers import KnownPapers


@dataclass
class Papers(KnownPapers):
    """Finds papers by arXiv id, DOI and title, and makes BibTeX for those that the collection has not."""

    drafts: Mapping[ArxivId, Draft]
    """What arXiv says; of others only the id is known."""

    def keys(self, note: ImportedText) -> list[str]:
        """The keys of the papers of a note, the main one first."""
        drafts = [self.drafts.get(arxiv) or offline_draft(ArxivReference(arxiv, None)) for arxiv in note.arxiv]
        drafts += [Draft("id", doi=doi) for doi in note.dois]
        if drafts:
            drafts[0] = _with_facts(drafts[0], note)
        keys = [self.paper(draft).key for draft in drafts if draft.arxiv or draft.doi]
        own = str(note.extra.get("citekey", ""))
        return list(dict.fromkeys(map(str, [*([own] if own in self.papers else []), *keys])))


def _with_facts(draft: Draft, note: ImportedText) -> Draft:
    """The draft with what the note says of its paper, where nobody else does."""
    fields = {"howpublished": "" if draft.published_in else note.extra.get("venue"), "code": note.extra.get("code")}
    fields["project"] = note.extra.get("project")
    said = {name: value for name, value in fields.items() if isinstance(value, str) and value}
    return replace(draft, authors=draft.authors or _authors(note), fields={**said, **draft.fields})


def _authors(note: ImportedText) -> tuple[PersonName, ...]:
    """The authors of the paper that a front matter names: those in a list. `author: me` is who wrote the note."""
    said = note.extra.get("authors")
    names = [author for author in said if isinstance(author, str)] if isinstance(said, list | tuple) else []
    return tuple(name for written in names if (name := inverted_name(written)))
