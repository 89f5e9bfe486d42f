"""The Corpus: the meaning of all sources, as frozen values that refer to each other by id."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import groupby
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final, Literal, NewType

from paper_notes.corpus.kept_crops import NO_KEPT_FILES, KeptFiles
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import NO_SEVERITIES, NOWHERE, Diagnostic, Location, Severities
from paper_notes.identifiers import ArxivId as ArxivId
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang as Lang
from paper_notes.languages.text import Text as Text
from paper_notes.macros import Macro, MacroItems
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, field, replace

FontUse = Literal["text", "headings", "code"]


DEFAULT_LANGUAGES: tuple[Lang, ...] = (Lang("zh"), Lang("en"))
COLOURS: Final = ("blue", "purple", "teal", "green", "orange", "red", "grey")
"""Colours with a name: those that figures have, in a shade for light pages and one for dark pages."""
MAX_TOPICS = 500
"""The most topics: texts or pages go through all."""


class Accent(Struct, frozen=True):
    """The colour of a site on light and on dark grounds, as `#rrggbb`."""

    light: str
    dark: str | None
    """None to make it from the light one."""
    light_location: Location
    dark_location: Location


class NamedFile(Struct, frozen=True):
    """A picture of the collection that `site.yaml` names."""

    source: Source
    location: Location


class Look(Struct, frozen=True):
    """How pages look: all that is not given is as it comes."""

    accent: Accent | None = None
    logo: NamedFile | None = None
    logo_dark: NamedFile | None = None
    """The logo on dark grounds, if that is another one."""
    favicon: NamedFile | None = None
    fonts: Mapping[FontUse, tuple[str, ...]] = field(default_factory=dict)
    """Names of font families, before those that come with the style sheets."""


class NavigationEntry(Struct, frozen=True):
    """A link in the navigation of all pages."""

    link: str
    """An address, a file of `static/`, or the name of a page, topic or note."""
    title: Text | None
    """None for the title of what it leads to."""
    location: Location


class Footer(Struct, frozen=True):
    """Text at the foot of all pages."""

    text: Text
    """Markdown."""
    location: Location = NOWHERE


NO_LOOK = Look()


TopicId = NewType("TopicId", str)
"""A folder name below `notes_src/`, for example `spec-rl`."""
KindId = NewType("KindId", str)
"""The name of a kind of note in files: `paper`, `idea`."""
Content = Literal[
    "all", "notes", "paths", "papers", "directories", "list", "recent", "summary", "contents", "digest", "entries"
]
"""What a marked region of a README can hold."""


class Tag(Struct, frozen=True):
    """A tag that `site.yaml` describes: `id` is how notes and pages write it."""

    id: str
    name: Text
    """The name shown on pages; empty if there are only aliases."""
    aliases: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Other ways to write it in a note, besides `id`."""
        return (*(name for _, name in self.name.parts if name), *self.aliases)


class Kind(Struct, frozen=True):
    """A kind of note: built in, or described by `site.yaml`."""

    id: KindId
    name: Text
    """The name shown on pages."""
    colour: str
    """One of `schema.COLOURS`, or a hue of the colour circle: `0` to `359`."""


BUILT_IN_KINDS: Mapping[KindId, str] = MappingProxyType(
    {
        KindId("paper"): "blue",
        KindId("evolution"): "purple",
        KindId("comparison"): "teal",
        KindId("landscape"): "green",
        KindId("tutorial"): "orange",
        KindId("industry"): "red",
        KindId("note"): "grey",
        KindId("digest"): "grey",
        KindId("list"): "grey",
    }
)
"""The colour of each, which the style sheet of all pages has; their names are words of the pages: `kind.paper`."""
DEFAULT_KIND, NO_COLOUR = KindId("paper"), "grey"


class ReadmeTarget(Struct, frozen=True):
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


class OutsideFolder(Struct, frozen=True):
    """A folder of another program, such as a vault of Obsidian, whose notes each build brings in."""

    path: str
    """As it is written; relative to the collection's root."""
    topic: TopicId | None
    """The topic of all of its notes; by default that of each folder in it."""


class Site(Struct, frozen=True):
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
    sources: tuple[OutsideFolder, ...] = ()
    """Where notes are written that others keep."""
    author: Text | None = None
    """Who keeps the collection, for feeds."""
    tags: tuple[Tag, ...] = ()
    publish_fields: tuple[str, ...] = ()
    """Fields of BibTeX entries that are published besides those that describe a publication, in lower case."""
    print_sources: bool = False
    """Whether the lists of what numbers come from are printed."""
    assistants: bool = False
    """Whether it has `llms.txt` and the Markdown of notes."""
    look: Look = NO_LOOK
    navigation: tuple[NavigationEntry, ...] = ()
    footer: Footer | None = None
    kinds: tuple[Kind, ...] = ()
    """All kinds that a note may have: the built-in ones first. Empty if nobody knows."""

    @property
    def languages(self) -> tuple[Lang, ...]:
        """One or two; the first is the default."""
        return self.words.tags

    @property
    def default_language(self) -> Lang:
        return self.languages[0]

    def kind_name(self, kind: KindId) -> Text:
        """The name of a kind, as pages show it."""
        return next((known.name for known in self.kinds if known.id == kind), Text.of({self.default_language: kind}))


NoteId = NewType("NoteId", str)
"""Topic and folder (or file) name, for example `spec-rl/04_ReSpec_2510.26475`."""

Status = Literal["todo", "reading", "read", "revisit"]
MetadataSource = Literal[
    "arxiv", "datacite", "doi", "acl", "openreview", "semanticscholar", "page", "pdf", "bibtex", "ris", "id"
]
"""Where a paper's facts come from; `page` is a page on the web, and `id` means only the id itself."""
Fact = Literal["title", "authors", "year", "abstract"]
ReadingSource = Literal["pdf", "html", "abstract", "code"]
EntriesFormat = Literal["hf-daily", "arxiv", "bib", "terms"]
"""What a list of papers was made from: a day of Hugging Face, of arXiv, a BibTeX file, words that were searched for."""


class Entry(Struct, frozen=True):
    """A paper in a note that lists papers: a day's, or those of a `.bib` file. Its texts are a section of the note."""

    paper: BibKey
    reading_source: ReadingSource | None
    upvotes: int | None
    keywords: tuple[str, ...]
    headline: Text | None
    """What the paper is about in one sentence: Markdown."""
    location: Location


class ReadingPath(Struct, frozen=True):
    """An order to read notes in, over one or more topics."""

    id: str
    title: Text
    steps: tuple[NoteId, ...]
    guide: Text | None
    """Markdown."""
    location: Location
    words: tuple[Text | None, ...] = ()
    """For each step what is shown in place of the note's title, if the path says it."""

    @property
    def named_steps(self) -> tuple[tuple[NoteId, Text | None], ...]:
        """The steps with their words."""
        words = self.words or (None,) * len(self.steps)
        return tuple(zip(self.steps, words, strict=True))


class Topic(Struct, frozen=True):
    """A folder of notes and its `topic.yaml`."""

    id: TopicId
    title: Text
    emoji: str
    intro: Text | None
    """Markdown."""
    reading_paths: tuple[ReadingPath, ...]
    location: Location
    intro_location: Location = NOWHERE
    papers: tuple[BibKey, ...] = ()
    """Papers that belong to it without a note."""


class CorrectedClaim(Struct, frozen=True):
    """A claim of another note that this note corrects."""

    note: NoteId
    claim: Text
    correction: Text
    date: datetime.date | None


class Alias(Struct, frozen=True):
    """An address that a note or a topic had before; its page leads to where it is now."""

    topic: TopicId
    note: NoteId | None
    """None for an address of the topic."""
    address: str
    """The folder then, `spec-rl/04_ReSpec` or `spec-rl`, or a path in the site that ends with `.html` or a slash."""
    location: Location

    @property
    def is_path(self) -> bool:
        """Whether the address is a path in the site."""
        return self.address.endswith((".html", "/"))

    @property
    def former(self) -> NoteId | None:
        """The id that the note had, if the address says it."""
        return NoteId(self.address) if self.note and not self.is_path else None


class Translated(Struct, frozen=True):
    """The record that the texts of a section were translations of each other."""

    digests: Mapping[Lang, str]
    """Digests of the Markdown in each language then: ten hex digits (`markdown.sections.digest`)."""
    location: Location


class Drafted(Struct, frozen=True):
    """The record of one section in one language."""

    digest: str
    """Of the text as it was written, see `markdown.sections.digest`: a text with another one is a person's."""
    model: str
    prompt: str
    """Id of the prompt, such as `translate-1`."""
    date: datetime.date
    source: str
    """What it was made from: `zh 0123456789`, the language and digest of a text, or `pdf` and that of a file."""


DraftedSections = Mapping[str, Mapping[Lang, Drafted]]
"""By id of the section and language."""


class EntriesFrom(Struct, frozen=True):
    """What a note that lists papers was made from."""

    format: EntriesFormat
    url: str | None
    date: datetime.date | None
    bib: str | None
    """Name of the BibTeX file."""
    terms: tuple[str, ...]
    """Words that were searched for."""


class Metadata(Struct, frozen=True):
    """Where the facts of a note's paper came from when the note was created, and which of them were unknown."""

    source: MetadataSource
    date: datetime.date
    missing: tuple[Fact, ...]


class NoteText(Struct, frozen=True):
    """The Markdown of a note in one language, from `first_line` of its file on."""

    lang: Lang
    path: PurePosixPath
    content: str | Source
    """The text, or the file that holds it, which most builds never read."""
    first_line: int = 1
    start: int = 0
    """Offset of the text in the file: the number of characters of front matter."""
    macros: MacroItems = ()
    """Those of the note and its topic. Those of the site are in `Words`."""

    @property
    def text(self) -> str:
        return self.content if isinstance(self.content, str) else self.content.text[self.start :]


class NoteFacts(Struct, frozen=True, kw_only=True):
    """Fields of `note.yaml` that are used as written: each is a line here and one in `schema.NoteFile`."""

    kind: KindId
    status: Status
    rating: int | None
    """1 to 5."""
    own: bool
    """The reader is an author of the paper."""
    tags: tuple[str, ...]
    keywords: tuple[str, ...]
    """Words that it is also found by: shown on its page, and in no list."""
    created: datetime.date | None
    updated: datetime.date | None
    reading_source: ReadingSource | None
    reviewed: bool
    thumbnail: bool
    """Whether the first page of the paper is shown, if its PDF exists."""
    publish_pdf: bool
    """Whether the site has the main paper's PDF."""
    draft: bool
    """Not to be published yet."""


class Note(NoteFacts, frozen=True, kw_only=True):
    """One note: its facts, its text in one or two languages, and the files beside it."""

    id: NoteId
    topic: TopicId
    """Empty for a page of the user's own."""
    number: int
    name: str
    """Folder or file name without suffix: the file name of its page."""
    title: Text
    papers: tuple[BibKey, ...]
    """The first is the main one."""
    summary: Text | None
    corrects: tuple[CorrectedClaim, ...]
    extra: Mapping[str, object]
    translated: Mapping[str, Translated]
    """By section id; the text before the first heading is `lead`."""
    texts: tuple[NoteText, ...]
    files: Mapping[str, Source]
    """Figures and other files of the note's own folder, by path relative to it."""
    location: Location
    summary_location: Location = NOWHERE
    highlights: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Digests of the marks in the PDF that have become quotations, by page: they are not brought again."""
    short: Text | None = None
    """The title in lists, where that is too long."""
    metadata: Metadata | None = None
    source: EntriesFrom | None = None
    macros: Mapping[str, Macro] = field(default_factory=dict)
    """Of TeX, by their names, for the formulas of its texts."""
    entries: tuple[Entry, ...] = ()
    """Papers that it lists; these are not in `papers`, which are read and have the note's page to themselves."""
    drafted: DraftedSections = field(default_factory=dict)

    @property
    def state(self) -> str:
        """Its status, for whoever writes: `draft` as long as it is one."""
        return "draft" if self.draft else self.status

    @property
    def of_day(self) -> bool:
        """Whether it lists the papers of a day. A year has 365 such notes: a calendar has them, not lists of notes."""
        return self.kind == "digest" and bool(self.entries)

    @property
    def label_in_lists(self) -> Text:
        return self.short or self.title

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

    @property
    def place(self) -> PurePosixPath:
        """Its folder, or its only file."""
        path = self.location.path
        return path if path.stem == self.name else path.parent


class GlossaryTerm(Struct, frozen=True):
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


class Pdf(Struct, frozen=True):
    """A PDF among the sources."""

    source: Source
    paper: BibKey | None
    """The paper that it is, or is meant to be if it cannot be read; None if unknown."""
    version: int | None
    """Version of the preprint."""
    problem: PdfProblem | None
    """Why it cannot be used."""


class Corpus(Struct, frozen=True, dict=True):
    """The meaning of all sources. `notes` are by topic, in the order that it says, then by number."""

    site: Site
    topics: tuple[Topic, ...]
    notes: tuple[Note, ...]
    papers: Mapping[BibKey, Paper]
    terms: tuple[GlossaryTerm, ...]
    pdfs: tuple[Pdf, ...]
    """In the order of their paths."""
    kept: KeptFiles = NO_KEPT_FILES
    severities: Severities = NO_SEVERITIES
    """Of findings. No page depends on them."""
    pages: tuple[Note, ...] = ()
    """Pages of the user's own: texts that belong to no topic, and are among no notes."""
    own_files: tuple[Source, ...] = ()
    """Files of `static/`, which the site has as they are."""

    aliases: tuple[Alias, ...] = ()
    """Former addresses of notes and topics. No page but those at these addresses depends on them."""
    drafts: tuple[Note, ...] = ()
    """Notes that are left out because they are not to be published: nothing shows them, references may name them."""

    @property
    def written(self) -> tuple[Note, ...]:
        """All that has a text: notes and pages."""
        return (*self.notes, *self.pages)

    @cached_property
    def _notes_by_id(self) -> dict[NoteId, Note]:
        return {note.id: note for note in self.written}

    @cached_property
    def _notes_by_topic(self) -> dict[TopicId, tuple[Note, ...]]:
        ordered = sorted(self.notes, key=lambda note: note.topic)
        return {topic: tuple(notes) for topic, notes in groupby(ordered, key=lambda note: note.topic)}

    @cached_property
    def _topics_by_id(self) -> dict[TopicId, Topic]:
        return {topic.id: topic for topic in self.topics}

    @cached_property
    def _pdfs_by_paper(self) -> dict[BibKey, list[Pdf]]:
        by_paper: dict[BibKey, list[Pdf]] = {}
        for pdf in self.pdfs:
            if pdf.paper:
                by_paper.setdefault(pdf.paper, []).append(pdf)
        return by_paper

    @cached_property
    def own_papers(self) -> Mapping[BibKey, Paper]:
        """The papers without those that only lists have: pages and files about all papers leave these out."""
        listed = {entry.paper for note in self.notes for entry in note.entries}
        if not listed:
            return self.papers
        read = {key for note in self.notes for key in note.papers}
        read.update(key for topic in self.topics for key in topic.papers)
        return {key: paper for key, paper in self.papers.items() if key in read or key not in listed}

    @cached_property
    def without_days(self) -> Corpus:
        """The same without notes of days."""
        kept = tuple(note for note in self.notes if not note.of_day)
        return self if len(kept) == len(self.notes) else replace(self, notes=kept)

    @property
    def topic_of_glossary(self) -> TopicId:
        """The topic whose notes definitions of terms name without the topic, on any page."""
        return self.topics[0].id if self.topics else TopicId("")

    def pdf_of(self, key: BibKey, version: int | None = None) -> Pdf | None:
        """The PDF of a paper in a version, or the newest; one that cannot be used only if there is no other."""
        known = [pdf for pdf in self._pdfs_by_paper.get(key, ()) if version in (None, pdf.version)]
        return max(known, key=lambda pdf: (pdf.problem is None, pdf.version or 0), default=None)

    def outside_drafts(self, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The findings that are not in a file of a note that is left out."""
        places = {note.place for note in self.drafts}
        return [
            problem
            for problem in problems
            if places.isdisjoint((problem.location.path, *problem.location.path.parents))
        ]

    def note(self, note_id: NoteId) -> Note:
        return self._notes_by_id[note_id]

    def topic(self, topic_id: TopicId) -> Topic:
        return self._topics_by_id[topic_id]

    def notes_of(self, topic_id: TopicId) -> tuple[Note, ...]:
        return self._notes_by_topic.get(topic_id, ())
