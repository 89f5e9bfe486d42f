"""The files that a README adds to a collection: facts of notes, topics, papers, and the README itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE, SITE_FILE, TOPIC_FILE, load
from paper_notes.corpus.model import ArxivId, Corpus
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Location, UserError
from paper_notes.features.importing.facts import digests_of_facts
from paper_notes.features.importing.import_record import Record, RecordedText
from paper_notes.features.importing.merging import WAITING, digests_of, merged, merged_facts, stays
from paper_notes.features.importing.papers import Papers
from paper_notes.features.importing.placement import PlacedNote
from paper_notes.features.importing.readme.listing import Listing, arxiv_of, draft_of, row_facts, topic_facts, with_row
from paper_notes.features.importing.readme.regions import README, PageOf, RegionMarker, emptied, refilled
from paper_notes.features.importing.readme.rows import ReadmeRow
from paper_notes.features.importing.types import ImportedText, ImportFinding
from paper_notes.features.moving.edits import FileEdit, by_file, edited
from paper_notes.features.papers.completion import entry_of, filled
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.scaffold import sources_with
from paper_notes.languages.text import Lang
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml
from paper_notes.sources.yaml_edit import with_keys
from paper_notes.values import Struct, field


class Additions(Struct):
    """What a README adds, beside the notes that are taken in with it."""

    listing: Listing
    key: str
    """Its name in the record."""
    own: Source | None = None
    """The collection's own README."""
    page_of: PageOf | None = None
    replaceable: bool = False
    """Nobody has written on that yet."""
    base_url: str = ""
    """Where the README says that the notes are published, if the collection does not say it."""
    findings: list[ImportFinding] = field(default_factory=list)
    after: dict[str, RecordedText] = field(default_factory=dict)
    """Of the record."""

    @property
    def where(self) -> Location:
        return Location(self.listing.readme.path)

    def _papers(self) -> Iterator[ReadmeRow]:
        return (row for _, row in self.listing.readme.rows if row.is_paper)

    def drafts(self, known: Mapping[ArxivId, Draft]) -> dict[ArxivId, Draft]:
        """What is known of papers, with what the first row of each says of it."""
        rows = {arxiv.id: row for row in reversed([*self._papers()]) if (arxiv := arxiv_of(row))}
        return {**known, **{arxiv: draft_of(row, known) for arxiv, row in rows.items()}}

    def texts(self, note: PlacedNote, texts: Sequence[ImportedText]) -> tuple[ImportedText, ...]:
        """The texts of a note, with what its row says."""
        row, lang = self.listing.rows.get(note.id), self.listing.lang
        if row is None:
            return tuple(texts)
        lang = lang if any(text.lang == lang for text in texts) else Lang(texts[0].lang)
        return tuple(with_row(self.listing, text, row, note.topic, lang) for text in texts)

    def papers_of(self, note: PlacedNote, papers: Papers) -> list[str]:
        """Keys of papers that the README says a note is about."""
        return [str(papers.paper(draft_of(row, papers.drafts)).key) for row in self.listing.papers.get(note.id, ())]

    def topics(self, papers: Papers, read: Mapping[str, Iterable[str]]) -> dict[str, dict[str, Any]]:
        """Facts of each topic that has a note or a paper. `read` are keys of papers by the ids of their notes."""
        with_notes = {topic for topic, _ in self.listing.by_number}
        described: dict[str, dict[str, Any]] = {}
        for topic in dict.fromkeys(self.listing.topics.values()):
            keys = [key for note, own in read.items() if note.startswith(f"{topic}/") for key in own]
            facts = topic_facts(self.listing, topic, lambda row: papers.paper(draft_of(row, papers.drafts)), keys)
            if topic in with_notes or facts.get("papers"):
                described[topic] = facts
        return described

    def existing(
        self,
        topics: Mapping[str, Mapping[str, Any]],
        new: Iterable[PurePosixPath],
        corpus: Corpus,
        sources: Mapping[PurePosixPath, Source],
        record: Record,
    ) -> list[Artifact]:
        """Changes of topics and notes that the collection has. `new` are folders of notes that are written anyway."""
        changes: list[Artifact] = []
        for topic, facts in topics.items():
            changes += self._merged(f"{self.key}#{topic}", BASE / topic / TOPIC_FILE, facts, sources, record)
        listing, written = self.listing, set(new)
        for note in corpus.notes:
            row = listing.rows.get(note.id)
            if row is None or BASE / note.id in written:
                continue
            facts = row_facts(listing, row, note.topic, listing.lang, note.title[listing.lang])
            facts |= {"extra": dict(row.others)} if row.others else {}
            if (path := BASE / note.id / NOTE_FILE) in sources:
                changes += self._merged(f"{self.key}#{note.id}", path, facts, sources, record)
            elif facts:
                message = f"{note.id} has its facts in its text: write there what its row says"
                self.findings.append(ImportFinding("unmapped", "front-matter", message, self.where))
        return changes

    def _merged(
        self,
        name: str,
        path: PurePosixPath,
        facts: Mapping[str, Any],
        sources: Mapping[PurePosixPath, Source],
        record: Record,
    ) -> list[Artifact]:
        """A YAML file with facts that are recorded under a name."""
        self.after[name] = RecordedText("", self.listing.lang, "", facts=digests_of_facts(facts))
        if path not in sources:
            return []
        was = record[name].facts if name in record else {}
        if not was:
            facts, was = _united(facts, sources[path], path)
        files, findings = merged_facts(path, facts, was, sources, self.where)
        self.findings += findings
        return files

    def entries(self, corpus: Corpus, sources: tuple[Source, ...], record: Record) -> list[Artifact]:
        """The .bib files of the collection with what the rows say of papers that are there, where nothing says it."""
        known = record.get(self.key)
        if known and known.original == self._digest():
            return []
        papers = Papers(corpus, {})
        edits, seen = list[FileEdit](), set[BibKey]()
        for row in self._papers():
            draft = draft_of(row, {})
            paper = papers.paper(draft)
            if paper.key not in corpus.papers or paper.key in seen:
                continue
            seen.add(paper.key)
            try:
                source, entry = entry_of(sources, paper.key)
                edits += filled(source, entry, Draft("id"), draft, paper.key, with_title=False)
            except UserError as problem:
                self.findings.append(ImportFinding("unmapped", "entry-stays", problem.message, self.where))
        by_path = {source.path: source for source in sources}
        return [Artifact(path, edited(by_path[path], some)) for path, some in by_file(edits).items()]

    def readme(self, sources: Sequence[Source], artifacts: Iterable[Artifact], record: Record) -> list[Artifact]:
        """The collection's README, and the line of site.yaml that keeps it."""
        whole, _ = sources_with(sources, artifacts)
        corpus, _ = load(whole)
        if corpus is None:
            return []
        text = self.own.data.decode(errors="replace").replace("\r\n", "\n") if self.own else ""
        moved = text != self.listing.readme.text
        marker = RegionMarker(self.listing, corpus)
        new = marker.marked(self.page_of if moved else None)
        self.findings += marker.findings
        bare = emptied(new)
        self.after[self.key] = RecordedText("", self.listing.lang, self._digest(), digests_of(bare))
        known = record.get(self.key)
        wants_regions = any(target.file == README for target in corpus.site.readme)
        if not marker.regions and (wants_regions or (self.own and not known)):
            return self._waiting(new)  # builds would look for regions in it; or another one is there
        if known and self.own is None:
            return []  # somebody deleted it
        files: list[Artifact] = []
        if self.own is None or self.replaceable or not moved:
            files.append(Artifact.text(README, new))
        elif known:
            result = merged(emptied(text), bare, known.sections)
            after = refilled(result.text, text)
            files += [Artifact.text(README, after)] if after != text else []
            files += self._waiting(result.waiting)
            self.findings += [stays(README, result.text, *conflict) for conflict in result.conflicts]
        else:
            files += self._waiting(new)
            return files
        site = next(source for source in whole if source.path == SITE_FILE)
        return files + (self._kept(site, corpus) if marker.regions else [])

    def _waiting(self, text: str) -> list[Artifact]:
        if not text:
            return []
        path = README.with_name(README.name + WAITING)
        message = f"there is another {README}: it stays as it is, and what is new waits in {path}"
        self.findings.append(ImportFinding("doubtful", "both-changed", message, self.where))
        return [Artifact.text(path, text)]

    def _kept(self, site: Source, corpus: Corpus) -> list[Artifact]:
        """`readme: true` in site.yaml, so that builds fill the regions."""
        if any(target.file == README for target in corpus.site.readme):
            return []
        document = parse_yaml(SITE_FILE, site.text)
        if isinstance(document, YamlDocument) and isinstance(document.value, dict) and "readme" not in document.value:
            return [Artifact(SITE_FILE, with_keys(SITE_FILE, site.data, {"readme": True}))]
        message = f"{SITE_FILE} does not have {README} kept: write it below `readme:`"
        self.findings.append(ImportFinding("doubtful", "readme-not-kept", message, self.where))
        return []

    def _digest(self) -> str:
        return sha256(self.listing.readme.text.encode()).hexdigest()


def _united(facts: Mapping[str, Any], source: Source, path: PurePosixPath) -> tuple[dict[str, Any], dict[str, str]]:
    """The facts for a topic that is there, and digests of those that may be replaced.

    Its lists get what is new, at their end; its title and emoji stay.
    """
    document = parse_yaml(path, source.text)
    mine = document.value if isinstance(document, YamlDocument) and isinstance(document.value, dict) else {}
    united = {name: value for name, value in facts.items() if name not in ("title", "emoji") or name not in mine}
    lists = {
        name: mine[name] for name in ("papers", "reading_paths") if name in united and isinstance(mine.get(name), list)
    }
    for name, listed in lists.items():
        ids = {_name_of(entry) for entry in listed}
        united[name] = [*listed, *(entry for entry in united[name] if _name_of(entry) not in ids)]
    return united, digests_of_facts(lists)


def _name_of(item: object) -> str:
    """The key of a paper, or the id of a reading path."""
    return str(item.get("id") if isinstance(item, dict) else item)
