"""Sources to Corpus, with a diagnostic for every mistake, in one pass over all files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import PurePosixPath
from typing import cast

from paper_notes.corpus.bibliography.library import is_known, read_library
from paper_notes.corpus.kept_crops import kept_files
from paper_notes.corpus.model import (
    DEFAULT_LANGUAGES,
    MAX_TOPICS,
    Alias,
    Corpus,
    Lang,
    Note,
    Site,
    Text,
    TopicId,
)
from paper_notes.corpus.note_reader import read_notes
from paper_notes.corpus.notes import NOTE_FILE, PAGES, UnresolvedNote
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.corpus.pdfs import Identify, load_pdfs, published_place
from paper_notes.corpus.references import Dangling, NoteIndex, name_of
from paper_notes.corpus.severities import read_severities
from paper_notes.corpus.tags import with_tags
from paper_notes.corpus.topics import BASE as BASE
from paper_notes.corpus.topics import TOPIC_FILE as TOPIC_FILE
from paper_notes.corpus.topics import ReadGlossary, ReadSite, ReadTopic, in_order
from paper_notes.corpus.unread_files import unread_files, usual_name
from paper_notes.corpus.words import read_words
from paper_notes.diagnostics import Diagnostic, Location, Severities, Suggestions
from paper_notes.engine.cache import Cache
from paper_notes.languages.language import BUILT_IN, Words
from paper_notes.sources.doubts import doubtful
from paper_notes.sources.filenames import unusable
from paper_notes.sources.tree import OWN_FILES, Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml
from paper_notes.values import replace

SITE_FILE = BASE / "site.yaml"
GLOSSARY_FILE = BASE / "glossary.yaml"


def load(
    sources: tuple[Source, ...],
    identify: Identify | None = None,
    cache: Cache | None = None,
    *,
    drafts: bool = True,
) -> tuple[Corpus | None, tuple[Diagnostic, ...]]:
    """The corpus that the sources mean. It is None only where there is no `site.yaml`.

    `identify` says which paper a PDF is; without it PDFs are ignored. `cache` keeps the results for unchanged files
    from run to run. Without `drafts`, notes that are drafts
    are left out: they are apart in the corpus.

    With errors among the diagnostics the corpus holds what could be read, so that later stages can report their
    own in the same run; nothing may then be written.
    """
    problems: list[Diagnostic] = []
    own_files = tuple(source for source in sources if source.path.parts[0] == OWN_FILES)
    sources = tuple(source for source in sources if source.path.parts[0] != OWN_FILES) if own_files else sources
    by_path = {source.path: source for source in sources}
    site_file = by_path.get(SITE_FILE)
    if site_file is None:
        misnamed = (source.path for source in sources if usual_name(source, (SITE_FILE.name,)))
        renamed = next((f"rename {path} to {SITE_FILE.name}" for path in misnamed if path.parent == BASE), "")
        begin = "begin a collection with `paper-notes init`, or `paper-notes init --empty` for notes that you have"
        begin = "make it, with `title:` and `topics:`" if sources else begin
        hint = renamed or f"{begin}, or name the folder of the collection with --root"
        return None, (Diagnostic(Location(SITE_FILE), "no-collection", f"there is no {SITE_FILE}", hint),)
    cache = cache or Cache()
    folders = _folders(sources)
    document = parse_yaml(site_file.path, site_file.text)
    places: Mapping[TopicId, Location] = {}
    severities = Severities()
    if isinstance(document, Diagnostic):
        problems.append(document)
        site = _unknown_site(folders, Words.of(*DEFAULT_LANGUAGES))
    else:
        words = read_words(document, by_path, problems)
        severities = read_severities(document, by_path, problems)
        known_site, places, mistakes = _site(document, words, by_path, cache)
        problems += mistakes
        site = known_site or _unknown_site(folders, words)
    texts_of_pages = () if PAGES in site.topics else folders.pop(TopicId(PAGES), ())
    pages = _pages(texts_of_pages, site, problems) if texts_of_pages else ()
    papers, mistakes = read_library(sources, cache, site.publish_fields)
    problems += mistakes
    glossary = by_path.get(GLOSSARY_FILE)
    terms, mistakes = _terms(glossary, site.languages, cache) if glossary else ((), ())
    problems += mistakes
    listed_at = Location(SITE_FILE) if isinstance(document, Diagnostic) else document.location(("topics",), key=True)
    _check_topics(site, places, folders, problems, listed_at)
    topics = _topics([topic for topic in site.topics if topic in folders], by_path, site.languages, cache)
    problems += (problem for read in topics for problem in read.diagnostics)
    suggestions = Suggestions()
    macros = {read.topic.id: read.macros for read in topics}
    with cache.table("notes") as table:
        written = [
            read
            for topic in site.topics
            for read in read_notes(site, topic, folders.get(topic, ()), problems, table, macros.get(topic, {}))
        ]
    hidden = tuple(read.note for read in written if read.note.draft and not drafts)
    shown = (read for read in written if drafts or not read.note.draft)
    unresolved = [_with_papers(read, papers, suggestions, problems) for read in shown]
    problems += doubtful(sources)
    if not isinstance(document, Diagnostic):
        others = {name: files for name, files in folders.items() if name in site.topics or not _is_topic(files)}
        problems += unread_files(others, (source for source in sources if source.path.parent == BASE), site)
    pdfs = load_pdfs(sources, papers, [read.note for read in unresolved], identify, problems) if identify else ()
    former = (*(read.aliases for read in topics), *(read.aliases for read in unresolved))
    aliases = tuple(chain.from_iterable(former))
    index = index_of((read.note for read in unresolved), site.topics, aliases, hidden)
    notes = tuple((_with_corrections(read, index, problems), read.tags) for read in unresolved)
    orders = {read.topic.id: read.order(index, problems) for read in topics}
    listed = [read.papers(papers, suggestions, problems) for read in topics]
    paths = [tuple(read.reading_paths(index, problems)) for read in topics]
    corpus = Corpus(
        site=site,
        topics=tuple(
            replace(read.topic, papers=keys, reading_paths=steps)
            for read, keys, steps in zip(topics, listed, paths, strict=True)
        ),
        notes=in_order(with_tags(notes, site.tags, problems), orders),
        papers=papers,
        terms=terms,
        pdfs=pdfs,
        kept=kept_files(sources),
        severities=severities,
        pages=pages,
        own_files=own_files,
        aliases=aliases,
        drafts=hidden,
    )
    if identify:
        problems += [problem for read in unresolved for problem in _unpublished(read, corpus)]
    return corpus, _without_authors_of_listed(problems, corpus)


# What validates is slow to import: so these functions import it when a file says something new.


def _pages(sources: Iterable[Source], site: Site, problems: list[Diagnostic]) -> tuple[Note, ...]:
    from paper_notes.corpus.note_files import read_pages

    return read_pages(sources, site, problems)


def _site(document: YamlDocument, words: Words, by_path: Mapping[PurePosixPath, Source], cache: Cache) -> ReadSite:
    """The site. It depends on its words, on pictures that it names, and on which others there are."""

    def read() -> ReadSite:
        from paper_notes.corpus.read_files import read_site

        return read_site(document, words, by_path)

    files = [
        (path, "" if path.suffix == ".md" or path.name in _OTHERS else source.sha256)
        for path, source in by_path.items()
    ]
    return cache.memo("site", files, cast("type[ReadSite]", ReadSite), read)


_OTHERS = frozenset({NOTE_FILE, TOPIC_FILE, GLOSSARY_FILE.name})
"""Files on whose contents the site does not depend."""


def _topics(
    names: Iterable[TopicId], by_path: Mapping[PurePosixPath, Source], languages: tuple[Lang, ...], cache: Cache
) -> list[ReadTopic]:
    topics = []
    with cache.table("topics") as table:
        for name in names:
            source = by_path.get(BASE / name / TOPIC_FILE)
            read = partial(_topic, name, source, languages)
            topics.append(table.memo(name, (languages, source and source.sha256), ReadTopic, read))
    return topics


def _topic(name: TopicId, source: Source | None, languages: tuple[Lang, ...]) -> ReadTopic:
    from paper_notes.corpus.read_files import read_topic

    return read_topic(name, source, languages)


def _without_authors_of_listed(problems: list[Diagnostic], corpus: Corpus) -> tuple[Diagnostic, ...]:
    """Without warnings that a paper has no author if only lists have it: reports and lists often name none."""
    own = corpus.own_papers
    places = {paper.location for key, paper in corpus.papers.items() if key not in own}
    return tuple(
        problem
        for problem in problems
        if problem.rule != "missing-field" or problem.severity != "warning" or problem.location not in places
    )


def _unpublished(read: UnresolvedNote, corpus: Corpus) -> Iterator[Diagnostic]:
    """Report a note that publishes a PDF which is missing or bad."""
    note = read.note
    if not note.publish_pdf:
        return
    where = read.publish_pdf
    if not note.papers:
        hint = "add it to `papers:`, or delete this line"
        yield Diagnostic(where, "missing-pdf", "the note names no paper whose PDF could be published", hint)
        return
    paper, pdf = corpus.papers[note.papers[0]], corpus.pdf_of(note.papers[0])
    if pdf is None:
        yield Diagnostic(where, "missing-pdf", f'there is no PDF of "{paper.key}"', published_place(paper))
    elif pdf.problem:
        message = f"{pdf.source.path} cannot be published: {pdf.problem.message}"
        yield Diagnostic(where, "bad-pdf", message, pdf.problem.hint)


def index_of(
    notes: Iterable[Note], topics: Iterable[TopicId], aliases: Iterable[Alias] = (), drafts: Iterable[Note] = ()
) -> NoteIndex:
    """The index that resolves references to these notes.

    Former ids among the `aliases` are only for hints. `drafts` are left out, and known to be.
    """
    former = {alias.former: alias.note for alias in aliases if alias.former and alias.note}
    return NoteIndex((name_of(note.id) for note in notes), topics, former, (name_of(note.id) for note in drafts))


def _folders(sources: tuple[Source, ...]) -> dict[TopicId, tuple[Source, ...]]:
    """The sources of each folder directly below the base."""
    folders: dict[TopicId, list[Source]] = {}
    for source in sources:
        parts = str(source.path).split("/", 2)  # of `notes_src`, a topic, and the rest
        if len(parts) > 2:
            folders.setdefault(TopicId(parts[1]), []).append(source)
    return {topic: tuple(members) for topic, members in folders.items()}


def _unknown_site(folders: Mapping[TopicId, tuple[Source, ...]], words: Words) -> Site:
    """A placeholder for a `site.yaml` that could not be read, so that mistakes in all other files are still found."""
    topics = tuple(topic for topic, members in folders.items() if _is_topic(members))[:MAX_TOPICS]
    return Site(Text.of(en="?"), words, topics, None, None, readme=())


def _is_topic(members: tuple[Source, ...]) -> bool:
    known = {TOPIC_FILE, NOTE_FILE, *(f"{lang}.md" for lang in BUILT_IN)}
    return any(source.path.name in known for source in members)


_OF_PAGES = "begins with pn-, as ids of the pages do"


def _check_topics(
    site: Site,
    places: Mapping[TopicId, Location],
    folders: Mapping[TopicId, tuple[Source, ...]],
    problems: list[Diagnostic],
    listed_at: Location,
) -> None:
    """Report topics without a folder, and folders that are no topics. `listed_at` is the list of topics."""
    known, suggestions = set(site.topics), Suggestions()
    unlisted = set(folders) - known
    for topic in site.topics:
        if topic not in folders:
            close = suggestions.closest(topic, sorted(name for name in unlisted if _is_topic(folders[name])))
            if close:
                unlisted.discard(TopicId(close))  # one cause is reported once
            renamed = f'did you mean "{close}"? {BASE / close}/ is there'
            hint = renamed if close else f"make {BASE / topic}/{TOPIC_FILE}"
            message = f'the topic "{topic}" has no folder'
            problems.append(Diagnostic(places[topic], "unknown-topic", message, hint))
        elif reason := unusable(topic) or _OF_PAGES * topic.startswith("pn-"):
            message = f'the topic "{topic}" cannot be a folder of the site: its name {reason}'
            problems.append(Diagnostic(places[topic], "bad-topic-name", message, "rename the folder"))
    for topic, members in folders.items() if len(known) < MAX_TOPICS else ():
        if _is_topic(members) and topic in unlisted:
            file = BASE / topic / TOPIC_FILE
            where = Location(file) if any(source.path == file for source in members) else listed_at
            message = f'the folder "{topic}" is not among the topics of site.yaml, so its notes would be left out'
            problems.append(Diagnostic(where, "unlisted-topic", message, f"add {topic} to `topics:` in {SITE_FILE}"))


def _terms(source: Source, languages: tuple[Lang, ...], cache: Cache) -> ReadGlossary:
    def read() -> ReadGlossary:
        from paper_notes.corpus.read_files import read_terms

        return read_terms(source, languages)

    return cache.memo("glossary", (languages, source.sha256), cast("type[ReadGlossary]", ReadGlossary), read)


def _with_papers(
    read: UnresolvedNote, papers: Mapping[BibKey, Paper], suggestions: Suggestions, problems: list[Diagnostic]
) -> UnresolvedNote:
    """The note with those of its papers and entries that exist; the others are reported."""
    note = read.note
    known = partial(is_known, papers=papers, suggestions=suggestions, problems=problems)
    entries = tuple(entry for entry in note.entries if known(entry.paper, where=entry.location))
    keys = tuple(key for key, where in zip(note.papers, read.papers, strict=True) if known(key, where=where))
    if (entries, keys) == (note.entries, note.papers):
        return read
    return replace(read, note=replace(note, entries=entries, papers=keys))


def _with_corrections(read: UnresolvedNote, index: NoteIndex, problems: list[Diagnostic]) -> Note:
    corrections = []
    for claim, where in zip(read.note.corrects, read.corrects, strict=True):
        note = index.find(claim.note, read.note.topic)
        if isinstance(note, Dangling):
            problems.append(note.at(where))
        else:
            corrections.append(replace(claim, note=note))
    return replace(read.note, corrects=tuple(corrections)) if read.corrects else read.note
