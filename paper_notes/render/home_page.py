"""The view of the home page: all notes of all topics, and what searching in them needs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from paper_notes.corpus.model import Note, NoteId, Text, Topic
from paper_notes.render.home_views import HomePage, HomeTopic, PlainRow, SearchView, StartView
from paper_notes.render.links import site_export
from paper_notes.render.note_rows import Minutes, note_rows
from paper_notes.render.parts import Maker, bi
from paper_notes.render.search_data import Texts, search_data
from paper_notes.render.views import Bi, NoteLink
from paper_notes.render.words import count_of_notes

MOST_ROWS = 96
"""Notes that the page shows at once, with all their facts; of larger collections, some of each topic."""
FEWEST_ROWS = 3
"""Of a topic, however many topics there are."""
_SENTENCE = re.compile(
    r"\s*(?:`[^`]*`|\$[^$]*\$|\[[^\[\]]*\](?:\([^()]*\))?|[^。！？.!?`$\[\n]|[.!?](?!\s+[A-Z\u4e00-\u9fff])|\n(?!\s*\n))+?"
    r"(?:[。！？]+[”’」』）]*|[.!?](?=\s+[A-Z\u4e00-\u9fff]))"
)
"""The first of a text, where it is easily told: no sign inside of code, formulas and links ends one."""
MOST_STEPS = 5
"""Of the reading path that the page begins with."""


def home_page(minutes: Mapping[NoteId, Minutes], texts: Texts, maker: Maker) -> HomePage:
    """The view of the site's first page. `minutes` are those to read each note, `texts` what can be searched."""
    corpus, site = maker.corpus, maker.corpus.site
    title = bi(site.title)
    description = bi(site.description) if site.description else None
    rows = {note.id: _plain_row(note, maker) for note in corpus.notes}
    topics = tuple(_topic(topic, rows, minutes, maker) for topic in corpus.topics)
    left = {row.href for topic in topics for row in topic.rest}
    shown = frozenset(note for note, row in rows.items() if row.href not in left)
    data = search_data(corpus, rows, shown, minutes, texts)
    return HomePage(
        chrome=maker.chrome(title, description or title, None),
        description=description,
        count=bi(count_of_notes(len(corpus.notes))),
        start=_start(maker),
        topics=topics,
        search=SearchView(data, maker.theme.more_script["home"]),
        exports=maker.exports(site_export, bool(corpus.papers)),
    )


def _start(maker: Maker) -> StartView | None:
    found = ((topic, path) for topic in maker.corpus.topics for path in topic.reading_paths)
    topic, path = next(found, (None, None))
    if topic is None or path is None:
        return None
    return StartView(
        f"{maker.topic_link(topic, None).href}#path-{path.id}",
        tuple(_without_topic(maker.note_link(step), topic) for step in path.steps[:MOST_STEPS]),
        max(len(path.steps) - MOST_STEPS, 0),
    )


def _without_topic(link: NoteLink, topic: Topic) -> NoteLink:
    """A step of a path names its topic only where it is not the path's own."""
    return replace(link, topic="") if link.topic == topic.id else link


def _is_aside(topic: Topic, maker: Maker) -> bool:
    """Whether the last of several topics is there to explain the others: tutorials only, and no paper read."""
    *others, last = maker.corpus.topics
    notes = maker.corpus.notes_of(topic.id)
    return bool(others) and topic is last and all(note.kind == "tutorial" and not note.papers for note in notes)


def _topic(topic: Topic, rows: Mapping[NoteId, PlainRow], minutes: Mapping[NoteId, Minutes], maker: Maker) -> HomeTopic:
    notes = maker.corpus.notes_of(topic.id)
    some = max(FEWEST_ROWS, MOST_ROWS // len(maker.corpus.topics))
    aside = _is_aside(topic, maker)
    at_once = len(notes) if len(maker.corpus.notes) <= MOST_ROWS else some
    shown = note_rows(notes, minutes, maker, at_once)
    return HomeTopic(
        link=maker.topic_link(topic, maker.topic),
        intro=None if aside else maker.snippet(_first_sentence(topic.intro), topic.location),
        count=bi(count_of_notes(len(notes))),
        total=len(notes),
        aside=aside,
        notes=tuple(replace(row, summary=None) for row in shown) if aside else shown,
        rest=tuple(rows[note.id] for note in notes[at_once:]),
    )


def _first_sentence(text: Text | None) -> Text | None:
    """The page of the topic has the whole text."""
    if text is None:
        return None
    return Text(*((found[0] if half and (found := _SENTENCE.match(half)) else half) for half in (text.zh, text.en)))


def _plain_row(note: Note, maker: Maker) -> PlainRow:
    title = Bi(*(" ".join(note.title[lang].split()) for lang in ("zh", "en")))
    summary = bi(maker.linker.plain_summary(note)) if note.summary else None
    return PlainRow(note.number, maker.note_link(note.id).href, title, summary)
