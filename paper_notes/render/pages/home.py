"""The view of the home page: all notes of all topics, and the data of the search."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from markupsafe import Markup

from paper_notes.corpus.model import Corpus, NoteId, Text, Topic
from paper_notes.patterns import regex
from paper_notes.render.links import DIGESTS, PAPERS
from paper_notes.render.note_rows import DaysView, Minutes, NoteRowView, counted, days_view, newest, note_rows
from paper_notes.render.reading_order import reasons
from paper_notes.render.search.data import year_of
from paper_notes.render.view_factory import LinkView, NoteLink, PageContext, PageFrame, TopicLink
from paper_notes.values import Struct, replace

MOST_ROWS = 96
"""Notes that the page has, with all their facts: some 30 KB with gzip. Of larger collections the newest of each topic;
all are in the file of facts, from which the script draws what is asked for, and on the pages of the topics."""
_SENTENCE = regex(
    r"\s*(?:`[^`]*`|\$[^$]*\$|\[[^\[\]]*\](?:\([^()]*\))?|[^。！？.!?`$\[\n]|[.!?](?!\s+[A-ZÀ-Þ\u3040-\u9fff])|\n(?!\s*\n))+?"
    r"(?:[。！？]+[”’」』）]*|[.!?](?=\s+[A-ZÀ-Þ\u3040-\u9fff]))"
)
"""The first sentence of a text, if it is easily found; marks inside code, formulas and links do not end it."""
NEWEST = 7
"""Newest notes that the page has: three are shown, and to a reader who comes back those that are new since then."""


class HomeTopic(Struct, frozen=True):
    """A topic on the home page."""

    link: TopicLink
    intro: Text | None
    count: Text
    """`8 篇`, `8 notes`."""
    total: int
    aside: bool
    """The topic is not about papers (a guide, say), so it is shown after the others and less prominently."""
    notes: tuple[NoteRowView, ...]
    """Notes shown at once."""
    days: DaysView | None
    more: bool
    """Whether the topic has others."""


class StartView(Struct, frozen=True):
    """The first reading path of the collection, for a reader who is new."""

    href: str
    first: NoteLink
    why: Text
    """What the path says about its first note, or else the summary of that; may be empty."""
    more: int
    """Number of further steps."""


class HomePage(Struct, frozen=True):
    """The site's first page: all topics with all notes."""

    chrome: PageFrame
    description: Text | None
    count: Text
    start: StartView | None
    newest: tuple[tuple[NoteLink, str], ...]
    """With their dates, the latest first; without notes of days, and those that only explain."""
    topics: tuple[HomeTopic, ...]
    facets: tuple[str, ...]
    """The filters that tell some notes from others; the rest are for addresses only."""
    search_script: Markup
    exports: tuple[LinkView, ...]
    """Bibliographies of all papers in the collection."""


def home_page(minutes: Mapping[NoteId, Minutes], context: PageContext) -> HomePage:
    """The view of the site's first page. `minutes` are reading times."""
    corpus, site = context.corpus, context.corpus.site
    title = site.title
    description = site.description or None
    topics = tuple(_topic(topic, minutes, context) for topic in corpus.topics)
    return HomePage(
        chrome=context.chrome(title, description or title, None),
        description=description,
        count=counted(corpus.notes, context.words),
        start=_start(context),
        newest=_newest(context),
        topics=topics,
        facets=_facets(corpus),
        search_script=context.theme.more_script["home"],
        exports=context.exports(PAPERS, bool(corpus.own_papers)),
    )


def _facets(corpus: Corpus) -> tuple[str, ...]:
    """A filter by something that all notes have alike, or only one of all has, would answer nothing."""
    values: Mapping[str, Iterable[Hashable]] = {
        "kind": (note.kind for note in corpus.notes),
        "tag": (note.tags for note in corpus.notes),
        "year": (year_of(note, corpus.papers) for note in corpus.notes),
        "status": (note.status for note in corpus.notes),
        "language": (note.languages for note in corpus.notes),
        "rating": (note.rating for note in corpus.notes),
    }
    return tuple(name for name, of_notes in values.items() if len(set(of_notes)) > 1)


def _start(context: PageContext) -> StartView | None:
    paths = ((topic, path) for topic in context.corpus.topics for path in topic.reading_paths)
    topic, path = next(paths, (None, None))
    if topic is None or path is None:
        return None
    (first, words), *more = path.named_steps
    why = reasons(path, topic.id, context.resolver)[0] or context.resolver.plain_summary(context.corpus.note(first))
    href = f"{context.topic_link(topic, None).href}#path-{path.id}"
    return StartView(href, context.step_link(first, words), _first_sentence(why) or why, len(more))


def _newest(context: PageContext) -> tuple[tuple[NoteLink, str], ...]:
    aside = {topic.id for topic in context.corpus.topics if _is_aside(topic, context)}
    notes = newest(note for note in context.corpus.without_days.notes if note.topic not in aside)
    dates = ((note.id, note.updated or note.created) for note in notes[:NEWEST])
    return tuple((context.note_link(note), date.isoformat()) for note, date in dates if date)


def _is_aside(topic: Topic, context: PageContext) -> bool:
    """Whether this is the last of several topics and only explains: it has tutorials only, and reads no paper."""
    *others, last = context.corpus.topics
    notes = context.corpus.notes_of(topic.id)
    return bool(others) and topic is last and all(note.kind == "tutorial" and not note.papers for note in notes)


def _topic(topic: Topic, minutes: Mapping[NoteId, Minutes], context: PageContext) -> HomeTopic:
    notes = context.corpus.notes_of(topic.id)
    aside = _is_aside(topic, context)
    every, lasting = context.corpus.without_days.notes, context.corpus.without_days.notes_of(topic.id)
    shown = lasting if len(every) <= MOST_ROWS else newest(lasting)[: MOST_ROWS // len(context.corpus.topics)]
    rows = note_rows(shown, minutes, context)
    return HomeTopic(
        link=context.topic_link(topic, context.topic),
        intro=None if aside else context.of_topic(topic.id).snippet(_first_sentence(topic.intro), topic.intro_location),
        count=counted(notes, context.words),
        total=len(notes),
        aside=aside,
        notes=tuple(replace(row, summary=None) for row in rows) if aside else rows,
        days=days_view(notes, context.href(DIGESTS), context),
        more=len(lasting) > len(shown),
    )


def _first_sentence(text: Text | None) -> Text | None:
    """The first sentence of an intro; the page of the topic shows all of it."""
    if text is None:
        return None
    return text.map(lambda part: sentence[0] if (sentence := _SENTENCE.match(part)) else part)
