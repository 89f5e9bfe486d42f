"""The figures and tables of one PDF for `paper-notes figures`: a page with previews, and the same as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from paper_notes.features.papers.pdf_facts import PdfFacts
from paper_notes.languages.text import Text
from paper_notes.render.crops import DENSITY, data_uri, shown_size
from paper_notes.render.theme.theme import GENERATOR, Theme
from paper_notes.render.view_factory import ImageView, PageFrame
from paper_notes.sources.pdf.model import PdfFigure
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, asdict

_WIDTH, _HEIGHT = 520, 420
"""Pixels on the page: the largest size of a preview."""
_PREVIEW_BYTES = 40_000


class FigureItem(Struct, frozen=True):
    """A figure or table of a PDF to choose from."""

    anchor: str
    label: Text
    """`图 3`, `Figure 3`."""
    page: int
    caption: str
    markdown: str
    """The Markdown line that shows the figure in a note."""
    image: ImageView | None


class FiguresPage(Struct, frozen=True):
    """The figures and tables of one PDF."""

    chrome: PageFrame
    title: str
    about: str
    count: Text
    items: tuple[FigureItem, ...]


def figures_page(source: Source, facts: PdfFacts, reader: PdfReader, theme: Theme) -> FiguresPage:
    """The view; figures that cannot be drawn are in it without a preview."""
    path, words = source.path, theme.words
    title = facts.title or path.name
    name = words("page.figures.title")
    chrome = PageFrame(
        languages=words.tags,
        site_title=name,
        title=words.alike(title),
        description=name,
        home_href="#pn-main",
        topics=(),
        lists=(),
        published=None,
        style=theme.styles["index"],
        script=theme.script,
        late_script=theme.late_script("index"),
        csp=theme.csp("index"),
        generator=GENERATOR,
    )
    version = f"v{facts.version}" if facts.version else ""
    about = " · ".join(part for part in (path.name, f"arXiv:{facts.arxiv}{version}" if facts.arxiv else "") if part)
    counted = words("label.figures-found", pages=str(facts.pages), number=str(len(facts.figures)))
    return FiguresPage(chrome, title, about, counted, tuple(_items(source, facts, reader, theme)))


def _items(source: Source, facts: PdfFacts, reader: PdfReader, theme: Theme) -> Iterator[FigureItem]:
    width, height = _WIDTH * DENSITY, _HEIGHT * DENSITY
    for figure in facts.figures:
        label = theme.words(f"label.{figure.kind}", number=figure.number)
        drawn = reader.picture(source, figure.page, figure.box, width=width, height=height, limit=_PREVIEW_BYTES)
        image = None
        if isinstance(drawn, Picture):
            image = ImageView(data_uri(drawn), *shown_size(drawn, drawn.width / DENSITY))
        markdown = _markdown(facts, source.path, figure)
        yield FigureItem(figure.anchor, label, figure.page, figure.caption, markdown, image)


def _markdown(facts: PdfFacts, path: PurePosixPath, figure: PdfFigure) -> str:
    """The line that shows a figure in a note: by arXiv id, or else with the file's name as BibTeX key."""
    return f"![](pdf:{facts.arxiv or path.stem}#{figure.anchor})"


def json_of(facts: PdfFacts, path: PurePosixPath) -> dict[str, object]:
    """The value that `--json` prints."""
    known = {"arxiv": facts.arxiv, "version": facts.version, "title": facts.title, "pages": facts.pages}
    figures = [
        {"anchor": figure.anchor, **asdict(figure), "markdown": _markdown(facts, path, figure)}
        for figure in facts.figures
    ]
    return {**known, "figures": figures}
