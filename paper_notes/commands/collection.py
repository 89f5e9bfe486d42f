"""Loads the collection for commands that work with notes: all of it, without errors."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paper_notes.corpus.model import Corpus
    from paper_notes.diagnostics import Diagnostic
    from paper_notes.sources.tree import Source


def load_collection(
    root: Path, extra: tuple[Source, ...] = (), *, published: bool = False
) -> tuple[Corpus, tuple[Source, ...]]:
    """The collection at `root` with `extra` sources, and all of these. Raises UserError if it has errors.

    `published` is for what others are to read: drafts are left out, as in the site.
    """
    from paper_notes.corpus.load import load
    from paper_notes.sources.tree import read_tree

    sources, unreadable = read_tree(root)
    sources = tuple(sorted((*sources, *extra), key=lambda source: source.path)) if extra else sources
    corpus, mistakes = load(sources, published=published)
    return without_errors(corpus, [*unreadable, *mistakes]), sources


def without_errors(corpus: Corpus | None, problems: Iterable[Diagnostic], what: str = "collection") -> Corpus:
    """The corpus. Raises UserError if it is None or any of the `problems` are errors."""
    from paper_notes.diagnostics import UserError, in_file_order

    problems = corpus.severities.judged(corpus.without_drafts(problems)) if corpus else problems
    errors = tuple(problem for problem in in_file_order(problems) if problem.severity == "error")
    if corpus is None or errors:
        raise UserError(f"the {what} has errors; fix them first", diagnostics=errors)
    return corpus
