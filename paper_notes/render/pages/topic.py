"""The view of a topic's page: its notes, reading paths and papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paper_notes.corpus.model import NoteId, Text, Topic
from paper_notes.markdown.short_texts import LONG
from paper_notes.render.links import DIGESTS, topic_papers
from paper_notes.render.note_rows import DaysView, Minutes, NoteRowView, counted, days_view, note_rows
from paper_notes.render.view_factory import (
    LinkView,
    NoteLink,
    PageContext,
    PageFrame,
    PaperView,
    TagLink,
    TopicLink,
    newest_first,
    note_papers_in,
)

MOST_TAGS = 24
"""Tags listed on the page of a topic at most; the page of tags has all."""


@dataclass(frozen=True, slots=True)
class PathView:
    """A reading path as a list of notes with its guide."""

    id: str
    title: Text
    steps: tuple[NoteLink, ...]
    guide: Text | None


@dataclass(frozen=True, slots=True)
class TopicPage:
    """A topic's page: its notes, reading paths, papers and tags."""

    chrome: PageFrame
    link: TopicLink
    intro: Text | None
    count: Text
    """`8 篇`, `8 notes`."""
    notes: tuple[NoteRowView, ...]
    days: DaysView | None
    paths: tuple[PathView, ...]
    papers: tuple[PaperView, ...]
    """Newest first."""
    tags: tuple[TagLink, ...]
    """The most used first."""
    exports: tuple[LinkView, ...]
    """Bibliographies of the papers of its notes."""


def topic_page(topic: Topic, minutes: Mapping[NoteId, Minutes], context: PageContext) -> TopicPage:
    """The view of a topic's page. `minutes` are the reading times of notes."""
    notes = context.corpus.notes_of(topic.id)
    keys = dict.fromkeys((*note_papers_in(notes), *topic.papers))
    begins = topic.intro.map(lambda part: part.strip().partition("\n\n")[0]) if topic.intro else None
    about = context.resolver.plain(begins, topic.intro_location, topic.id, LONG) if begins else topic.title
    return TopicPage(
        chrome=context.chrome(topic.title, about, topic.id),
        link=context.topic_link(topic, context.topic),
        intro=context.snippet(topic.intro, topic.intro_location),
        count=counted(notes, context.words),
        notes=note_rows(context.corpus.without_days.notes_of(topic.id), minutes, context),
        days=days_view(notes, context.href(DIGESTS), context),
        paths=tuple(
            PathView(
                path.id,
                path.title,
                tuple(context.step_link(*step) for step in path.named_steps),
                context.snippet(path.guide, path.location),
            )
            for path in topic.reading_paths
        ),
        papers=tuple(context.paper(paper) for paper in newest_first(context.corpus.papers[key] for key in keys)),
        tags=context.tag_links(notes)[:MOST_TAGS],
        exports=context.exports(topic_papers(topic.id), bool(context.resolver.papers_of_topic(topic.id))),
    )
