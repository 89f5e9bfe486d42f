"""The papers that notes are about, and those that they cite: known ones are found, new ones get an entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from paper_notes.corpus.model import ArxivId, Corpus
from paper_notes.corpus.paper import PersonName
from paper_notes.features.importing.types import Folder, ImportedText
from paper_notes.features.papers.arxiv import ArxivReference, offline_draft
from paper_notes.features.papers.bibtex import drafts_in
from paper_notes.features.papers.draft import Draft, bibtex_entry, free_key, inverted_name, proposed_key
from paper_notes.features.papers.known_papers import KnownPapers
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, replace

_YEAR = regex(r"\d{4}")
_CITEKEY = regex(r"\w[\w:.+/-]*")


@dataclass
class Papers(KnownPapers):
    """Finds papers by arXiv id, DOI and title, and makes BibTeX for those that the collection has not."""

    drafts: Mapping[ArxivId, Draft]
    """What arXiv says; of others only the id is known."""

    def keys(self, note: ImportedText) -> list[str]:
        """The keys of the papers of a note, the main one first."""
        drafts = [self.drafts.get(arxiv) or offline_draft(ArxivReference(arxiv, None)) for arxiv in note.arxiv]
        drafts += [Draft("id", doi=doi) for doi in note.dois]
        own = str(note.extra.get("citekey", ""))
        if drafts:
            drafts[0] = _with_facts(drafts[0], note)
            if _CITEKEY.fullmatch(own) and own not in self.papers and self.find(drafts[0]) is None:
                drafts[0] = _under(own, drafts[0], note)
        keys = [self.paper(draft).key for draft in drafts if draft.arxiv or draft.doi]
        return list(dict.fromkeys(map(str, [*([own] if own in self.papers else []), *keys])))


def _under(citekey: str, draft: Draft, note: ImportedText) -> Draft:
    """The draft with an entry of the key that a reference manager gave; then the note has the title of its paper."""
    draft = replace(draft, title=draft.title or note.title)
    entry = bibtex_entry(draft, ())
    return replace(draft, entry=entry.replace(f"{{{proposed_key(draft)},", f"{{{citekey},", 1))


def _with_facts(draft: Draft, note: ImportedText) -> Draft:
    """The draft with what the note says of its paper, where nobody else does."""
    fields = {"howpublished": "" if draft.published_in else note.extra.get("venue"), "code": note.extra.get("code")}
    fields["project"] = note.extra.get("project")
    said = {name: value for name, value in fields.items() if isinstance(value, str) and value}
    year = str(note.extra.get("year", ""))
    year_said = int(year) if _YEAR.fullmatch(year) else None
    authors = draft.authors or _authors(note)
    return replace(draft, authors=authors, year=draft.year or year_said, fields={**said, **draft.fields})


def _authors(note: ImportedText) -> tuple[PersonName, ...]:
    """The authors of the paper that a front matter names: those in a list. `author: me` is who wrote the note."""
    said = note.extra.get("authors")
    names = [author for author in said if isinstance(author, str)] if isinstance(said, list | tuple) else []
    return tuple(name for written in names if (name := inverted_name(written)))


SUFFIX = ".bib"


class Bibliography(Struct, frozen=True):
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
