"""The view of the home page: all notes of all topics, and what searching in them needs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from paper_notes.corpus.model import NoteId, Text, Topic
from paper_notes.render.links import site_export
from paper_notes.render.note_rows import Minutes, NoteRow, PlainRow, note_rows, plain_row
from paper_notes.render.parts import PageContext
from paper_notes.render.search.data import Texts, search_data
from paper_notes.render.views import Chrome, LinkView, NoteLink, TopicLink

MOST_ROWS = 96
"""Notes that the page shows at once, with all their facts; of larger collections, some of each topic."""
FEWEST_ROWS = 3
"""Of a topic, however many topics there are."""
_SENTENCE = re.compile(
    r"\s*(?:`[^`]*`|\$[^$]*\$|\[[^\[\]]*\](?:\([^()]*\))?|[^。！？.!?`$\[\n]|[.!?](?!\s+[A-ZÀ-Þ\u3040-\u9fff])|\n(?!\s*\n))+?"
    r"(?:[。！？]+[”’」』）]*|[.!?](?=\s+[A-ZÀ-Þ\u3040-\u9fff]))"
)
"""The first of a text, where it is easily told: no sign inside of code, formulas and links ends one."""
MOST_STEPS = 5
"""Of the reading path that the page begins with."""


@dataclass(frozen=True, slots=True)
class HomeTopic:
    """A topic on the home page."""

    link: TopicLink
    intro: Text | None
    count: Text
    """`8 篇`, `8 notes`."""
    total: int
    aside: bool
    """It tells about something else than papers, as a guide does, and is shown after the others and quieter."""
    notes: tuple[NoteRow, ...]
    """Those that are shown at once."""
    rest: tuple[PlainRow, ...]
    """All others: shown where there is no script, which else fetches them from there when they are wanted."""


@dataclass(frozen=True, slots=True)
class StartView:
    """The first reading path of the collection."""

    href: str
    steps: tuple[NoteLink, ...]
    """The first few."""
    more: int
    """How many follow."""


@dataclass(frozen=True, slots=True)
class SearchView:
    """What searching needs."""

    data: Markup
    """JSON, ready to stand inside `<script>`."""
    script: Markup


@dataclass(frozen=True, slots=True)
class HomePage:
    """The site's first page: all topics with all notes."""

    chrome: Chrome
    description: Text | None
    count: Text
    start: StartView | None
    topics: tuple[HomeTopic, ...]
    search: SearchView
    exports: tuple[LinkView, ...]
    """All papers of the collection as files to take along."""


def home_page(minutes: Mapping[NoteId, Minutes], texts: Texts, context: PageContext) -> HomePage:
    """The view of the site's first page. `minutes` are those to read each note, `texts` what can be searched."""
    corpus, site = context.corpus, context.corpus.site
    title = site.title
    description = site.description or None
    rows = {note.id: plain_row(note, context) for note in corpus.notes}
    topics = tuple(_topic(topic, rows, minutes, context) for topic in corpus.topics)
    left = {row.href for topic in topics for row in topic.rest}
    shown = frozenset(note for note, row in rows.items() if row.href not in left)
    data = search_data(corpus, rows, shown, minutes, texts)
    return HomePage(
        chrome=context.chrome(title, description or title, None),
        description=description,
        count=context.words("count.notes", count=len(corpus.notes)),
        start=_start(context),
        topics=topics,
        search=SearchView(data, context.theme.more_script["home"]),
        exports=context.exports(site_export, bool(corpus.papers)),
    )


def _start(context: PageContext) -> StartView | None:
    found = ((topic, path) for topic in context.corpus.topics for path in topic.reading_paths)
    topic, path = next(found, (None, None))
    if topic is None or path is None:
        return None
    return StartView(
        f"{context.topic_link(topic, None).href}#path-{path.id}",
        tuple(_without_topic(context.note_link(step), topic) for step in path.steps[:MOST_STEPS]),
        max(len(path.steps) - MOST_STEPS, 0),
    )


def _without_topic(link: NoteLink, topic: Topic) -> NoteLink:
    """A step of a path names its topic only where it is not the path's own."""
    return replace(link, topic="") if link.topic == topic.id else link


def _is_aside(topic: Topic, context: PageContext) -> bool:
    """Whether the last of several topics is there to explain the others: tutorials only, and no paper read."""
    *others, last = context.corpus.topics
    notes = context.corpus.notes_of(topic.id)
    return bool(others) and topic is last and all(note.kind == "tutorial" and not note.papers for note in notes)


def _topic(
    topic: Topic, rows: Mapping[NoteId, PlainRow], minutes: Mapping[NoteId, Minutes], context: PageContext
) -> HomeTopic:
    notes = context.corpus.notes_of(topic.id)
    some = max(FEWEST_ROWS, MOST_ROWS // len(context.corpus.topics))
    aside = _is_aside(topic, context)
    at_once = len(notes) if len(context.corpus.notes) <= MOST_ROWS else some
    shown = note_rows(notes, minutes, context, at_once)
    return HomeTopic(
        link=context.topic_link(topic, context.topic),
        intro=None if aside else context.snippet(_first_sentence(topic.intro), topic.intro_location),
        count=context.words("count.notes", count=len(notes)),
        total=len(notes),
        aside=aside,
        notes=tuple(replace(row, summary=None) for row in shown) if aside else shown,
        rest=tuple(rows[note.id] for note in notes[at_once:]),
    )


def _first_sentence(text: Text | None) -> Text | None:
    """The page of the topic has the whole text."""
    if text is None:
        return None
    return text.map(lambda part: found[0] if (found := _SENTENCE.match(part)) else part)
