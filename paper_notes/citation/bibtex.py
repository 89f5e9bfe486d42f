"""Papers as BibTeX: the entries of the sources, each complete without the others."""

from __future__ import annotations

from collections.abc import Iterable

from paper_notes.corpus.paper import Paper


def bibtex(papers: Iterable[Paper]) -> str:
    """The entries in the given order, each with its inherited fields."""
    return "\n\n".join(paper.bibtex.strip() for paper in papers) + "\n"
