"""Everything that is derived from corpus and pages, as artifacts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import Diagnostic
from paper_notes.indexes.blocks import write
from paper_notes.indexes.citations import bibliographies
from paper_notes.indexes.feeds import feeds
from paper_notes.indexes.readme import Readme, readme_files
from paper_notes.indexes.regions import Region, renewed
from paper_notes.indexes.sitemap import sitemap
from paper_notes.render.links import published_pdfs
from paper_notes.render.pages import SITE, Pages
from paper_notes.sources.tree import Source


@dataclass(frozen=True, slots=True)
class PdfBytes:
    """How many PDFs the site has, how many of papers with notes it could have, and their bytes."""

    published: int = 0
    published_bytes: int = 0
    others: int = 0
    other_bytes: int = 0


NO_PDFS = PdfBytes()


def pdf_bytes(corpus: Corpus) -> PdfBytes:
    """Of the main papers of all notes."""
    published = published_pdfs(corpus)
    keys = dict.fromkeys(note.papers[0] for note in corpus.notes if note.papers)
    found = {key: corpus.pdf_of(key) for key in keys}
    others = [pdf.source.size for key, pdf in found.items() if pdf and not pdf.problem and key not in published]
    sizes = [pdf.source.size for _, pdf in published.values()]
    return PdfBytes(len(sizes), sum(sizes), len(others), sum(others))


def indexes(
    corpus: Corpus, pages: Pages, readmes: Iterable[Source]
) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The READMEs, bibliographies, feeds and PDFs, and the file that tells GitHub Pages to leave the site as it is.

    `readmes` are the files outside of the site whose marked regions are kept.
    """
    made = [*readme_files(corpus, pages.linker, pages.sizes), Artifact.text(SITE / ".nojekyll", "")]
    made += bibliographies(corpus, pages.linker)
    made += feeds(corpus, pages.linker)
    made += sitemap(corpus, (page.path.relative_to(SITE) for page in pages.artifacts))
    pdfs = dict(published_pdfs(corpus).values())
    made += [Artifact(SITE / path, pdf.source) for path, pdf in pdfs.items()]
    problems: list[Diagnostic] = []
    for source in readmes:

        def content(region: Region, text: str, source: Source = source) -> str:
            return write(Readme(corpus, pages.linker, pages.sizes, region.lang, source.path), region, text)

        artifact, mistakes = renewed(source.path, source.data.decode(), corpus, content)
        made += [artifact] if artifact else []
        problems += mistakes
    return tuple(made), tuple(problems)
