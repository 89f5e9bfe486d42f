"""The contents of marked regions of a README: one small function for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from paper_notes.corpus.model import Content, Note, Topic
from paper_notes.corpus.paper import LabelledLink, Paper, entry_id
from paper_notes.indexes.gfm import headings, link, plain
from paper_notes.indexes.readme import ReadmeWriter
from paper_notes.indexes.regions import Region
from paper_notes.render.labels import size_of
from paper_notes.render.links import note_path
from paper_notes.render.note_rows import latest_first
from paper_notes.render.view_factory import note_papers_in

Topics = tuple[Topic, ...]
_PAPER = ("arXiv", "PDF", "DOI", "Link")
"""Labels of links to the paper itself, the best one first."""


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
    papers = "" if readme.folded else _papers(readme, topics)
    return "\n\n".join([*(readme.topic(topic, level=2 + readme.folded) for topic in topics), papers])


def _notes(readme: ReadmeWriter, topics: Topics) -> str:
    """The tables of notes, with headings if there are several."""
    tables = {topic: readme.note_table(readme.notes_of(topic)) for topic in topics}
    if len(topics) == 1:
        return tables[topics[0]]
    return "\n\n".join(readme.section(readme.topic_title(topic), table, 3) for topic, table in tables.items() if table)


def _paths(readme: ReadmeWriter, topics: Topics) -> str:
    return "\n\n".join(readme.reading_path(path, topic, level=3) for topic in topics for path in topic.reading_paths)


def _papers(readme: ReadmeWriter, topics: Topics) -> str:
    return readme.papers(topics[0]) if len(topics) == 1 else readme.papers_by_topic(topics)


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


def paper_links(paper: Paper) -> list[LabelledLink]:
    """The best link to the paper itself, then code and all others."""
    own = sorted((item for item in paper.links if item.label in _PAPER), key=lambda item: _PAPER.index(item.label))
    others = [item for item in paper.links if item.label not in _PAPER]
    return [*(LabelledLink("Paper", item.url) for item in own[:1]), *others]


def line(date: str, title: str, links: Iterable[LabelledLink]) -> str:
    """A paper as lists on GitHub have it: `- [25/10] **Title** [[Paper](..)] [[Code](..)]`; `date` is its label."""
    month = f"[{date[2:7].replace('-', '/')}] " if date else ""
    return f"- {month}**{plain(title)}** {' '.join(f'[{link(plain(item.label), item.url)}]' for item in links)}"


def entries_of(readme: ReadmeWriter, note: Note) -> str:
    """A line for each paper of a note that lists papers, in its order, with links to what is written about it.

    `- [25/10] **Title** [[Paper](..)] [[Code](..)] [[TLDR](..)] [[Notes](..)]`
    """
    page = readme.href(note_path(note))
    lines = []
    for entry in note.entries:
        paper = readme.corpus.papers[entry.paper]
        about = map(readme.corpus.note, readme.resolver.readers.get(entry.paper, ()))
        notes = [LabelledLink("Notes", readme.href(note_path(reader))) for reader in about]
        links = [*paper_links(paper), LabelledLink("TLDR", f"{page}#{entry_id(paper)}"), *notes]
        lines.append(line(paper.date_label, paper.title, links))
    return "\n".join(lines)


def entries(readme: ReadmeWriter, topics: Topics) -> str:
    """The papers of the latest note that lists papers."""
    notes = (note for topic in topics for note in readme.corpus.notes_of(topic.id))
    lists = latest_first(note for note in notes if note.entries)
    return entries_of(readme, lists[0]) if lists else ""


def digest(readme: ReadmeWriter, topics: Topics) -> str:
    """The papers of the latest day; then a line for each month, with links to all of its days."""
    notes = (note for topic in topics for note in readme.corpus.notes_of(topic.id))
    days = latest_first(note for note in notes if note.of_day)
    if not days:
        return ""
    title = link(plain(days[0].title[readme.lang]), readme.href(note_path(days[0])))
    count = readme.word("papers", count=len(days[0].entries))
    return "\n\n".join(filter(None, (f"**{title}** · {count}", entries_of(readme, days[0]), readme.months(days))))


BLOCKS: Mapping[Content, Callable[[ReadmeWriter, Topics], str]] = {
    "all": _all,
    "notes": _notes,
    "paths": _paths,
    "papers": _papers,
    "directories": ReadmeWriter.directory_tree,
    "list": _list,
    "recent": ReadmeWriter.recent,
    "summary": _summary,
    "digest": digest,
    "entries": entries,
}
