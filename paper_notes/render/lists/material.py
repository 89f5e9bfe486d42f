"""What the pages of the whole collection are made from, found once for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paper_notes.corpus.model import Corpus, NoteId
from paper_notes.corpus.paper import BibKey
from paper_notes.markdown.body import Body
from paper_notes.render.note_page import Relations


@dataclass(frozen=True)
class Material:
    """The corpus, its bodies, and what notes say about each other."""

    corpus: Corpus
    bodies: Mapping[NoteId, Body]
    relations: Relations

    def citing(self) -> Mapping[BibKey, tuple[NoteId, ...]]:
        """The notes whose text cites each paper."""
        found: dict[BibKey, dict[NoteId, None]] = {}
        for note in self.corpus.notes:
            for half in self.bodies[note.id].halves.values():
                for slot in half.slots:
                    if slot.kind != "note":
                        found.setdefault(BibKey(slot.target), {})[note.id] = None
        return {key: tuple(notes) for key, notes in found.items()}
