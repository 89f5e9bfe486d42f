"""All tags, and the notes that have each."""

from __future__ import annotations

from paper_notes.corpus.model import Note
from paper_notes.render.list_views import TagEntry, TagsPage
from paper_notes.render.lists.material import Material
from paper_notes.render.parts import Maker, bi, tag_name
from paper_notes.render.views import Bi
from paper_notes.render.words import counted


def tags_page(material: Material, maker: Maker, title: Bi) -> TagsPage:
    """The view of `tags.html`."""
    corpus = material.corpus
    noted: dict[str, list[Note]] = {}
    for note in corpus.notes:
        for tag in note.tags:
            noted.setdefault(tag, []).append(note)
    known = {tag.id: tag for tag in corpus.site.tags}

    def words(tag: str) -> tuple[str, ...]:
        shown = tag_name(tag, corpus)
        every = (tag, *(known[tag].aliases if tag in known else ()))
        return tuple(word for word in dict.fromkeys(every) if word not in (shown.zh, shown.en))

    tags = tuple(
        TagEntry(
            maker.linker.tags[tag], tag_name(tag, corpus), words(tag), tuple(maker.note_link(n.id) for n in noted[tag])
        )
        for tag in sorted(noted, key=lambda tag: (tag.casefold(), tag))
    )
    return TagsPage(
        chrome=maker.chrome(title, Bi("全部标签和带有它们的笔记。", "All tags, and the notes that have them."), None),
        count=bi(counted(len(tags), "个标签", "tag")),
        cloud=maker.tag_links(corpus.notes),
        tags=tags,
    )
