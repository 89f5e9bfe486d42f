"""Everything that is derived from corpus and pages, as artifacts."""

from __future__ import annotations

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang
from paper_notes.diagnostics import Diagnostic
from paper_notes.indexes.feeds import feeds
from paper_notes.indexes.readme import Readme, readme_files
from paper_notes.indexes.regions import ROOT_README, root_readme
from paper_notes.indexes.sitemap import sitemap
from paper_notes.render.pages import SITE, Pages
from paper_notes.sources.tree import Source


def indexes(corpus: Corpus, pages: Pages, readme: Source | None) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The READMEs, feeds, sitemap, bibliography, and the file that tells GitHub Pages to leave the site as it is.

    `readme` is the root README, if the site keeps it.
    """
    made = [*readme_files(corpus, pages.linker, pages.sizes), Artifact.text(SITE / ".nojekyll", "")]
    made += feeds(corpus, pages.linker)
    made += sitemap(corpus, (page.path.relative_to(SITE) for page in pages.artifacts))
    if corpus.papers:
        entries = (corpus.papers[key].bibtex.strip() for key in sorted(corpus.papers))
        made.append(Artifact.text(SITE / "papers.bib", "\n\n".join(entries) + "\n"))
    if readme is None:
        return tuple(made), ()

    def content(lang: Lang) -> str:
        return Readme(corpus, pages.linker, pages.sizes, lang, ROOT_README).site(title=False)

    renewed, problems = root_readme(readme.data.decode(), corpus.site, content)
    return (*made, renewed) if renewed else tuple(made), problems
