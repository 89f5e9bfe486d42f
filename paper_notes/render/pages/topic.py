"""The view of a topic's page: its notes, reading paths and papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from paper_notes.corpus.model import NoteId, Topic
from paper_notes.render.links import topic_export
from paper_notes.render.note_rows import Minutes, NoteRow, note_rows
from paper_notes.render.parts import Maker, bi, newest_first, note_papers_in
from paper_notes.render.views import Bi, Chrome, LinkView, NoteLink, PaperView, TagLink, TopicLink
from paper_notes.render.words import count_of_notes

MOST_TAGS = 24
"""A topic names its most used tags; the page of tags has all."""


@dataclass(frozen=True, slots=True)
class PathView:
    """A reading path as a list of notes with its guide."""

    id: str
    title: Bi
    steps: tuple[NoteLink, ...]
    guide: Bi | None


@dataclass(frozen=True, slots=True)
class TopicBlock:
    """A topic with everything that is listed under it."""

    link: TopicLink
    intro: Bi | None
    count: Bi
    """`8 篇`, `8 notes`."""
    notes: tuple[NoteRow, ...]
    paths: tuple[PathView, ...]
    papers: tuple[PaperView, ...]
    """Newest first."""
    tags: tuple[TagLink, ...]
    """The most used first."""


@dataclass(frozen=True, slots=True)
class TopicPage:
    """A topic's page."""

    chrome: Chrome
    topic: TopicBlock
    exports: tuple[LinkView, ...]
    """The papers of its notes as files to take along."""


def topic_page(topic: Topic, minutes: Mapping[NoteId, Minutes], maker: Maker) -> TopicPage:
    """The view of a topic's page. `minutes` are those that each note takes to read."""
    title = bi(topic.title)
    block = topic_block(topic, minutes, maker)
    papers = maker.linker.papers_of_topic(topic.id)
    exports = maker.exports(partial(topic_export, topic.id), bool(papers))
    return TopicPage(maker.chrome(title, bi(topic.intro) if topic.intro else title, topic.id), block, exports)


def topic_block(topic: Topic, minutes: Mapping[NoteId, Minutes], maker: Maker) -> TopicBlock:
    """A topic with all that is listed under it."""
    notes = maker.corpus.notes_of(topic.id)
    keys = note_papers_in(notes)
    return TopicBlock(
        link=maker.topic_link(topic, maker.topic),
        intro=maker.snippet(topic.intro, topic.location),
        count=bi(count_of_notes(len(notes))),
        notes=note_rows(notes, minutes, maker),
        paths=tuple(
            PathView(
                path.id,
                bi(path.title),
                tuple(maker.note_link(step) for step in path.steps),
                maker.snippet(path.guide, path.location),
            )
            for path in topic.reading_paths
        ),
        papers=tuple(maker.paper(paper) for paper in newest_first(maker.corpus.papers[key] for key in keys)),
        tags=maker.tag_links(notes)[:MOST_TAGS],
    )
