"""All tags with what they hold: notes, the papers that these read, and other tags that they have."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from paper_notes.corpus.model import Note, Text
from paper_notes.corpus.paper import Paper
from paper_notes.render.labels import initial_order
from paper_notes.render.links import PAPERS, cite_label
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.parts import ListName, PageContext, note_papers_in, tag_name
from paper_notes.render.views import Chrome, LinkView, NoteLink, TagLink

FEW_PAPERS = 6
"""So many papers are named under a tag."""
FEW_RELATED = 4
"""So many other tags."""
MANY = 40
"""With more tags than this, they are listed by name besides."""


@dataclass(frozen=True, slots=True)
class TagEntry:
    """A tag with what it holds."""

    id: str
    name: Text
    words: tuple[str, ...]
    """What else stands for it."""
    notes: tuple[NoteLink, ...]
    papers: tuple[LinkView, ...]
    """Those that its notes read, on the page of papers; the first few."""
    more_papers: int
    """How many others they read."""
    related: tuple[TagLink, ...]
    """Tags that its notes have too, the most frequent ones first; each with the number of notes that have both."""


@dataclass(frozen=True, slots=True)
class TagsPage:
    """`tags.html`."""

    chrome: Chrome
    count: Text
    cloud: tuple[TagLink, ...]
    """By name, where there are so many that one is hard to find; else empty."""
    tags: tuple[TagEntry, ...]
    """The most used first."""


def tags_page(material: CollectionContext, context: PageContext, title: Text) -> TagsPage:
    """The view of `tags.html`."""
    corpus = material.corpus
    noted: dict[str, list[Note]] = {}
    for note in corpus.notes:
        for tag in note.tags:
            noted.setdefault(tag, []).append(note)
    aliases = {tag.id: tag.aliases for tag in corpus.site.tags}

    def entry(tag: str) -> TagEntry:
        name, notes = tag_name(tag, corpus), tuple(noted[tag])
        papers = note_papers_in(notes)
        return TagEntry(
            id=context.resolver.tags[tag],
            name=name,
            words=tuple(word for word in aliases.get(tag, ()) if word not in dict(name.parts).values()),
            notes=tuple(context.note_link(note.id) for note in notes),
            papers=tuple(_on_page(corpus.papers[key], context) for key in papers[:FEW_PAPERS]),
            more_papers=max(len(papers) - FEW_PAPERS, 0),
            related=_related(tag, notes, context),
        )

    names = sorted(noted, key=lambda tag: (initial_order(tag_name(tag, corpus)[context.sorting]), tag))
    return TagsPage(
        chrome=context.chrome(title, context.words("page.tags.description"), None),
        count=context.words("count.tags", count=len(names)),
        cloud=context.counted_tags(Counter(dict.fromkeys(names, 0))) if len(names) > MANY else (),
        tags=tuple(entry(tag) for tag in sorted(names, key=lambda tag: -len(noted[tag]))),
    )


def _related(tag: str, notes: tuple[Note, ...], context: PageContext) -> tuple[TagLink, ...]:
    together = Counter(other for note in notes for other in note.tags if other != tag)
    return context.counted_tags(Counter(dict(together.most_common(FEW_RELATED))))


def _on_page(paper: Paper, context: PageContext) -> LinkView:
    return LinkView(cite_label(paper), f"{context.href(PAPERS)}#paper-{paper.key}")


PAGE = CollectionPage(ListName("tags"), lambda material: any(note.tags for note in material.corpus.notes), tags_page)
