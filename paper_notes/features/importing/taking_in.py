"""A collection that exists, taken in: from its files to ours, and what has become of each."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE, SITE_FILE, index_of, load
from paper_notes.corpus.model import ArxivId, Corpus, Lang, Note
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.topics import TOPIC_FILE
from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.engine.workers import Workers
from paper_notes.features.importing.addresses import with_free_addresses
from paper_notes.features.importing.facts import careful, facts_of
from paper_notes.features.importing.folders import PART, Read, Wanted
from paper_notes.features.importing.losses import Lost, lost_parts, lost_words, with_lost_marked
from paper_notes.features.importing.make_valid import Arrived, Known, make_valid
from paper_notes.features.importing.merging import Gone, MergedNote, merge_note
from paper_notes.features.importing.papers import Papers
from paper_notes.features.importing.placing import Placed
from paper_notes.features.importing.readme.adding import Additions
from paper_notes.features.importing.record import Record, record_file
from paper_notes.features.importing.settling import Group, settled
from paper_notes.features.importing.values import Finding, Foreign
from paper_notes.features.lists.yaml_edit import with_names
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.scaffold import LIBRARY, appended, as_yaml, sources_with
from paper_notes.features.repair.decoding import with_doubts
from paper_notes.sources.tree import Source


@dataclass(frozen=True, slots=True)
class TakenText:
    """What has become of an original."""

    original: PurePosixPath
    note: str
    """The id of the note: `agents/04_Memory`."""
    state: str
    """`new`, `same`, `changed`, or `gone`: the note was deleted since."""
    characters: int
    kept: int
    findings: tuple[Finding, ...]
    warnings: Mapping[str, int]
    lost: tuple[Lost, ...] = ()


@dataclass(frozen=True)
class TakenIn:
    """The files of a collection that was taken in, and what has become of its originals."""

    artifacts: tuple[Artifact, ...]
    texts: tuple[TakenText, ...]
    topics: tuple[str, ...]
    """New ones."""
    papers: int
    """New entries."""
    unread: Mapping[PurePosixPath, str]
    """As in `Read`."""
    findings: tuple[Finding, ...] = ()
    """In the README that lists the notes."""


def take_in(
    read: Read,
    wanted: Wanted,
    corpus: Corpus,
    sources: tuple[Source, ...],
    record: Record,
    drafts: Mapping[ArxivId, Draft],
    workers: Workers,
    readme: Additions | None = None,
) -> TakenIn:
    """The files of the notes, which build at once, and what a README adds to them. Raises UserError."""
    papers = Papers(corpus, readme.drafts(drafts) if readme else drafts)
    groups = [
        (note, readme.texts(note, texts) if readme else texts)
        for note in read.notes
        for texts in [tuple(read.texts[outline.path] for outline in note.outlines)]
    ]
    keys = {note.folder: papers.keys(texts[0]) for note, texts in groups}
    if readme:
        keys = {note.folder: _unique([*keys[note.folder], *readme.papers_of(note, papers)]) for note, _ in groups}
    facts = {
        note.folder: facts_of(texts, keys[note.folder], _dates(note, wanted), _former(note)) for note, texts in groups
    }
    reads = {note.id: note.papers for note in corpus.notes} | {_id(folder): found for folder, found in keys.items()}
    described = readme.topics(papers, reads) if readme else {}
    topics = [
        topic
        for topic in dict.fromkeys([*described, *(note.topic for note, _ in groups)])
        if topic not in corpus.site.topics
    ]
    filled = readme.entries(corpus, sources, record) if readme else []
    sources, _ = sources_with(sources, filled)
    titled = {topic: {"title": _titles(topic, groups), **described.get(topic, {})} for topic in topics}
    frame = [*filled, *_frame(titled, papers, sources)]
    loaded, mistakes = _loaded(sources, frame, groups, facts)
    if faulty := _faulty(mistakes, facts):
        facts |= {folder: careful(facts[folder]) for folder in faulty}
        loaded, mistakes = _loaded(sources, frame, groups, facts)
    errors = tuple(found for found in mistakes if found.severity == "error")
    if loaded is None or errors:
        raise UserError("what was read would not build; please report it", diagnostics=errors)
    facts, taken = with_free_addresses(facts, loaded)
    arrived = _arrive(groups, loaded, papers, workers)
    arrived = {path: _with_lost_marked(one, read, path, corpus) for path, one in arrived.items()}
    by_path = {source.path: source for source in sources}
    before = {path: record[key] for path, key in read.before.items()}
    keys_now = {path: wanted.homes.key(path) for path in read.originals}

    def merge(group: Group, gone: Mapping[PurePosixPath, Sequence[Gone]], held: str) -> MergedNote:
        note, found = group
        bodies = {one.outline.path: arrived[one.outline.path].body for one in found}
        return merge_note(
            note, found, bodies, facts[note.folder], by_path, before, keys_now, read.originals, gone, held
        )

    merged = settled(groups, arrived, merge, sources, frame)
    artifacts: list[Artifact] = list(frame)
    texts = [
        TakenText(outline.path, str(note.folder.relative_to(BASE)), "gone", 0, 0, (), {})
        for note in read.gone
        for outline in note.outlines
    ]
    after = dict(record)
    for note, found in groups:
        made = merged[note.folder]
        artifacts += _with_doubts(made.artifacts, found, read, sources)
        after |= made.record
        for one in found:
            result = arrived[one.outline.path]
            texts.append(
                TakenText(
                    one.outline.path,
                    str(note.folder.relative_to(BASE)),
                    made.state,
                    result.kept.characters,
                    result.kept.kept,
                    (
                        *read.decoded[one.outline.path].findings,
                        *one.findings,
                        *result.findings,
                        *lost_words(read.originals[one.outline.path], result.kept),
                        *made.findings(one.outline.path),
                        *(_taken(one, address) for address in taken.get(note.folder, ()) if one is found[0]),
                    ),
                    result.warnings,
                    tuple(lost_parts(read.originals[one.outline.path], result.kept)),
                )
            )
    for key in _former_keys(read.before, keys_now, after):
        del after[key]
    if readme:
        artifacts += readme.existing(described, facts, corpus, by_path, record)
        artifacts += readme.readme(sources, artifacts, record)
        after |= readme.after
    if after != record:
        artifacts.append(record_file(after))
    return TakenIn(
        tuple(artifacts),
        tuple(texts),
        tuple(topics),
        len(papers.bibtex),
        read.unread,
        tuple(readme.findings) if readme else (),
    )


def _with_lost_marked(arrived: Arrived, read: Read, path: PurePosixPath, corpus: Corpus) -> Arrived:
    """A text that says itself which words it has lost."""
    if not arrived.kept.lost:
        return arrived
    text = read.texts[path]
    language = corpus.site.words[Lang(text.lang)]
    return replace(
        arrived, body=with_lost_marked(arrived.body, read.originals[path], text.words, arrived.kept, language)
    )


def _titles(topic: str, groups: Iterable[tuple[Placed, Sequence[Foreign]]]) -> Mapping[str, str] | str:
    """The title of a new topic in the languages of its notes: what the original calls it, or the name of its folder."""
    titles: dict[str, str] = {}
    for text in (text for note, texts in groups if note.topic == topic for text in texts):
        titles[text.lang] = titles.get(text.lang, "") or text.outline.topic_title
    return {lang: title or topic for lang, title in titles.items()} or topic


def _taken(one: Foreign, address: str) -> Finding:
    message = f'another page is at the address "{address}", which does not lead here'
    return Finding("unmapped", "taken-address", message, Location(one.outline.path))


def _former_keys(
    before: Mapping[PurePosixPath, str], now: Mapping[PurePosixPath, str], record: Record
) -> Iterable[str]:
    """The keys of files that have other names now."""
    return [key for path, key in before.items() if now[path] != key and now[path] in record and key in record]


def _loaded(
    sources: tuple[Source, ...],
    frame: Iterable[Artifact],
    groups: Iterable[tuple[Placed, Sequence[Foreign]]],
    facts: Mapping[PurePosixPath, Mapping[str, object]],
) -> tuple[Corpus | None, tuple[Diagnostic, ...]]:
    """The collection with all notes as if they were new."""
    files = [*frame, *(file for one in groups for file in _files(one, facts))]
    return load(sources_with(sources, files)[0])


def _dates(note: Placed, wanted: Wanted) -> dict[str, datetime.date]:
    found = [wanted.dates[outline.path] for outline in note.outlines if outline.path in wanted.dates]
    return {"created": min(first for first, _ in found), "updated": max(last for _, last in found)} if found else {}


def _former(note: Placed) -> list[str]:
    """The addresses that the pages of a note had, so that links from outside live on."""
    own = f"{note.topic}/notes/{note.folder.name}.html"
    pages = (outline.path for outline in note.outlines if outline.path.suffix.lower() in (".html", ".htm"))
    return [str(path) for path in pages if len(path.parts) > 1 and str(path) != own]


def _unique(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(keys))


def _id(folder: PurePosixPath) -> str:
    """The id of the note in a folder."""
    return str(folder.relative_to(BASE))


def _frame(topics: Mapping[str, Mapping[str, object]], papers: Papers, sources: Sequence[Source]) -> Iterator[Artifact]:
    """What the notes need besides their own files: topics, and entries of papers."""
    if topics:
        site = next(source for source in sources if source.path == SITE_FILE)
        yield Artifact(SITE_FILE, with_names(SITE_FILE, site.data, "topics", [*topics]))
        there = {source.path for source in sources}
        for topic, values in topics.items():
            if BASE / topic / TOPIC_FILE not in there:
                yield Artifact.text(BASE / topic / TOPIC_FILE, as_yaml(values))
    if papers.bibtex:
        yield Artifact(LIBRARY, appended(sources, "\n".join(papers.bibtex)))


def _with_doubts(
    made: Sequence[Artifact], texts: Iterable[Foreign], read: Read, sources: Iterable[Source]
) -> Iterable[Artifact]:
    """The files, with lists of what is doubtful in texts that were garbled."""
    for one in texts:
        meant = read.decoded[one.outline.path].meant
        if meant.doubts and (own := [file for file in made if file.path.name == f"{one.lang}.md"]):
            made = [*(file for file in made if file not in own), *with_doubts(own, meant, sources)]
    return made


def _files(
    group: tuple[Placed, Sequence[Foreign]], facts: Mapping[PurePosixPath, Mapping[str, object]]
) -> list[Artifact]:
    """The files of a note as if it were new."""
    note, texts = group
    files = [Artifact.text(note.folder / NOTE_FILE, as_yaml(facts[note.folder]))]
    for one in texts:
        files.append(Artifact.text(note.folder / f"{one.lang}.md", one.body))
        files += [Artifact(note.folder / name, data) for name, data in one.files.items()]
    return files


def _faulty(mistakes: Iterable[Diagnostic], folders: Iterable[PurePosixPath]) -> list[PurePosixPath]:
    """Folders of notes whose note.yaml has errors."""
    wrong = {found.location.path.parent for found in mistakes if found.severity == "error"}
    return [folder for folder in folders if folder in wrong]


def _arrive(
    groups: Sequence[tuple[Placed, Sequence[Foreign]]], corpus: Corpus, papers: Papers, workers: Workers
) -> dict[PurePosixPath, Arrived]:
    by_folder: dict[PurePosixPath, Note] = {BASE / note.id: note for note in (*corpus.notes, *corpus.drafts)}
    titles = {str(note.id): " ".join(note.title[lang] for lang in corpus.site.languages) for note in corpus.notes}
    known = Known(
        corpus.site.words, index_of(corpus.notes, corpus.site.topics), titles, frozenset(map(BibKey, papers.by_key))
    )
    jobs = [(by_folder[note.folder], one) for note, texts in groups for one in texts]
    return dict(zip((one.outline.path for _, one in jobs), workers.map(make_valid, known, jobs, PART), strict=True))
