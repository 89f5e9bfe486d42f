"""Regions of a README with the papers of notes that list them: of a day, or of a BibTeX file."""

from __future__ import annotations

from paper_notes.corpus.model import Note, Topic
from paper_notes.corpus.paper import LabelledLink, entry_id
from paper_notes.indexes.gfm import link, plain
from paper_notes.indexes.paper_lines import line, paper_links
from paper_notes.indexes.readme import ReadmeWriter
from paper_notes.render.days import latest_first
from paper_notes.render.links import note_path

Topics = tuple[Topic, ...]


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
