"""The view of a note's page, from the note and its body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal
from urllib.parse import quote

from markupsafe import Markup

from paper_notes.citation.page_metadata import highwire, json_ld
from paper_notes.corpus.model import Corpus, Correction, GlossaryTerm, Lang, Note, NoteId, Text
from paper_notes.corpus.paper import BibKey
from paper_notes.languages.language import Words
from paper_notes.languages.text import in_each
from paper_notes.markdown.body import Body, Outline
from paper_notes.markdown.short_texts import is_long
from paper_notes.render.crops import DENSITY, data_uri
from paper_notes.render.labels import cite_label, drafted_labels, language_name, language_names, minutes_to_read
from paper_notes.render.links import LinkResolver, note_export
from paper_notes.render.pages.entries import EntryView, Field, entries
from paper_notes.render.sections import SectionView, agree, sections_of
from paper_notes.render.view_factory import (
    ImageView,
    LinkView,
    NoteLink,
    PageContext,
    PageFrame,
    PaperView,
    TagLink,
    TopicLink,
)


@dataclass(frozen=True, slots=True)
class ReferenceView:
    """One entry of a note's reference list."""

    key: str
    label: str
    """`Leviathan et al., 2022`: the text of the citations that lead here."""
    paper: PaperView


@dataclass(frozen=True, slots=True)
class TermView:
    """A term of the glossary that the note uses."""

    id: str
    """Target of `a.gl` links in the text."""
    names: tuple[tuple[str, str], ...]
    """HTML tag of a language, and the name in it; only one pair if all names are equal."""
    definition: Text | None


@dataclass(frozen=True, slots=True)
class PathStep:
    """The position of a note in a reading path, for its page."""

    title: Text
    position: int
    """From 1."""
    length: int
    previous: NoteLink | None
    next: NoteLink | None


@dataclass(frozen=True, slots=True)
class CorrectionView:
    """A correction between this note and another one."""

    note: NoteLink
    claim: Text
    correction: Text
    date: str


@dataclass(frozen=True, slots=True)
class NotePage:
    """A note's page."""

    chrome: PageFrame
    languages: tuple[Lang, ...]
    """The note's own; a one-language note shows a quiet line in the other language's view."""
    names: Mapping[Lang, Text]
    """Names of these languages."""
    pair: Text
    """The languages of the site in one word: `Chinese and English`."""
    topic: TopicLink
    number: str
    """`#4`"""
    kind: Text
    kind_id: str
    title: Text
    status: Text
    status_id: str
    rating: int | None
    own: bool
    draft: Text | None
    """`Draft`, where drafts are shown at all."""
    created: str
    updated: str
    reading_source: Text | None
    reviewed: bool
    minutes: Text
    """Reading time: `约 12 分钟`, `about 12 min`."""
    tags: tuple[TagLink, ...]
    words: tuple[str, ...]
    """Keywords of the note itself."""
    summary: Text | None
    long: bool
    """The summary is folded at first."""
    tldr: bool
    """The text begins with a TL;DR card, which says more than the summary."""
    papers: tuple[PaperView, ...]
    """The first is the main one."""
    thumbnail: ImageView | None
    """The first page of the main paper."""
    metadata: tuple[tuple[str, str], ...]
    """Names and contents of `meta` elements about the main paper."""
    json_ld: Markup
    """The content of its `<script>`."""
    lead: Text
    """HTML, as the body of a section; absent in languages without a lead."""
    lead_aligned: bool
    sections: tuple[SectionView, ...]
    """Those that belong to no entry."""
    entries: tuple[EntryView, ...]
    """The papers that it lists."""
    fields: tuple[Field, ...]
    """Fields of application of the entries, for a filter."""
    keywords: tuple[tuple[str, int], ...]
    """Keywords of the entries with their numbers, the most frequent first."""
    footnotes: Text
    """HTML, as the lead."""
    terms: tuple[TermView, ...]
    """Terms of the glossary that the text uses."""
    references: tuple[ReferenceView, ...]
    exports: tuple[LinkView, ...]
    """Links to the bibliography of the note in each format; may be empty."""
    outdated: tuple[str, ...]
    """Ids of the sections that changed in one language since they were recorded as translated, in page
    order; `lead` is the text before the first heading."""
    unread: Mapping[str, Mapping[Lang, str]]
    """The models that wrote sections which nobody has read, by section and language."""
    drafted: Mapping[Lang, str]
    """`3 sections drafted by ..., not reviewed`, in the languages in which they are."""
    sourced: Text | None
    """How many numbers are at the place named in a paper, if that is kept."""
    backlinks: tuple[NoteLink, ...]
    paths: tuple[PathStep, ...]
    corrects: tuple[CorrectionView, ...]
    corrected_by: tuple[CorrectionView, ...]


@dataclass(frozen=True, slots=True)
class PathPosition:
    """The position of a note in a reading path. It has no other steps, as a path may be as long as the collection."""

    title: Text
    """Title of the path."""
    position: int
    """From 1."""
    length: int
    previous: NoteId | None
    next: NoteId | None


@dataclass(frozen=True, slots=True)
class Relations:
    """Links, corrections and reading paths that concern each note."""

    backlinks: Mapping[NoteId, tuple[NoteId, ...]]
    corrected_by: Mapping[NoteId, tuple[tuple[NoteId, Correction], ...]]
    steps: Mapping[NoteId, tuple[PathPosition, ...]]
    lists: Mapping[BibKey, tuple[NoteId, ...]] = field(default_factory=dict)
    """The notes that list each paper, in the order of the collection."""


def relations(corpus: Corpus, outlines: Mapping[NoteId, Outline], resolver: LinkResolver) -> Relations:
    """The relations of all notes."""
    backlinks: dict[NoteId, dict[NoteId, None]] = {}
    corrected: dict[NoteId, list[tuple[NoteId, Correction]]] = {}
    steps: dict[NoteId, list[PathPosition]] = {}
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
    for topic in corpus.topics:
        for path in topic.reading_paths:
            triples = zip((None, *path.steps[:-1]), path.steps, (*path.steps[1:], None), strict=True)
            for position, (previous, step, following) in enumerate(triples, 1):
                steps.setdefault(step, []).append(
                    PathPosition(path.title, position, len(path.steps), previous, following)
                )
    return Relations(
        {note: tuple(links) for note, links in backlinks.items()},
        {note: tuple(linked) for note, linked in corrected.items()},
        {note: tuple(linked) for note, linked in steps.items()},
        {paper: tuple(linked) for paper, linked in lists.items()},
    )


FEW_KEYWORDS = 12
"""If a list of papers has more keywords, those of a single paper are no choices of its filter."""


def note_page(note: Note, body: Body, context: PageContext, relations: Relations) -> NotePage:
    """The view of a note's page."""
    summary = context.snippet(note.summary, note.summary_location, inline=True)
    title = note.title
    description = context.resolver.description(note) if note.summary else title
    corpus = context.corpus
    listed, fields, rest = entries(note, sections_of(body, context), relations.lists, context)
    keywords = Counter(word for entry in listed for word in dict.fromkeys(entry.keywords))
    return NotePage(
        chrome=context.chrome(title, description, note.topic, note.languages),
        languages=note.languages,
        names={lang: language_name(lang, context.words) for lang in note.languages},
        pair=language_names(context.words),
        topic=context.topic_link(corpus.topic(note.topic), note.topic),
        number=f"#{note.number}",
        kind=corpus.site.kind_name(note.kind),
        kind_id=note.kind,
        title=title,
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
        words=note.keywords,
        summary=summary,
        long=note.summary is not None and is_long(note.summary),
        tldr=all("tldr" in half.lead_blocks[:1] for half in body.halves.values()),
        papers=context.papers(note.papers),
        thumbnail=_thumbnail(note, context),
        metadata=highwire(corpus.papers[note.papers[0]], note.keywords) if note.papers else (),
        json_ld=_json_ld(note, context),
        lead=filled_part(body, "lead", context),
        lead_aligned=agree(half.lead_blocks for half in body.halves.values()),
        sections=rest,
        entries=listed,
        keywords=tuple(
            by_lang for by_lang in keywords.most_common() if by_lang[1] > 1 or len(keywords) <= FEW_KEYWORDS
        ),
        fields=fields,
        footnotes=filled_part(body, "footnotes", context),
        terms=term_views(body, context),
        references=reference_views(body, context),
        exports=context.exports(partial(note_export, note), bool(context.resolver.papers_of_note(note.id))),
        outdated=body.outdated,
        unread={
            section: {lang: draft.model for lang, draft in by_lang.items()} for section, by_lang in note.drafted.items()
        },
        drafted=drafted_labels(note.drafted, context.words, count=True),
        sourced=_sourced(body, context.words),
        backlinks=tuple(context.note_link(other) for other in relations.backlinks.get(note.id, ())),
        paths=tuple(_step(step, context) for step in relations.steps.get(note.id, ())),
        corrects=tuple(_correction(item.note, item, context) for item in note.corrects),
        corrected_by=tuple(_correction(by, item, context) for by, item in relations.corrected_by.get(note.id, ())),
    )


def _sourced(body: Body, words: Words) -> Text | None:
    counts = {lang: half.sourced for lang, half in body.halves.items() if half.sourced[1]}
    if not counts:
        return None
    first = next(iter(counts.values()))
    return in_each(
        words.tags,
        lambda lang: words[lang](
            "ui.note.sourced", there=str(counts.get(lang, first)[0]), all=str(counts.get(lang, first)[1])
        ),
    )


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


def filled_part(body: Body, part: Literal["lead", "footnotes"], context: PageContext) -> Text:
    """The lead or footnotes of a note, in the languages in which they are not empty."""
    halves = ((lang, half, getattr(half, part)) for lang, half in body.halves.items())
    return Text(tuple((lang, context.filled(html, half.slots, lang)) for lang, half, html in halves if html.strip()))


def term_views(body: Body, context: PageContext) -> tuple[TermView, ...]:
    """The terms that the note uses in any language, in the order of the glossary."""
    used = {term for half in body.halves.values() for term in half.terms}
    terms = [term for term in context.corpus.terms if term.id in used]
    terms.sort(key=lambda term: term.name[context.sorting].casefold())
    # what is wrong with a definition is reported by the glossary's page, and it means the same notes as there
    quiet = replace(context.of_topic(context.corpus.topic_of_glossary), report=lambda _: None)
    return tuple(
        TermView(term.id, term_names(term, context.words), quiet.snippet(term.definition, term.location, inline=True))
        for term in terms
    )


def term_names(term: GlossaryTerm, words: Words) -> tuple[tuple[str, str], ...]:
    """The names of a term, each with the HTML tag of its language; equal names once, with the last language."""
    tags = {name: words[lang].html for lang, name in term.name.parts}
    return tuple((tag, name) for name, tag in tags.items())


def reference_views(body: Body, context: PageContext) -> tuple[ReferenceView, ...]:
    """The papers that the text cites or shows parts of, in the order of their labels."""
    papers = context.corpus.papers
    slots = [slot for half in body.halves.values() for slot in half.slots]
    keys = [slot.target for slot in slots if slot.kind == "cite"]
    crops = [context.resolver.crops.find(slot.target) for slot in slots if slot.kind == "crop"]
    keys += [crop.paper.key for crop in crops if crop]
    cited = [papers[BibKey(key)] for key in dict.fromkeys(keys) if key in papers]
    cited.sort(key=lambda paper: (cite_label(paper).casefold(), paper.key))
    return tuple(ReferenceView(paper.key, cite_label(paper), context.paper(paper)) for paper in cited)


def _step(step: PathPosition, context: PageContext) -> PathStep:
    previous = context.note_link(step.previous) if step.previous else None
    following = context.note_link(step.next) if step.next else None
    return PathStep(step.title, step.position, step.length, previous, following)


def _correction(other: NoteId, item: Correction, context: PageContext) -> CorrectionView:
    date = item.date.isoformat() if item.date else ""
    return CorrectionView(context.note_link(other), item.claim, item.correction, date)
