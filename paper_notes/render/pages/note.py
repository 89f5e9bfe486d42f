"""The view of a note's page, and of a page of the user's own, which is laid out as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import quote

from markupsafe import Markup

from paper_notes.citation.page_metadata import highwire, json_ld
from paper_notes.corpus.model import Corpus, CorrectedClaim, Lang, Note, NoteId, Text
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Diagnostic
from paper_notes.languages.language import Words
from paper_notes.languages.text import in_each
from paper_notes.markdown.body import Body, Outline
from paper_notes.markdown.short_texts import LONG, is_long
from paper_notes.render.crops import DENSITY, data_uri
from paper_notes.render.labels import drafted_labels, language_name, language_names, minutes_to_read
from paper_notes.render.links import HOME, MISSING, LinkResolver, list_path, markdown_path, note_path
from paper_notes.render.pages import LISTS
from paper_notes.render.pages.entries import EntryView, Field, entries
from paper_notes.render.pages.number_sources import SourceGroup, source_groups, stated
from paper_notes.render.pages.text_parts import (
    Reference,
    SectionView,
    TermView,
    agree,
    filled_part,
    reference_views,
    sections_of,
    term_views,
)
from paper_notes.render.reading_order import PathPosition, positions
from paper_notes.render.view_factory import (
    ImageView,
    LinkView,
    NoteLink,
    PageContext,
    PageFrame,
    PaperView,
    TagLink,
    TopicLink,
    keyword_name,
)
from paper_notes.values import Struct, field, replace


class NextNote(Struct, frozen=True):
    """The one note to read after this one."""

    link: NoteLink
    order: PathPosition
    """Where that says so."""
    why: Text
    """What the path says about it, or else its summary; may be empty."""


class NotePage(Struct, frozen=True, kw_only=True):
    """The page of a note; or one of the user's own, on which what only notes have is empty."""

    chrome: PageFrame
    languages: tuple[Lang, ...]
    """Its own; a one-language note shows a quiet line in the other language's view."""
    names: Mapping[Lang, Text]
    """Names of these languages."""
    pair: Text
    """The languages of the site in one word: `Chinese and English`."""
    title: Text
    summary: Text | None
    long: bool
    """The summary is folded at first."""
    lead: Text
    """HTML, as the body of a section; absent in languages without a lead."""
    lead_aligned: bool
    sections: tuple[SectionView, ...]
    """Those that belong to no entry."""
    footnotes: Text
    """HTML, as the lead."""
    terms: tuple[TermView, ...]
    """Terms of the glossary that the text uses."""
    references: tuple[Reference, ...]
    topic: TopicLink | None = None
    number: str = ""
    """`#4`"""
    kind: Text | None = None
    kind_id: str = ""
    status: Text | None = None
    status_id: str = ""
    rating: int | None = None
    own: bool = False
    draft: Text | None = None
    """`Draft`, where drafts are shown at all."""
    created: str = ""
    updated: str = ""
    reading_source: Text | None = None
    reviewed: bool = False
    minutes: Text | None = None
    """Reading time: `约 12 分钟`, `about 12 min`."""
    tags: tuple[TagLink, ...] = ()
    words: tuple[Text, ...] = ()
    """Keywords of the note itself."""
    tldr: bool = False
    """The text begins with a TL;DR card, which says more than the summary."""
    papers: tuple[PaperView, ...] = ()
    """The first is the main one."""
    thumbnail: ImageView | None = None
    """The first page of the main paper."""
    metadata: tuple[tuple[str, str], ...] = ()
    """Names and contents of `meta` elements about the main paper."""
    json_ld: Markup = field(default_factory=Markup)
    """The content of its `<script>`."""
    entries: tuple[EntryView, ...] = ()
    """The papers that it lists."""
    fields: tuple[Field, ...] = ()
    """Fields of application of the entries, for a filter."""
    keywords: tuple[tuple[str, Text, int], ...] = ()
    """Keywords of the entries with their numbers, the most frequent first."""
    exports: tuple[LinkView, ...] = ()
    """Links to the bibliography of the note in each format; may be empty."""
    outdated: tuple[str, ...] = ()
    """Ids of the sections that changed in one language since they were recorded as translated, in page
    order; `lead` is the text before the first heading."""
    unread: Mapping[str, Mapping[Lang, str]] = field(default_factory=dict)
    """The models that wrote sections which nobody has read, by section and language."""
    drafted: Mapping[Lang, str] = field(default_factory=dict)
    """`3 sections drafted by ..., not reviewed`, in the languages in which they are."""
    sourced: Text | None = None
    """How many numbers lead to their sources."""
    sources: tuple[SourceGroup, ...] = ()
    """Those of the numbers."""
    print_sources: bool = False
    markdown: tuple[tuple[Lang, str], ...] = ()
    """Its texts as files of Markdown, which stand beside it."""
    backlinks: tuple[NoteLink, ...] = ()
    next: NextNote | None = None
    near: tuple[tuple[PathPosition, NoteLink | None, NoteLink | None], ...] = ()
    """The other notes before and after it, on each of its reading paths and in its topic."""
    corrects: tuple[tuple[NoteLink, CorrectedClaim], ...] = ()
    corrected_by: tuple[tuple[NoteLink, CorrectedClaim], ...] = ()
    """With the other note."""


class Relations(Struct, frozen=True):
    """Links, corrections and reading paths that concern each note."""

    backlinks: Mapping[NoteId, tuple[NoteId, ...]]
    corrected_by: Mapping[NoteId, tuple[tuple[NoteId, CorrectedClaim], ...]]
    steps: Mapping[NoteId, tuple[PathPosition, ...]]
    """See `positions`."""
    lists: Mapping[BibKey, tuple[NoteId, ...]] = field(default_factory=dict)
    """The notes that list each paper, in the order of the collection."""


def relations(corpus: Corpus, outlines: Mapping[NoteId, Outline], resolver: LinkResolver) -> Relations:
    """The relations of all notes."""
    backlinks: dict[NoteId, dict[NoteId, None]] = {}
    corrected: dict[NoteId, list[tuple[NoteId, CorrectedClaim]]] = {}
    lists: dict[BibKey, list[NoteId]] = {}
    for note in corpus.notes:
        for entry in note.entries:
            lists.setdefault(entry.paper, []).append(note.id)
        for kind, target in outlines[note.id].mentions:
            linked = resolver.find(target, note.topic) if kind == "note" else None
            if isinstance(linked, tuple) and linked[0] != note.id and resolver.corpus.note(linked[0]).topic:
                backlinks.setdefault(linked[0], {})[note.id] = None
        for correction in note.corrects:
            corrected.setdefault(correction.note, []).append((note.id, correction))
    return Relations(
        {note: tuple(links) for note, links in backlinks.items()},
        {note: tuple(linked) for note, linked in corrected.items()},
        positions(corpus, resolver),
        {paper: tuple(linked) for paper, linked in lists.items()},
    )


FEW_KEYWORDS = 12
"""If a list of papers has more keywords, those of a single paper are no choices of its filter."""


def note_page(note: Note, body: Body, context: PageContext, relations: Relations) -> NotePage:
    """The view of a note's page."""
    corpus = context.corpus
    page = _text_page(note, body, context)

    steps = relations.steps.get(note.id, ())
    listed, fields, rest = entries(note, page.sections, relations.lists, context)
    keywords = Counter(word for entry in listed for word in dict(entry.keywords))
    return replace(
        page,
        topic=context.topic_link(corpus.topic(note.topic), note.topic),
        number=f"#{note.number}",
        kind=corpus.site.kind_name(note.kind),
        kind_id=note.kind,
        status=context.words(f"status.{note.status}"),
        status_id=note.status,
        rating=note.rating,
        own=note.own,
        draft=context.words("label.draft") if note.draft else None,
        created=note.created.isoformat() if note.created else "",
        updated=note.updated.isoformat() if note.updated else "",
        reading_source=context.words(f"read_from.{note.reading_source}") if note.reading_source else None,
        reviewed=note.reviewed,
        minutes=_minutes(body, context.words),
        tags=context.tag_links([note]),
        words=tuple(keyword_name(word, corpus) for word in note.keywords),
        tldr=all("tldr" in half.lead_blocks[:1] for half in body.halves.values()),
        papers=context.papers(note.papers),
        thumbnail=_thumbnail(note, context),
        metadata=highwire(corpus.papers[note.papers[0]], note.keywords) if note.papers else (),
        json_ld=_json_ld(note, context),
        sections=rest,
        entries=listed,
        keywords=tuple(
            (word, keyword_name(word, corpus), count)
            for word, count in keywords.most_common()
            if count > 1 or len(keywords) <= FEW_KEYWORDS
        ),
        fields=fields,
        exports=context.exports(context.page, bool(context.resolver.papers_of_note(note.id))),
        outdated=body.outdated,
        unread={
            section: {lang: draft.model for lang, draft in by_lang.items()} for section, by_lang in note.drafted.items()
        },
        drafted=drafted_labels(note.drafted, context.words, count=True),
        backlinks=tuple(context.note_link(other) for other in relations.backlinks.get(note.id, ())),
        next=_next_note(steps, context),
        near=tuple(_near(steps, context)),
        corrects=tuple((context.note_link(item.note), item) for item in note.corrects),
        corrected_by=tuple((context.note_link(by), item) for by, item in relations.corrected_by.get(note.id, ())),
    )


def _next_note(steps: tuple[PathPosition, ...], context: PageContext) -> NextNote | None:
    """That of the first path that goes on, else the next in the topic."""
    for step in steps:
        if step.next:
            why = step.why or context.resolver.plain_summary(context.corpus.note(step.next))
            return NextNote(context.note_link(step.next), step, why)
    return None


def _near(
    steps: tuple[PathPosition, ...], context: PageContext
) -> Iterator[tuple[PathPosition, NoteLink | None, NoteLink | None]]:
    """Each note once, and not the next one."""
    shown = {next((step.next for step in steps if step.next), None)}

    def link(other: NoteId | None) -> NoteLink | None:
        return context.note_link(other) if other and other not in shown else None

    for step in steps:
        links = link(step.previous), link(step.next)
        shown |= {step.previous, step.next}
        if any(links):
            yield step, *links


def own_page(page: Note, body: Body, context: PageContext) -> NotePage:
    """The view of a page of the user's own, whose texts name notes with their topics."""
    return _text_page(page, body, replace(context, topic=page.topic))


def _text_page(note: Note, body: Body, context: PageContext) -> NotePage:
    """What a page has of any text."""
    description = context.resolver.plain_summary(note, LONG) if note.summary else note.title
    return NotePage(
        chrome=context.chrome(note.title, description, note.topic or None, note.languages),
        languages=note.languages,
        names={lang: language_name(lang, context.words) for lang in note.languages},
        pair=language_names(context.words),
        title=note.title,
        summary=context.snippet(note.summary, note.summary_location, inline=True),
        long=note.summary is not None and is_long(note.summary),
        lead=filled_part(body, "lead", context),
        lead_aligned=agree(half.lead_blocks for half in body.halves.values()),
        sections=sections_of(body, context),
        footnotes=filled_part(body, "footnotes", context),
        terms=term_views(body, context),
        references=reference_views(body, context),
        sourced=stated(body, context),
        sources=source_groups(note, body, context),
        print_sources=context.corpus.site.print_sources,
        markdown=tuple(
            (lang, markdown_path(note, lang).name)
            for lang in note.languages
            if note.topic and context.corpus.site.assistants
        ),
    )


_OURS = frozenset({HOME, MISSING, *map(list_path, LISTS)})


def is_taken(page: Note, lists: Container[PurePosixPath]) -> bool:
    """True if one of our pages, with those of `lists`, has the name of this one of the user's."""
    return note_path(page) in _OURS or note_path(page) in lists


def taken_names(corpus: Corpus, lists: Container[PurePosixPath]) -> Iterator[Diagnostic]:
    """Report pages with the name of one of ours, even if the collection does not have that one yet."""
    for page in corpus.pages:
        if is_taken(page, lists):
            message = f"{note_path(page)} is a page that we make"
            yield Diagnostic(page.location, "taken-path", message, "give yours another name")


def _thumbnail(note: Note, context: PageContext) -> ImageView | None:
    picture = context.resolver.crops.thumbnail(note.papers[0]) if note.papers and note.thumbnail else None
    if picture is None:
        return None
    return ImageView(data_uri(picture), picture.width // DENSITY, picture.height // DENSITY)


def _json_ld(note: Note, context: PageContext) -> Markup:
    keys, listed = context.resolver.papers_of_note(note.id), [entry.paper for entry in note.entries]
    cited = tuple(context.corpus.papers[key] for key in keys if key not in (*note.papers, *listed))
    base = context.corpus.site.base_url
    plain = replace(note, summary=context.resolver.plain_summary(note)) if note.summary else note
    return json_ld(plain, cited, context.corpus, base + quote(str(context.page)) if base else "")


def _minutes(body: Body, words: Words) -> Text:
    """The reading time in each language of the note."""
    times = {lang: minutes_to_read(half.words, half.characters, words[lang]) for lang, half in body.halves.items()}
    return in_each(times, lambda lang: words[lang]("count.about-minutes", count=times[lang]))
