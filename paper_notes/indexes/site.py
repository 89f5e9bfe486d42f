"""All files of the site besides pages: READMEs, bibliographies, feeds, site map, PDFs, files of `static/`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.citation.formats import FORMATS
from paper_notes.corpus.model import Corpus, NoteId, Topic
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.engine.build_context import BuildContext, FileMemo, Report
from paper_notes.indexes.published import feeds, sitemap
from paper_notes.indexes.readme import ReadmeWriter, site_readmes, topic_readmes, write
from paper_notes.indexes.regions import Region, renewed
from paper_notes.render.labels import size_of
from paper_notes.render.links import (
    PAPERS,
    SITE,
    LinkResolver,
    bibliography,
    note_path,
    own_file,
    published_pdfs,
    topic_papers,
)
from paper_notes.render.site_pages import Pages
from paper_notes.sources.filenames import alike, unusable
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, replace


class PdfBytes(Struct, frozen=True):
    """Number and bytes of published PDFs, of others that papers of notes have, and of files of `static/`."""

    published: int = 0
    published_bytes: int = 0
    others: int = 0
    other_bytes: int = 0
    static: int = 0
    static_bytes: int = 0


NO_PDFS = PdfBytes()


def pdf_bytes(corpus: Corpus) -> PdfBytes:
    """The PDFs of the main papers of all notes, and the files that the site has as they are."""
    published = published_pdfs(corpus)
    keys = dict.fromkeys(note.papers[0] for note in corpus.notes if note.papers)
    pdfs = {key: corpus.pdf_of(key) for key in keys}
    others = [pdf.source.size for key, pdf in pdfs.items() if pdf and not pdf.problem and key not in published]
    sizes = [pdf.source.size for _, pdf in published.values()]
    own = [source.size for source in corpus.own_files]
    return PdfBytes(len(sizes), sum(sizes), len(others), sum(others), len(own), sum(own))


def indexes(
    pages: Pages, readmes: Iterable[Source], context: BuildContext | None = None
) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The READMEs, bibliographies, feeds, PDFs, own files, and `.nojekyll`: GitHub Pages serves the site as it is.

    `readmes` are the files outside of the site whose marked regions are kept.
    """
    memo, corpus = FileMemo(context or BuildContext(), "indexes"), pages.resolver.corpus
    shown = pages.metadata_digest, _shown_sizes(corpus, pages.sizes), corpus.site.readme
    resolver, sizes = replace(pages.resolver, cited={}), pages.sizes  # `shown` does not include what texts cite
    artifacts = [Artifact.text(SITE / ".nojekyll", ""), *pages.moved, *bibliographies(corpus, pages.resolver, memo)]
    artifacts += memo.files("README", shown, lambda _: site_readmes(corpus, resolver, sizes))
    for topic in corpus.topics:
        seen = pages.topics[topic.id], topic.id, [size_of(sizes[note.id]) for note in corpus.notes_of(topic.id)]

        def of_topic(report: Report, topic: Topic = topic) -> Iterator[Artifact]:
            return topic_readmes(topic, corpus, resolver, sizes)

        artifacts += memo.files(f"README of {topic.id}", seen, of_topic)
    artifacts += memo.files("feeds", pages.metadata_digest, lambda _: feeds(corpus, resolver))
    names = [page.path.relative_to(SITE) for page in pages.artifacts]
    artifacts += memo.files("site map", (pages.metadata_digest, names), lambda _: sitemap(corpus, names))
    pdfs = dict(published_pdfs(corpus).values())
    artifacts += [Artifact(SITE / path, pdf.source) for path, pdf in pdfs.items()]
    for source in readmes:

        def renew(report: Report, source: Source = source) -> Iterator[Artifact]:
            def content(region: Region, text: str) -> str:
                return write(ReadmeWriter(corpus, resolver, sizes, region.lang, source.path), region, text)

            artifact, mistakes = renewed(source.path, source.data.decode(), corpus, content)
            for mistake in mistakes:
                report(mistake)
            if artifact:
                yield artifact

        artifacts += memo.files(f"regions of {source.path}", (shown, source.sha256), renew)
    memo.save()
    own, clashes = own_files(corpus, [*pages.artifacts, *artifacts])
    artifacts = [artifact for artifact in artifacts if artifact.path not in own]
    return (*artifacts, *own.values()), (*memo.diagnostics, *clashes)


def _shown_sizes(corpus: Corpus, sizes: Mapping[NoteId, int]) -> list[str]:
    """The sizes that READMEs show: of all notes, of each note and of each topic."""
    topics = [sum(sizes[note.id] for note in corpus.notes_of(topic.id)) for topic in corpus.topics]
    return [size_of(size) for size in (sum(sizes.values()), *sizes.values(), *topics)]


def bibliographies(corpus: Corpus, resolver: LinkResolver, memo: FileMemo) -> tuple[Artifact, ...]:
    """All bibliographies: the site's with every paper, a topic's or note's with those that it reads or cites, if any.

    Papers are in the order of their keys; in a note's, those that it reads come first, then those that it cites.
    """
    artifacts = [*_files(corpus, PAPERS, sorted(corpus.own_papers), memo)]
    for topic in corpus.topics:
        artifacts += _files(corpus, topic_papers(topic.id), sorted(resolver.papers_of_topic(topic.id)), memo)
    for note in corpus.notes:
        artifacts += _files(corpus, note_path(note), resolver.papers_of_note(note.id), memo)
    return tuple(artifacts)


def _files(corpus: Corpus, beside: PurePosixPath, keys: Sequence[BibKey], memo: FileMemo) -> tuple[Artifact, ...]:
    papers = tuple(corpus.papers[key] for key in keys)

    def make(report: Report) -> Iterator[Artifact]:
        for form in FORMATS:
            yield Artifact.text(SITE / bibliography(beside, form.suffix), form.write(papers))

    return memo.files(str(beside), papers, make) if papers else ()


_REPLACEABLE = frozenset({SITE / "robots.txt"})
"""What we make only so that there is one."""


def own_files(
    corpus: Corpus, ours: Collection[Artifact]
) -> tuple[Mapping[PurePosixPath, Artifact], tuple[Diagnostic, ...]]:
    """The files of `static/` by path, and what is wrong with their names. `ours` are all other artifacts.

    The site has them as they are. None takes the place of a file of ours but `robots.txt`.
    """
    if not corpus.own_files:
        return {}, ()
    taken = frozenset(alike(str(artifact.path)) for artifact in ours if artifact.path not in _REPLACEABLE)
    folders = frozenset(alike(str(folder)) for artifact in ours for folder in artifact.path.parents)
    problems = tuple(problem for source in corpus.own_files for problem in _problems(source, taken, folders))
    artifacts = (Artifact(SITE / own_file(source), source) for source in corpus.own_files)
    return {artifact.path: artifact for artifact in artifacts}, problems


def _problems(source: Source, taken: frozenset[str], folders: frozenset[str]) -> Iterator[Diagnostic]:
    where, target = Location(source.path), SITE / own_file(source)
    names = [alike(str(path)) for path in (target, *target.parents)]
    if names[0] in folders or not taken.isdisjoint(names):
        message = f"the site has a file or folder {own_file(source)} of its own"
        hint = "rename yours: a file of static/ takes the place of no page"
        yield Diagnostic(where, "taken-path", message, hint)
    for part in own_file(source).parts:
        if reason := unusable(part):
            yield Diagnostic(where, "unportable-path", f'the name "{part}" {reason}', "rename it")
