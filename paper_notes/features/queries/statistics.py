"""The numbers of a collection, for `stats`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from paper_notes.corpus.model import Corpus, Lang, NoteId
from paper_notes.corpus.paper import BibKey
from paper_notes.markdown.body import NO_OUTLINE, Outline
from paper_notes.render.note_rows import minutes_of
from paper_notes.render.search.data import year_of


def statistics(corpus: Corpus, outlines: Mapping[NoteId, Outline]) -> dict[str, Any]:
    """The numbers of a corpus, whose texts have these outlines, as `stats --json` has them; keys are only ever added.

    Counts are in the order in which they are shown. Years are those of the main paper, or of the note if it reads
    none, the newest first. `single_sections` are those that a note in both languages has in one of them only, and
    `outdated_sections` have changed in one language since they were recorded as translated. Of papers, `read` are
    those that a note is about; `cited` those that notes cite and none is about; `unread` come in the order in which
    one would read them: the cited first, the newest of each first.
    """
    languages = corpus.site.languages
    read = {key for note in corpus.notes for key in note.papers}
    mentions = (mention for note in corpus.notes for mention in outlines.get(note.id, NO_OUTLINE).mentions)
    cited = {target for kind, target in mentions if kind == "cite"}
    years = Counter(year_of(note, corpus.papers) for note in corpus.notes)
    both = [(note.id, outlines.get(note.id, NO_OUTLINE)) for note in corpus.notes if len(note.languages) > 1]
    single = {note: [name for name, halves in outline.sections if len(halves) < 2] for note, outline in both}
    lacking = {note.id: [lang for lang in languages if lang not in note.languages] for note in corpus.notes}
    return {
        "notes": len(corpus.notes),
        "topics": {topic.id: len(corpus.notes_of(topic.id)) for topic in corpus.topics},
        "kinds": _counted(note.kind for note in corpus.notes),
        "statuses": _counted(note.state for note in corpus.notes),
        "years": {str(year or "unknown"): count for year, count in sorted(years.items(), reverse=True)},
        "languages": {lang: _length(lang, corpus, outlines) for lang in languages},
        "untranslated": [{"note": note, "missing": missing[0]} for note, missing in lacking.items() if missing],
        "single_sections": {note: names for note, names in single.items() if names},
        "outdated_sections": {note: outline.outdated for note, outline in both if outline.outdated},
        "papers": {
            "all": len(corpus.papers),
            "read": len(read & corpus.papers.keys()),
            "cited": len(cited & corpus.papers.keys() - read),
            "unread": _unread(corpus, read, cited),
        },
    }


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())


def _length(lang: Lang, corpus: Corpus, outlines: Mapping[NoteId, Outline]) -> dict[str, int]:
    """The length of all texts in a language: words of scripts with spaces, characters of others, minutes to read."""
    texts = [outlines[note.id] for note in corpus.notes if lang in outlines.get(note.id, NO_OUTLINE).counts]
    return {
        "notes": len(texts),
        "words": sum(outline.counts[lang][0] for outline in texts),
        "characters": sum(outline.counts[lang][1] for outline in texts),
        "minutes": sum(minutes_of(outline, corpus.site.words)[lang] for outline in texts),
    }


def _unread(corpus: Corpus, read: set[BibKey], cited: set[str]) -> list[BibKey]:
    left = [paper for key, paper in corpus.papers.items() if key not in read]
    left.sort(key=lambda paper: paper.key)
    left.sort(key=lambda paper: (paper.key in cited, paper.year or 0, paper.month or 0), reverse=True)
    return [paper.key for paper in left]
