"""What the search knows of the papers in a list besides their texts: title, authors, team, arXiv id, keywords."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paper_notes.corpus.model import Note
from paper_notes.corpus.paper import BibKey, Paper, entry_id

MOST_AUTHORS = 20
"""Authors of a paper at most: a year has thousands of papers, and the file of each day is loaded for a search."""
Sections = tuple[tuple[str, str], ...]
"""As in `plain_sections`."""


def cards_of(note: Note, papers: Mapping[BibKey, Paper]) -> Mapping[str, tuple[str, str]]:
    """Title and facts of each paper that a note lists, by the id of its card."""
    cards: dict[str, tuple[str, str]] = {}
    for entry in note.entries:
        paper = papers[entry.paper]
        authors = ", ".join(name.full for name in paper.authors[:MOST_AUTHORS])
        facts = (authors, paper.team, paper.arxiv or paper.doi or "", ", ".join(entry.keywords))
        cards[entry_id(paper)] = paper.title, " · ".join(filter(None, facts))
    return cards


def with_cards(sections: Sections, cards: Mapping[str, tuple[str, str]]) -> Sections:
    """The sections, with the facts of a card in front of the text below its heading."""
    return tuple((name, _with_facts(line, *cards[name]) if name in cards else line) for name, line in sections)


def without_section(cards: Mapping[str, tuple[str, str]], known: Iterable[str]) -> Sections:
    """A section for each card that no language has one for."""
    left = cards.keys() - set(known)
    return tuple((name, "\t".join(cards[name])) for name in cards if name in left)


def _with_facts(line: str, title: str, facts: str) -> str:
    heading, _, text = line.partition("\t")
    own = "" if title.casefold() in heading.casefold() else title
    return f"{heading}\t{' · '.join(filter(None, (own, facts, text)))}"
