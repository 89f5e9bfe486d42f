"""The inputs of a note's page: all that it shows of other notes, of papers and of the site.

Nothing else reaches the page, so it can be rendered in any process, and only if this value changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath
from types import MappingProxyType

from paper_notes.corpus.error_markers import NO_MARKERS, ErrorMarkers
from paper_notes.corpus.load import index_of
from paper_notes.corpus.model import (
    Corpus,
    CorrectedClaim,
    GlossaryTerm,
    Note,
    NoteId,
    NoteText,
    Site,
    Text,
    Topic,
    TopicId,
)
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.corpus.references import NO_TOPIC, split_section
from paper_notes.diagnostics import NOWHERE, Diagnostic, Location
from paper_notes.engine.cache import digest_of
from paper_notes.languages.language import Words
from paper_notes.markdown.body import Anchors, Outline, SlotKind
from paper_notes.markdown.short_texts import render_snippet
from paper_notes.patterns import regex
from paper_notes.render.crops import Crop, Crops
from paper_notes.render.excerpts import Excerpt, place_of_excerpt
from paper_notes.render.links import Feed, LinkResolver, NavigationLink
from paper_notes.render.pages.note import Relations
from paper_notes.render.reading_order import PathPosition
from paper_notes.render.theme.theme import ThemeFiles
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.values import Struct, field, replace

READERS = 2
"""Notes that read a paper, as a page knows them at most: a card links to the first that is not the page itself."""
Mention = tuple[SlotKind, str]
"""Kind and target of a slot."""


class SiteContext(Struct, frozen=True):
    """The inputs that the pages of all notes have in common."""

    site: Site
    topics: tuple[Topic, ...]
    """Without their reading paths."""
    terms: tuple[GlossaryTerm, ...]
    lists: tuple[str, ...]
    feeds: tuple[Feed, ...]
    cards: bool
    theme: ThemeFiles
    navigation: tuple[NavigationLink, ...] = ()


class PageInputs(Struct, frozen=True):
    """A note and what its page shows besides its body."""

    notes: tuple[Note, ...]
    """The note itself, then the notes that its page names, then those that summaries of these name.

    Without their texts and files.
    """
    anchors: Mapping[NoteId, Anchors]
    """What references may name in the notes that the page names."""
    papers: Mapping[BibKey, Paper]
    readers: Mapping[BibKey, tuple[NoteId, ...]]
    published: Mapping[BibKey, PurePosixPath]
    cited: tuple[BibKey, ...]
    tags: Mapping[str, str]
    crops: Mapping[str, Crop]
    thumbnail: Picture | None
    backlinks: tuple[NoteId, ...]
    corrected_by: tuple[tuple[NoteId, CorrectedClaim], ...]
    steps: tuple[PathPosition, ...]
    lists: Mapping[BibKey, tuple[NoteId, ...]]
    """Other notes that list the papers of its entries: the first few."""
    mistakes: tuple[Diagnostic, ...] = ()
    """What the page marks."""
    gists: Mapping[NoteId, Text] = field(default_factory=dict)
    """Of the notes that the page names."""
    excerpts: Mapping[str, Excerpt] = field(default_factory=dict)
    """What it shows of other notes, see `LinkResolver.shown_in`."""

    @property
    def note(self) -> Note:
        return self.notes[0]


def shown(corpus: Corpus, outlines: Mapping[NoteId, Outline] = MappingProxyType({})) -> Corpus:
    """The part of the corpus that pages show, so that a page cannot show what its key does not include.

    Without texts and files of notes and the user's own keys, without records of drafts that somebody has read,
    without locations of BibTeX entries (an entry added above changes no page), and without papers that only drafts
    read.
    """
    left_out = _of_drafts(corpus, outlines)
    papers = {key: replace(paper, location=NOWHERE) for key, paper in corpus.papers.items() if key not in left_out}
    notes, pages = (
        tuple(_without_files(note, outlines.get(note.id)) for note in texts) for texts in (corpus.notes, corpus.pages)
    )
    return replace(corpus, notes=notes, pages=pages, papers=papers)


def _of_drafts(corpus: Corpus, outlines: Mapping[NoteId, Outline]) -> set[BibKey]:
    """The papers that drafts read, and that nothing else reads, cites or shows."""
    keys = {key for draft in corpus.drafts for key in draft.papers if key in corpus.papers}
    if not keys:
        return keys
    named = {target for outline in outlines.values() for kind, target in outline.mentions if kind != "note"}
    written = "\n".join([*named, *(part for text, _ in _yaml_texts(corpus) for _, part in text.parts)])
    keys -= {key for note in corpus.notes for key in note.papers}
    keys -= {entry.paper for note in corpus.notes for entry in note.entries}
    keys -= {key for topic in corpus.topics for key in topic.papers}
    return {key for key in keys if not any(name in written for name in (key, corpus.papers[key].arxiv or key))}


def _yaml_texts(corpus: Corpus) -> Iterator[tuple[Text, Location]]:
    """The Markdown texts of YAML files, and where they are."""
    site = corpus.site
    texts = [(site.description, NOWHERE), *((term.definition, term.location) for term in corpus.terms)]
    texts += [(note.summary, note.summary_location) for note in (*corpus.notes, *corpus.pages)]
    texts += [(entry.headline, entry.location) for note in corpus.notes for entry in note.entries]
    for topic in corpus.topics:
        texts += [(topic.intro, topic.intro_location), *((path.guide, path.location) for path in topic.reading_paths)]
    texts += [(site.footer.text, site.footer.location)] if site.footer else []
    return ((text, where) for text, where in texts if text)


def _without_files(note: Note, outline: Outline | None) -> Note:
    texts = tuple(NoteText(text.lang, text.path, "") for text in note.texts)
    unread = {(draft.section, draft.lang) for draft in outline.unread} if outline else ()
    kept = {
        section: {lang: record for lang, record in records.items() if (section, lang) in unread}
        for section, records in note.drafted.items()
    }
    drafted = {section: records for section, records in kept.items() if records}
    return replace(note, texts=texts, files={}, translated={}, drafted=drafted, extra={})


class InputCollector:
    """Collects the inputs of each note's page from a corpus as it is `shown`, and their digests."""

    def __init__(
        self,
        corpus: Corpus,
        outlines: Mapping[NoteId, Outline],
        resolver: LinkResolver,
        relations: Relations,
        marks: ErrorMarkers = NO_MARKERS,
    ) -> None:
        self._marks = marks
        self._corpus, self._outlines, self.resolver, self._relations = corpus, outlines, resolver, relations
        self._terms = {term.id: term for term in corpus.terms}
        footer, words = corpus.site.footer, corpus.site.words
        self._in_footer = tuple(_in_text(footer.text, footer.location, words)) if footer else ()
        self._in_definition = cache(self._mentions_of_term)
        self._in_summary = cache(self._mentions_of_summary)
        self.digest = cache(lambda note_id: digest_of(corpus.note(note_id)))
        """SHA-256 of a note without its texts: notes and papers are part of many inputs."""
        self.paper_digest = cache(lambda key: digest_of(corpus.papers[key]))
        """SHA-256 of a paper without the location of its entry."""

    def of(self, note: Note) -> PageInputs:
        """The inputs of the note's page."""
        corpus, resolver, relations = self._corpus, self.resolver, self._relations
        outline = self._outlines[note.id]
        definitions = tuple(mention for term in outline.terms for mention in self._in_definition(term))
        own = (*outline.mentions, *self._in_summary(note.id), *self._in_headlines(note), *self._in_footer)
        excerpts = resolver.shown_in(note, outline)
        inside = {place: tuple((slot.kind, slot.target) for slot in excerpts[place].slots) for place in excerpts}
        mentions = (*own, *definitions, *(mention for known in inside.values() for mention in known))
        crops = {
            target: replace(picture, paper=self._corpus.papers[picture.paper.key])
            for target in _crops_in(mentions)
            if (picture := resolver.crops.find(target))
        }
        mentioned = (BibKey(target) for kind, target in mentions if kind != "note")
        listed = [entry.paper for entry in note.entries]
        others = {key: [other for other in relations.lists[key] if other != note.id][:READERS] for key in listed}
        lists = {key: tuple(picture) for key, picture in others.items() if picture}
        keys = dict.fromkeys((*note.papers, *listed, *resolver.cited[note.id], *mentioned))
        papers = {key: self._corpus.papers[key] for key in keys if key in corpus.papers}
        papers |= {crop.paper.key: crop.paper for crop in crops.values()}
        readers = {key: resolver.readers[key][:READERS] for key in papers if key in resolver.readers}
        steps = relations.steps.get(note.id, ())
        backlinks = relations.backlinks.get(note.id, ())
        corrected_by = relations.corrected_by.get(note.id, ())
        near = {
            note.id: None,
            **dict.fromkeys(self._targets(note.topic, own)),
            **dict.fromkeys(
                other
                for place, known in inside.items()
                for other in self._targets(corpus.note(NoteId(place.partition("#")[0])).topic, known)
            ),
            **dict.fromkeys(self._targets(corpus.topic_of_glossary, definitions)),
            **dict.fromkeys(other for notes in readers.values() for other in notes),
            **dict.fromkeys(other for notes in lists.values() for other in notes),
            **dict.fromkeys(backlinks),
            **dict.fromkeys(beside for step in steps for beside in (step.previous, step.next) if beside),
            **dict.fromkeys(item.note for item in note.corrects),
            **dict.fromkeys(other for other, _ in corrected_by),
        }
        in_summaries = (BibKey(target) for other in near for kind, target in self._in_summary(other) if kind == "cite")
        papers |= {key: corpus.papers[key] for key in in_summaries if key in corpus.papers}
        named = (self._targets(corpus.note(other).topic, self._in_summary(other)) for other in near)
        beyond = dict.fromkeys(target for targets in named for target in targets if target not in near)
        return PageInputs(
            notes=tuple(corpus.note(other) for other in (*near, *beyond)),
            anchors={other: resolver.anchors[other] for other in near},
            papers=papers,
            readers=readers,
            published={key: resolver.published[key] for key in papers if key in resolver.published},
            cited=resolver.cited[note.id],
            tags={tag: resolver.tags[tag] for tag in note.tags},
            crops=crops,
            thumbnail=resolver.crops.thumbnail(note.papers[0]) if note.papers and note.thumbnail else None,
            backlinks=backlinks,
            corrected_by=corrected_by,
            steps=steps,
            lists=lists,
            mistakes=self._marks.of_note(note.id),
            gists={other: resolver.gists[other] for other in near if other in resolver.gists},
            excerpts=excerpts,
        )

    def key(self, inputs: PageInputs) -> bytes:
        """SHA-256 of the inputs."""
        notes = [self.digest(note.id) for note in inputs.notes]
        papers = [self.paper_digest(key) for key in inputs.papers]
        crops = [digest_of(crop) for crop in inputs.crops.values()]
        return digest_of(notes, papers, crops, replace(inputs, notes=(), papers={}, crops={}))

    def seen(
        self,
        notes: Iterable[NoteId],
        papers: Iterable[BibKey],
        texts: Iterable[tuple[Text | None, Location]],
        topic: TopicId,
    ) -> bytes:
        """SHA-256 of all that a page shows of these notes and papers, and of what texts of `topic` name.

        With the notes that read the papers, and what the summaries of all these name, twice: of that cards have the
        summary, which has names in turn. Beside it a page only knows what `outline_of_site` has.
        """
        resolver, corpus = self.resolver, self._corpus
        mentions = tuple(mention for text, where in texts for mention in _in_text(text, where, corpus.site.words))
        near = dict.fromkeys((*notes, *self._targets(topic, mentions), *self._targets(NO_TOPIC, self._in_footer)))
        keys = dict.fromkeys(
            (*papers, *(BibKey(name) for kind, name in (*mentions, *self._in_footer) if kind != "note"))
        )
        near |= dict.fromkeys(reader for key in keys for reader in resolver.readers.get(key, ()))
        for _ in range(2):
            summaries = [(corpus.note(other).topic, self._in_summary(other)) for other in near]
            near |= dict.fromkeys(other for within, named in summaries for other in self._targets(within, named))
            keys |= dict.fromkeys(BibKey(name) for _, named in summaries for kind, name in named if kind != "note")
        return digest_of(
            [self.digest(note) for note in near],
            [resolver.gists.get(note) for note in near] if resolver.cards else (),
            [
                (self.paper_digest(key), resolver.readers.get(key), resolver.published.get(key))
                for key in keys
                if key in corpus.papers
            ],
        )

    def _mentions_of_term(self, term_id: str) -> tuple[Mention, ...]:
        """The references in the definition of a term, which all notes that use the term show."""
        term = self._terms[term_id]
        return tuple(_in_text(term.definition, term.location, self._corpus.site.words))

    def _mentions_of_summary(self, note_id: NoteId) -> tuple[Mention, ...]:
        """The references in the summary of a note, which cards of links to the note show."""
        note = self._corpus.note(note_id)
        return tuple(_in_text(note.summary, note.summary_location, self._corpus.site.words))

    def _in_headlines(self, note: Note) -> Iterator[Mention]:
        """The references in the sentences about the papers of a list."""
        for entry in note.entries:
            yield from _in_text(entry.headline, entry.location, self._corpus.site.words)

    def _targets(self, topic: TopicId, mentions: tuple[Mention, ...]) -> Iterator[NoteId]:
        for kind, target in mentions:
            if kind == "note":
                resolved = self.resolver.find(target, topic)
                if isinstance(resolved, tuple):
                    yield resolved[0]


def outline_of_site(corpus: Corpus, resolver: LinkResolver) -> bytes:
    """SHA-256 of what any page may know of all notes and papers: which there are, so what a reference means."""
    written = [(note.id, note.number) for note in (*corpus.written, *corpus.drafts)]
    kinds = sorted({note.kind for note in corpus.notes})
    aliases = [replace(alias, location=NOWHERE) for alias in corpus.aliases]
    return digest_of(written, len(corpus.drafts), kinds, aliases, sorted(corpus.papers), resolver.tags)


def _crops_in(mentions: Iterable[Mention]) -> Iterator[str]:
    """The parts of papers that are shown, in the text or in cards of numbers."""
    for kind, target in mentions:
        if kind in ("crop", "table"):
            yield target.rpartition(" ")[0] if kind == "table" else target


def crops_of_lists(corpus: Corpus, crops: Crops) -> tuple[Crop, ...]:
    """The parts of papers that the pages of topics and of the whole collection may show, in texts of YAML files."""
    likely = [
        (text, where) for text, where in _yaml_texts(corpus) if any("pdf:" in part.lower() for _, part in text.parts)
    ]
    mentions = (mention for text, where in likely for mention in _in_text(text, where, corpus.site.words))
    shown_crops = (crops.find(target) for kind, target in mentions if kind == "crop")
    return tuple(dict.fromkeys(crop for crop in shown_crops if crop))


def _in_text(text: Text | None, where: Location, words: Words) -> Iterator[Mention]:
    """The references in a text of a YAML file; most have none, so only likely ones are parsed."""
    for lang in words.tags:
        written = text[lang] if text else ""
        if "[" in written or "#" in written:
            snippet = render_snippet(written, lang, where, words, inline=True)
            yield from ((slot.kind, slot.target) for slot in snippet.slots)


def corpus_of(common: SiteContext, inputs: PageInputs) -> Corpus:
    """The corpus that the page of a note sees."""
    return Corpus(common.site, common.topics, inputs.notes, inputs.papers, common.terms, ())


def resolver_of(common: SiteContext, inputs: PageInputs) -> LinkResolver:
    """The resolver that the page of a note sees."""
    corpus, note = corpus_of(common, inputs), inputs.note
    thumbnails = {note.papers[0]: inputs.thumbnail} if note.papers else {}
    return LinkResolver(
        corpus,
        Crops(corpus, PdfReader(), inputs.crops, thumbnails),
        index_of(inputs.notes, (topic.id for topic in common.topics)),
        inputs.readers,
        inputs.published,
        {note.id: inputs.cited},
        inputs.tags,
        common.feeds,
        inputs.anchors,
        common.cards,
        inputs.gists,
        marked=frozenset(mistake.location for mistake in inputs.mistakes),
        excerpts=lambda note, anchor, lang: inputs.excerpts.get(place_of_excerpt(note, anchor, lang)),
    )


def relations_of(inputs: PageInputs) -> Relations:
    """The relations that the page of a note sees."""
    note = inputs.note.id
    return Relations(
        {note: inputs.backlinks},
        {note: inputs.corrected_by},
        {note: inputs.steps} if inputs.steps else {},
        inputs.lists,
    )


_REFERENCE = regex(r"\[\[([^\[\]|]+)")


def referenced_sections(corpus: Corpus, anchors: Mapping[NoteId, Anchors]) -> Mapping[NoteId, Anchors]:
    """What some reference names in each note.

    All that could be named if a reference names what no note has: then its hint chooses among them.
    """
    wanted = {name for text, _ in _yaml_texts(corpus) for _, part in text.parts for name in _names(part)}
    named = {note: known.only(wanted) for note, known in anchors.items()} if wanted else {}
    named = {note: known for note, known in named.items() if known.names or known.sections}
    existing = {name for known in named.values() for name in (*known.sections, *known.blocks)}
    return named if all(name in existing or name.removeprefix("^") in existing for name in wanted) else anchors


def _names(text: str) -> list[str]:
    """The sections that references in a text name."""
    named = (split_section(target.strip()) for target in _REFERENCE.findall(text))
    return [section for note, section in named if note and section]
