"""The view of the page of `paper-notes figures`."""

from __future__ import annotations

from dataclasses import dataclass

from paper_notes.render.views import Bi, Chrome, ImageView


@dataclass(frozen=True, slots=True)
class FigureItem:
    """A figure or table of a PDF to choose from."""

    anchor: str
    label: Bi
    """`图 3`, `Figure 3`."""
    page: int
    caption: str
    markdown: str
    """The line that shows it in a note."""
    image: ImageView | None


@dataclass(frozen=True, slots=True)
class FiguresPage:
    """The figures and tables of one PDF."""

    chrome: Chrome
    title: str
    about: str
    count: Bi
    items: tuple[FigureItem, ...]
