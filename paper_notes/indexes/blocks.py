"""The contents of marked regions of a README: one small function for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from paper_notes.corpus.model import Content, Note, Topic, TopicId
from paper_notes.corpus.paper import LabelledLink
from paper_notes.indexes.anchors import headings
from paper_notes.indexes.entry_blocks import digest, entries, entries_of
from paper_notes.indexes.gfm import link, plain
from paper_notes.indexes.paper_lines import line, paper_links
from paper_notes.indexes.readme import ReadmeWriter
from paper_notes.indexes.regions import Region
from paper_notes.render.labels import size_of
from paper_notes.render.links import note_path
from paper_notes.render.naming import reference
from paper_notes.render.view_factory import note_papers_in

RECENT = 10
"""Number of notes in a list of recent ones."""
Topics = tuple[Topic, ...]


def write(readme: ReadmeWriter, region: Region, text: str) -> str:
    """The Markdown of a region; `text` is the whole file, for its table of contents."""
    if region.content == "entries" and region.note:
        return entries_of(readme, readme.corpus.note(region.note))
    readme = replace(readme, days=True) if region.topic else readme
    topics = tuple(topic for topic in readme.corpus.topics if region.topic in (None, topic.id))
    return _contents(text, region) if region.content == "contents" else BLOCKS[region.content](readme, topics)


def _all(readme: ReadmeWriter, topics: Topics) -> str:
    if topics == readme.corpus.topics:
        return readme.site(title=False)
    return "\n\n".join([*(readme.topic(topic, level=2) for topic in topics), _papers(readme, topics)])


def _notes(readme: ReadmeWriter, topics: Topics) -> str:
    """The tables of notes, with headings if there are several."""
    tables = {topic: readme.note_table(readme.notes_of(topic)) for topic in topics}
    if len(topics) == 1:
        return tables[topics[0]]
    return "\n\n".join(f"{readme.topic_heading(topic, level=3)}\n\n{table}" for topic, table in tables.items() if table)


def _paths(readme: ReadmeWriter, topics: Topics) -> str:
    return "\n\n".join(readme.reading_path(path, topic, level=3) for topic in topics for path in topic.reading_paths)


def _papers(readme: ReadmeWriter, topics: Topics) -> str:
    tables = {topic: readme.papers(topic) for topic in topics}
    if len(topics) == 1:
        return tables[topics[0]]
    rows = (f"### {plain(topic.title[readme.lang])}\n\n{table}" for topic, table in tables.items() if table)
    return "\n\n".join(rows)


def _directories(readme: ReadmeWriter, topics: Topics) -> str:
    return readme.directory_tree(topics)


def _list(readme: ReadmeWriter, topics: Topics) -> str:
    """One line for each paper that notes read, and for each note without one, newest first.

    `- [25/10] **Title** [[Paper](..)] [[Code](..)] [[Notes](..)]`, as is usual in lists of papers on GitHub.
    """
    notes = [note for topic in topics for note in readme.notes_of(topic)]
    dated = []
    for key in dict.fromkeys((*note_papers_in(tuple(notes)), *(key for topic in topics for key in topic.papers))):
        paper = readme.corpus.papers[key]
        links = [*paper_links(paper), *(_to_note(readme, note) for note in notes if key in note.papers)]
        dated.append((paper.date_label, line(paper.date_label, paper.label_in_lists, links)))
    for note in notes:
        if not note.papers:
            date = note.created.isoformat() if note.created else ""
            dated.append((date, line(date, note.label_in_lists[readme.lang], [_to_note(readme, note)])))
    dated.sort(key=lambda item: item[0], reverse=True)
    return "\n".join(text for _, text in dated)


def _to_note(readme: ReadmeWriter, note: Note) -> LabelledLink:
    return LabelledLink("Notes", readme.href(note_path(note)))


def _recent(readme: ReadmeWriter, topics: Topics) -> str:
    """The notes written or revised last, with the date."""
    notes = [note for topic in topics for note in readme.notes_of(topic)]
    dated = [(note.updated or note.created, note) for note in notes]
    latest = sorted(((day, note) for day, note in dated if day), key=lambda item: item[0], reverse=True)[:RECENT]
    beside = topics[0].id if len(topics) == 1 else TopicId("")
    lines = []
    for day, note in latest:
        title = link(plain(reference(note, readme.lang, beside)), readme.href(note_path(note)))
        revised = note.created is not None and day != note.created
        lines.append(f"- {day.isoformat()} {readme.word('revised' if revised else 'new', note=title)}")
    return "\n".join(lines)


def _summary(readme: ReadmeWriter, topics: Topics) -> str:
    """All counts in one line."""
    notes = tuple(note for topic in topics for note in readme.notes_of(topic))
    papers, count = len(note_papers_in(notes)), len(topics)
    days = [day for note in notes for day in (note.created, note.updated) if day]
    parts = [
        readme.word("topics", count=count) if count > 1 else "",
        readme.word("notes", count=len(notes)),
        readme.word("papers", count=papers) if papers else "",
        size_of(sum(readme.sizes[note.id] for note in notes)) if notes else "",
        readme.word("up-to", day=max(days)) if days else "",
    ]
    return " · ".join(part for part in parts if part)


def _contents(text: str, region: Region) -> str:
    """The sections of the file itself, each a link to GitHub's anchor of its heading."""
    sections = [heading for heading in headings(text) if heading.level == 2]
    return "\n".join(f"- {link(heading.markdown, f'#{heading.anchor}')}" for heading in sections)


BLOCKS: Mapping[Content, Callable[[ReadmeWriter, Topics], str]] = {
    "all": _all,
    "notes": _notes,
    "paths": _paths,
    "papers": _papers,
    "directories": _directories,
    "list": _list,
    "recent": _recent,
    "summary": _summary,
    "digest": digest,
    "entries": entries,
}
