"""`open_collection`: the collection as values that other programs ask. Nothing is written but the cache."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from paper_notes.build import build
from paper_notes.commands import collection as opened
from paper_notes.commands.naming import find_name, names_of
from paper_notes.corpus.model import Corpus, Lang, NoteId
from paper_notes.corpus.model import Note as CorpusNote
from paper_notes.diagnostics import UserError as UserError
from paper_notes.document.nodes import Document
from paper_notes.document.parse import parse
from paper_notes.document.write import write_markdown
from paper_notes.features.library.parts_of_text import numbers_of, section_of
from paper_notes.features.library.values import Correction as Correction
from paper_notes.features.library.values import Data, Finding, Match, Note, Number, Paper, Section, Term, typed
from paper_notes.features.queries.listing import details, facts, keys_of, paper_facts, titles_of
from paper_notes.markdown.body import Body, Outline, section_numbers
from paper_notes.render.crops import Crops
from paper_notes.render.links import HOME, LinkResolver, link_resolver
from paper_notes.render.pages.note import Relations, relations
from paper_notes.render.plain import plain_sections
from paper_notes.render.plain_markdown import link_texts, plain_document
from paper_notes.render.search.folding import fold, has_chinese
from paper_notes.render.search.matching import patterns

_LONGEST = 160
"""Characters of an excerpt."""
_TITLE, _KEY, _HEADING, _TEXT = 8, 4, 2, 1
"""How much a match counts: in a title; in a term, a tag or a paper; in a heading; in the text."""


def open_collection(path: str | Path = ".", *, drafts: bool = False) -> Collection:
    """The collection in the folder `path`, which has `notes_src/`; `drafts` too if they are asked for.

    It is read when the first value is asked for, and stays as it was then. Values raise UserError if it has errors;
    `check` says which.
    """
    return Collection(Path(path), drafts)


@dataclass(frozen=True)
class Documents(Mapping[tuple[str, str], Document]):
    """The texts as trees, by id of the note and language; each is parsed when it is asked for."""

    texts: Mapping[tuple[str, str], str]

    def __getitem__(self, key: tuple[str, str]) -> Document:
        return parse(self.texts[key])

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True)
class _Loaded:
    """What is read from disk."""

    corpus: Corpus
    notes: tuple[Note, ...]
    outlines: Mapping[NoteId, Outline]
    resolver: LinkResolver


@dataclass(frozen=True)
class Collection:
    """A collection. Its values are frozen; mappings in them must not be changed."""

    path: Path
    drafts: bool = False

    @property
    def title(self) -> Mapping[str, str]:
        return dict(self._loaded.corpus.site.title.parts)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its pages; the first is the default."""
        return self._loaded.corpus.site.languages

    @property
    def notes(self) -> tuple[Note, ...]:
        """By topic, then by number."""
        return self._loaded.notes

    @cached_property
    def papers(self) -> tuple[Paper, ...]:
        """All papers of the `.bib` files, by key."""
        papers, resolver = self._loaded.corpus.papers, self._loaded.resolver
        cited: dict[str, list[str]] = {}
        for note in self.notes:
            for key in note.cites:
                cited.setdefault(key, []).append(note.id)
        return tuple(
            Paper(
                **{**paper_facts(paper), "authors": tuple(name.full for name in paper.authors)},  # type: ignore[arg-type]
                arxiv=paper.arxiv,
                doi=paper.doi,
                abstract=paper.abstract,
                bibtex=paper.bibtex,
                notes=resolver.readers.get(key, ()),
                cited_by=tuple(cited.get(key, ())),
            )
            for key, paper in sorted(papers.items())
        )

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The glossary, in the order of its file."""
        oldest_first = sorted(self.notes, key=lambda note: note.created or datetime.date.max)
        return tuple(
            Term(
                term.id,
                dict(term.name.parts),
                term.aliases,
                term.avoid,
                dict(term.definition.parts) if term.definition else None,
                tuple(note.id for note in oldest_first if term.id in note.terms),
            )
            for term in self._loaded.corpus.terms
        )

    @cached_property
    def documents(self) -> Documents:
        """The texts of all notes as trees: `collection.documents["models/03_MTP", "en"]`."""
        return Documents({(note.id, text.lang): text.text for note in self._loaded.corpus.notes for text in note.texts})

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers in the tables of all notes."""
        notes = {note.id: note for note in self.notes}
        return tuple(
            number
            for (note, lang), document in self.documents.items()
            for number in numbers_of(document, note, lang, _section_ids(notes[note], lang))
        )

    @property
    def data(self) -> Data:
        """All of this in one value."""
        return Data(self.title, self.languages, self.notes, self.papers, self.terms, self.numbers)

    def note(self, note_id: str) -> Note:
        """The note with this id. Raises KeyError."""
        return self._by_id[note_id]

    def find(self, name: str) -> str:
        """The id of the note that is called `spec-rl/#4`, or by its id, path or address. Raises UserError."""
        return find_name(names_of(self._loaded.corpus), name).id

    def markdown(self, note_id: str, lang: str, section: str = "") -> str:
        """The text of a note as plain Markdown: all of it, or a section with those below it. Raises KeyError."""
        loaded, note = self._loaded, self._loaded.corpus.note(NoteId(note_id))
        links = link_texts(note, Lang(lang), loaded.outlines[note.id], loaded.resolver)
        tree = self.documents[note_id, lang]
        if section:
            tree = Document(section_of(tree, section, _section_ids(self.note(note_id), lang)))
        return write_markdown(plain_document(tree, links, loaded.corpus.site.words[Lang(lang)]))

    @cached_property
    def _by_id(self) -> Mapping[str, Note]:
        return {note.id: note for note in self.notes}

    def search(self, text: str, *, limit: int = 20) -> tuple[Match, ...]:
        """The notes that have all words of `text`, the best first; a term of the glossary is found by any name.

        Letters are compared without case, accents and width, Chinese simplified or not, as on the home page. A match
        in a title counts most, then one in a term, tag or paper, then in a heading, then in the text.
        """
        groups = patterns(self._loaded.corpus, text)
        matches: list[Match] = []
        for note in self.notes if groups else ():
            weighted, sections = self._folded[note.id]
            scores = [next((weight for weight, words in weighted if group.search(words)), 0) for group in groups]
            if not all(scores):
                continue
            best = max(sections, key=lambda item: sum(group.search(item[2]) is not None for group in groups))
            lang, section, folded = best
            first = min((hit.start() for group in groups if (hit := group.search(folded))), default=0)
            heading = section.heading.get(lang, "")
            at = max(first - len(heading) - 1, 0)  # folding hardly ever changes how many characters there are
            excerpt = _excerpt(section.text[lang], at)
            matches.append(Match(note.id, note.title, sum(scores), lang, section.id, heading, excerpt))
        return tuple(sorted(matches, key=lambda match: -match.score)[:limit])

    @cached_property
    def _folded(self) -> Mapping[str, tuple[list[tuple[int, str]], list[tuple[str, Section, str]]]]:
        """For each note what a search looks at: kinds of words with their weight, and its sections in each language."""
        corpus = self._loaded.corpus
        chinese = has_chinese(corpus.site.words)
        names = {term.id: (*term.name.values(), *term.aliases) for term in self.terms}

        def folded(words: Iterator[str] | tuple[str, ...]) -> str:
            return fold("\n".join(words), chinese=chinese)

        index = {}
        for note in self.notes:
            of_corpus = corpus.note(NoteId(note.id))
            keys = (*keys_of(of_corpus, corpus), *(name for term in note.terms for name in names[term]))
            headings = (heading for section in note.sections for heading in section.heading.values())
            sections = [
                (lang, section, folded((section.heading.get(lang, ""), section.text[lang])))
                for lang in note.languages
                for section in note.sections
                if lang in section.text
            ]
            texts = (*(words for *_, words in sections), folded(tuple((note.summary or {}).values())))
            weighted = [
                (_TITLE, folded(titles_of(of_corpus))),
                (_KEY, folded(keys)),
                (_HEADING, folded(headings)),
                (_TEXT, "\n".join(texts)),
            ]
            index[note.id] = weighted, sections or [("", Section("lead", 1, "", {}, {"": ""}), "")]
        return index

    def check(self) -> tuple[Finding, ...]:
        """What `paper-notes check` finds in the files as they are now, in the order of the files."""
        findings = build(self.path, drafts=self.drafts).diagnostics
        return tuple(typed(Finding, finding.as_json()) for finding in findings)

    @cached_property
    def _loaded(self) -> _Loaded:
        with opened.open_collection(self.path, drafts=self.drafts) as collection:
            corpus = collection.corpus
            bodies, _ = collection.bodies(jobs=1)  # a script or a notebook starts no processes by the way
            resolver = link_resolver(corpus, bodies.outlines, Crops(corpus, collection.pdfs))
            related = relations(corpus, bodies.outlines, resolver)
            notes = tuple(_note(note, bodies[note.id], resolver, related) for note in corpus.notes)
            return _Loaded(corpus, notes, bodies.outlines, resolver)


def _note(note: CorpusNote, body: Body, resolver: LinkResolver, related: Relations) -> Note:
    """The note with all that `show --json` says of it, and its texts."""
    known = {**details(note, body, resolver.corpus, resolver, related), **facts(note, resolver.corpus)}
    sections = tuple(_sections(note, body, resolver))
    of_note = {**known, "sections": (), "terms": body.outline.terms}
    plain: Note = typed(Note, of_note)
    return replace(plain, sections=sections)


def _sections(note: CorpusNote, body: Body, resolver: LinkResolver) -> Iterator[Section]:
    texts: dict[str, dict[str, str]] = {}
    headings: dict[str, dict[str, str]] = {}
    for lang in body.halves:
        for name, line in plain_sections(
            body,
            lang,
            lambda slot, lang=lang: resolver.html(slot, HOME, note.topic, lang, listed=False),  # type: ignore[misc]
        ):
            heading, tab, text = line.rpartition("\t")
            texts.setdefault(name, {})[lang] = text
            if tab:
                headings.setdefault(name, {})[lang] = heading
    numbers = dict(zip((part.id for part in body.sections), section_numbers(body.sections), strict=True))
    levels = {part.id: part.level for part in body.sections}
    for name in ("lead", *levels, "footnotes"):
        if name in texts:
            yield Section(name, levels.get(name, 1), numbers.get(name, ""), headings.get(name, {}), texts[name])


def _section_ids(note: Note, lang: str) -> dict[str, str]:
    return {section.heading[lang]: section.id for section in note.sections if lang in section.heading}


def _excerpt(text: str, at: int) -> str:
    start = max(min(at - _LONGEST // 4, len(text) - _LONGEST), 0)
    end = start + _LONGEST
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")
