"""The glossary: every term in the site's languages, its definition, and the notes that use it."""

from __future__ import annotations

from itertools import groupby

from paper_notes.corpus.model import GlossaryTerm, NoteId, Text
from paper_notes.render.labels import initial, initial_order, language_names
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.pages.text_parts import term_names
from paper_notes.render.view_factory import NoteLink, PageContext, PageFrame
from paper_notes.values import Struct

FEW = 24
"""Notes listed under a term at most: nearly all use some terms, and the search finds the others."""


class TermEntry(Struct, frozen=True):
    """A row of the glossary."""

    id: str
    names: tuple[tuple[str, str], ...]
    """HTML tag of a language, and the name in it; only one pair if all names are equal."""
    aliases: tuple[str, ...]
    avoid: tuple[str, ...]
    definition: Text | None
    notes: tuple[NoteLink, ...]
    """The first notes that use the term."""
    more: int
    """Number of other notes that use the term."""


class GlossaryPage(Struct, frozen=True):
    """`glossary.html`."""

    chrome: PageFrame
    count: Text
    groups: tuple[tuple[str, tuple[TermEntry, ...]], ...]
    """Terms by the initial of the name that they are sorted by; `#` if it is not a letter."""


def glossary_page(collection: CollectionContext, context: PageContext) -> GlossaryPage:
    """The view of `glossary.html`."""
    terms = collection.corpus.terms
    used: dict[str, list[NoteId]] = {}
    for note in collection.corpus.notes:
        for term_id in collection.outlines[note.id].terms:
            used.setdefault(term_id, []).append(note.id)

    def entry(term: GlossaryTerm) -> TermEntry:
        return TermEntry(
            id=term.id,
            names=term_names(term, context.words),
            aliases=term.aliases,
            avoid=term.avoid,
            definition=context.snippet(term.definition, term.location, inline=True),
            notes=tuple(map(context.note_link, used.get(term.id, ())[:FEW])),
            more=max(len(used.get(term.id, ())) - FEW, 0),
        )

    ordered = sorted(terms, key=lambda term: initial_order(term.name[context.sorting]))
    letters = groupby(ordered, key=lambda term: initial(term.name[context.sorting]))
    return GlossaryPage(
        chrome=context.list_frame("glossary", languages=language_names(context.words)),
        count=context.words("count.terms", count=len(terms)),
        groups=tuple((letter, tuple(map(entry, group))) for letter, group in letters),
    )


PAGE = CollectionPage("glossary", lambda collection: bool(collection.corpus.terms), glossary_page)
