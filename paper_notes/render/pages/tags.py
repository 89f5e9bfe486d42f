"""All tags with their notes, and related tags."""

from __future__ import annotations

from collections import Counter
from urllib.parse import quote

from paper_notes.corpus.model import Note, Text
from paper_notes.render.labels import initial_order
from paper_notes.render.links import HOME
from paper_notes.render.note_rows import newest
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.view_factory import NoteLink, PageContext, PageFrame, TagLink, tag_name
from paper_notes.values import Struct

FEW_RELATED = 4
"""Related tags listed under a tag at most."""
LARGE = 2000
"""If tags have more notes than this in all, each shows the first FEW, and leads to the others on the home page."""
FEW = 12
MANY = 40
"""If there are more tags than this, they are also listed by name."""


class TagEntry(Struct, frozen=True):
    """A tag with its notes and related tags."""

    id: str
    name: Text
    words: tuple[str, ...]
    """Aliases that are not names of the tag."""
    count: int
    notes: tuple[NoteLink, ...]
    """The latest ones of a large collection, else all."""
    others: str
    """Where all are, if these are not: the home page with this tag."""
    related: tuple[TagLink, ...]
    """Other tags of its notes, the most frequent first, with the number of notes that have both."""


class TagsPage(Struct, frozen=True):
    """`tags.html`."""

    chrome: PageFrame
    count: Text
    cloud: tuple[TagLink, ...]
    """All tags by name if there are more than MANY; else empty."""
    tags: tuple[TagEntry, ...]
    """The most used first."""


def tags_page(collection: CollectionContext, context: PageContext, large: int = LARGE) -> TagsPage:
    """The view of `tags.html`."""
    corpus = collection.corpus
    noted: dict[str, list[Note]] = {}
    for note in corpus.notes:
        for tag in note.tags:
            noted.setdefault(tag, []).append(note)
    aliases = {tag.id: tag.aliases for tag in corpus.site.tags}

    few = sum(map(len, noted.values())) > large

    def entry(tag: str) -> TagEntry:
        name, notes = tag_name(tag, corpus), tuple(noted[tag])
        bounded = few and len(notes) > FEW
        latest = newest(notes)[:FEW]
        return TagEntry(
            id=context.resolver.tags[tag],
            name=name,
            words=tuple(word for word in aliases.get(tag, ()) if word not in dict(name.parts).values()),
            count=len(notes),
            notes=tuple(context.note_link(note.id) for note in (latest if bounded else notes)),
            others=f"{context.href(HOME)}?tag={quote(tag)}" if bounded else "",
            related=_related(tag, notes, context),
        )

    names = sorted(noted, key=lambda tag: (initial_order(tag_name(tag, corpus)[context.sorting]), tag))
    return TagsPage(
        chrome=context.list_frame("tags"),
        count=context.words("count.tags", count=len(names)),
        cloud=context.counted_tags(Counter(dict.fromkeys(names, 0))) if len(names) > MANY else (),
        tags=tuple(entry(tag) for tag in sorted(names, key=lambda tag: -len(noted[tag]))),
    )


def _related(tag: str, notes: tuple[Note, ...], context: PageContext) -> tuple[TagLink, ...]:
    together = Counter(other for note in notes for other in note.tags if other != tag)
    return context.counted_tags(Counter(dict(together.most_common(FEW_RELATED))))


PAGE = CollectionPage("tags", lambda collection: any(note.tags for note in collection.corpus.notes), tags_page)
