"""Step two of rendering: bodies and corpus to pages. Finds dangling references."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import cached_property, partial
from importlib import import_module
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from paper_notes.artifacts import Artifact
from paper_notes.corpus.error_markers import NO_MARKERS, ErrorMarkers
from paper_notes.corpus.model import NO_LOOK, Corpus, Note, NoteId, Topic, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.references import NO_TOPIC
from paper_notes.diagnostics import NOWHERE, Diagnostic
from paper_notes.engine.build_context import BuildContext, FileMemo, Report
from paper_notes.engine.cache import digest_of, pack
from paper_notes.markdown.bodies import Bodies
from paper_notes.render.crops import Crops
from paper_notes.render.excerpts import excerpts_of
from paper_notes.render.links import (
    HOME,
    MISSING,
    SITE,
    LinkResolver,
    NavigationLink,
    link_resolver,
    list_path,
    navigation,
    note_path,
    topic_path,
)
from paper_notes.render.mistakes import of_collection
from paper_notes.render.note_rows import Minutes, minutes_of, recent_notes
from paper_notes.render.notes import NotePageMaker, wrong_references
from paper_notes.render.page_inputs import (
    InputCollector,
    SiteContext,
    crops_of_lists,
    outline_of_site,
    referenced_sections,
    shown,
)
from paper_notes.render.pages import LISTS
from paper_notes.render.pages.collection import CollectionContext, CollectionPage, ListPart
from paper_notes.render.pages.home import home_page
from paper_notes.render.pages.moved import missing_page, moved_page, moved_pages
from paper_notes.render.pages.note import is_taken, own_page, relations, taken_names
from paper_notes.render.pages.topic import topic_page, year_path, years_of
from paper_notes.render.search.data import Texts, search_data, search_files
from paper_notes.render.theme.theme import PageKind, Theme, ThemeFiles, theme_of
from paper_notes.render.view_factory import PageContext, note_papers_in
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.values import Struct, field, replace

COLLECTION_PAGES: tuple[CollectionPage, ...] = tuple(
    import_module(f"paper_notes.render.pages.{name}").PAGE for name in LISTS
)
"""The pages of the whole collection, in the order of the navigation."""


class Pages(Struct, frozen=True):
    """The HTML pages (and the search files of the home page) as artifacts."""

    artifacts: tuple[Artifact, ...]
    sizes: Mapping[NoteId, int]
    """Size of each note's page in bytes."""
    resolver: LinkResolver
    metadata_digest: bytes = b""
    """SHA-256 of the collection without the texts of its notes: other files depend only on this and the sizes."""
    topics: Mapping[TopicId, bytes] = field(default_factory=dict)
    """SHA-256 of what files about one topic alone may show, but for sizes."""
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Links of notes' pages that were rendered in this build, by the path of the page."""
    maker: NotePageMaker | None = None
    """Renders and checks a note whose text is all that changed."""
    moved: tuple[Artifact, ...] = ()
    """The pages at former addresses of notes, which no other file names."""


def render_pages(
    corpus: Corpus,
    bodies: Bodies,
    files: ThemeFiles,
    reader: PdfReader,
    context: BuildContext,
    marks: ErrorMarkers = NO_MARKERS,
) -> tuple[Pages, tuple[Diagnostic, ...]]:
    """All pages of the site. Those with diagnostics that are errors may only be written with `marks` of these."""
    theme = theme_of(files, corpus.site.words)
    with theme.templates.compiled(context.cache), theme.math_font.kept(context.cache):
        return _pages(prepared(corpus, bodies, files, reader, marks), bodies, context)


def _pages(before: Prepared, bodies: Bodies, context: BuildContext) -> tuple[Pages, tuple[Diagnostic, ...]]:
    corpus, common, mistakes = before.collection.corpus, before.common, before.mistakes
    collector, resolver = before.notes.collector, before.notes.collector.resolver
    notes = before.notes.pages(context)
    memo = FileMemo(context, "pages of the collection")
    texts, text_files = search_files(notes, memo, corpus.site.words)
    pdfs = [(pdf.paper, pdf.version, pdf.source.sha256, pdf.problem is None) for pdf in corpus.pdfs]
    notes_and_papers = (
        [collector.digest(note.id) for note in corpus.written],
        [*map(collector.paper_digest, corpus.papers)],
    )
    anchors = referenced_sections(corpus, resolver.anchors)
    gists = resolver.gists if resolver.cards else {}  # else a sentence of one note would be in the key of all lists
    parts = [digest_of(crop) for crop in crops_of_lists(corpus, resolver.crops)]
    alike = digest_of(
        common, corpus.topics, outline_of_site(corpus, resolver), pdfs, anchors, corpus.site.footer, parts
    )
    metadata = digest_of(alike, notes_and_papers, gists)
    known = replace(resolver, anchors=anchors, gists=gists)
    with_mentions = digest_of(metadata, [summary.mentions for summary in bodies.summaries.values()])
    minutes = {note: minutes_of(outline, corpus.site.words) for note, outline in bodies.outlines.items()}
    pages = _CollectionPages(before, minutes, texts, known, alike, metadata, with_mentions, memo)
    artifacts = (
        *notes.artifacts.values(),
        *pages.topics(),
        *pages.lists(),
        *pages.own(bodies),
        *text_files,
        *pages.search(),
        *pages.home(),
    )
    moved = tuple(pages.moved({artifact.path.relative_to(SITE) for artifact in artifacts}))
    memo.save()
    mistakes += *taken_names(corpus, pages.views), *wrong_references(corpus, bodies, resolver)
    problems = (*mistakes, *notes.diagnostics, *memo.diagnostics, *pages.problems)
    topics = {topic.id: digest_of(alike, pages.seen(topic, corpus.notes_of(topic.id))) for topic in corpus.topics}
    return Pages(artifacts, notes.sizes, known, metadata, topics, notes.links, before.notes, moved), problems


class Prepared(NamedTuple):
    """What is known before the first page is rendered."""

    notes: NotePageMaker
    collection: CollectionContext
    common: SiteContext
    lists: tuple[CollectionPage, ...]
    mistakes: tuple[Diagnostic, ...]


def prepared(
    corpus: Corpus,
    bodies: Bodies,
    files: ThemeFiles,
    reader: PdfReader,
    marks: ErrorMarkers = NO_MARKERS,
) -> Prepared:
    """What the pages of notes need besides their bodies, as for `render_pages`."""
    notes_with_texts, corpus = corpus.notes, shown(corpus, bodies.outlines)
    resolver = link_resolver(corpus, bodies.outlines, Crops(corpus, reader), excerpts_of(bodies))
    note_relations = relations(corpus, bodies.outlines, resolver)
    collection = CollectionContext(corpus, bodies.outlines, note_relations)
    lists = tuple(page for page in COLLECTION_PAGES if page.wanted(collection))
    titles = ((list_path(page.name), corpus.site.words(f"page.{page.name}.title")) for page in lists)
    entries, mistakes = navigation(corpus, resolver, titles)
    common = site_context(corpus, resolver, lists, files, entries)
    collector = InputCollector(corpus, bodies.outlines, resolver, note_relations, marks)
    maker = NotePageMaker(notes_with_texts, bodies, pack(common), collector, marks)
    return Prepared(maker, collection, common, lists, mistakes)


def site_context(
    corpus: Corpus,
    resolver: LinkResolver,
    lists: tuple[CollectionPage, ...],
    files: ThemeFiles,
    entries: tuple[NavigationLink, ...] = (),
) -> SiteContext:
    """What the pages of all notes have in common."""
    topics = tuple(
        replace(topic, intro=None, reading_paths=(), papers=(), location=NOWHERE, intro_location=NOWHERE)
        for topic in corpus.topics
    )
    terms = tuple(replace(term, location=NOWHERE) for term in corpus.terms)
    names = tuple(page.name for page in lists)
    footer = replace(corpus.site.footer, location=NOWHERE) if corpus.site.footer else None
    # the look is in the files of the theme, and the navigation in its entries
    site = replace(corpus.site, readme=(), look=NO_LOOK, navigation=(), footer=footer)
    return SiteContext(site, topics, terms, names, resolver.feeds, resolver.cards, files, entries)


Cited = Mapping[NoteId, tuple[BibKey, ...]]
"""The papers that the text of each note cites."""


class _CollectionPages(Struct, frozen=True, dict=True):
    """The pages that show more than one note."""

    before: Prepared
    minutes: Mapping[NoteId, Minutes]
    texts: Texts
    resolver: LinkResolver
    alike: bytes
    """Digest of what all pages may show: the site, its topics, and which notes and papers there are."""
    metadata: bytes
    """Digest of the collection without the texts of notes."""
    with_mentions: bytes
    """Digest of the same, and of the references in these texts."""
    memo: FileMemo
    problems: list[Diagnostic] = field(default_factory=list)

    @property
    def corpus(self) -> Corpus:
        return self.before.collection.corpus

    @property
    def marks(self) -> ErrorMarkers:
        return self.before.notes.marks

    @cached_property
    def _theme(self) -> Theme:
        return theme_of(self.before.common.theme, self.corpus.site.words)

    def topics(self) -> Iterator[Artifact]:
        recent = recent_notes(self.corpus.without_days.notes)
        for topic in self.corpus.topics:
            mistakes = self.marks.of_topic(topic.id)
            years = years_of(topic, self.corpus)
            of_years = [(year, len(of_year)) for year, of_year in years.items()]
            for year in (None, *years):
                notes = self.corpus.notes_of(topic.id) if year is None else years[year]
                path = topic_path(topic.id) if year is None else year_path(topic, year)
                cited = {note.id: self.resolver.cited.get(note.id, ()) for note in notes}
                kind: PageKind = "path" if year is None and topic.reading_paths else "topic"
                ids = [note.id for note in notes]
                times = [(self.minutes[note], recent.get(note)) for note in ids]
                inputs = (self.alike, self.seen(topic, notes), topic.id, ids, times, cited, of_years)
                view = partial(topic_page, topic, self.minutes, years, year)
                yield from self._page(path, "topic.html", kind, inputs, view, topic.id, cited, mistakes)

    def seen(self, topic: Topic, notes: tuple[Note, ...]) -> bytes:
        """Digest of what a page of a topic shows of these of its notes, besides what all pages may show."""
        papers = (*note_papers_in(notes), *topic.papers)
        guides = ((path.guide, path.location) for path in topic.reading_paths)
        steps = (note for path in topic.reading_paths for note in path.steps)
        texts = ((topic.intro, topic.intro_location), *guides)
        return self.before.notes.collector.seen((*(note.id for note in notes), *steps), papers, texts, topic.id)

    @cached_property
    def views(self) -> Mapping[PurePosixPath, tuple[CollectionPage, ListPart | None]]:
        """Each page of the whole collection, and which part of it is on a page of its own."""
        return {
            list_path(page.name, name): (page, part)
            for page in self.before.lists
            for name, part in {"": None, **page.parts(self.before.collection)}.items()
        }

    def lists(self) -> Iterator[Artifact]:
        every = self.resolver.cited
        terms = [term.location for term in self.corpus.terms]
        whole = self.before.collection
        bare = replace(whole, outlines={note: outline.bare for note, outline in whole.outlines.items()})
        for path, (page, part) in self.views.items():
            if part:
                seen = self.before.notes.collector.seen(part.notes, part.papers, (), NO_TOPIC)
                inputs: object = (self.alike, seen, part.facts, path, terms)
            else:
                inputs = (self.with_mentions, path, terms, whole.outlines if page.counts else None)
            make = partial(part.view if part else page.view, whole if page.counts else bare)
            yield from self._page(path, f"{page.name}.html", "list", inputs, make, cited=every)
        if self.corpus.site.base_url:
            make_missing = lambda context: missing_page(replace(context, anywhere=True))  # noqa: E731
            yield from self._page(MISSING, "404.html", "list", self.metadata, make_missing)

    def own(self, bodies: Bodies) -> Iterator[Artifact]:
        """The user's own pages. They may name any section of any note."""
        outlines = self.before.collection.outlines
        anchors = {note: outline.anchors for note, outline in outlines.items()}

        def view(page: Note, context: PageContext) -> object:
            resolver = replace(context.resolver, anchors=anchors)
            return own_page(page, bodies[page.id], replace(context, resolver=resolver))

        for page in self.corpus.pages:
            if not is_taken(page, self.views):
                excerpts = self.resolver.shown_in(page, outlines[page.id])
                inputs = (self.with_mentions, bodies.digests[page.id], excerpts)
                yield from self._page(note_path(page), "page.html", "note", inputs, partial(view, page))

    def home(self) -> Iterator[Artifact]:
        view = partial(home_page, self.minutes)
        yield from self._page(
            HOME, "home.html", "home", (self.metadata, self.minutes), view, mistakes=self.marks.errors
        )

    def search(self) -> tuple[Artifact, ...]:
        """The palette, and the facts that it searches."""

        def make(report: Report) -> Iterator[Artifact]:
            context = self._context(HOME, "home", self.corpus.topic_of_glossary, lambda _: None)
            yield Artifact.text(SITE / "search-palette.css", self._theme.palette)
            yield Artifact.text(SITE / "search-notes.css", search_data(self.minutes, self.texts, context))

        return self.memo.files("search", (self.metadata, self.minutes, self.texts), make)

    def moved(self, taken: Container[PurePosixPath]) -> Iterator[Artifact]:
        """The pages at former addresses that are not `taken`."""
        for path, alias in moved_pages(self.corpus, taken, self.problems.append):
            yield from self._page(
                path, "moved.html", "moved", (self.metadata, alias.topic, alias.note), partial(moved_page, alias)
            )

    def _page(
        self,
        path: PurePosixPath,
        template: str,
        kind: PageKind,
        inputs: object,
        view: Callable[[PageContext], object],
        topic: TopicId | None = None,
        cited: Cited = MappingProxyType({}),
        mistakes: tuple[Diagnostic, ...] = (),
    ) -> tuple[Artifact, ...]:
        """One page. `cited` is all that it may see of the texts of notes; `inputs` must include it."""

        def made(report: Report) -> tuple[bytes, object]:
            shown = of_collection(self.marks, mistakes, self.corpus, path)
            context = self._context(path, kind, topic or self.corpus.topic_of_glossary, report)
            return self._look, view(replace(context, resolver=replace(self.resolver, cited=cited), mistakes=shown))

        def write(seen: tuple[bytes, object], report: Report) -> str:
            return self._context(path, kind, NO_TOPIC, report).render(template, seen[1])

        return self.memo.page(str(path), SITE / path, (inputs, mistakes), made, write)

    @cached_property
    def _look(self) -> bytes:
        """Digest of what makes HTML of a view: templates, styles and words."""
        return digest_of(self.before.common)

    def _context(self, path: PurePosixPath, kind: PageKind, topic: TopicId, report: Report) -> PageContext:
        resolver = replace(self.resolver, cited=MappingProxyType({}))
        lists, own = self.before.common.lists, self.before.common.navigation
        return PageContext(self.corpus, resolver, self._theme, path, kind, topic, report, lists, navigation=own)
