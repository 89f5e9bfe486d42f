"""The numbers of a collection, for `stats`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from paper_notes.corpus.model import Corpus, Lang, Note, NoteId, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.markdown.body import NO_OUTLINE, Outline
from paper_notes.render.note_rows import minutes_of
from paper_notes.render.search.data import year_of


@dataclass(frozen=True, slots=True)
class TextLength:
    """The length of all texts in a language."""

    notes: int
    words: int
    """In scripts that separate words by spaces."""
    characters: int
    """Chinese and Japanese ones, whose scripts do not."""
    minutes: int
    """The time to read them."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What `stats` shows. Counts are in the order in which they are shown."""

    notes: int
    topics: Mapping[TopicId, int]
    kinds: Mapping[str, int]
    statuses: Mapping[str, int]
    years: Mapping[int, int]
    """By the year of the main paper, or of the note if it reads none; the newest first, 0 is unknown."""
    written: Mapping[Lang, TextLength]
    untranslated: Mapping[NoteId, Lang]
    """The notes that have one of two languages only, and the one that they lack."""
    single_sections: Mapping[NoteId, tuple[str, ...]]
    """Sections that a note in both languages has in one of them only."""
    outdated_sections: Mapping[NoteId, tuple[str, ...]]
    """Sections that have changed in one language since they were recorded as translated."""
    papers: int
    read: int
    """Papers that a note is about."""
    cited: int
    """Papers that notes cite and none is about."""
    unread: tuple[BibKey, ...]
    """Papers that no note is about; the ones that are cited first, the newest of each first."""

    def as_json(self) -> dict[str, object]:
        """All of it; keys are only ever added."""
        return {
            "notes": self.notes,
            "topics": self.topics,
            "kinds": self.kinds,
            "statuses": self.statuses,
            "years": {str(year or "unknown"): count for year, count in self.years.items()},
            "languages": {lang: asdict(text) for lang, text in self.written.items()},
            "untranslated": [{"note": note, "missing": lang} for note, lang in self.untranslated.items()],
            "single_sections": self.single_sections,
            "outdated_sections": self.outdated_sections,
            "papers": {"all": self.papers, "read": self.read, "cited": self.cited, "unread": self.unread},
        }


def statistics(corpus: Corpus, outlines: Mapping[NoteId, Outline]) -> Statistics:
    """The numbers of a corpus, whose texts have these outlines."""
    languages = corpus.site.languages
    read = {key for note in corpus.notes for key in note.papers}
    mentions = (mention for note in corpus.notes for mention in outlines.get(note.id, NO_OUTLINE).mentions)
    cited = {target for kind, target in mentions if kind == "cite"}
    years = Counter(year_of(note, corpus.papers) for note in corpus.notes)
    both = [(note.id, outlines.get(note.id, NO_OUTLINE)) for note in corpus.notes if len(note.languages) > 1]
    single = {note: tuple(name for name, halves in outline.sections if len(halves) < 2) for note, outline in both}
    return Statistics(
        notes=len(corpus.notes),
        topics={topic.id: len(corpus.notes_of(topic.id)) for topic in corpus.topics},
        kinds=_counted(note.kind for note in corpus.notes),
        statuses=_counted(note.status for note in corpus.notes),
        years=dict(sorted(years.items(), reverse=True)),
        written={lang: _written(lang, corpus, outlines) for lang in languages},
        untranslated={
            note.id: _lacks(note, languages) for note in corpus.notes if len(note.languages) < len(languages)
        },
        single_sections={note: names for note, names in single.items() if names},
        outdated_sections={note: outline.outdated for note, outline in both if outline.outdated},
        papers=len(corpus.papers),
        read=len(read & corpus.papers.keys()),
        cited=len(cited & corpus.papers.keys() - read),
        unread=_unread(corpus, read, cited),
    )


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())


def _lacks(note: Note, languages: Iterable[Lang]) -> Lang:
    return next(lang for lang in languages if lang not in note.languages)


def _written(lang: Lang, corpus: Corpus, outlines: Mapping[NoteId, Outline]) -> TextLength:
    texts = [(outlines[note.id], note) for note in corpus.notes if lang in outlines.get(note.id, NO_OUTLINE).counts]
    counts = [outline.counts[lang] for outline, _ in texts]
    return TextLength(
        notes=len(texts),
        words=sum(words for words, _ in counts),
        characters=sum(characters for _, characters in counts),
        minutes=sum(minutes_of(outline, corpus.site.words)[lang] for outline, _ in texts),
    )


def _unread(corpus: Corpus, read: set[BibKey], cited: set[str]) -> tuple[BibKey, ...]:
    left = [paper for key, paper in corpus.papers.items() if key not in read]
    left.sort(key=lambda paper: paper.key)
    left.sort(key=lambda paper: (paper.key in cited, paper.year or 0, paper.month or 0), reverse=True)
    return tuple(paper.key for paper in left)
