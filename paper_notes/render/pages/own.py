"""The view of a page of the user's own, which is laid out as the page of a note."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from paper_notes.corpus.model import Corpus, Lang, Note, Text
from paper_notes.diagnostics import Diagnostic
from paper_notes.markdown.body import Body
from paper_notes.markdown.short_texts import is_long
from paper_notes.render.labels import language_name, language_names
from paper_notes.render.links import HOME, MISSING, list_path, note_path
from paper_notes.render.pages import LISTS
from paper_notes.render.pages.note import ReferenceView, TermView, filled_part, reference_views, term_views
from paper_notes.render.sections import SectionView, agree, sections_of
from paper_notes.render.view_factory import PageContext, PageFrame

_OURS = frozenset({HOME, MISSING, *map(list_path, LISTS)})


@dataclass(frozen=True, slots=True)
class OwnPage:
    """A page of the user's own. What only notes have is empty."""

    chrome: PageFrame
    languages: tuple[Lang, ...]
    """Its own, as on the page of a note."""
    names: Mapping[Lang, Text]
    pair: Text
    title: Text
    summary: Text | None
    long: bool
    """The summary is folded at first."""
    lead: Text
    lead_aligned: bool
    sections: tuple[SectionView, ...]
    footnotes: Text
    terms: tuple[TermView, ...]
    references: tuple[ReferenceView, ...]
    tldr: bool = False
    outdated: tuple[str, ...] = ()
    unread: Mapping[str, Mapping[Lang, str]] = field(default_factory=dict)
    papers: tuple[()] = ()
    exports: tuple[()] = ()
    tags: tuple[()] = ()
    words: tuple[()] = ()
    backlinks: tuple[()] = ()
    paths: tuple[()] = ()
    corrects: tuple[()] = ()
    entries: tuple[()] = ()


def own_page(page: Note, body: Body, context: PageContext) -> OwnPage:
    """The view of the page, whose texts name notes with their topics."""
    context = replace(context, topic=page.topic)
    description = context.resolver.description(page) if page.summary else page.title
    return OwnPage(
        chrome=context.chrome(page.title, description, None, page.languages),
        languages=page.languages,
        names={lang: language_name(lang, context.words) for lang in page.languages},
        pair=language_names(context.words),
        title=page.title,
        long=page.summary is not None and is_long(page.summary),
        summary=context.snippet(page.summary, page.summary_location, inline=True),
        lead=filled_part(body, "lead", context),
        lead_aligned=agree(half.lead_blocks for half in body.halves.values()),
        sections=sections_of(body, context),
        footnotes=filled_part(body, "footnotes", context),
        terms=term_views(body, context),
        references=reference_views(body, context),
    )


def is_taken(page: Note) -> bool:
    """True if one of our pages has the name."""
    return note_path(page) in _OURS


def taken_names(corpus: Corpus) -> Iterator[Diagnostic]:
    """Report pages with the name of one of ours, even if the collection does not have that one yet."""
    for page in filter(is_taken, corpus.pages):
        message = f"{note_path(page)} is a page that we make"
        yield Diagnostic(page.location, "taken-path", message, "give yours another name")
