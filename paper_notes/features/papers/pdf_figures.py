"""The figures of a PDF for `paper-notes figures`: as a page with previews, as rows, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from paper_notes.artifacts import Artifact
from paper_notes.features.papers.figures_page import PREVIEW, PREVIEW_BYTES, figures_page, markdown_of
from paper_notes.features.papers.pdf_facts import PdfFacts, read_facts
from paper_notes.render.crops import DENSITY
from paper_notes.render.theme.theme import Theme
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import Source

_CAPTION = 72
"""Characters of a caption in a row at most."""


@dataclass(frozen=True)
class FigureList:
    """The figures and tables of a PDF."""

    source: Source
    facts: PdfFacts
    artifact: Artifact
    """The page with previews."""

    def rows(self) -> Iterator[str]:
        """Lines for the terminal: name, page, caption."""
        width = max((len(figure.anchor) for figure in self.facts.figures), default=0)
        for figure in self.facts.figures:
            caption = figure.caption if len(figure.caption) <= _CAPTION else f"{figure.caption[: _CAPTION - 1]}…"
            yield f"{figure.anchor:<{width}}  p. {figure.page:<3}  {caption}".rstrip()

    def as_json(self) -> dict[str, object]:
        """The value that `--json` prints."""
        facts, path = self.facts, self.source.path
        figures = [
            {"anchor": figure.anchor, **asdict(figure), "markdown": markdown_of(facts, path, figure)}
            for figure in facts.figures
        ]
        known = {"arxiv": facts.arxiv, "version": facts.version, "title": facts.title, "pages": facts.pages}
        return {**known, "figures": figures}


def list_figures(source: Source, theme: Theme, name: str) -> FigureList:
    """Find the figures, and render the page with the file name `name`. Raises PdfProblem."""
    reader = PdfReader()
    facts = reader.read(source, "facts", PdfFacts, read_facts)
    if isinstance(facts, PdfProblem):
        raise facts
    pictures = {}
    width, height = (side * DENSITY for side in PREVIEW)
    for figure in facts.figures:
        drawn = reader.picture(source, figure.page, figure.box, width=width, height=height, limit=PREVIEW_BYTES)
        if isinstance(drawn, Picture):
            pictures[figure.anchor] = drawn
    html = theme.render("figures.html", figures_page(source.path, facts, pictures, theme))
    return FigureList(source, facts, Artifact.text(name, html))
