"""All that the page of one note shows of other notes, of papers and of the site: nothing else reaches it.

So the page can be made in any process, and is made anew only when this value changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from paper_notes.corpus.load import index_of
from paper_notes.corpus.model import (
    Corpus,
    Correction,
    Note,
    NoteId,
    NoteText,
    Site,
    Term,
    Text,
    Topic,
)
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import NOWHERE, Location
from paper_notes.engine.codec import digest_of
from paper_notes.languages.language import Words
from paper_notes.markdown.body import Outline, SlotKind
from paper_notes.render.crops import Crop, Crops
from paper_notes.render.links import LinkResolver
from paper_notes.render.pages.note import Relations, Step
from paper_notes.render.parts import ListName
from paper_notes.render.theme.theme import ThemeFiles
from paper_notes.render.urls import Feed
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.pdf.reader import PdfReader

READERS = 2
"""Notes that read a paper, as far as a page knows them: a card leads to the first one that is not the page itself."""
Mention = tuple[SlotKind, str]
"""Kind and target of a slot."""


@dataclass(frozen=True, slots=True)
class SiteContext:
    """What the pages of all notes have from the collection."""

    site: Site
    topics: tuple[Topic, ...]
    """Without their reading paths."""
    terms: tuple[Term, ...]
    lists: tuple[ListName, ...]
    feeds: tuple[Feed, ...]
    cards: bool
    theme: ThemeFiles


@dataclass(frozen=True, slots=True)
class PageInputs:
    """A note and what its page shows besides its body."""

    notes: tuple[Note, ...]
    """The note itself, then those that its page names; without their texts and files."""
    sections: Mapping[NoteId, tuple[str, ...]]
    """Of those notes."""
    papers: Mapping[BibKey, Paper]
    readers: Mapping[BibKey, tuple[NoteId, ...]]
    published: Mapping[BibKey, PurePosixPath]
    cited: tuple[BibKey, ...]
    tags: Mapping[str, str]
    crops: Mapping[str, Crop]
    thumbnail: Picture | None
    backlinks: tuple[NoteId, ...]
    corrected_by: tuple[tuple[NoteId, Correction], ...]
    steps: tuple[Step, ...]

    @property
    def note(self) -> Note:
        return self.notes[0]


def shown(corpus: Corpus) -> Corpus:
    """The corpus as far as pages show it, so that a page cannot show what its key knows nothing of.

    Without the texts and files of notes and the user's own keys, and without the places of entries: one more above
    changes no page.
    """
    papers = {key: replace(paper, location=NOWHERE) for key, paper in corpus.papers.items()}
    return replace(corpus, notes=tuple(map(_without_files, corpus.notes)), papers=papers)


def _without_files(note: Note) -> Note:
    texts = tuple(NoteText(text.lang, text.path, "") for text in note.texts)
    return replace(note, texts=texts, files={}, translated={}, extra={})


class InputCollector:
    """Finds the surroundings of every note of a collection as it is `shown`, and what tells them from changed ones."""

    def __init__(
        self, corpus: Corpus, outlines: Mapping[NoteId, Outline], resolver: LinkResolver, relations: Relations
    ) -> None:
        self._corpus, self._outlines, self._resolver, self._relations = corpus, outlines, resolver, relations
        self._terms = {term.id: term for term in corpus.terms}
        self._defined: dict[str, tuple[Mention, ...]] = {}
        self._summarised: dict[NoteId, tuple[Mention, ...]] = {}
        self._digests: dict[NoteId | BibKey, bytes] = {}

    def of(self, note: Note) -> PageInputs:
        """All that the page of the note shows."""
        corpus, resolver, relations = self._corpus, self._resolver, self._relations
        outline = self._outlines[note.id]
        definitions = (mention for term in outline.terms for mention in self._in_definition(term))
        mentions = (*outline.mentions, *self._in_summary(note.id), *definitions)
        crops = {
            target: replace(found, paper=self._corpus.papers[found.paper.key])
            for kind, target in mentions
            if kind == "crop" and (found := resolver.crops.find(target))
        }
        named = (BibKey(target) for kind, target in mentions if kind != "note")
        keys = dict.fromkeys((*note.papers, *resolver.cited[note.id], *named))
        papers = {key: self._corpus.papers[key] for key in keys if key in corpus.papers}
        papers |= {crop.paper.key: crop.paper for crop in crops.values()}
        readers = {key: resolver.readers[key][:READERS] for key in papers if key in resolver.readers}
        steps = relations.steps.get(note.id, ())
        backlinks = relations.backlinks.get(note.id, ())
        corrected_by = relations.corrected_by.get(note.id, ())
        near = {
            note.id: None,
            **dict.fromkeys(self._targets(note, mentions)),
            **dict.fromkeys(other for notes in readers.values() for other in notes),
            **dict.fromkeys(backlinks),
            **dict.fromkeys(beside for step in steps for beside in (step.previous, step.next) if beside),
            **dict.fromkeys(item.note for item in note.corrects),
            **dict.fromkeys(other for other, _ in corrected_by),
        }
        in_summaries = (BibKey(target) for other in near for kind, target in self._in_summary(other) if kind == "cite")
        papers |= {key: corpus.papers[key] for key in in_summaries if key in corpus.papers}
        return PageInputs(
            notes=tuple(corpus.note(other) for other in near),
            sections={other: resolver.sections[other] for other in near},
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
        )

    def key(self, around: PageInputs) -> bytes:
        """Equal for equal surroundings only. Notes and papers stand in many of them: each is packed once."""
        notes = [self.digest(note) for note in around.notes]
        papers = [self.paper_digest(key) for key in around.papers]
        rest = [
            around.sections,
            around.readers,
            around.published,
            around.cited,
            around.tags,
            [digest_of(crop) for crop in around.crops.values()],
            around.thumbnail,
            around.backlinks,
            around.corrected_by,
            around.steps,
        ]
        return digest_of(notes, papers, rest)

    def digest(self, note: Note) -> bytes:
        """What tells a note, but for its texts, from what it was before."""
        return self._digest(note.id, self._corpus.note(note.id))

    def paper_digest(self, key: BibKey) -> bytes:
        """What tells a paper, wherever its entry stands, from what it was before."""
        return self._digest(key, self._corpus.papers[key])

    def _digest(self, name: NoteId | BibKey, value: Note | Paper) -> bytes:
        if name not in self._digests:
            self._digests[name] = digest_of(value)
        return self._digests[name]

    def _in_definition(self, term_id: str) -> tuple[Mention, ...]:
        """What the definition of a term mentions: it stands on the pages of all notes that use the term."""
        if term_id not in self._defined:
            term = self._terms[term_id]
            self._defined[term_id] = tuple(_in_text(term.definition, term.location, self._corpus.site.words))
        return self._defined[term_id]

    def _in_summary(self, note_id: NoteId) -> tuple[Mention, ...]:
        """What the summary of a note mentions: it is on the cards of all links to the note."""
        if note_id not in self._summarised:
            note = self._corpus.note(note_id)
            self._summarised[note_id] = tuple(_in_text(note.summary, note.summary_location, self._corpus.site.words))
        return self._summarised[note_id]

    def _targets(self, note: Note, mentions: tuple[Mention, ...]) -> Iterator[NoteId]:
        for kind, target in mentions:
            if kind == "note":
                found = self._resolver.find(target, note.topic)
                if isinstance(found, tuple):
                    yield found[0]


def _in_text(text: Text | None, where: Location, words: Words) -> Iterator[Mention]:
    """What a text of a YAML file mentions; hardly any does."""
    for lang in words.tags:
        written = text[lang] if text else ""
        if "[" in written or "#" in written:
            from paper_notes.markdown.render import render_snippet

            made = render_snippet(written, lang, where, words, inline=True)
            yield from ((slot.kind, slot.target) for slot in made.slots)


def corpus_of(common: SiteContext, around: PageInputs) -> Corpus:
    """As much of the corpus as the page of a note needs."""
    return Corpus(common.site, common.topics, around.notes, around.papers, common.terms, ())


def resolver_around(common: SiteContext, around: PageInputs) -> LinkResolver:
    """A resolver that knows these notes and papers only."""
    corpus, note = corpus_of(common, around), around.note
    thumbnails = {note.papers[0]: around.thumbnail} if note.papers else {}
    return LinkResolver(
        corpus,
        Crops(corpus, PdfReader(), around.crops, thumbnails),
        index_of(around.notes, (topic.id for topic in common.topics)),
        around.readers,
        around.published,
        {note.id: around.cited},
        around.tags,
        common.feeds,
        around.sections,
        common.cards,
    )


def relations_of(around: PageInputs) -> Relations:
    """What other notes say about this one."""
    note = around.note.id
    return Relations(
        {note: around.backlinks}, {note: around.corrected_by}, {note: around.steps} if around.steps else {}
    )
