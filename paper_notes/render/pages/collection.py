"""CollectionPage describes a page of the whole collection, and CollectionContext is its input."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from paper_notes.corpus.model import Corpus, NoteId
from paper_notes.corpus.paper import BibKey
from paper_notes.markdown.body import Outline
from paper_notes.render.pages.note import Relations
from paper_notes.render.view_factory import PageContext
from paper_notes.values import Struct


class CollectionContext(Struct, frozen=True):
    """The corpus, the outlines of its notes, and the relations between notes."""

    corpus: Corpus
    outlines: Mapping[NoteId, Outline]
    relations: Relations


View = Callable[[CollectionContext, PageContext], object]
"""Makes the view of a page."""


class ListPart(Struct, frozen=True):
    """One of the pages that a large collection has instead of a long one, and all that it shows of notes and papers."""

    view: View
    notes: tuple[NoteId, ...]
    papers: tuple[BibKey, ...] = ()
    facts: object = ()
    """What it shows that these do not say, such as who cites whom."""


class CollectionPage(Struct, frozen=True):
    """A page of the whole collection."""

    name: str
    """Names its file, its template, and its words."""
    wanted: Callable[[CollectionContext], bool]
    """False if the page would be empty: then it does not exist, and nothing links to it."""
    view: View
    counts: bool = False
    """Whether the page shows numbers of words: then it changes with every word."""
    parts: Callable[[CollectionContext], Mapping[str, ListPart]] = lambda _: {}
    """Further pages of the same template, by the ends of their names: `agents` for `map-agents.html`."""
