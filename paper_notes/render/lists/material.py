"""What the pages of the whole collection are made from, found once for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paper_notes.corpus.model import Corpus, NoteId
from paper_notes.corpus.paper import BibKey
from paper_notes.markdown.body import Outline
from paper_notes.render.note_page import Relations


@dataclass(frozen=True)
class Material:
    """The corpus, the outlines of its notes, and what notes say about each other."""

    corpus: Corpus
    outlines: Mapping[NoteId, Outline]
    relations: Relations

    def citing(self) -> Mapping[BibKey, tuple[NoteId, ...]]:
        """The notes whose text cites each paper."""
        found: dict[BibKey, dict[NoteId, None]] = {}
        for note in self.corpus.notes:
            for kind, target in self.outlines[note.id].mentions:
                if kind != "note":
                    found.setdefault(BibKey(target), {})[note.id] = None
        return {key: tuple(notes) for key, notes in found.items()}
