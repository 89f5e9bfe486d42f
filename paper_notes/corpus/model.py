"""The Corpus: the meaning of all sources, as frozen values that refer to each other by id."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal, NewType

from paper_notes.corpus.entry import EntriesFrom as EntriesFrom
from paper_notes.corpus.entry import Entry as Entry
from paper_notes.corpus.entry import ReadingSource as ReadingSource
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import NOWHERE, Location
from paper_notes.identifiers import ArxivId as ArxivId
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang as Lang
from paper_notes.languages.text import Text as Text
from paper_notes.severities import NO_SEVERITIES, Severities
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.tree import Source

TopicId = NewType("TopicId", str)
"""A folder name below `notes_src/`, for example `spec-rl`."""
NoteId = NewType("NoteId", str)
"""Topic and folder (or file) name, for example `spec-rl/04_ReSpec_2510.26475`."""

Kind = Literal["paper", "evolution", "comparison", "landscape", "tutorial", "industry", "digest", "list"]
Status = Literal["todo", "reading", "read", "revisit"]
MetadataSource = Literal["arxiv", "datacite", "doi", "pdf", "bibtex", "id"]
"""Where a paper's facts come from; `id` means only the id itself."""
Fact = Literal["title", "authors", "year", "abstract"]
Content = Literal[
    "all", "notes", "paths", "papers", "directories", "list", "recent", "summary", "contents", "digest", "entries"
]
"""What a marked region of a README can hold."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag that `site.yaml` describes: `id` is how notes and pages write it."""

    id: str
    name: Text
    """The name shown on pages; empty if there are only aliases."""
    aliases: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Other ways to write it in a note, besides `id`."""
        return (*(name for _, name in self.name.parts if name), *self.aliases)


@dataclass(frozen=True, slots=True)
class ReadmeTarget:
    """A Markdown file with marked regions that builds keep up to date."""

    file: PurePosixPath
    """Relative to the collection's root."""
    region: str
    """Name of its regions; empty for all regions of the file without a target of their own."""
    content: Content | None
    """Their content, where the marker does not say it."""
    lang: Lang | None
    topic: TopicId | None
    location: Location


@dataclass(frozen=True, slots=True)
class Site:
    """`site.yaml`."""

    title: Text
    words: Words
    """The words of its pages, in its languages."""
    topics: tuple[TopicId, ...]
    description: Text | None
    base_url: str | None
    """With a final slash, or None when the site is not published."""
    readme: tuple[ReadmeTarget, ...]
    """The files with marked regions."""
    author: Text | None = None
    """Who keeps the collection, for feeds."""
    tags: tuple[Tag, ...] = ()
    publish_fields: tuple[str, ...] = ()
    """Fields of BibTeX entries that are published besides those that describe a publication, in lower case."""

    @property
    def languages(self) -> tuple[Lang, ...]:
        """One or two; the first is the default."""
        return self.words.tags

    @property
    def default_language(self) -> Lang:
        return self.languages[0]


@dataclass(frozen=True, slots=True)
class ReadingPath:
    """An order to read notes in, over one or more topics."""

    id: str
    title: Text
    steps: tuple[NoteId, ...]
    guide: Text | None
    """Markdown."""
    location: Location


@dataclass(frozen=True, slots=True)
class Topic:
    """A folder of notes and its `topic.yaml`."""

    id: TopicId
    title: Text
    emoji: str
    intro: Text | None
    """Markdown."""
    reading_paths: tuple[ReadingPath, ...]
    location: Location
    intro_location: Location = NOWHERE


@dataclass(frozen=True, slots=True)
class Correction:
    """A claim of another note that this note corrects."""

    note: NoteId
    claim: Text
    correction: Text
    date: datetime.date | None


@dataclass(frozen=True, slots=True)
class Translated:
    """The record that the texts of a section were translations of each other."""

    digests: Mapping[Lang, str]
    """Digests of the Markdown in each language then: ten hex digits (`markdown.sections.digest`)."""
    location: Location


@dataclass(frozen=True, slots=True)
class Metadata:
    """Where the facts of a note's paper came from when the note was created, and which of them were unknown."""

    source: MetadataSource
    date: datetime.date
    missing: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class NoteText:
    """The Markdown of a note in one language, from `first_line` of its file on."""

    lang: Lang
    path: PurePosixPath
    content: str | Source = field(repr=False)
    """The text, or the file that holds it, which most builds never read."""
    first_line: int = 1
    start: int = 0
    """Offset of the text in the file: the number of characters of front matter."""

    @property
    def text(self) -> str:
        return self.content if isinstance(self.content, str) else self.content.text[self.start :]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFacts:
    """Fields of `note.yaml` that are used as written: each is a line here and one in `schema.NoteFile`."""

    kind: Kind
    status: Status
    rating: int | None
    """1 to 5."""
    own: bool
    """The reader is an author of the paper."""
    tags: tuple[str, ...]
    created: datetime.date | None
    updated: datetime.date | None
    reading_source: ReadingSource | None
    reviewed: bool
    thumbnail: bool
    """Whether the first page of the paper is shown, if its PDF exists."""
    publish_pdf: bool
    """Whether the site has the main paper's PDF."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(NoteFacts):
    """One note: its facts, its text in one or two languages, and the files beside it."""

    id: NoteId
    topic: TopicId
    number: int
    name: str
    """Folder or file name without suffix: the file name of its page."""
    title: Text
    papers: tuple[BibKey, ...]
    """The first is the main one."""
    summary: Text | None
    corrects: tuple[Correction, ...]
    extra: Mapping[str, object]
    translated: Mapping[str, Translated]
    """By section id; the text before the first heading is `lead`."""
    texts: tuple[NoteText, ...]
    files: Mapping[str, Source] = field(repr=False)
    """Figures and other files of the note's own folder, by path relative to it."""
    location: Location
    summary_location: Location = NOWHERE
    metadata: Metadata | None = None
    source: EntriesFrom | None = None
    entries: tuple[Entry, ...] = ()
    """Papers that it lists; these are not in `papers`, which are read and have the note's page to themselves."""

    @property
    def reference(self) -> str:
        """The reference to it from any topic: `spec-rl/#4`."""
        return f"{self.topic}/#{self.number}"

    @property
    def label(self) -> str:
        """The number as people write it: `04`."""
        return f"{self.number:02}"

    @property
    def languages(self) -> tuple[Lang, ...]:
        return tuple(text.lang for text in self.texts)


@dataclass(frozen=True, slots=True)
class Term:
    """One row of `glossary.yaml`."""

    id: str
    """Id of its definition on pages, from its name in Latin letters: `term-speculative-decoding`."""
    name: Text
    aliases: tuple[str, ...]
    """Other words for it, of any language."""
    avoid: tuple[str, ...]
    """Words for it that this collection does not use."""
    definition: Text | None
    location: Location


@dataclass(frozen=True, slots=True)
class Pdf:
    """A PDF among the sources."""

    source: Source
    paper: BibKey | None
    """The paper that it is, or is meant to be if it cannot be read; None if unknown."""
    version: int | None
    """Version of the preprint."""
    pages: int
    problem: PdfProblem | None
    """Why it cannot be used."""


@dataclass(frozen=True)
class Corpus:
    """The meaning of all sources. `notes` are ordered by topic and number, `topics` as in `site.yaml`."""

    site: Site
    topics: tuple[Topic, ...]
    notes: tuple[Note, ...]
    papers: Mapping[BibKey, Paper]
    terms: tuple[Term, ...]
    pdfs: tuple[Pdf, ...]
    """In the order of their paths."""
    severities: Severities = NO_SEVERITIES
    """Of findings. No page depends on them."""

    @cached_property
    def _notes_by_id(self) -> dict[NoteId, Note]:
        return {note.id: note for note in self.notes}

    @cached_property
    def _topics_by_id(self) -> dict[TopicId, Topic]:
        return {topic.id: topic for topic in self.topics}

    @cached_property
    def _pdfs_by_paper(self) -> dict[BibKey, list[Pdf]]:
        found: dict[BibKey, list[Pdf]] = {}
        for pdf in self.pdfs:
            if pdf.paper:
                found.setdefault(pdf.paper, []).append(pdf)
        return found

    @cached_property
    def own_papers(self) -> Mapping[BibKey, Paper]:
        """The papers without those that only lists have: pages and files about all papers leave these out."""
        listed = {entry.paper for note in self.notes for entry in note.entries}
        if not listed:
            return self.papers
        read = {key for note in self.notes for key in note.papers}
        return {key: paper for key, paper in self.papers.items() if key in read or key not in listed}

    def pdf_of(self, key: BibKey, version: int | None = None) -> Pdf | None:
        """The PDF of a paper in a version, or the newest; one that cannot be used only if there is no other."""
        known = [pdf for pdf in self._pdfs_by_paper.get(key, ()) if version in (None, pdf.version)]
        return max(known, key=lambda pdf: (pdf.problem is None, pdf.version or 0), default=None)

    def note(self, note_id: NoteId) -> Note:
        return self._notes_by_id[note_id]

    def topic(self, topic_id: TopicId) -> Topic:
        return self._topics_by_id[topic_id]

    def notes_of(self, topic_id: TopicId) -> tuple[Note, ...]:
        return tuple(note for note in self.notes if note.topic == topic_id)
