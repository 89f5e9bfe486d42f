"""The glossary: every term in both languages, its definition, and the notes that use it."""

from __future__ import annotations

from itertools import groupby

from paper_notes.corpus.model import NoteId
from paper_notes.render.list_views import GlossaryPage, TermEntry
from paper_notes.render.lists.material import Material
from paper_notes.render.parts import Maker, bi
from paper_notes.render.views import Bi
from paper_notes.render.words import counted, initial, initial_order

FEW = 24
"""So many notes are named under a term: some are used in nearly all, and the search finds the others."""


def glossary_page(material: Material, maker: Maker, title: Bi) -> GlossaryPage:
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
            definition=maker.snippet(term.definition, term.location, inline=True),
            notes=tuple(map(maker.note_link, used.get(term.id, ())[:FEW])),
            more=max(len(used.get(term.id, ())) - FEW, 0),
        )
        for term in ordered
    )
    about = Bi(
        "中英术语对照、定义，以及用到它们的笔记。", "Terms in Chinese and English, with the notes that use them."
    )
    return GlossaryPage(
        chrome=maker.chrome(title, about, None),
        count=bi(counted(len(terms), "条术语", "term")),
        groups=tuple((letter, tuple(group)) for letter, group in groupby(entries, key=lambda entry: initial(entry.en))),
    )
