"""The view of the home page: all notes of all topics, and what searching in them needs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from paper_notes.corpus.model import Lang, Note, NoteId, Topic
from paper_notes.render.home_views import HomePage, HomeTopic, PlainRow, SearchView
from paper_notes.render.links import site_export
from paper_notes.render.list_pages import note_row
from paper_notes.render.parts import Maker, bi
from paper_notes.render.plain import plain
from paper_notes.render.search_data import Texts, search_data
from paper_notes.render.views import Bi
from paper_notes.render.words import count_of_notes

MOST_ROWS = 96
"""Notes that the page shows at once, with all their facts; of larger collections, some of each topic."""
FEWEST_ROWS = 3
"""Of a topic, however many topics there are."""
_MARKDOWN = re.compile(r"[\\`*_~$\[\]<>&^|#!:@+=\n]|https?|www|\d[.)]|--")
"""What may be more than a plain word in a short text."""


def home_page(sizes: Mapping[NoteId, int], texts: Texts, maker: Maker) -> HomePage:
    """The view of the site's first page. `sizes` are the bytes of each note's page, `texts` what can be searched."""
    corpus, site = maker.corpus, maker.corpus.site
    title = bi(site.title)
    description = bi(site.description) if site.description else None
    rows = {note.id: _plain_row(note, maker) for note in corpus.notes}
    topics = tuple(_topic(topic, rows, sizes, maker) for topic in corpus.topics)
    left = {row.href for topic in topics for row in topic.rest}
    shown = frozenset(note for note, row in rows.items() if row.href not in left)
    data = search_data(corpus, rows, shown, sizes, texts)
    return HomePage(
        chrome=maker.chrome(title, description or title, None),
        description=description,
        count=bi(count_of_notes(len(corpus.notes))),
        topics=topics,
        search=SearchView(data, maker.theme.more_script["home"]),
        exports=maker.exports(site_export, bool(corpus.papers)),
    )


def _topic(topic: Topic, rows: Mapping[NoteId, PlainRow], sizes: Mapping[NoteId, int], maker: Maker) -> HomeTopic:
    notes = maker.corpus.notes_of(topic.id)
    some = max(FEWEST_ROWS, MOST_ROWS // len(maker.corpus.topics))
    at_once = len(notes) if len(maker.corpus.notes) <= MOST_ROWS else some
    return HomeTopic(
        link=maker.topic_link(topic, maker.topic),
        intro=maker.snippet(topic.intro, topic.location),
        count=bi(count_of_notes(len(notes))),
        total=len(notes),
        notes=tuple(note_row(note, sizes, maker) for note in notes[:at_once]),
        rest=tuple(rows[note.id] for note in notes[at_once:]),
    )


def _plain_row(note: Note, maker: Maker) -> PlainRow:
    title = Bi(*(" ".join(note.title[lang].split()) for lang in ("zh", "en")))
    summary = Bi(_plain_summary(note, "zh", maker), _plain_summary(note, "en", maker)) if note.summary else None
    return PlainRow(note.number, maker.note_link(note.id).href, title, summary)


def _plain_summary(note: Note, lang: Lang, maker: Maker) -> str:
    text = note.summary[lang] if note.summary else ""
    if not _MARKDOWN.search(text):
        return " ".join(text.split())
    shown = maker.snippet(note.summary, note.location, inline=True)
    return plain((shown.zh if lang == "zh" else shown.en) if shown else "")
