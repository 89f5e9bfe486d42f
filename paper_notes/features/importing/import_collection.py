"""A collection that exists becomes notes of ours: the files to write, and what has become of each original."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE, SITE_FILE, index_of, load
from paper_notes.corpus.model import ArxivId, Corpus, Lang, Note, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.topics import TOPIC_FILE
from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.engine.cache import Cache
from paper_notes.features.importing.facts import careful, facts_of, plain_values, unsaid
from paper_notes.features.importing.folders import ImportRequest, ReadFolder
from paper_notes.features.importing.import_record import Record, record_file
from paper_notes.features.importing.lists import with_lists
from paper_notes.features.importing.make_valid import (
    KnownNames,
    ValidText,
    keep_links_valid,
    make_valid,
    with_valid_texts,
)
from paper_notes.features.importing.merging import ArrivedText, Gone, MergedNote, files_of, merge_note
from paper_notes.features.importing.page_proof import Tools, findings_of, prove_on_pages, with_lost_marked
from paper_notes.features.importing.papers import Papers
from paper_notes.features.importing.placement import NoteTexts, PlacedNote
from paper_notes.features.importing.proof.compare import NO_PROOF, Proof
from paper_notes.features.importing.readme.adding import Additions
from paper_notes.features.importing.types import ImportedText, ImportFinding
from paper_notes.features.lists.documents import AS_FOUND
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.known_papers import appended
from paper_notes.features.papers.scaffold import LIBRARY, as_yaml, sources_with
from paper_notes.features.repair.doubts import with_doubts
from paper_notes.languages.language import Words
from paper_notes.patterns import regex
from paper_notes.render.links import note_path, page_of, topic_path
from paper_notes.render.pages.moved import path_of
from paper_notes.sources.filenames import alike
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml_edit import with_keys, with_names
from paper_notes.values import Struct, field, replace


class TextReport(Struct, frozen=True):
    """What has become of an original."""

    original: PurePosixPath
    note: str
    """The id of the note: `agents/04_Memory`."""
    state: str
    """`new`, `same`, `changed`, or `gone`: the note was deleted since."""
    proof: Proof = NO_PROOF
    findings: tuple[ImportFinding, ...] = ()
    warnings: Mapping[str, int] = field(default_factory=dict)
    entries: int | None = None
    """The number of papers, if it is a list of them."""


class ImportedCollection(Struct, frozen=True):
    """The files that an import makes, and what has become of each original."""

    artifacts: tuple[Artifact, ...]
    texts: tuple[TextReport, ...]
    topics: tuple[str, ...]
    """New ones."""
    papers: int
    """New entries."""
    unread: Mapping[PurePosixPath, str]
    """As in `ReadFolder`."""
    findings: tuple[ImportFinding, ...] = ()
    """In the README that lists the notes."""


_CITED = regex(r"@([\w:.+/-]*\w)")
"""What may be the key of a paper."""
Facts = Mapping[PurePosixPath, dict[str, Any]]
"""The values of note.yaml by the folders of the notes."""


class ProvenCollection(Struct, frozen=True):
    """Notes with which the collection builds, each compared with its original."""

    read: ReadFolder
    groups: Sequence[NoteTexts]
    facts: Facts
    valid: Mapping[PurePosixPath, ValidText]
    proofs: Mapping[PurePosixPath, Proof]
    findings: Mapping[PurePosixPath, list[ImportFinding]]
    loaded: Corpus
    """With all notes as if they were new."""
    sources: tuple[Source, ...]
    """Those of before, with what a README says of their notes."""
    frame: Sequence[Artifact]
    """What is written besides the notes."""
    topics: Sequence[str]
    described: Mapping[str, Mapping[str, object]]
    papers: int

    @property
    def lossy(self) -> list[TextReport]:
        """The texts of notes that would lose words."""
        return [
            TextReport(text.outline.path, note.id, "new", self.proofs[text.outline.path])
            for note, texts in self.groups
            if any(self.proofs[text.outline.path].lost for text in texts)
            for text in texts
        ]


def prove_collection(
    read: ReadFolder,
    wanted: ImportRequest,
    corpus: Corpus,
    sources: tuple[Source, ...],
    record: Record,
    drafts: Mapping[ArxivId, Draft],
    tools: Tools,
    readme: Additions | None = None,
) -> ProvenCollection:
    """The notes that are read as they will be, with what a README adds to them. Raises UserError."""
    papers = Papers(corpus, readme.drafts(drafts) if readme else drafts)
    groups: list[NoteTexts] = [
        (note, tuple(read.texts[outline.path] for outline in note.outlines)) for note in read.notes
    ]
    groups = [(note, readme.texts(note, texts)) for note, texts in groups] if readme else groups
    for key in dict.fromkeys(key for _, texts in groups for text in texts for key, _ in text.cites):
        if draft := read.bibliography.drafts.get(key):
            papers.paper(draft)
    keys = {note.folder: papers.keys(texts[0]) for note, texts in groups}
    if readme:
        keys = {
            note.folder: list(dict.fromkeys((*keys[note.folder], *readme.papers_of(note, papers))))
            for note, _ in groups
        }
    groups, libraries = with_lists(groups, papers, sources)
    facts, findings = _facts(groups, keys, read, wanted)
    reads = {note.id: note.papers for note in corpus.notes} | {note.id: keys[note.folder] for note, _ in groups}
    described = readme.topics(papers, reads) if readme else {}
    topics = dict.fromkeys([*described, *(note.topic for note, _ in groups)])
    new_topics = [topic for topic in topics if topic not in corpus.site.topics]
    filled = readme.entries(corpus, sources, record) if readme else []
    sources, _ = sources_with(sources, filled)
    titled = {topic: {"title": _titles(topic, groups), **described.get(topic, {})} for topic in new_topics}
    frame = [*filled, *libraries, *_frame(titled, papers, sources, readme.base_url if readme else "")]
    facts, loaded = _loadable(sources, frame, groups, facts, tools.cache)
    _keep_former_addresses(loaded, facts.keys(), new_topics)
    facts = _with_free_addresses(groups, facts, loaded, findings)
    valid = _valid_texts(groups, loaded, papers, tools)
    proofs = prove_on_pages(loaded, groups, facts, read.originals, valid, tools)
    count = len(papers.bibtex)
    return ProvenCollection(
        read, groups, facts, valid, proofs, findings, loaded, sources, frame, new_topics, described, count
    )


def import_collection(
    proven: ProvenCollection,
    wanted: ImportRequest,
    corpus: Corpus,
    record: Record,
    readme: Additions | None = None,
) -> ImportedCollection:
    """The files of the notes, which build at once. Where words are lost, the text says so. Raises UserError."""
    read, groups, facts, proofs, findings = proven.read, proven.groups, proven.facts, proven.proofs, proven.findings
    sources, frame = proven.sources, proven.frame
    valid = {**proven.valid, **dict(_marked(groups, proven.valid, proofs, read, proven.loaded.site.words))}
    by_path = {source.path: source for source in sources}
    before = {path: record[key] for path, key in read.before.items()}
    keys_now = {path: wanted.homes.key(path) for path in read.originals}
    current = {*keys_now.values()}
    former = {path: key for path, key in read.before.items() if key not in current}

    def merge(group: NoteTexts, gone: Mapping[PurePosixPath, Sequence[Gone]], held: str) -> MergedNote:
        note, texts = group
        paths = ((text, text.outline.path) for text in texts)
        arrived = [
            ArrivedText(text, read.originals[path], valid[path].body, keys_now[path], before.get(path), gone[path])
            for text, path in paths
        ]
        return merge_note(note.folder, arrived, facts[note.folder], by_path, held)

    merged = keep_links_valid(groups, valid, merge, sources, frame, with_valid_texts(proven.loaded, groups, valid))
    artifacts = [*frame]
    reports = [TextReport(outline.path, note.id, "gone") for note in read.gone for outline in note.outlines]
    after = dict(record)
    for note, texts in groups:
        result = merged[note.folder]
        artifacts += _with_doubts(result.artifacts, texts, read, sources)
        after |= result.record
        for path in (text.outline.path for text in texts if text.outline.path in former):
            message = f"it was {former[path]} when it was taken in: its note stays where it is"
            findings[path].append(ImportFinding("changed", "renamed-file", message, Location(path)))
            if keys_now[path] in after:
                after.pop(former[path], None)
        for text in texts:
            path = text.outline.path
            told = (
                *read.looks[path].findings,
                *text.findings,
                *valid[path].findings,
                *findings_of(read.originals[path], proofs[path]),
                *result.about[path],
                *findings[path],
            )
            entries = len(text.facts.get("entries", ())) if text.lists else None
            reports.append(TextReport(path, note.id, result.state, proofs[path], told, valid[path].warnings, entries))
    if readme:
        artifacts += readme.existing(proven.described, facts, corpus, by_path, record)
        artifacts += readme.readme(sources, artifacts, record)
        after |= readme.after
    if after != record:
        artifacts.append(record_file(after))
    return ImportedCollection(
        tuple(artifacts),
        tuple(reports),
        tuple(proven.topics),
        proven.papers,
        read.unread,
        tuple(readme.findings) if readme else (),
    )


def _facts(
    groups: Sequence[NoteTexts], keys: Mapping[PurePosixPath, list[str]], read: ReadFolder, wanted: ImportRequest
) -> tuple[Facts, dict[PurePosixPath, list[ImportFinding]]]:
    """The values of note.yaml, with each key of front matter that nothing else says in `extra`, and findings."""
    facts: dict[PurePosixPath, dict[str, Any]] = {}
    findings: dict[PurePosixPath, list[ImportFinding]] = {}
    for note, texts in groups:
        values = facts_of(texts, keys[note.folder], _dates(note, wanted), _former(note))
        for text in texts:
            path = text.outline.path
            known = (str(note.folder), text.lang, text.outline.topic_title)
            findings[path] = []
            if left := unsaid(read.originals[path], values, known, (*text.arxiv, *text.dois)):
                extra = plain_values({**left, **values.get("extra", {})})
                values = {**values, "extra": dict(sorted(extra.items()))}
                message = f"kept in `extra`: {', '.join(left)}"
                findings[path].append(ImportFinding("unmapped", "front-matter", message, Location(path)))
        facts[note.folder] = values
    return facts, findings


def _loadable(
    sources: tuple[Source, ...], frame: Sequence[Artifact], groups: Sequence[NoteTexts], facts: Facts, cache: Cache
) -> tuple[Facts, Corpus]:
    """The facts without what the schema refuses, and the collection with all notes as if they were new."""

    def loaded(facts: Facts) -> tuple[Corpus | None, tuple[Diagnostic, ...]]:
        files = (file for note, texts in groups for file in files_of(note.folder, texts, facts[note.folder]))
        return load(sources_with(sources, [*frame, *files])[0], cache=cache)

    corpus, mistakes = loaded(facts)
    wrong = {mistake.location.path.parent for mistake in mistakes if mistake.severity == "error"}
    if wrong & facts.keys():
        facts = {folder: careful(values) if folder in wrong else values for folder, values in facts.items()}
        corpus, mistakes = loaded(facts)
    errors = tuple(mistake for mistake in mistakes if mistake.severity == "error")
    if corpus is None or errors:
        raise UserError("what was read would not build; please report it", diagnostics=errors)
    return facts, corpus


def _titles(topic: str, groups: Iterable[tuple[PlacedNote, Sequence[ImportedText]]]) -> Mapping[str, str] | str:
    """The title of a new topic in the languages of its notes: what the original calls it, or the name of its folder."""
    titles: dict[str, str] = {}
    for text in (text for note, texts in groups if note.topic == topic for text in texts):
        titles[text.lang] = titles.get(text.lang, "") or text.outline.topic_title
    return {lang: title or topic for lang, title in titles.items()} or topic


def _dates(note: PlacedNote, wanted: ImportRequest) -> dict[str, datetime.date]:
    days = [wanted.dates[outline.path] for outline in note.outlines if outline.path in wanted.dates]
    return {"created": min(first for first, _ in days), "updated": max(last for _, last in days)} if days else {}


def _former(note: PlacedNote) -> list[str]:
    """The addresses that the pages of a note had, so that links from outside live on."""
    own = f"{note.topic}/notes/{note.folder.name}.html"
    pages = (outline.path for outline in note.outlines if outline.path.suffix.lower() in (".html", ".htm"))
    return [str(path) for path in pages if len(path.parts) > 1 and str(path) != own]


def _frame(
    topics: Mapping[str, Mapping[str, object]], papers: Papers, sources: Sequence[Source], base_url: str
) -> Iterator[Artifact]:
    """What the notes need besides their own files: topics, entries of papers, and where pages are published."""
    if topics or base_url:
        site = next(source for source in sources if source.path == SITE_FILE).data
        site = with_names(SITE_FILE, site, "topics", [*topics]) if topics else site
        yield Artifact(SITE_FILE, with_keys(SITE_FILE, site, {"base_url": base_url}) if base_url else site)
        present = {source.path for source in sources}
        for topic, values in topics.items():
            if BASE / topic / TOPIC_FILE not in present:
                yield Artifact.text(BASE / topic / TOPIC_FILE, as_yaml(values))
    if papers.bibtex:
        yield Artifact(LIBRARY, appended(sources, "\n".join(papers.bibtex), LIBRARY))


def _with_doubts(
    files: Sequence[Artifact], texts: Iterable[ImportedText], read: ReadFolder, sources: Iterable[Source]
) -> Iterable[Artifact]:
    """The files, with lists of what is doubtful in texts that were garbled."""
    for text in texts:
        meant = read.looks[text.outline.path].meant
        if meant.doubts and (own := [file for file in files if file.path.name in (f"{text.lang}.md", AS_FOUND)]):
            files = [*(file for file in files if file not in own), *with_doubts(own, meant, sources)]
    return files


def _valid_texts(
    groups: Sequence[NoteTexts], corpus: Corpus, papers: Papers, tools: Tools
) -> dict[PurePosixPath, ValidText]:
    """Each text with which the collection builds."""
    by_folder: dict[PurePosixPath, Note] = {BASE / note.id: note for note in (*corpus.notes, *corpus.drafts)}
    keys = frozenset(map(BibKey, papers.papers))
    known = KnownNames(corpus.site.words, index_of(corpus.notes, corpus.site.topics), corpus.terms, keys)
    jobs = {
        text.outline.path: (by_folder[note.folder], text, keys.intersection(_CITED.findall(text.body)))
        for note, texts in groups
        for text in texts
    }
    return tools.made(
        make_valid, known, jobs, known.terms, "Checking notes"
    )  # texts name notes as they are now, and are read again


def _marked(
    groups: Sequence[NoteTexts],
    valid: Mapping[PurePosixPath, ValidText],
    proofs: Mapping[PurePosixPath, Proof],
    read: ReadFolder,
    words: Words,
) -> Iterator[tuple[PurePosixPath, ValidText]]:
    """The texts that lose words, which say so."""
    for text in (text for _, texts in groups for text in texts):
        path = text.outline.path
        if proofs[path].lost:
            body = with_lost_marked(valid[path].body, read.originals[path], proofs[path], words[Lang(text.lang)])
            yield path, replace(valid[path], body=body)


# Addresses that pages of imported notes had: each leads on, unless another page is there now


def _with_free_addresses(
    groups: Sequence[NoteTexts],
    facts: Facts,
    corpus: Corpus,
    findings: Mapping[PurePosixPath, list[ImportFinding]],
) -> Facts:
    """The values of note.yaml by folder; `aliases` at which another page is are only in `extra`, and reported.

    `corpus` is the collection with the notes.
    """
    taken = {alike(f"{topic}/index.html") for topic in corpus.site.topics}
    taken |= {alike(str(note_path(note))) for note in (*corpus.notes, *corpus.drafts)}
    others = (alias for alias in corpus.aliases if not alias.note or BASE / alias.note not in facts)
    taken |= {_page(alias.address) for alias in others if alias.is_path}
    free: dict[PurePosixPath, dict[str, Any]] = {}
    for note, texts in groups:
        values, path = facts[note.folder], texts[0].outline.path
        own, gone = list[str](), list[str]()
        for address in values.get("aliases", ()):
            (gone if (page := _page(address)) in taken else own).append(address)
            if page in taken and page != alike(str(page_of(TopicId(note.topic), note.folder.name))):
                message = f'another page is at the address "{address}", which does not lead here'
                findings[path].append(ImportFinding("unmapped", "taken-address", message, Location(path)))
            taken.add(page)
        free[note.folder] = {name: value for name, value in values.items() if name != "aliases" or own}
        free[note.folder] |= {"aliases": own} if own else {}
        if gone:
            extra = values.get("extra", {})
            known = extra.get("aliases", [])
            every = [*(known if isinstance(known, list) else [known]), *gone]
            free[note.folder]["extra"] = {**extra, "aliases": [*dict.fromkeys(every)]}
    return free


def _keep_former_addresses(corpus: Corpus, folders: Collection[PurePosixPath], topics: Collection[str]) -> None:
    """Raise UserError if an imported note or a new topic would be at a former address of another page.

    `corpus` is the collection with the notes, which are in these folders.
    """
    new = {alike(str(topic_path(TopicId(topic)))) for topic in topics}
    new |= {alike(str(note_path(note))) for note in (*corpus.notes, *corpus.drafts) if BASE / note.id in folders}
    for alias in corpus.aliases:
        if not (alias.note and BASE / alias.note in folders) and alike(str(path_of(alias))) in new:
            message = f"{alias.address} is a former address of {alias.note or alias.topic}, which leads there"
            hint = f"delete it from `aliases:` in {alias.location}, or import into another topic with --topic"
            raise UserError(message, hint)


def _page(address: str) -> str:
    """The file at an address, as disks that do not tell case or accents apart know it."""
    return alike(f"{address}index.html" if address.endswith("/") else address)
