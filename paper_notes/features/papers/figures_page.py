"""The page of `paper-notes figures`: all figures and tables of one PDF, each with the line that shows it in a note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from paper_notes.features.papers.pdf_facts import PdfFacts
from paper_notes.languages.language import Words
from paper_notes.languages.text import Text, in_each
from paper_notes.render.crops import DENSITY, data_uri, shown_size
from paper_notes.render.theme.theme import GENERATOR, Theme
from paper_notes.render.view_factory import ImageView, PageFrame
from paper_notes.sources.pdf.model import PdfFigure
from paper_notes.sources.pdf.picture import Picture

PREVIEW = (520, 420)
"""Pixels on the page: the largest size of a preview."""
PREVIEW_BYTES = 40_000


@dataclass(frozen=True, slots=True)
class FigureItem:
    """A figure or table of a PDF to choose from."""

    anchor: str
    label: Text
    """`图 3`, `Figure 3`."""
    page: int
    caption: str
    markdown: str
    """The Markdown line that shows the figure in a note."""
    image: ImageView | None


@dataclass(frozen=True, slots=True)
class FiguresPage:
    """The figures and tables of one PDF."""

    chrome: PageFrame
    title: str
    about: str
    count: Text
    items: tuple[FigureItem, ...]


def markdown_of(facts: PdfFacts, path: PurePosixPath, figure: PdfFigure) -> str:
    """The Markdown line that shows a figure in a note: by arXiv id, or else with the file's name as BibTeX key."""
    return f"![](pdf:{facts.arxiv or path.stem}#{figure.anchor})"


def figures_page(path: PurePosixPath, facts: PdfFacts, pictures: Mapping[str, Picture], theme: Theme) -> FiguresPage:
    """The view. `pictures` has a preview by the anchor of each figure that could be drawn."""
    title = facts.title or path.name
    words = theme.words
    name = words("page.figures.title")
    chrome = PageFrame(
        languages=words.tags,
        site_title=name,
        title=in_each(words.tags, lambda _: title),
        description=name,
        root="",
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
    return FiguresPage(chrome, title, about, counted, tuple(_items(path, facts, pictures, words)))


def _items(path: PurePosixPath, facts: PdfFacts, pictures: Mapping[str, Picture], words: Words) -> Sequence[FigureItem]:
    items = []
    for figure in facts.figures:
        label = words(f"label.{figure.kind}", number=figure.number)
        picture = pictures.get(figure.anchor)
        size = shown_size(picture, picture.width / DENSITY) if picture else (0, 0)
        image = ImageView(data_uri(picture), *size) if picture else None
        line = markdown_of(facts, path, figure)
        items.append(FigureItem(figure.anchor, label, figure.page, figure.caption, line, image))
    return items
