"""The view of a topic's page: its notes, reading paths and papers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from paper_notes.corpus.model import Corpus, Note, NoteId, Text, Topic
from paper_notes.languages.text import in_each
from paper_notes.markdown.short_texts import LONG
from paper_notes.render.links import DIGESTS, topic_papers, topic_path
from paper_notes.render.note_rows import DaysView, Minutes, NoteRowView, counted, days_view, newest, note_rows
from paper_notes.render.search.data import year_of
from paper_notes.render.view_factory import (
    LinkView,
    ListLink,
    NoteLink,
    PageContext,
    PageFrame,
    PaperView,
    TagLink,
    TopicLink,
    newest_first,
    note_papers_in,
)
from paper_notes.values import Struct, replace

MOST_TAGS = 24
"""Tags listed on the page of a topic at most; the page of tags has all."""
MOST_NOTES = 300
"""Notes on one page: a topic of more has a page for each year."""
NEWEST = 60
"""Notes that the page of such a topic still has."""


class PathView(Struct, frozen=True):
    """A reading path as a list of notes with its guide."""

    id: str
    title: Text
    steps: tuple[NoteLink, ...]
    guide: Text | None


class TopicPage(Struct, frozen=True):
    """A topic's page: its notes, reading paths, papers and tags."""

    chrome: PageFrame
    link: TopicLink
    intro: Text | None
    count: Text
    """`8 篇`, `8 notes`."""
    years: tuple[tuple[ListLink, int], ...]
    """The pages of the years with their numbers of notes, the latest first; empty if one page has all."""
    whole: bool
    """The page of the topic itself, not that of a year."""
    notes: tuple[NoteRowView, ...]
    """All; of a topic with years, the newest, or those of the year."""
    days: DaysView | None
    paths: tuple[PathView, ...]
    papers: tuple[PaperView, ...]
    """Newest first."""
    tags: tuple[TagLink, ...]
    """The most used first."""
    exports: tuple[LinkView, ...]
    """Bibliographies of the papers of its notes."""


Years = Mapping[int, tuple[Note, ...]]


def years_of(topic: Topic, corpus: Corpus) -> Years:
    """The notes of each year, if the topic has too many for one page; 0 has those without a year and comes last."""
    notes = corpus.without_days.notes_of(topic.id)
    years: dict[int, list[Note]] = {}
    for note in notes if len(notes) > MOST_NOTES else ():
        years.setdefault(year_of(note, corpus.papers), []).append(note)
    return {year: tuple(years[year]) for year in sorted(years, reverse=True)}


def year_path(topic: Topic, year: int) -> PurePosixPath:
    """The page of a year of a topic, relative to the site."""
    return topic_path(topic.id).with_name(f"{year or 'undated'}.html")


def topic_page(
    topic: Topic, minutes: Mapping[NoteId, Minutes], years: Years, year: int | None, context: PageContext
) -> TopicPage:
    """The view of a topic's page, or of one of its years. `minutes` are the reading times of notes."""
    every = context.corpus.notes_of(topic.id)
    lasting = context.corpus.without_days.notes_of(topic.id)
    if year is not None:
        every = lasting = years[year]
    elif years:
        lasting = newest(lasting)[:NEWEST]
    keys = dict.fromkeys((*note_papers_in(lasting if years else every), *(topic.papers if year is None else ())))
    begins = topic.intro.map(lambda part: part.strip().partition("\n\n")[0]) if topic.intro else None
    about = context.resolver.plain(begins, topic.intro_location, topic.id, LONG) if begins else topic.title
    names = {other: context.words.alike(str(other)) for other in years if other}
    names |= {0: context.words("ui.papers.undated")}
    whole = year is None
    title = topic.title
    if year is not None:
        title = in_each(context.languages, lambda lang: f"{topic.title[lang]} · {names[year][lang]}")
    return TopicPage(
        chrome=context.chrome(title, about, topic.id),
        link=replace(context.topic_link(topic, context.topic), title=title),
        intro=context.snippet(topic.intro, topic.intro_location) if whole else None,
        count=counted(every, context.words),
        years=tuple(
            (ListLink(names[other], context.href(year_path(topic, other)), other == year), len(notes))
            for other, notes in years.items()
        ),
        whole=whole,
        notes=note_rows(lasting, minutes, context),
        days=days_view(every, context.href(DIGESTS), context) if whole else None,
        paths=tuple(
            PathView(
                path.id,
                path.title,
                tuple(context.step_link(*step) for step in path.named_steps),
                context.snippet(path.guide, path.location),
            )
            for path in (topic.reading_paths if whole else ())
        ),
        papers=tuple(context.paper(paper) for paper in newest_first(context.corpus.papers[key] for key in keys)),
        tags=context.tag_links(every)[:MOST_TAGS],
        exports=context.exports(topic_papers(topic.id), bool(context.resolver.papers_of_topic(topic.id))),
    )
