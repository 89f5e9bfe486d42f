"""The facts of all notes, papers and terms as one search file, and the files with the texts of the notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import get_args

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, GlossaryTerm, Lang, Note, NoteId, Status, Text
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.engine.build_context import FileMemo, Report
from paper_notes.languages.language import Words
from paper_notes.render.links import SITE, note_path
from paper_notes.render.note_rows import Minutes, recent_notes
from paper_notes.render.notes import NotePages
from paper_notes.render.pages.papers import LARGE
from paper_notes.render.plain import plain
from paper_notes.render.search.folding import has_chinese, traditional, variants
from paper_notes.render.search.texts import Shard, for_script, grams, search_file, shards, sheet
from paper_notes.render.signs import without_drawn
from paper_notes.render.view_factory import PageContext, tag_name
from paper_notes.values import Struct

MOST_AUTHORS = 40
"""Authors of a paper at most: some lists fill pages."""
_DRAFT = "draft"
FEW_FILES = 4
"""Files of texts that a search reads without asking first which of them may have a word."""


class Texts(Struct, frozen=True):
    """The search files with the texts of the notes."""

    names: tuple[str, ...]
    notes: tuple[tuple[NoteId, ...], ...]
    """Those in each of them."""
    size: int
    """Bytes, rounded: so that a few more words do not change the file of facts."""


def search_data(minutes: Mapping[NoteId, Minutes], texts: Texts, context: PageContext) -> str:
    """The file `search-notes.css`; `context` is that of the home page, which its addresses are relative to."""
    corpus = context.corpus
    words, languages = corpus.site.words, corpus.site.languages
    shard_of = {note: place for place, notes in enumerate(texts.notes) for note in notes}
    used = {note.kind for note in corpus.notes}
    statuses = {status: words(f"status.{status}") for status in get_args(Status)}
    if any(note.draft for note in corpus.notes):  # a state of its own there: rows name it, and it can be filtered
        statuses[_DRAFT] = words("label.draft")
    places_of_statuses = [*statuses]
    kinds = [kind.id for kind in corpus.site.kinds if kind.id in used]
    kinds += sorted(used.difference(kinds))  # if site.yaml cannot be read
    kind_places = {kind: place for place, kind in enumerate(kinds)}
    topics = [topic.id for topic in corpus.topics]
    tags = sorted({tag for note in corpus.notes for tag in note.tags})
    keys = list(dict.fromkeys(key for note in corpus.notes for key in note.papers))
    places = {key: place for place, key in enumerate(keys)}
    recent = recent_notes(corpus.without_days.notes)
    tag_places = {tag: place for place, tag in enumerate(tags)}

    def fields(note: Note) -> list[object]:
        date = note.updated or note.created
        title = note.title.map(lambda part: " ".join(part.split()))
        return [
            topics.index(note.topic),
            note.number,
            kind_places[note.kind],
            places_of_statuses.index(_DRAFT if note.draft else note.status),
            date.isoformat() if date else "",
            year_of(note, corpus.papers),
            [tag_places[tag] for tag in note.tags],
            sum(1 << languages.index(lang) for lang in note.languages),
            note.rating or 0,
            note.own + {"new": 2, "updated": 4, None: 0}[recent.get(note.id)] + 8 * note.of_day,
            [*minutes[note.id].values()],
            [places[key] for key in note.papers],
            _words_of(note, languages),
            shard_of.get(note.id, -1),
            context.href(note_path(note)),
            *_each(title, languages),
            *_each(context.resolver.plain_summary(note), languages),
        ]

    notes = [fields(note) for note in corpus.notes]
    papers = [_paper(corpus.papers[key]) for key in keys]
    terms = [_term(term, context) for term in corpus.terms]
    data: dict[str, object] = {
        "topics": [[topic.id, without_drawn(topic.emoji), *_each(topic.title, languages)] for topic in corpus.topics],
        "kinds": [[kind, *_each(corpus.site.kind_name(kind), languages)] for kind in kinds],
        "statuses": [[status, *_each(name, languages)] for status, name in statuses.items()],
        "tags": [[tag, *_names_of_tag(tag, corpus)] for tag in tags],
        "notes": notes,
        "papers": papers,
        "terms": terms,
        "shards": texts.names,
        "bytes": texts.size,
        **({"years": 1} if len(corpus.own_papers) > LARGE else {}),  # papers are on pages of their years
    }
    characters = set(for_script(data))
    chinese = has_chinese(words)
    data["variants"] = variants(characters, chinese=chinese)
    data["traditional"] = traditional(characters) if chinese else ""
    return search_file("notes", for_script(data))


def _term(term: GlossaryTerm, context: PageContext) -> list[object]:
    """Its id on the glossary's page, its name in each language, its other names, its definition in each language."""
    definition = context.snippet(term.definition, term.location, inline=True)
    meaning = [plain(text) for text in _each(definition, context.languages)] if definition else []
    return [term.id, _each(term.name, context.languages), [*term.aliases, *term.avoid], meaning]


def _each(text: Text, languages: tuple[Lang, ...]) -> list[str]:
    return [text[lang] for lang in languages]


def _names_of_tag(tag: str, corpus: Corpus) -> list[str]:
    """The name of a tag in each language, then its aliases; empty for a tag that is not in `site.yaml`."""
    known = next((known for known in corpus.site.tags if known.id == tag), None)
    return [*_each(tag_name(tag, corpus), corpus.site.languages), *known.aliases] if known else []


def _words_of(note: Note, languages: tuple[Lang, ...]) -> list[str]:
    """Words besides those of its texts that a note is found by: its short titles and its keywords."""
    short = _each(note.short, languages) if note.short else []
    return list(dict.fromkeys((*short, *note.keywords)))


def year_of(note: Note, papers: Mapping[BibKey, Paper]) -> int:
    """The year of a note's main paper, or of the note itself if it reads none. 0 if unknown."""
    main = papers[note.papers[0]] if note.papers and note.papers[0] in papers else None
    if main is not None and main.year:
        return main.year
    return note.created.year if note.created else 0


def _paper(paper: Paper) -> list[str]:
    """The fields of a paper that are searched; a seventh has its short authors if the script cannot derive them."""
    authors = ", ".join(name.full for name in paper.authors[:MOST_AUTHORS])
    where = " · ".join(part for part in (paper.team, paper.venue) if part)
    title = f"{paper.short} · {paper.title}" if paper.short else paper.title
    fields = [paper.key, title, authors, where, paper.date_label, paper.arxiv or paper.doi or ""]
    short = paper.short_authors if paper.authors or paper.team else ""
    return fields if short == _derived(authors) else [*fields, short]


def _derived(authors: str) -> str:
    """The short authors that the script derives from the full list."""
    families = [name.rpartition(" ")[2] for name in authors.split(", ")]
    return f"{families[0]} et al." if len(families) > 2 else " and ".join(families)


def search_files(notes: NotePages, memo: FileMemo, words: Words) -> tuple[Texts, tuple[Artifact, ...]]:
    """All files of texts, and their summary. `words` are those of the site."""
    chinese = has_chinese(words)

    def texts_of(shard: Shard, report: Report) -> Iterator[Artifact]:
        yield Artifact.text(SITE / shard.path, sheet(shard.name, map(notes.text, shard.notes), chinese=chinese))

    def grams_of(shard: Shard) -> str:
        return grams(map(notes.text, shard.notes), chinese=chinese)

    keys = {shard: [notes.keys[note] for note in shard.notes] for shard in shards(notes.text_sizes)}
    files = [file for shard, key in keys.items() for file in memo.files(shard.path, key, partial(texts_of, shard))]
    if len(files) > FEW_FILES:
        known = [memo.value(f"{shard.path}.grams", key, str, partial(grams_of, shard)) for shard, key in keys.items()]
        path = SITE / "search-words.css"
        files += memo.files(path.name, known, lambda _: [Artifact.text(path, search_file("words", for_script(known)))])
    size = _about(sum(shard.size for shard in keys))
    return Texts(tuple(shard.name for shard in keys), tuple(shard.notes for shard in keys), size), tuple(files)


def _about(size: int) -> int:
    """A size rounded up to two digits."""
    step: int = 10 ** max(len(str(size)) - 2, 0)
    return -(-size // step) * step
