"""A paper as one line of a list, as is usual on GitHub: `- [25/10] **Title** [[Paper](..)] [[Code](..)]`."""

from __future__ import annotations

from collections.abc import Iterable

from paper_notes.corpus.paper import LabelledLink, Paper
from paper_notes.indexes.gfm import link, plain

_PAPER = ("arXiv", "PDF", "DOI", "Link")
"""Labels of links to the paper itself, the best one first."""


def paper_links(paper: Paper) -> list[LabelledLink]:
    """The best link to the paper itself, then code and all others."""
    own = sorted((item for item in paper.links if item.label in _PAPER), key=lambda item: _PAPER.index(item.label))
    others = [item for item in paper.links if item.label not in _PAPER]
    return [*(LabelledLink("Paper", item.url) for item in own[:1]), *others]


def line(date: str, title: str, links: Iterable[LabelledLink]) -> str:
    """The line; `date` is as in `Paper.date_label`."""
    month = f"[{date[2:7].replace('-', '/')}] " if date else ""
    return f"- {month}**{plain(title)}** {' '.join(f'[{link(plain(item.label), item.url)}]' for item in links)}"
