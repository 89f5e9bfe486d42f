"""Step two of rendering: bodies and corpus to pages. Cheap, and where dangling references are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import PurePosixPath
from types import MappingProxyType

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, NoteId, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import NOWHERE, Diagnostic
from paper_notes.engine.build_context import BuildContext
from paper_notes.engine.codec import digest_of, pack
from paper_notes.engine.file_memo import FileMemo, Report
from paper_notes.markdown.bodies import Bodies
from paper_notes.markdown.body import Outline
from paper_notes.render.crops import Crops
from paper_notes.render.links import HOME, SITE, LinkResolver, link_resolver, topic_path
from paper_notes.render.note_rows import Minutes, minutes_of
from paper_notes.render.notes import NotePageMaker, wrong_references
from paper_notes.render.page_inputs import InputCollector, SiteContext, shown
from paper_notes.render.pages.catalogue import list_pages
from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.pages.home import home_page
from paper_notes.render.pages.missing import MISSING, missing_page
from paper_notes.render.pages.note import relations
from paper_notes.render.pages.topic import topic_page
from paper_notes.render.parts import PageContext
from paper_notes.render.referenced_sections import referenced_sections
from paper_notes.render.search.data import Texts
from paper_notes.render.search.files import search_files
from paper_notes.render.theme.templates import TemplateProblem
from paper_notes.render.theme.theme import PageKind, Theme, ThemeFiles, theme_of
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import Source


@dataclass(frozen=True)
class Pages:
    """The HTML pages (and the texts that the home page searches in) as artifacts."""

    artifacts: tuple[Artifact, ...]
    sizes: Mapping[NoteId, int]
    """Bytes of each note's page."""
    resolver: LinkResolver
    facts: bytes = b""
    """Stands for all that is known of the collection but the texts of its notes: what else is derived changes only
    with this and with the sizes."""
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Where pages lead that were made just now, as far as that is known already."""
    rewritten: Callable[[Source], Artifact | None] = lambda source: None
    """The page of a note whose text is all that changed; see `NotePageMaker`."""


def render_pages(
    corpus: Corpus,
    bodies: Bodies,
    files: ThemeFiles,
    reader: PdfReader | None = None,
    context: BuildContext | None = None,
) -> tuple[Pages, tuple[Diagnostic, ...]]:
    """All pages of the site. With diagnostics that are errors they are incomplete and must not be written."""
    context = context or BuildContext()
    notes_with_texts, corpus = corpus.notes, shown(corpus)
    resolver = link_resolver(corpus, bodies.outlines, Crops(corpus, reader or PdfReader()))
    others = relations(corpus, bodies.outlines, resolver)
    material = CollectionContext(corpus, bodies.outlines, others)
    lists = list_pages(material)
    common = site_context(corpus, resolver, lists, files)
    collector = InputCollector(corpus, bodies.outlines, resolver, others)
    maker = NotePageMaker(notes_with_texts, bodies, pack(common), collector)
    notes = maker.pages(context)
    once = FileMemo(context, "pages of the collection")
    texts, text_files = search_files(notes, once, corpus.site.words)
    pdfs = [(pdf.paper, pdf.version, pdf.source.sha256, pdf.problem is None) for pdf in corpus.pdfs]
    notes_and_papers = [*map(collector.digest, corpus.notes)], [*map(collector.paper_digest, corpus.papers)]
    sections = referenced_sections(corpus, resolver.sections)
    facts = digest_of(common, corpus.topics, notes_and_papers, pdfs, sections)
    known = replace(resolver, sections=sections)
    mentions = digest_of(facts, [summary.mentions for summary in bodies.summaries.values()])
    minutes = {note: minutes_of(outline, corpus.site.words) for note, outline in bodies.outlines.items()}
    whole = _Whole(material, minutes, texts, known, files, lists, (facts, mentions), once)
    artifacts = (*notes.artifacts.values(), *whole.topics(), *whole.lists(), *text_files, *whole.home())
    once.save()
    problems = (*wrong_references(corpus, bodies, resolver), *notes.diagnostics, *once.diagnostics)
    return Pages(artifacts, notes.sizes, known, facts, notes.links, maker.rewritten), problems


def site_context(
    corpus: Corpus, resolver: LinkResolver, lists: tuple[CollectionPage, ...], files: ThemeFiles
) -> SiteContext:
    """What the pages of all notes have in common."""
    topics = tuple(
        replace(topic, intro=None, reading_paths=(), location=NOWHERE, intro_location=NOWHERE)
        for topic in corpus.topics
    )
    terms = tuple(replace(term, location=NOWHERE) for term in corpus.terms)
    names = tuple(page.name for page in lists)
    return SiteContext(replace(corpus.site, readme=()), topics, terms, names, resolver.feeds, resolver.cards, files)


Cited = Mapping[NoteId, tuple[BibKey, ...]]
"""What the text of each note cites."""


class _Whole:
    """The pages that show more than one note."""

    def __init__(
        self,
        material: CollectionContext,
        minutes: Mapping[NoteId, Minutes],
        texts: Texts,
        resolver: LinkResolver,
        files: ThemeFiles,
        lists: tuple[CollectionPage, ...],
        facts: tuple[bytes, bytes],
        once: FileMemo,
    ) -> None:
        """`facts` stand for all that is known but for the texts, without and with what these mention."""
        self._corpus, self._material, self._minutes, self._texts = material.corpus, material, minutes, texts
        self._resolver = resolver
        self._files, self._lists, self._once = files, lists, once
        self._facts, self._mentions = facts
        self._places = [term.location for term in self._corpus.terms]
        """Of the terms: the page that shows them all reports what is wrong with their definitions."""
        self._first = self._corpus.topics[0].id if self._corpus.topics else TopicId("")

    @cached_property
    def _theme(self) -> Theme:
        return theme_of(self._files, self._corpus.site.words)

    def topics(self) -> Iterator[Artifact]:
        for topic in self._corpus.topics:
            path = topic_path(topic.id)
            notes = self._corpus.notes_of(topic.id)
            cited = {note.id: self._resolver.cited.get(note.id, ()) for note in notes}
            kind: PageKind = "path" if topic.reading_paths else "topic"
            made_of = (self._facts, topic.id, [self._minutes[note.id] for note in notes], cited)
            view = partial(topic_page, topic, self._minutes)
            yield from self._page(path, "topic.html", kind, made_of, view, topic.id, cited)

    def lists(self) -> Iterator[Artifact]:
        every = self._resolver.cited
        for page in self._lists:
            made_of = (self._mentions, page.name.id, self._places, self._material.outlines if page.counts else None)
            yield from self._page(
                page.name.path, f"{page.name.id}.html", "list", made_of, partial(self._list, page), cited=every
            )
        if self._corpus.site.base_url:
            make_missing = lambda context: missing_page(replace(context, anywhere=True))  # noqa: E731
            yield from self._page(MISSING.path, "404.html", "list", self._facts, make_missing)

    def _list(self, page: CollectionPage, context: PageContext) -> object:
        """The view of such a page, which sees no more of the outlines than its key tells of."""
        bare: Mapping[NoteId, Outline] = {note: outline.bare for note, outline in self._material.outlines.items()}
        return page.make(self._material if page.counts else replace(self._material, outlines=bare), context)

    def home(self) -> Iterator[Artifact]:
        made_of = (self._facts, self._minutes, self._texts)
        yield from self._page(HOME, "home.html", "home", made_of, partial(home_page, self._minutes, self._texts))

    def _page(
        self,
        path: PurePosixPath,
        template: str,
        kind: PageKind,
        made_of: object,
        view: Callable[[PageContext], object],
        topic: TopicId | None = None,
        cited: Cited = MappingProxyType({}),
    ) -> tuple[Artifact, ...]:
        """`cited` is what the page may know of the texts; its key must tell of it."""

        def make(report: Report) -> Iterator[Artifact]:
            names = tuple(page.name for page in self._lists)
            theme = self._theme
            resolver = replace(self._resolver, cited=cited)
            context = PageContext(self._corpus, resolver, theme, path, kind, topic or self._first, report, names)
            try:
                html = theme.render(template, view(context))
            except TemplateProblem as problem:
                report(problem.diagnostic)
                html = ""
            yield Artifact.text(SITE / path, html)

        return self._once.files(str(path), made_of, make)
