"""Imports a README with stubs for its notes into an empty collection, and writes its regions as a build does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath

from running import PROJECT

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus, Note
from paper_notes.engine.cache import Cache
from paper_notes.engine.workers import Workers
from paper_notes.features.importing.commands.listing_readme import read_listing, with_readme
from paper_notes.features.importing.folders import ImportRequest, read_folder
from paper_notes.features.importing.import_collection import ImportedCollection, import_collection, prove_collection
from paper_notes.features.importing.import_record import RECORD, EarlierImports, read_record
from paper_notes.features.importing.page_proof import Tools
from paper_notes.features.importing.readme.adding import Additions
from paper_notes.features.importing.readme.listing import listing_of
from paper_notes.features.importing.readme.regions import README
from paper_notes.features.importing.types import (
    Folder,
    ImportedText,
    ImportFinding,
    NoteFormat,
    NoteHeader,
    NotePlaces,
    Original,
    ReaderOptions,
)
from paper_notes.features.papers.scaffold import sources_with
from paper_notes.identifiers import arxiv_in_name
from paper_notes.indexes.readme import ReadmeWriter, write
from paper_notes.indexes.regions import Region, renewed
from paper_notes.languages.language import Words
from paper_notes.markdown.bodies import render_bodies
from paper_notes.render.links import link_resolver, note_path
from paper_notes.render.theme.theme import ThemeFiles, read_theme
from paper_notes.sources.tree import Source
from paper_notes.values import replace

_NAME = re.compile(r"0*(\d+)[_-](.+)")


def _outline(original: Original, _: Folder) -> NoteHeader:
    path = original.path
    found = _NAME.match(path.stem)
    number, name = (int(found[1]), found[2]) if found else (None, path.stem)
    folder = next((part for part in reversed(path.parts[:-1]) if part != "notes"), "")
    return NoteHeader(path, original.text.split("\n")[0], folder, name, number)


@cache
def _theme() -> ThemeFiles:
    theme, _ = read_theme(PROJECT / "tests", Words.of("zh", "en"))
    assert theme
    return theme


def _read(
    original: Original, outline: NoteHeader, places: NotePlaces, folder: Folder, options: ReaderOptions
) -> ImportedText:
    title, _, body = original.text.partition("\n")
    arxiv = arxiv_in_name(outline.path.name)
    return ImportedText(outline=outline, lang="zh", title=title, body=body, arxiv=(arxiv[0],) if arxiv else ())


STUB = NoteFormat("stub", (".html", ".md"), lambda _: True, lambda original, _: original, _outline, _read)
"""A note whose first line is its title, and the rest its text."""


@dataclass(frozen=True)
class Imported:
    """A collection after an import."""

    sources: tuple[Source, ...]
    own: Source | None
    """Its README."""
    made: ImportedCollection | None = None
    kinds: Mapping[str, int] = field(default_factory=dict)

    @property
    def corpus(self) -> Corpus:
        found, problems = load(self.sources)
        assert found is not None
        assert not [problem for problem in problems if problem.severity == "error"]
        return found

    @property
    def findings(self) -> tuple[ImportFinding, ...]:
        return self.made.findings if self.made else ()

    def text(self, path: str) -> str:
        return next(source.text for source in self.sources if str(source.path) == f"notes_src/{path}")

    def built(self) -> Imported:
        """With the regions of its README written."""
        corpus = self.corpus
        resolver = link_resolver(corpus, render_bodies(corpus.notes)[0].outlines)
        sizes = {note.id: 1000 for note in corpus.notes}
        assert self.own is not None

        def content(region: Region, text: str) -> str:
            return write(ReadmeWriter(corpus, resolver, sizes, region.lang, README, order=region.order), region, text)

        artifact, problems = renewed(README, self.own.text, corpus, content)
        assert problems == ()
        assert artifact is not None
        return replace(self, own=Source(README, artifact.data))

    @property
    def readme(self) -> str:
        assert self.own is not None
        return self.own.text.replace("\u2060", "").replace("\xa0", " ")


def empty(*languages: str) -> Imported:
    """A collection with one topic and without a README."""
    tags = ", ".join(languages or ("zh",))
    files = {
        "site.yaml": f"title: Shelf\nlanguages: [{tags}]\ntopics: [first]\n",
        "first/topic.yaml": "title: First\n",
    }
    return Imported(
        tuple(Source(PurePosixPath("notes_src") / path, text.encode()) for path, text in files.items()), None
    )


def imported(
    into: Imported, files: Mapping[str, str], text: str, name: str = "README.md", topic: str | None = None
) -> Imported:
    """The collection with these files and the README that lists them taken in."""
    data = {PurePosixPath(path): content.encode() for path, content in files.items()}
    wanted = ImportRequest(
        Folder(frozenset(data), data.get),
        "old",
        EarlierImports(((PurePosixPath(), "old"),), frozenset({"old"})),
        topic=topic,
    )
    corpus, workers = into.corpus, Workers(1)
    readme = read_listing(PurePosixPath(name), text, data, corpus)
    wanted = with_readme(wanted, readme, corpus)
    record = read_record(next((source.data for source in into.sources if source.path == RECORD), None))
    read = read_folder(wanted, corpus, into.sources, record, workers, (STUB,))
    tools = Tools(_theme(), Cache(), workers)
    more = Additions(listing_of(readme, corpus, read.notes, topic), f"old/{name}", into.own, page_of)
    proven = prove_collection(read, wanted, corpus, into.sources, record, {}, tools, more)
    made = import_collection(proven, wanted, corpus, record, more)
    written = {artifact.path: artifact for artifact in made.artifacts}
    own = written.pop(README, None)
    sources, _ = sources_with(into.sources, written.values())
    if RECORD in written:
        sources = (*(source for source in sources if source.path != RECORD), Source(RECORD, written[RECORD].data))
    return Imported(sources, _source(own) or into.own, made)


def page_of(note: Note) -> str:
    """The address of a note's page in the README."""
    return f"site/{note_path(note)}"


def _source(artifact: Artifact | None) -> Source | None:
    return Source(artifact.path, bytes(artifact.data)) if artifact else None


def stubs(text: str, but: tuple[str, ...] = ()) -> dict[str, str]:
    """A note for each row of a README that leads to one, by its path in the folder; `but` are names to leave out."""
    readme = read_listing(PurePosixPath("README.md"), text, (), empty().corpus)
    rows = [row for _, row in readme.rows if row.address]
    paths = {"/".join(PurePosixPath(row.address).parts[-3:]): row.title for row in rows}
    return {
        path: f"{label} 精读\n## 一\n\n正文。\n" for path, label in paths.items() if PurePosixPath(path).name not in but
    }
