"""The glossary: every term in the site's languages, its definition, and the notes that use it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from paper_notes.corpus.model import NoteId
from paper_notes.languages.text import zh_en
from paper_notes.render.labels import counted, initial, initial_order
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.parts import ListName, PageContext, bi
from paper_notes.render.views import Bi, Chrome, NoteLink

FEW = 24
"""So many notes are named under a term: some are used in nearly all, and the search finds the others."""


@dataclass(frozen=True, slots=True)
class TermEntry:
    """A row of the glossary."""

    id: str
    names: tuple[tuple[str, str], ...]
    """What HTML calls a language, and the name in it; one where all are the same."""
    aliases: tuple[str, ...]
    avoid: tuple[str, ...]
    definition: Text | None
    notes: tuple[NoteLink, ...]
    """Those that use it, the first few."""
    more: int
    """How many others do."""


@dataclass(frozen=True, slots=True)
class GlossaryPage:
    """`glossary.html`."""

    chrome: Chrome
    count: Text
    groups: tuple[tuple[str, tuple[TermEntry, ...]], ...]
    """By the first letter of the name that they are sorted by; `#` for all that is no letter."""


def glossary_page(material: CollectionContext, context: PageContext, title: Text) -> GlossaryPage:
    """The view of `glossary.html`, by the English names."""
    terms = material.corpus.terms
    used: dict[str, list[NoteId]] = {}
    for note in material.corpus.notes:
        for term_id in material.outlines[note.id].terms:
            used.setdefault(term_id, []).append(note.id)
    ordered = sorted(terms, key=lambda term: initial_order(term.en))
    entries = tuple(
        TermEntry(
            id=term.id,
            zh=term.zh,
            en=term.en,
            aliases=term.aliases,
            avoid=term.avoid,
            definition=context.snippet(term.definition, term.location, inline=True),
            notes=tuple(map(context.note_link, used.get(term.id, ())[:FEW])),
            more=max(len(used.get(term.id, ())) - FEW, 0),
        )
        for term in ordered
    )
    about = zh_en(
        "中英术语对照、定义，以及用到它们的笔记。", "Terms in Chinese and English, with the notes that use them."
    )
    return GlossaryPage(
        chrome=context.chrome(title, about, None),
        count=bi(counted(len(terms), "条术语", "term")),
        groups=tuple((letter, tuple(group)) for letter, group in groupby(entries, key=lambda entry: initial(entry.en))),
    )


PAGE = CollectionPage(
    ListName("glossary", zh_en("术语", "Glossary")), lambda material: bool(material.corpus.terms), glossary_page
)
