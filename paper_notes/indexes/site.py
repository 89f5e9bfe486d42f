"""Everything that is derived from corpus and pages, as artifacts."""

from __future__ import annotations

from dataclasses import dataclass

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang
from paper_notes.diagnostics import Diagnostic
from paper_notes.indexes.citations import bibliographies
from paper_notes.indexes.readme import Readme, readme_files
from paper_notes.indexes.regions import ROOT_README, root_readme
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


def indexes(corpus: Corpus, pages: Pages, readme: Source | None) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The READMEs, the bibliographies, published PDFs, and the file that tells GitHub Pages to leave the site as it is.

    `readme` is the root README, if the site keeps it.
    """
    made = [*readme_files(corpus, pages.linker, pages.sizes), Artifact.text(SITE / ".nojekyll", "")]
    made += bibliographies(corpus, pages.linker)
    pdfs = dict(published_pdfs(corpus).values())
    made += [Artifact(SITE / path, pdf.source) for path, pdf in pdfs.items()]
    if readme is None:
        return tuple(made), ()

    def content(lang: Lang) -> str:
        return Readme(corpus, pages.linker, pages.sizes, lang, ROOT_README).site(title=False)

    renewed, problems = root_readme(readme.data.decode(), corpus.site, content)
    return (*made, renewed) if renewed else tuple(made), problems
