"""Everything that is derived from corpus and pages, as artifacts."""

from __future__ import annotations

from collections.abc import Iterable

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import Diagnostic
from paper_notes.indexes.blocks import write
from paper_notes.indexes.feeds import feeds
from paper_notes.indexes.readme import Readme, readme_files
from paper_notes.indexes.regions import Region, renewed
from paper_notes.indexes.sitemap import sitemap
from paper_notes.render.pages import SITE, Pages
from paper_notes.sources.tree import Source


def indexes(
    corpus: Corpus, pages: Pages, readmes: Iterable[Source]
) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The READMEs, the bibliography, and the file that tells GitHub Pages to leave the site as it is.

    `readmes` are the files outside of the site whose marked regions are kept.
    """
    made = [*readme_files(corpus, pages.linker, pages.sizes), Artifact.text(SITE / ".nojekyll", "")]
    made += feeds(corpus, pages.linker)
    made += sitemap(corpus, (page.path.relative_to(SITE) for page in pages.artifacts))
    if corpus.papers:
        entries = (corpus.papers[key].bibtex.strip() for key in sorted(corpus.papers))
        made.append(Artifact.text(SITE / "papers.bib", "\n\n".join(entries) + "\n"))
    problems: list[Diagnostic] = []
    for source in readmes:

        def content(region: Region, text: str, source: Source = source) -> str:
            return write(Readme(corpus, pages.linker, pages.sizes, region.lang, source.path), region, text)

        artifact, mistakes = renewed(source.path, source.data.decode(), corpus, content)
        made += [artifact] if artifact else []
        problems += mistakes
    return tuple(made), tuple(problems)
